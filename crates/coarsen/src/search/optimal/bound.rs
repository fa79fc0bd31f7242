//! The lower bound of a node, and where all columns but one are fixed, the best partition of that one.
//!
//! The paper bounds a row by what it costs now (section 4.3.1). Here one column, the *solved* one, is
//! never enumerated: for what the other columns' views allow, each of its possible blocks has a least
//! cost, and [`Legal::cheapest`](crate::domain::scheme::Legal::cheapest) finds the partition that makes
//! the least of them. A row counts
//! - as suppressed, where all rows that it may ever come together with are fewer than k;
//! - at least what its cells cost at the least, and by as much more as the cheapest growth of one of its
//!   columns adds, where the rows that it is together with for certain are fewer than k;
//! - under DM, the number of those rows, or k;
//! - under CM, the rows beside the majority among those.
//!
//! Where the others are fixed, the bound is the cost of the release it speaks of. Where the number of
//! suppressed rows is limited, each may be given a price beside its cost (see `Space::bound`).

use super::column::{Column, Reach, View};
use super::keys::Keys;
use super::model::{Kind, Model};
use super::price::MOST_RUNS;
use super::runs::RunSums;
use super::sums::{Possible, Sums, accumulate};
use super::table::Table;
use crate::counts::Counts;

/// More cells than this are not looked at when rows that may come together are counted: some columns
/// are left out of the count, which is then larger, and the bound lower.
const MOST_CELLS: usize = 1 << 17;

/// What a node comes to.
pub(super) struct Bounded {
    /// The least that any of its releases costs, as a sum over rows, prices included.
    pub sum: f64,
    /// The partition of the solved column that comes to it.
    pub blocks: Vec<u32>,
    /// The rows that are then suppressed for certain.
    pub suppressed: f64,
}

/// What is to be bounded.
pub(super) struct Question<'a> {
    /// Where the tallies stand, for CM.
    pub counts: &'a Counts,
    pub table: &'a Table,
    pub columns: &'a [Column],
    pub model: &'a Model,
    pub solved: usize,
    /// The views of all columns; that of the solved one is not read.
    pub views: &'a [&'a View],
}

/// The figures of a question that do not depend on the price of a suppressed row.
pub(super) struct Figures {
    /// For each combination its cell of the other columns' certain blocks.
    pub cell_of: Vec<u32>,
    pub cells: usize,
    /// For each combination, what its cells in the other columns cost at the least.
    pub floors: Vec<f64>,
    /// For each cell, by how much a row's cost rises at least if its class grows.
    pub gain: Vec<f64>,
    /// For each cell its place among those of rows that may come together, and for each such place the
    /// running sums of rows over the solved column's codes; none where nothing can.
    pub may_of: Vec<u32>,
    pub may: Vec<f64>,
}

impl<'a> Question<'a> {
    fn others(&self) -> impl Iterator<Item = usize> {
        let solved = self.solved;
        (0..self.columns.len()).filter(move |c| *c != solved)
    }

    /// The figures that every price shares.
    pub fn figures(&self) -> Figures {
        let (cell_of, first_of) = self.cells();
        let table = self.table;
        let (mut floors, mut gain) = (Vec::new(), Vec::new());
        if self.model.has_cells() {
            floors = vec![0.0; table.rows.len()];
            gain = vec![f64::INFINITY; first_of.len()];
            for column in self.others() {
                let view = self.views[column];
                let price: Vec<f64> = view.low.iter().map(|b| view.price[*b as usize]).collect();
                let rows = floors.iter_mut().zip(&table.codes[column]);
                let figures = table.units[column].iter().zip(&table.off[column]);
                for ((floor, code), (unit, off)) in rows.zip(figures) {
                    *floor += price[*code as usize] * unit - off;
                }
                for (gain, first) in gain.iter_mut().zip(&first_of) {
                    let block = view.low[table.codes[column][*first as usize] as usize];
                    *gain = gain.min(view.gain[block as usize]);
                }
            }
        }
        let (may_of, may) = match self.others().any(|c| self.views[c].reach != Reach::Same) {
            true => self.may_meet(&first_of),
            false => (Vec::new(), Vec::new()),
        };
        Figures {
            cell_of,
            cells: first_of.len(),
            floors,
            gain,
            may_of,
            may,
        }
    }

