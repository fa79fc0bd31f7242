//! Conditional entropy (seed 001, section 4.1, equation 7): how uncertain the target's label is, in bits, to one
//! who knows a row's class.
//!
//! The suppressed rows are one class of their own, of which nothing is known. Several targets: their
//! weighted mean.

use super::{Loss, LossEntry, mean_of_targets};
use crate::counts::{Classes, TallyView};
use crate::problem::Problem;
use crate::workload::Workload;

#[derive(Debug)]
struct ConditionalEntropy;

pub(super) const ENTRY: LossEntry = LossEntry {
    name: "conditional-entropy",
    summary: "how uncertain the target's label is, in bits, to one who knows a row's class",
    formula: "Σ_E |E|/N · H(C|E), by logarithms to base 2",
    source: "LeFevre et al. 2006, section 4.1, equation 7",
    // The suppressed rows' part is no sum over the classes that were suppressed.
    additive: false,
    loss: &ConditionalEntropy,
};

impl Loss for ConditionalEntropy {
    fn cost(&self, problem: &Problem, classes: &Classes) -> Option<f64> {
        let (_, pool) = classes.pool();
        mean_of_targets(problem.workload.categories(), |target| {
            let released = classes
                .released()
                .map(|class| bits(classes.class(class).tally(target.tally)));
            let all = released.sum::<f64>() + bits(pool[target.tally].of(0));
            all / problem.counts.total() as f64
        })
    }

    fn unfit(&self, workload: &Workload) -> Option<String> {
        super::needs_category(workload)
    }
}

/// Rows times entropy: Σ c log₂ (n / c).
fn bits(labels: TallyView<'_>) -> f64 {
    let total = labels.total() as f64;
    let each = labels
        .rows
        .iter()
        .filter(|rows| **rows > 0)
        .map(|rows| *rows as f64);
    each.map(|rows| rows * (total / rows).log2()).sum()
}
