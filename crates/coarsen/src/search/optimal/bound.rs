//! The lower bound of a node, and where all columns but one are fixed, the best partition of that one.
//!
//! The paper bounds a row by what it costs now (section 4.3.1). Here one column, the *solved* one, is
//! never enumerated: for what the other columns' views allow, each of its possible blocks has a least
//! cost, and [`Legal::cheapest`](crate::domain::scheme::Legal::cheapest) finds the partition that makes
//! the least of them. A row counts
//! - as suppressed, where all rows that it may ever come together with are fewer than k;
//! - at least what its cells cost at the least, and by as much more as the cheapest growth of one of its
//!   columns adds, where the rows that it is together with for certain are fewer than k;
//! - under DM, the number of those rows, or k.
//!
//! - under CM, the rows beside the majority among those.
//!
//! Where the others are fixed, the bound is the cost of the release it speaks of. Where the number of
//! suppressed rows is limited, each may be given a price beside its cost (see `Space::bound`).

use rustc_hash::FxHashMap;

use super::column::{Column, Reach, View};
use super::model::{Kind, Model};
use super::sums::{Possible, Sums};
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

/// Bounds the releases whose columns follow the views, where a suppressed row has a price beside its
/// cost. `views` holds the solved column's place too, where it is not read.
pub(super) fn bound(
    counts: &Counts,
    columns: &[Column],
    model: &Model,
    solved: usize,
    views: &[&View],
    possible: Possible<'_>,
    price: f64,
) -> Bounded {
    let column = &columns[solved];
    let size = column.legal.size();
    let others: Vec<usize> = (0..columns.len()).filter(|c| *c != solved).collect();
    let (cell_of, first_of) = cells(counts, &others, views);
    let width = size + 1;
    let mut sums = Sums {
        width,
        certain: vec![0.0; first_of.len() * width],
        may: Vec::new(),
        floors: Vec::new(),
        gain: Vec::new(),
        column,
        facts: column.facts.as_ref(),
        model,
        possible,
        suppressed: model.suppressed + price,
        labels: Vec::new(),
    };
    let codes = counts.codes(solved);
    for (i, rows) in counts.rows().iter().enumerate() {
        sums.certain[cell_of[i] as usize * width + codes[i] as usize + 1] += *rows as f64;
    }
    if model.has_cells() {
        sums.floors = vec![0.0; first_of.len() * width];
        for (i, rows) in counts.rows().iter().enumerate() {
            let floor: f64 = others
                .iter()
                .map(|c| views[*c].floor[counts.codes(*c)[i] as usize])
                .sum();
            sums.floors[cell_of[i] as usize * width + codes[i] as usize + 1] +=
                *rows as f64 * floor;
        }
        let gain = |i: &u32| {
            let gains = others.iter().map(|c| {
                let view = views[*c];
                view.gain[view.low[counts.codes(*c)[*i as usize] as usize] as usize]
            });
            gains.fold(f64::INFINITY, f64::min)
        };
        sums.gain = first_of.iter().map(gain).collect();
    }
    if others.iter().any(|c| views[*c].reach != Reach::Same) {
        sums.may = may_meet(counts, &others, views, codes, width, &first_of);
        accumulate(&mut sums.may, width);
    }
    accumulate(&mut sums.certain, width);
    accumulate(&mut sums.floors, width);
    if model.kind == Kind::Labels {
        sums.labels = labels(counts, model, &cell_of, codes, width, first_of.len());
    }
    let (sum, blocks) = column.legal.cheapest(&mut sums);
    let suppressed = sums.suppressed_by(&blocks);
    Bounded {
        sum,
        blocks,
        suppressed,
    }
}

