//! k-anonymity: every class has at least k rows (seed 002, definition 2).

use super::{Requirement, RequirementEntry, Requirements};
use crate::counts::{Class, Tally};
use crate::policy::Policy;
use crate::problem::ProblemError;

/// Every class has at least `k` rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct KAnonymity {
    k: u64,
}

pub(super) const ENTRY: RequirementEntry = RequirementEntry {
    name: "k",
    summary: "every released row shares its quasi-identifier with at least k - 1 others",
    formula: "|E| ≥ k",
    policy: "k = 10",
    source: "Sweeney 2002, definition 2",
    build,
};

fn build(policy: &Policy, _: &[Tally]) -> Requirements {
    Ok(vec![Box::new(KAnonymity {
        k: policy.privacy.k,
    })])
}

impl Requirement for KAnonymity {
    fn text(&self) -> String {
        format!("{}-anonymity", self.k)
    }

    fn holds(&self, class: &Class<'_>, _: &Class<'_>) -> bool {
        class.rows >= self.k
    }

    fn possible(&self, whole: &Class<'_>) -> Result<(), ProblemError> {
        if whole.rows < self.k {
            return Err(ProblemError::TooFewRows {
                k: self.k,
                rows: whole.rows,
            });
        }
        Ok(())
    }

    fn k(&self) -> Option<u64> {
        Some(self.k)
    }
}
