//! Writing: packed files, and folders of parts.

use std::process::Command;

use super::*;

/// The parts of a release, in the order of their names, each with its bytes.
fn parts(desk: &Folder, folder: &str) -> Vec<(String, Vec<u8>)> {
    let prefix = format!("{folder}/");
    let names = desk
        .names()
        .into_iter()
        .filter(|name| name.starts_with(&prefix));
    names
        .map(|name| (name[prefix.len()..].to_string(), desk.bytes(&name)))
        .collect()
}

fn run(desk: &Folder, settings: &[&str]) {
    let run = ["run", "policy.toml"].into_iter();
    let run: Vec<&str> = run
        .chain(settings.iter().flat_map(|each| ["--set", each]))
        .collect();
    desk.run(&run).expect(0);
}

#[test]
fn packed_by_its_ending() {
    let desk = desk(600, &[]);
    run(&desk, &[]);
    let plain = desk.bytes("release.csv");
    for threads in ["search.threads=1", "search.threads=2"] {
        run(&desk, &["output.path=release.csv.gz", threads]);
        assert_eq!(gunzip(&desk.bytes("release.csv.gz")), plain);
        run(&desk, &["output.path=release.csv.zst", threads]);
        assert_eq!(
            zstd::decode_all(&desk.bytes("release.csv.zst")[..]).unwrap(),
            plain
        );
    }
    run(&desk, &["output.path=release.jsonl"]);
    run(&desk, &["output.path=release.jsonl.gz"]);
    assert_eq!(
        gunzip(&desk.bytes("release.jsonl.gz")),
        desk.bytes("release.jsonl")
    );
    let check = [
        "check",
        "release.jsonl.gz",
        "--policy",
        "policy.toml",
        "--json",
    ];
    assert_eq!(desk.json(&check)["holds"], true);
    for path in ["release.parquet.gz", "release.arff.zst"] {
        let set = format!("output.path={path}");
        desk.refuses(
            2,
            &["run", "policy.toml", "--set", &set],
            &["output.path", "packed"],
        );
    }
}

#[test]
fn so_many_files_or_so_many_rows() {
    let desk = desk(600, &[]);
    run(&desk, &[]);
    let whole = desk.table("release.csv");
    let rows = whole.rows.len();
    for (setting, count, rows_of_part) in [
        ("output.parts=1", 1, rows),
        ("output.parts=4", 4, rows.div_ceil(4)),
        ("output.parts={ rows = 100 }", rows.div_ceil(100), 100),
    ] {
        run(&desk, &["output.path=out", setting]);
        let found = parts(&desk, "out");
        assert_eq!(found.len(), count, "{setting}");
        let mut all = Vec::new();
        for (place, (name, bytes)) in found.into_iter().enumerate() {
            assert_eq!(name, format!("part-{:04}.csv", place + 1));
            let part = common::Table::parse(&String::from_utf8(bytes).unwrap(), ',');
            assert_eq!(part.names, whole.names);
            let is_last = place + 1 == count;
            assert!(part.rows.len() == rows_of_part || (is_last && part.rows.len() < rows_of_part));
            all.extend(part.rows);
        }
        assert_eq!(all, whole.rows, "{setting}");
        // The folder is audited like any file, and takes the place of the one before.
        let check = ["check", "out", "--policy", "policy.toml", "--json"];
        let found = desk.json(&check);
        assert_eq!(
            (&found["holds"], &found["rows"]),
            (&true.into(), &rows.into())
        );
    }
    // No more files than rows.
    let few = super::desk(200, &[]);
    run(
        &few,
        &[
            "output.path=out",
            "output.parts=1000",
            "suppression.limit=0.5",
        ],
    );
    let count = parts(&few, "out").len();
    assert!((100..=200).contains(&count), "{count} parts");
}

