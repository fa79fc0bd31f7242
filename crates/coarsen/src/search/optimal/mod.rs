//! The proven optimum over six generalization schemes (seed 004): best-first branch and bound over the
//! legal partitions of all columns, from the finest by merging (`bottom-up`) or from the coarsest by
//! splitting (`top-down`).
//!
//! Departures. One column is solved, not enumerated (see `bound`), and the bound knows what may still
//! come together below a node. An applicator is two blocks of a column, together or apart (see `branch`);
//! any column's may come next, and what is found useless or useful is settled for all below. Where every
//! column stands at a level, the lattice of levels is walked (see `levels`). The paper's devices and ours
//! are switches under `search.optimal`; they change the time, never the outcome's cost.

mod bound;
mod branch;
mod column;
mod frontier;
mod keys;
mod levels;
mod model;
mod nested;
mod price;
mod runs;
mod seed;
mod space;
mod sums;
mod table;
mod ties;
mod told;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Outcome, Run, Search, SearchError, SettingsError, Step, Stop, per_combination,
    read_settings,
};
use crate::problem::Problem;
use branch::{Branching, Way};
use frontier::Frontier;
use levels::Lattice;
use space::{Release, Space};
use ties::Ties;

pub(super) const ENTRY: Algorithm = Algorithm {
    name: "optimal",
    summary: "searches all releases that the columns' schemes allow and proves that none is better, or tells how far from that it came; for few columns or small domains",
    source: "Li and Li 2008",
    makes: "partitions",
    settings: || serde_json::json!(Settings::default()),
    build,
};

/// Which way to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Direction {
    /// From the finest partitions by merging.
    BottomUp,
    /// From the coarsest partitions by splitting.
    TopDown,
    /// Both ways at once: each applicator is tried as a merge and as a split.
    #[default]
    Auto,
}

/// What can be set under `search.optimal`. The switches name the paper's devices, section 4.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// Bottom-up, top-down, or both ways at once.
    direction: Direction,
    /// Nodes whose bound is no better than the best release are dropped (4.3).
    prune_nodes: bool,
    /// Applicators are tried before one is branched on, and the useless settled (4.3).
    prune_useless: bool,
    /// Rows that can no longer come together with k are known to be suppressed (4.4).
    prune_useful: bool,
    /// How many random releases are improved for a first best (4.4.1).
    seeds: usize,
    /// The algorithms whose releases are tried for a first best (4.4.1).
    heuristics: Vec<String>,
    /// A node that was bounded goes back to the queue before it is expanded (4.4.2).
    defer: bool,
    /// The node with the least bound is next, not the oldest (4.4.3).
    order_nodes: bool,
    /// The applicator that helped most so far is tried first, not the table's first (4.4.4).
    order_columns: bool,
    /// The column with the most partitions is solved, not enumerated.
    solve_column: bool,
    /// What is together for certain is merged before a node's bounds are taken.
    merge_classes: bool,
    /// Where little is open, columns are solved one inside the other for a stronger bound.
    nest_columns: bool,
    /// Where every column is at one level, the lattice of levels is walked.
    walk_levels: bool,
    /// Of releases that cost the same, the one is looked for that the rule takes.
    settle_ties: bool,
    /// A column of sets with more partitions than this is refused, unless it is the solved one.
    partitions: usize,
    /// Above this many open nodes the search goes depth-first, which bounds its memory.
    frontier: usize,
    /// It ends after this many nodes, as it does at the budget.
    nodes: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            direction: Direction::Auto,
            prune_nodes: true,
            prune_useless: true,
            prune_useful: true,
            seeds: 8,
            heuristics: vec!["datafly".to_string()],
            defer: false,
            order_nodes: true,
            order_columns: true,
            solve_column: true,
            merge_classes: true,
            nest_columns: true,
            walk_levels: true,
            settle_ties: true,
            partitions: 40_000,
            frontier: 200_000,
            nodes: 50_000_000,
        }
    }
}

