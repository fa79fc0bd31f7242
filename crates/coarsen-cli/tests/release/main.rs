//! What `coarsen run` releases: the papers' example, the JSON, the order, suppression, identifiers,
//! missing values, representations and every requirement, recounted by the test itself.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod identifiers;
mod missing;
mod order;
mod output;
mod papers;
mod recoding;
mod represent;
mod requirements;
mod suppression;
mod weights;

use std::collections::{BTreeMap, BTreeSet};

use common::desk::{POLICY, QUASI};
use common::{Folder, Table, people};
use serde_json::Value;

/// A policy over 400 people, with some places changed.
fn desk(changes: &[(&str, &str)]) -> Folder {
    common::desk::desk(400, changes)
}

fn run(desk: &Folder) -> Value {
    desk.json(&["run", "policy.toml", "--json"])
}

/// Runs and reads the release.
fn released(changes: &[(&str, &str)]) -> Table {
    let desk = desk(changes);
    run(&desk);
    desk.table("release.csv")
}

/// The row of the input that a released row came from, by its visit.
fn by_visit(table: &Table) -> BTreeMap<&str, &Vec<String>> {
    let place = table.place("visit");
    let rows = table.rows.iter();
    rows.map(|row| (row[place].as_str(), row)).collect()
}
