//! What each block of the solved column costs at the least, from running sums over its codes (see
//! `bound`), and which blocks are possible at all.

use rustc_hash::FxHashMap;

use super::column::{Column, Facts, Reach, View};
use super::model::{Kind, Model};
use crate::domain::scheme::BlockCost;

/// Which blocks of the solved column are possible.
pub(super) struct Possible<'a>(pub Option<&'a View>);

impl Possible<'_> {
    fn allows(&self, runs: &[(usize, usize)]) -> bool {
        let Some(view) = self.0 else { return true };
        let size: usize = runs.iter().map(|(first, end)| end - first).sum();
        let codes = || runs.iter().flat_map(|(first, end)| *first..*end);
        // What is together is inside, or all of it outside.
        let mut blocks: Vec<u32> = codes().map(|code| view.low[code]).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let whole = view.low.iter().filter(|b| blocks.binary_search(b).is_ok());
        if whole.count() != size {
            return false;
        }
        match &view.reach {
            Reach::Any => true,
            Reach::Same => blocks.len() == 1,
            Reach::Some(masks) => {
                let all = blocks.iter().fold(0u128, |mask, block| mask | 1 << block);
                blocks.iter().all(|b| masks[*b as usize] & all == all)
            }
        }
    }
}

/// What the blocks of the solved column cost at the least.
pub(super) struct Sums<'a> {
    pub width: usize,
    /// Running sums over the codes: rows, rows that may meet them, and what their other cells cost.
    pub certain: Vec<f64>,
    pub may: Vec<f64>,
    pub floors: Vec<f64>,
    /// For each cell, by how much a row's cost rises at least if its class grows.
    pub gain: Vec<f64>,
    pub column: &'a Column,
    pub facts: Option<&'a FxHashMap<Vec<(usize, usize)>, Facts>>,
    pub model: &'a Model,
    pub possible: Possible<'a>,
    /// What a suppressed row costs, with its price.
    pub suppressed: f64,
    /// For each target its weight, and for each of its labels the rows.
    pub labels: Vec<(f64, Vec<Vec<f64>>)>,
}

impl Sums<'_> {
    fn over(&self, figures: &[f64], cell: usize, runs: &[(usize, usize)]) -> f64 {
        let cell = &figures[cell * self.width..(cell + 1) * self.width];
        runs.iter()
            .map(|(first, end)| cell[*end] - cell[*first])
            .sum()
    }

    /// Whether the rows of a cell are suppressed for certain: those that they may meet are too few, or
    /// they are too few and cannot grow.
    fn is_lost(&self, cell: usize, certain: f64, runs: &[(usize, usize)]) -> bool {
        let k = self.model.k;
        let may = match self.may.is_empty() {
            true => certain,
            false => self.over(&self.may, cell, runs),
        };
        may < k || certain < k && self.gain.get(cell).is_some_and(|gain| gain.is_infinite())
    }

    /// The rows that are suppressed for certain under a partition.
    pub fn suppressed_by(&self, blocks: &[u32]) -> f64 {
        let cells = self.certain.len() / self.width;
        let count = blocks.iter().max().map_or(0, |most| most + 1);
        let mut lost = 0.0;
        for block in 0..count {
            let codes = (0..blocks.len()).filter(|code| blocks[*code] == block);
            let runs: Vec<(usize, usize)> = codes.map(|code| (code, code + 1)).collect();
            for cell in 0..cells {
                let certain = self.over(&self.certain, cell, &runs);
                if certain > 0.0 && self.is_lost(cell, certain, &runs) {
                    lost += certain;
                }
            }
        }
        lost
    }

    /// The rows beside the majority, by the weights of the targets.
    fn beside(&self, cell: usize, certain: f64, runs: &[(usize, usize)]) -> f64 {
        let of_target = |(weight, by_label): &(f64, Vec<Vec<f64>>)| {
            let rows = by_label
                .iter()
                .map(|figures| self.over(figures, cell, runs));
            weight * (certain - rows.fold(0.0, f64::max))
        };
        self.labels.iter().map(of_target).sum()
    }

    /// What the solved column's own cells cost: each code's rows in a cell, times this.
    fn own(&self, runs: &[(usize, usize)]) -> Own {
        let facts = self.facts.and_then(|facts| facts.get(runs));
        match (facts, self.model.kind) {
            (Some(facts), Kind::Share | Kind::Height) => Own::Same(self.column.weight * facts.cost),
            (Some(facts), Kind::Rows) if facts.suppressed => Own::Same(self.column.weight),
            (Some(_), Kind::Rows) => {
                let codes = runs.iter().flat_map(|(first, end)| *first..*end);
                let inside: u64 = codes.map(|code| self.column.rows[code]).sum();
                Own::ByRows(inside)
            }
            _ => Own::Same(0.0),
        }
    }
}

enum Own {
    Same(f64),
    ByRows(u64),
}

impl BlockCost for Sums<'_> {
    fn cost(&mut self, runs: &[(usize, usize)]) -> f64 {
        if !self.possible.allows(runs) {
            return f64::INFINITY;
        }
        let Model { k, total, kind, .. } = self.model;
        let (k, total, kind) = (*k, *total, *kind);
        let own = self.own(runs);
        let weights: Vec<(usize, f64)> = match own {
            Own::Same(_) => Vec::new(),
            Own::ByRows(inside) => {
                let codes = runs.iter().flat_map(|(first, end)| *first..*end);
                let weight = |code: usize| {
                    let rows = self.column.rows[code];
                    match inside - rows {
                        0 => 0.0,
                        more => self.column.weight * more as f64 / (total - rows as f64),
                    }
                };
                let all = codes.map(|code| (code, weight(code)));
                all.filter(|(_, weight)| *weight > 0.0).collect()
            }
        };
        let mut sum = 0.0;
        for cell in 0..self.certain.len() / self.width {
            let certain = self.over(&self.certain, cell, runs);
            if certain == 0.0 {
                continue;
            }
            sum += if self.is_lost(cell, certain, runs) {
                certain * self.suppressed
            } else {
                match kind {
                    Kind::Classes => certain * certain.max(k),
                    Kind::Labels => self.beside(cell, certain, runs),
                    Kind::Unknown => 0.0,
                    Kind::Share | Kind::Height | Kind::Rows => {
                        let grows = if certain < k { self.gain[cell] } else { 0.0 };
                        let figures = &self.certain[cell * self.width..(cell + 1) * self.width];
                        let own = match own {
                            Own::Same(cost) => certain * cost,
                            Own::ByRows(_) => weights
                                .iter()
                                .map(|(code, weight)| (figures[code + 1] - figures[*code]) * weight)
                                .sum(),
                        };
                        self.over(&self.floors, cell, runs) + own + certain * grows
                    }
                }
            };
            if sum.is_infinite() {
                return sum;
            }
        }
        sum
    }
}
