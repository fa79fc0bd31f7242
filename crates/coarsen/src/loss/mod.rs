//! Losses: what a recoding costs. One file a loss, one line in [`LOSSES`].
//!
//! A loss is minimized. Most are shown as they are; Prec is shown as 1 less its cost.

mod average_class_size;
mod cm;
mod conditional_entropy;
mod dm;
mod hdm;
mod imprecision;
mod lm;
mod prec;
mod regression;

pub use average_class_size::{average_class_size, normalized_average_class_size};
pub use imprecision::returned;
pub use lm::lm_sum;

use std::fmt::Debug;

use crate::counts::Classes;
use crate::domain::Block;
use crate::problem::Problem;
use crate::workload::{Target, Workload};

/// A cost of a recoding.
pub trait Loss: Debug + Send + Sync {
    /// The cost of these classes; `None` where the loss does not apply to them.
    fn cost(&self, problem: &Problem, classes: &Classes) -> Option<f64>;

    /// The figure that is shown for a cost.
    fn shown(&self, cost: f64) -> f64 {
        cost
    }

    /// The cost of one released cell, where the loss is the (weighted) mean over columns of the mean
    /// over rows of such costs, a suppressed row costing 1 in each: what a search can bound.
    fn of_cell(&self, block: &Block) -> Option<f64> {
        let _ = block;
        None
    }

    /// What a workload lacks for this loss to be computed at all, in words.
    fn unfit(&self, workload: &Workload) -> Option<String> {
        let _ = workload;
        None
    }
}

/// An entry of the table of losses.
#[derive(Debug)]
pub struct LossEntry {
    /// Its name, as in the policy; in JSON with underscores.
    pub name: &'static str,
    /// What it measures, in a sentence.
    pub summary: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether the cost of a release is the sum of its classes' costs.
    pub additive: bool,
    /// The loss itself.
    pub loss: &'static dyn Loss,
}

/// Every loss there is.
pub static LOSSES: &[LossEntry] = &[
    prec::ENTRY,
    lm::ENTRY,
    cm::ENTRY,
    regression::ENTRY,
    dm::ENTRY,
    hdm::ENTRY,
    average_class_size::ENTRY,
    conditional_entropy::ENTRY,
    imprecision::ENTRY,
];

/// The loss of a name.
pub fn find(name: &str) -> Option<&'static LossEntry> {
    LOSSES.iter().find(|entry| entry.name == name)
}

/// Every loss that applies, by name, as it is shown; `None` where one does not apply.
pub fn all(problem: &Problem, classes: &Classes) -> Vec<(&'static LossEntry, Option<f64>)> {
    LOSSES
        .iter()
        .map(|entry| {
            let cost = entry.loss.cost(problem, classes);
            (entry, cost.map(|cost| entry.loss.shown(cost)))
        })
        .collect()
}

/// The weighted mean over columns of the mean over rows of a cost per released block; a suppressed
/// row costs 1 in every column. `None` where some block has no such cost.
fn mean_block_cost(
    problem: &Problem,
    classes: &Classes,
    cost: impl Fn(&Block) -> Option<f64>,
) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (place, attribute) in problem.attributes.iter().enumerate() {
        sum += attribute.settings.weight * column_cost(problem, classes, place, &cost)?;
        weights += attribute.settings.weight;
    }
    (weights > 0.0).then(|| sum / weights)
}

/// The mean over rows of a cost per released block of one column.
fn column_cost(
    problem: &Problem,
    classes: &Classes,
    place: usize,
    cost: impl Fn(&Block) -> Option<f64>,
) -> Option<f64> {
    let mut column = classes.suppressed_rows() as f64;
    for (block, rows) in classes
        .blocks(place)
        .iter()
        .zip(classes.rows_of_blocks(place))
    {
        if rows > 0 {
            column += cost(block)? * rows as f64;
        }
    }
    Some(column / problem.counts.total() as f64)
}

/// The mean of a cost over targets, by their weights; `None` where there is no target to weigh.
fn mean_of_targets<'a>(
    targets: impl Iterator<Item = &'a Target>,
    cost: impl Fn(&Target) -> f64,
) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for target in targets {
        sum += target.weight * cost(target);
        weights += target.weight;
    }
    (weights > 0.0).then(|| sum / weights)
}

/// What a workload without a label to predict lacks.
fn needs_category(workload: &Workload) -> Option<String> {
    let fits = workload.categories().next().is_some();
    (!fits).then(|| {
        "it needs a target of categories, not numbers; give such a column role = \"target\""
            .to_string()
    })
}
