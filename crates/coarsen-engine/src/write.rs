//! Writing: beside its place first, and moved there only when everything is proven. Whatever happens
//! in between, the old file is whole or the new one is.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

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
#[derive(Debug)]
pub(crate) struct Staged {
    target: PathBuf,
    waiting: PathBuf,
    published: bool,
}

impl Staged {
    /// Makes an empty file beside `target`, which shows that its folder can be written to.
    pub fn new(target: &Path) -> Result<Self, EngineError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let target = std::path::absolute(target).map_err(|error| EngineError::io(target, error))?;
        let folder = target.parent().unwrap_or(Path::new("/"));
        if !folder.is_dir() {
            return Err(EngineError::input(
                folder,
                "there is no such folder to write to",
                "make it, or choose another output path",
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
        let waiting = folder.join(format!(".coarsen-{}-{number}.{ending}", std::process::id()));
        File::create(&waiting).map_err(|error| match error.kind() {
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                EngineError::input(
                    folder,
                    "this folder cannot be written to",
                    "choose another output path, or ask for the right to write there",
                )
            }
            _ => EngineError::io(folder, error),
        })?;
        Ok(Staged {
            target,
            waiting,
            published: false,
        })
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
    pub fn publish(mut self) -> Result<PathBuf, EngineError> {
        let publish = || {
            File::open(&self.waiting)?.sync_all()?;
            std::fs::rename(&self.waiting, &self.target)
        };
        publish().map_err(|error| EngineError::io(&self.target, error))?;
        self.published = true;
        Ok(self.target.clone())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if !self.published {
            // Nothing more can be done about a file that cannot be removed.
            let _ = std::fs::remove_file(&self.waiting);
        }
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
        Format::Csv => Arc::new(CsvFormatFactory::new_with_options(
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
