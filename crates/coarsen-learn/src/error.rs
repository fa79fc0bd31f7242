//! Why an evaluation has no figure.

use coarsen::domain::hierarchy::BuildError;
use coarsen::policy::PolicyError;
use coarsen::problem::ProblemError;
use coarsen::search::SearchError;
use coarsen::workload::{SelectionError, WorkloadError};

/// Why an evaluation has no figure.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// What was asked for cannot be had from this table; `help` says what to do.
    #[error("{message}")]
    Unfit {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
    /// The policy does not fit the training rows.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The training rows cannot be released under the requirements.
    #[error("on the training rows of round {round}: {error}")]
    Problem {
        /// The round, from 1.
        round: usize,
        /// Why.
        error: ProblemError,
    },
    /// The search came to nothing.
    #[error("on the training rows of round {round}: {error}")]
    Search {
        /// The round, from 1.
        round: usize,
        /// Why.
        error: SearchError,
    },
    /// A hierarchy does not fit the training rows.
    #[error(transparent)]
    Hierarchy(#[from] BuildError),
    /// The policy's workload does not fit the training rows.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// The selection that models are restricted to cannot be read.
    #[error("the selection `{text}`: {error}")]
    Selection {
        /// Its text.
        text: String,
        /// What is wrong.
        error: SelectionError,
    },
}

impl LearnError {
    /// Something that cannot be had, and what to do.
    pub fn unfit(message: impl Into<String>, help: impl Into<String>) -> Self {
        LearnError::Unfit {
            message: message.into(),
            help: help.into(),
        }
    }
}
