//! Mondrian (seed 001): its worked situations, its rules against each other, and its laws.
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::counts::Classes;
use coarsen::domain::{Kind, SUPPRESSED};
use coarsen::policy::{HierarchySpec, Role, Scheme, SuppressionMode};
use coarsen::problem::Problem;
use coarsen::recoding::{Recoding, Regions};
use coarsen::search::{self, Run, Stop};
use coarsen::synthetic::{Agrawal, AgrawalColumns, AgrawalSettings};
use common::{Cells, Table, assert_near, cells, cost, tree};
use proptest::prelude::*;

/// Mondrian under a split rule.
fn split(problem: &Problem, rule: &str) -> (Regions, Classes) {
    let settings: toml::Value = toml::from_str(&format!("split = \"{rule}\"")).unwrap();
    let mondrian = (search::find("mondrian").unwrap().build)(Some(&settings)).unwrap();
    let outcome = mondrian.search(problem, &Run::new(1)).unwrap();
    assert_eq!(outcome.stop, Stop::Complete);
    let Recoding::Regions(regions) = outcome.recoding else {
        panic!("Mondrian makes regions")
    };
    let classes = regions.classes(&problem.attributes, &problem.counts);
    (regions, classes)
}

/// What is released for each row, joined by spaces.
fn labels(table: &Table, classes: &Classes) -> Vec<String> {
    let released = table.released(classes, SuppressionMode::Drop);
    released
        .into_iter()
        .map(|row| row.unwrap().join(" "))
        .collect()
}

fn numbers(name: &str, values: &[i64]) -> Cells {
    let texts: Vec<String> = values.iter().map(i64::to_string).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    cells(name, &texts).kind(Kind::Integer)
}

fn targets(name: &str, values: &[&str]) -> Cells {
    cells(name, values).role(Role::Target)
}

fn ordered(mut column: Cells) -> Cells {
    column.described.scheme = Some(Scheme::Ordered);
    column
}

#[test]
fn the_median_of_the_widest_column_by_hand() {
    // Age spans its whole domain (1), height too: the tie goes to age, the first column. Its median
    // cut parts 20 21 22 | 60 61 62. On the left age spans 2/42 and height 10/10, so height is cut at
    // its median: with k = 1, three rows part as 1 | 2 (as near to the middle, the lower cut first).
    let mut table = Table::new(&[
        numbers("age", &[20, 21, 22, 60, 61, 62]),
        numbers("height", &[0, 5, 10, 0, 5, 10]),
    ]);
    table.policy.privacy.k = 3;
    let (_, classes) = split(&table.problem("lm").unwrap(), "median");
    assert_eq!(labels(&table, &classes)[0], "20..22 0..10");
    assert_eq!(labels(&table, &classes)[5], "60..62 0..10");
    assert_eq!(classes.len(), 2);

    table.policy.privacy.k = 1;
    let (_, classes) = split(&table.problem("lm").unwrap(), "median");
    assert_eq!(
        labels(&table, &classes),
        ["20 0", "21 5", "22 10", "60 0", "61 5", "62 10"]
    );
}

#[test]
fn a_cut_at_the_median_that_is_not_allowed_moves_to_the_nearest_that_is() {
    // Five of eight rows are 10: below or above, the median cut stands beside them.
    let mut table = Table::new(&[numbers("age", &[1, 10, 10, 10, 10, 10, 20, 21])]);
    table.policy.privacy.k = 2;
    let (_, classes) = split(&table.problem("lm").unwrap(), "median");
    let rows = labels(&table, &classes);
    assert_eq!((rows[0].as_str(), rows[7].as_str()), ("1..10", "20..21"));
}

