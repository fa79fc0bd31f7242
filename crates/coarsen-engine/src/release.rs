//! The whole path: a policy in, a proven release out. And the same path with a saved recoding in the
//! search's place.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use coarsen::audit::{Audit, Exposure};
use coarsen::counts::Classes;
use coarsen::explain::{Explanation, explain};
use coarsen::loss;
use coarsen::policy::{
    HierarchySpec, Key, KeySource, Order, Policy, PolicyError, Role, Shortfall, SuppressionMode,
    did_you_mean,
};
use coarsen::privacy::{enforce, requirements};
use coarsen::problem::{Allowance, Problem, ProblemError};
use coarsen::recoding::{SavedRecoding, UnseenColumn};
use coarsen::search::{self, Outcome, Progress, Run, Step, Stop};
use coarsen::workload::{Workload, WorkloadError};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::EngineError;
use crate::audit::{CheckRequest, check};
use crate::engine::Engine;
use crate::error::at_key;
use crate::identifiers::Secrets;
use crate::inline::self_contained;
use crate::recode::{Names, released_rows};
use crate::source::{Source, SourceSettings, format_of};
use crate::table::{Domains, Table};
use crate::write::{Staged, write_rows};

/// What is told along the way.
#[derive(Clone, Debug)]
pub enum Stage {
    /// The file is opened and its columns are known.
    Reading,
    /// Combinations are counted.
    Counting,
    /// The search runs.
    Searching(Option<Progress>),
    /// Rows are recoded, sorted and written.
    Writing,
    /// The written file is read back.
    Auditing,
}

/// Someone who is told what happens.
pub type Listener<'a> = &'a (dyn Fn(Stage) + Sync);

/// What was released, and the evidence. Its names are those that `run --json` prints.
#[derive(Debug, Serialize)]
pub struct Release {
    /// The algorithm that did the work; `apply` where a saved recoding did.
    pub algorithm: String,
    /// Why the search stopped.
    pub stop: Stop,
    /// A cost that no release of this kind goes below, where one was proven.
    pub bound: Option<f64>,
    /// Rows of the input that took part.
    pub rows_in: u64,
    /// Rows of the release.
    pub rows_out: u64,
    /// Rows left out, or masked.
    pub suppressed_rows: u64,
    /// Classes in the release.
    pub classes: u64,
    /// Rows of its smallest class.
    pub smallest_class: u64,
    /// Rows of a class on average.
    pub average_class: f64,
    /// Every loss, as it is shown; null where one does not apply.
    pub loss: Map<String, Json>,
    /// Where the time went.
    pub seconds: Seconds,
    /// The release.
    pub output: PathBuf,
    /// The saved recoding, where the policy asks for one.
    pub recoding: Option<PathBuf>,
    /// How exposed rows were before.
    pub before: Exposure,
    /// What was recounted from the written file.
    pub audit: Audit,
    /// What became of each quasi-identifier.
    pub columns: Vec<ColumnRelease>,
    /// The requirements, in words.
    pub requirements: Vec<String>,
    /// What the search did.
    pub trace: Vec<Step>,
    /// Why it looks as it does; none where a saved recoding was applied.
    pub explanation: Option<Explanation>,
    /// The rows that fall short of the requirement in a release that was accepted all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unproven_rows: Option<u64>,
    /// Values that a saved recoding had never seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<UnseenColumn>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Where the time went, in seconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seconds {
    /// Opening the file and finding its layout.
    pub read: f64,
    /// Counting combinations and building domains.
    pub count: f64,
    /// The search.
    pub search: f64,
    /// Recoding, sorting and writing.
    pub write: f64,
    /// Reading back and recounting.
    pub audit: f64,
    /// All of it.
    pub total: f64,
}

/// What became of one quasi-identifier.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnRelease {
    /// The column.
    pub column: String,
    /// Its distinct values before.
    pub values_before: u64,
    /// Its distinct values in the release.
    pub values_after: u64,
    /// Its share of LM: 0 is untouched, 1 is suppressed.
    pub lm: f64,
    /// Some of its released values.
    pub examples: Vec<String>,
}

