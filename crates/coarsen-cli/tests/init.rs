//! `coarsen init` through the binary: the roles, the hierarchies and the files that it suggests, and
//! that what it writes runs as it is.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, data, of_repository};
use serde_json::Value;

/// The entry of a column in what `init --json` prints.
fn column<'a>(found: &'a Value, name: &str) -> &'a Value {
    let columns = found["columns"].as_array().unwrap();
    let entry = columns.iter().find(|column| column["name"] == name);
    entry.unwrap_or_else(|| panic!("no column `{name}`"))
}

/// The role that each column was given.
fn roles(found: &Value) -> Vec<(&str, &str)> {
    let columns = found["columns"].as_array().unwrap();
    columns
        .iter()
        .map(|c| (c["name"].as_str().unwrap(), c["role"].as_str().unwrap()))
        .collect()
}

/// Rows of one column, `count` of them, from the number of the row.
fn csv(head: &str, count: usize, row: impl Fn(usize) -> String) -> String {
    let rows = (0..count).map(|place| row(place) + "\n");
    format!("{head}\n{}", rows.collect::<String>())
}

#[test]
fn the_clinic_runs_as_drafted() {
    let folder = Folder::new();
    let patients = of_repository("examples/clinic/patients.csv");
    let found = folder.json(&["init", patients.to_str().unwrap(), "--json"]);
    assert_eq!(
        roles(&found)[..5],
        [
            ("name", "identifier"),
            ("birth_date", "quasi-identifier"),
            ("zip", "quasi-identifier"),
            ("sex", "quasi-identifier"),
            ("diagnosis", "sensitive"),
        ]
    );
    let dates = &column(&found, "birth_date")["suggestion"]["hierarchy"]["dates"];
    assert_eq!(*dates, serde_json::json!(["month", "year", "decade"]));
    assert_eq!(
        column(&found, "zip")["suggestion"]["hierarchy"]["mask"],
        "right"
    );
    let made = folder.json(&["run", "policy.toml", "--json"]);
    assert_eq!(made["before"]["uniques"], found["together"]["unique_rows"]);
    assert_eq!(
        made["before"]["combinations"],
        found["together"]["combinations"]
    );
    let checked = folder.json(&[
        "check",
        "patients-release.csv",
        "--policy",
        "policy.toml",
        "--json",
    ]);
    assert_eq!(checked["holds"], true);
    assert!(checked["k"].as_u64().unwrap() >= 5);
    assert!(folder.names().contains(&"patients-recoding.json".into()));
}

#[test]
fn what_is_printed_names_no_cell() {
    let folder = Folder::new();
    let patients = of_repository("examples/clinic/patients.csv");
    let done = folder.run(&["init", patients.to_str().unwrap()]).expect(0);
    for word in ["birth_date", "quasi-identifier", "coarsen run policy.toml"] {
        assert!(done.stdout.contains(word), "no `{word}`:\n{}", done.stdout);
    }
    let text = std::fs::read_to_string(&patients).unwrap();
    let cells = common::Table::parse(&text, ',');
    let written = folder.read("policy.toml") + &done.stdout;
    for name in ["name", "birth_date", "zip", "diagnosis"] {
        for cell in cells.column(name).into_iter().filter(|c| !c.is_empty()) {
            assert!(!written.contains(cell), "a cell of {name} is in the open");
        }
    }
}

#[test]
fn odd_names_come_back_whole() {
    let names = [
        "a b",
        "x.y",
        "say \"hi\"",
        "größe",
        "back\\slash",
        "tab\there",
        "#",
        "=",
    ];
    let quoted: Vec<String> = names
        .iter()
        .map(|name| format!("\"{}\"", name.replace('"', "\"\"")))
        .collect();
    let text = csv(&quoted.join(","), 30, |row| {
        vec![(row % 3).to_string(); names.len()].join(",")
    });
    let folder = Folder::with(&[("odd names.csv", &text)]);
    let done = folder.run(&["init", "odd names.csv", "-o", "a policy.toml"]);
    assert!(
        done.expect(0)
            .stdout
            .contains("coarsen run 'a policy.toml'")
    );
    folder.run(&["run", "a policy.toml"]).expect(0);
    let released = folder.table("odd names-release.csv");
    assert_eq!(released.names, names);
}

