//! `coarsen hierarchy` through the binary: shown, built, exported, read back, and refused.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, of_repository};
use serde_json::Value;

const PEOPLE: &str = "\
name,age,zip,born,income,work
a,17,02138,9/20/1965,0.3,Private
b,23,02139,01/02/1970,0.1,Private
c,24,02141,3/4/1971,1.25,State
d,38,02138,11/30/1979,0.6,
e,39,10001,12/31/1980,0.7,Local
f,?,10001,09/20/1965,2,State
";

const POLICY: &str = r#"
version = 1
input = { path = "people.csv" }
output = { path = "release.csv" }
[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", type = "integer", hierarchy = { intervals = [5, 10, 20] } }
zip = { role = "quasi-identifier", hierarchy = { mask = "right" } }
born = { role = "quasi-identifier", type = "date", format = "%m/%d/%Y", hierarchy = { dates = ["month", "year"] } }
income = { role = "quasi-identifier" }
work = { role = "sensitive", hierarchy = { file = "work.csv" } }
[privacy]
k = 2
"#;

const WORK: &str = "Private;Private;*\nState;Public;*\nLocal;Public;*\nFederal;Public;*\n";

fn folder() -> Folder {
    Folder::with(&[
        ("people.csv", PEOPLE),
        ("policy.toml", POLICY),
        ("work.csv", WORK),
    ])
}

/// The names of every level, from the tree that `--json` prints.
fn levels(shown: &Value) -> Vec<Vec<String>> {
    fn walk(node: &Value, depth: usize, levels: &mut Vec<Vec<String>>) {
        if levels.len() <= depth {
            levels.push(Vec::new());
        }
        levels[depth].push(node["name"].as_str().unwrap().to_string());
        for child in node["children"].as_array().into_iter().flatten() {
            walk(child, depth + 1, levels);
        }
    }
    let mut levels = Vec::new();
    walk(&shown["tree"], 0, &mut levels);
    levels
}

#[test]
fn a_column_of_a_policy_is_a_tree_with_rows() {
    let folder = folder();
    let shown = folder
        .run(&["hierarchy", "show", "policy.toml", "work"])
        .expect(0)
        .stdout;
    for line in [
        "├── Private",
        "│   └── Private",
        "├── Public ",
        "│   ├── State",
        "│   └── Federal",
        "└── (missing)",
        "all values of the data are covered; 1 leaf is in no row",
        "1 of them with a missing value",
    ] {
        assert!(shown.contains(line), "no `{line}` in\n{shown}");
    }
    let shown = folder.json(&["hierarchy", "show", "policy.toml", "work", "--json"]);
    assert_eq!(shown["height"], 2);
    assert_eq!(
        (&shown["leaves"], &shown["unused_leaves"]),
        (&4.into(), &1.into())
    );
    assert_eq!(
        (&shown["rows"], &shown["missing_rows"]),
        (&6.into(), &1.into())
    );
    let public = &shown["tree"]["children"][1];
    assert_eq!((&public["rows"], &public["leaves"]), (&3.into(), &3.into()));
    assert_eq!(shown["levels"][1]["nodes"], 2);
    assert_eq!(shown["levels"][1]["smallest"], 2);
    // A value that is missing is neither a leaf nor an interval.
    let ages = folder.json(&["hierarchy", "show", "policy.toml", "age", "--json"]);
    assert_eq!(
        (&ages["leaves"], &ages["missing_rows"]),
        (&5.into(), &1.into())
    );
    assert_eq!(ages["levels"][3]["examples"][0], "0..19");
}

#[test]
fn every_kind_of_policy_hierarchy_is_shown_and_exported() {
    let folder = folder();
    for (column, first) in [
        ("age", "17;15..19;10..19;0..19;*\n"),
        ("zip", "02138;0213*;021**;02***;0****;*\n"),
        ("born", "09/20/1965;1965-09;1965;*\n"),
        ("income", "0.1;0.1..0.3;0.1..0.7;*\n"),
        ("work", "Private;Private;*\n"),
    ] {
        folder
            .run(&["hierarchy", "show", "policy.toml", column])
            .expect(0);
        let exported = folder
            .run(&["hierarchy", "export", "policy.toml", column])
            .expect(0)
            .stdout;
        assert!(exported.starts_with(first), "{column}:\n{exported}");
    }
    let exported = folder
        .run(&["hierarchy", "export", "policy.toml", "work"])
        .expect(0)
        .stdout;
    assert_eq!(exported, WORK, "what was read is what is written");
}

#[test]
fn a_long_tree_is_shortened_and_cut() {
    let folder = Folder::new();
    let rows: String = (0..3000).map(|n| format!("{n}\n")).collect();
    folder.write("numbers.csv", format!("n\n{rows}"));
    folder
        .run(&[
            "hierarchy",
            "build",
            "numbers.csv",
            "n",
            "--intervals",
            "50,1000",
            "-o",
            "n.csv",
        ])
        .expect(0);
    let show = [
        "hierarchy",
        "show",
        "--file",
        "n.csv",
        "--data",
        "numbers.csv",
        "--column",
        "n",
    ];
    let shown = folder.run(&show).expect(0).stdout;
    assert!(shown.lines().count() < 110, "{shown}");
    assert!(
        shown.contains("1 level below not shown; --depth 3 goes to the leaves"),
        "{shown}"
    );
    let deep = folder
        .run(&[&show[..], &["--depth", "3"]].concat())
        .expect(0)
        .stdout;
    assert!(deep.contains("└── … and 44 more     44 rows"), "{deep}");
    let all = folder
        .run(&[&show[..], &["--all"]].concat())
        .expect(0)
        .stdout;
    assert!(all.lines().count() > 3063 && !all.contains("more"));
    let flat = folder
        .run(&[&show[..], &["--depth", "1"]].concat())
        .expect(0)
        .stdout;
    assert!(
        flat.contains("└── 2000..2999  1,000 rows  1,000 leaves"),
        "{flat}"
    );
}

#[test]
fn what_build_wrote_reads_back_to_the_same_levels() {
    let folder = folder();
    let cases: [(&str, &str, &[&str]); 8] = [
        (
            "age",
            "integer",
            &["--intervals", "5,10,20", "--origin", "-3"],
        ),
        ("age", "integer", &["--quantiles", "2"]),
        ("age", "integer", &["--flat"]),
        ("zip", "text", &["--mask", "left", "--levels", "2"]),
        (
            "born",
            "date",
            &["--dates", "month,year,decade", "--format", "%m/%d/%Y"],
        ),
        (
            "born",
            "date",
            &["--quantiles", "3", "--format", "%m/%d/%Y"],
        ),
        ("income", "decimal", &["--intervals", "0.1,0.2,0.6"]),
        ("work", "text", &["--flat", "--type", "text"]),
    ];
    for (column, kind, how) in cases {
        let built = [&["hierarchy", "build", "people.csv", column], how].concat();
        let printed = folder.run(&built).expect(0).stdout;
        let told = folder
            .run(&[&built[..], &["-o", "h.csv", "--force"]].concat())
            .expect(0)
            .stdout;
        assert_eq!(
            folder.read("h.csv"),
            printed,
            "a file holds what stdout shows"
        );
        // The levels as they stand in the file, from the top down; siblings stand together already.
        let lines: Vec<Vec<&str>> = printed
            .lines()
            .map(|line| line.split(';').collect())
            .collect();
        let expected: Vec<Vec<&str>> = (0..lines[0].len())
            .rev()
            .map(|level| {
                let mut names: Vec<&str> = lines.iter().map(|line| line[level]).collect();
                names.dedup();
                names
            })
            .collect();

        let mut show = vec!["hierarchy", "show", "--json", "--file", "h.csv"];
        let alone = levels(&folder.json(&show));
        assert_eq!(alone, expected, "{column} {how:?} alone");
        show.extend(["--data", "people.csv", "--column", column, "--type", kind]);
        if kind == "date" {
            show.extend(["--format", "%m/%d/%Y"]);
        }
        let mut with_data = folder.json(&show);
        assert_eq!(with_data["unused_leaves"], 0, "{column} {how:?}");
        drop_missing(&mut with_data["tree"]);
        assert_eq!(levels(&with_data), expected, "{column} {how:?} with data");

        // The line that `build` proposes makes the same tree in a policy.
        let line = told
            .lines()
            .find_map(|l| l.strip_prefix("use it in a policy as: "))
            .unwrap();
        let policy: String = POLICY
            .lines()
            .map(|old| match old.starts_with(&format!("{column} =")) {
                true => format!("{line}\n"),
                false => format!("{old}\n"),
            })
            .collect();
        folder.write("again.toml", policy);
        let mut again = folder.json(&["hierarchy", "show", "again.toml", column, "--json"]);
        drop_missing(&mut again["tree"]);
        assert_eq!(levels(&again), expected, "{column} {how:?} in a policy");
        let exported = folder
            .run(&["hierarchy", "export", "again.toml", column])
            .expect(0)
            .stdout;
        assert_eq!(exported, printed, "{column} {how:?} exported");
    }
}

/// A missing value is a category of its own beside the file's tree.
fn drop_missing(tree: &mut Value) {
    if let Some(children) = tree["children"].as_array_mut() {
        children.retain(|child| child["name"] != "missing");
    }
}

#[test]
fn the_clinic_example_is_covered() {
    let folder = Folder::new();
    let policy = of_repository("examples/clinic/policy.toml");
    let policy = policy.to_str().unwrap();
    for column in ["birth_date", "zip", "sex", "diagnosis"] {
        let shown = folder.json(&["hierarchy", "show", policy, column, "--json"]);
        assert_eq!(shown["unused_leaves"], 0);
        let exported = folder
            .run(&["hierarchy", "export", policy, column, "-o", column])
            .expect(0);
        assert!(exported.stdout.starts_with("wrote "), "{}", exported.stdout);
        folder
            .run(&["hierarchy", "show", "--file", column])
            .expect(0);
    }
}

#[test]
fn everything_wrong_with_a_file_is_told_at_once() {
    let folder = folder();
    folder.write(
        "work.csv",
        "Private;Private;*\nstate;Public;*\nFederal;Public;*\nFederal;Private;*\nA;B;*\nB;A;*\nC;*\n",
    );
    let words = [
        "work.csv",
        "`Federal` is listed twice",
        "`C` has 2 levels with itself and `*`, where most leaves have 3",
        "`Federal` has two parents, `Public` and `Private`",
        "`A` is its own ancestor, which makes a cycle: `A` → `B` → `A`",
        "`State` is in the data but not in the hierarchy, which has `state`",
        "`Local` is in the data but not in the hierarchy",
        "one line a leaf",
    ];
    folder.refuses(
        2,
        &["hierarchy", "show", "policy.toml", "work"],
        &[&words[..], &["`work`"]].concat(),
    );
    let show = ["hierarchy", "show", "--file", "work.csv"];
    let alone = folder.refuses(2, &show, &words[..5]);
    assert!(!alone.stderr.contains("in the data"), "{}", alone.stderr);
    let over = [&show[..], &["--data", "people.csv", "--column", "work"]].concat();
    folder.refuses(2, &over, &words);
}

#[test]
fn columns_that_cannot_be_shown_say_why() {
    let folder = folder();
    let show = |column| ["hierarchy", "show", "policy.toml", column];
    folder.refuses(
        2,
        &show("ages"),
        &["policy.toml", "no column `ages`", "Did you mean `age`?"],
    );
    folder.refuses(
        2,
        &show("name"),
        &["`name` is an identifier", "age, born, income, work, zip"],
    );
    folder.edit("policy.toml", ", hierarchy = { file = \"work.csv\" }", "");
    folder.refuses(
        2,
        &show("work"),
        &[
            "`work` is sensitive, and has no hierarchy",
            "Add `hierarchy",
        ],
    );
    let build = ["hierarchy", "build", "people.csv", "agee", "--flat"];
    folder.refuses(
        2,
        &build,
        &["people.csv", "no column `agee`", "Did you mean `age`?"],
    );
    folder.refuses(
        2,
        &["hierarchy", "show", "--file", "none.csv"],
        &["none.csv", "no such hierarchy file"],
    );
    folder.refuses(2, &["hierarchy", "show", "policy.toml"], &["COLUMN"]);
}

#[test]
fn what_does_not_suit_the_values_is_refused() {
    let folder = folder();
    let build = |column: &'static str, how: &'static [&'static str]| {
        [&["hierarchy", "build", "people.csv", column], how].concat()
    };
    folder.refuses(
        2,
        &build("work", &["--intervals", "5"]),
        &["`work`", "intervals need numbers"],
    );
    folder.refuses(
        2,
        &build("age", &["--intervals", "5,12"]),
        &["`age`", "12", "multiple"],
    );
    folder.refuses(
        2,
        &build("age", &["--intervals", "2.5"]),
        &["whole-numbered"],
    );
    folder.refuses(2, &build("age", &["--quantiles", "1"]), &["at least 2"]);
    folder.refuses(
        2,
        &build("born", &["--dates", "month"]),
        &["row 1, column `born`", "--format"],
    );
    folder.refuses(
        2,
        &build("born", &["--dates", "year,month"]),
        &["month", "fine to coarse"],
    );
    folder.refuses(
        2,
        &build("work", &["--type", "integer", "--flat"]),
        &["row 1", "--missing"],
    );
    folder.refuses(2, &build("age", &[]), &["--intervals"]);
    folder.refuses(
        2,
        &build("age", &["--flat", "--mask", "right"]),
        &["cannot be used with"],
    );
}

#[test]
fn nothing_is_overwritten_unasked_and_the_data_never() {
    let folder = folder();
    let build = [
        "hierarchy",
        "build",
        "people.csv",
        "age",
        "--intervals",
        "5",
    ];
    let to = |file: &'static str, more: &[&'static str]| [&build[..], &["-o", file], more].concat();
    folder.refuses(
        2,
        &to("work.csv", &[]),
        &["work.csv", "exists already", "--force"],
    );
    folder.refuses(2, &to("people.csv", &["--force"]), &["this is the data"]);
    folder.refuses(2, &to("./people.csv", &["--force"]), &["this is the data"]);
    folder.refuses(2, &to("no/such/age.csv", &[]), &["no such folder"]);
    let export = ["hierarchy", "export", "policy.toml", "age", "--force", "-o"];
    folder.refuses(
        2,
        &[&export[..], &["people.csv"]].concat(),
        &["this is the data"],
    );
    folder.refuses(
        2,
        &[&export[..], &["policy.toml"]].concat(),
        &["this is the policy"],
    );
    folder.run(&to("work.csv", &["--force"])).expect(0);
    assert!(folder.read("work.csv").starts_with("17;15..19;*\n"));
    assert_eq!(folder.names(), ["people.csv", "policy.toml", "work.csv"]);
}