/// Makes the release that a policy describes.
pub fn release(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    listener: Listener<'_>,
) -> Result<Release, EngineError> {
    let start = Instant::now();
    let mut seconds = Seconds::default();
    if policy.engine.url.is_some() {
        let message = "This coarsen has no cluster engine, so engine.url cannot be used.";
        return Err(PolicyError::new(&Key::of(["engine", "url"]), message)
            .with_help(
                "Leave engine.url out: the embedded engine spills to disk beyond engine.memory.",
            )
            .into());
    }
    let algorithm = find_algorithm(policy)?;
    let loss = find_loss(policy)?;

    listener(Stage::Reading);
    let source = timed(&mut seconds.read, || {
        Source::open(
            engine,
            &folder.join(&policy.input.path),
            &SourceSettings::from(&policy.input),
        )
    })?;
    let places = Places::stage(engine, policy, folder, &source)?;
    let secrets = Secrets::read(policy, folder, &source.path)?;

    listener(Stage::Counting);
    let table = timed(&mut seconds.count, || {
        Table::count(engine, source, policy, folder, Domains::OfPolicy)
    })?;
    let Table {
        attributes, counts, ..
    } = &table;
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
    let outcome: Outcome = timed(&mut seconds.search, || {
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
    let saved = SavedRecoding::new(
        &outcome.recoding,
        attributes,
        &self_contained(policy, folder)?,
    );
    let losses = losses(&problem, &classes);
    let finish = Finish {
        engine,
        policy,
        folder,
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
        explanation: Some(explain(&problem, &outcome.recoding, &classes)),
        unproven_rows,
        unseen: Vec::new(),
        requirements: problem.requirements.iter().map(|r| r.text()).collect(),
    };
    finish.write(&table, &classes, places, Some(&saved), described)
}

/// Recodes a new table with a saved recoding, and audits it like any release. `folder` is the
/// recoding's: a key file that it names is looked for from there.
pub fn apply(
    engine: &Engine,
    saved: &SavedRecoding,
    folder: &Path,
    input: &Path,
    output: &Path,
    listener: Listener<'_>,
) -> Result<Release, EngineError> {
    let start = Instant::now();
    let mut seconds = Seconds::default();
    let mut policy = saved.policy.clone();
    let absolute = |path: &Path| {
        let path = std::path::absolute(path).map_err(|error| EngineError::io(path, error))?;
        Ok::<_, EngineError>(path.to_string_lossy().into_owned())
    };
    policy.input.path = absolute(input)?;
    policy.output.path = absolute(output)?;
    check_saved(saved, &policy)?;
    // The saved column types hold, so that a delivery of another shape is refused rather than guessed.
    for (name, kind) in saved.columns() {
        if let Some(column) = policy.columns.get_mut(name) {
            column.kind = Some(kind);
        }
    }

    listener(Stage::Reading);
    let settings = SourceSettings {
        format: None,
        ..SourceSettings::from(&policy.input)
    };
    let source = timed(&mut seconds.read, || Source::open(engine, input, &settings))?;
    let places = Places::stage(engine, &policy, folder, &source)?;
    let secrets = Secrets::read(&policy, folder, &source.path)?;

    listener(Stage::Counting);
    let table = timed(&mut seconds.count, || {
        Table::count(engine, source, &policy, folder, Domains::OfTable)
    })?;
    let Table {
        attributes, counts, ..
    } = &table;
    let demands = requirements(&policy, counts.tallies())?;

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
    let losses = match Problem::new(
        attributes.clone(),
        counts.clone(),
        Vec::new(),
        allowance,
        loss,
        workload,
    ) {
        Ok(mut problem) => {
            problem.requirements = demands;
            losses(&problem, &classes)
        }
        Err(error) => return Err(error.into()),
    };
    let finish = Finish {
        engine,
        policy: &policy,
        folder,
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
        explanation: None,
        unproven_rows: None,
        unseen: bound.unseen,
        requirements: texts,
    };
    finish.write(&table, &classes, places, None, described)
}

/// A recoding that came from a file may have been changed by hand: its policy must still hold, and
/// speak of the same quasi-identifiers as its blocks.
fn check_saved(saved: &SavedRecoding, policy: &Policy) -> Result<(), EngineError> {
    policy.check()?;
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

fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *seconds += start.elapsed().as_secs_f64();
    done
}

/// Whether the data holder takes what an algorithm leaves unprotected (μ-Argus alone may leave some).
fn accepts_unproven(policy: &Policy) -> bool {
    let settings = policy.search.settings.get(policy.search.algorithm.as_str());
    let accepts = settings.and_then(|settings| settings.get("accept_unproven"));
    accepts.and_then(|accepts| accepts.as_bool()) == Some(true)
}

fn find_algorithm(policy: &Policy) -> Result<Box<dyn search::Search>, EngineError> {
    let known = || search::ALGORITHMS.iter().map(|algorithm| algorithm.name);
    let unknown = |key: Key, name: &str| {
        PolicyError::new(&key, format!("There is no algorithm `{name}`."))
            .with_help(suggestion(name, known()))
    };
    for name in policy.search.settings.keys() {
        if search::find(name).is_none() {
            return Err(unknown(Key::of(["search", name]), name).into());
        }
    }
    let name = policy.search.algorithm.as_str();
    let algorithm =
        search::find(name).ok_or_else(|| unknown(Key::of(["search", "algorithm"]), name))?;
    let settings = policy.search.settings.get(name);
    let given = settings.and_then(|settings| settings.as_table());
    check_settings(algorithm, given.into_iter().flatten().map(|(name, _)| name))?;
    (algorithm.build)(settings)
        .map_err(|error| PolicyError::new(&Key::of(["search", name]), error.message).into())
}

/// An algorithm's table may hold only its own settings.
fn check_settings<'a>(
    algorithm: &search::Algorithm,
    given: impl Iterator<Item = &'a String>,
) -> Result<(), PolicyError> {
    let defaults = (algorithm.settings)();
    let known = || {
        let names = defaults.as_object().into_iter().flatten();
        names.map(|(name, _)| name.as_str())
    };
    for name in given {
        if !known().any(|each| each == name) {
            let key = Key::of(["search", algorithm.name, name]);
            let message = format!("`{}` has no setting `{name}`.", algorithm.name);
            let help = match known().next() {
                Some(_) => suggestion(name, known()),
                None => "It has no settings: remove it.".to_string(),
            };
            return Err(PolicyError::new(&key, message).with_help(help));
        }
    }
    Ok(())
}

/// The likeliest of the known words, and all of them.
fn suggestion<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let all = format!("There are: {}.", known.join(", "));
    match did_you_mean(word, known) {
        Some(close) => format!("Did you mean `{close}`? {all}"),
        None => all,
    }
}

