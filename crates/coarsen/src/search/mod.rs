//! Searches: from a [`Problem`] to a [`Recoding`]. One file or folder an
//! algorithm, one line in [`ALGORITHMS`].

mod auto;
mod bottom_up;
mod datafly;
mod genetic;
mod information;
mod lattice;
mod mingen;
mod mondrian;
mod mu_argus;
mod optimal;
mod pieces;
mod question;
mod run;
mod sampled;
mod top_down;

pub use question::{Chooser, Generalizable, Outlying, Question};
pub use run::{Cancelled, Progress, Run};
pub use sampled::{SampleReport, on_sample};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::counts::{Classes, Counts, PassError, Passes};
use crate::problem::Problem;
use crate::recoding::Recoding;

/// An algorithm with its settings, ready to run.
pub trait Search: Send + Sync {
    /// Looks for a recoding that meets the problem's requirements and loses little.
    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError>;

    /// Whether it can do without all distinct combinations in memory.
    fn can_pass(&self) -> bool {
        false
    }

    /// About how many bytes it fills beside the counts, at most: what a memory limit is held against
    /// before it starts. `tests/memory.rs` holds it against what is measured.
    fn memory(&self, problem: &Problem) -> u64 {
        per_combination(problem, 200, 150)
    }

    /// Looks for one in a table that is passed over but never held. The problem then has the whole
    /// table as one combination.
    ///
    /// # Errors
    /// Most algorithms need every distinct combination, and say so.
    fn search_in_passes(
        &self,
        _problem: &Problem,
        _passes: &dyn Passes,
        _run: &Run,
    ) -> Result<(Outcome, InPasses), SearchError> {
        Err(SearchError::Unfit(
            "this algorithm needs all distinct combinations in memory".into(),
        ))
    }
}

/// What any search fills, however small the table.
const LEAST: u64 = 1 << 20;

/// So many bytes for every combination, and so many more for each of its columns.
fn per_combination(problem: &Problem, bytes: u64, of_column: u64) -> u64 {
    let columns = problem.attributes.len() as u64;
    LEAST + problem.counts.combinations() as u64 * (bytes + of_column * columns)
}

/// What a search in passes knows of the table beside its outcome.
#[derive(Debug)]
pub struct InPasses {
    /// One combination for every class, with its rows and tallies.
    pub counts: Counts,
    /// The classes.
    pub classes: Classes,
    /// The region that each class is.
    pub region_of_class: Vec<u32>,
    /// The rows that satisfy each selection.
    pub selected: Vec<u64>,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The algorithm that did the work (`auto` hands over to another).
    pub algorithm: &'static str,
    /// The recoding; suppression follows from it, see [`enforce`](crate::privacy::enforce).
    pub recoding: Recoding,
    /// Its cost under the problem's loss.
    pub cost: f64,
    /// Why it stopped.
    pub stop: Stop,
    /// A cost that no release of this kind goes below, where one was proven.
    pub bound: Option<f64>,
    /// What it did, step by step.
    pub trace: Vec<Step>,
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// No better release of its kind exists.
    Optimal,
    /// The algorithm came to its end.
    Complete,
    /// The budget was used up.
    Budget,
}

/// One step of a search. What an algorithm does not measure it leaves to the default.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Step {
    /// What was done, in words.
    pub what: String,
    /// How many rows fell short of the requirement afterwards.
    pub short_rows: u64,
    /// The figures of a search that trades information for anonymity step by step.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub tradeoff: Option<Tradeoff>,
}

/// Where a step stands between information and anonymity (seed 003, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tradeoff {
    /// A(VID): the rows of the smallest class that is not suppressed, up to the k that is aimed at.
    pub anonymity: u64,
    /// I(G): what the step lost (bottom-up) or gained (top-down) by the measure of the search.
    pub information: f64,
    /// Prec of the release so far, suppression left aside; none where a block is no tree node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// LM of the release so far, suppression left aside.
    pub lm: f64,
}

/// Why a search has no outcome.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A table that it passes over could not be read.
    #[error(transparent)]
    Pass(#[from] PassError),
    /// No recoding that it can make meets the requirement.
    #[error("{0}")]
    NoRelease(String),
    /// The algorithm is not made for this problem, or not for one of this size.
    #[error("{0}")]
    Unfit(String),
    /// It has a result, but one that does not meet the requirement.
    #[error(
        "{algorithm} leaves {short} rows that fall short of the requirement ({unique} of them unique), and {allowed} may be suppressed: {help}"
    )]
    Unproven {
        /// The algorithm.
        algorithm: &'static str,
        /// The rows that fall short.
        short: u64,
        /// The rows that no other is like.
        unique: u64,
        /// The rows that may be suppressed.
        allowed: u64,
        /// What to do.
        help: String,
    },
}

/// An algorithm's settings that do not fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct SettingsError {
    /// What is wrong.
    pub message: String,
}

/// Makes an algorithm from the settings under its name in a policy.
pub type BuildSearch = fn(Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError>;

/// An entry of the table of algorithms.
pub struct Algorithm {
    /// Its name, as in the policy.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What kind of recoding it makes.
    pub makes: &'static str,
    /// Its settings with their defaults, as JSON.
    pub settings: fn() -> serde_json::Value,
    /// Makes it from the settings under its name in the policy.
    pub build: BuildSearch,
}

/// Every algorithm there is.
pub static ALGORITHMS: &[Algorithm] = &[
    auto::ENTRY,
    bottom_up::ENTRY,
    datafly::ENTRY,
    genetic::ENTRY,
    mingen::ENTRY,
    mu_argus::ENTRY,
    mondrian::ENTRY,
    optimal::ENTRY,
    top_down::ENTRY,
];

/// The algorithm of a name.
pub fn find(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// Reads an algorithm's settings, defaults where the policy says nothing.
fn read_settings<S: DeserializeOwned + Default>(
    settings: Option<&toml::Value>,
) -> Result<S, SettingsError> {
    match settings {
        None => Ok(S::default()),
        Some(table) => table
            .clone()
            .try_into()
            .map_err(|error: toml::de::Error| SettingsError {
                message: error.message().to_string(),
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_are_found_by_name() {
        for algorithm in ALGORITHMS {
            assert!(find(algorithm.name).is_some_and(|found| std::ptr::eq(found, algorithm)));
        }
        assert!(find("no-such-algorithm").is_none());
    }

    #[test]
    fn settings_have_defaults_and_refuse_what_they_do_not_know() {
        #[derive(Debug, Default, PartialEq, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        struct Settings {
            population: u32,
        }
        let read = |text: &str| {
            let table: toml::Value = toml::from_str(text).unwrap();
            read_settings::<Settings>(Some(&table))
        };
        assert_eq!(read_settings(None), Ok(Settings::default()));
        assert_eq!(read("population = 5"), Ok(Settings { population: 5 }));
        assert_eq!(read(""), Ok(Settings::default()));
        assert!(
            read("populatoin = 5")
                .unwrap_err()
                .message
                .contains("populatoin")
        );
        assert!(read("population = \"many\"").is_err());
    }
}