struct Optimal {
    settings: Settings,
}

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    let settings: Settings = read_settings(settings)?;
    if settings.partitions == 0 || settings.frontier == 0 || settings.nodes == 0 {
        return Err(SettingsError {
            message: "`partitions`, `frontier` and `nodes` must be at least 1".to_string(),
        });
    }
    for name in &settings.heuristics {
        // It would start itself again and again.
        if [ENTRY.name, "auto"].contains(&name.as_str()) || super::find(name).is_none() {
            return Err(SettingsError {
                message: format!(
                    "`heuristics` names `{name}`, which is no other algorithm; see `coarsen list algorithms`"
                ),
            });
        }
    }
    Ok(Box::new(Optimal { settings }))
}

impl Direction {
    fn way(self) -> Way {
        match self {
            Direction::BottomUp => Way::Merging,
            Direction::TopDown => Way::Splitting,
            Direction::Auto => Way::Both,
        }
    }
}

impl Search for Optimal {
    fn memory(&self, problem: &Problem) -> u64 {
        per_combination(problem, 200, 80)
    }

    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        let settings = &self.settings;
        if let Some(narrower) = problem.requirements.iter().find(|r| r.over().is_some()) {
            return Err(SearchError::Unfit(format!(
                "this search bounds classes one by one, and {} speaks of several together; choose search.algorithm = \"mingen\" or \"datafly\"",
                narrower.text()
            )));
        }
        if settings.walk_levels
            && let Some(outcome) = told::by_levels(problem, run)?
        {
            return Ok(outcome);
        }
        let space = Space::new(problem, settings)?;
        let found = match Lattice::new(&space).filter(|_| settings.walk_levels) {
            Some(lattice) => by_levels(&space, lattice, run)?,
            None => by_branches(&space, settings, run)?,
        };
        let Some(best) = found.best else {
            return Err(none_of(problem, &space.text()));
        };
        Ok(Outcome {
            algorithm: ENTRY.name,
            recoding: space.recoding(&best.partitions),
            cost: best.cost,
            stop: match found.proven {
                true => Stop::Optimal,
                false => Stop::Budget,
            },
            bound: match found.proven {
                true => Some(best.cost),
                false => found.bound.map(|bound| bound.min(best.cost)),
            },
            trace: vec![Step {
                what: found.what,
                short_rows: best.suppressed,
                tradeoff: None,
            }],
        })
    }
}

/// What came of a search.
struct Found {
    best: Option<Release>,
    proven: bool,
    /// What no release goes below.
    bound: Option<f64>,
    what: String,
}

/// That no release is one.
fn none_of(problem: &Problem, releases: &str) -> SearchError {
    SearchError::NoRelease(format!(
        "none of the {releases} meets the requirements with at most {} rows suppressed",
        problem.suppression.rows
    ))
}

fn by_levels(space: &Space<'_>, lattice: Lattice<'_>, run: &Run) -> Result<Found, SearchError> {
    let walked = lattice.walk(run)?;
    Ok(Found {
        best: walked.best,
        proven: walked.skipped.is_none(),
        bound: walked.skipped.map(|bound| space.model.told(bound)),
        what: format!("the lattice of levels, of {}", space.text()),
    })
}

fn by_branches(space: &Space<'_>, settings: &Settings, run: &Run) -> Result<Found, SearchError> {
    let seeded = seed::first(space, settings.seeds, &settings.heuristics, run)?;
    let branching = Branching {
        space,
        settings,
        way: settings.direction.way(),
        table: Arc::new(space.table.clone()),
    };
    let table = branching.table.clone();
    let mut frontier = Frontier::new(space, settings, branching, seeded);
    let proven = frontier.work(run)?;
    let mut is_settled = true;
    let is_wanted = proven && settings.settle_ties && space.model.is_known();
    if is_wanted && let Some(best) = frontier.best.take() {
        let mut ties = Ties {
            space,
            table,
            run,
            left: settings.nodes.saturating_sub(frontier.nodes()),
        };
        let (best, is_done) = ties.settle(&frontier.ties(), best)?;
        (frontier.best, is_settled) = (Some(best), is_done);
    }
    let solved = &space.problem.attributes[space.solved].name;
    Ok(Found {
        proven,
        bound: frontier.bound(),
        what: format!(
            "{} nodes of {}, at most {} open at a time, column `{solved}` solved{}",
            frontier.nodes(),
            space.text(),
            frontier.most_open(),
            match is_settled {
                true => "",
                false => "; others may cost the same, for which no time was left",
            }
        ),
        best: frontier.best,
    })
}
