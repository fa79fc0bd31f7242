//! Where the files of a release will go, and what they must not overwrite.

use std::path::Path;

use coarsen::policy::{HierarchySpec, KeySource, Policy};

use crate::EngineError;
use crate::engine::Engine;
use crate::source::Source;
use crate::write::Staged;

/// Where a release goes.
pub(super) enum Sink {
    /// To files.
    Files(Places),
    /// To whoever asked for it, as record batches.
    Memory,
}

/// Where the files will go, each already waiting beside its place.
pub(super) struct Places {
    pub(super) output: Staged,
    pub(super) recoding: Option<Staged>,
}

impl Places {
    pub(super) fn stage(
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
