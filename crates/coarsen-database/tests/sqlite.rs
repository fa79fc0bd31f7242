//! SQLite: every kind of cell there and back, one transaction, the old table until the last moment.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_schema::DataType;
use coarsen_database::{DatabaseError, Place, probe, read, stage};
use common::{release, staged, table, texts};
use rusqlite::Connection;

fn place(folder: &Path, what: &str) -> Place {
    Place::parse(&format!("sqlite:x.db{what}"), folder).unwrap()
}

fn stored(folder: &Path, sql: &str) -> Connection {
    let connection = Connection::open(folder.join("x.db")).unwrap();
    connection.execute_batch(sql).unwrap();
    connection
}

fn message(error: DatabaseError) -> String {
    match error {
        DatabaseError::Usage { message, help } => format!("{message}; {help}"),
        other => panic!("not the user's fault: {other}"),
    }
}

#[test]
fn types_are_told_by_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    stored(
        folder.path(),
        "CREATE TABLE t (a INTEGER, b REAL, c TEXT, d BOOLEAN, e, f INTEGER, g BLOB);
         INSERT INTO t VALUES (1, 1.5, '007', 1, 5, NULL, NULL), (NULL, 2, 'x', 0, 'five', NULL, NULL);",
    );
    let (found, batches) = table(&place(folder.path(), "#t"));
    let kinds: Vec<DataType> = found
        .schema
        .fields()
        .iter()
        .map(|f| f.data_type().clone())
        .collect();
    let utf8 = DataType::Utf8;
    assert_eq!(
        kinds,
        [
            DataType::Int64,
            DataType::Float64,
            utf8.clone(),
            DataType::Boolean,
            utf8.clone(),
            DataType::Int64,
            utf8
        ]
    );
    let batch = &batches[0];
    assert_eq!(
        batch
            .column(0)
            .as_primitive::<Int64Type>()
            .iter()
            .collect::<Vec<_>>(),
        [Some(1), None]
    );
    assert_eq!(
        batch.column(1).as_primitive::<Float64Type>().values()[..],
        [1.5, 2.0]
    );
    assert_eq!(texts(&batches, "c"), [Some("007".into()), Some("x".into())]);
    assert_eq!(
        texts(&batches, "e"),
        [Some("5".into()), Some("five".into())]
    );

    let asked = place(
        folder.path(),
        "?query=select%20a%2B1%20as%20next%20from%20t%20where%20a%20is%20not%20null%3B",
    );
    let (_, batches) = table(&asked);
    assert_eq!(
        batches[0].column(0).as_primitive::<Int64Type>().values()[..],
        [2]
    );
}

#[test]
fn there_and_back_by_one_transaction() {
    let folder = tempfile::tempdir().unwrap();
    let old = stored(
        folder.path(),
        "CREATE TABLE t (old TEXT); INSERT INTO t VALUES ('old');",
    );
    let place = place(folder.path(), "#t");
    let batch = release();
    let (staging, back) = staged(&place);
    // Nobody else sees any of it yet.
    let names = || -> Vec<String> {
        let mut names = old.prepare("SELECT name FROM sqlite_master").unwrap();
        names
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect()
    };
    assert_eq!(names(), ["t"]);
    assert_eq!(
        old.query_row("SELECT old FROM t", [], |row| row.get::<_, String>(0))
            .unwrap(),
        "old"
    );
    staging.publish().unwrap();
    assert_eq!(names(), ["t"]);
    let (_, after) = table(&place);
    for name in ["n", "x", "yes", "a \"text\""] {
        assert_eq!(
            back[0].column_by_name(name),
            batch.column_by_name(name),
            "{name}"
        );
        assert_eq!(
            after[0].column_by_name(name),
            batch.column_by_name(name),
            "{name}"
        );
    }
    // Days are texts in SQLite.
    let days = ["1970-01-01", "2022-01-08", "1969-12-31"].map(|day| Some(day.to_string()));
    assert_eq!(
        texts(&after, "day"),
        [days[0].clone(), days[1].clone(), None, days[2].clone()]
    );
}

#[test]
fn what_is_not_published_never_was() {
    let folder = tempfile::tempdir().unwrap();
    let batch = release();
    let new = place(folder.path(), "#t");
    probe(&new).unwrap();
    drop(stage(&new, &batch.schema(), &BTreeMap::new()).unwrap());
    assert!(!folder.path().join("x.db").exists());

    let old = stored(
        folder.path(),
        "CREATE TABLE t (old TEXT); INSERT INTO t VALUES ('old');",
    );
    let mut staging = stage(&new, &batch.schema(), &BTreeMap::new()).unwrap();
    staging.load(&batch).unwrap();
    drop(staging);
    assert_eq!(
        old.query_row("SELECT count(*) FROM sqlite_master", [], |row| row
            .get::<_, i64>(0))
            .unwrap(),
        1
    );
    assert_eq!(texts(&table(&new).1, "old"), [Some("old".to_string())]);
}

#[test]
fn what_cannot_be_read_or_replaced_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut none = |_| Ok(());
    assert!(
        message(read(&place(folder.path(), "#t"), &mut none).unwrap_err())
            .contains("no such database")
    );
    stored(
        folder.path(),
        "CREATE TABLE people (photo BLOB); INSERT INTO people VALUES (x'00ff'); CREATE VIEW v AS SELECT 1;",
    );
    let refused =
        |what: &str| message(read(&place(folder.path(), what), &mut |_| Ok(())).unwrap_err());
    assert!(refused("#t").contains("no table `t`; it has: people, v"));
    assert!(refused("#people").contains("column `photo`"));
    assert!(refused("?query=select%20x%20from%20people").contains("no such column: x"));
    let view = probe(&place(folder.path(), "#v")).unwrap_err();
    assert!(message(view).contains("view"));
    std::fs::write(
        folder.path().join("x.db"),
        "no database, only a text that is long enough",
    )
    .unwrap();
    assert!(refused("#t").contains("no SQLite database"));
}
