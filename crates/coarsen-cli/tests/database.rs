//! Tables of SQLite in and out, through the binary: the same release as from a file, arriving by one
//! transaction after its audit, and passwords nowhere.
#![allow(clippy::unwrap_used)]

mod common;

use common::Folder;
use common::desk::{QUASI, desk};
use rusqlite::Connection;

/// The invented people in a database: ages and salaries are numbers, some visits are null.
fn desk_with_database(rows: usize) -> Folder {
    let desk = desk(rows, &[]);
    let database = Connection::open(desk.path("care.db")).unwrap();
    database
        .execute_batch(
            "CREATE TABLE people (name TEXT, age INTEGER, zip TEXT, sex TEXT, illness TEXT, salary INTEGER, visit TEXT);
             CREATE TABLE release (old TEXT); INSERT INTO release VALUES ('yesterday''s')",
        )
        .unwrap();
    let mut insert = database
        .prepare("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, nullif(?, 'v3'))")
        .unwrap();
    database.execute_batch("BEGIN").unwrap();
    for row in desk.table("people.csv").rows {
        insert.execute(rusqlite::params_from_iter(row)).unwrap();
    }
    database.execute_batch("COMMIT").unwrap();
    desk
}

fn open(desk: &Folder) -> Connection {
    Connection::open(desk.path("care.db")).unwrap()
}

