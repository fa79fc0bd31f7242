//! Each requirement at its border, and what all of them share: two classes that satisfy one satisfy
//! it as one.

use proptest::prelude::*;

use super::*;
use crate::counts::{ClassTally, Counts, Entries, TallyColumn};
use crate::domain::{Code, Domain, Kind, Value};
use crate::policy::{Closeness, Diversity, DiversityMeasure};

/// A sensitive column of whole numbers, or of letters where `text` says so.
fn domain(values: &[i64], text: bool) -> Domain {
    let value = |n: &i64| match text {
        true => Value::Text(((b'a' + *n as u8) as char).to_string()),
        false => Value::Integer(*n),
    };
    let kind = if text { Kind::Text } else { Kind::Integer };
    Domain::new(kind, None, values.iter().map(value).collect(), false)
}

/// The tally of a table that has so many rows of each value.
fn tally(domain: &Domain, rows: &[u64]) -> Tally {
    let held: Vec<(Code, u64)> = (0..)
        .zip(rows.iter().copied())
        .filter(|(_, rows)| *rows > 0)
        .collect();
    let entries = Entries {
        codes: vec![vec![0; held.len()]],
        tallied: vec![held.iter().map(|(code, _)| *code).collect()],
        rows: held.iter().map(|(_, rows)| *rows).collect(),
    };
    let column = TallyColumn {
        name: "s".into(),
        domain: domain.clone(),
        hierarchy: None,
    };
    Counts::build(entries, vec![column]).0.tallies()[0].clone()
}

fn diverse(measure: DiversityMeasure) -> Policy {
    let mut policy = Policy::default();
    policy.privacy.diversity.push(Diversity {
        column: "s".into(),
        measure,
    });
    policy
}

fn close(t: f64) -> Policy {
    let mut policy = Policy::default();
    policy.privacy.closeness.push(Closeness {
        column: "s".into(),
        t,
    });
    policy
}

/// The requirement on `s`, the one after k.
fn requirement(policy: &Policy, domain: &Domain) -> Box<dyn Requirement> {
    let mut built = requirements(policy, &[tally(domain, &[1])]).unwrap();
    assert_eq!(built.len(), 2);
    built.remove(1)
}

fn holds_in(policy: &Policy, domain: &Domain, class: &[u64], whole: &[u64]) -> bool {
    let requirement = requirement(policy, domain);
    let (class, whole): (Vec<ClassTally>, Vec<ClassTally>) = (
        vec![tally(domain, class).whole()],
        vec![tally(domain, whole).whole()],
    );
    let rows = |tallies: &[ClassTally]| tallies[0].of(0).total();
    requirement.holds(
        &Class::alone(rows(&class), &class),
        &Class::alone(rows(&whole), &whole),
    )
}

fn holds(policy: &Policy, domain: &Domain, class: &[u64]) -> bool {
    holds_in(policy, domain, class, class)
}

/// What `possible` answers for a whole table.
fn refusal(policy: &Policy, domain: &Domain, whole: &[u64]) -> String {
    let whole = [tally(domain, whole).whole()];
    let refused = requirement(policy, domain).possible(&Class::alone(9, &whole));
    refused
        .err()
        .map_or(String::new(), |error| error.to_string())
}

#[test]
fn distinct_counts_values_not_rows() {
    let (policy, s) = (
        diverse(DiversityMeasure::Distinct { l: 3 }),
        domain(&[0, 1, 2, 3], true),
    );
    assert!(holds(&policy, &s, &[1, 1, 1, 0]));
    assert!(!holds(&policy, &s, &[50, 50, 0, 0]));
    assert_eq!(
        refusal(&policy, &s, &[50, 50]),
        "distinct 3-diversity of `s` cannot be met by any release: `s` has only 2 distinct values in the whole table"
    );
}

#[test]
fn equally_frequent_values_satisfy_their_own_entropy() {
    let s = domain(&(0..20).collect::<Vec<_>>(), true);
    for l in 2..=20usize {
        for rows in [1u64, 3, 7, 1_000_003] {
            let policy = diverse(DiversityMeasure::Entropy { l: l as f64 });
            assert!(
                holds(&policy, &s, &vec![rows; l]),
                "{l} values of {rows} rows"
            );
            let mut uneven = vec![rows; l];
            uneven[0] += rows;
            assert!(
                !holds(&policy, &s, &uneven),
                "{l} values of {rows} rows, one twice as frequent"
            );
        }
    }
}

#[test]
fn the_refusal_of_entropy_names_what_the_table_allows() {
    // 3/4, 1/8, 1/8: H = 3/4 ln 4/3 + 2/8 ln 8 = 0.2158 + 0.5199 = 0.7356, exp = 2.0868.
    let policy = diverse(DiversityMeasure::Entropy { l: 3.0 });
    let text = refusal(&policy, &domain(&[0, 1, 2], true), &[6, 1, 1]);
    assert!(
        text.ends_with("the table's own entropy allows at most l = 2.08"),
        "{text}"
    );
}

