//! The average size of a released class (seed 001, section 4.1).
//!
//! Suppressed rows are in no class. Where everything is suppressed there is no average. The smallest
//! average a requirement allows is k, so the figure is often given as a multiple of it.

use super::{Loss, LossEntry};
use crate::counts::Classes;
use crate::problem::Problem;

#[derive(Debug)]
struct AverageClassSize;

pub(super) const ENTRY: LossEntry = LossEntry {
    name: "average-class-size",
    summary: "how many released rows share a class, on average",
    formula: "released rows / released classes",
    source: "LeFevre et al. 2006, section 4.1",
    additive: false,
    loss: &AverageClassSize,
};

impl Loss for AverageClassSize {
    fn cost(&self, _: &Problem, classes: &Classes) -> Option<f64> {
        average_class_size(classes)
    }
}

/// Released rows over released classes; `None` where nothing is released.
pub fn average_class_size(classes: &Classes) -> Option<f64> {
    let (mut rows, mut count) = (0u64, 0u64);
    for class in classes.released() {
        rows += classes.rows()[class];
        count += 1;
    }
    (count > 0).then(|| rows as f64 / count as f64)
}

/// The average class as a multiple of k, the smallest class allowed: 1 is the best there is.
pub fn normalized_average_class_size(problem: &Problem, classes: &Classes) -> Option<f64> {
    Some(average_class_size(classes)? / problem.k() as f64)
}
