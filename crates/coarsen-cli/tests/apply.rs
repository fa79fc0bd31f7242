//! `coarsen apply`: a saved recoding on the next delivery, audited like any release.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;

use common::desk::{POLICY, QUASI};
use common::{Folder, Table, people};
use serde_json::Value;

/// A folder with a release of 400 people and its recoding.
fn desk(changes: &[(&str, &str)]) -> Folder {
    let desk = common::desk::desk(400, changes);
    desk.run(&["run", "policy.toml"]).expect(0);
    desk
}

const APPLY: [&str; 5] = ["apply", "recoding.json", "new.csv", "-o", "out.csv"];

fn apply(desk: &Folder, more: &[&str]) -> Value {
    desk.json(&[&APPLY, more, &["--json"]].concat())
}

/// The header and the given lines.
fn table(lines: &[String]) -> String {
    format!(
        "name,age,zip,sex,illness,salary,visit\n{}\n",
        lines.join("\n")
    )
}

/// So many people of one kind.
fn alike(age: &str, zip: &str, sex: &str, count: usize) -> Vec<String> {
    let line = |i| format!("Person-{i},{age},{zip},{sex},flu,300,v{zip}{sex}{i}");
    (0..count).map(line).collect()
}

/// The rows that a run was made for get the very release that the run made.
#[test]
fn on_the_same_rows_it_makes_the_same_release() {
    let changes: [&[(&str, &str)]; 5] = [
        &[],
        &[("limit = 0.05", "limit = 0.05\nmode = \"mask\"")],
        &[(
            "k = 5",
            "k = 5\ndiversity = [{ column = \"illness\", distinct = 3 }]",
        )],
        &[(
            "intervals = [5, 10, 20] }",
            "intervals = [5, 10, 20] }, represent = \"mean\"",
        )],
        &[(
            "role = \"identifier\"",
            "role = \"identifier\", treatment = \"token\"",
        )],
    ];
    for changes in changes {
        let desk = desk(changes);
        let made = desk.json(&[
            "apply",
            "recoding.json",
            "people.csv",
            "-o",
            "out.csv",
            "--json",
        ]);
        assert!(
            desk.bytes("out.csv") == desk.bytes("release.csv"),
            "{changes:?}"
        );
        assert_eq!(made["algorithm"], "apply");
        assert_eq!(made["rows_in"], 400);
        assert_eq!(made["recoding"], Value::Null);
        assert_eq!(made["audit"]["holds"], true);
    }
}

#[test]
fn new_rows_get_the_same_blocks() {
    let desk = desk(&[]);
    // Other people of the same kind, and fewer of them.
    let new: Vec<String> = people(1400).lines().skip(1001).map(String::from).collect();
    desk.write("new.csv", table(&new));
    let made = apply(&desk, &["--unseen", "suppress"]);
    let (before, after) = (desk.table("release.csv"), desk.table("out.csv"));
    assert_eq!(after.names, before.names);
    assert!(after.smallest_class(&QUASI) >= 5);
    assert_eq!(made["rows_out"], after.rows.len());
    assert!(after.rows.len() > 200, "{}", after.rows.len());
    for column in QUASI {
        let known: BTreeSet<&str> = before.column(column).into_iter().collect();
        for cell in after.column(column) {
            assert!(known.contains(cell), "{cell} is no block of {column}");
        }
    }
    assert!(!desk.read("out.csv").contains("Person"));
}

#[test]
fn columns_may_stand_in_another_order() {
    let desk = desk(&[]);
    let people = desk.table("people.csv");
    let order = [6, 3, 4, 0, 2, 5, 1];
    let line = |row: &Vec<String>| order.map(|place| row[place].clone()).join(",");
    let lines: Vec<String> = std::iter::once(&people.names)
        .chain(&people.rows)
        .map(line)
        .collect();
    desk.write("new.csv", lines.join("\n"));
    apply(&desk, &[]);
    let (before, after) = (desk.table("release.csv"), desk.table("out.csv"));
    assert_eq!(
        after.names,
        ["visit", "sex", "illness", "zip", "salary", "age"]
    );
    let back = [5, 3, 1, 2, 4, 0];
    let rows = after.rows.iter();
    let mut same: Vec<Vec<String>> = rows
        .map(|row| back.map(|place| row[place].clone()).to_vec())
        .collect();
    same.sort();
    assert_eq!(same, before.multiset());
}

mod unseen {
    use super::*;

    /// Six people of a kind that the recoding knows, and as many of a sex that it does not.
    fn with_strangers() -> Folder {
        let desk = desk(&[]);
        let known = alike("35", "52001", "F", 6);
        let strange = alike("35", "52001", "X", 6);
        desk.write("new.csv", table(&[known, strange].concat()));
        desk
    }