#[test]
fn the_same_bytes_on_one_thread_or_two() {
    let desk = desk(30_000, &[]);
    for path in ["out", "out.csv.gz", "out.jsonl", "out.parquet", "out.arrow"] {
        let path_set = format!("output.path={path}");
        let on = |threads: &str, more: &str| {
            run(&desk, &[&path_set, "output.parts=3", threads, more]);
            parts(&desk, path)
        };
        for order in ["output.order=\"sorted\"", "output.order=\"keep\""] {
            let one = on("search.threads=1", order);
            assert_eq!(one.len(), 3, "{path}");
            assert!(one == on("search.threads=2", order), "{path}, {order}");
        }
    }
}

/// What the manifest says of a folder can be had from standard tools.
#[test]
fn the_manifest_covers_every_part() {
    let desk = desk_in_parts(600);
    let settings = [
        "output.path=out",
        "output.parts=3",
        "output.manifest=manifest.json",
        "input.path=in",
    ];
    run(&desk, &settings);
    let manifest: serde_json::Value = serde_json::from_str(&desk.read("manifest.json")).unwrap();
    for (file, folder) in [("output", "out"), ("input", "in")] {
        let told = &manifest["files"][file];
        let listed = Command::new("sh")
            .args(["-c", "sha256sum * | sha256sum"])
            .current_dir(desk.path(folder))
            .output()
            .unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        assert_eq!(told["sha256"], listed.split_whitespace().next().unwrap());
        let bytes: usize = parts(&desk, folder)
            .iter()
            .map(|(_, bytes)| bytes.len())
            .sum();
        assert_eq!(told["bytes"], bytes);
        assert_eq!(
            told["parts"].as_array().unwrap().len(),
            parts(&desk, folder).len()
        );
    }
    let check = ["check", "out", "--manifest", "manifest.json"];
    desk.run(&check).expect(0);
    // A part renamed is another release, and a row moved too.
    std::fs::rename(
        desk.path("out/part-0003.csv"),
        desk.path("out/part-0004.csv"),
    )
    .unwrap();
    desk.run(&check).expect(1);
    std::fs::rename(
        desk.path("out/part-0004.csv"),
        desk.path("out/part-0003.csv"),
    )
    .unwrap();
    desk.run(&check).expect(0);
    let text = desk.read("out/part-0002.csv");
    let (rest, last) = text.trim_end().rsplit_once('\n').unwrap();
    desk.write("out/part-0002.csv", format!("{rest}\n"));
    let third = desk.read("out/part-0003.csv");
    desk.write("out/part-0003.csv", format!("{third}{last}\n"));
    desk.run(&check).expect(1);
}

/// Only what an earlier release left there is replaced.
#[test]
fn a_folder_of_others_is_left_alone() {
    let desk = desk(600, &[]);
    desk.write("out/letter.txt", "dear");
    let run = ["run", "policy.toml", "--set", "output.parts=2", "--set"];
    let refuses = |path: &str, words: &[&str]| {
        let set = format!("output.path={path}");
        desk.refuses(2, &[&run[..], &[&set]].concat(), words);
    };
    refuses("out", &["out", "letter.txt"]);
    refuses("people.csv", &["people.csv"]);
    desk.write("file", "");
    refuses("file", &["file", "folder"]);
    refuses("release.arff", &["output.parts", "ARFF"]);
    std::fs::remove_file(desk.path("out/letter.txt")).unwrap();
    desk.run(&[&run[..], &["output.path=out"]].concat())
        .expect(0);
    let good = parts(&desk, "out");
    // A run that fails leaves the folder as it is.
    let fails = [
        "run",
        "policy.toml",
        "--set",
        "output.path=out",
        "--set",
        "output.parts=2",
        "--set",
        "privacy.k=601",
    ];
    desk.refuses(2, &fails, &["601"]);
    assert_eq!(parts(&desk, "out"), good);
    let set = "output.path=out";
    desk.refuses(
        2,
        &["run", "policy.toml", "--set", set],
        &["out", "folder", "output.parts"],
    );
}
