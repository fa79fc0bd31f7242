//! Which tier a chromosome is counted from: what the population tells apart, the same with one column at
//! its finest, or everything.

use rayon::prelude::*;

use super::cost::Evaluator;
use super::space::{Chromosome, Space};
use super::tier::{Ground, Tier};

/// A tier is kept where it has at most this share of all combinations.
const WORTH: f64 = 0.7;

pub(super) struct Tiers<'a> {
    counted: Option<Counted>,
    _space: std::marker::PhantomData<&'a ()>,
}

struct Counted {
    ground: Ground,
    full: Tier,
    /// The bits that are set in some chromosome of the population.
    apart: Chromosome,
    union: Option<Tier>,
    by_column: Vec<Option<Tier>>,
}

impl<'a> Tiers<'a> {
    /// Everything; nothing where releases are measured whole.
    pub fn new(evaluator: &Evaluator<'a>) -> Self {
        let counted = evaluator.sums().map(|sums| {
            let ground = Ground::new(evaluator.space, sums);
            let finest = evaluator.space.columns.iter();
            let finest = finest.map(|column| (0..column.units()).collect());
            Counted {
                full: ground.tier(finest.collect()),
                ground,
                apart: Vec::new(),
                union: None,
                by_column: Vec::new(),
            }
        });
        Tiers {
            counted,
            _space: std::marker::PhantomData,
        }
    }

    /// How many combinations there are, where they are counted.
    pub fn combinations(&self) -> Option<usize> {
        self.counted
            .as_ref()
            .map(|counted| counted.ground.combinations())
    }

    /// The smallest tier that tells apart what the chromosome does.
    pub fn tier(&self, space: &Space<'_>, bits: &[bool]) -> Option<&Tier> {
        let counted = self.counted.as_ref()?;
        if counted.union.is_none() {
            return Some(&counted.full);
        }
        let mut beyond = None;
        let mut bit = 0;
        while bit < bits.len() {
            if bits[bit] && !counted.apart[bit] {
                let (column, unit) = space.place(bit);
                if beyond.is_some() {
                    return Some(&counted.full);
                }
                beyond = Some(column);
                bit += space.columns[column].units() - unit;
            } else {
                bit += 1;
            }
        }
        let tier = match beyond {
            None => counted.union.as_ref(),
            Some(column) => counted.by_column[column].as_ref(),
        };
        Some(tier.unwrap_or(&counted.full))
    }

    /// Looks anew at what a population tells apart.
    pub fn review<'b>(
        &mut self,
        space: &Space<'_>,
        population: impl Iterator<Item = &'b Chromosome>,
    ) {
        let Some(counted) = &mut self.counted else {
            return;
        };
        let mut apart = space.coarsest();
        for bits in population {
            for (apart, bit) in apart.iter_mut().zip(bits) {
                *apart |= *bit;
            }
        }
        if apart == counted.apart {
            return;
        }
        let worth = |tier: Tier| {
            let share = tier.combinations as f64 / counted.full.combinations.max(1) as f64;
            (share <= WORTH).then_some(tier)
        };
        let union = worth(counted.ground.tier(starts(space, &apart, None)));
        let by_column = match union {
            None => space.columns.iter().map(|_| None).collect(),
            Some(_) => (0..space.columns.len())
                .into_par_iter()
                .map(|column| worth(counted.ground.tier(starts(space, &apart, Some(column)))))
                .collect(),
        };
        counted.apart = apart;
        counted.union = union;
        counted.by_column = by_column;
    }

    /// A tier in which one column is at its finest and the others are as in a chromosome.
    pub fn around(&self, space: &Space<'_>, bits: &[bool], column: usize) -> Option<Tier> {
        let counted = self.counted.as_ref()?;
        Some(counted.ground.tier(starts(space, bits, Some(column))))
    }
}

/// The units at which atoms begin where these bits are set, all of them in one column.
fn starts(space: &Space<'_>, bits: &[bool], finest: Option<usize>) -> Vec<Vec<usize>> {
    let column = |place: usize| {
        let bits = space.of_column(bits, place);
        let begins = |unit: &usize| *unit == 0 || bits[*unit] || Some(place) == finest;
        (0..bits.len()).filter(begins).collect()
    };
    (0..space.columns.len()).map(column).collect()
}
