//! The design's example, syntax, unknown keys, wrong types, and the way to JSON and back.

use std::time::Duration;

use super::super::*;
use super::{accepted, refused, says, text, with_columns, with_sections};

/// The example of DESIGN.md, to the letter.
const DESIGN: &str = r##"
version = 1
input  = { path = "patients.csv", missing = ["", "?", "NA"] }       # format from the ending; delimiter found or given
output = { path = "release.csv", recoding = "recoding.json", report = "report.html" }

[columns]
name      = { role = "identifier", treatment = "drop" }              # drop | token | keyed-hash
age       = { role = "quasi-identifier", type = "integer", scheme = "ordered", hierarchy = { intervals = [5, 10, 20] } }
birth     = { role = "quasi-identifier", type = "date", hierarchy = { dates = ["month", "year", "decade"] } }
zip       = { role = "quasi-identifier", hierarchy = { mask = "right" } }
education = { role = "quasi-identifier", scheme = "cut", hierarchy = { file = "education.csv" } }   # ARX layout
disease   = { role = "sensitive" }
salary    = { role = "target" }
visit     = { role = "other" }

[privacy]
k = 10
diversity = [{ column = "disease", entropy = 3.0 }]     # distinct | entropy | recursive = { c, l } | squared_error
closeness = [{ column = "disease", t = 0.2 }]

[suppression]
limit = 0.05        # share of rows; 0 forbids it
mode  = "drop"      # or "mask": the row stays, its quasi-identifiers become *

[search]
algorithm = "auto"
loss = "lm"
budget = "30s"
seed = 1
genetic = { population = 500, iterations = 50000 }      # an algorithm's own settings under its name

[workload]
targets = [{ column = "salary", weight = 1.0 }]
selections = ["age > 40 and sex = 'Male'"]

[engine]
memory = "2GB"      # spill beyond it
# url = "ballista://host:50050"
"##;

/// Everything that the design's example leaves out.
const FULL: &str = r##"
version = 1
input = { path = "in.tsv", format = "csv", delimiter = "\t", header = false, missing = ["-"], missing_values = "refuse" }
output = { path = "out.parquet", format = "parquet", order = "keep" }
[columns]
ssn = { role = "identifier", treatment = "keyed-hash", key = { file = "secret.key" } }
mail = { role = "identifier", treatment = "keyed-hash", key = { env = "COARSEN_KEY" } }
"native country" = { role = "quasi-identifier", type = "text", scheme = "guided-set", weight = 2, hierarchy = { tree = { "West" = { "South" = ["Spain"], "North" = ["Norway", "Iceland"] }, "East" = ["Japan"] } } }
born = { role = "quasi-identifier", type = "date", format = "%m/%d/%Y", represent = "bounds", hierarchy = { dates = ["day", "quarter"] } }
wage = { role = "quasi-identifier", type = "decimal", represent = "mean", hierarchy = { intervals = [0.1, 0.3], origin = 2 } }
zip = { role = "quasi-identifier", hierarchy = { mask = "left", levels = 2 } }
gain = { role = "quasi-identifier", hierarchy = { quantiles = 100 } }
grade = { role = "sensitive", type = "text", order = ["low", "mid", "high"], distance = "ordered" }
illness = { role = "sensitive", distance = "hierarchical", hierarchy = { tree = ["flu", "cold"] } }
cost = { role = "sensitive", type = "decimal" }
[privacy]
k = 1
[[privacy.diversity]]
column = "grade"
distinct = 2
[[privacy.diversity]]
column = "illness"
recursive = { c = 2.0, l = 3 }
[[privacy.diversity]]
column = "cost"
squared_error = 100
[suppression]
limit = 1
mode = "mask"
[search]
budget = "1.5s"
threads = 2
[apply]
unseen = "root"
shortfall = "fail"
[engine]
memory = "1GiB"
url = "ballista://host:50050"
"##;

#[test]
fn the_design_example_parses() {
    let policy = accepted(DESIGN);
    assert_eq!(policy.columns.len(), 8);
    let windows = format!("\u{feff}{}", DESIGN.replace('\n', "\r\n"));
    assert_eq!(accepted(&windows), policy);
    assert_eq!(policy.columns["age"].scheme, Some(Scheme::Ordered));
    assert_eq!(policy.privacy.k, 10);
    assert_eq!(
        policy.privacy.diversity[0].measure,
        DiversityMeasure::Entropy { l: 3.0 }
    );
    assert_eq!(policy.search.budget, Some(Duration::from_secs(30)));
    assert_eq!(
        policy.search.settings["genetic"]["population"].as_integer(),
        Some(500)
    );
    assert_eq!(policy.engine.memory, Some(2_000_000_000));
    assert_eq!(policy.input.missing_rule, MissingRule::Category);
    assert_eq!(policy.output.order, Order::Sorted);
    assert_eq!(policy.apply, Apply::default());
    let quasi: Vec<&str> = policy
        .columns_with(Role::QuasiIdentifier)
        .map(|(name, _)| name)
        .collect();
    assert_eq!(quasi, ["age", "birth", "education", "zip"]);
}