#[test]
fn dates_are_found_in_many_formats() {
    let head = "iso;us;german;slashed;compact;unclear;moment";
    let text = csv(head, 60, |row| {
        let (day, month, year) = (row % 28 + 1, row % 12 + 1, 1940 + row);
        let early = row % 12 + 1;
        format!(
            "{year}-{month:02}-{day:02};{month}/{day}/{year};{day:02}.{month:02}.{year};\
             {year}/{month:02}/{day:02};{year}{month:02}{day:02};{early}/{early}/{year};\
             {year}-{month:02}-{day:02} 10:{row:02}"
        )
    });
    let folder = Folder::with(&[("dates.csv", &text)]);
    let found = folder.json(&["init", "dates.csv", "--json"]);
    let format = |name: &str| column(&found, name)["format"].clone();
    assert_eq!(format("iso"), Value::Null);
    assert_eq!(format("us"), "%m/%d/%Y");
    assert_eq!(format("german"), "%d.%m.%Y");
    assert_eq!(format("slashed"), "%Y/%m/%d");
    assert_eq!(format("compact"), "%Y%m%d");
    assert_eq!(column(&found, "iso")["type"], "date");
    assert_eq!(column(&found, "unclear")["rival_format"], "%d/%m/%Y");
    let policy = folder.read("policy.toml");
    assert!(policy.contains("cannot be told apart"), "{policy}");
    assert!(policy.contains("delimiter = \";\""), "{policy}");
    folder.run(&["run", "policy.toml"]).expect(0);
}

#[test]
fn values_tell_where_names_do_not() {
    let text = csv("a,b,c,d,e,f,g,h", 200, |row| {
        format!(
            "u{row}@example.org,{},{},{},{:.1},{},same,{}",
            900_000 + row * 37,
            row % 4,
            row % 70,
            row as f64 * 0.25,
            if row % 10 == 0 { "N/A" } else { "word" },
            ["red", "green", "?"][row % 3],
        )
    });
    let folder = Folder::with(&[("plain.csv", &text)]);
    let found = folder.json(&["init", "plain.csv", "--json"]);
    let expected = [
        ("a", "identifier"),
        ("b", "identifier"),
        ("c", "quasi-identifier"),
        ("d", "quasi-identifier"),
        ("e", "quasi-identifier"),
        ("f", "other"),
        ("g", "other"),
        ("h", "quasi-identifier"),
    ];
    assert_eq!(roles(&found), expected);
    let hierarchy = |name: &str| &column(&found, name)["suggestion"]["hierarchy"];
    assert_eq!(*hierarchy("c"), Value::Null);
    assert_eq!(
        hierarchy("d")["intervals"],
        serde_json::json!([5.0, 10.0, 20.0])
    );
    assert_eq!(column(&found, "f")["missing"], 20);
    let policy = folder.read("policy.toml");
    assert!(policy.contains("missing = [\"?\", \"N/A\"]"), "{policy}");
    folder.run(&["run", "policy.toml"]).expect(0);
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = Folder::with(&[("t.csv", "age,sex\n30,m\n31,f\n"), ("policy.toml", "mine")]);
    folder.refuses(2, &["init", "t.csv"], &["exists already", "--force"]);
    folder.refuses(2, &["init", "t.csv", "-o", "t.csv"], &["this is the data"]);
    let onto = ["init", "t.csv", "-o", "t.csv", "--force"];
    folder.refuses(2, &onto, &["this is the data"]);
    folder.run(&["init", "t.csv", "--force"]).expect(0);
    let policy = folder.read("policy.toml");
    assert!(
        policy.contains("k = 2") && policy.contains("no more rows"),
        "{policy}"
    );
    folder.run(&["run", "policy.toml"]).expect(0);
}

#[test]
fn what_is_no_table_is_refused() {
    let folder = Folder::with(&[
        ("empty.csv", ""),
        ("head.csv", "a,b\n"),
        ("t.xyz", "a\n1\n"),
    ]);
    folder.refuses(2, &["init", "empty.csv"], &["empty"]);
    folder.refuses(2, &["init", "head.csv"], &["no rows"]);
    folder.refuses(2, &["init", "none.csv"], &["no such file"]);
    folder.refuses(2, &["init", "t.xyz"], &["format"]);
    folder.refuses(
        2,
        &["init", "head.csv", "-o", "no/p.toml"],
        &["no such folder"],
    );
}

