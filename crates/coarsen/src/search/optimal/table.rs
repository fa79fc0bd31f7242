//! The combinations as the bounds read them: codes and rows, and what each row's cells cost as far as it
//! depends on the row (see `price`). Values that are together for certain can be merged once and for all,
//! so that a node's bounds read few combinations (incremental class merging).

use super::column::{Column, View};
use super::keys::Keys;
use crate::counts::Counts;

/// Combinations, merged or not.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub codes: Vec<Vec<u32>>,
    pub rows: Vec<f64>,
    /// For each column, the sum over a combination's rows of their share in their block's price; none
    /// where cells cost nothing.
    pub units: Vec<Vec<f64>>,
    /// For each column, what is taken off.
    pub off: Vec<Vec<f64>>,
}

impl Table {
    /// Every combination by itself.
    pub fn new(counts: &Counts, columns: &[Column], has_cells: bool) -> Self {
        let rows: Vec<f64> = counts.rows().iter().map(|rows| *rows as f64).collect();
        let of_codes = |column: usize, figure: &[f64]| -> Vec<f64> {
            let codes = counts.codes(column).iter();
            codes
                .zip(&rows)
                .map(|(code, rows)| rows * figure[*code as usize])
                .collect()
        };
        let figures = |of: fn(&Column) -> &[f64]| -> Vec<Vec<f64>> {
            let columns = columns.iter().enumerate().filter(|_| has_cells);
            columns.map(|(c, column)| of_codes(c, of(column))).collect()
        };
        Table {
            codes: (0..columns.len())
                .map(|c| counts.codes(c).to_vec())
                .collect(),
            units: figures(|column| &column.prices.unit),
            off: figures(|column| &column.prices.off),
            rows,
        }
    }

    /// The same with what is together for certain made one.
    pub fn merged(&self, views: &[View]) -> Table {
        // The first code of each block stands for it.
        let standing = |view: &View| -> Vec<u32> {
            let mut first = vec![u32::MAX; view.lows];
            let of_code = |(code, block): (usize, &u32)| {
                let first = &mut first[*block as usize];
                *first = (*first).min(code as u32);
                *first
            };
            view.low.iter().enumerate().map(of_code).collect()
        };
        let standing: Vec<Vec<u32>> = views.iter().map(standing).collect();
        let columns = || self.codes.iter().zip(&standing);
        let mut keys = Keys::new(self.rows.len());
        for ((codes, standing), view) in columns().zip(views) {
            keys.add(codes, standing, view.low.len());
        }
        let (place_of, first_of) = keys.numbered();
        let summed = |of: &Vec<f64>| {
            let mut sums = vec![0.0; first_of.len()];
            let with = place_of.iter().zip(of);
            with.for_each(|(place, of)| sums[*place as usize] += of);
            sums
        };
        let of_first = |(codes, standing): (&Vec<u32>, &Vec<u32>)| {
            let code = |i: &u32| standing[codes[*i as usize] as usize];
            first_of.iter().map(code).collect()
        };
        Table {
            codes: columns().map(of_first).collect(),
            rows: summed(&self.rows),
            units: self.units.iter().map(summed).collect(),
            off: self.off.iter().map(summed).collect(),
        }
    }
}