fn find_loss(policy: &Policy) -> Result<&'static loss::LossEntry, EngineError> {
    let name = policy.search.loss.as_str();
    loss::find(name).ok_or_else(|| {
        let known = loss::LOSSES.iter().map(|entry| entry.name);
        PolicyError::new(
            &Key::of(["search", "loss"]),
            format!("There is no loss `{name}`."),
        )
        .with_help(suggestion(name, known))
        .into()
    })
}

/// A problem without solution, tied to the policy's key that asks for too much.
fn blame_problem(error: ProblemError) -> EngineError {
    match &error {
        ProblemError::TooFewRows { k, rows } => {
            let message = format!("k is {k}, but the table has only {rows} rows.");
            let help = format!("Every class needs k rows: choose a k of at most {rows}.");
            PolicyError::new(&Key::of(["privacy", "k"]), message)
                .with_help(help)
                .into()
        }
        ProblemError::NoSuchLoss { .. } => {
            at_key(&Key::of(["search", "loss"]), &error.to_string()).into()
        }
        _ => error.into(),
    }
}

fn blame_workload(error: WorkloadError) -> EngineError {
    match error {
        WorkloadError::NotTallied { .. } => {
            at_key(&Key::of(["workload", "targets"]), &error.to_string()).into()
        }
        WorkloadError::Selection { place, text, error } => {
            let place = place.to_string();
            let key = Key::of(["workload", "selections", place.as_str()]);
            let marked = mark(&text, &error.at);
            PolicyError::new(&key, format!("{}\n{marked}", error.message))
                .with_help(error.help)
                .into()
        }
    }
}

/// A text with carets under a part of it.
fn mark(text: &str, at: &std::ops::Range<usize>) -> String {
    let before = text[..at.start.min(text.len())].chars().count();
    let width = text
        .get(at.clone())
        .map_or(1, |part| part.chars().count().max(1));
    format!("  {text}\n  {}{}", " ".repeat(before), "^".repeat(width))
}

