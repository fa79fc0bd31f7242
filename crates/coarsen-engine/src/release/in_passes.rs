//! The path for a table whose distinct combinations do not fit in memory: its columns are described
//! one by one, its rows stored as codes, and the search passes over them (seed 001, section 3.5).
//!
//! What needs every combination is not told: how exposed rows were before, HDM, why a column is as
//! coarse as it is.

use std::path::Path;
use std::time::Instant;

use coarsen::loss::LossEntry;
use coarsen::policy::{Key, Policy, PolicyError, Represent};
use coarsen::privacy::enforce;
use coarsen::problem::{Allowance, Problem};
use coarsen::recoding::Recoding;
use coarsen::search::{Progress, Run, Search};
use coarsen::workload::Workload;

use super::choose::{blame_problem, blame_workload};
use super::evidence::Origin;
use super::finish::{Described, Finish};
use super::fit::bytes_of_combination;
use super::places::Sink;
use super::{Listener, Made, Seconds, Stage, demands, losses, saved_where_asked, timed};
use crate::EngineError;
use crate::count::TakePart;
use crate::engine::Engine;
use crate::identifiers::Secrets;
use crate::recode::ByRegion;
use crate::source::Source;
use crate::stored::StoredRows;
use crate::table::Table;

/// A release that has begun: the file is open, and the places of the outputs are known.
pub(super) struct Begun<'a> {
    pub engine: &'a Engine,
    pub policy: &'a Policy,
    pub folder: &'a Path,
    pub origin: Option<&'a Origin>,
    pub listener: Listener<'a>,
    pub start: Instant,
    pub seconds: Seconds,
    pub source: Source,
    pub sink: Sink,
    pub secrets: Secrets,
    pub algorithm: Box<dyn Search>,
    pub loss: &'static LossEntry,
}

/// How many combinations may be held: entries as counted, their codes, and those of the search.
pub(super) fn most_combinations(engine: &Engine, policy: &Policy) -> Option<u64> {
    let limit = engine
        .memory_limit()
        .filter(|_| policy.engine.passes.is_none())?;
    // Where they are searched too, each takes at least half as much again.
    Some(limit / (bytes_of_combination(policy.columns.len()) * 3 / 2))
}

impl Begun<'_> {
    /// Goes on in passes.
    pub fn release(mut self) -> Result<Made, EngineError> {
        let Begun {
            engine,
            policy,
            folder,
            origin,
            listener,
            ..
        } = self;
        self.check()?;
        let source = self.source;
        let take_part = TakePart::of(policy, &source)?;
        let (table, rows) = timed(&mut self.seconds.count, || {
            let table = Table::describe(engine, source, policy, folder)?;
            let rows = StoredRows::write(engine, &table, &take_part)?;
            Ok::<_, EngineError>((table, rows))
        })?;
        let attributes = &table.attributes;
        let tallies = table.counts.tallies();
        let workload = Workload::build(policy, attributes, tallies).map_err(blame_workload)?;
        let allowance = Allowance::of_share(
            policy.suppression.limit,
            table.counts.total(),
            policy.suppression.mode,
        );
        let mut problem = Problem::new(
            attributes.clone(),
            table.counts.clone(),
            demands(policy, attributes, &table.counts)?,
            allowance,
            self.loss,
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
        let searched = timed(&mut self.seconds.search, || {
            engine.install(|| self.algorithm.search_in_passes(&problem, &rows, &run))
        });
        let (outcome, mut found) = match (searched, rows.failure()) {
            (Err(_), Some(failure)) => return Err(failure),
            (searched, _) => searched?,
        };
        drop(rows);
        // From here on, regions stand in for combinations.
        problem.counts = found.counts.into();
        let selections = std::mem::take(&mut problem.workload.selections);
        problem.workload.selections = selections
            .into_iter()
            .zip(&found.selected)
            .map(|(selection, rows)| selection.knowing(*rows))
            .collect();
        let suppressed = engine.install(|| {
            let demands = &problem.requirements;
            enforce(&problem.counts, demands, allowance.mode, &mut found.classes)
        });
        if suppressed > allowance.rows {
            return Err(EngineError::Shortfall(format!(
                "the search left {suppressed} rows to suppress, and the limit allows {}",
                allowance.rows
            )));
        }
        let Recoding::Regions(regions) = &outcome.recoding else {
            unreachable!("a search in passes makes regions");
        };
        let mut class_of_region = vec![None; regions.regions.len()];
        for (class, region) in found.region_of_class.iter().enumerate() {
            class_of_region[*region as usize] = Some(class as u32);
        }
        let by_region = ByRegion {
            finder: regions.finder().clone(),
            class_of_region,
        };
        let saved = saved_where_asked(policy, folder, &self.sink, &outcome.recoding, attributes)?;
        let described = Described {
            algorithm: outcome.algorithm.to_string(),
            stop: outcome.stop,
            bound: outcome.bound,
            loss: losses(&problem, &found.classes),
            trace: outcome.trace,
            explanation: None,
            unproven_rows: None,
            sample: None,
            fresh: None,
            unseen: Vec::new(),
            requirements: problem.requirements.iter().map(|r| r.text()).collect(),
            recoding: outcome.recoding.kind(),
            workload: std::mem::take(&mut problem.workload),
        };
        drop((problem, outcome.recoding));
        let finish = Finish {
            engine,
            policy,
            folder,
            origin,
            secrets: self.secrets,
            listener,
            start: self.start,
            seconds: self.seconds,
        };
        let done = finish.write(
            table,
            found.classes,
            self.sink,
            saved.as_ref(),
            Some(&by_region),
            described,
        )?;
        Ok((done, saved))
    }

    /// Not every algorithm can do without the combinations, and nothing else can tell a median.
    fn check(&self) -> Result<(), EngineError> {
        let policy = self.policy;
        if !self.algorithm.can_pass() {
            let name = &policy.search.algorithm;
            let (key, message) = match policy.engine.passes {
                Some(_) => (
                    "passes",
                    format!(
                        "`{name}` cannot search in passes: it needs all distinct combinations."
                    ),
                ),
                None => (
                    "memory",
                    format!(
                        "The distinct combinations of the quasi-identifiers, which `{name}` needs all at once, do not fit in the memory allowed."
                    ),
                ),
            };
            return Err(PolicyError::new(&Key::of(["engine", key]), message)
                .with_help("Choose algorithm = \"mondrian\", which passes over the table instead; allow more memory; or start coarser: give columns with very many values fewer of them.")
                .into());
        }
        let typical = |represent: Option<Represent>| {
            matches!(represent, Some(Represent::Mean | Represent::Median))
        };
        if let Some((name, _)) = policy
            .columns
            .iter()
            .find(|(_, column)| typical(column.represent))
        {
            let key = Key::of(["columns", name.as_str(), "represent"]);
            let message = "Means and medians need all distinct combinations, and this table is searched in passes.";
            return Err(PolicyError::new(&key, message)
                .with_help(
                    "Choose range, bounds or midpoint; or engine.passes = false with enough memory.",
                )
                .into());
        }
        Ok(())
    }
}
