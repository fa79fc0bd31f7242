//! A grid of candidates under one budget: the input is read and counted once, and every point of the grid
//! is searched on the same counts, several at a time. Nothing is written but the state that lets an
//! interrupted comparison go on.
//!
//! What is found for a point is what `coarsen run` finds with the same settings; a point's release is made
//! by [`release`](crate::release) itself.

mod frontier;
mod grid;
mod shown;
mod state;

pub use frontier::Frontier;
pub use grid::{Grid, GridPoint};

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use coarsen::audit::Risk;
use coarsen::policy::{Policy, SuppressionMode};
use coarsen::search::Run;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::EngineError;
use crate::database::located;
use crate::engine::Engine;
use crate::release::{Solved, lacking, losses, problem_of, refuse_cluster, solve, word};
use crate::source::{Source, SourceSettings};
use crate::table::{Domains, Table};
use state::State;

/// How a grid is searched.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// What to vary.
    pub grid: Grid,
    /// The time for all points together; what a point leaves goes to those after it. Without one, each
    /// point has the policy's own budget.
    pub budget: Option<Duration>,
    /// Where finished points are kept, so that a comparison which was interrupted goes on.
    pub state: StateFile,
}

/// Where a comparison keeps what it has found.
#[derive(Clone, Debug, Default)]
pub enum StateFile {
    /// Nowhere.
    #[default]
    None,
    /// In a file that stays, for this comparison and for larger grids. One that belongs to another
    /// policy or input is refused.
    Kept(PathBuf),
    /// In a file that is removed when every point is done. One that belongs to another policy or input
    /// is begun anew.
    Passing(PathBuf),
}

/// A point of the grid and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The point.
    #[serde(flatten)]
    pub point: GridPoint,
    /// Whether no other candidate is better in risk or loss and as good in the other.
    pub undominated: bool,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A release that can be made.
    Measured(Box<Measured>),
    /// None, and why.
    Reason(String),
}

/// The figures of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The algorithm that did the work.
    pub by: String,
    /// Why it stopped.
    pub stop: String,
    /// Its proven bound, where there is one.
    pub bound: Option<f64>,
    /// Rows of the release.
    pub rows_out: u64,
    /// Rows that are suppressed.
    pub suppressed_rows: u64,
    /// Classes of the release.
    pub classes: u64,
    /// The rows of the smallest.
    pub smallest_class: u64,
    /// The highest risk of a row.
    pub highest_risk: f64,
    /// The average risk.
    pub average_risk: f64,
    /// Every loss, as it is shown.
    pub loss: Map<String, Json>,
    /// Rows that fall short, where that is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproven_rows: Option<u64>,
    /// How long the search took.
    pub seconds: f64,
}

/// What is told while a grid is searched.
#[derive(Clone, Copy, Debug)]
pub struct GridProgress {
    /// Points that are done.
    pub done: usize,
    /// All points.
    pub of: usize,
}

/// Searches a grid.
///
/// # Errors
/// What is wrong with the policy, the grid or the input; a point that has no release is no error.
pub fn compare(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    comparison: &Comparison,
    listener: &(dyn Fn(GridProgress) + Sync),
) -> Result<Frontier, EngineError> {
    let input = located(folder, &policy.input.path);
    let open = || Source::open(engine, &input, &SourceSettings::from(&policy.input));
    search_grid(engine, open, policy, folder, comparison, listener)
}

/// Searches a grid over a table that is opened already, in memory or in a file. The policy's own input is
/// not used.
///
/// # Errors
/// As of [`compare`]; and a state file for a table in memory, whose state could not be told from another's.
pub fn compare_source(
    engine: &Engine,
    source: Source,
    policy: &Policy,
    folder: &Path,
    comparison: &Comparison,
    listener: &(dyn Fn(GridProgress) + Sync),
) -> Result<Frontier, EngineError> {
    search_grid(engine, || Ok(source), policy, folder, comparison, listener)
}