    #[test]
    fn is_an_error_by_default_that_shows_no_value() {
        let desk = with_strangers();
        let words = [
            "`sex`",
            "1 value in 6 rows",
            "never seen",
            "suppress",
            "root",
        ];
        let done = desk.refuses(2, &APPLY, &words);
        assert!(!done.stderr.contains('X'), "{}", done.stderr);
    }

    #[test]
    fn may_be_suppressed() {
        let desk = with_strangers();
        let made = apply(&desk, &["--unseen", "suppress"]);
        assert_eq!(made["rows_out"], 6);
        assert_eq!(made["suppressed_rows"], 6);
        assert_eq!(made["unseen"][0]["column"], "sex");
        assert_eq!(made["unseen"][0]["rows"], 6);
        assert!(!desk.read("out.csv").contains('X'));
    }

    #[test]
    fn may_go_to_the_root() {
        let desk = with_strangers();
        let made = apply(&desk, &["--unseen", "root"]);
        assert_eq!(made["rows_out"], 12);
        let out = desk.table("out.csv");
        let sexes: BTreeSet<&str> = out.column("sex").into_iter().collect();
        assert_eq!(sexes, BTreeSet::from(["*", "F"]));
        assert_eq!(out.smallest_class(&QUASI), 6);
    }

    #[test]
    fn is_as_the_policy_says() {
        let desk = desk(&[("[search]", "[apply]\nunseen = \"suppress\"\n[search]")]);
        let lines = [alike("35", "52001", "F", 6), alike("35", "52001", "X", 6)];
        desk.write("new.csv", table(&lines.concat()));
        assert_eq!(apply(&desk, &[])["rows_out"], 6);
        desk.refuses(
            2,
            &[&APPLY[..], &["--unseen", "error"]].concat(),
            &["never seen"],
        );
    }

    #[test]
    fn a_new_code_under_a_known_mask_is_no_stranger() {
        let desk = desk(&[]);
        let zips: BTreeSet<String> = desk
            .table("release.csv")
            .column("zip")
            .iter()
            .map(|z| z.to_string())
            .collect();
        assert!(
            zips.iter()
                .all(|zip| zip.starts_with("52") && zip.ends_with('*')),
            "{zips:?}"
        );
        desk.write("new.csv", table(&alike("35", "52099", "F", 5)));
        assert_eq!(apply(&desk, &[])["rows_out"], 5);
        assert!(zips.contains(desk.table("out.csv").column("zip")[0]));
    }

    #[test]
    fn numbers_and_gaps_outside_every_block_are_strangers() {
        for age in ["140", "-5", "", "?"] {
            let desk = desk(&[]);
            desk.write("new.csv", table(&alike(age, "52001", "F", 6)));
            desk.refuses(2, &APPLY, &["`age`", "never seen"]);
        }
    }

    #[test]
    fn a_cell_of_another_type_is_refused_without_being_shown() {
        let desk = desk(&[]);
        desk.write("new.csv", table(&alike("elderly", "52001", "F", 6)));
        let done = desk.refuses(2, &APPLY, &["new.csv", "row 1", "`age`", "integer"]);
        assert!(!done.stderr.contains("elderly"), "{}", done.stderr);
    }
}

mod shortfall {
    use super::*;

    /// Six who hide among each other, and three who do not.
    fn with_few() -> Folder {
        let desk = desk(&[]);
        let lines = [alike("35", "52001", "F", 6), alike("35", "52001", "M", 3)];
        desk.write("new.csv", table(&lines.concat()));
        desk
    }

    #[test]
    fn is_suppressed_by_default() {
        let desk = with_few();
        let made = apply(&desk, &[]);
        assert_eq!(made["suppressed_rows"], 3);
        let out = desk.table("out.csv");
        assert_eq!(out.rows.len(), 6);
        assert_eq!(out.smallest_class(&QUASI), 6);
    }

    #[test]
    fn fails_where_it_is_asked_to() {
        let desk = with_few();
        desk.write("out.csv", "yesterday's");
        let before = desk.all();
        let done = desk
            .run(&[&APPLY[..], &["--shortfall", "fail"]].concat())
            .expect(1);
        assert!(done.stderr.contains("3 of 9 rows"), "{}", done.stderr);
        assert!(before == desk.all());
    }

    #[test]
    fn nothing_is_written_where_nothing_is_left() {
        let desk = desk(&[]);
        desk.write("new.csv", table(&alike("35", "52001", "F", 3)));
        let before = desk.all();
        let done = desk.run(&APPLY).expect(1);
        assert!(done.stderr.contains("every row"), "{}", done.stderr);
        assert!(before == desk.all());
    }

