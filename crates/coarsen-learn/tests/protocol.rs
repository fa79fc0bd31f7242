//! The protocol on tables small enough to work out by hand.
#![allow(clippy::unwrap_used)]

use coarsen::domain::{Kind, Value};
use coarsen::policy::{
    Column as Described, HierarchySpec, Policy, Role, Scheme, SuppressionMode, TreeSpec,
};
use coarsen_learn::encode::unreleased;
use coarsen_learn::features::{Column, UNKNOWN};
use coarsen_learn::folds::Division;
use coarsen_learn::models::find;
use coarsen_learn::{Evaluation, Method, Plan, RowColumn, Rows, evaluate};

fn column(name: &str, role: Role, kind: Kind, cells: &[&str]) -> RowColumn {
    let read = |cell: &&str| Value::read(cell, kind, None);
    RowColumn {
        name: name.into(),
        role,
        kind,
        cells: cells.iter().map(read).collect(),
        codes: (0..cells.len() as u32).collect(),
    }
}

/// Rows of an age, a town and a label, written `20 oslo A`.
fn rows(lines: &[&str]) -> Rows {
    let parts = |place: usize| -> Vec<&str> {
        lines
            .iter()
            .map(|line| line.split(' ').nth(place).unwrap())
            .collect()
    };
    let columns = vec![
        column("age", Role::QuasiIdentifier, Kind::Integer, &parts(0)),
        column("town", Role::QuasiIdentifier, Kind::Text, &parts(1)),
        column("label", Role::Target, Kind::Text, &parts(2)),
    ];
    Rows::new(columns, &vec![1; lines.len()])
}

fn policy(k: u64, algorithm: &str, settings: &str) -> Policy {
    let mut policy = Policy::default();
    let described = |role, kind| Described {
        role,
        kind: Some(kind),
        ..Described::default()
    };
    let leaves = |names: &[&str]| TreeSpec::Leaves(names.iter().map(|n| n.to_string()).collect());
    let towns = TreeSpec::Inner(vec![
        ("north".into(), leaves(&["oslo", "turku"])),
        ("south".into(), leaves(&["rome", "nice"])),
    ]);
    let columns = &mut policy.columns;
    let age = Described {
        scheme: Some(Scheme::Ordered),
        ..described(Role::QuasiIdentifier, Kind::Integer)
    };
    let town = Described {
        scheme: Some(Scheme::Cut),
        hierarchy: Some(HierarchySpec::Tree(towns)),
        ..described(Role::QuasiIdentifier, Kind::Text)
    };
    columns.insert("age".into(), age);
    columns.insert("town".into(), town);
    columns.insert("label".into(), described(Role::Target, Kind::Text));
    policy.privacy.k = k;
    policy.search.algorithm = algorithm.into();
    let own = coarsen_settings(settings);
    policy.search.settings.insert(algorithm.into(), own);
    policy
}

/// An algorithm's settings by way of a policy's text.
fn coarsen_settings(text: &str) -> toml::Value {
    toml::from_str(text).unwrap()
}

fn method(k: u64, algorithm: &str, settings: &str) -> Method {
    Method {
        name: algorithm.into(),
        policy: policy(k, algorithm, settings),
    }
}

fn plan(division: Division, models: &[&str]) -> Plan {
    Plan {
        division,
        trials: 1,
        seed: 1,
        models: models.iter().map(|name| find(name).unwrap()).collect(),
        targets: Vec::new(),
        selection: None,
        without_best: 0,
    }
}

/// Eight people: the four young ones in the north are A, the four old ones in the south B.
const EIGHT: [&str; 8] = [
    "20 oslo A",
    "22 turku A",
    "24 oslo A",
    "30 turku A",
    "50 rome B",
    "52 nice B",
    "60 rome B",
    "64 nice B",
];

fn numbers(column: &Column) -> &[f64] {
    match column {
        Column::Numbers(numbers) => numbers,
        other => panic!("{other:?}"),
    }
}

