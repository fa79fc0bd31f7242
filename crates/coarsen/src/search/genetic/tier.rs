//! Combinations collapsed to what a set of chromosomes can still tell apart, so that a cost is counted
//! from few of them.
//!
//! A tier knows for each column which units stand for one *atom*: a chromosome that cuts nothing inside an
//! atom groups the tier's combinations as it would group all of them. So a population that agrees not to
//! cut somewhere, or a search that changes one column only, is counted from a fraction of the table.
//!
//! A combination is kept as a few small numbers, each of which stands for the atoms of several columns:
//! its place among the classes is then one look-up and one addition each.

use rustc_hash::FxHashMap;

use super::objective::Sums;
use super::space::Space;

/// The most entries of a look-up table for several columns.
const TABLE: usize = 1024;

/// Collapsed combinations.
pub(super) struct Tier {
    /// For each column, the units at which an atom begins.
    pub starts: Vec<Vec<usize>>,
    /// Columns that are looked up together.
    pub groups: Vec<Vec<usize>>,
    /// For each combination, its place in the table of each group.
    pub codes: Vec<u16>,
    /// For each combination, its figures.
    pub figures: Vec<f64>,
    pub combinations: usize,
}

/// All combinations by their units.
pub(super) struct Ground {
    /// For each column, the unit of every combination.
    units: Vec<Vec<u16>>,
    figures: Vec<f64>,
    stride: usize,
    combinations: usize,
}

impl Ground {
    /// The combinations of a problem, those merged that no chromosome tells apart.
    pub fn new(space: &Space<'_>, sums: &Sums) -> Self {
        let counts = &space.problem.counts;
        let ground = Ground {
            units: (space.columns.iter().enumerate())
                .map(|(place, column)| {
                    let mut unit_of = Vec::new();
                    for (unit, ends) in column.starts.windows(2).enumerate() {
                        unit_of.resize(ends[1], unit as u16);
                    }
                    let codes = counts.codes(place).iter();
                    codes.map(|code| unit_of[*code as usize]).collect()
                })
                .collect(),
            figures: sums.of_combinations(counts),
            stride: sums.figures.len(),
            combinations: counts.combinations(),
        };
        let is_binned = (space.columns.iter().zip(&space.problem.attributes))
            .any(|(column, attribute)| column.units() < attribute.domain.size());
        match is_binned {
            true => ground.merged(),
            false => ground,
        }
    }

    /// How many combinations there are.
    pub fn combinations(&self) -> usize {
        self.combinations
    }

    fn merged(self) -> Self {
        let finest: Vec<Vec<usize>> = (self.units.iter())
            .map(|units| (0..=usize::from(units.iter().copied().max().unwrap_or(0))).collect())
            .collect();
        let (firsts, figures) = self.collapse(&finest);
        let units = (self.units.iter())
            .map(|units| firsts.iter().map(|first| units[*first as usize]).collect())
            .collect();
        Ground {
            units,
            combinations: firsts.len(),
            figures,
            stride: self.stride,
        }
    }

    /// For the atoms that begin at the given units: the first of the combinations that are alike, in
    /// their order, and the sums of their figures.
    fn collapse(&self, starts: &[Vec<usize>]) -> (Vec<u32>, Vec<f64>) {
        let tables: Vec<Vec<u64>> = (self.units.iter().zip(starts))
            .map(|(units, starts)| atoms(starts, units))
            .collect();
        let radices: Vec<u64> = starts.iter().map(|starts| starts.len() as u64).collect();
        let product = radices
            .iter()
            .try_fold(1u64, |p, radix| p.checked_mul(*radix));
        let mut merger = Merger::new(self);
        match product {
            Some(_) => {
                let mut class_of: FxHashMap<u64, u32> = FxHashMap::default();
                for combination in 0..self.combinations {
                    let mut key = 0;
                    for (column, table) in tables.iter().enumerate() {
                        let unit = self.units[column][combination];
                        key = key * radices[column] + table[usize::from(unit)];
                    }
                    let next = merger.firsts.len() as u32;
                    merger.add(combination, *class_of.entry(key).or_insert(next));
                }
            }
            None => {
                let mut class_of: FxHashMap<Vec<u16>, u32> = FxHashMap::default();
                for combination in 0..self.combinations {
                    let tuple = tables.iter().enumerate().map(|(column, table)| {
                        table[usize::from(self.units[column][combination])] as u16
                    });
                    let next = merger.firsts.len() as u32;
                    merger.add(
                        combination,
                        *class_of.entry(tuple.collect()).or_insert(next),
                    );
                }
            }
        }
        (merger.firsts, merger.figures)
    }

    /// The tier of the atoms that begin at the given units.
    pub fn tier(&self, starts: Vec<Vec<usize>>) -> Tier {
        let (firsts, figures) = self.collapse(&starts);
        let sizes: Vec<usize> = starts.iter().map(Vec::len).collect();
        let groups = together(&sizes, TABLE.min((firsts.len() / 16).max(64)));
        let mut codes = vec![0; firsts.len() * groups.len()];
        for (place, columns) in groups.iter().enumerate() {
            let tables: Vec<Vec<u64>> = (columns.iter())
                .map(|column| atoms(&starts[*column], &self.units[*column]))
                .collect();
            for (combination, first) in firsts.iter().enumerate() {
                let mut code = 0;
                for (column, table) in columns.iter().zip(&tables) {
                    let unit = self.units[*column][*first as usize];
                    code = code * sizes[*column] as u64 + table[usize::from(unit)];
                }
                codes[combination * groups.len() + place] = code as u16;
            }
        }
        Tier {
            starts,
            groups,
            codes,
            figures,
            combinations: firsts.len(),
        }
    }
}

struct Merger<'a> {
    ground: &'a Ground,
    firsts: Vec<u32>,
    figures: Vec<f64>,
}

impl<'a> Merger<'a> {
    fn new(ground: &'a Ground) -> Self {
        Merger {
            ground,
            firsts: Vec::new(),
            figures: Vec::new(),
        }
    }

    fn add(&mut self, combination: usize, class: u32) {
        let stride = self.ground.stride;
        let figures = &self.ground.figures[combination * stride..(combination + 1) * stride];
        if class as usize == self.firsts.len() {
            self.firsts.push(combination as u32);
            self.figures.extend_from_slice(figures);
        } else {
            let sums = &mut self.figures[class as usize * stride..(class as usize + 1) * stride];
            sums.iter_mut()
                .zip(figures)
                .for_each(|(sum, figure)| *sum += figure);
        }
    }
}

/// The atom of each unit, as far as units occur.
fn atoms(starts: &[usize], units: &[u16]) -> Vec<u64> {
    let most = units.iter().copied().max().map_or(0, usize::from);
    let mut next = 1;
    let atom = |unit: usize| {
        if starts.get(next).is_some_and(|start| *start <= unit) {
            next += 1;
        }
        next as u64 - 1
    };
    (0..=most).map(atom).collect()
}

/// Columns put together as long as their table stays small: the largest first, each into the first group
/// that it fits.
fn together(sizes: &[usize], limit: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|column| std::cmp::Reverse(sizes[*column]));
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for column in order {
        let fits = |(size, _): &&mut (usize, Vec<usize>)| *size * sizes[column] <= limit;
        match groups.iter_mut().find(fits) {
            Some((size, columns)) => {
                *size *= sizes[column];
                columns.push(column);
            }
            None => groups.push((sizes[column], vec![column])),
        }
    }
    groups.into_iter().map(|(_, columns)| columns).collect()
}
