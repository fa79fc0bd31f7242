//! A report of a finished run: the input is counted, the saved recoding tied to it, the release read back.
//! Nothing is searched for and no row is written.

use std::path::{Path, PathBuf};

use coarsen::domain::{Attribute, Code, Partition};
use coarsen::explain::explain;
use coarsen::policy::{Key, Policy, PolicyError, ReportKind, Represent, SuppressionMode, Unseen};
use coarsen::recoding::{Recoding, SavedRecoding};
use coarsen_report::manifest::Manifest;
use coarsen_report::report::Searched;

use super::evidence::{Counted, Evidence, Origin};
use super::finish::warnings;
use super::places::{check_targets, inputs};
use super::saved_rows::ReleasedRows;
use super::solve::suppress;
use super::{Listener, Stage, losses, problem_of, refuse_cluster};
use crate::EngineError;
use crate::audit::{CheckRequest, Checked, check, released_names};
use crate::database::located;
use crate::engine::Engine;
use crate::fingerprint;
use crate::source::{Source, SourceSettings};
use crate::table::{Domains, Table};
use crate::write::{Staged, publish_together};

/// What to write of a finished run.
#[derive(Clone, Debug)]
pub struct ReportRequest {
    /// For whom.
    pub kind: ReportKind,
    /// Where the report goes.
    pub report: PathBuf,
    /// Where the manifest goes.
    pub manifest: PathBuf,
}

/// What was written.
#[derive(Clone, Debug, serde::Serialize)]
pub struct ReportFiles {
    /// For whom.
    pub kind: ReportKind,
    /// The report.
    pub report: PathBuf,
    /// The manifest.
    pub manifest: PathBuf,
    /// Whether the release meets the policy's requirements.
    pub holds: bool,
}

/// Writes the report and the manifest of a finished run.
///
/// # Errors
/// Beside what is wrong with the files: a release that is not what the recoding makes of the input.
pub fn report(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    origin: Option<&Origin>,
    request: &ReportRequest,
    listener: Listener<'_>,
) -> Result<ReportFiles, EngineError> {
    refuse_cluster(policy)?;
    listener(Stage::Reading);
    let input = located(folder, &policy.input.path);
    let source = Source::open(engine, &input, &SourceSettings::from(&policy.input))?;
    let output = located(folder, &policy.output.path);
    let path = recoding_path(policy, folder)?;
    let mut read = inputs(policy, folder, &source.path, source.files());
    read.extend([output.clone(), path.clone()]);
    let targets = [
        ("report", Some(request.report.clone())),
        ("manifest", Some(request.manifest.clone())),
    ];
    check_targets(&targets, &read)?;

    listener(Stage::Counting);
    let table = Table::count(engine, source, policy, folder, Domains::OfPolicy)?;
    let text = read_text(&path)?;
    let saved = SavedRecoding::from_json(&text).map_err(|error| EngineError::Load {
        path: path.clone(),
        error,
    })?;
    let problem = problem_of(policy, &table)?;
    let bound = saved.bind(&table.attributes, &table.counts, Unseen::Error)?;
    let (classes, unproven_rows) = engine.install(|| suppress(policy, &problem, bound.classes))?;

    listener(Stage::Auditing);
    let released = read_back(engine, policy, folder, &output)?;
    let kept = policy.suppression.mode == SuppressionMode::Mask;
    let masked = if kept { classes.suppressed_rows() } else { 0 };
    let mut sizes: Vec<u64> = classes
        .released()
        .map(|class| classes.rows()[class])
        .chain((masked > 0).then_some(masked))
        .collect();
    refuse_other(policy, &output, &released, &mut sizes)?;

    listener(Stage::Reporting);
    let report = Staged::new(&request.report, engine.rooms())?;
    let manifest = Staged::new(&request.manifest, engine.rooms())?;
    let recoding = in_levels(bound.recoding, &table.attributes);
    let explanation = engine.install(|| explain(&problem, Some(&recoding), &classes));
    let requirements: Vec<String> = problem.requirements.iter().map(|r| r.text()).collect();
    let holds = released.audit.holds;
    let evidence = Evidence {
        policy: policy.clone(),
        folder: folder.to_path_buf(),
        origin: origin.cloned(),
        loss: losses(&problem, &classes),
        counted: Counted::of(table),
        classes,
        searched: searched(policy, folder, &released.table.source)?,
        rows: match released.table.source.spool() {
            Some(back) => ReleasedRows::Table {
                back,
                name: policy.output.path.clone(),
            },
            None => ReleasedRows::File {
                path: output,
                name: policy.output.path.clone(),
                format: policy.output.format,
            },
        },
        released,
        saved: Some(text),
        recoding: saved.kind().into(),
        explanation: Some(explanation),
        requirements,
        unproven_rows,
        warnings: warnings(policy),
        workload: problem.workload,
    };
    let name = request.report.to_string_lossy();
    engine.install(|| evidence.write(request.kind, Some((&report, &name)), Some(&manifest)))?;
    publish_together(&[&report, &manifest])?;
    Ok(ReportFiles {
        kind: request.kind,
        report: report.target().to_path_buf(),
        manifest: manifest.target().to_path_buf(),
        holds,
    })
}

