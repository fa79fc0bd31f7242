//! A column as the search sees it: for what is decided of its partition, what holds in every partition
//! that is still possible.
//!
//! Three things: which values are together in all of them (`low`), which may come together in some
//! (`reach`), and the least that each cell costs. In the paper's terms, `low` is what the lower bound of
//! section 4.3.1 rests on, and `reach` is what makes an applicator useful or useless.

use super::model::Model;
use super::price::Prices;
use crate::counts::Counts;
use crate::domain::Attribute;
use crate::domain::scheme::{Decided, Gap, Legal, bits};

/// Which blocks of `low` may come to be one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reach {
    /// None: the partition is fixed.
    Same,
    /// Any, for all that is known.
    Any,
    /// Those of the same segment, of which there are so many.
    Segments(Vec<u32>, usize),
    /// For each block, those that it may be joined with, as bits.
    Some(Vec<u128>),
}

/// What holds for all partitions that are still possible.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// Values with the same number are together.
    pub low: Vec<u32>,
    pub lows: usize,
    pub reach: Reach,
    /// For each block of `low`, what its cells cost at the least (see `price`).
    pub price: Vec<f64>,
    /// For each block of `low`, by how much the cost of a row in it rises at least if it grows.
    pub gain: Vec<f64>,
}

pub(super) struct Column {
    pub legal: Legal,
    pub count: u128,
    pub prices: Prices,
    /// Every block that the scheme allows with its price, in the order of the codes; none where they
    /// are too many to list.
    pub blocks: Vec<(Vec<(usize, usize)>, f64)>,
    has_cells: bool,
}

impl Column {
    pub fn new(attribute: &Attribute, place: usize, counts: &Counts, model: &Model) -> Self {
        let legal = Legal::new(attribute);
        let rows = counts.marginal(place, attribute.domain.size());
        let prices = Prices::new(attribute, &legal, &rows, model);
        Column {
            count: legal.count(),
            blocks: prices.listed(),
            prices,
            legal,
            has_cells: model.has_cells(),
        }
    }

    /// Whether the column can be solved without enumeration.
    pub fn is_solvable(&self) -> bool {
        self.prices.is_listed()
    }

    /// What each code's cell costs at a level of those that differ.
    pub fn cells_at(&self, level: usize) -> Vec<f64> {
        let prices = &self.prices;
        let cell = |(code, price): (usize, &f64)| match prices.unit[code] > 0.0 {
            true => (price * prices.unit[code] - prices.off[code]).max(0.0),
            false => 0.0,
        };
        prices.levels[level].iter().enumerate().map(cell).collect()
    }

    /// The view of one partition.
    pub fn fixed(&self, blocks: &[u32]) -> View {
        let level = self.legal.levels().iter().position(|(_, l)| l == blocks);
        let groups = runs_of(blocks);
        let price = match level {
            _ if !self.has_cells => vec![0.0; groups.len()],
            Some(level) => {
                let of_code = &self.prices.levels[level];
                groups.iter().map(|runs| of_code[runs[0].0]).collect()
            }
            None => groups.iter().map(|runs| self.prices.cost(runs)).collect(),
        };
        View {
            low: blocks.to_vec(),
            lows: groups.len(),
            reach: Reach::Same,
            price,
            gain: vec![f64::INFINITY; groups.len()],
        }
    }

    /// The view of all partitions that are still possible.
    pub fn view(&self, decided: &Decided, with_reach: bool) -> View {
        let low = self.legal.finest(decided);
        match decided {
            Decided::Levels(first, last) => self.view_of_levels(low, (*first, *last), with_reach),
            Decided::Gaps(gaps) => self.view_of_gaps(low, decided, gaps, with_reach),
            Decided::Sets(codes) => self.view_of_sets(low, codes, with_reach),
        }
    }

    fn view_of_levels(&self, low: Vec<u32>, (first, last): (u32, u32), with_reach: bool) -> View {
        if first == last {
            return self.fixed(&low);
        }
        let levels = self.legal.levels();
        let range = || first as usize..=last as usize;
        let groups = runs_of(&low);
        let (mut price, mut gain) = (Vec::new(), Vec::new());
        for runs in &groups {
            let code = runs[0].0;
            let of = |level: usize| self.prices.levels[level].get(code).copied().unwrap_or(0.0);
            let size = |level: usize| {
                let of = &levels[level].1;
                of.iter().filter(|block| **block == of[code]).count()
            };
            let least = range().map(of).fold(f64::INFINITY, f64::min);
            let own = size(first as usize);
            let larger = range().filter(|level| size(*level) > own).map(of);
            let larger = larger.fold(f64::INFINITY, f64::min);
            price.push(least);
            gain.push(self.rise(runs, least, larger));
        }
        let of_codes = &levels[last as usize].1;
        View {
            lows: groups.len(),
            reach: segments(&groups, of_codes, with_reach),
            low,
            price,
            gain,
        }
    }

