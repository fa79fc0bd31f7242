//! The whole path: a policy in, a proven release out, from file to file or from memory to memory.

mod choose;
mod evidence;
mod finish;
mod fit;
mod fresh;
mod in_passes;
mod made;
mod places;
mod report;
mod reuse;
mod saved_rows;
mod solve;
mod verify;

pub(crate) use choose::check_search;
pub use evidence::{Evidence, Origin, manifest_beside};
pub use fresh::Fresh;
pub use made::{Listener, Release, ReleasedTable, Seconds, Stage};
pub use places::same_file;
pub use report::{ReportFiles, ReportRequest, report};
pub use reuse::{apply, apply_kept, apply_table, recode_rows};
pub use verify::{Verified, verify};

pub(crate) use choose::{find_algorithm, find_loss};
pub(crate) use finish::word;
pub(crate) use fit::lacking;
pub(crate) use solve::{Solved, demands, problem_of, solve};

use std::path::Path;
use std::time::Instant;

use coarsen::counts::{Classes, Counts};
use coarsen::domain::Attribute;
use coarsen::explain::explain;
use coarsen::loss;
use coarsen::policy::{Key, Policy, PolicyError};
use coarsen::problem::Problem;
use coarsen::recoding::{Recoding, Regions, SavedRecoding};
use coarsen::search::{Chooser, Progress, Run};
use serde_json::{Map, Value as Json};

use crate::EngineError;
use crate::database::located;
use crate::engine::Engine;
use crate::identifiers::Secrets;
use crate::inline::self_contained;
use crate::recode::ByRegion;
use crate::source::{Source, SourceSettings};
use crate::table::{Domains, Table};
use finish::{Described, Finish, Finished};
use in_passes::{Begun, most_combinations};
use places::{Places, Sink};

/// What is known of the data holder.
#[derive(Clone, Copy, Default)]
pub struct Holder<'a> {
    /// Which text the policy came from, for the manifest.
    pub origin: Option<&'a Origin>,
    /// Who answers where a search leaves a choice to the data holder.
    pub chooser: Option<Chooser<'a>>,
}

/// Makes the release that a policy describes.
pub fn release(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    listener: Listener<'_>,
) -> Result<Release, EngineError> {
    release_for(engine, policy, folder, Holder::default(), listener)
}

/// Makes the release that a policy describes, for a data holder who is at hand.
pub fn release_for(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    holder: Holder<'_>,
    listener: Listener<'_>,
) -> Result<Release, EngineError> {
    Ok(release_kept(engine, policy, folder, holder, listener)?.0)
}

/// The same, for whoever keeps the evidence.
pub fn release_kept(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    holder: Holder<'_>,
    listener: Listener<'_>,
) -> Result<(Release, Evidence), EngineError> {
    let open = || {
        let settings = SourceSettings::from(&policy.input);
        Source::open(engine, &located(folder, &policy.input.path), &settings)
    };
    let stage = |source: &Source| {
        let places = Places::stage(engine, policy, folder, source, holder.origin)?;
        Ok(Sink::Files(Box::new(places)))
    };
    let (done, _) = make(engine, policy, folder, holder, listener, open, stage)?;
    Ok((done.release, done.evidence))
}

/// Makes the release of a table in memory that a policy describes, in memory. The policy's own input
/// and output are not used.
pub fn release_table(
    engine: &Engine,
    source: Source,
    policy: &Policy,
    folder: &Path,
    listener: Listener<'_>,
) -> Result<ReleasedTable, EngineError> {
    let holder = Holder::default();
    release_table_for(engine, source, policy, folder, holder, listener)
}

/// The same, for a data holder who is at hand.
pub fn release_table_for(
    engine: &Engine,
    source: Source,
    policy: &Policy,
    folder: &Path,
    holder: Holder<'_>,
    listener: Listener<'_>,
) -> Result<ReleasedTable, EngineError> {
    let open = || source.load(engine)?.eligible(engine, policy);
    let stage = |_: &Source| Ok(Sink::Memory);
    let (done, recoding) = make(engine, policy, folder, holder, listener, open, stage)?;
    Ok(ReleasedTable {
        release: done.release,
        rows: done.rows.expect("what goes to memory is there"),
        recoding: recoding.expect("what goes to memory has its recoding"),
        evidence: done.evidence,
    })
}

/// What was made, and the recoding that made it where it is asked for.
type Made = (Finished, Option<SavedRecoding>);

