//! The path with a saved recoding in the search's place: new rows are recoded as the old ones were, and
//! audited like any release.

use std::path::Path;
use std::time::Instant;

use coarsen::explain::explain;
use coarsen::loss;
use coarsen::policy::{
    Column, Key, Order, Policy, PolicyError, Privacy, Role, Shortfall, SuppressionMode, Unseen,
};
use coarsen::privacy::enforce;
use coarsen::problem::{Allowance, Problem};
use coarsen::recoding::SavedRecoding;
use coarsen::search::Stop;
use coarsen::workload::Workload;
use coarsen_database::Place;

use super::choose::blame_workload;
use super::evidence::Evidence;
use super::finish::{Described, Finish, Finished};
use super::fresh::fresh;
use super::places::{Places, Sink};
use super::{Listener, Release, ReleasedTable, Seconds, Stage, demands, losses, timed};
use crate::EngineError;
use crate::database::located;
use crate::engine::Engine;
use crate::identifiers::Secrets;
use crate::source::{Batches, Source, SourceSettings};
use crate::table::{Domains, Table};

/// Recodes a new table with a saved recoding, and audits it like any release. `folder` is the
/// recoding's: a key file that it names is looked for from there. With `beside`, the policy's search is run
/// on the new rows too, and its losses are told; what it finds is not released.
pub fn apply(
    engine: &Engine,
    saved: &SavedRecoding,
    folder: &Path,
    input: &Path,
    output: &Path,
    beside: bool,
    listener: Listener<'_>,
) -> Result<Release, EngineError> {
    Ok(apply_kept(engine, saved, folder, input, output, beside, listener)?.0)
}

/// The same, for whoever keeps the evidence.
pub fn apply_kept(
    engine: &Engine,
    saved: &SavedRecoding,
    folder: &Path,
    input: &Path,
    output: &Path,
    beside: bool,
    listener: Listener<'_>,
) -> Result<(Release, Evidence), EngineError> {
    let mut policy = saved.policy.clone();
    let absolute = |path: &Path| {
        if let Some(url) = path.to_str().filter(|text| Place::is_meant(text)) {
            return Ok(located(Path::new(""), url).to_string_lossy().into_owned());
        }
        let path = std::path::absolute(path).map_err(|error| EngineError::io(path, error))?;
        Ok::<_, EngineError>(path.to_string_lossy().into_owned())
    };
    policy.input.path = absolute(input)?;
    policy.input.query = None;
    policy.output.path = absolute(output)?;
    policy.check()?;
    check_saved(saved, &policy)?;
    keep_types(saved, &mut policy);
    let settings = SourceSettings::from(&policy.input).of_another();
    let fresh = match beside {
        true => Some(fresh(engine, &policy, folder, input, &settings, listener)?),
        false => None,
    };
    let open = |_: &Policy| Source::open(engine, input, &settings);
    let stage = |policy: &Policy, source: &Source| {
        let places = Places::stage(engine, policy, folder, source, None)?;
        Ok(Sink::Files(Box::new(places)))
    };
    let done = reuse(engine, saved, policy, folder, listener, open, stage)?;
    let release = Release {
        fresh,
        ..done.release
    };
    Ok((release, done.evidence))
}

/// Recodes a table in memory with a saved recoding, in memory, and audits it like any release.
pub fn apply_table(
    engine: &Engine,
    saved: &SavedRecoding,
    folder: &Path,
    source: Source,
    listener: Listener<'_>,
) -> Result<ReleasedTable, EngineError> {
    check_saved(saved, &saved.policy)?;
    let policy = saved.policy.clone();
    let open = |policy: &Policy| source.load(engine)?.eligible(engine, policy);
    let stage = |_: &Policy, _: &Source| Ok(Sink::Memory);
    let done = reuse(engine, saved, policy, folder, listener, open, stage)?;
    Ok(ReleasedTable {
        release: done.release,
        rows: done.rows.expect("what goes to memory is there"),
        recoding: saved.clone(),
        evidence: done.evidence,
    })
}

/// Sees the rows of a table in memory as a saved recoding shows them, each by itself: all of them stay, in
/// their order, and none is held against a requirement. This is no release, but what a model that was
/// learned from one is asked about. Rows with a value never seen show nothing; targets are not needed.
pub fn recode_rows(
    engine: &Engine,
    saved: &SavedRecoding,
    source: Source,
) -> Result<Batches, EngineError> {
    check_saved(saved, &saved.policy)?;
    let mut policy = saved.policy.clone();
    policy.privacy = Privacy {
        k: 1,
        ..Privacy::default()
    };
    let is_needed = |column: &Column| column.role != Role::Target;
    policy.columns.retain(|_, column| is_needed(column));
    policy.workload = Default::default();
    policy.suppression.mode = SuppressionMode::Mask;
    policy.output.order = Order::Keep;
    policy.apply.unseen = Unseen::Root;
    policy.input.eligible = None;
    let open = |policy: &Policy| source.load(engine)?.eligible(engine, policy);
    let stage = |_: &Policy, _: &Source| Ok(Sink::Memory);
    let (saved, folder) = (saved.with_wide_blocks(), Path::new(""));
    let done = reuse(engine, &saved, policy, folder, &|_| {}, open, stage)?;
    Ok(done.rows.expect("what goes to memory is there"))
}

