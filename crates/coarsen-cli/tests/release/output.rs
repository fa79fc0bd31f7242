//! What a run prints and writes.

use super::*;

#[test]
fn the_json_has_every_name_of_the_contract() {
    let desk = desk(&[]);
    let made = run(&desk);
    assert_eq!(made["algorithm"], "datafly");
    assert_eq!(made["stop"], "complete");
    assert!(made.as_object().unwrap().contains_key("bound"));
    for name in [
        "rows_in",
        "rows_out",
        "suppressed_rows",
        "classes",
        "smallest_class",
    ] {
        assert!(made[name].is_u64(), "{name}: {}", made[name]);
    }
    assert!(made["average_class"].is_f64());
    for name in ["read", "count", "search", "write", "audit", "total"] {
        assert!(made["seconds"][name].is_f64(), "seconds.{name}");
    }
    for name in ["output", "recoding"] {
        assert!(std::path::Path::new(made[name].as_str().unwrap()).is_file());
    }
    // The figures are those of the file.
    let release = desk.table("release.csv");
    let classes = release.classes(&QUASI);
    assert_eq!(made["rows_in"], 400);
    assert_eq!(made["rows_out"], release.rows.len());
    assert_eq!(made["suppressed_rows"], 400 - release.rows.len());
    assert_eq!(made["classes"], classes.len());
    assert_eq!(made["smallest_class"], release.smallest_class(&QUASI));
    let average = release.rows.len() as f64 / classes.len() as f64;
    assert!((made["average_class"].as_f64().unwrap() - average).abs() < 1e-9);
}

#[test]
fn a_loss_that_does_not_apply_is_null() {
    let names = [
        "prec",
        "lm",
        "cm",
        "regression",
        "dm",
        "hdm",
        "average_class_size",
        "conditional_entropy",
        "imprecision",
    ];
    let nulls = |changes: &[(&str, &str)]| -> Vec<String> {
        let made = run(&desk(changes));
        let loss = made["loss"].as_object().unwrap();
        assert_eq!(loss.keys().collect::<Vec<_>>(), names);
        let (nulls, numbers): (Vec<_>, Vec<_>) = loss.iter().partition(|(_, v)| v.is_null());
        assert!(numbers.iter().all(|(_, value)| value.is_f64()), "{loss:?}");
        nulls.into_iter().map(|(name, _)| name.clone()).collect()
    };
    // The target is a number, and there are no selections.
    assert_eq!(nulls(&[]), ["cm", "conditional_entropy", "imprecision"]);
    // No target at all, but a selection.
    let selections = "[workload]\nselections = [\"age > 40 and sex = 'F'\"]\n[search]";
    let changes = [
        ("role = \"target\"", "role = \"other\""),
        ("[search]", selections),
    ];
    assert_eq!(nulls(&changes), ["cm", "regression", "conditional_entropy"]);
    // A target of categories.
    let changes = [("role = \"sensitive\"", "role = \"target\"")];
    assert_eq!(nulls(&changes), ["imprecision"]);
}

/// Discernibility by its definition: the squares of the classes, and the whole table for every
/// suppressed row.
#[test]
fn dm_is_what_its_definition_says() {
    let desk = desk(&[]);
    let made = run(&desk);
    let release = desk.table("release.csv");
    let squares: usize = release
        .classes(&QUASI)
        .values()
        .map(|rows| rows.len().pow(2))
        .sum();
    let dm = squares + (400 - release.rows.len()) * 400;
    assert_eq!(made["loss"]["dm"], dm as f64);
}

#[test]
fn the_text_says_what_was_done() {
    let done = desk(&[]).run(&["run", "policy.toml"]).expect(0);
    for word in ["400 rows in", "5-anonymity", "release.csv", "recoding.json"] {
        assert!(done.stdout.contains(word), "no `{word}`:\n{}", done.stdout);
    }
    assert!(
        !done.stdout.contains('\u{1b}'),
        "no colours but on a terminal"
    );
    assert_eq!(done.stderr, "", "silent but on a terminal");
    let done = desk(&[]).run(&["run", "policy.toml", "--steps"]).expect(0);
    assert!(done.stdout.contains("generalize zip to level 1"));
}

#[test]
fn the_clinic_example_runs() {
    let desk = Folder::new();
    for name in ["policy.toml", "patients.csv", "diagnosis.csv"] {
        let path = common::of_repository("examples/clinic").join(name);
        desk.write(name, std::fs::read(path).unwrap());
    }
    let made = run(&desk);
    let release = desk.table("release.csv");
    let quasi = ["birth_date", "zip", "sex"];
    assert!(release.smallest_class(&quasi) >= 5);
    for tally in release.tallies(&quasi, "diagnosis") {
        assert!(tally.len() >= 3, "{tally:?}");
    }
    let patients = desk.table("patients.csv").rows.len();
    assert_eq!(made["rows_in"], patients);
    assert!(patients - release.rows.len() <= patients / 20);
    let check = ["check", "release.csv", "--policy", "policy.toml", "--json"];
    assert_eq!(desk.json(&check)["holds"], true);
}

/// The policy may stand elsewhere: its paths start from its own folder.
#[test]
fn paths_start_from_the_policys_folder() {
    let desk = Folder::with(&[("in/people.csv", &people(100)), ("in/policy.toml", POLICY)]);
    desk.json(&["run", "in/policy.toml", "--json"]);
    let names = ["people.csv", "policy.toml", "recoding.json", "release.csv"];
    assert_eq!(desk.names(), names.map(|name| format!("in/{name}")));
}

#[test]
fn an_override_wins_over_the_policy() {
    let desk = desk(&[]);
    let run = [
        "run",
        "policy.toml",
        "--set",
        "privacy.k=20",
        "--set",
        "suppression.limit=0",
        "--json",
    ];
    let made = desk.json(&run);
    assert_eq!(made["suppressed_rows"], 0);
    assert!(desk.table("release.csv").smallest_class(&QUASI) >= 20);
}
