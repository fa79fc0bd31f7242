//! `coarsen compare`: every point is what `coarsen run` makes, the frontier is what a reader would mark,
//! and an interrupted grid goes on.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, Table, people};
use serde_json::Value;

/// The salary is no target here.
const CHANGES: [(&str, &str); 1] = [(
    "salary = { role = \"target\" }",
    "salary = { role = \"other\" }",
)];

const GRID: [&str; 6] = [
    "--algorithm",
    "datafly,mondrian,mingen",
    "--k",
    "2,5,20",
    "--limit",
    "0,0.05",
];

fn desk() -> Folder {
    common::desk::desk(400, &CHANGES)
}

fn compare(desk: &Folder, more: &[&str]) -> Vec<Value> {
    let command = [&["compare", "policy.toml", "--json"], &GRID[..], more].concat();
    let found = desk.json(&command);
    found["candidates"].as_array().unwrap().clone()
}

/// Less the times, which are never the same.
fn figures(candidates: &[Value]) -> Vec<Value> {
    let mut candidates = candidates.to_vec();
    for candidate in &mut candidates {
        if let Some(measured) = candidate.get_mut("measured") {
            measured.as_object_mut().unwrap().remove("seconds");
        }
    }
    candidates
}

#[test]
fn every_point_is_what_run_makes() {
    let desk = desk();
    let found = compare(&desk, &[]);
    assert_eq!(found.len(), 3 * 3 * 2);
    assert_eq!(
        desk.names(),
        ["people.csv", "policy.toml"],
        "nothing is left behind"
    );
    for candidate in &found {
        let set = |key: &str, value: &Value| match value {
            Value::String(text) => format!("{key}={text}"),
            other => format!("{key}={other}"),
        };
        let made = desk.json(&[
            "run",
            "policy.toml",
            "--json",
            "--set",
            &set("search.algorithm", &candidate["algorithm"]),
            "--set",
            &set("privacy.k", &candidate["k"]),
            "--set",
            &set("suppression.limit", &candidate["limit"]),
        ]);
        let measured = &candidate["measured"];
        for (of_run, of_point) in [
            ("loss", "loss"),
            ("classes", "classes"),
            ("rows_out", "rows_out"),
            ("suppressed_rows", "suppressed_rows"),
            ("smallest_class", "smallest_class"),
            ("stop", "stop"),
            ("algorithm", "by"),
        ] {
            assert_eq!(made[of_run], measured[of_point], "{of_run} of {candidate}");
        }
        assert_eq!(
            made["audit"]["risk"]["prosecutor_mean"],
            measured["average_risk"]
        );
        assert_eq!(
            made["audit"]["risk"]["prosecutor_max"],
            measured["highest_risk"]
        );
    }
}

#[test]
fn the_undominated_are_marked() {
    let desk = desk();
    let found = compare(&desk, &[]);
    let place = |candidate: &Value| {
        let measured = &candidate["measured"];
        (
            measured["highest_risk"].as_f64().unwrap(),
            measured["loss"]["lm"].as_f64().unwrap(),
        )
    };
    let mut marked = 0;
    for one in &found {
        let (risk, loss) = place(one);
        let beaten = found.iter().any(|other| {
            let (r, l) = place(other);
            r <= risk && l <= loss && (r < risk || l < loss)
        });
        assert_eq!(one["undominated"], !beaten, "{one}");
        marked += usize::from(!beaten);
    }
    assert!(marked > 0 && marked < found.len());
}

#[test]
fn the_same_on_one_thread() {
    let desk = desk();
    assert_eq!(
        figures(&compare(&desk, &[])),
        figures(&compare(&desk, &["--threads", "1"]))
    );
}

