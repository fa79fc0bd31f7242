//! The local page from outside: a plain HTTP client that owes nothing to the program, and a real browser
//! where there is one.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod attacks;
mod browser;
mod client;
mod driver;
mod steps;
mod words;
