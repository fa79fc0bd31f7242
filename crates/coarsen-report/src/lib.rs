//! What **coarsen** shows of a release: charts as SVG, the HTML report, the manifest, and the words that
//! explain every figure.
//!
//! It opens no file and asks no engine: figures come from the core's counts, classes and audit, and
//! texts go out.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod chart;
pub mod figures;
pub mod glossary;
pub mod manifest;
pub mod report;
pub mod scoreboard;
pub mod text;
