//! The manifest: its fingerprints, and `coarsen check --manifest`.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, of_repository, people};
use serde_json::Value;

const POLICY: &str = r#"version = 1
input = { path = "people.csv" }
output = { path = "release.csv", recoding = "recoding.json", report = "report.html" }

[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", hierarchy = { intervals = [5, 10, 20] } }
zip = { role = "quasi-identifier", type = "text", hierarchy = { file = "zip.csv" } }
sex = { role = "quasi-identifier" }
illness = { role = "sensitive", hierarchy = { tree = { lung = ["asthma", "cold", "flu"], other = ["burn", "gout", "ulcer"] } } }
salary = { role = "target" }
visit = { role = "other" }

[privacy]
k = 5
closeness = [{ column = "illness", t = 0.9 }]

[suppression]
limit = 0.05

[search]
algorithm = "datafly"
seed = 7
"#;

fn desk() -> Folder {
    let table = people(400);
    let mut zips: Vec<&str> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(2).unwrap())
        .collect();
    zips.sort_unstable();
    zips.dedup();
    let tree: String = zips
        .iter()
        .map(|zip| format!("{zip};{}**;*\n", &zip[..3]))
        .collect();
    Folder::with(&[
        ("people.csv", &table),
        ("policy.toml", POLICY),
        ("zip.csv", &tree),
    ])
}

fn manifest(desk: &Folder) -> Value {
    serde_json::from_str(&desk.read("manifest.json")).unwrap()
}

/// SHA-256 by the system's own program, where there is one.
fn sha256(desk: &Folder, name: &str) -> Option<String> {
    let done = std::process::Command::new("sha256sum")
        .arg(desk.path(name))
        .output()
        .ok()?;
    let text = String::from_utf8(done.stdout).ok()?;
    text.split(' ').next().map(str::to_string)
}

#[test]
fn it_names_every_file_by_its_fingerprint() {
    let desk = desk();
    desk.run(&["run", "policy.toml", "--set", "privacy.k=4"])
        .expect(0);
    let told = manifest(&desk);
    for (key, file) in [
        ("input", "people.csv"),
        ("policy", "policy.toml"),
        ("recoding", "recoding.json"),
        ("output", "release.csv"),
        ("report", "report.html"),
    ] {
        let entry = &told["files"][key];
        assert_eq!(entry["name"], file);
        assert_eq!(entry["bytes"], desk.bytes(file).len());
        if let Some(sum) = sha256(&desk, file) {
            assert_eq!(entry["sha256"], sum, "{file}");
        }
    }
    let tree = &told["files"]["hierarchies"][0];
    assert_eq!(tree["name"], "zip.csv");
    assert_eq!(told["parameters"]["seed"], 7);
    assert_eq!(
        told["parameters"]["set"][0],
        serde_json::json!(["privacy.k", "4"])
    );
    assert_eq!(told["parameters"]["policy"]["privacy"]["k"], 4);
    assert_eq!(told["results"]["internal"]["algorithm"], "datafly");
    assert_eq!(
        told["results"]["rows"],
        desk.table("release.csv").rows.len()
    );
    // The same from another folder: nothing of the machine is in it.
    let other = desk_again(&desk);
    other
        .run(&["run", "policy.toml", "--set", "privacy.k=4"])
        .expect(0);
    assert!(other.bytes("manifest.json") == desk.bytes("manifest.json"));
    assert!(
        !desk
            .read("manifest.json")
            .contains(&*desk.path("").to_string_lossy())
    );
}

fn desk_again(desk: &Folder) -> Folder {
    let other = Folder::new();
    for name in ["people.csv", "policy.toml", "zip.csv"] {
        other.write(name, desk.bytes(name));
    }
    other
}

#[test]
fn the_release_is_the_one_described_and_a_changed_one_is_not() {
    let desk = desk();
    desk.run(&["run", "policy.toml"]).expect(0);
    // It needs neither the policy nor the trees.
    for gone in [
        "policy.toml",
        "zip.csv",
        "people.csv",
        "recoding.json",
        "report.html",
    ] {
        std::fs::remove_file(desk.path(gone)).unwrap();
    }
    let check = [
        "check",
        "release.csv",
        "--manifest",
        "manifest.json",
        "--json",
    ];
    let found = desk.json(&check);
    assert_eq!(found["described"], true);
    assert_eq!(found["differences"].as_array().unwrap().len(), 0);

    // One byte, at the end: the recount is the same, the fingerprint is not.
    let text = desk.read("release.csv");
    desk.write("release.csv", text.clone() + "\n");
    let found = desk.run(&check).expect(1).json();
    assert_eq!(found["described"], false);
    assert_eq!(found["differences"].as_array().unwrap().len(), 1);

    // A row too few: both.
    let shorter: Vec<&str> = text.lines().take(text.lines().count() - 1).collect();
    desk.write("release.csv", shorter.join("\n") + "\n");
    let found = desk.run(&check).expect(1).json();
    let differences = found["differences"].to_string();
    assert!(differences.contains("SHA-256") && differences.contains("rows: the manifest says"));

    // A table that has other columns.
    desk.write("release.csv", "a,b\n1,2\n");
    let done = desk
        .run(&["check", "release.csv", "--manifest", "manifest.json"])
        .expect(1);
    assert!(done.stdout.contains("is not the release"));
}