#[test]
fn a_point_is_released_byte_for_byte() {
    let desk = desk();
    let command = [&["compare", "policy.toml", "--release", "10"], &GRID[..]].concat();
    let done = desk.run(&command).expect(0);
    let (release, recoding) = (desk.bytes("release.csv"), desk.bytes("recoding.json"));
    // The command that it prints makes the same.
    let line = done
        .stdout
        .lines()
        .find(|line| line.starts_with("the same as"))
        .unwrap();
    let words: Vec<&str> = line.split("coarsen ").nth(1).unwrap().split(' ').collect();
    assert!(
        words.contains(&"search.algorithm=mondrian") && words.contains(&"privacy.k=5"),
        "{line}"
    );
    for file in ["release.csv", "recoding.json"] {
        std::fs::remove_file(desk.path(file)).unwrap();
    }
    desk.run(&words).expect(0);
    assert!(desk.bytes("release.csv") == release);
    assert!(desk.bytes("recoding.json") == recoding);
    let table = Table::parse(&desk.read("release.csv"), ',');
    assert!(table.smallest_class(&["age", "zip", "sex"]) >= 5);
    desk.refuses(
        2,
        &["compare", "policy.toml", "--release", "2"],
        &["no point 2"],
    );
}

#[test]
fn what_does_not_fit_says_why() {
    let desk = desk();
    let found = desk.json(&[
        "compare",
        "policy.toml",
        "--k",
        "2,300,5000",
        "--json",
        "--limit",
        "0",
    ]);
    let found = found["candidates"].as_array().unwrap();
    assert!(found[0]["measured"].is_object());
    assert!(
        found[2]["reason"].as_str().unwrap().contains("400 rows"),
        "{}",
        found[2]
    );
    assert_eq!(found[2]["undominated"], false);
    let found = desk.json(&["compare", "policy.toml", "--loss", "lm,cm", "--json"]);
    let reason = found["candidates"][1]["reason"].as_str().unwrap();
    assert!(reason.to_lowercase().contains("target"), "{reason}");
    let none = desk
        .run(&["compare", "policy.toml", "--k", "5000", "--json"])
        .expect(1);
    assert!(none.json()["candidates"][0]["reason"].is_string());
}

#[test]
fn wrong_words_are_refused_before_anything() {
    let desk = desk();
    desk.refuses(
        2,
        &["compare", "policy.toml", "--algorithm", "datafyl"],
        &["datafyl", "Did you mean"],
    );
    desk.refuses(
        2,
        &["compare", "policy.toml", "--loss", "ml"],
        &["no loss `ml`"],
    );
    desk.refuses(
        2,
        &["compare", "policy.toml", "--limit", "5"],
        &["suppression.limit"],
    );
    desk.refuses(2, &["compare", "policy.toml", "--k", "0"], &["--k"]);
    desk.refuses(
        2,
        &["compare", "policy.toml", "--budget", "soon"],
        &["soon"],
    );
    desk.refuses(
        2,
        &["compare", "policy.toml", "--csv", "people.csv"],
        &["input"],
    );
    desk.write("there.csv", "x");
    desk.refuses(
        2,
        &["compare", "policy.toml", "--csv", "there.csv"],
        &["exists already"],
    );
}

#[test]
fn table_csv_and_plot() {
    let desk = desk();
    let command = [
        &[
            "compare",
            "policy.toml",
            "--csv",
            "grid.csv",
            "--plot",
            "grid.svg",
        ],
        &GRID[..],
    ]
    .concat();
    let done = desk.run(&command).expect(0);
    assert!(done.stdout.contains("undominated") && done.stdout.contains("--release"));
    assert_eq!(done.stderr, "", "no bar where nobody looks");
    let csv = desk.table("grid.csv");
    assert_eq!(csv.rows.len(), 18);
    assert_eq!(csv.column("number")[17], "18");
    let json = compare(&desk, &[]);
    for (row, candidate) in csv.column("lm").iter().zip(&json) {
        let lm: f64 = row.parse().unwrap();
        assert_eq!(Some(lm), candidate["measured"]["loss"]["lm"].as_f64());
    }
    let marked = csv
        .column("undominated")
        .iter()
        .filter(|mark| **mark == "true")
        .count();
    let svg = desk.read("grid.svg");
    assert!(svg.starts_with("<?xml") && svg.contains("xmlns="));
    assert_eq!(svg.matches("class=\"best\"").count(), marked);
    for algorithm in ["datafly", "mondrian", "mingen"] {
        assert!(svg.contains(&format!(">{algorithm}</text>")));
    }
}

