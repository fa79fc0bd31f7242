//! What can still be learned from a release of **coarsen** (seed 001, section 4): models, hold-out and
//! folds, and a paired test between two methods.
//!
//! | file | answers |
//! | --- | --- |
//! | [`rows`] | which rows are there, and what do they hold? |
//! | [`method`] | which recoding does a method find on the training rows? |
//! | [`encode`] | what does a model see of a row under that recoding? |
//! | [`models`] | what does it learn? |
//! | [`folds`] | who is trained on and who is tested? |
//! | [`mod@evaluate`] | how wrong is it, beside the same model on unreleased and on suppressed rows? |
//! | [`paired`] | is a difference between two methods more than chance? |
//! | [`quality`] | what does a tree still learn from a release that is made already? |
//! | [`rank`] | which columns tell most? |
//!
//! No file is read here: the engine, or an experiment, brings the rows.
#![deny(missing_docs)]

pub mod encode;
mod ends;
mod error;
pub mod evaluate;
pub mod features;
pub mod folds;
pub mod method;
pub mod models;
pub mod paired;
pub mod quality;
pub mod rank;
pub mod rows;

pub use error::LearnError;
pub use evaluate::{Evaluation, Plan, evaluate};
pub use method::Method;
pub use rows::{RowColumn, Rows};
