//! The losses that look at the released values alone, on tables small enough to work by hand; the
//! working stands beside each figure. The values of the papers are in `papers.rs`.
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::domain::Partition;
use coarsen::loss::{self, LOSSES};
use coarsen::policy::{HierarchySpec, Side};
use common::{
    assert_near, cells, classes, cost, identity, labelled, problem, sets, suppress, work_classes,
};

#[test]
fn the_table_is_in_the_order_of_the_report() {
    let names: Vec<&str> = LOSSES.iter().map(|entry| entry.name).collect();
    let expected =
        "prec lm cm regression dm hdm average-class-size conditional-entropy imprecision";
    assert_eq!(names.join(" "), expected);
    assert!(
        LOSSES
            .iter()
            .all(|e| !e.summary.is_empty() && !e.formula.is_empty())
    );
}

#[test]
fn lm_of_an_interval_and_of_suppression() {
    // Of the numbers 1 to 16, the interval 1..3 covers (3 − 1)/(16 − 1).
    let ranks: Vec<String> = (1..=16).map(|rank| rank.to_string()).collect();
    let ranks: Vec<&str> = ranks.iter().map(String::as_str).collect();
    let both = [cells("education", &ranks), cells("same", &["x"; 16])];
    let problem = problem(1, &both, &[], "lm");
    let education = &problem.attributes[0];
    let mut groups: Vec<&[&str]> = ranks.chunks(1).collect();
    groups.splice(0..3, [&ranks[0..3]]);
    let partition = sets(education, &groups);

    // Three rows of 2/15 and thirteen of 0 in one column, none in the other.
    let mut made = classes(&problem, &[partition, identity(&problem.attributes[1])]);
    let column = 3.0 * 2.0 / 15.0 / 16.0;
    assert_near(cost("lm", &problem, &made), column / 2.0);
    assert_near(Some(loss::lm_sum(&problem, &made)), column);
    // One of the thirteen suppressed: 1 in both columns.
    suppress(&problem, &mut made, "16");
    let (education, same) = ((3.0 * 2.0 / 15.0 + 1.0) / 16.0, 1.0 / 16.0);
    assert_near(cost("lm", &problem, &made), (education + same) / 2.0);
    assert_near(Some(loss::lm_sum(&problem, &made)), education + same);
}

#[test]
fn hdm_of_suppression() {
    // A row that is suppressed costs 1, and so does one whose value becomes `*`.
    let rows = ["Inc", "Inc", "Not-inc", "Private", "Private"];
    let column = cells("work", &rows).with(&work_classes());
    let problem = problem(1, &[column], &[], "hdm");
    let mut exact = classes(&problem, &[identity(&problem.attributes[0])]);
    assert_near(cost("hdm", &problem, &exact), 0.0);
    suppress(&problem, &mut exact, "Inc");
    assert_near(cost("hdm", &problem, &exact), 2.0 / 5.0);
    let top = Partition::at_level(&problem.attributes[0], 2);
    assert_near(cost("hdm", &problem, &classes(&problem, &[top])), 1.0);
}

#[test]
fn hdm_of_an_interval_counts_the_table_s_rows() {
    // Ages 20, 20, 30, 40; 20 and 30 merge. Each 20: (3 − 2)/(4 − 2) = 1/2; the 30: (3 − 1)/(4 − 1)
    // = 2/3; the 40 nothing. The mean is (1/2 + 1/2 + 2/3)/4 = 5/12.
    let problem = problem(1, &[cells("age", &["20", "20", "30", "40"])], &[], "hdm");
    let partition = sets(&problem.attributes[0], &[&["20", "30"], &["40"]]);
    assert_near(
        cost("hdm", &problem, &classes(&problem, &[partition])),
        5.0 / 12.0,
    );
}

#[test]
fn prec_takes_weights_and_needs_nodes() {
    let mask = HierarchySpec::Mask {
        side: Side::Right,
        levels: None,
    };
    let columns = [
        cells("zip", &["11", "12", "22"]).with(&mask),
        cells("sex", &["f", "m", "f"]),
    ];
    let mut problem = problem(1, &columns, &[], "prec");
    problem.attributes[0].settings.weight = 3.0;
    // ZIP climbs 1 of 2 levels everywhere, sex none: 1 − 3 · (1/2) / 4.
    let partitions = [
        Partition::at_level(&problem.attributes[0], 1),
        identity(&problem.attributes[1]),
    ];
    let made = classes(&problem, &partitions);
    assert_near(Some(1.0 - problem.cost(&made)), 1.0 - 3.0 / 8.0);
    // 12 and 22 have no node of their own.
    let odd = sets(&problem.attributes[0], &[&["11"], &["12", "22"]]);
    let made = classes(&problem, &[odd, identity(&problem.attributes[1])]);
    assert_eq!(cost("prec", &problem, &made), None);
    assert_eq!(problem.cost(&made), f64::INFINITY);
}

#[test]
fn dm_counts_what_a_row_cannot_be_told_from() {
    // k = 3: 4² + 3² + 2·10 + 1·10 = 55. With a suppressed: 4·10 + 3² + 2·10 + 1·10 = 79.
    let (problem, mut made) = labelled("dm");
    assert_near(cost("dm", &problem, &made), 55.0);
    suppress(&problem, &mut made, "a");
    assert_near(cost("dm", &problem, &made), 79.0);
}

#[test]
fn average_class_size_is_over_what_is_released() {
    // 10/4 rows a class; without d, 9/3; k = 3.
    let (problem, mut made) = labelled("average-class-size");
    assert_near(cost("average-class-size", &problem, &made), 2.5);
    suppress(&problem, &mut made, "d");
    assert_near(cost("average-class-size", &problem, &made), 3.0);
    assert_near(loss::normalized_average_class_size(&problem, &made), 1.0);
    for letter in ["a", "b", "c"] {
        suppress(&problem, &mut made, letter);
    }
    assert_eq!(cost("average-class-size", &problem, &made), None);
}
