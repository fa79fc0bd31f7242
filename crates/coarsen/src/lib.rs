//! The library of **coarsen**: it releases a table about people without releasing the people in it.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod audit;
pub mod catalog;
pub mod counts;
pub mod domain;
pub mod explain;
pub mod loss;
pub mod policy;
pub mod privacy;
pub mod problem;
pub mod recoding;
pub mod search;
pub mod synthetic;
pub mod workload;