fn reuse(
    engine: &Engine,
    saved: &SavedRecoding,
    mut policy: Policy,
    folder: &Path,
    listener: Listener<'_>,
    open: impl FnOnce(&Policy) -> Result<Source, EngineError>,
    stage: impl FnOnce(&Policy, &Source) -> Result<Sink, EngineError>,
) -> Result<Finished, EngineError> {
    let start = Instant::now();
    let mut seconds = Seconds::default();
    keep_types(saved, &mut policy);

    listener(Stage::Reading);
    let source = timed(&mut seconds.read, || open(&policy))?;
    let sink = stage(&policy, &source)?;
    let secrets = Secrets::read(engine, &policy, folder, &source)?;

    listener(Stage::Counting);
    let table = timed(&mut seconds.count, || {
        Table::count(engine, source, &policy, folder, Domains::OfTable)
    })?;
    let Table {
        attributes, counts, ..
    } = &table;
    let demands = demands(&policy, attributes, counts)?;

    listener(Stage::Searching(None));
    let bound = timed(&mut seconds.search, || {
        saved.bind(attributes, counts, policy.apply.unseen)
    })?;
    let mut classes = bound.classes;
    let never_seen = classes.suppressed_rows();
    let suppressed =
        engine.install(|| enforce(counts, &demands, policy.suppression.mode, &mut classes));
    if policy.apply.shortfall == Shortfall::Fail && suppressed > never_seen {
        return Err(EngineError::Shortfall(format!(
            "{} of {} rows fall short of the requirement under this recoding, and apply.shortfall = \"fail\" forbids to suppress them",
            suppressed - never_seen,
            counts.total()
        )));
    }
    let workload =
        Workload::build(&policy, attributes, counts.tallies()).map_err(blame_workload)?;
    let allowance = Allowance {
        rows: counts.total(),
        mode: policy.suppression.mode,
    };
    let texts = demands.iter().map(|r| r.text()).collect();
    let loss = loss::find("lm").expect("lm is in the table of losses");
    // Losses are measured, not searched for: a table too small for the requirement has them too.
    let (losses, explanation, workload) = match Problem::new(
        attributes.clone(),
        counts.clone(),
        Vec::new(),
        allowance,
        loss,
        workload,
    ) {
        Ok(mut problem) => {
            problem.requirements = demands;
            let explanation = engine.install(|| explain(&problem, None, &classes));
            (losses(&problem, &classes), explanation, problem.workload)
        }
        Err(error) => return Err(error.into()),
    };
    let finish = Finish {
        engine,
        policy: &policy,
        folder,
        origin: None,
        secrets,
        listener,
        start,
        seconds,
    };
    let described = Described {
        algorithm: "apply".into(),
        stop: Stop::Complete,
        bound: None,
        loss: losses,
        trace: Vec::new(),
        explanation: Some(explanation),
        unproven_rows: None,
        sample: None,
        fresh: None,
        unseen: bound.unseen,
        requirements: texts,
        recoding: bound.recoding.kind(),
        workload,
    };
    finish.write(table, classes, sink, None, None, described)
}

/// The saved column types hold, so that a delivery of another shape is refused rather than guessed.
fn keep_types(saved: &SavedRecoding, policy: &mut Policy) {
    for (name, kind) in saved.columns() {
        if let Some(column) = policy.columns.get_mut(name) {
            column.kind = Some(kind);
        }
    }
}

/// A recoding that came from a file may have been changed by hand: its policy must still hold, and
/// speak of the same quasi-identifiers as its blocks.
fn check_saved(saved: &SavedRecoding, policy: &Policy) -> Result<(), EngineError> {
    policy.check_rules()?;
    let mut recoded: Vec<&str> = saved.columns().map(|(name, _)| name).collect();
    recoded.sort_unstable();
    let described = policy.columns_with(Role::QuasiIdentifier);
    if !recoded.iter().copied().eq(described.map(|(name, _)| name)) {
        let message = format!(
            "The recoding has blocks for {}, but its policy has other quasi-identifiers.",
            recoded.join(", ")
        );
        return Err(PolicyError::new(&Key::of(["columns"]), message)
            .with_help("Make the recoding anew with `coarsen run`.")
            .into());
    }
    Ok(())
}