#[test]
fn names_are_cut_by_the_children_of_their_node_all_at_once() {
    let work = tree(&[
        ("government", &["federal", "state"]),
        ("private", &["inc", "own"]),
    ]);
    let rows = ["federal", "state", "inc", "inc", "own", "own"];
    let mut table = Table::new(&[cells("work", &rows).with(&work)]);
    table.policy.privacy.k = 2;
    // The root parts into its two groups; private (2 + 2) once more, government (1 + 1) not.
    let (regions, classes) = split(&table.problem("lm").unwrap(), "median");
    let expected = ["government", "government", "inc", "inc", "own", "own"];
    assert_eq!(labels(&table, &classes), expected);
    assert_eq!(regions.regions.len(), 3);
    // In order, federal and state have to stay together too, but by the name of the set.
    let mut table = Table::new(&[ordered(cells("work", &rows).with(&work))]);
    table.policy.privacy.k = 2;
    let (_, classes) = split(&table.problem("lm").unwrap(), "loss");
    assert_eq!(labels(&table, &classes)[0], "government");
    // Without a hierarchy, the root parts into its values or stays.
    let mut table = Table::new(&[cells("work", &rows)]);
    table.policy.privacy.k = 2;
    let (_, classes) = split(&table.problem("lm").unwrap(), "median");
    assert_eq!(labels(&table, &classes), [SUPPRESSED; 6]);
}

#[test]
fn a_missing_value_parts_from_the_others_like_any_value() {
    let mut table = Table::new(&[
        numbers("age", &[1, 2, 3, 4]),
        cells("zip", &["", "", "7", "7"]),
    ]);
    table.policy.privacy.k = 2;
    let (_, classes) = split(&table.problem("lm").unwrap(), "loss");
    assert_eq!(classes.len(), 2);
    assert_eq!(labels(&table, &classes)[3], "3..4 7");
    assert!(labels(&table, &classes)[0].starts_with("1..2"));
}

/// Fig. 2's situation: two quadrants of +, two of -, like a chess board of four fields.
#[test]
fn figure_2_no_partition_of_columns_does_what_regions_do() {
    let (mut age, mut zip, mut label) = (Vec::new(), Vec::new(), Vec::new());
    for (a, z, l) in [(20, 10, "+"), (40, 20, "+"), (20, 20, "-"), (40, 10, "-")] {
        for i in 0..3 {
            age.push(a + i);
            zip.push(z + i);
            label.push(l);
        }
    }
    let mut table = Table::new(&[
        numbers("age", &age),
        numbers("zip", &zip),
        targets("label", &label),
    ]);
    table.policy.privacy.k = 3;
    let problem = table.problem("conditional-entropy").unwrap();
    let (_, classes) = split(&problem, "info-gain");
    assert_near(cost("conditional-entropy", &problem, &classes), 0.0);
    assert_eq!(classes.len(), 4);
}

/// Fig. 4: a query that 6 rows satisfy and 10 are returned for, an imprecision of 4; and a Selection
/// Mondrian that returns the 6 alone.
#[test]
fn figure_4_imprecision_and_the_split_that_removes_it() {
    // Twelve rows on a line; the query asks for 4..9, which k = 3 allows to cut out.
    let ages: Vec<i64> = (1..=12).collect();
    let mut table = Table::new(&[numbers("age", &ages)]);
    table.policy.privacy.k = 3;
    table.policy.workload.selections = vec!["age between 4 and 9".into()];
    let problem = table.problem("imprecision").unwrap();
    let (_, classes) = split(&problem, "selection");
    assert_near(cost("imprecision", &problem, &classes), 0.0);

    table.policy.privacy.k = 4;
    let problem = table.problem("imprecision").unwrap();
    // 1..4 | 5..8 | 9..12 all overlap: 12 − 6. 1..3 has three rows only. Two parts that are cut off
    // at 10 or below 4 are not allowed, so no split lowers the imprecision of the whole.
    let (_, classes) = split(&problem, "selection");
    assert_near(cost("imprecision", &problem, &classes), 6.0);
    let (_, classes) = split(&problem, "median");
    assert_near(cost("imprecision", &problem, &classes), 6.0);

    // Six rows satisfy and ten are returned: with k = 5 the only cut is in the middle of the query.
    let mut table = Table::new(&[numbers("age", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10])]);
    table.policy.privacy.k = 5;
    table.policy.workload.selections = vec!["age between 3 and 8".into()];
    let problem = table.problem("imprecision").unwrap();
    let (_, classes) = split(&problem, "selection");
    assert_near(cost("imprecision", &problem, &classes), 4.0);

    // With four more rows far away, 9 and 10 go with those: eight are returned.
    let mut table = Table::new(&[numbers(
        "age",
        &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 21, 22, 23],
    )]);
    table.policy.privacy.k = 4;
    table.policy.workload.selections = vec!["age between 3 and 8".into()];
    let problem = table.problem("imprecision").unwrap();
    let (_, classes) = split(&problem, "selection");
    assert_near(cost("imprecision", &problem, &classes), 2.0);
}

