//! The losses that ask what a release is meant for, on tables small enough to work by hand: targets to
//! predict, selections to make. The working stands beside each figure.
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::counts::Classes;
use coarsen::domain::Partition;
use coarsen::loss;
use coarsen::problem::Problem;
use coarsen::workload::{CostMatrix, Dispersion, bind};
use common::{
    assert_near, cells, classes, cost, identity, labelled, problem, problem_or, sets, suppress,
};

#[test]
fn cm_counts_rows_outside_their_majority() {
    // One each in a, b and c, none in d: 3/10. With a suppressed its four rows count: 4 + 1 + 1.
    let (mut problem, mut made) = labelled("cm");
    assert_near(cost("cm", &problem, &made), 0.3);
    suppress(&problem, &mut made, "a");
    assert_near(cost("cm", &problem, &made), 0.6);
    suppress(&problem, &mut made, "b");

    // Codes: n 0, y 1. To take y for n costs 5, n for y 1. Released: c is tied, and n comes first, so
    // its y costs 5; d nothing. Suppressed together: 4 y and 3 n, taken for y, 3.
    let costs = CostMatrix::new(&[vec![0.0, 1.0], vec![5.0, 0.0]]).unwrap();
    problem.workload.targets[0].costs = Some(costs);
    assert_near(cost("cm", &problem, &made), (5.0 + 3.0) / 10.0);
}

#[test]
fn cm_of_two_targets_is_their_weighted_mean() {
    let letters = ["a", "a", "b", "b"];
    let targets = [
        cells("s", &["y", "n", "n", "n"]),
        cells("t", &["u", "v", "u", "v"]),
    ];
    let mut problem = problem(1, &[cells("q", &letters)], &targets, "cm");
    problem.workload.targets[1].weight = 3.0;
    // s: 1/4, t: 2/4; (1/4 + 3 · 2/4)/4.
    let made = classes(&problem, &[identity(&problem.attributes[0])]);
    assert_near(cost("cm", &problem, &made), 7.0 / 16.0);
}

#[test]
fn conditional_entropy_is_in_bits() {
    // a: H(3/4) = 3/4 log2 4/3 + 1/4 log2 4 = 0.811278; b: H(1/3) = 0.918296; c: 1; d: 0.
    let entropy = |p: f64| -p * p.log2() - (1.0 - p) * (1.0 - p).log2();
    let (problem, mut made) = labelled("conditional-entropy");
    let (a, b, c) = (4.0 * entropy(0.75), 3.0 * entropy(1.0 / 3.0), 2.0);
    assert!((entropy(0.75) - 0.811278).abs() < 1e-6);
    assert_near(
        cost("conditional-entropy", &problem, &made),
        (a + b + c) / 10.0,
    );
    // c and d suppressed are one class: 1 y of 3.
    suppress(&problem, &mut made, "c");
    suppress(&problem, &mut made, "d");
    let together = 3.0 * entropy(1.0 / 3.0);
    assert_near(
        cost("conditional-entropy", &problem, &made),
        (a + b + together) / 10.0,
    );
}

#[test]
fn regression_is_the_dispersion_left_inside() {
    // 1, 3 | 8, 12: means 2 and 10, inside 1 + 1 + 4 + 4 = 10; the whole has mean 6 and
    // 25 + 9 + 4 + 36 = 74.
    let letters = ["a", "a", "b", "b", "c"];
    let pay = cells("pay", &["1", "3", "8", "12", ""]);
    let mut problem = problem(1, &[cells("q", &letters)], &[pay], "regression");
    let mut made = classes(&problem, &[identity(&problem.attributes[0])]);
    assert_near(cost("regression", &problem, &made), 10.0 / 74.0);
    // a suppressed: its rows keep 25 + 9 from the whole's mean.
    suppress(&problem, &mut made, "a");
    assert_near(cost("regression", &problem, &made), (34.0 + 8.0) / 74.0);

    // By absolute deviation, the lower median being 3: |1−3| + 0 + 5 + 9 = 16 in the whole; inside b,
    // around 8, it is 4; a suppressed keeps 2 + 0.
    problem.workload.dispersion = Dispersion::AbsoluteDeviation;
    assert_near(cost("regression", &problem, &made), (2.0 + 4.0) / 16.0);
}

