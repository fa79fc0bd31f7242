//! What the tests of this folder share: small problems, written out or drawn.

mod agreement;
mod figure_1;
mod limits;
mod shaken;

use proptest::prelude::*;

use super::*;
use crate::counts::{Counts, Entries, TallyColumn};
use crate::domain::hierarchy::{Built, Description, RawColumn, build as build_column};
use crate::domain::{Attribute, AttributeSettings, Value};
use crate::policy::{HierarchySpec, Policy, SuppressionMode, TreeSpec};
use crate::privacy::requirements;
use crate::problem::Allowance;
use crate::workload::{Target, Workload};

/// Groups of leaves, which together make a tree of two levels and the top.
type Tree = Vec<(String, Vec<String>)>;

/// A column's name, tree and scheme, and its cell in every entry.
type Quasi = (String, Tree, Scheme, Vec<String>);

fn built(name: &str, cells: &[String], tree: Option<&Tree>) -> Built {
    let cells: Vec<Option<Value>> = cells
        .iter()
        .map(|cell| (!cell.is_empty()).then(|| Value::Text(cell.clone())))
        .collect();
    let group =
        |(name, leaves): &(String, Vec<String>)| (name.clone(), TreeSpec::Leaves(leaves.clone()));
    let tree =
        tree.map(|tree| HierarchySpec::Tree(TreeSpec::Inner(tree.iter().map(group).collect())));
    let column = RawColumn {
        name,
        cells: &cells,
        rows: &vec![1; cells.len()],
    };
    let description = Description {
        hierarchy: tree.as_ref(),
        ..Description::default()
    };
    build_column(column, description).unwrap()
}

fn problem(quasi: &[Quasi], labels: &[&str], rows: &[u64], k: u64, limit: u64) -> Problem {
    let mut entries = Entries {
        rows: rows.to_vec(),
        ..Entries::default()
    };
    let mut attributes = Vec::new();
    for (name, tree, scheme, cells) in quasi {
        let column = built(name, cells, Some(tree));
        entries.codes.push(column.code_of);
        attributes.push(Attribute {
            name: name.clone(),
            domain: column.domain,
            hierarchy: column.hierarchy,
            settings: AttributeSettings {
                scheme: *scheme,
                ..AttributeSettings::default()
            },
        });
    }
    let labels: Vec<String> = labels.iter().map(|label| label.to_string()).collect();
    let label = built("label", &labels, None);
    entries.tallied.push(label.code_of);
    let tallied = TallyColumn {
        name: "label".into(),
        domain: label.domain,
        hierarchy: None,
    };
    let counts = Counts::build(entries, vec![tallied]).0;
    let mut policy = Policy::default();
    policy.privacy.k = k;
    let workload = Workload {
        targets: vec![Target {
            tally: 0,
            weight: 1.0,
            numeric: false,
            costs: None,
        }],
        ..Workload::default()
    };
    let allowance = Allowance {
        rows: limit,
        mode: SuppressionMode::Drop,
    };
    let requirements = requirements(&policy, counts.tallies()).unwrap();
    let lm = crate::loss::find("lm").unwrap();
    Problem::new(attributes, counts, requirements, allowance, lm, workload).unwrap()
}

/// The classes of an outcome, and the rows that are suppressed.
fn finished(problem: &Problem, outcome: &Outcome) -> (crate::counts::Classes, u64) {
    let mut classes = outcome
        .recoding
        .classes(&problem.attributes, &problem.counts);
    let mode = problem.suppression.mode;
    let short = crate::privacy::enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    (classes, short)
}

fn tree(groups: &[(&str, &[&str])]) -> Tree {
    let group = |(name, leaves): &(&str, &[&str])| {
        let leaves = leaves.iter().map(|leaf| leaf.to_string()).collect();
        (name.to_string(), leaves)
    };
    groups.iter().map(group).collect()
}

fn settings(mode: Mode) -> Settings {
    Settings {
        mode,
        ..Settings::default()
    }
}

const LETTERS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Small tables whose three columns have trees of up to three groups, and any scheme.
fn tables() -> impl Strategy<Value = (Vec<Quasi>, Vec<&'static str>)> {
    let schemes = prop_oneof![
        4 => Just(Scheme::Cut),
        1 => Just(Scheme::Level),
        1 => Just(Scheme::Ordered),
        1 => Just(Scheme::Set),
        1 => Just(Scheme::GuidedOrdered),
        1 => Just(Scheme::GuidedSet),
    ];
    let column = (prop::collection::vec(0usize..3, 6), schemes, any::<bool>());
    let row = (prop::collection::vec(0usize..7, 3), any::<bool>());
    (
        prop::collection::vec(column, 1..=3),
        prop::collection::vec(row, 4..40),
    )
        .prop_map(|(columns, rows)| {
            let column =
                |(place, (group_of, scheme, missing)): (usize, (Vec<usize>, Scheme, bool))| {
                    let groups = (0..3).map(|group| {
                        let leaves = (0..6).filter(|leaf| group_of[*leaf] == group);
                        let leaves = leaves.map(|leaf| LETTERS[leaf].to_string()).collect();
                        (format!("group {group}"), leaves)
                    });
                    let tree: Tree = groups
                        .filter(|(_, leaves): &(_, Vec<String>)| !leaves.is_empty())
                        .collect();
                    let cell = |row: &(Vec<usize>, bool)| match row.0[place] {
                        6 if missing => String::new(),
                        letter => LETTERS[letter % 6].to_string(),
                    };
                    (
                        format!("q{place}"),
                        tree,
                        scheme,
                        rows.iter().map(cell).collect(),
                    )
                };
            let quasi = columns.into_iter().enumerate().map(column).collect();
            let labels = rows
                .iter()
                .map(|row| if row.1 { "Y" } else { "N" })
                .collect();
            (quasi, labels)
        })
}
