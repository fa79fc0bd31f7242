//! What is told while a release is made, and what there is when it is made.

use std::path::PathBuf;

use coarsen::audit::{Audit, Exposure};
use coarsen::explain::Explanation;
use coarsen::recoding::{SavedRecoding, UnseenColumn};
use coarsen::search::{Progress, SampleReport, Step, Stop};
use coarsen_report::figures::ColumnRelease;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::evidence::Evidence;
use super::fresh::Fresh;
use crate::source::Batches;

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
    /// The report and the manifest are written.
    Reporting,
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
    /// The release; none where it stays in memory.
    pub output: Option<PathBuf>,
    /// The saved recoding, where the policy asks for one.
    pub recoding: Option<PathBuf>,
    /// The report, where the policy asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<PathBuf>,
    /// The manifest, where the policy asks for one or for a report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<PathBuf>,
    /// How exposed rows were before; not known of a table whose combinations were never counted.
    pub before: Option<Exposure>,
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
    /// What a sample of the rows cost, where one was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleReport>,
    /// What a fresh search on the same rows would release, where `apply` was asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh: Option<Fresh>,
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
    /// The report and the manifest.
    pub report: f64,
    /// All of it.
    pub total: f64,
}

/// A release that stays in memory.
#[derive(Debug)]
pub struct ReleasedTable {
    /// What was released, and the evidence.
    pub release: Release,
    /// The released rows, as they were audited.
    pub rows: Batches,
    /// The recoding that made them.
    pub recoding: SavedRecoding,
    /// What reports and manifests are made of.
    pub evidence: Evidence,
}
