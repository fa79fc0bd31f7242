//! Why a release looks as it does: the words name what would break, by whichever requirement.
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::explain::{Broken, explain};
use coarsen::policy::{Closeness, Diversity, DiversityMeasure, NarrowerSpec, Role};
use coarsen::privacy::enforce;
use coarsen::recoding::{Partitions, Recoding};
use common::sweeney::{fig_7, fig_7_with, run};
use common::{PT, Table, cells};

/// The explanation of a table at some levels.
fn at(table: &Table, levels: &[usize]) -> coarsen::explain::Explanation {
    let problem = table.problem("prec").unwrap();
    let recoding = Recoding::Partitions(Partitions::at_levels(&table.attributes, levels));
    let mut classes = recoding.classes(&table.attributes, &table.counts);
    let mode = table.policy.suppression.mode;
    enforce(&table.counts, &problem.requirements, mode, &mut classes);
    explain(&problem, Some(&recoding), &classes)
}

fn broken(requirement: &str, rows: u64) -> Broken {
    Broken {
        requirement: requirement.into(),
        rows,
    }
}

#[test]
fn figure_10_what_would_break_and_why_two_rows_are_gone() {
    let table = fig_7(0.17);
    let problem = table.problem("prec").unwrap();
    let outcome = run("datafly", "", &problem).unwrap();
    let mut classes = outcome.recoding.classes(&table.attributes, &table.counts);
    let mode = table.policy.suppression.mode;
    enforce(&table.counts, &problem.requirements, mode, &mut classes);
    let why = outcome.explain(&problem, &classes);
    let birth = &why.columns[1];
    // To the day, all ten are alone.
    assert_eq!(
        (birth.level, birth.short_rows, birth.broken_classes),
        (Some(1), 10, 5)
    );
    assert_eq!(birth.broken, [broken("2-anonymity", 10)]);
    assert_eq!(birth.smallest, 1);
    assert!(why.columns[0].broken.is_empty() && why.columns[0].text.contains("as it is"));
    assert_eq!((why.suppression.rows, why.suppression.unique_rows), (2, 2));
    assert_eq!(why.suppression.broken, [broken("2-anonymity", 2)]);
}

#[test]
fn whichever_requirement_would_break_is_named() {
    // Race is `person`: black and white are told apart one level lower. Both have two rows and both
    // illnesses, so that k holds; the classes of black have one illness only.
    let race = common::tree(&[("person", &["black", "white"])]);
    let table = |diversity: u64, t: Option<f64>| {
        let mut table = Table::new(&[
            cells("race", &["black", "black", "white", "white"]).with(&race),
            cells("illness", &["flu", "flu", "flu", "gout"]).role(Role::Sensitive),
        ]);
        table.policy.privacy.k = 2;
        table.policy.privacy.diversity = vec![Diversity {
            column: "illness".into(),
            measure: DiversityMeasure::Distinct { l: diversity },
        }];
        let column = "illness".to_string();
        table.policy.privacy.closeness = t.map(|t| Closeness { column, t }).into_iter().collect();
        table
    };
    let why = at(&table(2, None), &[1]);
    assert_eq!(why.columns[0].short_rows, 2);
    assert_eq!(why.columns[0].broken.len(), 1);
    assert!(
        why.columns[0].broken[0].requirement.contains("distinct"),
        "{why:?}"
    );
    assert!(!why.columns[0].text.contains("2-anonymity"));
    // Each race is a quarter away from all four: flu 1 and 1/2 for 3/4.
    let why = at(&table(1, Some(0.2)), &[1]);
    assert_eq!(why.columns[0].short_rows, 4);
    assert_eq!(
        why.columns[0].broken,
        [broken("0.2-closeness of `illness`", 4)]
    );
    let why = at(&table(1, Some(0.3)), &[1]);
    assert!(why.columns[0].text.contains("could tell more"), "{why:?}");
}

#[test]
fn a_narrower_quasi_identifier_is_named_too() {
    let mut table = fig_7(0.17);
    table.policy.privacy.quasi_identifiers = vec![NarrowerSpec {
        columns: vec!["zip".into()],
        k: 3,
    }];
    // 021** holds all twelve; 0214* holds two.
    let why = at(&table, &[0, 1, 0, 2]);
    assert_eq!(why.suppression.broken, [broken("2-anonymity", 1)]);
    let zip = &why.columns[3];
    assert!(
        zip.broken.contains(&broken("3-anonymity in zip", 2)),
        "{zip:?}"
    );
    // The race alone would not break what the ZIP asks for.
    assert!(
        why.columns[1]
            .broken
            .iter()
            .all(|b| b.requirement == "2-anonymity")
    );
}

#[test]
fn cells_explain_themselves_by_the_rows_they_hold() {
    let sensitive = cells("s", &PT.map(|row| row[4])).role(Role::Sensitive);
    let mut table = fig_7_with(0.0, &[sensitive]);
    table.policy.privacy.diversity = vec![Diversity {
        column: "s".into(),
        measure: DiversityMeasure::Distinct { l: 2 },
    }];
    let problem = table.problem("prec").unwrap();
    let outcome = run("mingen", "level = \"cell\"", &problem).unwrap();
    let classes = outcome.recoding.classes(&table.attributes, &table.counts);
    let why = outcome.explain(&problem, &classes);
    // Every group is of one year at most, and days part them all: a row alone has one problem only.
    let birth = &why.columns[1];
    assert_eq!((birth.level, birth.short_rows), (None, 12));
    assert_eq!(birth.broken.len(), 2);
    assert!(birth.broken.iter().all(|broken| broken.rows == 12));
}
