//! Naive Bayes over categories, each count one higher than seen (Laplace); numbers in supervised bins,
//! as in seed 001, section 4.1. A value that is missing or was never seen is passed over.

use super::discretize::{bin, thresholds};
use super::{Fitted, Model, labels_of};
use crate::features::{Column, Features, Target, UNKNOWN};

pub(super) const ENTRY: Model = Model {
    name: "bayes",
    summary: "naive Bayes, numbers in bins that suit the label",
    made_by: "ours",
    labels: Some(|features, target, _| Box::new(Bayes::fit(features, target))),
    numbers: None,
};

/// A trained model.
pub struct Bayes {
    /// Logarithms of the labels' shares.
    priors: Vec<f64>,
    columns: Vec<Likelihood>,
}

/// Logarithms of the share of a category among a label's rows.
struct Likelihood {
    /// Where numbers are parted; `None` for categories.
    thresholds: Option<Vec<f64>>,
    /// Label after label, a category each.
    logs: Vec<f64>,
    size: usize,
}

impl Bayes {
    /// Learns from rows.
    pub fn fit(features: &Features, target: &Target) -> Bayes {
        let (labels, size) = labels_of(target);
        let mut rows = vec![0u64; size];
        for label in labels {
            rows[*label as usize] += 1;
        }
        let total = labels.len() as f64;
        // A label without rows in the training part has a share all the same, if a small one.
        let prior = |rows: &u64| ((*rows as f64 + 1.0) / (total + size as f64)).ln();
        let columns = features.columns.iter().map(|column| {
            let (cuts, codes, categories) = match column {
                Column::Categories { codes, size } => (None, codes.clone(), *size),
                Column::Numbers(numbers) => {
                    let cuts = thresholds(numbers, labels, size);
                    let code = |number: &f64| match number.is_nan() {
                        true => UNKNOWN,
                        false => bin(*number, &cuts),
                    };
                    let codes = numbers.iter().map(code).collect();
                    let bins = cuts.len() + 1;
                    (Some(cuts), codes, bins)
                }
            };
            let mut counts = vec![0u64; size * categories];
            let mut known = vec![0u64; size];
            for (code, label) in codes.iter().zip(labels) {
                if *code != UNKNOWN {
                    counts[*label as usize * categories + *code as usize] += 1;
                    known[*label as usize] += 1;
                }
            }
            let log = |(place, count): (usize, &u64)| {
                let of = known[place / categories] + categories as u64;
                ((*count as f64 + 1.0) / of as f64).ln()
            };
            Likelihood {
                thresholds: cuts,
                logs: counts.iter().enumerate().map(log).collect(),
                size: categories,
            }
        });
        Bayes {
            priors: rows.iter().map(prior).collect(),
            columns: columns.collect(),
        }
    }

    /// The logarithm of each label's share in a row, up to a constant.
    pub fn scores(&self, features: &Features, row: usize) -> Vec<f64> {
        let mut scores = self.priors.clone();
        for (likelihood, column) in self.columns.iter().zip(&features.columns) {
            let code = match (column, &likelihood.thresholds) {
                (Column::Categories { codes, .. }, _) => codes[row],
                (Column::Numbers(numbers), Some(_)) if numbers[row].is_nan() => UNKNOWN,
                (Column::Numbers(numbers), Some(cuts)) => bin(numbers[row], cuts),
                _ => UNKNOWN,
            };
            if (code as usize) < likelihood.size {
                for (label, score) in scores.iter_mut().enumerate() {
                    *score += likelihood.logs[label * likelihood.size + code as usize];
                }
            }
        }
        scores
    }
}

impl Fitted for Bayes {
    fn predict(&self, features: &Features) -> Target {
        let label = |row: usize| {
            let scores = self.scores(features, row);
            let best = (0..scores.len())
                .rev()
                .max_by(|a, b| scores[*a].total_cmp(&scores[*b]));
            best.unwrap_or(0) as u32
        };
        Target::Labels {
            codes: (0..features.rows).map(label).collect(),
            size: self.priors.len(),
        }
    }
}
