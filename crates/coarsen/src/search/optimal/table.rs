//! The combinations as the bounds read them: codes and rows, and what each row's cells cost as far as it
//! depends on the row (see `price`). Values that are together for certain can be merged once and for all,
//! so that a node's bounds read few combinations (incremental class merging).

use rustc_hash::FxHashMap;

use super::column::{Column, View};
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

    /// The same with what is together for certain made one; the columns named in `apart` as they are.
    pub fn merged(&self, views: &[View], apart: usize) -> Table {
        let width = views.len();
        // The first code of each block stands for it.
        let standing: Vec<Vec<u32>> = views
            .iter()
            .enumerate()
            .map(|(column, view)| {
                let mut first = vec![u32::MAX; view.lows];
                let of_code = |(code, block): (usize, &u32)| {
                    let first = &mut first[*block as usize];
                    *first = (*first).min(code as u32);
                    if column == apart { code as u32 } else { *first }
                };
                view.low.iter().enumerate().map(of_code).collect()
            })
            .collect();
        let mut place_of: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut table = Table {
            codes: vec![Vec::new(); width],
            rows: Vec::new(),
            units: vec![Vec::new(); self.units.len()],
            off: vec![Vec::new(); self.off.len()],
        };
        for i in 0..self.rows.len() {
            let code = |column: usize| match standing[column].is_empty() {
                true => self.codes[column][i],
                false => standing[column][self.codes[column][i] as usize],
            };
            let key: Vec<u32> = (0..width).map(code).collect();
            let next = table.rows.len();
            let place = *place_of.entry(key).or_insert_with_key(|key| {
                for (codes, code) in table.codes.iter_mut().zip(key) {
                    codes.push(*code);
                }
                next
            });
            if place == next {
                table.rows.push(0.0);
                table.units.iter_mut().for_each(|units| units.push(0.0));
                table.off.iter_mut().for_each(|off| off.push(0.0));
            }
            table.rows[place] += self.rows[i];
            for (into, from) in table.units.iter_mut().zip(&self.units) {
                into[place] += from[i];
            }
            for (into, from) in table.off.iter_mut().zip(&self.off) {
                into[place] += from[i];
            }
        }
        table
    }
}
