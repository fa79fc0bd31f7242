//! The data engine of **coarsen**: it reads, counts, recodes, writes and audits tables through an
//! embedded DataFusion, so that a file larger than memory passes through.
#![deny(missing_docs)]

mod audit;
mod coder;
mod count;
mod engine;
mod error;
mod faults;
mod generate;
mod hierarchy;
mod identifiers;
mod inline;
mod place;
mod profile;
mod raw;
mod recode;
mod release;
mod source;
mod table;
mod write;

pub use audit::{CheckRequest, Checked, check};
pub use engine::{Engine, EngineSettings};
pub use error::EngineError;
pub use generate::{RowListener, generate_agrawal, generate_clinic};
pub use hierarchy::{CountedHierarchy, HierarchyRequest};
pub use place::write_text;
pub use profile::{
    ColumnProfile, Draft, Profile, Shape, Suggestion, Together, draft, profile, suggest, together,
};
pub use release::{
    ColumnRelease, Fresh, Listener, Release, Seconds, Stage, apply, release, same_file,
};
pub use source::{Dialect, Source, SourceSettings, format_of};
pub use table::{Domains, Table};
