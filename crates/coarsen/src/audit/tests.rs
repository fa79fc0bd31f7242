//! Small releases, worked by hand.

use super::*;
use crate::counts::{Entries, TallyColumn};
use crate::domain::{Kind, Value};
use crate::policy::{Closeness, Diversity, DiversityMeasure, Policy};
use crate::privacy::requirements;

/// Rows of cells, the last `tallied` of them sensitive, as the engine would count them.
fn counted(rows: &[&[&str]], tallied: usize) -> (Counts, Vec<Domain>) {
    let width = rows.first().map_or(0, |row| row.len());
    let mut domains = Vec::new();
    let mut columns = Vec::new();
    for column in 0..width {
        let mut texts: Vec<&str> = rows.iter().map(|row| row[column]).collect();
        texts.sort_unstable();
        texts.dedup();
        let missing = texts.contains(&"");
        texts.retain(|text| !text.is_empty());
        let code = |row: &&[&str]| {
            texts
                .iter()
                .position(|t| *t == row[column])
                .unwrap_or(texts.len())
        };
        columns.push(
            rows.iter()
                .map(|row| code(row) as Code)
                .collect::<Vec<Code>>(),
        );
        let values = texts
            .iter()
            .map(|text| Value::Text(text.to_string()))
            .collect();
        domains.push(Domain::new(Kind::Text, None, values, missing));
    }
    let sensitive = domains.split_off(width - tallied);
    let tallied = columns.split_off(width - tallied);
    let entries = Entries {
        codes: columns,
        tallied,
        rows: vec![1; rows.len()],
    };
    let named = sensitive
        .into_iter()
        .enumerate()
        .map(|(i, domain)| TallyColumn {
            name: format!("s{i}"),
            domain,
            hierarchy: None,
        });
    (Counts::build(entries, named.collect()).0, domains)
}

fn audited(rows: &[&[&str]], tallied: usize, policy: &Policy) -> Audit {
    let (counts, domains) = counted(rows, tallied);
    let requirements = requirements(policy, counts.tallies()).unwrap();
    let sensitive: Vec<Sensitive> = (0..tallied)
        .map(|tally| Sensitive::of(&counts, tally, None).unwrap())
        .collect();
    audit(
        &counts,
        &domains,
        &requirements,
        &sensitive,
        AuditSettings::default(),
    )
}

fn k(k: u64) -> Policy {
    let mut policy = Policy::default();
    policy.privacy.k = k;
    policy
}

const TABLE: &[&[&str]] = &[
    &["20..39", "m", "flu"],
    &["20..39", "m", "flu"],
    &["20..39", "m", "flu"],
    &["20..39", "m", "cold"],
    &["40..59", "f", "flu"],
    &["40..59", "f", "flu"],
];

#[test]
fn figures_worked_by_hand() {
    let audit = audited(TABLE, 1, &k(2));
    assert!(audit.holds, "{:?}", audit.failures);
    assert_eq!((audit.rows, audit.classes, audit.k), (6, 2, 2));
    assert_eq!(audit.average_class, 3.0);
    // The women all have the flu: one value, an entropy of 0, so an effective l of 1.
    assert_eq!(audit.distinct_l, Some(1));
    assert!((audit.entropy_l.unwrap() - 1.0).abs() < 1e-12);
    // 5 of 6 have the flu. Men: 3/4, off by 1/12; women: 1, off by 1/6.
    assert!((audit.t.unwrap() - 1.0 / 6.0).abs() < 1e-12);
    // 1/k is the threshold, and a class of k is not above it.
    assert_eq!((audit.risk.threshold, audit.risk.at_risk), (0.5, 0.0));
    assert_eq!(audit.risk.prosecutor_mean, 2.0 / 6.0);
}

#[test]
fn failures_count_classes_and_rows() {
    let mut policy = k(3);
    policy.privacy.diversity = vec![Diversity {
        column: "s0".into(),
        measure: DiversityMeasure::Distinct { l: 2 },
    }];
    policy.privacy.closeness = vec![Closeness {
        column: "s0".into(),
        t: 0.1,
    }];
    let audit = audited(TABLE, 1, &policy);
    assert!(!audit.holds);
    let told: Vec<String> = audit.failures.iter().map(Failure::to_string).collect();
    assert_eq!(
        told,
        [
            "3-anonymity does not hold: 1 class with 2 rows falls short; the smallest has 2 rows",
            "distinct 2-diversity of `s0` does not hold: 1 class with 2 rows falls short; at worst \
             `s0` has 1 distinct value, an effective l of 1.00 and a distance of 0.167 from the whole",
            "0.1-closeness of `s0` does not hold: 1 class with 2 rows falls short; at worst \
             `s0` has 1 distinct value, an effective l of 1.00 and a distance of 0.167 from the whole",
        ]
    );
    let cells = ["flu", "cold", "20..39", "40..59"];
    assert!(cells.iter().all(|cell| !told.concat().contains(cell)));
}

