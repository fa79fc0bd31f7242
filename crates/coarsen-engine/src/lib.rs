//! The data engine of **coarsen**: it reads, counts, recodes, writes and audits tables through an
//! embedded DataFusion, so that a file larger than memory passes through.
#![deny(missing_docs)]

mod arff;
mod audit;
mod coder;
mod compare;
mod content;
mod count;
mod database;
mod describe;
mod eligible;
mod engine;
mod enlarge;
mod error;
mod faults;
mod fingerprint;
mod fit;
mod generate;
mod hierarchy;
mod identifiers;
mod inline;
mod place;
mod profile;
mod raw;
mod recode;
mod release;
mod rows;
mod source;
mod stored;
mod table;
mod write;

pub use coarsen_report::figures::ColumnRelease;

pub use audit::{
    CheckRequest, Checked, check, check_source, released_names, released_quasi_identifiers,
};
pub use coarsen_database::Place;
pub use compare::{
    Candidate, Comparison, Frontier, Grid, GridPoint, GridProgress, Measured,
    Outcome as PointOutcome, StateFile, compare, compare_source,
};
pub use database::located;
pub use engine::{Engine, EngineSettings};
pub use enlarge::{Enlarged, generate_enlarged};
pub use error::EngineError;
pub use generate::{RowListener, generate_agrawal, generate_clinic};
pub use hierarchy::{CountedHierarchy, HierarchyRequest};
pub use place::{copy_together, write_text};
pub use profile::{
    ColumnProfile, Draft, Profile, Shape, Suggestion, Together, column_facts, draft, profile,
    profile_json, suggest, suggest_as, together,
};
pub use release::{
    Evidence, Fresh, Holder, Listener, Origin, Release, ReleasedTable, ReportFiles, ReportRequest,
    Seconds, Stage, Verified, apply, apply_kept, apply_table, manifest_beside, recode_rows,
    release, release_for, release_kept, release_table, release_table_for, report, same_file,
    verify,
};
pub use rows::{CodedColumn, CodedRows, read_more_rows, read_rows};
pub use source::{
    Batches, Compression, Dialect, Medium, Source, SourceSettings, format_of, would_be_part,
};
pub use table::{Domains, Table};
