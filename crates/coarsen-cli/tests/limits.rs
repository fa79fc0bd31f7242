//! Too little memory and too little disk: refused in words before it starts, or ended cleanly with nothing
//! half-written.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::Command;

use common::Folder;
use common::desk::desk;

/// Every combination is counted, but what a search needs beside them differs.
#[test]
fn a_search_that_does_not_fit_is_refused_before_it_starts() {
    let desk = desk(
        60_000,
        &[(
            "salary = { role = \"target\" }",
            "salary = { role = \"quasi-identifier\", hierarchy = { intervals = [50, 100] } }",
        )],
    );
    let run = |algorithm: &str, memory: &str| {
        let algorithm = format!("search.algorithm={algorithm}");
        [
            "run",
            "policy.toml",
            "--set",
            &algorithm,
            "--memory",
            memory,
        ]
        .map(str::to_string)
    };
    let refuses = |algorithm: &str, memory: &str| {
        let run = run(algorithm, memory);
        let run: Vec<&str> = run.iter().map(String::as_str).collect();
        let alternatives = [
            "engine.memory",
            algorithm,
            "mondrian",
            "search.sample",
            "coarser",
        ];
        desk.refuses(2, &run, &alternatives);
    };
    let works = |algorithm: &str, memory: &str| {
        let run = run(algorithm, memory);
        let run: Vec<&str> = run.iter().map(String::as_str).collect();
        desk.run(&run).expect(0);
        desk.bytes("release.csv")
    };
    // Nearly 60,000 combinations: bottom-up needs about 26 MB for them, datafly 10.
    refuses("bottom-up", "16MB");
    refuses("optimal", "16MB");
    let little = works("datafly", "16MB");
    assert_eq!(little, works("datafly", "1GB"));
    // A sample needs less.
    let run = [
        "run",
        "policy.toml",
        "--memory",
        "16MB",
        "--set",
        "search.algorithm=bottom-up",
    ];
    desk.run(&[&run[..], &["--set", "search.sample=0.05"]].concat())
        .expect(0);
    // Mondrian passes over the table instead, to the same bytes.
    assert_eq!(works("mondrian", "16MB"), works("mondrian", "1GB"));
    // A comparison tells which of its points lack memory, and does not keep that.
    let compare = |memory: &str| {
        let grid = [
            "compare",
            "policy.toml",
            "--algorithm",
            "datafly,bottom-up",
            "--json",
        ];
        let more = [
            "--threads",
            "1",
            "--state",
            "state.jsonl",
            "--memory",
            memory,
        ];
        let found = desk.json(&[&grid[..], &more].concat());
        let points = found["candidates"].as_array().unwrap().clone();
        let measured = |point: &serde_json::Value| point["measured"].is_object();
        points.iter().map(measured).collect::<Vec<bool>>()
    };
    assert_eq!(compare("16MB"), [true, false]);
    assert_eq!(compare("1GB"), [true, true]);
}

/// A folder on a disk of its own that holds so little; none where that cannot be had.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn new(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={size}");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(folder.path())
            .output();
        match mount {
            Ok(done) if done.status.success() => Some(SmallDisk(folder)),
            _ => {
                eprintln!(
                    "skipped: a small disk cannot be mounted here, so a full one is not tested"
                );
                None
            }
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}

/// A run with this folder for temporary files ends as a full disk ends it.
fn ends_full(desk: &Folder, temporary: &Path, arguments: &[&str], what: &str) {
    let mut command = desk.command(arguments);
    command.env("TMPDIR", temporary);
    desk.refuses_command(
        3,
        &mut command,
        &["the disk is full", what, "nothing was written", "TMPDIR"],
    );
}

#[test]
fn a_disk_that_is_full_while_a_release_is_written() {
    let Some(disk) = SmallDisk::new("2m") else {
        return;
    };
    let desk = desk(150_000, &[]);
    std::fs::write(disk.path().join("release.csv"), "yesterday's").unwrap();
    let (file, parts) = (disk.path().join("release.csv"), disk.path().join("parts"));
    for (path, parts) in [(&file, "1"), (&parts, "3")] {
        let path = format!("output.path={}", path.display());
        let parts = format!("output.parts={parts}");
        let mut run = vec!["run", "policy.toml", "--set", &path];
        if parts != "output.parts=1" {
            run.extend(["--set", &parts]);
        }
        ends_full(&desk, &std::env::temp_dir(), &run, "the release");
        assert_eq!(disk.names(), ["release.csv"]);
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"yesterday's");
}

#[test]
fn a_disk_that_is_full_while_work_spills() {
    let Some(disk) = SmallDisk::new("1m") else {
        return;
    };
    let desk = desk(
        150_000,
        &[("algorithm = \"datafly\"", "algorithm = \"mondrian\"")],
    );
    let spill = "does not fit in memory";
    // The rows as codes, and a sort.
    let passes = ["run", "policy.toml", "--set", "engine.passes=true"];
    ends_full(&desk, disk.path(), &passes, spill);
    let sort = ["run", "policy.toml", "--memory", "24MB", "--threads", "1"];
    ends_full(
        &desk,
        disk.path(),
        &[&sort[..], &["--set", "search.algorithm=datafly"]].concat(),
        spill,
    );
    assert_eq!(disk.names(), Vec::<String>::new());
}
