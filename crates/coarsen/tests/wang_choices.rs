//! What bottom-up generalization and top-down specialization choose where it is told: ties by the stated
//! rule, targets by their weights, measures by their names, every kind of requirement.
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::domain::Kind;
use coarsen::policy::{
    Closeness, Diversity, DiversityMeasure, HierarchySpec, Role, Scheme, Target, TreeSpec,
};
use coarsen::problem::Problem;
use coarsen::recoding::Recoding;
use coarsen::search::{self, Outcome, Run};
use common::{Cells, Table, cells, tree};

const BOTH: [&str; 2] = ["bottom-up", "top-down"];

fn run(name: &str, settings: &str, problem: &Problem) -> Outcome {
    let settings: toml::Value = toml::from_str(settings).unwrap();
    let search = (search::find(name).unwrap().build)(Some(&settings)).unwrap();
    search.search(problem, &Run::new(7)).unwrap()
}

/// The first step of bottom-up, which every mode must agree on.
fn first_step(problem: &Problem) -> String {
    let steps = ["plain", "index", "pruned"].map(|mode| {
        let outcome = run("bottom-up", &format!("mode = \"{mode}\""), problem);
        outcome.trace[1].what.clone()
    });
    assert!(steps.iter().all(|step| *step == steps[0]), "{steps:?}");
    steps[0].clone()
}

/// The labels of one column of an outcome.
fn labels(outcome: &Outcome, column: usize) -> Vec<String> {
    let Recoding::Partitions(made) = &outcome.recoding else {
        panic!("both make partitions");
    };
    let blocks = made.columns[column].blocks.iter();
    blocks.map(|block| block.label.clone()).collect()
}

/// Rows of letters, one string a row; a tree for each column; one label for all, so that nothing is lost.
fn letters(rows: &[&str], trees: &[HierarchySpec], k: u64) -> Problem {
    let column = |place: usize| -> Cells {
        let column: Vec<&str> = rows.iter().map(|row| &row[place..=place]).collect();
        cells(&format!("q{place}"), &column).with(&trees[place])
    };
    let mut columns: Vec<Cells> = (0..trees.len()).map(column).collect();
    columns.push(cells("label", &vec!["y"; rows.len()]).role(Role::Target));
    let mut table = Table::new(&columns);
    for attribute in &mut table.attributes {
        attribute.settings.scheme = Scheme::Cut;
    }
    table.policy.privacy.k = k;
    table.problem("lm").unwrap()
}