fn losses(problem: &Problem, classes: &Classes) -> Map<String, Json> {
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

/// Where the files will go, each already waiting beside its place.
struct Places {
    output: Staged,
    recoding: Option<Staged>,
}

impl Places {
    fn stage(
        engine: &Engine,
        policy: &Policy,
        folder: &Path,
        source: &Source,
    ) -> Result<Self, EngineError> {
        let output = folder.join(&policy.output.path);
        let recoding = policy
            .output
            .recoding
            .as_ref()
            .map(|path| folder.join(path));
        if let Some(recoding) = &recoding
            && same_file(recoding, &output)
        {
            return Err(EngineError::input(
                &output,
                "this is to be both the release and the recoding",
                "give each a file of its own: one would overwrite the other",
            ));
        }
        let mut inputs = vec![source.path.clone()];
        for column in policy.columns.values() {
            if let Some(HierarchySpec::File { path }) = &column.hierarchy {
                inputs.push(folder.join(path));
            }
            if let Some(KeySource::File { path }) = &column.key {
                inputs.push(folder.join(path));
            }
        }
        for target in std::iter::once(&output).chain(&recoding) {
            if inputs.iter().any(|input| same_file(input, target)) {
                return Err(EngineError::input(
                    target,
                    "this is an input, and would be overwritten by the output",
                    "choose another output path",
                ));
            }
        }
        Ok(Places {
            output: Staged::new(&output, engine.rooms())?,
            recoding: recoding
                .map(|path| Staged::new(&path, engine.rooms()))
                .transpose()?,
        })
    }
}

/// Whether two paths lead to one file, whether it is there already or not.
pub fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => std::path::absolute(a).ok() == std::path::absolute(b).ok(),
    }
}

/// What is known of a release before it is written.
struct Described {
    algorithm: String,
    stop: Stop,
    bound: Option<f64>,
    loss: Map<String, Json>,
    trace: Vec<Step>,
    explanation: Option<Explanation>,
    unproven_rows: Option<u64>,
    unseen: Vec<UnseenColumn>,
    requirements: Vec<String>,
}

/// The last part of the path: write, audit, publish.
struct Finish<'a> {
    engine: &'a Engine,
    policy: &'a Policy,
    folder: &'a Path,
    secrets: Secrets,
    listener: Listener<'a>,
    start: Instant,
    seconds: Seconds,
}

