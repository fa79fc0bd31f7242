//! The combinations as rows of one matrix that is split in place: a region is a run of rows, and a
//! split moves rows within that run. No copies, and every scan reads memory in order.

use crate::counts::Counts;
use crate::domain::Code;

/// Some rows of the matrix.
pub(super) struct Rows<'a> {
    width: usize,
    codes: &'a mut [Code],
    weights: &'a mut [u64],
    ids: &'a mut [u32],
}

/// The matrix itself.
pub(super) struct Matrix {
    width: usize,
    codes: Vec<Code>,
    weights: Vec<u64>,
    ids: Vec<u32>,
}

impl Matrix {
    /// All combinations.
    pub fn of(counts: &Counts) -> Self {
        let (width, length) = (counts.attributes(), counts.combinations());
        let mut codes = vec![0; width * length];
        for column in 0..width {
            for (row, code) in counts.codes(column).iter().enumerate() {
                codes[row * width + column] = *code;
            }
        }
        let ids = (0..length as u32).collect();
        Matrix {
            width,
            codes,
            weights: counts.rows().to_vec(),
            ids,
        }
    }

    /// All rows.
    pub fn rows(&mut self) -> Rows<'_> {
        Rows {
            width: self.width,
            codes: &mut self.codes,
            weights: &mut self.weights,
            ids: &mut self.ids,
        }
    }
}

impl<'a> Rows<'a> {
    /// How many combinations.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// The combinations' places in the counts.
    pub fn ids(&self) -> &[u32] {
        self.ids
    }

    /// Each combination's codes and rows.
    pub fn iter(&self) -> impl Iterator<Item = (&[Code], u64)> {
        self.codes
            .chunks_exact(self.width)
            .zip(self.weights.iter().copied())
    }

    /// Each combination's codes, rows and place in the counts.
    pub fn iter_with_ids(&self) -> impl Iterator<Item = (&[Code], u64, u32)> {
        self.iter()
            .zip(self.ids.iter())
            .map(|((codes, rows), id)| (codes, rows, *id))
    }

    /// Moves rows so that those of part 0 come first, then part 1, and so on, each part in the order
    /// that it had; gives the length of every part.
    ///
    /// The order within a part is kept so that the outcome does not depend on splits that were tried
    /// and undone.
    pub fn arrange(
        &mut self,
        column: usize,
        parts: usize,
        part_of: &dyn Fn(Code) -> usize,
    ) -> Vec<usize> {
        let part_at = |codes: &[Code], row: usize| part_of(codes[row * self.width + column]);
        let mut lengths = vec![0; parts];
        for row in 0..self.ids.len() {
            lengths[part_at(self.codes, row)] += 1;
        }
        let mut next: Vec<usize> = lengths
            .iter()
            .scan(0, |start, length| {
                let here = *start;
                *start += length;
                Some(here)
            })
            .collect();
        let mut codes = vec![0; self.codes.len()];
        let mut weights = vec![0; self.weights.len()];
        let mut ids = vec![0; self.ids.len()];
        for row in 0..self.ids.len() {
            let place = &mut next[part_at(self.codes, row)];
            let (from, to) = (row * self.width, *place * self.width);
            codes[to..to + self.width].copy_from_slice(&self.codes[from..from + self.width]);
            weights[*place] = self.weights[row];
            ids[*place] = self.ids[row];
            *place += 1;
        }
        self.codes.copy_from_slice(&codes);
        self.weights.copy_from_slice(&weights);
        self.ids.copy_from_slice(&ids);
        lengths
    }

    /// Takes the rows apart into runs of these lengths.
    pub fn split(self, lengths: &[usize]) -> Vec<Rows<'a>> {
        let Rows {
            width,
            mut codes,
            mut weights,
            mut ids,
        } = self;
        let mut parts = Vec::with_capacity(lengths.len());
        for length in lengths {
            let (c, rest_codes) = codes.split_at_mut(length * width);
            let (w, rest_weights) = weights.split_at_mut(*length);
            let (i, rest_ids) = ids.split_at_mut(*length);
            parts.push(Rows {
                width,
                codes: c,
                weights: w,
                ids: i,
            });
            (codes, weights, ids) = (rest_codes, rest_weights, rest_ids);
        }
        parts
    }

    /// The rows from one place up to another.
    pub fn ids_between(&self, from: usize, to: usize) -> &[u32] {
        &self.ids[from..to]
    }
}
