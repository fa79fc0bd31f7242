//! Why a release is as coarse as it is: for each column, which class would break if the column told
//! more, and which requirement it would break; and why rows were suppressed (seed 002's k-minimal
//! generalization, turned into words).
//!
//! A column that stands at a level of its hierarchy is tried one level lower; any other is tried with
//! its values as they are. Each part that a class would fall into is held against every requirement,
//! beside the whole as it is released. Only released labels are named: what a class would break into is
//! counted, not shown.

mod parts;
mod words;

use rayon::prelude::*;
use serde::Serialize;

use self::parts::Trial;
use crate::counts::{Class, Classes};
use crate::policy::SuppressionMode;
use crate::problem::Problem;
use crate::recoding::Recoding;
use crate::search::Outcome;

/// Why a release looks as it does.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// Each quasi-identifier.
    pub columns: Vec<Reason>,
    /// The rows that were suppressed.
    pub suppression: SuppressionReason,
}

/// Why a column is released as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The column.
    pub column: String,
    /// Its level, where the whole column stands at one.
    pub level: Option<usize>,
    /// The highest level.
    pub height: usize,
    /// Released rows that would fall short if it told more.
    pub short_rows: u64,
    /// Released classes that would break.
    pub broken_classes: u64,
    /// What they would break.
    pub broken: Vec<Broken>,
    /// The class that would leave the fewest rows alone: its released labels.
    pub class: Vec<String>,
    /// The fewest rows that it would leave alone.
    pub smallest: u64,
    /// All of it in words.
    pub text: String,
}

/// A requirement that rows fall short of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// The requirement, in words.
    pub requirement: String,
    /// The rows that fall short of it; a row may fall short of several.
    pub rows: u64,
}

/// Why rows were suppressed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuppressionReason {
    /// How many.
    pub rows: u64,
    /// In how many classes.
    pub classes: u64,
    /// Those among them that no other row is like, even as generalized.
    pub unique_rows: u64,
    /// What they fall short of.
    pub broken: Vec<Broken>,
    /// All of it in words.
    pub text: String,
}

impl Outcome {
    /// Why the release that this outcome makes looks as it does. `classes` are its classes after
    /// suppression.
    pub fn explain(&self, problem: &Problem, classes: &Classes) -> Explanation {
        explain(problem, Some(&self.recoding), classes)
    }
}

/// Explains a release: its recoding, where it is at hand, and its classes after suppression.
pub fn explain(problem: &Problem, recoding: Option<&Recoding>, classes: &Classes) -> Explanation {
    let (rows, tallies) = match problem.suppression.mode {
        SuppressionMode::Drop => {
            let rows = problem.counts.total() - classes.suppressed_rows();
            (rows, classes.tally_released())
        }
        SuppressionMode::Mask => {
            let tallies = problem.counts.tallies().iter();
            (problem.counts.total(), tallies.map(|t| t.whole()).collect())
        }
    };
    let whole = Class::alone(rows, &tallies);
    let of_column = |column: usize| {
        let trial = Trial::of(problem, recoding, classes, &whole, column);
        words::reason(problem, classes, column, trial)
    };
    Explanation {
        columns: (0..problem.attributes.len())
            .into_par_iter()
            .map(of_column)
            .collect(),
        suppression: words::suppression(problem, classes, &whole),
    }
}
