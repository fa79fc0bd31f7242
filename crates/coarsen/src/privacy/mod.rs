//! Requirements: conditions that every class of a release must satisfy. One file a requirement, one
//! line in [`REQUIREMENTS`].

mod closeness;
mod distinct;
mod enforce;
mod entropy;
mod k_anonymity;
mod narrower;
mod recursive;
mod squared_error;

#[cfg(test)]
mod tests;

pub use enforce::enforce;
pub use narrower::narrower;
pub(crate) use narrower::short_over;

use std::fmt::Debug;

use crate::counts::{Class, Tally};
use crate::policy::Policy;
use crate::problem::ProblemError;

/// A condition on every class.
pub trait Requirement: Debug + Send + Sync {
    /// The requirement with its figures, in words: what every class must have.
    fn text(&self) -> String;

    /// Whether the class satisfies it, in a table whose released rows together are `whole`.
    fn holds(&self, class: &Class<'_>, whole: &Class<'_>) -> bool;

    /// Whether two classes that satisfy it always do so as one. All of ours are.
    fn monotone(&self) -> bool {
        true
    }

    /// Refuses what not even the whole table as one class satisfies, with the table's own figure.
    fn possible(&self, whole: &Class<'_>) -> Result<(), ProblemError>;

    /// The number of rows it asks of a class, where it asks for one.
    fn k(&self) -> Option<u64> {
        None
    }

    /// Whether it compares a class with the whole release.
    fn compares(&self) -> bool {
        false
    }

    /// Where it speaks of some quasi-identifiers only: their places, and how many rows must share their
    /// values in these. Classes that are alike in them count together.
    fn over(&self) -> Option<(&[usize], u64)> {
        None
    }
}

/// Requirements built from a policy, or the first that does not fit its column.
pub type Requirements = Result<Vec<Box<dyn Requirement>>, ProblemError>;

/// An entry of the table of requirements.
pub struct RequirementEntry {
    /// Its name, as in the policy.
    pub name: &'static str,
    /// What it demands of a class, in a sentence.
    pub summary: &'static str,
    /// The condition as a formula.
    pub formula: &'static str,
    /// How it is written in a policy.
    pub policy: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The requirements of this kind that a policy asks for; tallied columns are given in the order
    /// of the counts.
    pub build: fn(&Policy, &[Tally]) -> Requirements,
}

/// Every requirement there is.
pub static REQUIREMENTS: &[RequirementEntry] = &[
    k_anonymity::ENTRY,
    distinct::ENTRY,
    entropy::ENTRY,
    recursive::ENTRY,
    squared_error::ENTRY,
    closeness::ENTRY,
    narrower::ENTRY,
];

/// All requirements that a policy asks of a class; those of [`narrower`] quasi-identifiers, which speak
/// of several together, come beside them.
///
/// # Errors
/// The first that does not fit its column.
pub fn requirements(policy: &Policy, tallies: &[Tally]) -> Requirements {
    let mut all = Vec::new();
    for entry in REQUIREMENTS {
        all.extend((entry.build)(policy, tallies)?);
    }
    Ok(all)
}

/// The figures behind the requirements, for a class or for a whole table: what an audit reports.
pub mod measure {
    pub use super::closeness::{Ground, ground};
    pub use super::distinct::distinct;
    pub use super::entropy::effective_l;
    pub use super::recursive::recursive_c;
    pub use super::squared_error::squared_error;
}

/// How far, as a share, floating point may put a figure on the wrong side of its border: a class
/// with exactly l equally frequent values satisfies entropy l-diversity.
const TOLERANCE: f64 = 1e-9;

/// The place of a column among the tallies.
fn tally_of(tallies: &[Tally], column: &str) -> usize {
    tallies
        .iter()
        .position(|tally| tally.column().name == column)
        .expect("the policy's check ties every requirement to a sensitive column, and those are tallied")
}
