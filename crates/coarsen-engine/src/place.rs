//! Where a command may write: to a place that is free, or that the user gave up with `--force`.

use std::path::{Path, PathBuf};

use crate::EngineError;
use crate::write::{Rooms, Staged, publish_together};

/// A file beside `target`, which is refused where something stands there already.
pub(crate) fn fresh(target: &Path, force: bool) -> Result<Staged, EngineError> {
    if !force && target.symlink_metadata().is_ok() && !target.is_dir() {
        return Err(EngineError::input(
            target,
            "this file exists already",
            "choose another name, or add --force to replace it",
        ));
    }
    // No thread of an engine writes here, so there is nothing to sweep after it.
    Staged::new(target, &Rooms::default())
}

/// Writes a text whole or not at all; over an existing file only by `force`.
pub fn write_text(target: &Path, text: &str, force: bool) -> Result<PathBuf, EngineError> {
    let staged = fresh(target, force)?;
    staged.write_text(text)?;
    staged.publish()
}

/// Copies files to their places, from the first of each pair to the second: all of them or none. What
/// stands there already is replaced.
pub fn copy_together(files: &[(PathBuf, PathBuf)]) -> Result<(), EngineError> {
    let mut waiting = Vec::new();
    for (from, to) in files {
        let staged = fresh(to, true)?;
        std::fs::copy(from, staged.path()).map_err(|error| EngineError::io(to, error))?;
        waiting.push(staged);
    }
    publish_together(&waiting.iter().collect::<Vec<_>>())
}
