//! Entropy l-diversity: the sensitive values of every class are as mixed as l equally frequent ones
//! (seed 001, section 2.1, after Machanavajjhala et al. 2006, definition 4.1).
//!
//! The figure that is measured is the *effective* l, the exponential of the entropy: 3.0 for three
//! equally frequent values, less where one of them prevails. A missing value counts as a value like
//! any other.

use super::{Requirement, RequirementEntry, Requirements, TOLERANCE, tally_of};
use crate::counts::{Class, Tally, TallyView};
use crate::policy::{DiversityMeasure, Policy};
use crate::problem::ProblemError;

/// Every class has an effective l of at least `l`.
#[derive(Clone, Debug)]
struct Entropy {
    column: String,
    tally: usize,
    l: f64,
}

pub(super) const ENTRY: RequirementEntry = RequirementEntry {
    name: "entropy",
    summary: "the sensitive values of every class are as mixed as l equally frequent ones",
    formula: "−Σ p(s|E) ln p(s|E) ≥ ln l",
    policy: "diversity = [{ column = \"disease\", entropy = 3.0 }]",
    source: "Machanavajjhala et al. 2006, definition 4.1; LeFevre et al. 2006, section 2.1",
    build,
};

fn build(policy: &Policy, tallies: &[Tally]) -> Requirements {
    let mut built: Vec<Box<dyn Requirement>> = Vec::new();
    for diversity in &policy.privacy.diversity {
        if let DiversityMeasure::Entropy { l } = diversity.measure {
            built.push(Box::new(Entropy {
                column: diversity.column.clone(),
                tally: tally_of(tallies, &diversity.column),
                l,
            }));
        }
    }
    Ok(built)
}

/// The number of equally frequent values that would be as mixed as these: exp(entropy), 0 for none.
pub fn effective_l(values: TallyView<'_>) -> f64 {
    let total = values.total() as f64;
    if total == 0.0 {
        return 0.0;
    }
    // −Σ (c/n) ln (c/n) = ln n − Σ c ln c / n
    let weighed: f64 = values
        .rows
        .iter()
        .filter(|rows| **rows > 0)
        .map(|rows| *rows as f64 * (*rows as f64).ln())
        .sum();
    (total.ln() - weighed / total).exp()
}

impl Requirement for Entropy {
    fn text(&self) -> String {
        format!("entropy {}-diversity of `{}`", self.l, self.column)
    }

    fn holds(&self, class: &Class<'_>, _: &Class<'_>) -> bool {
        effective_l(class.tally(self.tally)) >= self.l * (1.0 - TOLERANCE)
    }

    fn possible(&self, whole: &Class<'_>) -> Result<(), ProblemError> {
        if self.holds(whole, whole) {
            return Ok(());
        }
        // Rounded down: the figure that is named can be asked for.
        let most = (effective_l(whole.tally(self.tally)) * 100.0).floor() / 100.0;
        Err(ProblemError::Impossible {
            requirement: self.text(),
            reason: format!("the table's own entropy allows at most l = {most:.2}"),
        })
    }
}
