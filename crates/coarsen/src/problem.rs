//! What is to be solved: counts, requirements, loss, suppression and workload, already checked.
//!
//! A [`Problem`] that cannot be solved by any release is not built.

use std::sync::Arc;

use crate::counts::{Class, Classes, Counts};
use crate::domain::Attribute;
use crate::loss::LossEntry;
use crate::policy::SuppressionMode;
use crate::privacy::Requirement;
use crate::workload::Workload;

/// A checked problem; see [`Problem::new`].
#[derive(Debug)]
pub struct Problem {
    /// The quasi-identifiers.
    pub attributes: Vec<Attribute>,
    /// The frequency list over them.
    pub counts: Arc<Counts>,
    /// What every class of the release must satisfy.
    pub requirements: Vec<Box<dyn Requirement>>,
    /// How many rows may be suppressed, and what becomes of them.
    pub suppression: Allowance,
    /// What the search should lose least of.
    pub loss: &'static LossEntry,
    /// What the release is meant for.
    pub workload: Workload,
}

/// How many rows may be suppressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// At most this many.
    pub rows: u64,
    /// Dropped, or kept with `*` in every quasi-identifier.
    pub mode: SuppressionMode,
}

impl Allowance {
    /// The allowance of a share of `total` rows, rounded down.
    ///
    /// The tiny addition keeps a share such as 0.29 of 100 rows, which floating point puts just
    /// below 29, at 29.
    pub fn of_share(share: f64, total: u64, mode: SuppressionMode) -> Self {
        Allowance {
            rows: (share * total as f64 + 1e-9).floor() as u64,
            mode,
        }
    }
}

/// Why a problem has no solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// There is nothing to release.
    #[error("the table has no rows")]
    Empty,
    /// There is nothing to protect.
    #[error(
        "no column is a quasi-identifier; give at least one column role = \"quasi-identifier\""
    )]
    NoQuasiIdentifier,
    /// k is larger than the table.
    #[error(
        "k = {k} is larger than the table, which has {rows} rows; choose a k of at most {rows}"
    )]
    TooFewRows {
        /// The k asked for.
        k: u64,
        /// The rows there are.
        rows: u64,
    },
    /// The whole table as one class does not satisfy a requirement, so nothing finer can.
    #[error("{requirement} cannot be met by any release: {reason}")]
    Impossible {
        /// The requirement, in words.
        requirement: String,
        /// The table's own figure.
        reason: String,
    },
    /// A requirement cannot be asked of a column.
    #[error("the requirement `{requirement}` does not fit column `{column}`: {reason}")]
    Unfit {
        /// The requirement's name.
        requirement: &'static str,
        /// The column.
        column: String,
        /// Why, and what to do.
        reason: String,
    },
    /// The loss does not apply to this problem.
    #[error("the loss `{loss}` does not apply here: {reason}")]
    NoSuchLoss {
        /// The loss.
        loss: &'static str,
        /// What it needs.
        reason: String,
    },
}

impl Problem {
    /// Checks that a solution exists: suppressing every cell must satisfy all requirements, unless
    /// rows may be dropped too.
    pub fn new(
        attributes: Vec<Attribute>,
        counts: impl Into<Arc<Counts>>,
        requirements: Vec<Box<dyn Requirement>>,
        suppression: Allowance,
        loss: &'static LossEntry,
        workload: Workload,
    ) -> Result<Self, ProblemError> {
        let counts = counts.into();
        if counts.total() == 0 {
            return Err(ProblemError::Empty);
        }
        if attributes.is_empty() {
            return Err(ProblemError::NoQuasiIdentifier);
        }
        let tallies: Vec<_> = counts.tallies().iter().map(|tally| tally.whole()).collect();
        let whole = Class::alone(counts.total(), &tallies);
        // Rows that are dropped may be just those that the whole table fails by.
        let may_drop = suppression.rows > 0 && suppression.mode == SuppressionMode::Drop;
        for requirement in &requirements {
            match requirement.possible(&whole) {
                Err(ProblemError::Impossible { .. }) if may_drop => {}
                checked => checked?,
            }
        }
        if let Some(reason) = loss.loss.unfit(&workload) {
            return Err(ProblemError::NoSuchLoss {
                loss: loss.name,
                reason,
            });
        }
        Ok(Problem {
            attributes,
            counts,
            requirements,
            suppression,
            loss,
            workload,
        })
    }

    /// Whether a class satisfies every requirement in a table that is released as `whole`.
    pub fn holds(&self, class: &Class<'_>, whole: &Class<'_>) -> bool {
        self.requirements
            .iter()
            .all(|requirement| requirement.holds(class, whole))
    }

    /// The smallest class that the requirements ask for.
    pub fn k(&self) -> u64 {
        self.requirements
            .iter()
            .filter_map(|requirement| requirement.k())
            .max()
            .unwrap_or(1)
    }

    /// The cost of classes under this problem's loss; infinite where it does not apply.
    pub fn cost(&self, classes: &Classes) -> f64 {
        self.loss.loss.cost(self, classes).unwrap_or(f64::INFINITY)
    }
}
