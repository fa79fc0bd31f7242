//! What a fresh search would release, beside a saved recoding that is applied (seed 000, sections 5 and 6).

use std::path::Path;
use std::time::Instant;

use coarsen::policy::Policy;
use coarsen::search::{Progress, Run, Stop};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{Listener, Stage, lacking, losses, problem_of, solve};
use crate::EngineError;
use crate::engine::Engine;
use crate::source::{Source, SourceSettings};
use crate::table::{Domains, Table};

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
    let source = Source::open(engine, input, settings)?;
    let table = Table::count(engine, source, policy, folder, Domains::OfPolicy)?;
    let problem = problem_of(policy, &table)?;
    if let Some(lacking) = lacking(engine.memory_limit(), policy, &problem)? {
        return Err(lacking.refuse(policy));
    }
    listener(Stage::Searching(None));
    let cancel = engine.cancel_flag();
    let tell = |progress: Progress| listener(Stage::Searching(Some(progress)));
    let run = Run::new(policy.search.seed)
        .with_budget(policy.search.budget)
        .with_cancel(&cancel)
        .with_progress(&tell);
    let found = engine.install(|| solve(policy, &problem, &run))?;
    Ok(Fresh {
        algorithm: found.outcome.algorithm.to_string(),
        stop: found.outcome.stop,
        suppressed_rows: found.classes.suppressed_rows(),
        classes: found.classes.released().count() as u64,
        loss: losses(&problem, &found.classes),
        seconds: start.elapsed().as_secs_f64(),
    })
}
