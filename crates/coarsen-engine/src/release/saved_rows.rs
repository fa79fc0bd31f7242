//! Released rows where they lie: in a file, or in memory until somebody wants them in one. What is saved
//! later is written by the same code as what a run writes, and by the rules of every file: beside its place
//! first, and whole or not at all.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use coarsen::policy::Format;
use coarsen_report::manifest::FileProof;
use datafusion::arrow::csv::WriterBuilder;

use super::evidence::Evidence;
use super::places::check_targets;
use crate::EngineError;
use crate::arff::put_into_arff;
use crate::database::Spooled;
use crate::engine::Engine;
use crate::fingerprint::{self, Fingerprint};
use crate::source::{Batches, Compression, Source, format_of};
use crate::write::{Layout, Staged, write_rows};

/// What rows in memory are called where a file's name is wanted.
const IN_MEMORY: &str = "release.csv";

/// Where the released rows lie.
#[derive(Clone, Debug)]
pub(super) enum ReleasedRows {
    /// In a file.
    File {
        /// Its place now, which need not be where it will stand.
        path: PathBuf,
        /// What it is called.
        name: String,
        /// Its format, where its name does not say.
        format: Option<Format>,
    },
    /// In a table of a database.
    Table {
        /// As they were read back from it.
        back: Arc<Spooled>,
        /// What it is called.
        name: String,
    },
    /// In memory.
    Memory {
        rows: Batches,
        /// Where they were saved last, and the fingerprint of that file as it was then.
        saved: Option<(PathBuf, FileProof)>,
    },
}

impl ReleasedRows {
    /// The format that a manifest states.
    pub(super) fn stated_format(&self) -> Option<Format> {
        match self {
            ReleasedRows::File { format, .. } => *format,
            ReleasedRows::Table { .. } | ReleasedRows::Memory { .. } => None,
        }
    }

    /// The file that they lie in, or were saved to last.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            ReleasedRows::File { path, .. } => Some(path),
            ReleasedRows::Table { .. } => None,
            ReleasedRows::Memory { saved, .. } => saved.as_ref().map(|(path, _)| path.as_path()),
        }
    }

    /// The file stands in its place now.
    pub(super) fn moved(&mut self, to: &Path) {
        if let ReleasedRows::File { path, .. } = self {
            *path = to.to_path_buf();
        }
    }

    /// The fingerprint of the file; of rows in memory, that of the CSV file which they would be.
    pub(super) fn proof(&self) -> Result<FileProof, EngineError> {
        let rows = match self {
            ReleasedRows::File { path, name, .. } => return fingerprint::of_table(path, name),
            ReleasedRows::Table { back, name } => return fingerprint::of_file(back.path(), name),
            ReleasedRows::Memory {
                saved: Some((_, proof)),
                ..
            } => return Ok(proof.clone()),
            ReleasedRows::Memory { rows, saved: None } => rows,
        };
        let mut taken = Fingerprint::default();
        let mut writer = WriterBuilder::new().with_header(true).build(&mut taken);
        for batch in rows.batches() {
            writer.write(batch)?;
        }
        drop(writer);
        Ok(taken.proof(IN_MEMORY))
    }
}

impl Evidence {
    /// Writes released rows that are in memory to a file, in the format that its ending names; manifests
    /// and reports speak of that file from then on.
    ///
    /// # Errors
    /// A place that cannot be written to, or that is read from; rows that are in a file already.
    pub fn save_rows(&mut self, engine: &Engine, path: &Path) -> Result<PathBuf, EngineError> {
        let ReleasedRows::Memory { rows, .. } = &self.rows else {
            return Err(EngineError::input(
                path,
                "the release is in a file already",
                "copy that file",
            ));
        };
        let format = format_of(path).ok_or_else(|| {
            EngineError::input(
                path,
                "its ending does not tell its format",
                "name it .csv, .parquet, .jsonl, .arrow or .arff",
            )
        })?;
        let layout = Layout {
            format,
            delimiter: b',',
            compression: Compression::of_name(path),
        };
        let is_text = matches!(format, Format::Csv | Format::Jsonl);
        if layout.compression != Compression::None && !is_text {
            return Err(EngineError::input(
                path,
                "only CSV and JSON lines are packed as a whole",
                "leave the last ending out; Parquet is compressed within",
            ));
        }
        check_targets(&[("release", Some(path.to_path_buf()))], &self.inputs())?;
        let staged = Staged::new(path, engine.rooms())?;
        let written = match format {
            Format::Arff => staged.path().with_extension("csv"),
            _ => staged.path().to_path_buf(),
        };
        let rows = rows.clone();
        let source = Source::of_batches("the release", rows.clone())?;
        engine.wait(async {
            let rows = source.table(&engine.in_order()?).await?;
            write_rows(rows, &written, layout).await
        })?;
        if format == Format::Arff {
            let relation = path.file_stem().unwrap_or_default().to_string_lossy();
            put_into_arff(&written, b',', staged.path(), &relation)?;
        }
        engine.check_cancel()?;
        let proof = fingerprint::of_file(staged.path(), &path.to_string_lossy())?;
        let path = staged.publish()?;
        self.rows = ReleasedRows::Memory {
            rows,
            saved: Some((path.clone(), proof)),
        };
        Ok(path)
    }
}