impl Finish<'_> {
    fn write(
        mut self,
        table: &Table,
        classes: &Classes,
        places: Places,
        saved: Option<&SavedRecoding>,
        described: Described,
    ) -> Result<Release, EngineError> {
        let Finish {
            engine,
            policy,
            folder,
            listener,
            ..
        } = self;
        listener(Stage::Writing);
        let target = Path::new(&policy.output.path);
        let format = policy
            .output
            .format
            .or_else(|| format_of(target))
            .unwrap_or(table.source.format);
        let delimiter = table
            .source
            .dialect
            .as_ref()
            .map_or(b',', |dialect| dialect.delimiter);
        let names = timed(&mut self.seconds.write, || {
            let ordered = match policy.output.order {
                Order::Keep => Some(engine.in_order()?),
                Order::Sorted => None,
            };
            let context = ordered.as_ref().unwrap_or(engine.context());
            let work = async {
                let (rows, names) =
                    released_rows(context, table, classes, policy, &self.secrets).await?;
                write_rows(rows, places.output.path(), format, delimiter).await?;
                Ok(names)
            };
            engine.wait(work).map_err(|error| table.source.blame(error))
        })?;

        listener(Stage::Auditing);
        let kept = policy.suppression.mode == SuppressionMode::Mask;
        let suppressed_rows = classes.suppressed_rows();
        let rows_out = table.counts.total() - if kept { 0 } else { suppressed_rows };
        let audit = if rows_out == 0 {
            return Err(EngineError::Shortfall(
                "every row would have to be suppressed, so there is nothing to release; lower the requirement or generalize more".into(),
            ));
        } else {
            timed(&mut self.seconds.audit, || {
                let request = CheckRequest {
                    policy: policy.clone(),
                    quasi_identifiers: names.of_attributes.concat(),
                    population: None,
                    subset_size: 0,
                    source: SourceSettings {
                        format: Some(format),
                        delimiter: Some(delimiter as char),
                        header: true,
                        expected: names_of_release(policy, &names),
                    },
                };
                check(engine, places.output.path(), folder, &request)
            })?
            .audit
        };
        let is_proven = audit.holds || described.unproven_rows.is_some();
        if !is_proven || audit.rows != rows_out {
            let mut reasons: Vec<String> = audit.failures.iter().map(|f| f.to_string()).collect();
            if audit.rows != rows_out {
                reasons.push(format!(
                    "it has {} rows where {rows_out} were to be written",
                    audit.rows
                ));
            }
            return Err(EngineError::Audit(reasons.join("; ")));
        }
        if let (Some(staged), Some(saved)) = (&places.recoding, saved) {
            staged.write_text(&saved.to_json())?;
        }
        if engine.cancel_flag().load(Ordering::Relaxed) {
            return Err(EngineError::Cancelled);
        }
        let recoding = places.recoding.map(Staged::publish).transpose()?;
        let output = places.output.publish()?;

        self.seconds.total = self.start.elapsed().as_secs_f64();
        Ok(Release {
            algorithm: described.algorithm,
            stop: described.stop,
            bound: described.bound,
            rows_in: table.counts.total(),
            rows_out,
            suppressed_rows,
            classes: audit.classes,
            smallest_class: audit.k,
            average_class: audit.average_class,
            loss: described.loss,
            seconds: self.seconds,
            output,
            recoding,
            before: Exposure::of(&table.counts),
            audit,
            columns: column_releases(table, classes),
            requirements: described.requirements,
            trace: described.trace,
            explanation: described.explanation,
            unproven_rows: described.unproven_rows,
            unseen: described.unseen,
            warnings: warnings(policy),
        })
    }
}

/// The released columns that are counted again.
fn names_of_release(policy: &Policy, names: &Names) -> Vec<String> {
    let sensitive = policy.columns_with(Role::Sensitive);
    let sensitive = sensitive.map(|(name, _)| name.to_string());
    names
        .of_attributes
        .concat()
        .into_iter()
        .chain(sensitive)
        .collect()
}

fn column_releases(table: &Table, classes: &Classes) -> Vec<ColumnRelease> {
    const EXAMPLES: usize = 4;
    let total = table.counts.total() as f64;
    let describe = |(place, attribute): (usize, &coarsen::domain::Attribute)| {
        let rows = classes.rows_of_blocks(place);
        let released: Vec<_> = classes
            .blocks(place)
            .iter()
            .zip(rows)
            .filter(|(_, rows)| *rows > 0)
            .collect();
        let mut labels: Vec<&str> = released
            .iter()
            .map(|(block, _)| block.label.as_str())
            .collect();
        labels.sort_unstable();
        labels.dedup();
        let lost: f64 = released
            .iter()
            .map(|(block, rows)| block.lm * *rows as f64)
            .sum();
        let before = table.counts.marginal(place, attribute.domain.size());
        let mut by_rows: Vec<(&str, u64)> = released
            .iter()
            .map(|(block, rows)| (block.label.as_str(), *rows))
            .collect();
        by_rows.sort_by_key(|(label, rows)| (std::cmp::Reverse(*rows), *label));
        by_rows.dedup_by_key(|(label, _)| *label);
        ColumnRelease {
            column: attribute.name.clone(),
            values_before: before.iter().filter(|rows| **rows > 0).count() as u64,
            values_after: labels.len() as u64,
            lm: (lost + classes.suppressed_rows() as f64) / total,
            examples: by_rows
                .iter()
                .take(EXAMPLES)
                .map(|(label, _)| label.to_string())
                .collect(),
        }
    };
    table.attributes.iter().enumerate().map(describe).collect()
}

fn warnings(policy: &Policy) -> Vec<String> {
    let mut warnings = Vec::new();
    if policy.output.order == Order::Keep {
        warnings.push("rows stand in the order of the input, which can identify someone who knows that order; output.order = \"sorted\" avoids it".into());
    }
    if policy.output.report.is_some() {
        warnings
            .push("output.report was not written: this coarsen makes no HTML report yet".into());
    }
    warnings
}
