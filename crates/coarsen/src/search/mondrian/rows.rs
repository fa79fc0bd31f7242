//! The combinations as rows of one matrix that is split in place: a region is a run of rows, and a
//! split moves rows within that run. No copies but of the part that gives way, and every scan reads
//! memory in order.
//!
//! Behind its quasi-identifiers, a row holds the value of each tallied column. Where a combination has
//! several, its place in the counts tells which.

use crate::counts::Counts;
use crate::domain::Code;

/// Stands for several values, which the counts tell.
const SEVERAL: Code = Code::MAX;

/// Some rows of the matrix.
pub(super) struct Rows<'a> {
    shape: Shape,
    codes: &'a mut [Code],
    weights: &'a mut [u64],
    ids: &'a mut [u32],
    counts: Option<&'a Counts>,
}

/// How many codes of which kind a row has.
#[derive(Clone, Copy)]
struct Shape {
    quasi: usize,
    stride: usize,
}

/// The matrix itself.
pub(super) struct Matrix<'a> {
    shape: Shape,
    codes: Vec<Code>,
    weights: Vec<u64>,
    /// The places of the rows' combinations in the counts; none where the rows are not counted.
    ids: Vec<u32>,
    counts: Option<&'a Counts>,
}

/// One row.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    /// The quasi-identifiers' codes.
    pub codes: &'a [Code],
    /// How many rows of the table it stands for.
    pub weight: u64,
    tallied: &'a [Code],
    id: u32,
    counts: Option<&'a Counts>,
}

impl Row<'_> {
    /// Calls `add` with each value of a tallied column and its rows.
    pub fn each_value(&self, tally: usize, mut add: impl FnMut(Code, u64)) {
        match (self.tallied[tally], self.counts) {
            (SEVERAL, Some(counts)) => {
                let values = counts.tallies()[tally].of(self.id as usize);
                values.iter().for_each(|(value, rows)| add(value, rows));
            }
            (value, _) => add(value, self.weight),
        }
    }
}

impl<'a> Matrix<'a> {
    /// All combinations.
    pub fn of(counts: &'a Counts) -> Self {
        let (quasi, length) = (counts.attributes(), counts.combinations());
        let stride = quasi + counts.tallies().len();
        let mut codes = vec![0; stride * length];
        for column in 0..quasi {
            for (row, code) in counts.codes(column).iter().enumerate() {
                codes[row * stride + column] = *code;
            }
        }
        for (place, tally) in counts.tallies().iter().enumerate() {
            for row in 0..length {
                codes[row * stride + quasi + place] = match tally.of(row).values {
                    [value] => *value,
                    _ => SEVERAL,
                };
            }
        }
        Matrix {
            shape: Shape { quasi, stride },
            codes,
            weights: counts.rows().to_vec(),
            ids: (0..length as u32).collect(),
            counts: Some(counts),
        }
    }

    /// Rows of the table itself, each by its codes and then its tallied values.
    pub fn of_rows(quasi: usize, stride: usize, codes: Vec<Code>) -> Self {
        let length = codes.len() / stride;
        Matrix {
            shape: Shape { quasi, stride },
            codes,
            weights: vec![1; length],
            ids: vec![0; length],
            counts: None,
        }
    }

    /// All rows.
    pub fn rows(&mut self) -> Rows<'_> {
        Rows {
            shape: self.shape,
            codes: &mut self.codes,
            weights: &mut self.weights,
            ids: &mut self.ids,
            counts: self.counts,
        }
    }
}

impl<'a> Rows<'a> {
    /// How many combinations.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// One of them.
    pub fn row(&self, place: usize) -> Row<'_> {
        let Shape { quasi, stride } = self.shape;
        let codes = &self.codes[place * stride..(place + 1) * stride];
        let (codes, tallied) = codes.split_at(quasi);
        Row {
            codes,
            weight: self.weights[place],
            tallied,
            id: self.ids[place],
            counts: self.counts,
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.len()).map(|place| self.row(place))
    }

    /// One column's codes.
    pub fn column(&self, column: usize) -> impl Iterator<Item = Code> {
        let stride = self.shape.stride;
        self.codes.chunks_exact(stride).map(move |row| row[column])
    }

    /// Moves rows so that those of part 0 come first, then part 1, and so on, each part in the order
    /// that it had; gives the length of every part.
    pub fn arrange(
        &mut self,
        column: usize,
        parts: usize,
        part_of: &dyn Fn(Code) -> usize,
    ) -> Vec<usize> {
        let stride = self.shape.stride;
        let mut lengths = vec![0; parts];
        let part_at: Vec<u32> = self
            .column(column)
            .map(|code| {
                let part = part_of(code);
                lengths[part] += 1;
                part as u32
            })
            .collect();
        // The first part closes ranks where it is; all others wait beside.
        let others = self.len() - lengths[0];
        let mut codes = vec![0; others * stride];
        let mut weights = vec![0; others];
        let mut ids = vec![0; others];
        let mut next: Vec<usize> = lengths
            .iter()
            .enumerate()
            .scan(0, |start, (part, length)| {
                let here = *start;
                *start += if part == 0 { 0 } else { *length };
                Some(here)
            })
            .collect();
        for (row, part) in part_at.iter().enumerate() {
            let to = next[*part as usize];
            next[*part as usize] += 1;
            let from = row * stride..(row + 1) * stride;
            if *part == 0 {
                if to < row {
                    self.codes.copy_within(from, to * stride);
                    self.weights[to] = self.weights[row];
                    self.ids[to] = self.ids[row];
                }
            } else {
                codes[to * stride..(to + 1) * stride].copy_from_slice(&self.codes[from]);
                weights[to] = self.weights[row];
                ids[to] = self.ids[row];
            }
        }
        let first = lengths[0];
        self.codes[first * stride..].copy_from_slice(&codes);
        self.weights[first..].copy_from_slice(&weights);
        self.ids[first..].copy_from_slice(&ids);
        lengths
    }

    /// Takes the rows apart into runs of these lengths.
    pub fn split(self, lengths: &[usize]) -> Vec<Rows<'a>> {
        let Rows {
            shape,
            mut codes,
            mut weights,
            mut ids,
            counts,
        } = self;
        let mut parts = Vec::with_capacity(lengths.len());
        for length in lengths {
            let (c, rest_codes) = codes.split_at_mut(length * shape.stride);
            let (w, rest_weights) = weights.split_at_mut(*length);
            let (i, rest_ids) = ids.split_at_mut(*length);
            parts.push(Rows {
                shape,
                codes: c,
                weights: w,
                ids: i,
                counts,
            });
            (codes, weights, ids) = (rest_codes, rest_weights, rest_ids);
        }
        parts
    }
}
