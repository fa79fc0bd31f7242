//! Squared-error diversity: the numbers of a sensitive column lie far enough apart in every class
//! (seed 001, section 2.1).
//!
//! The paper does not speak of missing values. A missing value is no number: it adds nothing to the
//! sum, so that a class of missing values alone is not diverse.

use super::{Requirement, RequirementEntry, Requirements, TOLERANCE, tally_of};
use crate::counts::{Class, Tally, TallyView};
use crate::domain::{Domain, Value};
use crate::policy::{DiversityMeasure, Policy};
use crate::problem::ProblemError;

/// In every class, the squared distances of a column's numbers from their mean add up to `error`.
#[derive(Clone, Debug)]
struct SquaredError {
    column: String,
    tally: usize,
    domain: Domain,
    error: f64,
}

pub(super) const ENTRY: RequirementEntry = RequirementEntry {
    name: "squared_error",
    summary: "in every class, the squared distances of the sensitive numbers from their mean add up to at least the given error",
    formula: "Σ (s_i − mean(E))² ≥ error",
    policy: "diversity = [{ column = \"salary\", squared_error = 100.0 }]",
    source: "LeFevre et al. 2006, section 2.1",
    build,
};

fn build(policy: &Policy, tallies: &[Tally]) -> Requirements {
    let mut built: Vec<Box<dyn Requirement>> = Vec::new();
    for diversity in &policy.privacy.diversity {
        if let DiversityMeasure::SquaredError { error } = diversity.measure {
            let tally = tally_of(tallies, &diversity.column);
            let domain = &tallies[tally].column().domain;
            let reason = if !domain.kind().is_ordered() {
                format!(
                    "it needs numbers or dates, and the column is {}; ask for distinct, entropy or recursive diversity instead",
                    domain.kind()
                )
            } else if domain.is_binned() {
                // A bin hides how far apart its values are; taking them for their middle could let a
                // class pass that is not diverse.
                "the column's values were counted in ranges, not one by one".to_string()
            } else {
                built.push(Box::new(SquaredError {
                    column: diversity.column.clone(),
                    tally,
                    domain: domain.clone(),
                    error,
                }));
                continue;
            };
            return Err(ProblemError::Unfit {
                requirement: ENTRY.name,
                column: diversity.column.clone(),
                reason,
            });
        }
    }
    Ok(built)
}

/// The sum of squared distances of the numbers from their mean; a date counts in days, and what is
/// no number counts nothing.
pub fn squared_error(values: TallyView<'_>, domain: &Domain) -> f64 {
    let numbers = || {
        values.iter().filter_map(|(code, rows)| {
            Some((domain.low(code).and_then(Value::number)?, rows as f64))
        })
    };
    let total: f64 = numbers().map(|(_, rows)| rows).sum();
    if total == 0.0 {
        return 0.0;
    }
    let mean = numbers().map(|(x, rows)| x * rows).sum::<f64>() / total;
    numbers().map(|(x, rows)| rows * (x - mean).powi(2)).sum()
}

impl Requirement for SquaredError {
    fn text(&self) -> String {
        format!(
            "squared-error diversity of `{}` of at least {}",
            self.column, self.error
        )
    }

    fn holds(&self, class: &Class<'_>, _: &Class<'_>) -> bool {
        squared_error(class.tally(self.tally), &self.domain) >= self.error * (1.0 - TOLERANCE)
    }

    fn possible(&self, whole: &Class<'_>) -> Result<(), ProblemError> {
        if self.holds(whole, whole) {
            return Ok(());
        }
        let most = squared_error(whole.tally(self.tally), &self.domain);
        Err(ProblemError::Impossible {
            requirement: self.text(),
            reason: format!("the squared error of the whole table is {most:.6}"),
        })
    }
}
