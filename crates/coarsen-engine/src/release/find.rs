//! The search's part of the path: from a counted table to classes that keep the promise, by all rows or by
//! a sample of them; and the same once more beside a saved recoding that is applied.

use std::path::Path;
use std::time::Instant;

use coarsen::counts::Classes;
use coarsen::loss::LossEntry;
use coarsen::policy::Policy;
use coarsen::privacy::{enforce, requirements};
use coarsen::problem::{Allowance, Problem};
use coarsen::search::{Outcome, Progress, Run, SampleReport, Search, Stop, on_sample};
use coarsen::workload::Workload;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::choose::{accepts_unproven, blame_problem, blame_workload, find_algorithm, find_loss};
use super::{Listener, Stage, losses, timed};
use crate::EngineError;
use crate::engine::Engine;
use crate::source::{Source, SourceSettings};
use crate::table::{Domains, Table};

/// What a search on a table came to.
pub(super) struct Found {
    pub(super) problem: Problem,
    pub(super) outcome: Outcome,
    /// As suppression leaves them.
    pub(super) classes: Classes,
    pub(super) sample: Option<SampleReport>,
    /// Rows that fall short, where the data holder takes that.
    pub(super) unproven_rows: Option<u64>,
}

/// What a fresh search releases on rows that a saved recoding was applied to.
#[derive(Clone, Debug, Serialize)]
pub struct Fresh {
    /// The algorithm that did the work.
    pub algorithm: String,
    /// Why it stopped.
    pub stop: Stop,
    /// Rows that it would suppress.
    pub suppressed_rows: u64,
    /// Classes that it would release.
    pub classes: u64,
    /// Every loss, as it is shown; null where one does not apply.
    pub loss: Map<String, Json>,
    /// How long it took, counting included.
    pub seconds: f64,
}

/// Searches a table as the policy asks.
pub(super) fn find(
    engine: &Engine,
    policy: &Policy,
    table: &Table,
    algorithm: &dyn Search,
    loss: &'static LossEntry,
    listener: Listener<'_>,
    seconds: &mut f64,
) -> Result<Found, EngineError> {
    let Table {
        attributes, counts, ..
    } = table;
    Workload::check_costs(policy, counts.tallies()).map_err(blame_workload)?;
    let workload = Workload::build(policy, attributes, counts.tallies()).map_err(blame_workload)?;
    let allowance = Allowance::of_share(
        policy.suppression.limit,
        counts.total(),
        policy.suppression.mode,
    );
    let problem = Problem::new(
        attributes.clone(),
        counts.clone(),
        requirements(policy, counts.tallies())?,
        allowance,
        loss,
        workload,
    )
    .map_err(blame_problem)?;

    listener(Stage::Searching(None));
    let cancel = engine.cancel_flag();
    let tell = |progress: Progress| listener(Stage::Searching(Some(progress)));
    let run = Run::new(policy.search.seed)
        .with_budget(policy.search.budget)
        .with_cancel(&cancel)
        .with_progress(&tell);
    if let Some(share) = policy.search.sample.filter(|share| *share < 1.0) {
        let (outcome, classes, sample) = timed(seconds, || {
            engine.install(|| on_sample(algorithm, &problem, policy, share, &run))
        })?;
        return Ok(Found {
            problem,
            outcome,
            classes,
            sample: Some(sample),
            unproven_rows: None,
        });
    }
    let outcome = timed(seconds, || {
        engine.install(|| algorithm.search(&problem, &run))
    })?;
    let mut classes = outcome.recoding.classes(attributes, counts);
    let suppressed =
        engine.install(|| enforce(counts, &problem.requirements, allowance.mode, &mut classes));
    let mut unproven_rows = None;
    if suppressed > allowance.rows {
        if !accepts_unproven(policy) {
            return Err(EngineError::Shortfall(format!(
                "the search left {suppressed} rows to suppress, and the limit allows {}",
                allowance.rows
            )));
        }
        classes = outcome.recoding.classes(attributes, counts);
        unproven_rows = Some(suppressed);
    }
    Ok(Found {
        problem,
        outcome,
        classes,
        sample: None,
        unproven_rows,
    })
}

/// Searches rows anew under the policy of the recoding that was applied to them. They are counted again,
/// for a search needs the policy's hierarchies and a recoding only its own blocks.
pub(super) fn fresh(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    input: &Path,
    settings: &SourceSettings,
    listener: Listener<'_>,
) -> Result<Fresh, EngineError> {
    let start = Instant::now();
    let algorithm = find_algorithm(policy)?;
    let loss = find_loss(policy)?;
    let source = Source::open(engine, input, settings)?;
    let table = Table::count(engine, source, policy, folder, Domains::OfPolicy)?;
    let mut seconds = 0.0;
    let found = find(
        engine,
        policy,
        &table,
        algorithm.as_ref(),
        loss,
        listener,
        &mut seconds,
    )?;
    Ok(Fresh {
        algorithm: found.outcome.algorithm.to_string(),
        stop: found.outcome.stop,
        suppressed_rows: found.classes.suppressed_rows(),
        classes: found.classes.released().count() as u64,
        loss: losses(&found.problem, &found.classes),
        seconds: start.elapsed().as_secs_f64(),
    })
}