fn search_grid(
    engine: &Engine,
    open: impl FnOnce() -> Result<Source, EngineError>,
    policy: &Policy,
    folder: &Path,
    comparison: &Comparison,
    listener: &(dyn Fn(GridProgress) + Sync),
) -> Result<Frontier, EngineError> {
    refuse_cluster(policy)?;
    let points = comparison.grid.points(policy);
    for point in &points {
        point.check(policy)?;
    }
    let source = open()?;
    let state = State::open(comparison, policy, folder, &source)?;
    let table = Table::count(engine, source, policy, folder, Domains::OfPolicy)?;

    let found: Mutex<Vec<Option<Outcome>>> = Mutex::new(
        points
            .iter()
            .map(|point| state.known(point, comparison.budget))
            .collect(),
    );
    let left: Vec<usize> = {
        let found = found.lock().unwrap_or_else(PoisonError::into_inner);
        (0..points.len()).filter(|i| found[*i].is_none()).collect()
    };
    let tell = |left: usize| {
        listener(GridProgress {
            done: points.len() - left,
            of: points.len(),
        });
    };
    tell(left.len());
    let start = Instant::now();
    let threads = engine.threads();
    let workers = threads.min(left.len()).max(1);
    let (next, undone) = (AtomicUsize::new(0), AtomicUsize::new(left.len()));
    let cancel = engine.cancel_flag();
    // Points are searched side by side.
    let memory = engine.memory_limit().map(|memory| memory / workers as u64);
    let work = || -> Result<(), EngineError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads((threads / workers).max(1))
            .build()
            .map_err(|error| EngineError::io(Path::new("threads"), std::io::Error::other(error)))?;
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            let Some(place) = left.get(turn) else {
                return Ok(());
            };
            let point = &points[*place];
            let share = comparison.budget.map(|budget| {
                let rest = budget.saturating_sub(start.elapsed());
                rest.mul_f64(workers as f64) / (left.len() - turn).max(workers) as u32
            });
            let policy = point.policy(policy);
            let run = Run::new(policy.search.seed)
                .with_budget(share.or(policy.search.budget))
                .with_cancel(&cancel);
            let measured = pool.install(|| measure(memory, &policy, &table, &run));
            // With more memory the next try may do better, so a point that lacks it is not done.
            let is_done = !measured.as_ref().is_err_and(EngineError::is_of_memory);
            let outcome = match measured {
                Err(EngineError::Cancelled) => return Err(EngineError::Cancelled),
                Err(error) => Outcome::Reason(reason(&error)),
                Ok(measured) => Outcome::Measured(Box::new(measured)),
            };
            if is_done {
                state.keep(point, comparison.budget, &outcome)?;
            }
            found.lock().unwrap_or_else(PoisonError::into_inner)[*place] = Some(outcome);
            tell(undone.fetch_sub(1, Ordering::Relaxed) - 1);
        }
    };
    let ended: Vec<Result<(), EngineError>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, _>| match handle.join() {
            Ok(ended) => ended,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        handles.into_iter().map(join).collect()
    });
    ended.into_iter().collect::<Result<Vec<()>, _>>()?;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let candidates = points
        .into_iter()
        .zip(found)
        .map(|(point, outcome)| Candidate {
            point,
            undominated: false,
            outcome: outcome.expect("every point was searched or known"),
        });
    state.done();
    Ok(Frontier::of(candidates.collect(), &policy.search.loss))
}

/// One point: its problem, its search, its figures.
fn measure(
    memory: Option<u64>,
    policy: &Policy,
    table: &Table,
    run: &Run,
) -> Result<Measured, EngineError> {
    let problem = problem_of(policy, table)?;
    if let Some(lacking) = lacking(memory, policy, &problem)? {
        return Err(lacking.refuse(policy));
    }
    let start = Instant::now();
    let Solved {
        outcome,
        classes,
        unproven_rows,
        ..
    } = solve(policy, &problem, run)?;
    let seconds = start.elapsed().as_secs_f64();
    let suppressed_rows = classes.suppressed_rows();
    let masked = policy.suppression.mode == SuppressionMode::Mask && suppressed_rows > 0;
    let sizes: Vec<u64> = classes
        .released()
        .map(|class| classes.rows()[class])
        .chain(masked.then_some(suppressed_rows))
        .collect();
    let risk = Risk::of(&sizes, 1.0 / policy.privacy.k.max(1) as f64, None);
    let rows_out = sizes.iter().sum();
    if rows_out == 0 {
        return Err(EngineError::Shortfall(
            "every row would have to be suppressed".into(),
        ));
    }
    Ok(Measured {
        by: outcome.algorithm.to_string(),
        stop: word(outcome.stop).into(),
        bound: outcome.bound,
        rows_out,
        suppressed_rows,
        classes: sizes.len() as u64,
        smallest_class: sizes.iter().copied().min().unwrap_or(0),
        highest_risk: risk.prosecutor_max,
        average_risk: risk.prosecutor_mean,
        loss: losses(&problem, &classes),
        unproven_rows,
        seconds,
    })
}

/// Why a point has no release, in a line.
fn reason(error: &EngineError) -> String {
    match error {
        EngineError::Policy(error) => error.message.clone(),
        other => other.to_string(),
    }
}