    /// Bounds the releases whose columns follow the views, where a suppressed row has a price beside
    /// its cost.
    pub fn bound(&self, figures: &Figures, possible: Possible<'_>, price: f64) -> Bounded {
        let column = &self.columns[self.solved];
        let suppressed = self.model.suppressed + price;
        let is_short = column.legal.size() <= MOST_RUNS && !column.legal.has_sets();
        if is_short && self.model.kind != Kind::Labels {
            let mut sums = RunSums::new(self, figures, possible, suppressed);
            let (sum, blocks) = column.legal.cheapest(&mut sums);
            let suppressed = sums.suppressed_by(&blocks);
            return Bounded {
                sum,
                blocks,
                suppressed,
            };
        }
        let mut sums = Sums::new(self, figures, possible, suppressed);
        let (sum, blocks) = column.legal.cheapest(&mut sums);
        let suppressed = sums.suppressed_by(&blocks);
        Bounded {
            sum,
            blocks,
            suppressed,
        }
    }

    /// For each combination the cell of the other columns' certain blocks, and a combination of each
    /// cell.
    fn cells(&self) -> (Vec<u32>, Vec<u32>) {
        let mut keys = Keys::new(self.table.rows.len());
        for column in self.others() {
            let view = self.views[column];
            keys.add(&self.table.codes[column], &view.low, view.lows);
        }
        keys.numbered()
    }

    /// For each cell and each code of the solved column, the rows that may come together with it.
    fn may_meet(&self, first_of: &[u32]) -> (Vec<u32>, Vec<f64>) {
        let table = self.table;
        let width = self.columns[self.solved].legal.size() + 1;
        // The columns with the fewest places first, as many as there is room for.
        let places = |c: &usize| match &self.views[*c].reach {
            Reach::Segments(_, count) => *count,
            _ => self.views[*c].lows,
        };
        let mut by_places: Vec<usize> = self
            .others()
            .filter(|c| self.views[*c].reach != Reach::Any)
            .collect();
        by_places.sort_by_key(places);
        let mut kept: Vec<(usize, usize, Vec<u32>)> = Vec::new();
        let mut cells = 1;
        for column in by_places {
            let places = places(&column);
            if cells * places * width <= MOST_CELLS {
                let view = self.views[column];
                let of_code = |block: &u32| match &view.reach {
                    Reach::Segments(segments, _) => segments[*block as usize],
                    _ => *block,
                };
                let of_codes = view.low.iter().map(of_code).collect();
                kept.push((column, places, of_codes));
                cells *= places;
            }
        }
        let mut place = vec![0u32; table.rows.len()];
        for (column, places, of_codes) in &kept {
            let with = place.iter_mut().zip(&table.codes[*column]);
            with.for_each(|(place, code)| {
                *place = *place * *places as u32 + of_codes[*code as usize];
            });
        }
        let mut may = vec![0.0; cells * width];
        let codes = &table.codes[self.solved];
        for ((place, code), rows) in place.iter().zip(codes).zip(&table.rows) {
            may[*place as usize * width + *code as usize + 1] += rows;
        }
        let mut inner = width;
        for (column, places, _) in kept.iter().rev() {
            if let Reach::Some(masks) = &self.views[*column].reach {
                may = spread(&may, masks, *places, inner);
            }
            inner *= places;
        }
        accumulate(&mut may, width);
        let may_of = first_of.iter().map(|first| place[*first as usize]);
        (may_of.collect(), may)
    }
}

/// Adds up, for each block, what the blocks hold that it may be joined with.
fn spread(table: &[f64], masks: &[u128], places: usize, inner: usize) -> Vec<f64> {
    let mut summed = vec![0.0; table.len()];
    let chunks = table.chunks_exact(places * inner);
    for (from, to) in chunks.zip(summed.chunks_exact_mut(places * inner)) {
        for (block, mask) in masks.iter().enumerate() {
            let to = &mut to[block * inner..(block + 1) * inner];
            for other in (0..places).filter(|other| mask >> other & 1 == 1) {
                let from = &from[other * inner..(other + 1) * inner];
                to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
            }
        }
    }
    summed
}