#[test]
fn every_other_key_parses() {
    let policy = accepted(FULL);
    assert_eq!(policy.input.delimiter, Some('\t'));
    assert_eq!(
        policy.columns["mail"].key,
        Some(KeySource::Env {
            name: "COARSEN_KEY".into()
        })
    );
    assert_eq!(
        policy.columns["wage"].hierarchy,
        Some(HierarchySpec::Intervals {
            widths: vec![0.1, 0.3],
            origin: 2.0
        })
    );
    assert_eq!(policy.search.budget, Some(Duration::from_millis(1500)));
    assert_eq!(policy.engine.memory, Some(1 << 30));
    assert_eq!(policy.apply.unseen, Unseen::Root);
}

#[test]
fn a_tree_keeps_the_order_of_the_text() {
    // Needs the feature `preserve_order` of the crate `toml`.
    let leaves = |values: &[&str]| TreeSpec::Leaves(values.iter().map(|v| v.to_string()).collect());
    let tree = TreeSpec::Inner(vec![
        (
            "West".into(),
            TreeSpec::Inner(vec![
                ("South".into(), leaves(&["Spain"])),
                ("North".into(), leaves(&["Norway", "Iceland"])),
            ]),
        ),
        ("East".into(), leaves(&["Japan"])),
    ]);
    let policy = accepted(FULL);
    assert_eq!(
        policy.columns["native country"].hierarchy,
        Some(HierarchySpec::Tree(tree))
    );
}

#[test]
fn json_and_back_is_the_same_policy() {
    for source in [DESIGN, FULL] {
        let policy = accepted(source);
        let json = serde_json::to_string(&policy).expect("a policy is JSON");
        let back: Policy = serde_json::from_str(&json).expect("its JSON is a policy");
        assert_eq!(back, policy);
        back.check().expect("it is as good as before");
    }
}

#[test]
fn text_that_is_not_toml() {
    let source = with_columns("age = { role = quasi }");
    let error = Policy::parse(&source, &[]).expect_err("no quotes");
    assert_eq!(&source[error.span.clone().expect("a place")], "quasi");
    assert_eq!(error.key, None);
    says(&error, &["not valid TOML"], "quotes");

    let source = text("", "k = 5\nk = 6", "");
    let error = Policy::parse(&source, &[]).expect_err("twice");
    assert_eq!(&source[error.span.clone().expect("a place")], "k");
    says(&error, &["duplicate key"], "once");
}

#[test]
fn unknown_keys_at_any_depth() {
    let unknown = &["is not a key of the policy"];
    refused(
        &with_sections("[serach]"),
        "serach",
        "serach",
        unknown,
        "Did you mean `search`?",
    );
    refused(
        &text("", "k = 5\ndiversty = []", ""),
        "privacy.diversty",
        "diversty",
        unknown,
        "`diversity`?",
    );
    refused(
        &with_columns("age = { role = \"other\", tpye = \"integer\" }"),
        "columns.age.tpye",
        "tpye",
        unknown,
        "Did you mean `type`? Known are `role`, `type`",
    );
    refused(
        &with_columns("age = { role = \"quasi-identifier\", hierarchy = { interval = [5] } }"),
        "columns.age.hierarchy.interval",
        "interval",
        unknown,
        "Did you mean `intervals`?",
    );
    refused(
        &text(
            "d = { role = \"sensitive\" }",
            "k = 5\ncloseness = [{ column = \"d\", t = 1, u = 2 }]",
            "",
        ),
        "privacy.closeness.0.u",
        "u",
        unknown,
        "Known are `column` and `t`.",
    );
    // In [search] a table may be an algorithm's own settings, but nothing else may.
    refused(
        &with_sections("[search]\nalgoritm = \"datafly\""),
        "search.algoritm",
        "algoritm",
        unknown,
        "Did you mean `algorithm`?",
    );
    accepted(&with_sections("[search.whatever]\nx = 1"));
}

