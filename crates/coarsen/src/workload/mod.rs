//! What a release is meant for: columns to be predicted, and selections to be made (seed 001,
//! section 3).

mod costs;
mod lex;
mod parse;
mod selection;

#[cfg(test)]
mod tests;

pub use costs::CostMatrix;
pub use lex::Operator;
pub use parse::{Comparison, Form, Literal, Test, parse};
pub use selection::{Selection, SelectionError, bind};

use crate::counts::Tally;
use crate::domain::{Attribute, Code};
use crate::policy::{Policy, Role};

/// Targets and selections, tied to the columns of a problem.
#[derive(Clone, Debug, Default)]
pub struct Workload {
    /// The columns to be predicted.
    pub targets: Vec<Target>,
    /// The queries to be asked.
    pub selections: Vec<Selection>,
    /// How the regression loss measures the spread of numbers.
    pub dispersion: Dispersion,
}

/// A column to be predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its place among the tallied columns.
    pub tally: usize,
    /// How much it counts.
    pub weight: f64,
    /// Whether it is a quantity rather than a category.
    pub numeric: bool,
    /// What it costs to take one label for another, for the classification metric; 1 for any two
    /// where absent.
    pub costs: Option<CostMatrix>,
}

/// How the spread of numbers is measured (seed 000, section 3). A policy does not set it, a caller of
/// the library may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dispersion {
    /// By the squared deviation from the mean.
    #[default]
    Variance,
    /// By the absolute deviation from the median, which outliers move less.
    AbsoluteDeviation,
}

/// What is wrong with a workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// A target that nobody counted.
    #[error("the target `{column}` is not among the table's counted columns")]
    NotTallied {
        /// The target.
        column: String,
    },
    /// A cost for a label that the target does not have.
    #[error("`{column}` has no value `{label}`, for which its costs are given")]
    NoSuchLabel {
        /// The target.
        column: String,
        /// Its place in the policy's list, from 0.
        place: usize,
        /// The label.
        label: String,
        /// Those that it has.
        labels: Vec<String>,
    },
    /// Costs of labels for a column of numbers.
    #[error("`{column}` is a column of numbers, which are not taken for one another")]
    CostsOfNumbers {
        /// The target.
        column: String,
        /// Its place in the policy's list, from 0.
        place: usize,
    },
    /// A selection that cannot be read or does not fit the columns.
    #[error("workload.selections[{place}]: {error}")]
    Selection {
        /// Its place in the policy's list, from 0.
        place: usize,
        /// Its text, which the error's range points into.
        text: String,
        /// What is wrong with it, and where.
        #[source]
        error: SelectionError,
    },
}

impl Workload {
    /// Ties a policy's workload to a table: every column with the role of a target, with the weight
    /// the policy gives it (1 where it gives none), and every selection.
    ///
    /// # Errors
    /// The first selection that does not hold, or a target without a tally.
    pub fn build(
        policy: &Policy,
        attributes: &[Attribute],
        tallies: &[Tally],
    ) -> Result<Workload, WorkloadError> {
        let mut targets = Vec::new();
        for (column, _) in policy.columns_with(Role::Target) {
            let tally = tallies
                .iter()
                .position(|tally| tally.column().name == column)
                .ok_or_else(|| WorkloadError::NotTallied {
                    column: column.to_string(),
                })?;
            let stated = policy
                .workload
                .targets
                .iter()
                .find(|target| target.column == column);
            let domain = &tallies[tally].column().domain;
            let costs = stated.filter(|target| !target.costs.is_empty());
            targets.push(Target {
                tally,
                weight: stated.map_or(1.0, |target| target.weight),
                numeric: domain.kind().is_ordered(),
                costs: costs.and_then(|target| CostMatrix::of_labels(&target.costs, domain)),
            });
        }
        let mut selections = Vec::new();
        for (place, text) in policy.workload.selections.iter().enumerate() {
            let selection = bind(text, attributes).map_err(|error| WorkloadError::Selection {
                place,
                text: text.clone(),
                error,
            })?;
            selections.push(selection);
        }
        Ok(Workload {
            targets,
            selections,
            dispersion: Dispersion::default(),
        })
    }

    /// Checks that the costs of a policy speak of labels that the targets have. A later table may lack
    /// some, which costs nothing; so this is asked where a release is made, not where one is repeated.
    ///
    /// # Errors
    /// The first label that its target does not have, or costs for numbers.
    pub fn check_costs(policy: &Policy, tallies: &[Tally]) -> Result<(), WorkloadError> {
        for (place, target) in policy.workload.targets.iter().enumerate() {
            let column = || target.column.clone();
            let tally = tallies
                .iter()
                .find(|tally| tally.column().name == target.column);
            let (Some(tally), false) = (tally, target.costs.is_empty()) else {
                continue;
            };
            let domain = &tally.column().domain;
            if domain.kind().is_ordered() {
                return Err(WorkloadError::CostsOfNumbers {
                    column: column(),
                    place,
                });
            }
            let labels: Vec<String> = (0..domain.size() as Code)
                .map(|code| domain.text(code))
                .collect();
            let asked = target.costs.iter();
            let mut asked = asked.flat_map(|(label, row)| [label].into_iter().chain(row.keys()));
            if let Some(label) = asked.find(|label| !labels.contains(label)) {
                return Err(WorkloadError::NoSuchLabel {
                    column: column(),
                    place,
                    label: label.clone(),
                    labels,
                });
            }
        }
        Ok(())
    }

    /// The targets that are categories.
    pub fn categories(&self) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(|target| !target.numeric)
    }

    /// The targets that are quantities.
    pub fn quantities(&self) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(|target| target.numeric)
    }
}
