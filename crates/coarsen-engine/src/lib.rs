//! The data engine of **coarsen**: it reads, counts, recodes, writes and audits tables through an
//! embedded DataFusion, so that a file larger than memory passes through.
#![deny(missing_docs)]

mod arff;
mod audit;
mod coder;
mod compare;
mod count;
mod eligible;
mod engine;
mod enlarge;
mod error;
mod faults;
mod fingerprint;
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

pub use audit::{CheckRequest, Checked, check, released_names};
pub use compare::{
    Candidate, Comparison, Frontier, Grid, GridPoint, GridProgress, Measured,
    Outcome as PointOutcome, StateFile, compare,
};
pub use engine::{Engine, EngineSettings};
pub use enlarge::{Enlarged, generate_enlarged};
pub use error::EngineError;
pub use generate::{RowListener, generate_agrawal, generate_clinic};
pub use hierarchy::{CountedHierarchy, HierarchyRequest};
pub use place::write_text;
pub use profile::{
    ColumnProfile, Draft, Profile, Shape, Suggestion, Together, draft, profile, suggest, together,
};
pub use release::{
    Fresh, Holder, Listener, Origin, Release, ReportFiles, ReportRequest, Seconds, Stage, Verified,
    apply, release, release_for, report, same_file, verify,
};
pub use rows::{CodedColumn, CodedRows, read_more_rows, read_rows};
pub use source::{Dialect, Source, SourceSettings, format_of};
pub use table::{Domains, Table};
