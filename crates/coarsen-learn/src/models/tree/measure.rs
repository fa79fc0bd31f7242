//! What is added up over the rows of a node, and how mixed they are by it: the rows of each label and
//! their entropy, or number, sum and squares and the squared deviation.

use crate::features::Target;

/// How a target is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Measure {
    /// By entropy over this many labels.
    Labels(usize),
    /// By squared deviation. Numbers are taken as their distance from the middle, so that squares of
    /// large numbers do not swallow small differences.
    Numbers { middle: f64 },
}

/// A target's rows, ready to be added up.
pub(super) struct Rows {
    /// The label of each row, or nothing.
    pub labels: Vec<u32>,
    /// The number of each row, or nothing.
    pub numbers: Vec<f64>,
    /// How often each row counts.
    pub weights: Vec<f64>,
}

impl Measure {
    pub fn of(target: &Target) -> Self {
        match target {
            Target::Labels { size, .. } => Measure::Labels((*size).max(1)),
            Target::Numbers(numbers) => Measure::Numbers {
                middle: numbers.iter().sum::<f64>() / numbers.len().max(1) as f64,
            },
        }
    }

    pub fn rows(&self, target: &Target, weights: Option<&[f64]>) -> Rows {
        let (labels, numbers) = match (self, target) {
            (Measure::Labels(_), Target::Labels { codes, .. }) => (codes.clone(), Vec::new()),
            (Measure::Numbers { middle }, Target::Numbers(numbers)) => (
                Vec::new(),
                numbers.iter().map(|number| number - middle).collect(),
            ),
            _ => unreachable!("a measure is of its target"),
        };
        let weights = weights.map_or_else(|| vec![1.0; target.len()], <[f64]>::to_vec);
        Rows {
            labels,
            numbers,
            weights,
        }
    }

    /// How many sums there are.
    pub fn width(&self) -> usize {
        match self {
            Measure::Labels(size) => *size,
            Measure::Numbers { .. } => 3,
        }
    }

    #[inline]
    pub fn add(&self, sums: &mut [f64], rows: &Rows, row: usize) {
        let weight = rows.weights[row];
        match self {
            Measure::Labels(_) => sums[rows.labels[row] as usize] += weight,
            Measure::Numbers { .. } => {
                let number = rows.numbers[row];
                sums[0] += weight;
                sums[1] += weight * number;
                sums[2] += weight * number * number;
            }
        }
    }

    /// The rows that were added up.
    #[inline]
    pub fn weight(&self, sums: &[f64]) -> f64 {
        match self {
            Measure::Labels(_) => sums.iter().sum(),
            Measure::Numbers { .. } => sums[0],
        }
    }

    /// Rows times entropy in bits, or the sum of squared deviations.
    #[inline]
    pub fn impurity(&self, sums: &[f64]) -> f64 {
        match self {
            Measure::Labels(_) => bits(sums),
            Measure::Numbers { .. } if sums[0] > 0.0 => {
                (sums[2] - sums[1] * sums[1] / sums[0]).max(0.0)
            }
            Measure::Numbers { .. } => 0.0,
        }
    }

    /// The mean of the numbers that were added up.
    pub fn mean(&self, sums: &[f64]) -> f64 {
        match self {
            Measure::Numbers { middle } if sums[0] > 0.0 => middle + sums[1] / sums[0],
            Measure::Numbers { middle } => *middle,
            Measure::Labels(_) => f64::NAN,
        }
    }
}

/// Rows times their entropy in bits.
#[inline]
pub(super) fn bits(rows: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut each = 0.0;
    for rows in rows {
        if *rows > 0.0 {
            total += rows;
            each += rows * rows.log2();
        }
    }
    if total > 0.0 {
        (total * total.log2() - each).max(0.0)
    } else {
        0.0
    }
}

/// The label of most rows; of several, the first.
pub(super) fn heaviest(sums: &[f64]) -> u32 {
    let best = (0..sums.len())
        .rev()
        .max_by(|a, b| sums[*a].total_cmp(&sums[*b]));
    best.unwrap_or(0) as u32
}