/// For each target its weight, and for each of its labels the running sums of rows in each cell.
fn labels(
    counts: &Counts,
    model: &Model,
    cell_of: &[u32],
    codes: &[u32],
    width: usize,
    cells: usize,
) -> Vec<(f64, Vec<Vec<f64>>)> {
    let of_target = |(tally, weight): &(usize, f64)| {
        let tally = &counts.tallies()[*tally];
        let mut by_label = vec![vec![0.0; cells * width]; tally.column().domain.size()];
        for (i, cell) in cell_of.iter().enumerate() {
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
    model.targets.iter().map(of_target).collect()
}

/// Turns each cell's figures by code into their running sums.
fn accumulate(figures: &mut [f64], width: usize) {
    for cell in figures.chunks_exact_mut(width) {
        for code in 1..width {
            cell[code] += cell[code - 1];
        }
    }
}

/// For each combination the cell of the other columns' certain blocks, and a combination of each cell.
fn cells(counts: &Counts, others: &[usize], views: &[&View]) -> (Vec<u32>, Vec<u32>) {
    let product = others
        .iter()
        .try_fold(1usize, |p, c| p.checked_mul(views[*c].lows));
    let dense = product.filter(|product| *product <= 1 << 16);
    let mut direct = vec![u32::MAX; dense.unwrap_or(0)];
    let mut hashed: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut first_of: Vec<u32> = Vec::new();
    let cell_of = (0..counts.combinations())
        .map(|i| {
            let next = first_of.len() as u32;
            let block = |c: &usize| views[*c].low[counts.codes(*c)[i] as usize];
            let cell = match dense {
                Some(_) => {
                    let key = others
                        .iter()
                        .fold(0usize, |key, c| key * views[*c].lows + block(c) as usize);
                    if direct[key] == u32::MAX {
                        direct[key] = next;
                    }
                    direct[key]
                }
                None => *hashed
                    .entry(others.iter().map(block).collect())
                    .or_insert(next),
            };
            if cell == next {
                first_of.push(i as u32);
            }
            cell
        })
        .collect();
    (cell_of, first_of)
}

/// For each cell and each code of the solved column, the rows that may come together with it.
fn may_meet(
    counts: &Counts,
    others: &[usize],
    views: &[&View],
    codes: &[u32],
    width: usize,
    first_of: &[u32],
) -> Vec<f64> {
    // The columns with the fewest blocks first, as many as there is room for.
    let mut kept: Vec<usize> = Vec::new();
    let mut by_blocks: Vec<usize> = others
        .iter()
        .copied()
        .filter(|c| views[*c].reach != Reach::Any)
        .collect();
    by_blocks.sort_by_key(|c| views[*c].lows);
    let mut cells = 1;
    for column in by_blocks {
        if cells * views[column].lows * width <= MOST_CELLS {
            cells *= views[column].lows;
            kept.push(column);
        }
    }
    let place = |i: usize| {
        kept.iter().fold(0usize, |key, c| {
            key * views[*c].lows + views[*c].low[counts.codes(*c)[i] as usize] as usize
        })
    };
    let mut table = vec![0.0; cells * width];
    for (i, rows) in counts.rows().iter().enumerate() {
        table[place(i) * width + codes[i] as usize + 1] += *rows as f64;
    }
    let mut inner = width;
    for column in kept.iter().rev() {
        let lows = views[*column].lows;
        if let Reach::Some(masks) = &views[*column].reach {
            let mut summed = vec![0.0; table.len()];
            for (from, to) in table
                .chunks_exact(lows * inner)
                .zip(summed.chunks_exact_mut(lows * inner))
            {
                for (block, mask) in masks.iter().enumerate() {
                    let to = &mut to[block * inner..(block + 1) * inner];
                    for other in (0..lows).filter(|other| mask >> other & 1 == 1) {
                        let from = &from[other * inner..(other + 1) * inner];
                        to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
                    }
                }
            }
            table = summed;
        }
        inner *= lows;
    }
    let mut may = Vec::with_capacity(first_of.len() * width);
    for first in first_of {
        let place = place(*first as usize);
        may.extend_from_slice(&table[place * width..(place + 1) * width]);
    }
    may
}
