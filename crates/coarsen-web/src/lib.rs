//! The local page of **coarsen**: the steps from a table to a proven release in a browser, served from
//! this machine to this machine.
//!
//! Its one document is the policy, the same file that `coarsen run` takes; what the page shows beside it
//! are results of runs. Pages are made here and work without a script wherever a form can; the script
//! adds previews and progress.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod answer;
mod assets;
mod fields;
mod guard;
mod job;
mod pages;
mod place;
mod project;
mod said;
mod server;
mod session;
mod token;
mod upload;

pub use server::{Opened, ServeError, Settings, Stopper, serve, stopper};