/// A saved partition does not remember that it is a level of its column's hierarchy; what it releases
/// tells.
fn in_levels(recoding: Recoding, attributes: &[Attribute]) -> Recoding {
    let Recoding::Partitions(mut partitions) = recoding else {
        return recoding;
    };
    for (column, attribute) in partitions.columns.iter_mut().zip(attributes) {
        let mut levels =
            (0..=attribute.hierarchy.height()).map(|level| Partition::at_level(attribute, level));
        let alike = |level: &Partition| {
            let mut codes = 0..attribute.domain.size() as Code;
            codes.all(|code| level.block(code).label == column.block(code).label)
        };
        if let Some(level) = levels.find(alike) {
            *column = level;
        }
    }
    Recoding::Partitions(partitions)
}

fn recoding_path(policy: &Policy, folder: &Path) -> Result<PathBuf, EngineError> {
    match &policy.output.recoding {
        Some(path) => Ok(folder.join(path)),
        None => {
            let message =
                "The policy saves no recoding, so a finished run cannot be told from here.";
            let error = PolicyError::new(&Key::of(["output", "recoding"]), message);
            let help = "Add output.recoding and run again; or add output.report, and `coarsen run` writes the report.";
            Err(error.with_help(help).into())
        }
    }
}

fn read_text(path: &Path) -> Result<String, EngineError> {
    std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => EngineError::input(
            path,
            "there is no such recoding",
            "make the release first, with `coarsen run`",
        ),
        _ => EngineError::io(path, error),
    })
}

/// The release as it stands in its place.
fn read_back(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    output: &Path,
) -> Result<Checked, EngineError> {
    let source = SourceSettings {
        format: policy.output.format,
        ..SourceSettings::default()
    };
    let quasi_identifiers = released_names(engine, output, policy, &source)?;
    let request = CheckRequest {
        policy: policy.clone(),
        quasi_identifiers,
        population: None,
        subset_size: 0,
        source,
    };
    check(engine, output, folder, &request)
}

/// A file in the release's place may be another release.
fn refuse_other(
    policy: &Policy,
    output: &Path,
    released: &Checked,
    expected: &mut [u64],
) -> Result<(), EngineError> {
    let mut found = released.table.counts.rows().to_vec();
    let rows: u64 = expected.iter().sum();
    let plain = |column: &coarsen::policy::Column| {
        matches!(column.represent, None | Some(Represent::Range))
    };
    expected.sort_unstable();
    found.sort_unstable();
    // Two classes may share a midpoint or a mean; then only their rows can be compared.
    let differs = policy.columns.values().all(plain) && found != expected;
    if differs || rows != released.audit.rows {
        return Err(EngineError::Audit(format!(
            "{} is not what the recoding makes of the input: it has {} rows in {} classes where {rows} rows in {} classes are expected; run `coarsen run` again, or name the policy that it was made by",
            output.display(),
            released.audit.rows,
            released.audit.classes,
            expected.len()
        )));
    }
    Ok(())
}

/// How the recoding was found, where the run left a manifest of this very release.
fn searched(
    policy: &Policy,
    folder: &Path,
    output: &Source,
) -> Result<Option<Searched>, EngineError> {
    let Some(path) = policy.output.manifest_path() else {
        return Ok(None);
    };
    let Ok(text) = std::fs::read_to_string(folder.join(path)) else {
        return Ok(None);
    };
    let Ok(manifest) = Manifest::from_json(&text) else {
        return Ok(None);
    };
    if manifest.files.output.sha256 != fingerprint::of_source(output, "")?.sha256 {
        return Ok(None);
    }
    Ok(manifest.results.internal.map(|internal| Searched {
        algorithm: internal.algorithm,
        stop: internal.stop,
        bound: internal.bound,
    }))
}
