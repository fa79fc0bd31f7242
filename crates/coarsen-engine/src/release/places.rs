//! Where the files of a release will go, and what they must not overwrite.

use std::path::{Path, PathBuf};

use coarsen::policy::{Format, HierarchySpec, Key, KeySource, Output, Policy, PolicyError};
use coarsen_database::Place;

use super::evidence::Origin;
use crate::EngineError;
use crate::database::{TableOutlet, located, place_of};
use crate::engine::Engine;
use crate::source::{Compression, Source, format_of, refuse_remote, would_be_part};
use crate::write::{Layout, Staged};

/// Where a release goes.
pub(super) enum Sink {
    /// To files.
    Files(Box<Places>),
    /// To whoever asked for it, as record batches.
    Memory,
}

/// Where the release itself goes.
pub(super) enum Outlet {
    /// To a file or a folder of parts.
    File(Staged),
    /// To a table of a database.
    Table(TableOutlet),
}

impl Outlet {
    /// Where its rows are written to first.
    pub(super) fn path(&self) -> &Path {
        match self {
            Outlet::File(staged) => staged.path(),
            Outlet::Table(table) => table.path(),
        }
    }

    /// Where they will be.
    pub(super) fn target(&self) -> PathBuf {
        match self {
            Outlet::File(staged) => staged.target().to_path_buf(),
            Outlet::Table(table) => table.target(),
        }
    }
}

/// Where the files will go, each already waiting beside its place.
pub(super) struct Places {
    pub(super) output: Outlet,
    pub(super) recoding: Option<Staged>,
    pub(super) report: Option<Staged>,
    pub(super) manifest: Option<Staged>,
    /// How the release is written.
    pub(super) layout: Layout,
}

impl Places {
    pub(super) fn stage(
        engine: &Engine,
        policy: &Policy,
        folder: &Path,
        source: &Source,
        origin: Option<&Origin>,
    ) -> Result<Self, EngineError> {
        let named = &policy.output;
        let layout = layout(named, source)?;
        let files = [
            ("release", Some(named.path.clone())),
            ("recoding", named.recoding.clone()),
            ("report", named.report.clone()),
            ("manifest", named.manifest_path()),
        ];
        let files = files.map(|(what, path)| (what, path.map(|path| located(folder, &path))));
        let mut read = inputs(policy, folder, &source.path, source.files());
        read.extend(origin.map(|origin| origin.path.clone()));
        check_targets(&files, &read)?;
        refuse_among_parts(&files, source)?;
        let [output, recoding, report, manifest] = files.map(|(_, path)| path);
        let output = output.expect("a release always has a place");
        refuse_remote(&output)?;
        let output = match (place_of(&output, None)?, named.parts) {
            (Some(place), _) => Outlet::Table(TableOutlet::new(engine, place)?),
            (None, Some(_)) => Outlet::File(Staged::folder(&output, engine.rooms())?),
            (None, None) => Outlet::File(Staged::new(&output, engine.rooms())?),
        };
        let [recoding, report, manifest] = [recoding, report, manifest].map(|path| {
            let stage = |path: PathBuf| Staged::new(&path, engine.rooms());
            path.map(stage).transpose()
        });
        Ok(Places {
            output,
            recoding: recoding?,
            report: report?,
            manifest: manifest?,
            layout,
        })
    }

    /// The files, the release last: it never stands where its evidence does not.
    pub(super) fn in_order(&self) -> Vec<&Staged> {
        let evidence = [&self.recoding, &self.report, &self.manifest];
        let evidence = evidence.into_iter().flatten();
        let release = match &self.output {
            Outlet::File(staged) => Some(staged),
            Outlet::Table(_) => None,
        };
        evidence.chain(release).collect()
    }
}

/// How the release is written: by the policy, by its path's ending, or like the input.
fn layout(output: &Output, source: &Source) -> Result<Layout, EngineError> {
    if Place::is_meant(&output.path) {
        if output.parts.is_some() || output.format.is_some() {
            let key = match output.parts {
                Some(_) => "parts",
                None => "format",
            };
            let message = "A table of a database has neither parts nor a format.";
            let error = PolicyError::new(&Key::of(["output", key]), message);
            return Err(error.with_help("Remove the key.").into());
        }
        return Ok(Layout {
            format: Format::Arrow,
            delimiter: b',',
            compression: Compression::None,
        });
    }
    let target = Path::new(&output.path);
    let format = output
        .format
        .or_else(|| format_of(target))
        .or_else(|| source.format())
        .unwrap_or(Format::Csv);
    let compression = Compression::of_name(target);
    let is_packed = compression != Compression::None;
    let refuse = |key: &str, message: &str, help: &str| {
        let error = PolicyError::new(&Key::of(["output", key]), message);
        Err(error.with_help(help).into())
    };
    match format {
        Format::Arff if output.parts.is_some() => refuse(
            "parts",
            "A release in ARFF is one file.",
            "Remove output.parts, or choose another format.",
        ),
        Format::Parquet | Format::Arrow | Format::Arff if is_packed => refuse(
            "path",
            "Only CSV and JSON lines are packed as a whole.",
            "Leave the last ending out; Parquet is compressed within.",
        ),
        _ => Ok(Layout {
            format,
            delimiter: source.dialect().map_or(b',', |d| d.delimiter),
            compression,
        }),
    }
}

/// The files that a policy reads.
pub(super) fn inputs(
    policy: &Policy,
    folder: &Path,
    source: &Path,
    parts: &[PathBuf],
) -> Vec<PathBuf> {
    let mut inputs = vec![source.to_path_buf()];
    inputs.extend_from_slice(parts);
    for column in policy.columns.values() {
        if let Some(HierarchySpec::File { path }) = &column.hierarchy {
            inputs.push(folder.join(path));
        }
        if let Some(KeySource::File { path }) = &column.key {
            inputs.push(folder.join(path));
        }
    }
    inputs
}

/// Refuses to write two files to one place, or one over what is read.
pub(super) fn check_targets(
    files: &[(&str, Option<PathBuf>)],
    inputs: &[PathBuf],
) -> Result<(), EngineError> {
    let mut taken: Vec<(&str, &PathBuf)> = Vec::new();
    for (what, target) in files {
        let Some(target) = target else { continue };
        if let Some((other, _)) = taken.iter().find(|(_, path)| same_file(path, target)) {
            return Err(EngineError::input(
                target,
                format!("this is to be both the {other} and the {what}"),
                "give each a file of its own: one would overwrite the other",
            ));
        }
        if inputs.iter().any(|input| same_file(input, target)) {
            return Err(EngineError::input(
                target,
                "this is an input, and would be overwritten by the output",
                "choose another output path",
            ));
        }
        taken.push((what, target));
    }
    Ok(())
}

/// Refuses to write where the next run would take the file for a part of its input.
fn refuse_among_parts(
    files: &[(&str, Option<PathBuf>)],
    source: &Source,
) -> Result<(), EngineError> {
    let named = files
        .iter()
        .filter_map(|(what, path)| Some((what, path.as_ref()?)));
    for (what, target) in named {
        if would_be_part(&source.path, target) {
            return Err(EngineError::input(
                target,
                format!("the {what} would stand among the parts of the input"),
                "choose an output path outside of the input's folder or pattern",
            ));
        }
    }
    Ok(())
}

/// Whether two paths lead to one file, whether it is there already or not.
pub fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => std::path::absolute(a).ok() == std::path::absolute(b).ok(),
    }
}
