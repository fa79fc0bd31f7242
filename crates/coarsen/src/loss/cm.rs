//! CM, Iyengar's classification metric (seed 000, section 3): the share of rows whose label is not
//! the majority's in their class, or that are suppressed.
//!
//! With a cost matrix a row costs what it costs to take it for the majority, and the suppressed rows
//! are a class of their own, as the paper suggests for that case. Equal majorities: the label that
//! comes first in the column's order. Several targets: their weighted mean.

use super::{Loss, LossEntry, mean_of_targets};
use crate::counts::{Classes, TallyView};
use crate::problem::Problem;
use crate::workload::{CostMatrix, Workload};

#[derive(Debug)]
struct Cm;

pub(super) const ENTRY: LossEntry = LossEntry {
    name: "cm",
    summary: "the share of rows that are suppressed or whose target label is not their class's majority",
    formula: "(rows suppressed or not in the majority of their class) / N",
    source: "Iyengar 2002, section 3, equations 1 and 2",
    additive: true,
    loss: &Cm,
};

impl Loss for Cm {
    fn cost(&self, problem: &Problem, classes: &Classes) -> Option<f64> {
        mean_of_targets(problem.workload.categories(), |target| {
            let minority = |labels: TallyView<'_>| labels.total() - most(labels);
            let lost: f64 = match &target.costs {
                None => {
                    let released = classes.released().map(|class| classes.class(class));
                    let wrong: u64 = released
                        .map(|class| minority(class.tally(target.tally)))
                        .sum();
                    (wrong + classes.suppressed_rows()) as f64
                }
                Some(costs) => {
                    let (_, suppressed) = classes.pool();
                    let released = classes.released().map(|class| classes.class(class));
                    released
                        .map(|class| taken(class.tally(target.tally), costs))
                        .sum::<f64>()
                        + taken(suppressed[target.tally].of(0), costs)
                }
            };
            lost / problem.counts.total() as f64
        })
    }

    fn unfit(&self, workload: &Workload) -> Option<String> {
        super::needs_category(workload)
    }
}

fn most(labels: TallyView<'_>) -> u64 {
    labels.rows.iter().copied().max().unwrap_or(0)
}

/// What it costs to take all these rows for their majority.
fn taken(labels: TallyView<'_>, costs: &CostMatrix) -> f64 {
    let most = most(labels);
    let Some((majority, _)) = labels.iter().find(|(_, rows)| *rows == most) else {
        return 0.0;
    };
    labels
        .iter()
        .map(|(label, rows)| rows as f64 * costs.cost(label, majority))
        .sum()
}
