//! Whatever happens to the process, the old release is whole or the new one is.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::Folder;

const ROWS: usize = 150_000;

const OLD: &str = "yesterday's release\n";

fn desk() -> Folder {
    let changes = [
        (
            "role = \"identifier\"",
            "role = \"identifier\", treatment = \"token\"",
        ),
        ("k = 5", "k = 20"),
        ("limit = 0.05", "limit = 0.01"),
        ("algorithm = \"datafly\"", "algorithm = \"auto\""),
    ];
    let desk = common::desk::desk(ROWS, &changes);
    desk.write("release.csv", OLD);
    desk
}

/// Starts a run and waits until it is at work: its files wait beside their places.
fn at_work(desk: &Folder, threads: &str) -> Child {
    let mut command = desk.command(&["run", "policy.toml", "--threads", threads]);
    let child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while waiting(desk).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20), "it never began");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

/// The files that wait beside their places.
fn waiting(desk: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(desk.path("")).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with('.'))
        .collect()
}

/// Like Ctrl-C, on a process that may just have ended.
fn interrupt(child: &Child) {
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
}

/// A release to compare with, and how long it takes.
fn whole() -> (Vec<u8>, Duration) {
    let desk = desk();
    let start = Instant::now();
    desk.run(&["run", "policy.toml"]).expect(0);
    let took = start.elapsed();
    assert_eq!(
        desk.names(),
        ["people.csv", "policy.toml", "recoding.json", "release.csv"]
    );
    (desk.bytes("release.csv"), took)
}

#[test]
fn killed_at_any_moment_the_old_release_stands_or_the_new_one() {
    let (new, took) = whole();
    let desk = desk();
    let mut unfinished = 0;
    for tenth in 0..8 {
        desk.write("release.csv", OLD);
        let mut child = at_work(&desk, "2");
        std::thread::sleep(took * tenth / 8);
        child.kill().unwrap();
        child.wait().unwrap();
        let found = desk.bytes("release.csv");
        let is_old = found == OLD.as_bytes();
        assert!(is_old || found == new, "half a release after {tenth}/8");
        unfinished += usize::from(is_old);
        for name in waiting(&desk) {
            assert!(name.starts_with(".coarsen-"), "{name}");
            std::fs::remove_dir_all(desk.path(&name)).unwrap();
        }
    }
    assert!(unfinished > 0, "it was never killed in time");
    // After all that, the next run does its work.
    desk.run(&["run", "policy.toml"]).expect(0);
    assert!(desk.bytes("release.csv") == new);
}

/// What a killed run left behind does not stop the next.
#[test]
fn a_run_after_a_kill_works() {
    let desk = desk();
    let mut child = at_work(&desk, "2");
    child.kill().unwrap();
    child.wait().unwrap();
    let left = waiting(&desk);
    assert!(!left.is_empty());
    desk.run(&["run", "policy.toml"]).expect(0);
    assert_eq!(waiting(&desk), left, "it left nothing of its own");
    assert_eq!(desk.table("release.csv").names.len(), 7);
}

/// At any moment up to the last, on one thread (where a writer may be ahead of whoever cancels it) and
/// on two.
#[test]
fn interrupted_it_ends_cleanly() {
    let (_, took) = whole();
    let desk = desk();
    let before = desk.all();
    let mut cancelled = 0;
    for part in 0..10 {
        let child = at_work(&desk, ["1", "2"][part as usize % 2]);
        std::thread::sleep(took * part / 10);
        interrupt(&child);
        let asked = Instant::now();
        let done = common::Done::of(child.wait_with_output().unwrap());
        assert!(asked.elapsed() < Duration::from_secs(5), "it took its time");
        if done.status == 0 {
            // It was done before it could be told.
            desk.write("release.csv", OLD);
            std::fs::remove_file(desk.path("recoding.json")).unwrap();
            continue;
        }
        assert_eq!(done.status, 3, "{}", done.stderr);
        assert!(
            done.stderr.contains("nothing was written"),
            "{}",
            done.stderr
        );
        let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        let after = desk.all();
        assert_eq!(names(&before), names(&after), "interrupted after {part}/10");
        assert!(before == after, "the old release was changed");
        assert_eq!(waiting(&desk), Vec::<String>::new());
        cancelled += 1;
    }
    assert!(cancelled > 0, "it was never interrupted in time");
}