#[test]
fn every_requirement_constrains_a_split() {
    let ages: Vec<i64> = (0..8).collect();
    let disease = ["flu", "flu", "flu", "cold", "cold", "flu", "cold", "flu"];
    let mut table = Table::new(&[
        numbers("age", &ages),
        cells("disease", &disease).role(Role::Sensitive),
    ]);
    table.policy.privacy.k = 2;
    let (_, classes) = split(&table.problem("lm").unwrap(), "median");
    assert_eq!(classes.len(), 4);
    table.policy.privacy.diversity = vec![coarsen::policy::Diversity {
        column: "disease".into(),
        measure: coarsen::policy::DiversityMeasure::Distinct { l: 2 },
    }];
    let problem = table.problem("lm").unwrap();
    let (_, classes) = split(&problem, "median");
    // 0 1 2 3 | 4 5 | 6 7: the first four cannot be parted, for 0 1 2 are all flu.
    assert_eq!(
        labels(&table, &classes),
        [
            "0..3", "0..3", "0..3", "0..3", "4..5", "4..5", "6..7", "6..7"
        ]
    );
}

#[test]
fn categories_and_quantities_weigh_alike_by_their_weights() {
    // x parts the label, y parts the pay. Whichever target has the greater weight is cut for first;
    // with k = 4 there is only one cut.
    let (mut x, mut y, mut label, mut pay) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for i in 0..8 {
        x.push(i / 4);
        y.push(i % 2);
        label.push(if i < 4 { "a" } else { "b" });
        pay.push(1000 * (i % 2));
    }
    for (heavy, first) in [("label", "0 0..1"), ("pay", "0..1 0")] {
        let mut table = Table::new(&[
            numbers("x", &x),
            numbers("y", &y),
            targets("label", &label),
            numbers("pay", &pay).role(Role::Target),
        ]);
        table.policy.privacy.k = 4;
        table.policy.workload.targets = ["label", "pay"]
            .map(|column| coarsen::policy::Target {
                column: column.into(),
                weight: if column == heavy { 2.0 } else { 1.0 },
                ..Default::default()
            })
            .to_vec();
        let (_, classes) = split(&table.problem("lm").unwrap(), "auto");
        assert_eq!(labels(&table, &classes)[0], first, "{heavy}");
    }
}

#[test]
fn a_rule_without_its_workload_is_refused_in_words() {
    let table = Table::new(&[numbers("age", &[1, 2, 3, 4])]);
    let problem = table.problem("lm").unwrap();
    for rule in ["info-gain", "lsd", "selection"] {
        let settings: toml::Value = toml::from_str(&format!("split = \"{rule}\"")).unwrap();
        let mondrian = (search::find("mondrian").unwrap().build)(Some(&settings)).unwrap();
        let error = mondrian.search(&problem, &Run::new(1)).unwrap_err();
        assert!(error.to_string().contains(rule), "{error}");
    }
}

/// A synthetic table of seed 001's Fig. 6 with its label.
fn synthetic(function: u8, seed: u64, rows: usize) -> Table {
    let settings = AgrawalSettings {
        functions: vec![function],
        seed,
        random_constants: (2..=6).contains(&function),
        noise: 0.0,
    };
    let mut columns = AgrawalColumns::default();
    Agrawal::new(settings)
        .unwrap()
        .next_rows(rows, &mut columns);
    let decimals = |name: &str, values: &[f64]| {
        let texts: Vec<String> = values.iter().map(f64::to_string).collect();
        cells(name, &texts.iter().map(String::as_str).collect::<Vec<_>>()).kind(Kind::Decimal)
    };
    let labels: Vec<&str> = columns.labels[0]
        .iter()
        .map(|a| if *a { "A" } else { "B" })
        .collect();
    Table::new(&[
        decimals("salary", &columns.salary),
        decimals("commission", &columns.commission),
        numbers("age", &columns.age),
        numbers("elevel", &columns.elevel),
        numbers("zipcode", &columns.zipcode),
        decimals("hvalue", &columns.hvalue),
        numbers("hyears", &columns.hyears),
        decimals("loan", &columns.loan),
        targets("group", &labels),
    ])
}

