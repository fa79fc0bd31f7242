//! Writing: beside its place first, and moved there only when everything is proven. Whatever happens
//! in between, the old file is whole or the new one is.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use coarsen::policy::Format;
use datafusion::common::config::CsvOptions;
use datafusion::dataframe::DataFrame;
use datafusion::datasource::file_format::arrow::ArrowFormatFactory;
use datafusion::datasource::file_format::csv::CsvFormatFactory;
use datafusion::datasource::file_format::json::JsonFormatFactory;
use datafusion::datasource::file_format::parquet::ParquetFormatFactory;
use datafusion::datasource::file_format::{FileFormatFactory, format_as_file_type};
use datafusion::logical_expr::LogicalPlanBuilder;

use crate::EngineError;

/// A file that waits beside its place. Dropped without [`Staged::publish`], it is removed.
///
/// It waits in a folder of its own, its room. When work is cancelled, a thread of the engine may still
/// be about to write there, and bring back what was removed: the engine sweeps its [`Rooms`] when its
/// threads are gone.
#[derive(Debug)]
pub(crate) struct Staged {
    target: PathBuf,
    room: PathBuf,
    waiting: PathBuf,
}

impl Staged {
    /// Makes an empty file beside `target`, which shows that its folder can be written to.
    pub fn new(target: &Path, rooms: &Rooms) -> Result<Self, EngineError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let target = std::path::absolute(target).map_err(|error| EngineError::io(target, error))?;
        let folder = target.parent().unwrap_or(Path::new("/"));
        if !folder.is_dir() {
            let message = match folder.exists() {
                true => "this is a file, so nothing can be written below it",
                false => "there is no such folder to write to",
            };
            return Err(EngineError::input(
                folder,
                message,
                "make the folder, or choose another output path",
            ));
        }
        if target.is_dir() {
            return Err(EngineError::input(
                &target,
                "this is a folder",
                "name a file to write",
            ));
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let ending = target
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or("part");
        let room = folder.join(format!(".coarsen-{}-{number}", std::process::id()));
        let waiting = room.join(format!("waiting.{ending}"));
        // What a killed process of the same number left is nobody's.
        let _ = std::fs::remove_dir_all(&room);
        let make = || {
            std::fs::create_dir(&room)?;
            File::create(&waiting)
        };
        rooms.add(room.clone());
        make().map_err(|error| match error.kind() {
            // Folders that are no place for files, such as /proc, say `not found`.
            std::io::ErrorKind::PermissionDenied
            | std::io::ErrorKind::ReadOnlyFilesystem
            | std::io::ErrorKind::NotFound => EngineError::input(
                folder,
                "this folder cannot be written to",
                "choose another output path, or ask for the right to write there",
            ),
            _ => EngineError::io(folder, error),
        })?;
        Ok(Staged {
            target,
            room,
            waiting,
        })
    }

    /// Where it will stand.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where it waits.
    pub fn path(&self) -> &Path {
        &self.waiting
    }

    /// Writes a text.
    pub fn write_text(&self, text: &str) -> Result<(), EngineError> {
        let write = || File::create(&self.waiting)?.write_all(text.as_bytes());
        write().map_err(|error| EngineError::io(&self.target, error))
    }

    /// Moves it to its place, once its bytes are safe on the disk.
    pub fn publish(self) -> Result<PathBuf, EngineError> {
        self.settle()?;
        self.move_in()?;
        Ok(self.target.clone())
    }

    fn settle(&self) -> Result<(), EngineError> {
        let settle = || File::open(&self.waiting)?.sync_all();
        settle().map_err(|error| EngineError::io(&self.target, error))
    }

    fn move_in(&self) -> Result<(), EngineError> {
        std::fs::rename(&self.waiting, &self.target)
            .map_err(|error| EngineError::io(&self.target, error))
    }

    /// Keeps what stands at its place by a second name, where the file system has such.
    fn keep_old(&self) -> Option<PathBuf> {
        let old = self.room.join("old");
        std::fs::hard_link(&self.target, &old).ok()?;
        Some(old)
    }
}

/// Moves files to their places together: no one before the bytes of all are safe, and where one cannot
/// be moved the others are put back.
pub(crate) fn publish_together(files: &[&Staged]) -> Result<(), EngineError> {
    for file in files {
        file.settle()?;
    }
    let mut moved: Vec<(&Staged, Option<PathBuf>)> = Vec::new();
    for file in files {
        let old = file.keep_old();
        if let Err(error) = file.move_in() {
            for (file, old) in moved {
                // What cannot be put back either, nobody can mend here.
                let _ = match old {
                    Some(old) => std::fs::rename(old, &file.target),
                    None => std::fs::remove_file(&file.target),
                };
            }
            return Err(error);
        }
        moved.push((file, old));
    }
    Ok(())
}

/// The rooms that an engine's threads may write to.
#[derive(Debug, Default)]
pub(crate) struct Rooms(Mutex<Vec<PathBuf>>);

impl Rooms {
    fn add(&self, room: PathBuf) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(room);
    }

    /// Removes whatever threads wrote after their work was cancelled. Only when they are gone do they
    /// rest.
    pub fn sweep(&self) {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for room in rooms.drain(..) {
            let _ = std::fs::remove_dir_all(room);
        }
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Nothing more can be done about what cannot be removed.
        let _ = std::fs::remove_dir_all(&self.room);
    }
}

/// Writes rows into one file of the given format.
pub(crate) async fn write_rows(
    rows: DataFrame,
    path: &Path,
    format: Format,
    delimiter: u8,
) -> Result<(), EngineError> {
    let factory: Arc<dyn FileFormatFactory> = match format {
        // ARFF is made of CSV, once that is audited.
        Format::Csv | Format::Arff => Arc::new(CsvFormatFactory::new_with_options(
            CsvOptions::default()
                .with_has_header(true)
                .with_delimiter(delimiter),
        )),
        Format::Parquet => Arc::new(ParquetFormatFactory::new()),
        Format::Jsonl => Arc::new(JsonFormatFactory::new()),
        Format::Arrow => Arc::new(ArrowFormatFactory::new()),
    };
    let path = path.to_str().ok_or_else(|| {
        EngineError::input(
            path,
            "its path is not text",
            "choose an output path that is",
        )
    })?;
    let (state, plan) = rows.into_parts();
    let plan = LogicalPlanBuilder::copy_to(
        plan,
        path.to_string(),
        format_as_file_type(factory),
        Default::default(),
        Vec::new(),
    )?
    .build()?;
    DataFrame::new(state, plan).collect().await?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_land_together_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("coarsen-write-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        let rooms = Rooms::default();
        let stage = |name: &str, text: &str| {
            let staged = Staged::new(&folder.join(name), &rooms).unwrap();
            staged.write_text(text).unwrap();
            staged
        };
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        std::fs::write(folder.join("a"), "old").unwrap();

        let (a, b, c) = (stage("a", "new"), stage("b", "new"), stage("c", "new"));
        // A folder with something in it has taken the place of the last one.
        std::fs::create_dir(folder.join("c")).unwrap();
        std::fs::write(folder.join("c/x"), "").unwrap();
        assert!(publish_together(&[&a, &b, &c]).is_err());
        assert_eq!((read("a").as_deref(), read("b")), (Some("old"), None));

        std::fs::remove_dir_all(folder.join("c")).unwrap();
        let (a, b, c) = (stage("a", "new"), stage("b", "new"), stage("c", "new"));
        publish_together(&[&a, &b, &c]).unwrap();
        for name in ["a", "b", "c"] {
            assert_eq!(read(name).as_deref(), Some("new"));
        }
        drop((a, b, c));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