#[test]
fn a_forged_result_is_found_by_the_recount() {
    let desk = desk();
    desk.run(&["run", "policy.toml"]).expect(0);
    let k = manifest(&desk)["results"]["smallest_class"]
        .as_u64()
        .unwrap();
    desk.edit(
        "manifest.json",
        &format!("\"smallest_class\": {k}"),
        "\"smallest_class\": 50",
    );
    let done = desk
        .run(&["check", "release.csv", "--manifest", "manifest.json"])
        .expect(1);
    assert!(
        done.stdout.contains("smallest class: the manifest says 50"),
        "{}",
        done.stdout
    );
}

#[test]
fn other_files_are_named_for_what_they_are() {
    let desk = desk();
    desk.run(&["run", "policy.toml"]).expect(0);
    for (file, what) in [("people.csv", "the input"), ("report.html", "the report")] {
        let done = desk
            .run(&["check", file, "--manifest", "manifest.json"])
            .expect(1);
        assert!(done.stdout.contains(what), "{}", done.stdout);
    }
}

#[test]
fn what_cannot_be_read_is_bad_input() {
    let desk = desk();
    desk.run(&["run", "policy.toml"]).expect(0);
    desk.refuses(
        2,
        &["check", "release.csv", "--manifest", "nowhere.json"],
        &["nowhere.json"],
    );
    desk.refuses(
        2,
        &["check", "nowhere.csv", "--manifest", "manifest.json"],
        &["nowhere.csv"],
    );
    desk.refuses(
        2,
        &["check", "release.csv", "--manifest", "recoding.json"],
        &["not a manifest"],
    );
    desk.write(
        "old.json",
        "{\"format\": \"coarsen-manifest\", \"version\": 9}",
    );
    desk.refuses(
        2,
        &["check", "release.csv", "--manifest", "old.json"],
        &["version"],
    );
    desk.refuses(
        2,
        &[
            "check",
            "release.csv",
            "--manifest",
            "manifest.json",
            "--k",
            "3",
        ],
        &["--k"],
    );
}

#[test]
fn a_public_manifest_names_the_release_alone_and_still_proves_it() {
    let desk = desk();
    desk.run(&["run", "policy.toml", "--set", "output.report_kind=public"])
        .expect(0);
    let told = manifest(&desk);
    let keys: Vec<&String> = told["files"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["output", "report"]);
    for hidden in [
        "internal",
        "seed",
        "hierarchy",
        "lung",
        "policy",
        "input",
        "recoding",
    ] {
        assert!(
            !desk
                .read("manifest.json")
                .contains(&format!("\"{hidden}\"")),
            "{hidden}"
        );
    }
    desk.run(&["check", "release.csv", "--manifest", "manifest.json"])
        .expect(0);
}

#[test]
fn a_manifest_can_be_had_without_a_report_and_in_every_format() {
    let desk = desk();
    desk.edit("policy.toml", ", report = \"report.html\"", "");
    for ending in ["csv", "parquet", "jsonl", "arrow"] {
        let output = format!("output.path=out.{ending}");
        desk.run(&[
            "run",
            "policy.toml",
            "--set",
            &output,
            "--set",
            "output.manifest=proof.json",
        ])
        .expect(0);
        assert!(!desk.path("report.html").exists());
        desk.run(&[
            "check",
            &format!("out.{ending}"),
            "--manifest",
            "proof.json",
        ])
        .expect(0);
    }
    desk.run(&["run", "policy.toml"]).expect(0);
    assert!(!desk.path("manifest.json").exists());
}

#[test]
fn the_clinic_is_proven_away_from_its_folder() {
    let clinic = of_repository("examples/clinic");
    let desk = Folder::new();
    for file in ["patients.csv", "diagnosis.csv", "policy.toml"] {
        desk.write(file, std::fs::read(clinic.join(file)).unwrap());
    }
    desk.run(&[
        "run",
        "policy.toml",
        "--set",
        "output.manifest=manifest.json",
    ])
    .expect(0);
    let away = Folder::new();
    away.write("r.csv", desk.bytes("release.csv"));
    away.write("m.json", desk.bytes("manifest.json"));
    away.run(&["check", "r.csv", "--manifest", "m.json"])
        .expect(0);
}