#[test]
fn a_state_is_taken_up_again_and_a_foreign_one_refused() {
    let desk = desk();
    let state = ["--state", "state.jsonl"];
    let whole = compare(&desk, &state);
    let lines = desk.read("state.jsonl");
    assert_eq!(lines.lines().count(), 1 + 18);
    // As if it had been interrupted: three points done and one half-written.
    let cut: Vec<&str> = lines.lines().take(4).collect();
    desk.write("state.jsonl", cut.join("\n") + "\n{\"point\": {\"num");
    let again = compare(&desk, &state);
    assert_eq!(figures(&again), figures(&whole));
    // The three were not searched again: their times are those of the first run.
    let kept = again.iter().filter(|one| whole.contains(one)).count();
    assert!(kept >= 3, "{kept}");
    // A larger grid takes what is there.
    let more = desk.json(&[
        "compare",
        "policy.toml",
        "--json",
        "--k",
        "20,2",
        "--state",
        "state.jsonl",
    ]);
    let datafly = |k: u64| {
        let mut candidates = again.iter();
        candidates
            .find(|c| c["k"] == k && c["limit"] == 0.05)
            .unwrap()["measured"]
            .clone()
    };
    assert_eq!(more["candidates"][0]["measured"], datafly(20));
    assert_eq!(more["candidates"][1]["measured"], datafly(2));

    desk.write("people.csv", people(401));
    let foreign = [&["compare", "policy.toml"], &GRID[..], &state].concat();
    desk.refuses(2, &foreign, &["not the state of this comparison"]);
}

#[test]
fn an_interrupted_grid_goes_on() {
    let desk = desk();
    // A hidden state as an interrupted run leaves it.
    let whole = compare(&desk, &["--state", "kept.jsonl"]);
    let cut: Vec<String> = desk
        .read("kept.jsonl")
        .lines()
        .take(8)
        .map(str::to_string)
        .collect();
    desk.write(".policy.toml.compare", cut.join("\n") + "\n");
    let again = compare(&desk, &[]);
    assert_eq!(figures(&again), figures(&whole));
    assert!(again.iter().filter(|one| whole.contains(one)).count() >= 7);
    assert!(
        !desk.path(".policy.toml.compare").exists(),
        "done, so forgotten"
    );
    // One of another input is begun anew.
    desk.write(".policy.toml.compare", cut.join("\n") + "\n");
    desk.write("people.csv", people(399));
    assert_eq!(compare(&desk, &[]).len(), 18);
}

/// Ctrl-C in the middle: what was done is kept, nothing else is there, and the same command goes on.
#[cfg(unix)]
#[test]
fn interrupted_by_hand_it_goes_on() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let desk = common::desk::desk(60_000, &CHANGES);
    let ks: Vec<String> = (2..60).map(|k| k.to_string()).collect();
    let ks = ks.join(",");
    let arguments = [
        "compare",
        "policy.toml",
        "--algorithm",
        "mondrian",
        "--k",
        &ks,
        "--json",
        "--threads",
        "1",
    ];
    let mut command = desk.command(&arguments);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let state = desk.path(".policy.toml.compare");
    let done = || std::fs::read_to_string(&state).map_or(0, |text| text.lines().count());
    let start = Instant::now();
    while done() < 4 {
        assert!(start.elapsed() < Duration::from_secs(120), "it never began");
        std::thread::sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let kept = desk.read(".policy.toml.compare");
    assert!(kept.lines().count() >= 4 && kept.lines().count() < 59);
    let whole = desk.json(&arguments);
    let whole = whole["candidates"].as_array().unwrap();
    assert_eq!(whole.len(), 58);
    for line in kept.lines().skip(1) {
        let line: Value = serde_json::from_str(line).unwrap();
        let number = line["point"]["number"].as_u64().unwrap() as usize;
        // With its time: it was taken, not searched again.
        assert_eq!(whole[number - 1]["measured"], line["outcome"]["measured"]);
    }
    assert!(!state.exists());
}

#[test]
fn one_budget_serves_all() {
    let desk = desk();
    let start = std::time::Instant::now();
    let found = compare(&desk, &["--budget", "3s"]);
    assert_eq!(found.len(), 18);
    // Generous, for machines that are busy with other things.
    assert!(start.elapsed().as_secs() < 30);
}
