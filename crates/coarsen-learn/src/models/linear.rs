//! Linear regression: least squares by the normal equations, with a ridge of 10⁻⁸ (Weka's default)
//! for columns that say the same. The sums are ours, for rows are sparse; smartcore's Cholesky solves.

use smartcore::linalg::basic::arrays::Array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linalg::traits::cholesky::CholeskyDecomposable;

use super::table::{Layout, Sparse};
use super::{Fitted, Model};
use crate::features::{Features, Target};

/// Added to the diagonal, as a share of the rows' own weight there.
const RIDGE: f64 = 1e-8;

pub(super) const ENTRY: Model = Model {
    name: "linear",
    summary: "linear regression (numeric targets only)",
    made_by: "ours, solved by smartcore",
    labels: None,
    numbers: Some(|features, target, _| Box::new(Linear::fit(features, target))),
};

/// A trained regression.
pub struct Linear {
    layout: Layout,
    weights: Vec<f64>,
    constant: f64,
}

impl Linear {
    /// Learns from rows.
    pub fn fit(features: &Features, target: &Target) -> Linear {
        let Target::Numbers(numbers) = target else {
            panic!("this model learns numbers");
        };
        let layout = Layout::of(features);
        let rows = layout.apply(features);
        let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
        let means = means(&rows);
        let weights = solve(&rows, numbers, &means, mean).unwrap_or(vec![0.0; rows.width]);
        let at_means: f64 = weights.iter().zip(&means).map(|(w, m)| w * m).sum();
        Linear {
            layout,
            weights,
            constant: mean - at_means,
        }
    }
}

fn means(rows: &Sparse) -> Vec<f64> {
    let mut means = vec![0.0; rows.width];
    for row in 0..rows.rows() {
        for (at, value) in rows.row(row) {
            means[*at as usize] += value / rows.rows() as f64;
        }
    }
    means
}

/// The weights of least squares, of rows and numbers taken from their means.
fn solve(rows: &Sparse, numbers: &[f64], means: &[f64], mean: f64) -> Option<Vec<f64>> {
    let width = rows.width;
    if width == 0 {
        return None;
    }
    let count = rows.rows() as f64;
    let mut products = vec![0.0; width * width];
    let mut with_target = vec![0.0; width];
    for (row, number) in numbers.iter().enumerate() {
        let entries = rows.row(row);
        for (at, value) in entries {
            with_target[*at as usize] += value * (number - mean);
            for (other, more) in entries {
                products[*at as usize * width + *other as usize] += value * more;
            }
        }
    }
    for at in 0..width {
        for other in 0..width {
            products[at * width + other] -= count * means[at] * means[other];
        }
        products[at * width + at] += RIDGE * count;
    }
    let products = DenseMatrix::new(width, width, products, false).ok()?;
    let right = DenseMatrix::new(width, 1, with_target, false).ok()?;
    let weights = products.cholesky_solve_mut(right).ok()?;
    Some((0..width).map(|at| *weights.get((at, 0))).collect())
}

impl Fitted for Linear {
    fn predict(&self, features: &Features) -> Target {
        let rows = self.layout.apply(features);
        let guess = |row: usize| self.constant + rows.times(row, &self.weights);
        Target::Numbers((0..features.rows).map(guess).collect())
    }
}