#[test]
fn wrong_types() {
    refused(
        &text("", "k = \"5\"", ""),
        "privacy.k",
        "\"5\"",
        &["a whole number", "the text \"5\""],
        "Remove the quotes: 5.",
    );
    refused(
        &text("", "k = -1", ""),
        "privacy.k",
        "-1",
        &["0 or more", "the number -1"],
        "whole number",
    );
    refused(
        &text("", "k = 2.5", ""),
        "privacy.k",
        "2.5",
        &["a whole number", "2.5"],
        "whole number",
    );
    refused(
        &with_sections("[engine]\nurl = 5"),
        "engine.url",
        "5",
        &["text"],
        "Put quotes around it.",
    );
    refused(
        &with_columns("age = \"quasi-identifier\""),
        "columns.age",
        "\"quasi-identifier\"",
        &["a table such as { role ="],
        "a table such as",
    );
    refused(
        &with_columns("age = { role = \"quasi-identifier\", hierarchy = \"age.csv\" }"),
        "columns.age.hierarchy",
        "\"age.csv\"",
        &["{ file ="],
        "{ file =",
    );
    refused(
        &with_columns("e = { role = \"quasi-identifier\", order = \"low\" }"),
        "columns.e.order",
        "\"low\"",
        &["a list"],
        "[\"low\"]",
    );
    refused(
        &with_columns(
            "e = { role = \"quasi-identifier\", hierarchy = { tree = { a = [1, [2]] } } }",
        ),
        "columns.e.hierarchy.tree.a.1",
        "[2]",
        &["text or a whole number", "a list"],
        "",
    );
}

#[test]
fn what_must_be_there() {
    let whole = with_columns("");
    for (line, key, help) in [
        ("version = 1\n", "version", "version = 1"),
        ("input = { path = \"in.csv\" }\n", "input", "input = { path"),
        (
            "output = { path = \"out.csv\" }\n",
            "output",
            "output = { path",
        ),
        ("[privacy]\nk = 5\n", "privacy", "`k = 5`"),
    ] {
        assert!(whole.contains(line));
        let error = Policy::parse(&whole.replace(line, ""), &[]).expect_err(key);
        assert_eq!(error.key.as_deref(), Some(key));
        assert_eq!(error.span, None, "what is absent at the top has no place");
        says(&error, &["has no"], help);
    }
    refused(
        &text("", "", ""),
        "privacy.k",
        "privacy",
        &["has no `privacy.k`"],
        "rows a class",
    );
    let source = whole.replace("{ path = \"in.csv\" }", "{ format = \"csv\" }");
    refused(
        &source,
        "input.path",
        "input",
        &["has no `input.path`"],
        "input = { path",
    );
}

#[test]
fn the_version_comes_first() {
    let source = with_sections("[novelty]").replace("version = 1", "version = 2");
    refused(
        &source,
        "version",
        "2",
        &["version 2", "reads version 1"],
        "version = 1",
    );
}

#[test]
fn lists_of_words_agree_with_themselves() {
    assert_eq!(Scheme::GuidedSet.to_string(), "guided-set");
    assert_eq!(format!("{:>6}|", Role::Other), " other|");
    assert_eq!(Scheme::ALL.len(), 6);
    assert_eq!(Kind::ALL.len(), Kind::WORDS.len());
    for role in Role::ALL {
        assert_eq!(Role::from_word(role.word()), Some(*role));
        assert!(role.summary().ends_with('.'));
    }
}

#[test]
fn a_table_of_keys_needs_no_files_and_is_checked_like_a_text() {
    let table = |text: &str| toml::from_str::<toml::Table>(text).unwrap();
    let columns = "[columns]\nage = { role = \"quasi-identifier\" }\n";
    let policy = Policy::from_table(table(&format!("{columns}[privacy]\nk = 3"))).unwrap();
    assert_eq!((policy.version, policy.privacy.k), (VERSION, 3));
    assert!(policy.input.path.is_empty() && policy.output.path.is_empty());
    // Without a place for the rows it is no policy for files.
    assert_eq!(
        policy.check().unwrap_err().key.as_deref(),
        Some("input.path")
    );
    let refused = |text: &str| Policy::from_table(table(text)).unwrap_err().key.unwrap();
    assert_eq!(refused(&format!("{columns}[privacy]\nk = -1")), "privacy.k");
    assert_eq!(refused(&format!("{columns}[privacy]\nk = 0")), "privacy.k");
    assert_eq!(
        refused(&format!("version = 2\n{columns}[privacy]\nk = 2")),
        "version"
    );
    assert_eq!(refused(columns), "privacy");
    assert_eq!(
        refused("[privacy]\nk = 2\n[input]\nmisssing = []"),
        "input.misssing"
    );
}
