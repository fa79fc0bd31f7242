//! PostgreSQL, a real one: `COARSEN_POSTGRES` has the URL of a database that may be written to (`.ci/postgres`
//! starts one). Without it the tests say that they skip.
#![cfg(feature = "postgres")]
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use arrow_schema::DataType;
use coarsen_database::{DatabaseError, Place, probe, read, stage};
use common::{release, staged, table, texts};
use postgres::{Client, Config, NoTls};

/// The URL, and a connection with a schema of the test's own.
fn server(schema: &str) -> Option<(String, Client)> {
    let Ok(url) = std::env::var("COARSEN_POSTGRES") else {
        eprintln!(
            "skipped: set COARSEN_POSTGRES to the URL of a PostgreSQL database to run this test"
        );
        return None;
    };
    let mut config = Config::from_str(&url).unwrap();
    if let Ok(password) = std::env::var("PGPASSWORD") {
        config.password(password);
    }
    let mut client = config.connect(NoTls).unwrap();
    let again = format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}");
    client.batch_execute(&again).unwrap();
    Some((url, client))
}

fn place(url: &str, what: &str) -> Place {
    Place::parse(&format!("{url}{what}"), Path::new("/")).unwrap()
}

#[test]
fn every_type_comes_unharmed() {
    let Some((url, mut client)) = server("coarsen_types") else {
        return;
    };
    client
        .batch_execute(
            "CREATE TABLE coarsen_types.t (a int2, b int4, c bigint, d numeric(12,4), e float8, f boolean,
               g date, h timestamptz, i varchar(5), j uuid, \"K 1\" text);
             INSERT INTO coarsen_types.t VALUES
               (1, 2, 3, 1.5000, 0.1, true, '2024-02-29', '2024-01-01 12:00+00', 'abc',
                '00000000-0000-0000-0000-000000000001', 'x'),
               (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
        )
        .unwrap();
    let (found, batches) = table(&place(&url, "#coarsen_types.t"));
    let kinds: Vec<DataType> = found
        .schema
        .fields()
        .iter()
        .map(|f| f.data_type().clone())
        .collect();
    use DataType::{Boolean, Date32, Float64, Int64, Utf8};
    assert_eq!(
        kinds,
        [
            Int64, Int64, Int64, Utf8, Float64, Boolean, Date32, Utf8, Utf8, Utf8, Utf8
        ]
    );
    assert_eq!(texts(&batches, "d"), [Some("1.5000".to_string()), None]);
    assert_eq!(found.types["d"], "numeric(12,4)");
    assert_eq!(found.types["i"], "character varying(5)");

    // The same types again, where they are asked for.
    let copy = place(&url, "#coarsen_types.copy");
    let mut staging = stage(&copy, &found.schema, &found.types).unwrap();
    staging.load(&batches[0]).unwrap();
    staging.publish().unwrap();
    let same = "SELECT count(*) FROM (SELECT * FROM coarsen_types.t EXCEPT ALL SELECT * FROM coarsen_types.copy) AS d";
    assert_eq!(client.query_one(same, &[]).unwrap().get::<_, i64>(0), 0);
    let (again, _) = table(&copy);
    assert_eq!(again.types, found.types);
    let asked = place(
        &url,
        "?query=select%20b%2B1%20as%20n%20from%20coarsen_types.t",
    );
    assert_eq!(table(&asked).1[0].num_rows(), 2);
}

#[test]
fn there_and_back_by_one_transaction() {
    let Some((url, mut client)) = server("coarsen_back") else {
        return;
    };
    client
        .batch_execute(
            "CREATE TABLE coarsen_back.t (old text); INSERT INTO coarsen_back.t VALUES ('old')",
        )
        .unwrap();
    let place = place(&url, "#coarsen_back.t");
    probe(&place).unwrap();
    let batch = release();
    let (staging, back) = staged(&place);
    assert_eq!(back[0].columns(), batch.columns());
    let old = client
        .query_one("SELECT old FROM coarsen_back.t", &[])
        .unwrap();
    assert_eq!(old.get::<_, String>(0), "old");
    staging.publish().unwrap();
    assert_eq!(table(&place).1[0].columns(), batch.columns());
    let names = client
        .query("SELECT relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'coarsen_back'", &[])
        .unwrap();
    assert_eq!(
        names
            .iter()
            .map(|row| row.get::<_, String>(0))
            .collect::<Vec<_>>(),
        ["t"]
    );
}

#[test]
fn a_lost_connection_leaves_the_old_table() {
    let Some((url, mut client)) = server("coarsen_lost") else {
        return;
    };
    client
        .batch_execute(
            "CREATE TABLE coarsen_lost.t (old text); INSERT INTO coarsen_lost.t VALUES ('old')",
        )
        .unwrap();
    let place = place(&url, "#coarsen_lost.t");
    let batch = release();
    let mut staging = stage(&place, &batch.schema(), &BTreeMap::new()).unwrap();
    staging.load(&batch).unwrap();
    // Only ours: other tests have connections too.
    let mine = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'coarsen' \
                AND query LIKE '%coarsen_lost%'";
    client.query(mine, &[]).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    let error = staging.load(&batch).unwrap_err();
    assert!(matches!(error, DatabaseError::Failed(_)), "{error}");
    assert!(staging.publish().is_err());
    let rows = client.query("SELECT old FROM coarsen_lost.t", &[]).unwrap();
    assert_eq!(rows.len(), 1);
    let left = "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace \
                WHERE nspname = 'coarsen_lost' AND relname <> 't'";
    assert_eq!(client.query_one(left, &[]).unwrap().get::<_, i64>(0), 0);
}

#[test]
fn who_may_not_come_in_is_told_why() {
    let Some((url, _)) = server("coarsen_why") else {
        return;
    };
    let usage = |place: &Place| match read(place, &mut |_| Ok(())).unwrap_err() {
        DatabaseError::Usage { message, .. } => message,
        other => panic!("not the user's fault: {other}"),
    };
    assert!(usage(&place(&url, "#coarsen_why.none")).contains("coarsen_why.none"));
    assert!(usage(&place(&url, "?query=selec")).contains("syntax"));
    let schema = probe(&place(&url, "#nowhere.t")).unwrap_err();
    assert!(schema.to_string().contains("nowhere"), "{schema}");
    let unset = url.replacen('@', ":${COARSEN_NO_SUCH_VARIABLE}@", 1);
    assert!(usage(&place(&unset, "#t")).contains("COARSEN_NO_SUCH_VARIABLE"));
    // Nobody listens at port 1.
    let nobody = Place::parse("postgres://coarsen@127.0.0.1:1/x#t", Path::new("/")).unwrap();
    let error = read(&nobody, &mut |_| Ok(())).unwrap_err();
    assert!(matches!(error, DatabaseError::Failed(_)), "{error}");
}