fn number(database: &Connection, sql: &str) -> i64 {
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn run(desk: &Folder, settings: &[&str]) -> serde_json::Value {
    let run = ["run", "policy.toml", "--json"].into_iter();
    let run: Vec<&str> = run
        .chain(settings.iter().flat_map(|each| ["--set", each]))
        .collect();
    desk.json(&run)
}

#[test]
fn in_and_out_and_audited_by_sql() {
    let desk = desk_with_database(600);
    run(&desk, &[]);
    let expected = desk.table("release.csv");
    for threads in ["search.threads=1", "search.threads=2"] {
        let made = run(
            &desk,
            &[
                "input.path=sqlite:care.db#people",
                "output.path=sqlite:care.db#release",
                threads,
            ],
        );
        assert_eq!(made["rows_out"], expected.rows.len());
        let database = open(&desk);
        // The audit, in another's words.
        let smallest = format!(
            "SELECT min(n) FROM (SELECT count(*) AS n FROM release GROUP BY {})",
            QUASI.join(", ")
        );
        assert!(number(&database, &smallest) >= 5);
        assert_eq!(
            number(&database, "SELECT count(*) FROM release"),
            expected.rows.len() as i64
        );
        // Types and nulls are kept.
        assert_eq!(
            number(
                &database,
                "SELECT count(*) FROM release WHERE typeof(salary) <> 'integer'"
            ),
            0
        );
        assert_eq!(
            number(
                &database,
                "SELECT count(*) FROM release WHERE visit IS NULL"
            ),
            1
        );
        assert_eq!(number(&database, "SELECT count(*) FROM sqlite_master"), 2);
        // The same rows as from the file, but for the null.
        let mut released = database
            .prepare("SELECT age, zip, sex, illness, cast(salary as text), ifnull(visit, 'v3') FROM release")
            .unwrap();
        let rows = released.query_map([], |row| {
            (0..6)
                .map(|i| row.get(i))
                .collect::<Result<Vec<String>, _>>()
        });
        let mut rows: Vec<Vec<String>> = rows.unwrap().map(Result::unwrap).collect();
        rows.sort();
        assert_eq!(rows, expected.multiset());
    }
}

#[test]
fn every_command_takes_a_table() {
    let desk = desk_with_database(600);
    let url = "sqlite:care.db#people";
    run(&desk, &["input.path=sqlite:care.db#people"]);
    let check = [
        "check",
        "sqlite:care.db#people",
        "--qi",
        "age,sex",
        "--k",
        "1",
        "--json",
    ];
    let from_file = [
        "check",
        "people.csv",
        "--qi",
        "age,sex",
        "--k",
        "1",
        "--json",
    ];
    assert_eq!(
        desk.json(&check)["classes"],
        desk.json(&from_file)["classes"]
    );
    desk.run(&["apply", "recoding.json", url, "-o", "sqlite:new.db#applied"])
        .expect(0);
    let applied = Connection::open(desk.path("new.db")).unwrap();
    let rows = desk.table("release.csv").rows.len() as i64;
    assert_eq!(number(&applied, "SELECT count(*) FROM applied"), rows);
    desk.run(&["init", url, "-o", "drafted.toml"]).expect(0);
    let drafted = desk.read("drafted.toml");
    assert!(
        drafted.contains("care.db#people") && drafted.contains("people-release.csv"),
        "{drafted}"
    );
    desk.run(&["run", "drafted.toml"]).expect(0);
    desk.json(&[
        "compare",
        "policy.toml",
        "--k",
        "2,5",
        "--set",
        "input.path=sqlite:care.db#people",
        "--json",
    ]);
    let evaluate = [
        "evaluate",
        "policy.toml",
        "--folds",
        "2",
        "--model",
        "linear",
        "--json",
    ];
    desk.json(
        &[
            &evaluate[..],
            &["--set", "input.path=sqlite:care.db#people"],
        ]
        .concat(),
    );

    // A query in the table's stead.
    let made = run(
        &desk,
        &[
            "input.path=sqlite:care.db",
            "input.query=\"select * from people where age < 60\"",
        ],
    );
    let young = number(&open(&desk), "SELECT count(*) FROM people WHERE age < 60");
    assert_eq!(made["rows_in"], young);
}

#[test]
fn the_manifest_proves_a_table() {
    let desk = desk_with_database(600);
    run(
        &desk,
        &[
            "input.path=sqlite:care.db#people",
            "output.path=sqlite:care.db#release",
            "output.manifest=manifest.json",
        ],
    );
    let check = [
        "check",
        "sqlite:care.db#release",
        "--manifest",
        "manifest.json",
    ];
    desk.run(&check).expect(0);
    open(&desk)
        .execute_batch("UPDATE release SET visit = 'v0' WHERE rowid = 7")
        .unwrap();
    desk.run(&check).expect(1);
}

/// Whatever stops it, the old table is as it was.
#[test]
fn what_fails_leaves_the_old_table() {
    let desk = desk_with_database(600);
    let set = [
        "run",
        "policy.toml",
        "--set",
        "input.path=sqlite:care.db#people",
        "--set",
        "output.path=sqlite:care.db#release",
    ];
    desk.refuses(
        2,
        &[&set[..], &["--set", "privacy.k=601"]].concat(),
        &["601"],
    );
    desk.refuses(
        2,
        &[&set[..], &["--set", "output.parts=2"]].concat(),
        &["output.parts", "database"],
    );
    // Somebody else is writing: it waits, and then says so.
    let other = open(&desk);
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // The file must not be read here meanwhile: a process that closes a file gives up its locks on it.
    let done = desk.run(&set).expect(3);
    for word in ["care.db#release", "another process", "nothing was changed"] {
        assert!(done.stderr.contains(word), "{}", done.stderr);
    }
    drop(other);
    // A manifest that cannot be written takes the table back too.
    desk.write("manifest/x", "");
    desk.refuses(
        2,
        &[&set[..], &["--set", "output.manifest=manifest"]].concat(),
        &["manifest"],
    );
    let database = open(&desk);
    assert_eq!(
        number(
            &database,
            "SELECT count(*) FROM release WHERE old = 'yesterday''s'"
        ),
        1
    );
    assert_eq!(number(&database, "SELECT count(*) FROM sqlite_master"), 2);
}

#[test]
fn what_is_wrong_is_named() {
    let desk = desk_with_database(60);
    let refuses = |settings: &[&str], words: &[&str]| {
        let run = ["run", "policy.toml"].into_iter();
        let run: Vec<&str> = run
            .chain(settings.iter().flat_map(|each| ["--set", each]))
            .collect();
        desk.refuses(2, &run, words)
    };
    refuses(
        &["input.path=sqlite:none.db#t"],
        &["none.db", "no such database"],
    );
    refuses(
        &["input.path=sqlite:care.db#persons"],
        &["care.db#persons", "people, release"],
    );
    refuses(
        &["input.path=sqlite:care.db"],
        &["URL of the database", "#table"],
    );
    refuses(
        &["input.path=sqlite:people.csv#t"],
        &["people.csv", "no SQLite database"],
    );
    refuses(&["input.query=select"], &["people.csv", "input.query"]);
    refuses(
        &["output.path=sqlite:none/care.db#t"],
        &["none/care.db", "folder"],
    );
    let same = [
        "input.path=sqlite:care.db#people",
        "output.path=sqlite:care.db#people",
    ];
    refuses(&same, &["same file"]);
    for key in ["input.path", "output.path"] {
        refuses(
            &[&format!("{key}=s3://bucket/people.csv")],
            &["s3://bucket/people.csv", "neither reads"],
        );
    }
    // Never a password, and never one in a message.
    for url in [
        "postgres://ann:hunter2@localhost/care#people",
        "postgres://ann@localhost/care?password=hunter2#people",
    ] {
        for key in ["input.path", "output.path"] {
            let done = refuses(&[&format!("{key}={url}")], &["password", "PGPASSWORD"]);
            assert!(!done.stderr.contains("hunter2"), "{}", done.stderr);
        }
        let check = desk.refuses(2, &["check", url, "--qi", "age"], &["password"]);
        assert!(!check.stderr.contains("hunter2"), "{}", check.stderr);
    }
    desk.edit(
        "policy.toml",
        "people.csv",
        "postgres://ann:hunter2@localhost/care#people",
    );
    let done = refuses(&[], &["password"]);
    assert!(!done.stderr.contains("hunter2"), "{}", done.stderr);
}
