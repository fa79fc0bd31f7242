//! What a block of the solved column costs at the least, from running sums over its codes (see `bound`),
//! and which blocks are possible at all. This is for sets and for very many codes; see `runs`.

use super::bound::{Figures, Question};
use super::column::{Column, Reach, View, runs_of};
use super::model::{Kind, Model};
use crate::domain::scheme::BlockCost;

/// Which blocks of the solved column are possible.
#[derive(Clone, Copy)]
pub(super) struct Possible<'a>(pub Option<&'a View>);

impl Possible<'_> {
    pub fn allows(&self, runs: &[(usize, usize)]) -> bool {
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
            Reach::Segments(segments, _) => {
                let of = |block: &u32| segments[*block as usize];
                blocks.iter().all(|block| of(block) == of(&blocks[0]))
            }
            Reach::Some(masks) => {
                let all = blocks.iter().fold(0u128, |mask, block| mask | 1 << block);
                blocks.iter().all(|b| masks[*b as usize] & all == all)
            }
        }
    }
}

/// What the blocks of the solved column cost at the least.
pub(super) struct Sums<'a> {
    width: usize,
    /// Running sums over the codes: rows, what their other cells cost, their share in their block's
    /// price, and what is taken off.
    certain: Vec<f64>,
    floors: Vec<f64>,
    units: Vec<f64>,
    off: Vec<f64>,
    figures: &'a Figures,
    column: &'a Column,
    model: &'a Model,
    possible: Possible<'a>,
    /// What a suppressed row costs, with its price.
    suppressed: f64,
    /// For each target its weight, and for each of its labels the rows.
    labels: Vec<(f64, Vec<Vec<f64>>)>,
}

impl<'a> Sums<'a> {
    pub fn new(
        question: &Question<'a>,
        figures: &'a Figures,
        possible: Possible<'a>,
        suppressed: f64,
    ) -> Self {
        let (table, solved) = (question.table, question.solved);
        let column = &question.columns[solved];
        let width = column.legal.size() + 1;
        let running = |of: &[f64]| {
            if of.is_empty() {
                return Vec::new();
            }
            let mut sums = vec![0.0; figures.cells * width];
            let places = figures.cell_of.iter().zip(&table.codes[solved]);
            for ((cell, code), figure) in places.zip(of) {
                sums[*cell as usize * width + *code as usize + 1] += figure;
            }
            accumulate(&mut sums, width);
            sums
        };
        let none = Vec::new();
        Sums {
            width,
            certain: running(&table.rows),
            floors: running(&figures.floors),
            units: running(table.units.get(solved).unwrap_or(&none)),
            off: running(table.off.get(solved).unwrap_or(&none)),
            figures,
            column,
            model: question.model,
            possible,
            suppressed,
            labels: match question.model.kind {
                Kind::Labels => labels(question, figures, width),
                _ => Vec::new(),
            },
        }
    }

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
        let may = match self.figures.may_of.get(cell) {
            None => certain,
            Some(place) => self.over(&self.figures.may, *place as usize, runs),
        };
        let gain = self.figures.gain.get(cell);
        may < k || certain < k && gain.is_some_and(|gain| gain.is_infinite())
    }

    /// The rows that are suppressed for certain under a partition.
    pub fn suppressed_by(&self, blocks: &[u32]) -> f64 {
        let mut lost = 0.0;
        for runs in runs_of(blocks) {
            for cell in 0..self.figures.cells {
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
}

impl BlockCost for Sums<'_> {
    fn cost(&mut self, runs: &[(usize, usize)]) -> f64 {
        if !self.possible.allows(runs) {
            return f64::INFINITY;
        }
        let (k, kind) = (self.model.k, self.model.kind);
        let price = match self.model.has_cells() {
            true => self.column.prices.cost(runs),
            false => 0.0,
        };
        let mut sum = 0.0;
        for cell in 0..self.figures.cells {
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
                        let gain = self.figures.gain[cell];
                        let grows = if certain < k { gain } else { 0.0 };
                        let unit = self.over(&self.units, cell, runs);
                        let own = match unit > 0.0 {
                            true => price * unit - self.over(&self.off, cell, runs),
                            false => 0.0,
                        };
                        let floor = self.over(&self.floors, cell, runs);
                        (floor + own + certain * grows).max(0.0)
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

/// For each target its weight, and for each of its labels the running sums of rows in each cell.
fn labels(question: &Question<'_>, figures: &Figures, width: usize) -> Vec<(f64, Vec<Vec<f64>>)> {
    let (counts, codes) = (question.counts, question.counts.codes(question.solved));
    let of_target = |(tally, weight): &(usize, f64)| {
        let tally = &counts.tallies()[*tally];
        let labels = tally.column().domain.size();
        let mut by_label = vec![vec![0.0; figures.cells * width]; labels];
        for (i, cell) in figures.cell_of.iter().enumerate() {
            for (label, rows) in tally.of(i).iter() {
                let place = *cell as usize * width + codes[i] as usize + 1;
                by_label[label as usize][place] += rows as f64;
            }
        }
        for figures in &mut by_label {
            accumulate(figures, width);
        }
        (*weight, by_label)
    };
    question.model.targets.iter().map(of_target).collect()
}

/// Turns each cell's figures by code into their running sums.
pub(super) fn accumulate(figures: &mut [f64], width: usize) {
    for cell in figures.chunks_exact_mut(width) {
        for code in 1..width {
            cell[code] += cell[code - 1];
        }
    }
}
