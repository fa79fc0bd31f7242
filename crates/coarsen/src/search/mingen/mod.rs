//! MinGen (seed 002, Fig. 5): the release of least distortion, and among equals the preferred one.
//!
//! At attribute level every column stands at one level of its hierarchy. Departures: the paper lists
//! all generalizations and counts each; here a lattice is walked with roll-up and bounds (as
//! Incognito and Flash do; see `search::lattice`), which finds the same. Prec gives way to any loss of the problem: where it
//! is a mean over cells (Prec, LM, weighted or not) it prunes the walk, else only the requirement
//! does. Rows may be suppressed up to the policy's limit, which the paper knows only as the top level.
//!
//! At cell level every cell of every row has a level of its own: see `cells`.

mod branch;
mod cells;
mod first;
mod meeting;
mod price;

use serde::Deserialize;

use super::lattice::{Found, Lattice, MOST_NODES, Walked, enforced};
use super::{
    Algorithm, Outcome, Run, Search, SearchError, SettingsError, Step, Stop, per_combination,
    read_settings,
};
use crate::problem::Problem;
use crate::recoding::{Partitions, Recoding};

pub(super) const ENTRY: Algorithm = Algorithm {
    name: "mingen",
    summary: "finds the levels of least loss among all combinations, and proves it; ties go to the columns you prefer to leave alone",
    source: "Sweeney 2002, Fig. 5",
    makes: "partitions, or cells at cell level",
    settings: || serde_json::json!({ "level": "attribute", "preferred": [] }),
    build,
};

/// At which grain levels are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Grain {
    /// One level a column.
    #[default]
    Attribute,
    /// One level a cell.
    Cell,
}

/// What a policy may say under `search.mingen`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// Whether levels are chosen a column or a cell.
    level: Grain,
    /// Among equally good releases, the columns to leave alone first.
    preferred: Vec<String>,
}

struct MinGen {
    settings: Settings,
}

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    let settings: Settings = read_settings(settings)?;
    Ok(Box::new(MinGen { settings }))
}

impl Search for MinGen {
    fn memory(&self, problem: &Problem) -> u64 {
        per_combination(problem, 60, 60)
    }

    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        let preferred = self.preferred(problem)?;
        match self.settings.level {
            Grain::Attribute => by_attribute(problem, run, &preferred),
            Grain::Cell => cells::by_cell(problem, run, &preferred),
        }
    }
}

impl MinGen {
    /// The places of the preferred columns.
    fn preferred(&self, problem: &Problem) -> Result<Vec<usize>, SearchError> {
        let place = |name: &String| {
            let mut columns = problem.attributes.iter();
            columns.position(|a| a.name == *name).ok_or_else(|| {
                SearchError::Unfit(format!(
                    "search.mingen.preferred names `{name}`, which is no quasi-identifier; name columns with role = \"quasi-identifier\" only"
                ))
            })
        };
        self.settings.preferred.iter().map(place).collect()
    }
}

fn by_attribute(problem: &Problem, run: &Run, preferred: &[usize]) -> Result<Outcome, SearchError> {
    let lattice = Lattice::of(problem).map_err(|choices| {
        SearchError::Unfit(format!(
            "{choices:.0} combinations of levels are more than MinGen can prove the best of ({MOST_NODES}); give columns fewer levels, or choose another algorithm"
        ))
    })?;
    let walked = lattice.cheapest(problem, run)?;
    finish(problem, &lattice, &walked, preferred)
}

fn finish(
    problem: &Problem,
    lattice: &Lattice,
    walked: &Walked,
    preferred: &[usize],
) -> Result<Outcome, SearchError> {
    // Columns to leave alone first, then fewest rows suppressed, then the levels in the table's order.
    let rank = |found: &&Found| {
        let levels = lattice.levels(found.node);
        let first: Vec<usize> = preferred.iter().map(|column| levels[*column]).collect();
        (first, found.suppressed, levels)
    };
    let Some(chosen) = walked.ties.iter().min_by_key(rank) else {
        return Err(SearchError::NoRelease(format!(
            "no combination of levels meets the requirement with at most {} rows suppressed",
            problem.suppression.rows
        )));
    };
    let levels = lattice.levels(chosen.node);
    let (classes, suppressed) = enforced(problem, &levels);
    let cost = problem.cost(&classes);
    let mut trace = vec![Step {
        what: format!(
            "of {} combinations of levels, {} cost the least: {}",
            lattice.nodes,
            match walked.ties.len() {
                1 => "one".to_string(),
                ties => format!("{ties}"),
            },
            shown(problem, &levels)
        ),
        short_rows: suppressed,
        ..Step::default()
    }];
    for tie in walked.ties.iter().filter(|tie| tie.node != chosen.node) {
        trace.push(Step {
            what: format!(
                "equally good: {}",
                shown(problem, &lattice.levels(tie.node))
            ),
            short_rows: tie.suppressed,
            ..Step::default()
        });
    }
    Ok(Outcome {
        algorithm: ENTRY.name,
        recoding: Recoding::Partitions(Partitions::at_levels(&problem.attributes, &levels)),
        cost,
        stop: if walked.over {
            Stop::Budget
        } else {
            Stop::Optimal
        },
        bound: if walked.over {
            lattice.costs.as_ref().map(|_| walked.bound.min(cost))
        } else {
            Some(cost)
        },
        trace,
    })
}

/// Levels in words: `age 4, race 0`.
fn shown(problem: &Problem, levels: &[usize]) -> String {
    let columns = problem.attributes.iter().zip(levels);
    let words: Vec<String> = columns
        .map(|(attribute, level)| format!("{} {level}", attribute.name))
        .collect();
    words.join(", ")
}