fn make(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    holder: Holder<'_>,
    listener: Listener<'_>,
    open: impl FnOnce() -> Result<Source, EngineError>,
    stage: impl FnOnce(&Source) -> Result<Sink, EngineError>,
) -> Result<Made, EngineError> {
    let Holder { origin, chooser } = holder;
    let start = Instant::now();
    let mut seconds = Seconds::default();
    refuse_cluster(policy)?;
    let algorithm = find_algorithm(policy)?;
    let loss = find_loss(policy)?;

    listener(Stage::Reading);
    let source = timed(&mut seconds.read, open)?;
    let sink = stage(&source)?;
    let secrets = Secrets::read(engine, policy, folder, &source)?;

    listener(Stage::Counting);
    let counted = match policy.engine.passes {
        Some(true) => Err(source),
        _ => timed(&mut seconds.count, || {
            let most = most_combinations(engine, policy);
            Table::count_within(engine, source, policy, folder, Domains::OfPolicy, most)
        })?,
    };
    let fits = |table: Table| -> Result<_, EngineError> {
        let problem = problem_of(policy, &table)?;
        match lacking(engine.memory_limit(), policy, &problem)? {
            None => Ok(Ok((table, problem))),
            // Who can pass over the table needs no search in memory.
            Some(_) if algorithm.can_pass() && policy.engine.passes.is_none() => {
                Ok(Err(table.source))
            }
            Some(lacking) => Err(lacking.refuse(policy)),
        }
    };
    let counted = match counted {
        Ok(table) => fits(table)?,
        Err(source) => Err(source),
    };
    let (mut table, mut problem) = match counted {
        Ok(held) => held,
        Err(source) => {
            let begun = Begun {
                engine,
                policy,
                folder,
                origin,
                listener,
                start,
                seconds,
                source,
                sink,
                secrets,
                algorithm,
                loss,
            };
            return begun.release();
        }
    };

    listener(Stage::Searching(None));
    let cancel = engine.cancel_flag();
    let tell = |progress: Progress| listener(Stage::Searching(Some(progress)));
    let run = Run::new(policy.search.seed)
        .with_budget(policy.search.budget)
        .with_cancel(&cancel)
        .with_progress(&tell)
        .with_chooser(chooser);
    let Solved {
        outcome,
        classes,
        sample,
        unproven_rows,
        seconds: searched,
    } = engine.install(|| solve(policy, &problem, &run))?;
    seconds.search = searched;
    let is_sampled = sample.is_some();
    let save = || saved_where_asked(policy, folder, &sink, &outcome.recoding, &table.attributes);
    let lost = || losses(&problem, &classes);
    let told = || explain(&problem, Some(&outcome.recoding), &classes);
    let (saved, (losses, explanation)) =
        engine.install(|| rayon::join(save, || rayon::join(lost, told)));
    let saved = saved?;
    let finish = Finish {
        engine,
        policy,
        folder,
        origin,
        secrets,
        listener,
        start,
        seconds,
    };
    let described = Described {
        algorithm: outcome.algorithm.to_string(),
        stop: outcome.stop,
        bound: outcome.bound,
        loss: losses,
        trace: outcome.trace,
        explanation: Some(explanation),
        unproven_rows,
        sample,
        fresh: None,
        unseen: Vec::new(),
        requirements: problem.requirements.iter().map(|r| r.text()).collect(),
        recoding: outcome.recoding.kind(),
        workload: std::mem::take(&mut problem.workload),
    };
    let by_region = match &outcome.recoding {
        // A sample's regions are widened, so their classes are found by combination.
        Recoding::Regions(regions) if !is_sampled => {
            Some(by_region(regions, &table.counts, &classes))
        }
        _ => None,
    };
    // Writing needs memory too, and none of this.
    drop((problem, outcome.recoding));
    if by_region.is_some() {
        table.forget_entries();
    }
    let done = finish.write(
        table,
        classes,
        sink,
        saved.as_ref(),
        by_region.as_ref(),
        described,
    )?;
    Ok((done, saved))
}

/// The recoding as it is saved, where the policy wants it or whoever asked for rows in memory.
fn saved_where_asked(
    policy: &Policy,
    folder: &Path,
    sink: &Sink,
    recoding: &Recoding,
    attributes: &[Attribute],
) -> Result<Option<SavedRecoding>, EngineError> {
    if policy.output.recoding.is_none() && !matches!(sink, Sink::Memory) {
        return Ok(None);
    }
    let policy = self_contained(policy, folder)?;
    Ok(Some(SavedRecoding::new(recoding, attributes, &policy)))
}

/// How rows find the classes that regions make.
fn by_region(regions: &Regions, counts: &Counts, classes: &Classes) -> ByRegion {
    let finder = regions.finder().clone();
    let mut class_of_region = vec![None; regions.regions.len()];
    for class in 0..classes.len() {
        let combination = classes.members(class)[0].combination as usize;
        let region = finder.find(|column| counts.codes(column)[combination]);
        let region = region.expect("the class was made of a region");
        class_of_region[region as usize] = Some(class as u32);
    }
    ByRegion {
        finder,
        class_of_region,
    }
}

/// There is no engine but the embedded one yet.
pub(crate) fn refuse_cluster(policy: &Policy) -> Result<(), EngineError> {
    if policy.engine.url.is_none() {
        return Ok(());
    }
    let message = "This coarsen has no cluster engine, so engine.url cannot be used.";
    let help = "Leave engine.url out: the embedded engine spills to disk beyond engine.memory.";
    let error = PolicyError::new(&Key::of(["engine", "url"]), message);
    Err(error.with_help(help).into())
}

fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *seconds += start.elapsed().as_secs_f64();
    done
}

pub(crate) fn losses(problem: &Problem, classes: &Classes) -> Map<String, Json> {
    loss::all(problem, classes)
        .into_iter()
        .map(|(entry, shown)| {
            (
                entry.name.replace('-', "_"),
                shown.map_or(Json::Null, Json::from),
            )
        })
        .collect()
}