#[test]
fn regions_become_the_ends_of_their_boxes() {
    let test = rows(&["21 oslo A", "99 nice B", "35 rome A", "10 oslo A"]);
    let both = rows(&EIGHT).with_test(test);
    let training: Vec<u32> = (0..8).collect();
    let found_in = |rows: &Rows| {
        let method = method(4, "mondrian", "split = \"info-gain\"");
        method.find(rows, &training, 1, None).unwrap()
    };
    let found = found_in(&both);
    assert_eq!(found.classes, 2);
    let encoded = found.encode(&both, &training, None);
    assert_eq!(encoded.columns.len(), 2);
    // Ages fit tightly; towns count by the leaves' order: oslo, turku, rome, nice.
    assert_eq!(
        numbers(&encoded.columns[0][0]),
        [20.0, 20.0, 20.0, 20.0, 50.0, 50.0, 50.0, 50.0]
    );
    assert_eq!(
        numbers(&encoded.columns[0][1]),
        [30.0, 30.0, 30.0, 30.0, 64.0, 64.0, 64.0, 64.0]
    );
    let towns = [
        numbers(&encoded.columns[1][0]),
        numbers(&encoded.columns[1][1]),
    ];
    assert!(towns[0].iter().zip(towns[1]).all(|(low, high)| low <= high));

    // Test rows stand in their order: 10, 21, 35, 99. One that lies outside a box gets the box's ends.
    let tested = found.encode(&both, &[8, 9, 10, 11], None);
    assert_eq!(numbers(&tested.columns[0][0])[..2], [20.0, 20.0]);
    assert_eq!(numbers(&tested.columns[0][0])[3], 50.0);
    assert_eq!(numbers(&tested.columns[0][1])[3], 64.0);
    assert_eq!(found.unknown_rows(&both, &[8, 9, 10, 11]), 0);

    // Of a town that nobody has heard of, nothing is told.
    let strange = rows(&EIGHT).with_test(rows(&["21 bergen A"]));
    let found = found_in(&strange);
    let tested = found.encode(&strange, &[8], None);
    assert!(
        tested
            .columns
            .iter()
            .flatten()
            .all(|column| numbers(column)[0].is_nan())
    );
    assert_eq!(found.unknown_rows(&strange, &[8]), 1);
}

#[test]
fn partitions_become_categories_and_a_value_never_seen_tells_nothing() {
    let test = rows(&["21 oslo A", "77 bergen B"]);
    let both = rows(&EIGHT).with_test(test);
    let training: Vec<u32> = (0..8).collect();
    let found = method(4, "top-down", "")
        .find(&both, &training, 1, None)
        .unwrap();
    let encoded = found.encode(&both, &training, None);
    for columns in &encoded.columns {
        assert_eq!(columns.len(), 1);
    }
    let Column::Categories { codes, .. } = &encoded.columns[1][0] else {
        panic!("towns are categories");
    };
    assert!(codes[..4].iter().all(|code| *code == codes[0]) && codes[0] != codes[7]);
    let tested = found.encode(&both, &[8, 9], None);
    let Column::Categories { codes: tested, .. } = &tested.columns[1][0] else {
        panic!("towns are categories");
    };
    assert_eq!(tested[..], [codes[0], UNKNOWN]);
    assert_eq!(found.unknown_rows(&both, &[8, 9]), 1);

    let before = unreleased(&both, &training);
    assert_eq!(numbers(&before.columns[0][0])[..2], [20.0, 22.0]);
    assert!(matches!(before.columns[1][0], Column::Categories { .. }));
}

#[test]
fn the_test_rows_play_no_part_in_the_search() {
    let training: Vec<u32> = (0..8).collect();
    let one = rows(&EIGHT).with_test(rows(&["21 oslo A"]));
    let other = rows(&EIGHT).with_test(rows(&["26 rome B", "27 rome B", "28 rome B", "70 oslo B"]));
    for (algorithm, settings) in [
        ("mondrian", "split = \"info-gain\""),
        ("top-down", ""),
        ("bottom-up", ""),
    ] {
        let method = method(3, algorithm, settings);
        let found = |rows: &Rows| method.find(rows, &training, 1, None).unwrap();
        let (one, other) = (found(&one), found(&other));
        assert_eq!(one.recoding, other.recoding, "{algorithm}");
        assert_eq!(one.losses, other.losses);
    }
}

