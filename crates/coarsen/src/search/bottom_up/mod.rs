//! Bottom-up generalization (Wang, Yu and Chakraborty 2004; seed 003): from the values as they are,
//! the generalization that loses least information for each unit of anonymity it gains, step by step,
//! until the requirement holds.
//!
//! IP(G) = I(G) / P(G), P(G) = min(A_G, K) − A; where nothing gains anonymity, the least I(G). Ties go
//! to the greater gain, then to what adds least to LM, then to the column named first, then to the
//! lower node, then to the one of the earlier codes.
//!
//! Departures, which the paper has as future work: rows are suppressed up to the limit
//! ([`counters`]); a generalization may be of some children only, of a whole level, or of neighbouring
//! numbers without a tree ([`moves`]), of which there may be very many ([`thin`]); the information measure is a setting, and so is what it is taken
//! over ([`Over`]); greed may be shaken ([`variants`]), or bettered at the end ([`refine`]).
//! Requirements beyond k are seen to once A(VID) has reached K ([`beyond`]).

mod beyond;
mod column;
mod counters;
mod index;
mod moves;
mod plain;
mod refine;
mod tea;
#[cfg(test)]
mod tests;
mod thin;
mod variants;
mod walk;

use serde::{Deserialize, Serialize};

use super::information::{Judge, Measure};
use super::{
    Algorithm, Outcome, Run, Search, SearchError, SettingsError, per_combination, read_settings,
};
use crate::policy::Scheme;
use crate::problem::Problem;
use column::Column;
use counters::Counters;
use moves::Scales;

pub(super) const ENTRY: Algorithm = Algorithm {
    name: "bottom-up",
    summary: "climbs the hierarchies from the values, losing the least information about the targets for each unit of anonymity; quick, and can stop at any k on its way",
    source: "Wang, Yu and Chakraborty 2004",
    makes: "partitions",
    settings: || serde_json::to_value(Settings::default()).unwrap_or_default(),
    build,
};

/// What can be set of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    /// How critical generalizations are found; the outcome is the same.
    mode: Mode,
    /// How information is measured.
    information: Measure,
    /// Greedy, or shaken out of its local optima.
    variant: variants::Variant,
    /// How many runs a shaken variant makes.
    tries: u32,
    /// How much it is shaken: the spread of the random factors on I(G), as a power of e.
    temperature: f64,
    /// What I(G) is taken over.
    over: Over,
    /// Better the release at the end: take back what turned out needless, or in exchange.
    refine: bool,
    /// A column whose scheme is `level` (one that names none has it) climbs whole levels; otherwise
    /// its tree is cut as in the paper.
    whole_levels: bool,
    /// The K of P(G), where it is to be above the policy's k: the steps are then those of a run to this
    /// K, left as soon as the policy is met. 0 for the policy's.
    toward: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::Pruned,
            information: Measure::Entropy,
            variant: variants::Variant::Greedy,
            tries: 20,
            temperature: 0.5,
            over: Over::Generalized,
            refine: false,
            whole_levels: false,
            toward: 0,
        }
    }
}

/// The rows that I(G) is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Over {
    /// Those that G generalizes, as in the paper: a group of ten rows weighs like one of ten thousand.
    Generalized,
    /// The whole table: what a generalization of few rows loses counts little.
    Table,
}

/// How critical generalizations are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// Every generalization is tried on all combinations (Algorithm 1).
    Plain,
    /// Every generalization is tried on the TEA index.
    Index,
    /// Those that Theorem 1 leaves are tried on the TEA index.
    Pruned,
}

struct BottomUp {
    settings: Settings,
}

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    let settings: Settings = read_settings(settings)?;
    if !(settings.temperature.is_finite() && settings.temperature >= 0.0) {
        return Err(SettingsError {
            message: "temperature must be a number of at least 0".into(),
        });
    }
    Ok(Box::new(BottomUp { settings }))
}

impl Search for BottomUp {
    fn memory(&self, problem: &Problem) -> u64 {
        per_combination(problem, 120, 60)
    }

    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        variants::search(&self.settings, problem, run)
    }
}

/// A generalization that raises A(VID).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Critical {
    column: usize,
    /// Its place among the column's moves.
    place: usize,
    /// A_G(VID), at most the aim.
    anonymity: u64,
}

/// What keeps count of the vids and finds the critical generalizations.
trait Effects {
    /// The sizes of the vids as they are.
    fn counters(&self) -> &Counters;
    /// The generalizations that raise A(VID), with what they raise it to.
    fn critical(&mut self, columns: &[Column]) -> Vec<Critical>;
    /// Takes note of a generalization that the columns have already made.
    fn apply(&mut self, columns: &[Column], column: usize, merged: &[(Vec<u32>, u32)]);
}

/// What a walk starts from: columns at their values, and the index over them.
struct Start<'a> {
    problem: &'a Problem,
    judge: Judge,
    columns: Vec<Column>,
    /// The index, unless every generalization is tried on all combinations.
    index: Option<index::Index>,
    /// The K of P(G).
    aim: u64,
    /// What I(G) is taken over.
    over: Over,
    /// Whether to better the release at the end.
    refine: bool,
}

impl<'a> Start<'a> {
    fn new(settings: &Settings, problem: &'a Problem) -> Self {
        let judge = Judge::new(problem, settings.information);
        // No class is larger than the table, so neither is what a class can be counted up to.
        let most = problem.counts.total().max(problem.k());
        let aim = problem.k().max(settings.toward).min(most);
        let limit = problem.suppression.rows;
        let mut start = Start {
            problem,
            judge,
            columns: Vec::new(),
            index: None,
            aim,
            over: settings.over,
            refine: settings.refine,
        };
        for (place, attribute) in problem.attributes.iter().enumerate() {
            let scheme = match attribute.settings.scheme {
                Scheme::Level if !settings.whole_levels => Scheme::Cut,
                scheme => scheme,
            };
            let column = Column::new(&problem.counts, place, scheme, &start.scales(place));
            start.columns.push(column);
        }
        if settings.mode != Mode::Plain {
            let mut tea = tea::Tea::new(&problem.counts, &start.columns, aim, limit);
            for (column, held) in start.columns.iter().enumerate() {
                tea.apply(column, held.merges());
            }
            start.index = Some(index::Index {
                tea,
                pruned: settings.mode == Mode::Pruned,
                tried: 0,
            });
        }
        start
    }

    /// What measuring a column's moves takes.
    fn scales(&self, column: usize) -> Scales<'_> {
        let attributes = &self.problem.attributes;
        let weights: f64 = attributes.iter().map(|a| a.settings.weight).sum();
        let attribute = &attributes[column];
        let share = attribute.settings.weight / weights / self.problem.counts.total() as f64;
        Scales {
            judge: &self.judge,
            attribute,
            share: if share.is_finite() { share } else { 0.0 },
            all: (self.over == Over::Table).then(|| self.problem.counts.total()),
        }
    }

    /// A fresh count of the vids.
    fn effects(&self) -> Box<dyn Effects + '_> {
        let limit = self.problem.suppression.rows;
        match &self.index {
            Some(index) => Box::new(index.clone()),
            None => Box::new(plain::Plain::new(
                &self.problem.counts,
                &self.columns,
                self.aim,
                limit,
            )),
        }
    }
}