#[test]
fn a_table_may_have_no_names() {
    let rows = csv("30,m", 40, |row| format!("{},{}", 20 + row, row % 2));
    let folder = Folder::with(&[("t.csv", &rows)]);
    let done = folder.run(&["init", "t.csv"]).expect(0);
    assert!(done.stdout.contains("--no-header"), "{}", done.stdout);
    let found = folder.json(&["init", "t.csv", "--no-header", "--force", "--json"]);
    assert_eq!(found["rows"], 41);
    assert!(folder.read("policy.toml").contains("header = false"));
    folder.run(&["run", "policy.toml"]).expect(0);
}

#[test]
fn paths_start_at_the_policys_folder() {
    let rows = csv("age,sex", 40, |row| format!("{},{}", 20 + row, row % 2));
    let folder = Folder::with(&[("data/t.csv", &rows), ("policies/x", "")]);
    folder
        .run(&["init", "data/t.csv", "-o", "policies/p.toml"])
        .expect(0);
    let policy = folder.read("policies/p.toml");
    assert!(policy.contains("path = \"../data/t.csv\""), "{policy}");
    folder.run(&["run", "policies/p.toml"]).expect(0);
    assert!(folder.names().contains(&"policies/t-release.csv".into()));
}

#[test]
fn other_formats_are_looked_at_as_well() {
    // A release in Parquet or Arrow is a table in Parquet or Arrow, so the binary makes its own.
    let folder = Folder::new();
    let patients = of_repository("examples/clinic/patients.csv");
    folder
        .run(&["init", patients.to_str().unwrap(), "-o", "first.toml"])
        .expect(0);
    for ending in ["parquet", "arrow", "jsonl"] {
        let output = format!("output.path=made.{ending}");
        folder
            .run(&["run", "first.toml", "--set", &output])
            .expect(0);
        let made = format!("made.{ending}");
        let found = folder.json(&["init", &made, "--json", "--force"]);
        assert_eq!(column(&found, "diagnosis")["role"], "sensitive");
        assert!(column(&found, "length_of_stay")["missing"] == 0);
        let policy = folder.read("policy.toml");
        assert!(
            policy.contains(&format!("made-release.{ending}")),
            "{policy}"
        );
        folder.run(&["run", "policy.toml"]).expect(0);
    }
}

#[test]
fn nested_values_are_dropped() {
    let rows: String = (0..20)
        .map(|row| format!("{{\"age\":{row},\"notes\":{{\"a\":[1,2]}},\"ok\":true}}\n"))
        .collect();
    let folder = Folder::with(&[("n.jsonl", &rows)]);
    let found = folder.json(&["init", "n.jsonl", "--json"]);
    assert_eq!(column(&found, "notes")["role"], "identifier");
    assert_eq!(column(&found, "age")["type"], "integer");
    folder.run(&["run", "policy.toml"]).expect(0);
}

#[test]
fn adult_needs_only_a_look_at_its_roles() {
    let Some(data) = data() else { return };
    let train = data.join("adult/train_raw.csv");
    let folder = Folder::new();
    let found = folder.json(&["init", train.to_str().unwrap(), "--json"]);
    let quasi = [
        "age",
        "workclass",
        "education",
        "education-num",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "hours-per-week",
        "native-country",
    ];
    for (name, role) in roles(&found) {
        let expected = match name {
            "fnlwgt" => "identifier",
            "capital-gain" | "capital-loss" => "sensitive",
            "salary-class" => "target",
            name => {
                assert!(quasi.contains(&name), "{name}");
                "quasi-identifier"
            }
        };
        assert_eq!(role, expected, "{name}");
    }
    assert_eq!(column(&found, "age")["distinct"], 73);
    assert_eq!(column(&found, "fnlwgt")["distinct"], 21_648);
    assert!(folder.read("policy.toml").contains("missing = [\"?\"]"));
    let made = folder.json(&["run", "policy.toml", "--json"]);
    assert_eq!(made["before"]["uniques"], found["together"]["unique_rows"]);
    assert!(made["smallest_class"].as_u64().unwrap() >= 5);
    let twins = serde_json::json!([["education", "education-num"]]);
    assert_eq!(found["together"]["twins"], twins);
}