#[test]
fn the_worst_of_two_columns_is_told() {
    let rows: &[&[&str]] = &[
        &["a", "x", "1"],
        &["a", "x", "2"],
        &["b", "y", "1"],
        &["b", "x", "2"],
    ];
    let audit = audited(rows, 2, &k(2));
    // s0 is x twice in class a; s1 is as varied as can be everywhere.
    assert_eq!(audit.distinct_l, Some(1));
    assert_eq!(audit.sensitive[1].distinct_l, 2);
    assert_eq!(audit.sensitive[1].t, 0.0);
    assert!((audit.sensitive[1].entropy_l - 2.0).abs() < 1e-12);
    // Of s0, x is 3 of 4 in the whole; 1 in a, 1/2 in b: 1/4 away both.
    assert!((audit.t.unwrap() - 0.25).abs() < 1e-12);
}

#[test]
fn suppressed_rows_are_a_class_and_must_hold_too() {
    let rows: &[&[&str]] = &[
        &["*", "*****"],
        &["a", "*****"],
        &["a", "*****"],
        &["", "*****"],
    ];
    let audit = audited(rows, 0, &k(2));
    assert_eq!(audit.suppressed_rows, 1);
    // The suppressed row and the row of a missing cell are each alone.
    assert_eq!((audit.holds, audit.k, audit.risk.uniques), (false, 1, 2));
    assert!(!audit.failures[0].suppressed_only);
    let audit = audited(&rows[..3], 0, &k(2));
    assert!(audit.failures[0].suppressed_only);
    assert!(
        audit.failures[0]
            .to_string()
            .contains("suppressed in every column")
    );
    assert_eq!(audit.distinct_l, None);
    assert_eq!(audit.t, None);
}

#[test]
fn nothing_holds_of_nothing_and_says_so() {
    let audit = audited(&[], 0, &k(5));
    assert!(audit.holds);
    assert_eq!(
        (audit.rows, audit.classes, audit.k, audit.average_class),
        (0, 0, 0, 0.0)
    );
    assert!(audit.notes[0].contains("no rows"), "{:?}", audit.notes);
}

#[test]
fn the_keys_of_check_json() {
    let json = serde_json::to_value(audited(TABLE, 1, &k(3))).unwrap();
    for key in [
        "holds",
        "rows",
        "classes",
        "k",
        "suppressed_rows",
        "distinct_l",
        "entropy_l",
        "t",
        "risk",
        "failures",
    ] {
        assert!(json.get(key).is_some(), "{key}");
    }
    for key in [
        "prosecutor_max",
        "prosecutor_mean",
        "at_risk",
        "threshold",
        "uniques",
    ] {
        assert!(json["risk"][key].is_number(), "{key}");
    }
    assert!(json["risk"]["journalist_max"].is_null());
    assert_eq!(json["failures"][0]["requirement"], "3-anonymity");
}

#[test]
fn a_threshold_may_be_given() {
    let (counts, domains) = counted(TABLE, 1);
    let settings = AuditSettings {
        threshold: Some(0.3),
        population: None,
    };
    let told = audit(&counts, &domains, &[], &[], settings);
    // Two of six rows have a risk of 1/2; the others of 1/4.
    assert_eq!(told.risk.at_risk, 2.0 / 6.0);
    let silent = audit(&counts, &domains, &[], &[], AuditSettings::default());
    assert_eq!(
        (silent.risk.threshold, silent.risk.at_risk),
        (THRESHOLD, 1.0)
    );
}

#[test]
fn a_population_that_falls_short_is_noted() {
    let (counts, domains) = counted(TABLE, 1);
    let population = Population {
        rows: 12,
        covered: vec![10, 1],
    };
    let settings = AuditSettings {
        threshold: None,
        population: Some(&population),
    };
    let audit = audit(&counts, &domains, &[], &[], settings);
    // Four rows at 1/10; the class of two, short of people, at 1/2.
    assert!((audit.risk.marketer - (0.4 + 1.0) / 6.0).abs() < 1e-12);
    assert_eq!(audit.notes.len(), 1);
    assert!(audit.notes[0].starts_with("1 class of the release holds more rows"));
}
