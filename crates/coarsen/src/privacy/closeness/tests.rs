//! The distances against the paper's examples and against brute force.

use proptest::prelude::*;

use super::ground::Ground;
use super::*;
use crate::counts::TallyView;
use crate::domain::hierarchy::{Built, Description, RawColumn, build as build_hierarchy};
use crate::domain::{Code, Domain, Kind, Value};
use crate::policy::{HierarchySpec, TreeSpec};

fn integers(values: std::ops::Range<i64>, missing: bool) -> Domain {
    Domain::new(
        Kind::Integer,
        None,
        values.map(Value::Integer).collect(),
        missing,
    )
}

/// The distance between two lists of rows, one a code.
fn distance(ground: &Ground, class: &[u64], whole: &[u64]) -> f64 {
    let held = |rows: &[u64]| -> (Vec<Code>, Vec<u64>) {
        (0..)
            .zip(rows.iter().copied())
            .filter(|(_, rows)| *rows > 0)
            .unzip()
    };
    let ((values, rows), (all_values, all_rows)) = (held(class), held(whole));
    ground.distance(
        TallyView {
            values: &values,
            rows: &rows,
        },
        TallyView {
            values: &all_values,
            rows: &all_rows,
        },
    )
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-12
}

/// Groups of 3, 1 and 2 leaves, and a missing value: height 2.
fn tree() -> Built {
    let leaves = |names: &[&str]| TreeSpec::Leaves(names.iter().map(|n| n.to_string()).collect());
    let spec = HierarchySpec::Tree(TreeSpec::Inner(vec![
        ("A".into(), leaves(&["a1", "a2", "a3"])),
        ("B".into(), leaves(&["b1"])),
        ("C".into(), leaves(&["c1", "c2"])),
    ]));
    let cells = [Some(Value::Text("a1".into())), None];
    let column = RawColumn {
        name: "s",
        cells: &cells,
        rows: &[1, 1],
    };
    build_hierarchy(
        column,
        Description {
            hierarchy: Some(&spec),
            ..Default::default()
        },
    )
    .unwrap()
}

#[test]
fn the_salaries_of_li_et_al() {
    // Section 5.2: salaries 3k to 11k once each; {3k, 4k, 5k} is 0.375 away, {6k, 8k, 11k} 0.167.
    let ground = Ground::ordered(&integers(3..12, false));
    let whole = [1; 9];
    assert!(near(
        distance(&ground, &[1, 1, 1, 0, 0, 0, 0, 0, 0], &whole),
        0.375
    ));
    assert!(near(
        distance(&ground, &[0, 0, 0, 1, 0, 1, 0, 0, 1], &whole),
        1.0 / 6.0
    ));
}

#[test]
fn values_that_nobody_has_take_no_step() {
    // From one of two values to the other: all of the way, whatever the domain has between them.
    let ground = Ground::ordered(&integers(0..5, false));
    let far = |class: &[u64], whole: &[u64]| distance(&ground, class, whole);
    assert!(near(far(&[1, 0, 0, 0, 0], &[0, 0, 0, 0, 1]), 1.0));
    // Half of the rows go one step of one.
    assert!(near(far(&[1, 0, 0, 0, 0], &[1, 0, 1, 0, 0]), 0.5));
    // Half of the rows go two steps of two: the middle value is there.
    assert!(near(far(&[2, 0, 0, 0, 0], &[1, 0, 0, 0, 1]), 0.5));
    assert!(near(far(&[3, 0, 0, 0, 0], &[1, 0, 1, 0, 1]), 0.5));
}

#[test]
fn a_tree_moves_rows_as_high_as_it_must() {
    let Built {
        domain, hierarchy, ..
    } = tree();
    let ground = Ground::hierarchical(&domain, &hierarchy);
    // All of a1 to all of a2, below A, which has half the height.
    assert!(near(
        distance(&ground, &[1, 0, 0, 0, 0, 0], &[0, 1, 0, 0, 0, 0]),
        0.5
    ));
    // a1 to c1 meets at the top.
    assert!(near(
        distance(&ground, &[1, 0, 0, 0, 0, 0], &[0, 0, 0, 0, 1, 0]),
        1.0
    ));
    // Half stays in A (a1 to a2), half goes from A to C: 0.5 · 0.5 + 0.5 · 1.
    assert!(near(
        distance(&ground, &[2, 0, 0, 0, 0, 0], &[0, 1, 0, 0, 1, 0]),
        0.75
    ));
    // A missing value is 1 away from all.
    assert!(near(
        distance(&ground, &[0, 0, 0, 0, 0, 0, 1], &[1, 0, 0, 0, 0, 0]),
        1.0
    ));
}