/// Rows written as a vid and how often it is there.
fn times(vids: &[(&'static str, usize)]) -> Vec<&'static str> {
    let rows = vids.iter();
    rows.flat_map(|(vid, rows)| vec![*vid; *rows]).collect()
}

#[test]
fn of_equal_scores_the_greater_gain_is_taken() {
    // q0's a and b make 1 + 5 of (a,s) and (b,s), and leave (a,t) 2: A = 2. q1's s and t make 1 + 2 of
    // (a,s) and (a,t), and leave (b,s) 5: A = 3, though that costs more LM.
    let wide = tree(&[("ab", &["a", "b"]), ("rest", &["c", "d", "e", "f"])]);
    let narrow = tree(&[("st", &["s", "t"]), ("rest", &["u"])]);
    let rows = times(&[("as", 1), ("bs", 5), ("at", 2)]);
    let problem = letters(&rows, &[wide, narrow], 6);
    assert_eq!(
        first_step(&problem),
        "generalize 2 of the 3 values of q1 to st"
    );
}

#[test]
fn of_equal_gains_the_least_lm_is_taken() {
    let narrow = tree(&[("ab", &["a", "b"]), ("rest", &["c"])]);
    let wide = tree(&[("st", &["s", "t"]), ("rest", &["u", "v", "w", "x"])]);
    // Either pairs the single (a,s) with two rows.
    let rows = times(&[("as", 1), ("bs", 2), ("at", 2)]);
    let problem = letters(&rows, &[narrow, wide], 2);
    assert_eq!(
        first_step(&problem),
        "generalize 2 of the 6 values of q1 to st"
    );
}

#[test]
fn of_equal_lm_the_column_named_first_is_taken() {
    let one = tree(&[("ab", &["a", "b"]), ("rest", &["c"])]);
    let other = tree(&[("st", &["s", "t"]), ("rest", &["u"])]);
    let rows = times(&[("as", 1), ("bs", 2), ("at", 2)]);
    let problem = letters(&rows, &[one, other], 2);
    assert_eq!(
        first_step(&problem),
        "generalize 2 of the 3 values of q0 to ab"
    );
}

#[test]
fn within_a_column_the_lower_node_then_the_earlier_values() {
    let leaf = |name: &str, leaves: &[&str]| {
        let leaves = leaves.iter().map(|leaf| leaf.to_string()).collect();
        (name.to_string(), TreeSpec::Leaves(leaves))
    };
    let node = |name: &str, children: Vec<(String, TreeSpec)>| {
        (name.to_string(), TreeSpec::Inner(children))
    };
    // a and b are only children on the level of cd: the node over them stands higher.
    let tall = HierarchySpec::Tree(TreeSpec::Inner(vec![
        node("high", vec![leaf("a", &["a"]), leaf("b", &["b"])]),
        node("low", vec![leaf("cd", &["c", "d"])]),
    ]));
    let rows = times(&[("a", 2), ("b", 2), ("c", 2), ("d", 2)]);
    let problem = letters(&rows, &[tall], 4);
    assert_eq!(
        first_step(&problem),
        "generalize 2 of the 4 values of q0 to cd"
    );
    // On one level, the earlier values.
    let flat = tree(&[("ab", &["a", "b"]), ("cd", &["c", "d"])]);
    let problem = letters(&rows, &[flat], 4);
    assert_eq!(
        first_step(&problem),
        "generalize 2 of the 4 values of q0 to ab"
    );
}

/// Two columns of two values, each of which tells one of two labels, every combination twice.
fn two_targets(weights: [f64; 2]) -> Problem {
    let column = |bit: usize| -> Vec<&'static str> {
        let rows = 0..8usize;
        rows.map(|row| if row >> bit & 1 == 0 { "n" } else { "y" })
            .collect()
    };
    let mut table = Table::new(&[
        cells("q", &column(0)).kind(Kind::Text),
        cells("r", &column(1)).kind(Kind::Text),
        cells("first", &column(0)).role(Role::Target),
        cells("second", &column(1)).role(Role::Target),
    ]);
    table.policy.privacy.k = 4;
    let names = ["first", "second"].into_iter().zip(weights);
    table.policy.workload.targets = names
        .map(|(column, weight)| Target {
            column: column.into(),
            weight,
            ..Target::default()
        })
        .collect();
    table.problem("lm").unwrap()
}

#[test]
fn the_heavier_target_keeps_its_column() {
    for name in BOTH {
        for (weights, kept) in [([3.0, 1.0], 0), ([1.0, 3.0], 1)] {
            let outcome = run(name, "", &two_targets(weights));
            assert_eq!(labels(&outcome, kept), ["n", "y"], "{name} {weights:?}");
            assert_eq!(labels(&outcome, 1 - kept), ["*"], "{name} {weights:?}");
        }
    }
}

#[test]
fn what_a_step_loses_is_the_weighted_mean_over_targets() {
    // Suppressing r loses one bit of the second target and none of the first.
    for (measure, whole) in [("entropy", 1.0), ("gini", 0.5)] {
        let settings = format!("information = \"{measure}\"");
        let outcome = run("bottom-up", &settings, &two_targets([3.0, 1.0]));
        let lost = outcome.trace[1].tradeoff.unwrap().information;
        assert!((lost - whole / 4.0).abs() < 1e-12, "{measure}: {lost}");
    }
    // LM goes up by a column in two; `none` counts every step for one.
    for (measure, expected) in [("lm", 0.5), ("none", 1.0)] {
        let settings = format!("information = \"{measure}\"");
        let outcome = run("bottom-up", &settings, &two_targets([3.0, 1.0]));
        assert_eq!(outcome.trace[1].tradeoff.unwrap().information, expected);
    }
}

#[test]
fn over_the_table_a_rare_loss_is_a_small_one() {
    // x and y differ in the label and are rare; a to d are common, and differ by a little.
    let groups = tree(&[("xy", &["x", "y"]), ("abcd", &["a", "b", "c", "d"])]);
    let other = tree(&[("st", &["s", "t"]), ("uv", &["u", "v"])]);
    let (mut q, mut r, mut label) = (Vec::new(), Vec::new(), Vec::new());
    for (cell, rows, yes) in [("x", 3, 3), ("y", 3, 0), ("a", 40, 22), ("b", 40, 18)] {
        for row in 0..rows {
            q.push(cell);
            r.push(["s", "t", "u", "v"][row % 4]);
            label.push(if row < yes { "yes" } else { "no" });
        }
    }
    let mut table = Table::new(&[
        cells("q", &q).with(&groups),
        cells("r", &r).with(&other),
        cells("label", &label).role(Role::Target),
    ]);
    for attribute in &mut table.attributes {
        attribute.settings.scheme = Scheme::Cut;
    }
    table.policy.privacy.k = 5;
    let problem = table.problem("lm").unwrap();
    let lost = |over: &str| {
        let outcome = run("bottom-up", &format!("over = \"{over}\""), &problem);
        let steps = outcome.trace.iter();
        let rare = steps.filter(|step| step.what.ends_with("of q to xy"));
        let lost: Vec<f64> = rare.map(|s| s.tradeoff.unwrap().information).collect();
        lost[0]
    };
    assert_eq!(lost("generalized"), 1.0);
    assert!((lost("table") - 6.0 / 86.0).abs() < 1e-12);
}

#[test]
fn every_kind_of_requirement_is_met_and_bites() {
    // Eight values of two rows each; the illness follows the value, and so does the pay.
    let pairs = tree(&[
        ("ab", &["a", "b"]),
        ("cd", &["c", "d"]),
        ("ef", &["e", "f"]),
        ("gh", &["g", "h"]),
    ]);
    let q = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let q: Vec<&str> = q.into_iter().flat_map(|cell| [cell; 2]).collect();
    let illness = ["flu", "cold", "flu", "cold", "flu", "cold", "flu", "cold"];
    let illness: Vec<&str> = illness.into_iter().flat_map(|cell| [cell; 2]).collect();
    let pay = ["10", "90", "10", "90", "10", "90", "10", "90"];
    let pay: Vec<&str> = pay.into_iter().flat_map(|cell| [cell; 2]).collect();
    let of = |measure, column: &str| Diversity {
        column: column.into(),
        measure,
    };
    let close = Closeness {
        column: "illness".into(),
        t: 0.25,
    };
    let asked: Vec<(&str, Vec<Diversity>, Vec<Closeness>)> = vec![
        ("k alone", vec![], vec![]),
        (
            "distinct",
            vec![of(DiversityMeasure::Distinct { l: 2 }, "illness")],
            vec![],
        ),
        (
            "entropy",
            vec![of(DiversityMeasure::Entropy { l: 1.9 }, "illness")],
            vec![],
        ),
        (
            "recursive",
            vec![of(DiversityMeasure::Recursive { c: 1.5, l: 2 }, "illness")],
            vec![],
        ),
        (
            "squared error",
            vec![of(DiversityMeasure::SquaredError { error: 1000.0 }, "pay")],
            vec![],
        ),
        ("closeness", vec![], vec![close]),
    ];
    for (kind, diversity, closeness) in asked {
        let mut table = Table::new(&[
            cells("q", &q).with(&pairs),
            cells("illness", &illness).role(Role::Sensitive),
            cells("pay", &pay).kind(Kind::Integer).role(Role::Sensitive),
        ]);
        table.attributes[0].settings.scheme = Scheme::Cut;
        table.policy.privacy.k = 2;
        let bites = !diversity.is_empty() || !closeness.is_empty();
        table.policy.privacy.diversity = diversity;
        table.policy.privacy.closeness = closeness;
        let problem = table.problem("lm").unwrap();
        for name in BOTH {
            let outcome = run(name, "", &problem);
            let made = labels(&outcome, 0);
            let expected = if bites { 4 } else { 8 };
            assert_eq!(made.len(), expected, "{kind} {name}: {made:?}");
            let mut classes = outcome
                .recoding
                .classes(&problem.attributes, &problem.counts);
            let mode = problem.suppression.mode;
            let requirements = &problem.requirements;
            let short =
                coarsen::privacy::enforce(&problem.counts, requirements, mode, &mut classes);
            assert_eq!(short, 0, "{kind} {name}");
        }
    }
}
