//! Distinct l-diversity: every class has at least l different sensitive values (Machanavajjhala et
//! al. 2006, section 3.3; the plainest reading of "well-represented" in seed 001, section 2.1).
//!
//! A missing value counts as a value like any other.

use super::{Requirement, RequirementEntry, Requirements, tally_of};
use crate::counts::{Class, Tally, TallyView};
use crate::policy::{DiversityMeasure, Policy};
use crate::problem::ProblemError;

/// Every class has at least `l` different values of a column.
#[derive(Clone, Debug)]
struct Distinct {
    column: String,
    tally: usize,
    l: u64,
}

pub(super) const ENTRY: RequirementEntry = RequirementEntry {
    name: "distinct",
    summary: "every class has at least l different values of the sensitive column",
    formula: "|{s : s in E}| ≥ l",
    policy: "diversity = [{ column = \"disease\", distinct = 3 }]",
    source: "Machanavajjhala et al. 2006, section 3.3",
    build,
};

fn build(policy: &Policy, tallies: &[Tally]) -> Requirements {
    let mut built: Vec<Box<dyn Requirement>> = Vec::new();
    for diversity in &policy.privacy.diversity {
        if let DiversityMeasure::Distinct { l } = diversity.measure {
            built.push(Box::new(Distinct {
                column: diversity.column.clone(),
                tally: tally_of(tallies, &diversity.column),
                l,
            }));
        }
    }
    Ok(built)
}

/// How many different values there are.
pub fn distinct(values: TallyView<'_>) -> u64 {
    values.rows.iter().filter(|rows| **rows > 0).count() as u64
}

impl Requirement for Distinct {
    fn text(&self) -> String {
        format!("distinct {}-diversity of `{}`", self.l, self.column)
    }

    fn holds(&self, class: &Class<'_>, _: &Class<'_>) -> bool {
        distinct(class.tally(self.tally)) >= self.l
    }

    fn possible(&self, whole: &Class<'_>) -> Result<(), ProblemError> {
        let most = distinct(whole.tally(self.tally));
        if most >= self.l {
            return Ok(());
        }
        let plural = if most == 1 { "" } else { "s" };
        Err(ProblemError::Impossible {
            requirement: self.text(),
            reason: format!(
                "`{}` has only {most} distinct value{plural} in the whole table",
                self.column
            ),
        })
    }
}
