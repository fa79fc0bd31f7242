//! A linear support vector machine: least hinge loss with a squared penalty, C = 1 (Weka's default),
//! solved in the dual one row at a time (Hsieh et al. 2008, with the shrinking left out), which takes a
//! pass over the rows instead of comparing each with each. The constant is a place like any other, so
//! it is penalized too. Of more than two labels, each is told from the rest and the surest wins.

use coarsen::synthetic::Random;
use rayon::prelude::*;

use super::table::{Layout, Sparse};
use super::{Fitted, Model, labels_of, most_frequent};
use crate::features::{Features, Target};

pub(super) const ENTRY: Model = Model {
    name: "svm",
    summary: "a linear support vector machine, C = 1",
    made_by: "ours",
    labels: Some(|features, target, seed| Box::new(Svm::fit(features, target, seed, 60, 1e-2))),
    numbers: None,
};

/// A trained machine.
pub struct Svm {
    layout: Layout,
    /// For each label that is told from the rest, the weights and the constant.
    planes: Vec<(u32, Vec<f64>)>,
    /// The label of most rows, where only one occurs.
    usual: u32,
    size: usize,
}

impl Svm {
    /// Learns from rows, in at most `passes` over them, until no multiplier is off by `tolerance`.
    pub fn fit(
        features: &Features,
        target: &Target,
        seed: u64,
        passes: usize,
        tolerance: f64,
    ) -> Svm {
        let (labels, size) = labels_of(target);
        let layout = Layout::of(features);
        let rows = layout.apply(features);
        let mut present: Vec<u32> = (0..size as u32)
            .filter(|label| labels.contains(label))
            .collect();
        if present.len() == 2 {
            present.remove(0);
        }
        let solve = |label: &u32| {
            let plane = plane(&rows, labels, *label, seed, passes, tolerance);
            (*label, plane)
        };
        let planes = match present.len() == 1 && labels.iter().all(|label| *label == present[0]) {
            true => Vec::new(),
            false => present.par_iter().map(solve).collect(),
        };
        Svm {
            usual: match planes.as_slice() {
                // Of two labels, the other one.
                [(one, _)] => *labels.iter().find(|label| *label != one).unwrap_or(one),
                _ => most_frequent(labels, size),
            },
            layout,
            planes,
            size,
        }
    }

    /// The weights and the constant of each label that is told from the rest.
    pub fn planes(&self) -> &[(u32, Vec<f64>)] {
        &self.planes
    }
}

/// The plane with these rows of one label on its upper side.
fn plane(
    rows: &Sparse,
    labels: &[u32],
    label: u32,
    seed: u64,
    passes: usize,
    tolerance: f64,
) -> Vec<f64> {
    const C: f64 = 1.0;
    let constant = rows.width;
    let mut weights = vec![0.0; rows.width + 1];
    let mut multipliers = vec![0.0f64; rows.rows()];
    let norms: Vec<f64> = (0..rows.rows())
        .map(|row| 1.0 + rows.row(row).iter().map(|(_, v)| v * v).sum::<f64>())
        .collect();
    let mut order: Vec<u32> = (0..rows.rows() as u32).collect();
    let mut random = Random::stream(seed, u64::from(label));
    for _ in 0..passes {
        for place in (1..order.len()).rev() {
            order.swap(place, random.below(place as u64 + 1) as usize);
        }
        let mut worst = 0.0f64;
        for row in &order {
            let row = *row as usize;
            let side = if labels[row] == label { 1.0 } else { -1.0 };
            let gradient = side * (rows.times(row, &weights) + weights[constant]) - 1.0;
            let old = multipliers[row];
            let off = match old {
                0.0 => gradient.min(0.0),
                C => gradient.max(0.0),
                _ => gradient,
            };
            worst = worst.max(off.abs());
            if off != 0.0 {
                let new = (old - gradient / norms[row]).clamp(0.0, C);
                multipliers[row] = new;
                let step = (new - old) * side;
                for (at, value) in rows.row(row) {
                    weights[*at as usize] += step * value;
                }
                weights[constant] += step;
            }
        }
        if worst < tolerance {
            break;
        }
    }
    weights
}

impl Fitted for Svm {
    fn predict(&self, features: &Features) -> Target {
        let rows = self.layout.apply(features);
        let score = |row: usize, plane: &[f64]| rows.times(row, plane) + plane[rows.width];
        let label = |row: usize| match self.planes.as_slice() {
            [] => self.usual,
            [(label, plane)] if score(row, plane) > 0.0 => *label,
            [_] => self.usual,
            several => {
                let scores = several
                    .iter()
                    .map(|(label, plane)| (score(row, plane), *label));
                // Of equally sure ones the first.
                let best = scores.reduce(|best, next| if next.0 > best.0 { next } else { best });
                best.map_or(self.usual, |(_, label)| label)
            }
        };
        Target::Labels {
            codes: (0..features.rows).map(label).collect(),
            size: self.size,
        }
    }
}