#[test]
fn a_root_below_the_suppressed_top_does_not_bring_values_nearer() {
    let leaves = |names: &[&str]| TreeSpec::Leaves(names.iter().map(|n| n.to_string()).collect());
    let spec = HierarchySpec::Tree(TreeSpec::Inner(vec![(
        "Any".into(),
        leaves(&["x", "y", "z"]),
    )]));
    let cells = [Some(Value::Text("x".into()))];
    let column = RawColumn {
        name: "s",
        cells: &cells,
        rows: &[1],
    };
    let description = Description {
        hierarchy: Some(&spec),
        ..Default::default()
    };
    let Built {
        domain, hierarchy, ..
    } = build_hierarchy(column, description).unwrap();
    assert_eq!(hierarchy.height(), 2);
    let ground = Ground::hierarchical(&domain, &hierarchy);
    assert!(near(distance(&ground, &[1, 0, 0], &[0, 0, 1]), 1.0));
}

#[test]
fn the_distance_follows_the_column_where_the_policy_is_silent() {
    let Built {
        domain, hierarchy, ..
    } = tree();
    let column = |domain: &Domain, hierarchy: Option<&crate::domain::Hierarchy>| TallyColumn {
        name: "s".into(),
        domain: domain.clone(),
        hierarchy: hierarchy.cloned(),
    };
    let far = |column: &TallyColumn, stated: Option<&Column>, class: &[u64], whole: &[u64]| {
        distance(&ground(stated, column).unwrap(), class, whole)
    };
    let numbers = column(&integers(0..3, false), None);
    // Two thirds go a first step, one third a second: 1 of 2 steps. Unordered, two thirds move.
    assert!(near(far(&numbers, None, &[1, 0, 0], &[1, 1, 1]), 0.5));
    let unordered = Column {
        distance: Some(Distance::Unordered),
        ..Default::default()
    };
    assert!(near(
        far(&numbers, Some(&unordered), &[1, 0, 0], &[1, 1, 1]),
        2.0 / 3.0
    ));
    assert!(near(
        far(
            &column(&domain, Some(&hierarchy)),
            None,
            &[1, 0, 0],
            &[0, 1, 0]
        ),
        0.5
    ));
    assert!(near(
        far(&column(&domain, None), None, &[1, 0, 0], &[0, 1, 0]),
        1.0
    ));
    let order = Column {
        order: Some(Vec::new()),
        ..Default::default()
    };
    assert!(near(
        far(&column(&domain, None), Some(&order), &[1], &[1; 6]),
        // One row moves, in sixths, 1 + 2 + 3 + 4 + 5 of the five steps.
        15.0 / 6.0 / 5.0
    ));
}

/// The least work by Kantorovich's duality: the most that heights on the values, no two of which
/// differ by more than their distance, can tell the distributions apart. Whole distances have whole
/// heights among the best.
fn brute_force(far: &dyn Fn(usize, usize) -> usize, most: usize, p: &[u64], q: &[u64]) -> f64 {
    let (some, all) = (p.iter().sum::<u64>() as f64, q.iter().sum::<u64>() as f64);
    let n = p.len();
    let mut heights = vec![0usize; n];
    let mut best = 0.0f64;
    loop {
        let legal = (0..n).all(|i| (0..i).all(|j| heights[i].abs_diff(heights[j]) <= far(i, j)));
        if legal {
            let told = (0..n).map(|i| heights[i] as f64 * (p[i] as f64 / some - q[i] as f64 / all));
            best = best.max(told.sum());
        }
        let Some(place) = heights.iter().position(|height| *height < most) else {
            break;
        };
        heights[place] += 1;
        heights[..place].fill(0);
    }
    best / most as f64
}

fn rows(n: usize) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(0u64..5, n).prop_filter("some rows", |rows| rows.iter().sum::<u64>() > 0)
}

proptest! {
    #[test]
    fn ordered_and_unordered_agree_with_brute_force(
        (m, missing, class, whole) in (2usize..5, any::<bool>()).prop_flat_map(|(m, missing)| {
            let n = m + usize::from(missing);
            // Every value is in the table, for steps are counted over those.
            (Just(m), Just(missing), rows(n), prop::collection::vec(1u64..5, n))
        })
    ) {
        let domain = integers(0..m as i64, missing);
        let steps = |i: usize, j: usize| if i == m || j == m { m - 1 } else { i.abs_diff(j) };
        let ordered = distance(&Ground::ordered(&domain), &class, &whole);
        prop_assert!(near(ordered, brute_force(&steps, m - 1, &class, &whole)));
        let apart = |i: usize, j: usize| usize::from(i != j);
        let unordered = distance(&Ground::unordered(), &class, &whole);
        prop_assert!(near(unordered, brute_force(&apart, 1, &class, &whole)));
        prop_assert!(ordered <= unordered + 1e-12);
    }

    #[test]
    fn the_tree_agrees_with_brute_force(class in rows(7), whole in rows(7)) {
        let Built { domain, hierarchy, .. } = tree();
        let levels = hierarchy.levels();
        let meet = |i: usize, j: usize| {
            levels.iter().position(|level| level.node_of[i] == level.node_of[j]).unwrap()
        };
        let found = distance(&Ground::hierarchical(&domain, &hierarchy), &class, &whole);
        prop_assert!(near(found, brute_force(&meet, 2, &class, &whole)));
    }
}