    /// Masked rows are a class that must hold too.
    #[test]
    fn masked_rows_must_hide_as_well() {
        let desk = desk(&[("limit = 0.05", "limit = 0.05\nmode = \"mask\"")]);
        let lines = [
            alike("35", "52001", "F", 9),
            alike("55", "52001", "F", 6),
            alike("35", "52001", "M", 3),
        ];
        desk.write("new.csv", table(&lines.concat()));
        apply(&desk, &[]);
        let out = desk.table("out.csv");
        assert_eq!(out.rows.len(), 18);
        assert!(out.smallest_class(&QUASI) >= 5);
        assert!(out.classes(&QUASI).contains_key(&vec!["*", "*", "*"]));
    }
}

mod elsewhere {
    use super::*;

    /// A recoding stands by itself: it is taken to another folder, away from the hierarchies that it
    /// was made with, and used from a third.
    #[test]
    fn a_recoding_needs_no_other_file() {
        let example = common::of_repository("examples/clinic");
        let desk = Folder::new();
        for name in ["policy.toml", "patients.csv", "diagnosis.csv"] {
            desk.write(
                &format!("made/{name}"),
                std::fs::read(example.join(name)).unwrap(),
            );
        }
        // Closeness looks at the hierarchy of diagnoses.
        let distinct = "distinct = 3 }]";
        let close = "distinct = 3 }]\ncloseness = [{ column = \"diagnosis\", t = 0.6 }]";
        desk.edit("made/policy.toml", distinct, close);
        desk.run(&["run", "made/policy.toml"]).expect(0);
        desk.write("taken/recoding.json", desk.read("made/recoding.json"));
        desk.write("new/patients.csv", desk.read("made/patients.csv"));
        let release = desk.read("made/release.csv");
        std::fs::remove_dir_all(desk.path("made")).unwrap();
        let apply = [
            "apply",
            "taken/recoding.json",
            "new/patients.csv",
            "-o",
            "new/out.csv",
        ];
        desk.run(&apply).expect(0);
        assert_eq!(desk.read("new/out.csv"), release);
    }

    /// The key of a hash is looked for beside the recoding, and links deliveries.
    #[test]
    fn a_keyed_hash_links_deliveries() {
        let keyed =
            "role = \"identifier\", treatment = \"keyed-hash\", key = { file = \"secret.key\" }";
        let desk = Folder::with(&[
            ("made/people.csv", &people(400)),
            (
                "made/policy.toml",
                &POLICY.replace("role = \"identifier\"", keyed),
            ),
            ("made/secret.key", "0123456789abcdef0123456789abcdef"),
        ]);
        desk.run(&["run", "made/policy.toml"]).expect(0);
        desk.write("new.csv", table(&alike("35", "52001", "F", 6)));
        let apply = ["apply", "made/recoding.json", "new.csv", "-o", "out.csv"];
        desk.run(&apply).expect(0);
        let first = desk.table("made/release.csv");
        let known: BTreeSet<&str> = first.column("name").into_iter().collect();
        let second = desk.table("out.csv");
        let linked = second
            .column("name")
            .into_iter()
            .filter(|hash| known.contains(hash));
        assert!(
            linked.count() >= 4,
            "Person-0 to Person-5 are in both, but for the suppressed"
        );
        desk.refuses(
            2,
            &[
                "apply",
                "made/recoding.json",
                "new.csv",
                "-o",
                "made/secret.key",
            ],
            &["secret.key", "overwritten"],
        );
    }

    /// The delivery may be in another format.
    #[test]
    fn from_one_format_to_another() {
        let desk = desk(&[]);
        let lines = alike("35", "52001", "F", 6);
        desk.write("new.csv", table(&lines).replace(',', ";"));
        desk.run(&["apply", "recoding.json", "new.csv", "-o", "out.jsonl"])
            .expect(0);
        let text = desk.read("out.jsonl");
        assert_eq!(text.lines().count(), 6);
        let row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(row["illness"], "flu");
    }

    #[test]
    fn the_text_says_what_was_done() {
        let desk = desk(&[]);
        let lines = [alike("35", "52001", "F", 6), alike("35", "52001", "X", 2)];
        desk.write("new.csv", table(&lines.concat()));
        let done = desk
            .run(&[&APPLY[..], &["--unseen", "suppress"]].concat())
            .expect(0);
        for word in [
            "8 rows in, 6 out",
            "5-anonymity",
            "sex holds 1 value in 2 rows",
            "out.csv",
        ] {
            assert!(done.stdout.contains(word), "no `{word}`:\n{}", done.stdout);
        }
        let out: Table = desk.table("out.csv");
        assert_eq!(out.rows.len(), 6);
    }
}
