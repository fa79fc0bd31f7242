//! Searching a table in passes over its rows, through the binary: the same bytes as in memory, chosen
//! by itself where the combinations do not fit, and refused in words where it cannot be done.
#![allow(clippy::unwrap_used)]

mod common;

use common::Folder;

const POLICY: &str = r#"
version = 1
input = { path = "rows.parquet" }
output = { path = "release.csv", recoding = "recoding.json" }
[columns]
salary = { role = "quasi-identifier" }
commission = { role = "quasi-identifier" }
age = { role = "quasi-identifier" }
elevel = { role = "quasi-identifier" }
car = { role = "sensitive" }
zipcode = { role = "quasi-identifier", type = "text", scheme = "ordered" }
hvalue = { role = "other" }
hyears = { role = "quasi-identifier" }
loan = { role = "quasi-identifier" }
group = { role = "target" }
[privacy]
k = 10
[search]
algorithm = "mondrian"
"#;

/// Rows that are nearly all distinct.
fn desk(rows: &str) -> Folder {
    let folder = Folder::with(&[("policy.toml", POLICY)]);
    let rows = ["--rows", rows, "--function", "2", "-o", "rows.parquet"];
    folder
        .run(&[&["generate", "agrawal"][..], &rows].concat())
        .expect(0);
    folder
}

fn set<'a>(settings: &[&'a str]) -> Vec<&'a str> {
    let run = ["run", "policy.toml", "--json"].into_iter();
    run.chain(settings.iter().flat_map(|each| ["--set", each]))
        .collect()
}

/// The saved recoding without its policy, which tells how it was searched.
fn regions(folder: &Folder) -> serde_json::Value {
    let mut saved: serde_json::Value =
        serde_json::from_slice(&folder.bytes("recoding.json")).unwrap();
    saved.as_object_mut().unwrap().remove("policy").unwrap();
    saved
}

#[test]
fn the_same_release_as_in_memory_on_any_number_of_threads() {
    let folder = desk("3000");
    for more in [
        "search.mondrian.split=median",
        "search.mondrian.split=info-gain",
        "search.mondrian.split=loss",
        "privacy.diversity=[{ column = \"car\", entropy = 3.0 }]",
        "workload.selections=[\"age > 40 and elevel in (1, 2)\"]",
    ] {
        let held = folder.json(&set(&[more]));
        let (release, recoding) = (folder.bytes("release.csv"), regions(&folder));
        assert!(held["before"].is_object());
        for threads in ["1", "2"] {
            let mut arguments = set(&[more, "engine.passes=true"]);
            // Little enough memory that the first cuts are chosen by passes over the rows.
            arguments.extend(["--threads", threads, "--memory", "20MB"]);
            let passed = folder.json(&arguments);
            assert_eq!(folder.bytes("release.csv"), release, "{more}");
            assert_eq!(regions(&folder), recoding, "{more}");
            assert!(passed["before"].is_null() && passed["loss"]["hdm"].is_null());
            for loss in ["lm", "cm", "dm", "conditional_entropy", "imprecision"] {
                match (held["loss"][loss].as_f64(), passed["loss"][loss].as_f64()) {
                    (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9, "{loss}: {a} {b}"),
                    (a, b) => assert_eq!(a, b, "{loss}"),
                }
            }
        }
    }
}

#[test]
fn what_does_not_fit_in_memory_is_searched_in_passes() {
    let folder = desk("300000");
    let little = ["--memory", "32MB"];
    let passed = folder.json(&[&set(&[])[..], &little].concat());
    assert!(passed["before"].is_null());
    let held = folder.json(&set(&[]));
    assert!(held["before"].is_object());
    assert_eq!(held["classes"], passed["classes"]);
    // Whoever needs all combinations says so before it starts.
    let datafly = set(&["search.algorithm=datafly"]);
    folder.refuses(
        2,
        &[&datafly[..], &little].concat(),
        &["engine.memory", "datafly", "mondrian"],
    );
}

#[test]
fn what_cannot_be_done_in_passes_is_refused() {
    let folder = desk("3000");
    folder.refuses(
        2,
        &set(&["engine.passes=true", "search.algorithm=datafly"]),
        &["engine.passes", "datafly", "mondrian"],
    );
    folder.refuses(
        2,
        &set(&["engine.passes=true", "columns.age.represent=median"]),
        &["columns.age.represent", "median"],
    );
    folder.refuses(2, &set(&["engine.passes=\"often\""]), &["engine.passes"]);
}
