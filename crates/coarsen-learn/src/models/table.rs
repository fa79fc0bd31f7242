//! Features as a linear model sees them: numbers moved and scaled to mean 0 and deviation 1 by the
//! training rows, a category as a column of zeros and ones. Kept sparse: a row holds one entry a
//! column, however many categories there are.

use crate::features::{Column, Features, UNKNOWN};

/// How columns become places of a vector.
#[derive(Clone, Debug)]
pub struct Layout {
    columns: Vec<Placed>,
    width: usize,
}

#[derive(Clone, Debug)]
enum Placed {
    /// One place: (number − mean) · scale; a missing number is the mean.
    Number { at: u32, mean: f64, scale: f64 },
    /// A place for each category that occurs in training.
    Category(Vec<Option<u32>>),
}

/// Rows as sparse vectors.
#[derive(Clone, Debug)]
pub struct Sparse {
    offsets: Vec<u32>,
    entries: Vec<(u32, f64)>,
    /// The places of a vector.
    pub width: usize,
}

impl Layout {
    /// The layout of training rows. A column that is the same in every row has no place.
    pub fn of(features: &Features) -> Layout {
        let mut width = 0u32;
        let mut place = || {
            width += 1;
            width - 1
        };
        let columns = features.columns.iter().map(|column| match column {
            Column::Numbers(numbers) => {
                let known = || numbers.iter().filter(|number| !number.is_nan());
                let count = known().count().max(1) as f64;
                let mean = known().sum::<f64>() / count;
                let variance = known().map(|n| (n - mean) * (n - mean)).sum::<f64>() / count;
                match variance > 1e-12 * (1.0 + mean * mean) {
                    true => Placed::Number {
                        at: place(),
                        mean,
                        scale: 1.0 / variance.sqrt(),
                    },
                    false => Placed::Category(Vec::new()),
                }
            }
            Column::Categories { codes, size } => {
                let mut seen = vec![false; *size];
                for code in codes.iter().filter(|code| **code != UNKNOWN) {
                    seen[*code as usize] = true;
                }
                let varies = seen.iter().filter(|seen| **seen).count() > 1;
                let places = seen.iter().map(|seen| (*seen && varies).then(&mut place));
                Placed::Category(places.collect())
            }
        });
        let columns = columns.collect();
        Layout {
            columns,
            width: width as usize,
        }
    }

    /// Rows by this layout.
    pub fn apply(&self, features: &Features) -> Sparse {
        let mut sparse = Sparse {
            offsets: vec![0],
            entries: Vec::new(),
            width: self.width,
        };
        for row in 0..features.rows {
            for (placed, column) in self.columns.iter().zip(&features.columns) {
                match (placed, column) {
                    (Placed::Number { at, mean, scale }, Column::Numbers(numbers)) => {
                        let number = numbers[row];
                        if !number.is_nan() {
                            sparse.entries.push((*at, (number - mean) * scale));
                        }
                    }
                    (Placed::Category(places), Column::Categories { codes, .. }) => {
                        if let Some(Some(at)) = places.get(codes[row] as usize) {
                            sparse.entries.push((*at, 1.0));
                        }
                    }
                    _ => {}
                }
            }
            sparse.offsets.push(sparse.entries.len() as u32);
        }
        sparse
    }
}

impl Sparse {
    /// How many rows.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The entries of a row: place and value.
    #[inline]
    pub fn row(&self, row: usize) -> &[(u32, f64)] {
        &self.entries[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// A row times a vector.
    #[inline]
    pub fn times(&self, row: usize, vector: &[f64]) -> f64 {
        let each = self.row(row).iter();
        each.map(|(at, value)| value * vector[*at as usize]).sum()
    }

    /// All rows, dense, one after another.
    pub fn dense(&self) -> Vec<f64> {
        let mut dense = vec![0.0; self.rows() * self.width];
        for row in 0..self.rows() {
            for (at, value) in self.row(row) {
                dense[row * self.width + *at as usize] = *value;
            }
        }
        dense
    }
}
