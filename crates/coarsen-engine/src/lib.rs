//! The data engine of **coarsen**: it reads, counts, recodes, writes and audits tables through an
//! embedded DataFusion, so that a file larger than memory passes through.
#![deny(missing_docs)]

mod audit;
mod count;
mod engine;
mod error;
mod faults;
mod identifiers;
mod raw;
mod recode;
mod release;
mod source;
mod table;
mod write;

pub use audit::{CheckRequest, Checked, check};
pub use engine::{Engine, EngineSettings};
pub use error::EngineError;
pub use release::{ColumnRelease, Listener, Release, Seconds, Stage, apply, release};
pub use source::{Dialect, Source, SourceSettings, format_of};
pub use table::{Domains, Table};
