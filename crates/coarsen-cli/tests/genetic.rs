//! The genetic search from the command line: what is released, a sample, a fresh search beside a saved
//! recoding, and costs of labels.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::{Folder, people};

const POLICY: &str = r#"version = 1
input = { path = "people.csv" }
output = { path = "release.csv", recoding = "recoding.json" }

[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", type = "integer", scheme = "ordered" }
zip = { role = "quasi-identifier", type = "text", scheme = "cut", hierarchy = { mask = "right" } }
sex = { role = "quasi-identifier" }
illness = { role = "target" }
salary = { role = "other" }
visit = { role = "other" }

[privacy]
k = 5

[suppression]
limit = 0.05

[search]
algorithm = "genetic"
genetic = { population = 50, iterations = 2000 }
"#;

fn desk() -> Folder {
    Folder::with(&[("people.csv", &people(600)), ("policy.toml", POLICY)])
}

#[test]
fn the_same_bytes_on_one_thread_and_on_two() {
    let desk = desk();
    let release = |threads: &str| {
        let made = desk.json(&["run", "policy.toml", "--threads", threads, "--json"]);
        assert_eq!(
            (&made["algorithm"], &made["stop"]),
            (&"genetic".into(), &"complete".into())
        );
        (desk.bytes("release.csv"), desk.bytes("recoding.json"))
    };
    assert_eq!(release("1"), release("2"));
    let table = desk.table("release.csv");
    assert!(table.smallest_class(&["age", "zip", "sex"]) >= 5);
}

/// Each released number stands for the rows of its block: counted here from the input.
#[test]
fn a_block_of_numbers_is_written_as_its_median_mean_or_middle() {
    let desk = desk();
    desk.run(&["run", "policy.toml", "--set", "suppression.limit=0"])
        .expect(0);
    let blocks: Vec<(f64, f64)> = {
        let release = desk.table("release.csv");
        let mut labels = release.column("age");
        labels.sort_unstable();
        labels.dedup();
        let ends = |label: &str| match label.split_once("..") {
            Some((low, high)) => (low.parse().unwrap(), high.parse().unwrap()),
            None => (label.parse().unwrap(), label.parse().unwrap()),
        };
        labels
            .into_iter()
            .filter(|label| *label != "*")
            .map(ends)
            .collect()
    };
    assert!(blocks.len() > 1, "{blocks:?}");
    let input = desk.table("people.csv");
    let ages: Vec<f64> = input
        .column("age")
        .iter()
        .filter_map(|age| age.parse().ok())
        .collect();
    for (represent, of) in [
        (
            "median",
            &(|held: &[f64], _| held[(held.len() - 1) / 2]) as &dyn Fn(&[f64], (f64, f64)) -> f64,
        ),
        ("mean", &|held: &[f64], _| {
            held.iter().sum::<f64>() / held.len() as f64
        }),
        ("midpoint", &|_: &[f64], (low, high)| (low + high) / 2.0),
    ] {
        desk.write(
            "policy.toml",
            POLICY.replace(
                "scheme = \"ordered\"",
                &format!("scheme = \"ordered\", represent = {represent:?}"),
            ),
        );
        desk.run(&["run", "policy.toml", "--set", "suppression.limit=0"])
            .expect(0);
        let release = desk.table("release.csv");
        let mut written: BTreeMap<String, usize> = BTreeMap::new();
        for cell in release.column("age") {
            *written.entry(cell.to_string()).or_default() += 1;
        }
        for block in &blocks {
            let mut held: Vec<f64> = ages
                .iter()
                .copied()
                .filter(|a| block.0 <= *a && *a <= block.1)
                .collect();
            held.sort_by(f64::total_cmp);
            let wanted = of(&held, *block);
            let found = written.iter().find(|(cell, _)| {
                cell.parse::<f64>()
                    .is_ok_and(|number| (number - wanted).abs() < 1e-9)
            });
            let (_, rows) =
                found.unwrap_or_else(|| panic!("{represent} {wanted} of {block:?}: {written:?}"));
            assert_eq!(*rows, held.len(), "{represent} of {block:?}");
        }
    }
}

#[test]
fn a_sample_is_searched_and_all_rows_are_released() {
    let desk = desk();
    let made = desk.json(&["run", "policy.toml", "--set", "search.sample=0.5", "--json"]);
    let sample = &made["sample"];
    assert_eq!(
        (&sample["rows"], &sample["sampling"]),
        (&300.into(), &"random".into())
    );
    assert_eq!(made["rows_in"], 600);
    assert_eq!(sample["cost_of_all"], made["loss"]["lm"]);
    assert!(sample["cost"].as_f64().unwrap() > 0.0);
    assert!(
        desk.table("release.csv")
            .smallest_class(&["age", "zip", "sex"])
            >= 5
    );
    let told = desk.run(&[
        "run",
        "policy.toml",
        "--set",
        "search.sample=0.5",
        "--set",
        "search.sampling=stratified",
    ]);
    assert!(
        told.expect(0)
            .stdout
            .contains("searched on a stratified sample of 300 rows")
    );
    // Without one nothing is said.
    assert!(
        desk.json(&["run", "policy.toml", "--json"])
            .get("sample")
            .is_none()
    );
    desk.refuses(
        2,
        &["run", "policy.toml", "--set", "search.sample=0"],
        &["search.sample", "above 0"],
    );
}

#[test]
fn a_fresh_search_stands_beside_a_recoding_that_is_applied() {
    let desk = desk();
    // Without a limit, for a recoding that is applied suppresses what it must.
    desk.edit("policy.toml", "limit = 0.05", "limit = 1.0");
    desk.run(&["run", "policy.toml"]).expect(0);
    let all = people(900);
    let mut lines = all.lines();
    let header = lines.next().unwrap();
    let rest: Vec<&str> = lines.skip(600).collect();
    desk.write("new.csv", format!("{header}\n{}\n", rest.join("\n")));
    let apply = [
        "apply",
        "recoding.json",
        "new.csv",
        "-o",
        "out.csv",
        "--unseen",
        "suppress",
    ];
    let made = desk.json(&[&apply[..], &["--beside", "--json"]].concat());
    let fresh = &made["fresh"];
    assert_eq!(fresh["algorithm"], "genetic");
    let (reused, anew) = (
        made["loss"]["lm"].as_f64().unwrap(),
        fresh["loss"]["lm"].as_f64().unwrap(),
    );
    assert!(
        anew < reused,
        "what was found for these rows fits them better: {anew} {reused}"
    );
    // What is written is the recoding's.
    let without = desk.bytes("out.csv");
    desk.run(&apply).expect(0);
    assert_eq!(desk.bytes("out.csv"), without);
    let told = desk.run(&[&apply[..], &["--beside"]].concat()).expect(0);
    assert!(told.stdout.contains("reused") && told.stdout.contains("fresh: genetic on these rows"));
}

#[test]
fn costs_of_labels_change_what_is_lost_and_their_slips_are_told() {
    let desk = desk();
    let input = desk.table("people.csv");
    let label = input
        .column("illness")
        .into_iter()
        .find(|l| !l.is_empty())
        .unwrap()
        .to_string();
    let cm = |policy: &str| {
        desk.write("policy.toml", policy);
        let made = desk.json(&["run", "policy.toml", "--set", "search.loss=cm", "--json"]);
        made["loss"]["cm"].as_f64().unwrap()
    };
    let plain = cm(POLICY);
    let with = |costs: &str| {
        format!(
            "{POLICY}\n[workload]\ntargets = [{{ column = \"illness\", costs = {{ {costs} }} }}]\n"
        )
    };
    let labels: Vec<String> = {
        let mut labels: Vec<String> = input
            .column("illness")
            .iter()
            .map(ToString::to_string)
            .collect();
        labels.sort_unstable();
        labels.dedup();
        labels
            .into_iter()
            .filter(|l| !l.is_empty() && *l != label)
            .collect()
    };
    let dear: Vec<String> = labels
        .iter()
        .map(|other| format!("{other:?} = 50"))
        .collect();
    let dear = cm(&with(&format!("{label:?} = {{ {} }}", dear.join(", "))));
    assert!(dear > plain, "to miss {label} is dear: {dear} {plain}");
    desk.write("policy.toml", with("nonsense = { flu = 2 }"));
    desk.refuses(
        2,
        &["run", "policy.toml"],
        &["workload.targets", "nonsense"],
    );
}