fn hundred() -> Rows {
    let lines: Vec<String> = (0..100)
        .map(|row| {
            let town = ["oslo", "turku", "rome", "nice"][row * 7 % 4];
            let age = 18 + row * 37 % 60;
            let label = if age < 45 || row % 11 == 0 { "A" } else { "B" };
            format!("{age} {town} {label}")
        })
        .collect();
    rows(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn figures(evaluation: &Evaluation) -> Vec<Vec<f64>> {
    let of = |result: &coarsen_learn::evaluate::Outcome| {
        [&result.released, &result.unreleased, &result.suppressed]
            .map(|f| f.rounds.clone())
            .concat()
    };
    evaluation.results.iter().map(of).collect()
}

#[test]
fn baselines_stand_beside_the_release_and_threads_change_nothing() {
    let rows = hundred();
    let methods = [
        method(5, "mondrian", "split = \"info-gain\""),
        method(5, "mondrian", "split = \"info-gain\""),
    ];
    let plan = Plan {
        trials: 2,
        without_best: 1,
        ..plan(
            Division::Folds(5),
            &["tree", "forest", "bayes", "svm", "logistic"],
        )
    };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| evaluate(&rows, &methods, &plan, None).unwrap())
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(figures(&one), figures(&two));
    assert_eq!(one.results.len(), 10);
    assert_eq!(one.results[0].released.rounds.len(), 10);
    for result in &one.results {
        // A method against itself does not differ.
        assert_eq!(
            (
                result.against[0].paired.difference,
                result.against[0].paired.p
            ),
            (0.0, 1.0)
        );
        let is_worth_it = result.unreleased.mean < result.suppressed.mean;
        assert!(is_worth_it || !result.removed.is_empty(), "{result:?}");
    }
    // With everything suppressed, whoever is not of the usual label is mistaken.
    let labels = rows.column("label").unwrap();
    let rare = labels.codes.iter().filter(|code| **code == 1).count() as f64 / 100.0;
    assert!((one.results[0].suppressed.mean - rare).abs() < 1e-9);
    // Age tells the label, so it goes first, and the tree misses it.
    assert_eq!(one.results[1].removed, ["age"]);
    assert!(one.results[1].unreleased.mean > one.results[0].unreleased.mean);
}

#[test]
fn models_may_be_restricted_to_a_selection() {
    let rows = hundred();
    let methods = [method(5, "mondrian", "split = \"info-gain\"")];
    let plan = Plan {
        selection: Some("age >= 45".into()),
        ..plan(Division::Folds(4), &["tree"])
    };
    let evaluation = evaluate(&rows, &methods, &plan, None).unwrap();
    // Above 45 only every eleventh row is an A.
    let old = rows.column("age").unwrap();
    let label = rows.column("label").unwrap();
    let is_old = |row: &usize| matches!(&old.cells[old.codes[*row] as usize], Some(Value::Integer(age)) if *age >= 45);
    let selected: Vec<usize> = (0..100).filter(is_old).collect();
    let a = selected
        .iter()
        .filter(|row| label.codes[**row] == 0)
        .count();
    let expected = a as f64 / selected.len() as f64;
    assert!((evaluation.results[0].suppressed.mean - expected).abs() < 0.05);
    let nobody = Plan {
        selection: Some("age > 1000".into()),
        ..plan
    };
    assert!(evaluate(&rows, &methods, &nobody, None).is_err());
}

#[test]
fn suppressed_rows_are_left_out_of_training_or_tell_nothing() {
    let mut lines = EIGHT.to_vec();
    lines.extend(["90 oslo B", "91 oslo B"]);
    let table = rows(&lines);
    let all: Vec<u32> = (0..10).collect();
    let mut found = method(2, "bottom-up", "");
    found.policy.suppression.limit = 0.2;
    let dropped = found.find(&table, &all, 1, None).unwrap();
    assert!(!dropped.masks);
    found.policy.suppression.mode = SuppressionMode::Mask;
    let masked = found.find(&table, &all, 1, None).unwrap();
    // Two of ten may go, and two go: the ones from turku.
    for found in [&dropped, &masked] {
        let gone: Vec<usize> = (0..10).filter(|row| found.suppressed[*row]).collect();
        assert_eq!(gone, [1, 3]);
    }
    assert!(masked.masks);
    let encoded = masked.encode(&table, &all, Some(&[true; 10]));
    for columns in &encoded.columns {
        match &columns[0] {
            Column::Categories { codes, .. } => assert!(codes.iter().all(|c| *c == UNKNOWN)),
            Column::Numbers(numbers) => assert!(numbers.iter().all(|n| n.is_nan())),
        }
    }
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let rows = hundred();
    let methods = [method(5, "mondrian", "split = \"info-gain\"")];
    let refuse = |plan: Plan| {
        evaluate(&rows, &methods, &plan, None)
            .unwrap_err()
            .to_string()
    };
    let tree = || plan(Division::Folds(5), &["tree"]);
    assert!(refuse(plan(Division::Folds(101), &["tree"])).contains("100 rows"));
    assert!(refuse(plan(Division::Folds(5), &["linear"])).contains("predicts numbers"));
    let targets = |name: &str| vec![name.to_string()];
    assert!(
        refuse(Plan {
            targets: targets("age"),
            ..tree()
        })
        .contains("no target")
    );
    assert!(
        refuse(Plan {
            targets: targets("nobody"),
            ..tree()
        })
        .contains("no column")
    );
    assert!(
        refuse(Plan {
            without_best: 2,
            ..tree()
        })
        .contains("2 quasi-identifiers")
    );
    assert!(
        refuse(Plan {
            trials: 0,
            ..tree()
        })
        .contains("0 trials")
    );
    let cells = [method(5, "mingen", "level = \"cell\"")];
    assert!(evaluate(&rows, &cells, &tree(), None).is_err());
    let mut sensitive = methods[0].clone();
    sensitive.policy.columns.get_mut("label").unwrap().role = Role::Sensitive;
    let error = evaluate(
        &rows,
        &[sensitive],
        &Plan {
            targets: targets("label"),
            ..tree()
        },
        None,
    );
    assert!(error.unwrap_err().to_string().contains("sensitive"));
}