#[test]
fn recursive_diversity_is_strict_at_its_border() {
    let s = domain(&[0, 1, 2, 3], true);
    let policy = |c| diverse(DiversityMeasure::Recursive { c, l: 2 });
    // Most frequent 6; from the second on 2 + 1 = 3: the ratio is 2.
    assert!(holds(&policy(2.1), &s, &[6, 2, 1]));
    assert!(!holds(&policy(2.0), &s, &[6, 2, 1]));
    // 0.1 · 30 is a little above 3 in floating point, and 3 < 3 is still false.
    assert!(!holds(
        &diverse(DiversityMeasure::Recursive { c: 0.1, l: 1 }),
        &s,
        &[3; 10]
    ));
    let text = refusal(&policy(2.0), &s, &[6, 2, 1]);
    assert!(text.ends_with("l = 2 needs a c above 2.00"), "{text}");
    let text = refusal(&policy(2.0), &s, &[6]);
    assert!(
        text.ends_with("`s` has fewer than 2 distinct values in the whole table"),
        "{text}"
    );
}

#[test]
fn squared_error_adds_up_distances_from_the_mean() {
    // 10, 20, 30: mean 20, 100 + 0 + 100.
    let s = domain(&[10, 20, 30], false);
    let policy = |error| diverse(DiversityMeasure::SquaredError { error });
    assert!(holds(&policy(200.0), &s, &[1, 1, 1]));
    assert!(!holds(&policy(200.1), &s, &[1, 1, 1]));
    assert!(!holds(&policy(1.0), &s, &[0, 9, 0]));
    let text = refusal(&policy(300.0), &s, &[1, 1, 1]);
    assert!(
        text.ends_with("the squared error of the whole table is 200.000000"),
        "{text}"
    );
}

#[test]
fn what_does_not_fit_a_column_is_refused_with_its_name() {
    let text = domain(&[0, 1], true);
    let refused = |policy: &Policy| {
        requirements(policy, &[tally(&text, &[1, 1])])
            .err()
            .map(|error| error.to_string())
    };
    let error = refused(&diverse(DiversityMeasure::SquaredError { error: 1.0 })).unwrap();
    assert!(error.starts_with("the requirement `squared_error` does not fit column `s`: it needs numbers or dates, and the column is text"), "{error}");
    for distance in [
        crate::policy::Distance::Ordered,
        crate::policy::Distance::Hierarchical,
    ] {
        let mut policy = close(0.2);
        let column = crate::policy::Column {
            distance: Some(distance),
            ..Default::default()
        };
        policy.columns.insert("s".into(), column);
        assert!(
            refused(&policy)
                .unwrap()
                .starts_with("the requirement `closeness` does not fit column `s`: ")
        );
    }
}

#[test]
fn closeness_holds_up_to_t_and_always_for_the_whole() {
    let s = domain(&[0, 1], true);
    // 9 of 10 against 5 of 10: total variation 0.4.
    assert!(holds_in(&close(0.4), &s, &[9, 1], &[5, 5]));
    assert!(!holds_in(&close(0.39), &s, &[9, 1], &[5, 5]));
    assert!(holds(&close(0.0), &s, &[9, 1]));
    assert_eq!(refusal(&close(0.0), &s, &[9, 1]), "");
}

#[test]
fn every_entry_of_the_table_is_documented_and_named_once() {
    for (place, entry) in REQUIREMENTS.iter().enumerate() {
        assert!(
            [entry.summary, entry.formula, entry.policy, entry.source]
                .iter()
                .all(|t| !t.is_empty())
        );
        assert!(
            REQUIREMENTS[..place]
                .iter()
                .all(|other| other.name != entry.name)
        );
    }
}

fn any_policy() -> impl Strategy<Value = Policy> {
    prop_oneof![
        (1u64..5).prop_map(|l| diverse(DiversityMeasure::Distinct { l })),
        (1.0..4.0).prop_map(|l| diverse(DiversityMeasure::Entropy { l })),
        (0.3..4.0, 1u64..4).prop_map(|(c, l)| diverse(DiversityMeasure::Recursive { c, l })),
        (0.0..40.0).prop_map(|error| diverse(DiversityMeasure::SquaredError { error })),
        (0.0..1.0).prop_map(close),
    ]
}

proptest! {
    #[test]
    fn two_classes_that_satisfy_a_requirement_do_so_as_one(
        policy in any_policy(),
        one in prop::collection::vec(0u64..5, 5),
        other in prop::collection::vec(0u64..5, 5),
        more in prop::collection::vec(0u64..9, 5),
    ) {
        let s = domain(&[1, 2, 4, 5, 9], false);
        let both: Vec<u64> = one.iter().zip(&other).map(|(a, b)| a + b).collect();
        let whole: Vec<u64> = both.iter().zip(&more).map(|(a, b)| a + b).collect();
        if holds_in(&policy, &s, &one, &whole) && holds_in(&policy, &s, &other, &whole) {
            prop_assert!(holds_in(&policy, &s, &both, &whole));
        }
    }
}