#[test]
fn regression_of_a_column_that_does_not_vary_costs_nothing() {
    let problem = problem(
        1,
        &[cells("q", &["a", "b"])],
        &[cells("pay", &["7", "7"])],
        "regression",
    );
    let made = classes(&problem, &[identity(&problem.attributes[0])]);
    assert_near(cost("regression", &problem, &made), 0.0);
}

/// As seed 001's Figure 4: twelve rows in four regions along x, of which a selection overlaps three
/// that hold ten rows, six of them its own.
fn selected() -> (Problem, Classes) {
    let x = [
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
    ];
    let mut problem = problem(2, &[cells("x", &x)], &[], "lm");
    problem.workload.selections = vec![bind("x between 5 and 10", &problem.attributes).unwrap()];
    problem.loss = loss::find("imprecision").unwrap();
    let groups: [&[&str]; 4] = [&x[..2], &x[2..6], &x[6..9], &x[9..]];
    let partition = sets(&problem.attributes[0], &groups);
    let made = classes(&problem, &[partition]);
    (problem, made)
}

#[test]
fn imprecision_counts_rows_returned_too_many() {
    // Overlapping: 3..6 (4 rows), 7..9 (3), 10..12 (3): 10 returned, 6 asked for.
    let (mut problem, mut made) = selected();
    assert_eq!(
        problem.workload.selections[0].rows(&problem.counts),
        Some(6)
    );
    assert_near(cost("imprecision", &problem, &made), 4.0);
    // A second selection, of nothing but region 1..2: it returns 2 rows and asks for 1.
    let second = bind("x = 2", &problem.attributes).unwrap();
    problem.workload.selections.push(second);
    assert_near(cost("imprecision", &problem, &made), 5.0);
    // Suppressed, the rows 1 and 2 could be anywhere: the first selection returns them too, 2 more.
    suppress(&problem, &mut made, "1");
    assert_near(cost("imprecision", &problem, &made), 7.0);
    // And without selections there is nothing to ask.
    problem.workload.selections.clear();
    assert_eq!(cost("imprecision", &problem, &made), None);
}

#[test]
fn a_suppressed_cell_overlaps_every_selection() {
    let (problem, _) = selected();
    let top = problem.attributes[0].hierarchy.height();
    let made = classes(
        &problem,
        &[Partition::at_level(&problem.attributes[0], top)],
    );
    assert_near(cost("imprecision", &problem, &made), 6.0);
}

#[test]
fn a_loss_that_the_workload_does_not_feed_is_refused() {
    let q = || [cells("q", &["a", "b"])];
    let (label, pay) = (
        || [cells("label", &["y", "n"])],
        || [cells("pay", &["1", "2"])],
    );
    for (loss, refused, accepted) in [
        ("cm", pay(), label()),
        ("conditional-entropy", pay(), label()),
        ("regression", label(), pay()),
    ] {
        let error = problem_or(1, &q(), &refused, loss).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!(
                "the loss `{loss}` does not apply here: it needs a target"
            )),
            "{error}"
        );
        assert!(problem_or(1, &q(), &accepted, loss).is_ok());
    }
    let error = problem_or(1, &q(), &[], "imprecision")
        .unwrap_err()
        .to_string();
    assert!(error.contains("it needs selections"), "{error}");
    // What does not apply is absent from the list, not an error.
    let problem = problem(1, &q(), &[], "lm");
    let made = classes(&problem, &[identity(&problem.attributes[0])]);
    let missing: Vec<&str> = loss::all(&problem, &made)
        .iter()
        .filter(|(_, figure)| figure.is_none())
        .map(|(entry, _)| entry.name)
        .collect();
    assert_eq!(
        missing,
        ["cm", "regression", "conditional-entropy", "imprecision"]
    );
}