#[test]
fn info_gain_leaves_less_entropy_than_the_median_in_every_function() {
    // The whole of it where it is quick.
    let (trials, rows) = if cfg!(debug_assertions) {
        (8, 300)
    } else {
        (100, 1000)
    };
    for function in [2, 4, 6, 7] {
        let (mut gain, mut median) = (0.0, 0.0);
        for trial in 0..trials {
            let mut table = synthetic(function, trial, rows);
            table.policy.privacy.k = 25;
            let problem = table.problem("conditional-entropy").unwrap();
            gain += cost(
                "conditional-entropy",
                &problem,
                &split(&problem, "info-gain").1,
            )
            .unwrap();
            median += cost(
                "conditional-entropy",
                &problem,
                &split(&problem, "median").1,
            )
            .unwrap();
        }
        assert!(
            gain < median,
            "function {function}: {gain} against {median}"
        );
    }
}

#[test]
fn selection_is_less_imprecise_than_the_median_at_every_k() {
    for k in [10, 25, 50] {
        let (mut selected, mut median) = (0.0, 0.0);
        for trial in 0..5 {
            let mut table = synthetic(2, trial, 400);
            table.policy.privacy.k = k;
            table.policy.workload.selections =
                vec!["age < 40 and salary between 50000 and 100000".into()];
            let problem = table.problem("imprecision").unwrap();
            selected += cost("imprecision", &problem, &split(&problem, "selection").1).unwrap();
            median += cost("imprecision", &problem, &split(&problem, "median").1).unwrap();
        }
        assert!(selected < median, "k = {k}: {selected} against {median}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is cut: tiles cover every combination once, every class has k rows, and what a
    /// smaller k allows is at least as fine.
    #[test]
    fn regions_tile_the_domain_and_a_smaller_k_is_never_coarser(
        ages in prop::collection::vec(0i64..9, 4..40),
        picks in prop::collection::vec(0usize..4, 40),
        k in 1u64..4,
        rule in prop::sample::select(vec!["median", "loss"]),
        by_order in any::<bool>(),
    ) {
        let names = ["a", "b", "c", "d"];
        let group = tree(&[("ab", &["a", "b"]), ("cd", &["c", "d"])]);
        let values: Vec<&str> = ages.iter().zip(&picks).map(|(_, p)| names[*p]).collect();
        let mut named = cells("name", &values).with(&group);
        if by_order {
            named = ordered(named);
        }
        let mut table = Table::new(&[numbers("age", &ages), named]);
        prop_assume!(ages.len() as u64 >= 2 * k);
        let mut of_k = |k: u64| {
            table.policy.privacy.k = k;
            let problem = table.problem("lm").unwrap();
            let (regions, classes) = split(&problem, rule);
            let sizes: Vec<usize> =
                problem.attributes.iter().map(|a| a.domain.size()).collect();
            (regions, classes, sizes)
        };
        let (regions, classes, sizes) = of_k(k);
        prop_assert!(classes.rows().iter().all(|rows| *rows >= k));
        for age in 0..sizes[0] as u32 {
            for name in 0..sizes[1] as u32 {
                let holds = regions.regions.iter().filter(|region| {
                    region.tile[0].contains(&age) && region.tile[1].contains(&name)
                });
                prop_assert_eq!(holds.count(), 1);
            }
        }
        let (_, coarser, _) = of_k(2 * k);
        if rule == "median" {
            prop_assert!(coarser.len() <= classes.len());
        }
    }
}

/// Numbers with a hierarchy of intervals are cut between any two values all the same.
#[test]
fn intervals_do_not_bind_the_cuts_of_numbers() {
    let widths = HierarchySpec::Intervals {
        widths: vec![10.0],
        origin: 0.0,
    };
    let mut table = Table::new(&[numbers("age", &[8, 9, 11, 12]).with(&widths)]);
    table.policy.privacy.k = 2;
    let (_, classes) = split(&table.problem("lm").unwrap(), "median");
    assert_eq!(
        labels(&table, &classes),
        ["8..9", "8..9", "11..12", "11..12"]
    );
}
