//! The Adult census with eight quasi-identifiers: every k that the papers use, recounted by a plain
//! group-by. Needs `COARSEN_DATA`.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::{Folder, data};
use serde_json::json;

const QUASI: [&str; 8] = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
];

const OTHERS: [&str; 6] = [
    "fnlwgt",
    "education-num",
    "relationship",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
];

/// A policy over a file of the research data, which stays where it is.
fn policy(data: &Path, file: &str) -> String {
    let adult = data.join("adult");
    let input = adult.join(file);
    let mut text = format!(
        "version = 1\ninput = {{ path = {:?} }}\noutput = {{ path = \"release.csv\" }}\n[columns]\n",
        input.to_str().unwrap()
    );
    text += "age = { role = \"quasi-identifier\", hierarchy = { intervals = [5, 10, 20] } }\n";
    for name in &QUASI[1..] {
        let hierarchy = adult.join(format!("adult_hierarchy_{name}.csv"));
        text += &format!(
            "{name} = {{ role = \"quasi-identifier\", hierarchy = {{ file = {:?} }} }}\n",
            hierarchy.to_str().unwrap()
        );
    }
    for name in OTHERS {
        text += &format!("{name} = {{ role = \"other\" }}\n");
    }
    text + "salary-class = { role = \"target\" }\n[privacy]\nk = 2\n[suppression]\nlimit = 0.02\n\
            [search]\nalgorithm = \"datafly\"\n"
}

/// Releases with a k, audits the file, and counts it once more.
fn releases(file: &str, rows: usize, ks: &[u64]) {
    let Some(data) = data() else { return };
    let desk = Folder::with(&[("policy.toml", &policy(&data, file))]);
    for k in ks {
        let set = format!("privacy.k={k}");
        let made = desk.json(&["run", "policy.toml", "--set", &set, "--json"]);
        assert_eq!(made["rows_in"], rows);
        let release = desk.table("release.csv");
        assert!(rows - release.rows.len() <= rows / 50, "k = {k}");
        let classes = release.classes(&QUASI).len();
        let smallest = release.smallest_class(&QUASI);
        assert!(smallest as u64 >= *k, "k = {k}: a class of {smallest}");
        let ask = k.to_string();
        let check = [
            "check",
            "release.csv",
            "--qi",
            &QUASI.join(","),
            "--k",
            &ask,
            "--subsets",
            "0",
            "--json",
        ];
        let found = desk.json(&check);
        assert_eq!(found["holds"], true);
        for from in [(&made, "smallest_class"), (&found, "k")] {
            assert_eq!(from.0[from.1], smallest);
        }
        assert_eq!(made["classes"], classes);
        assert_eq!(found["classes"], classes);
        assert_eq!(found["rows"], release.rows.len());
    }
}

#[test]
fn every_k_of_the_papers() {
    releases("train.csv", 30_162, &[2, 5, 10, 50, 100]);
}

/// With `?` for what is missing, which is a category of its own.
#[test]
fn the_raw_file() {
    releases("train_raw.csv", 32_561, &[2, 10]);
}

/// What was found on the one half is used on the other.
#[test]
fn a_recoding_of_one_half_on_the_other() {
    let Some(data) = data() else { return };
    let text = policy(&data, "train.csv").replace(
        "path = \"release.csv\"",
        "path = \"release.csv\", recoding = \"recoding.json\"",
    );
    let desk = Folder::with(&[("policy.toml", &text)]);
    desk.json(&["run", "policy.toml", "--set", "privacy.k=10", "--json"]);
    let test = data.join("adult/test.csv");
    let apply = [
        "apply",
        "recoding.json",
        test.to_str().unwrap(),
        "-o",
        "test.csv",
        "--unseen",
        "suppress",
        "--json",
    ];
    let made = desk.json(&apply);
    assert_eq!(made["rows_in"], 15_060);
    assert_eq!(made["audit"]["holds"], json!(true));
    assert!(desk.table("test.csv").smallest_class(&QUASI) >= 10);
}

/// The raw file is not even 2-anonymous, and the check says so.
#[test]
fn the_data_as_they_are_do_not_hold() {
    let Some(data) = data() else { return };
    let train = data.join("adult/train.csv");
    let desk = Folder::new();
    let check = [
        "check",
        train.to_str().unwrap(),
        "--qi",
        &QUASI.join(","),
        "--k",
        "2",
        "--json",
    ];
    let found = desk.run(&check).expect(1).json();
    assert_eq!(found["holds"], false);
    assert_eq!(found["k"], 1);
    assert_eq!(found["rows"], 30_162);
}
