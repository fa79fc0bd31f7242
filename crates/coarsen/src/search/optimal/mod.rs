//! The proven optimum over six generalization schemes (seed 004): best-first branch and bound over the
//! legal partitions of all columns, from the finest by merging (`bottom-up`) or from the coarsest by
//! splitting (`top-down`).
//!
//! Departures. One column is solved, not enumerated (see `bound`), and the bound knows what may still
//! come together below a node. Nodes settle one column after the other, in an order that does not change
//! on the way; the paper's applicators are the branches of the column that is open. The paper's devices
//! are switches under `search.optimal`; they change the time, never the outcome's cost.

mod bound;
mod branch;
mod column;
mod frontier;
mod model;
mod price;
mod runs;
mod seed;
mod space;
mod sums;
mod table;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Outcome, Run, Search, SearchError, SettingsError, Step, Stop, read_settings,
};
use crate::domain::scheme;
use crate::problem::Problem;
use branch::Branching;
use frontier::Frontier;
use space::Space;

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
    /// By k and the number of columns.
    #[default]
    Auto,
}

/// What can be set under `search.optimal`. The switches name the paper's devices, section 4.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// Bottom-up, top-down, or as the problem suggests.
    direction: Direction,
    /// Nodes whose bound is no better than the best release are dropped (4.3).
    prune_nodes: bool,
    /// Branches are bounded before they are queued, and dropped likewise (4.3).
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
    /// The column with the fewest partitions is settled first, not the first of the table (4.4.4).
    order_columns: bool,
    /// The column with the most partitions is solved, not enumerated.
    solve_column: bool,
    /// A column with more partitions than this is not enumerated.
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
            heuristics: vec!["datafly".to_string(), "top-down".to_string()],
            defer: false,
            order_nodes: true,
            order_columns: true,
            solve_column: true,
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
    Ok(Box::new(Optimal { settings }))
}

impl Settings {
    /// Seed 004, section 5: bottom-up wins for small k and few columns, top-down for large.
    fn way(&self, problem: &Problem) -> scheme::Direction {
        let few = problem.attributes.len() <= 4 && problem.k() <= 10;
        match self.direction {
            Direction::BottomUp => scheme::Direction::Merging,
            Direction::TopDown => scheme::Direction::Splitting,
            Direction::Auto if few => scheme::Direction::Merging,
            Direction::Auto => scheme::Direction::Splitting,
        }
    }
}

impl Search for Optimal {
    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        let settings = &self.settings;
        let space = Space::new(problem, settings)?;
        let seeded = seed::first(&space, settings.seeds, &settings.heuristics, run)?;
        let branching = Branching {
            space: &space,
            settings,
            direction: settings.way(problem),
            table: Arc::new(space.table.clone()),
        };
        let mut frontier = Frontier::new(&space, settings, branching, seeded);
        let proven = frontier.work(run)?;
        let bound = frontier.bound();
        let nodes = frontier.nodes();
        let most_open = frontier.most_open();
        let Some(best) = frontier.best else {
            return Err(SearchError::NoRelease(format!(
                "none of the {} meets the requirements with at most {} rows suppressed",
                space.text(),
                problem.suppression.rows
            )));
        };
        let what = format!(
            "{} nodes of {}, at most {} open at a time, column `{}` solved",
            nodes,
            space.text(),
            most_open,
            problem.attributes[space.solved].name
        );
        let bound = match proven {
            true => Some(best.cost),
            false => bound.map(|bound| bound.min(best.cost)),
        };
        Ok(Outcome {
            algorithm: ENTRY.name,
            recoding: space.recoding(&best.partitions),
            cost: best.cost,
            stop: if proven { Stop::Optimal } else { Stop::Budget },
            bound,
            trace: vec![Step {
                what,
                short_rows: best.suppressed,
                tradeoff: None,
            }],
        })
    }
}