    fn view_of_gaps(&self, low: Vec<u32>, decided: &Decided, gaps: &[Gap], with: bool) -> View {
        if !gaps.contains(&Gap::Open) {
            return self.fixed(&low);
        }
        let groups = runs_of(&low);
        let (mut price, mut gain) = (Vec::new(), Vec::new());
        for (place, runs) in groups.iter().enumerate() {
            let (first, end) = runs[0];
            let open = |gap: Option<usize>| gap.filter(|gap| gaps.get(*gap) == Some(&Gap::Open));
            let sides = [open(first.checked_sub(1)), open(Some(end - 1))];
            let least = match sides {
                [None, None] => self.prices.cost(runs),
                _ => self.prices.least(runs),
            };
            let mut larger = f64::INFINITY;
            for gap in sides.into_iter().flatten() {
                let (from, to) = self.legal.brings(gap);
                let begins = groups[low[from] as usize][0].0.min(groups[place][0].0);
                let ends = groups[low[to] as usize][0].1.max(groups[place][0].1);
                larger = larger.min(self.prices.least(&[(begins, ends)]));
            }
            price.push(if self.has_cells { least } else { 0.0 });
            gain.push(self.rise(runs, least, larger));
        }
        let coarsest = self.legal.coarsest(decided);
        View {
            lows: groups.len(),
            reach: segments(&groups, &coarsest, with),
            low,
            price,
            gain,
        }
    }

    fn view_of_sets(&self, low: Vec<u32>, codes: &[(u128, u128)], with_reach: bool) -> View {
        if codes.iter().all(|(with, may)| with == may) {
            return self.fixed(&low);
        }
        let groups = runs_of(&low);
        let (mut price, mut gain, mut masks) = (Vec::new(), Vec::new(), Vec::new());
        for runs in &groups {
            let (with, may) = codes[runs[0].0];
            let least = match with == may {
                true => self.prices.cost(runs),
                false => self.prices.least(runs),
            };
            let mut larger = f64::INFINITY;
            let mut mask = 0;
            for other in bits(may) {
                mask |= 1 << low[other];
                if with >> other & 1 == 0 {
                    let union = runs_in(with | codes[other].0);
                    larger = larger.min(self.prices.least(&union));
                }
            }
            price.push(if self.has_cells { least } else { 0.0 });
            gain.push(self.rise(runs, least, larger));
            masks.push(mask);
        }
        View {
            lows: groups.len(),
            reach: if with_reach {
                Reach::Some(masks)
            } else {
                Reach::Any
            },
            low,
            price,
            gain,
        }
    }

    /// By how much a row of a block costs more, at the least, where the block's price rises.
    fn rise(&self, runs: &[(usize, usize)], from: f64, to: f64) -> f64 {
        if to.is_infinite() {
            return f64::INFINITY;
        }
        let codes = runs.iter().flat_map(|(first, end)| *first..*end);
        let unit = codes.map(|code| self.prices.unit[code]);
        (to - from).max(0.0) * unit.fold(f64::INFINITY, f64::min)
    }
}

fn segments(groups: &[Vec<(usize, usize)>], of_codes: &[u32], with_reach: bool) -> Reach {
    if !with_reach {
        return Reach::Any;
    }
    let of = |runs: &Vec<(usize, usize)>| of_codes[runs[0].0];
    let count = of_codes.iter().max().map_or(0, |most| *most as usize + 1);
    Reach::Segments(groups.iter().map(of).collect(), count)
}

/// The runs of codes of each block.
pub(super) fn runs_of(blocks: &[u32]) -> Vec<Vec<(usize, usize)>> {
    let count = blocks.iter().max().map_or(0, |most| *most as usize + 1);
    let mut runs: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
    for (code, block) in blocks.iter().enumerate() {
        match runs[*block as usize].last_mut() {
            Some((_, end)) if *end == code => *end = code + 1,
            _ => runs[*block as usize].push((code, code + 1)),
        }
    }
    runs
}

fn runs_in(mask: u128) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for code in bits(mask) {
        match runs.last_mut() {
            Some((_, end)) if *end == code => *end = code + 1,
            _ => runs.push((code, code + 1)),
        }
    }
    runs
}
