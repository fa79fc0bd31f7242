//! `coarsen run --trace` and `--at-k`: the steps of a search as a file, and the releases on its way.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, people};
use serde_json::Value;

const POLICY: &str = r#"version = 1
input = { path = "people.csv" }
output = { path = "release.csv" }

[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", hierarchy = { intervals = [5, 10, 20] } }
zip = { role = "quasi-identifier", type = "text", hierarchy = { mask = "right" } }
sex = { role = "quasi-identifier" }
illness = { role = "target" }
salary = { role = "other" }
visit = { role = "other" }

[privacy]
k = 40

[search]
algorithm = "bottom-up"
"#;

fn desk() -> Folder {
    Folder::with(&[("people.csv", &people(400)), ("policy.toml", POLICY)])
}

fn anonymity(steps: &Value) -> Vec<u64> {
    let steps = steps.as_array().unwrap().iter();
    steps
        .map(|step| step["anonymity"].as_u64().unwrap())
        .collect()
}

#[test]
fn the_trace_is_saved_and_every_k_on_the_way_can_be_released() {
    let desk = desk();
    desk.json(&["run", "policy.toml", "--json", "--trace", "trace.json"]);
    let steps: Value = serde_json::from_str(&desk.read("trace.json")).unwrap();
    let whole = anonymity(&steps);
    assert!(
        whole.is_sorted() && *whole.last().unwrap() == 40,
        "{whole:?}"
    );
    for step in steps.as_array().unwrap() {
        assert!(step["information"].as_f64().unwrap() >= 0.0);
        assert!((0.0..=1.0).contains(&step["precision"].as_f64().unwrap()));
    }
    for k in [2, 10, 40] {
        let k_text = k.to_string();
        let made = desk.json(&["run", "policy.toml", "--json", "--at-k", &k_text]);
        let part = anonymity(&made["trace"]);
        // The same steps, as far as the first that meets k.
        assert_eq!(part, whole[..part.len()], "k = {k}");
        assert!(made["smallest_class"].as_u64().unwrap() >= k);
        assert!(part[..part.len() - 1].iter().all(|a| *a < k));
    }
}

#[test]
fn a_k_that_is_not_on_the_way_is_refused() {
    let desk = desk();
    desk.refuses(
        2,
        &["run", "policy.toml", "--at-k", "41"],
        &["does not pass 41"],
    );
    let set = [
        "run",
        "policy.toml",
        "--set",
        "search.algorithm=top-down",
        "--at-k",
        "5",
    ];
    desk.refuses(2, &set, &["does not pass 5"]);
    let set = [
        "run",
        "policy.toml",
        "--set",
        "search.algorithm=datafly",
        "--at-k",
        "5",
    ];
    desk.refuses(2, &set, &["datafly"]);
    desk.refuses(
        2,
        &["run", "policy.toml", "--trace", "people.csv"],
        &["input"],
    );
}

#[test]
fn top_down_passes_larger_k() {
    let desk = desk();
    let set = [
        "run",
        "policy.toml",
        "--json",
        "--set",
        "search.algorithm=top-down",
    ];
    let whole = anonymity(&desk.json(&[&set[..], &["--set", "privacy.k=5"]].concat())["trace"]);
    let more = ["--set", "privacy.k=5", "--at-k", "30"];
    let made = desk.json(&[&set[..], &more].concat());
    let part = anonymity(&made["trace"]);
    assert_eq!(part, whole[..part.len()]);
    assert!(made["smallest_class"].as_u64().unwrap() >= 30);
}
