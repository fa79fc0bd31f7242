//! Where the files of a release will go, and what they must not overwrite.

use std::path::{Path, PathBuf};

use coarsen::policy::{HierarchySpec, KeySource, Policy};

use super::evidence::Origin;
use crate::EngineError;
use crate::engine::Engine;
use crate::source::Source;
use crate::write::Staged;

/// Where a release goes.
pub(super) enum Sink {
    /// To files.
    Files(Box<Places>),
    /// To whoever asked for it, as record batches.
    Memory,
}

/// Where the files will go, each already waiting beside its place.
pub(super) struct Places {
    pub(super) output: Staged,
    pub(super) recoding: Option<Staged>,
    pub(super) report: Option<Staged>,
    pub(super) manifest: Option<Staged>,
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
        let files = [
            ("release", Some(named.path.clone())),
            ("recoding", named.recoding.clone()),
            ("report", named.report.clone()),
            ("manifest", named.manifest_path()),
        ];
        let files = files.map(|(what, path)| (what, path.map(|path| folder.join(path))));
        let mut read = inputs(policy, folder, &source.path);
        read.extend(origin.map(|origin| origin.path.clone()));
        check_targets(&files, &read)?;
        let [output, recoding, report, manifest] = files.map(|(_, path)| {
            let stage = |path: std::path::PathBuf| Staged::new(&path, engine.rooms());
            path.map(stage).transpose()
        });
        Ok(Places {
            output: output?.expect("a release always has a place"),
            recoding: recoding?,
            report: report?,
            manifest: manifest?,
        })
    }

    /// The files, the release last: it never stands where its evidence does not.
    pub(super) fn in_order(&self) -> Vec<&Staged> {
        let evidence = [&self.recoding, &self.report, &self.manifest];
        let evidence = evidence.into_iter().flatten();
        evidence.chain([&self.output]).collect()
    }
}

/// The files that a policy reads.
pub(super) fn inputs(policy: &Policy, folder: &Path, source: &Path) -> Vec<PathBuf> {
    let mut inputs = vec![source.to_path_buf()];
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

/// Whether two paths lead to one file, whether it is there already or not.
pub fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => std::path::absolute(a).ok() == std::path::absolute(b).ok(),
    }
}
