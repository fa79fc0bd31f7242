//! Logistic regression with a squared penalty of ½·|w|² (scikit-learn's C = 1), the constant free: smartcore's, by L-BFGS.

use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::logistic_regression::{LogisticRegression, LogisticRegressionParameters};

use super::table::Layout;
use super::{Fitted, Model, labels_of, most_frequent};
use crate::features::{Features, Target};

pub(super) const ENTRY: Model = Model {
    name: "logistic",
    summary: "logistic regression",
    made_by: "smartcore",
    labels: Some(|features, target, _| Box::new(Logistic::fit(features, target))),
    numbers: None,
};

type Inner = LogisticRegression<f64, u32, DenseMatrix<f64>, Vec<u32>>;

/// A trained regression.
pub struct Logistic {
    layout: Layout,
    /// None where there was nothing to learn from: one label, or no column that varies.
    inner: Option<Inner>,
    usual: u32,
    size: usize,
}

impl Logistic {
    /// Learns from rows.
    pub fn fit(features: &Features, target: &Target) -> Logistic {
        let (labels, size) = labels_of(target);
        let layout = Layout::of(features);
        let rows = layout.apply(features);
        let matrix = DenseMatrix::new(rows.rows(), rows.width, rows.dense(), false);
        let settings = LogisticRegressionParameters::default().with_alpha(1.0);
        let inner = matrix
            .ok()
            .filter(|_| rows.width > 0)
            .and_then(|matrix| Inner::fit(&matrix, &labels.to_vec(), settings).ok());
        Logistic {
            layout,
            inner,
            usual: most_frequent(labels, size),
            size,
        }
    }
}

impl Fitted for Logistic {
    fn predict(&self, features: &Features) -> Target {
        let rows = self.layout.apply(features);
        let guess = self.inner.as_ref().and_then(|inner| {
            let matrix = DenseMatrix::new(rows.rows(), rows.width, rows.dense(), false).ok()?;
            inner.predict(&matrix).ok()
        });
        Target::Labels {
            codes: guess.unwrap_or_else(|| vec![self.usual; features.rows]),
            size: self.size,
        }
    }
}
