//! A real PostgreSQL, through the binary: `COARSEN_POSTGRES` has its URL (`.ci/postgres` starts one), and SQL
//! that coarsen has no part in is run by `psql`. Without either the tests say that they skip.
#![cfg(feature = "postgres")]
#![allow(clippy::unwrap_used)]

mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::Folder;
use common::desk::{QUASI, desk};

/// A server with a schema of the test's own.
struct Server {
    url: String,
    schema: &'static str,
}

impl Server {
    fn new(schema: &'static str) -> Option<Self> {
        let is_there = Command::new("psql").arg("--version").output().is_ok();
        match std::env::var("COARSEN_POSTGRES") {
            Ok(url) if is_there => {
                let server = Server { url, schema };
                server.sql(&format!(
                    "DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}"
                ));
                Some(server)
            }
            _ => {
                eprintln!(
                    "skipped: set COARSEN_POSTGRES to the URL of a PostgreSQL database to run this test"
                );
                None
            }
        }
    }

    /// What `psql` prints.
    fn sql(&self, sql: &str) -> String {
        let done = Command::new("psql")
            .args([&self.url, "-v", "ON_ERROR_STOP=1", "-qAtc", sql])
            .output()
            .unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        String::from_utf8(done.stdout).unwrap().trim().to_string()
    }

    fn place(&self, table: &str) -> String {
        format!("{}#{}.{table}", self.url, self.schema)
    }

    /// The invented people in a table, and yesterday's release.
    fn desk(&self, rows: usize) -> Folder {
        let desk = desk(rows, &[]);
        let schema = self.schema;
        self.sql(&format!(
            "CREATE TABLE {schema}.people (name text, age int, zip varchar(5), sex char(1), illness text, salary numeric(9,2), visit text);
             CREATE TABLE {schema}.release (old text); INSERT INTO {schema}.release VALUES ('yesterday''s')"
        ));
        let copy = format!(
            "\\copy {schema}.people FROM '{}' (FORMAT csv, HEADER)",
            desk.path("people.csv").display()
        );
        self.sql(&copy);
        self.sql(&format!(
            "UPDATE {schema}.people SET visit = NULL WHERE visit = 'v3'"
        ));
        desk.edit("policy.toml", "people.csv", &self.place("people"));
        desk.edit("policy.toml", "release.csv", &self.place("release"));
        desk
    }
}

#[test]
fn in_and_out_and_audited_by_sql() {
    let Some(server) = Server::new("cli_in_out") else {
        return;
    };
    let desk = server.desk(600);
    desk.edit(
        "policy.toml",
        "recoding = ",
        "manifest = \"manifest.json\", recoding = ",
    );
    let made = desk.json(&["run", "policy.toml", "--json"]);
    let count = server.sql("SELECT count(*) FROM cli_in_out.release");
    assert_eq!(made["rows_out"].to_string(), count);
    let smallest = format!(
        "SELECT min(n) >= 5 FROM (SELECT count(*) AS n FROM cli_in_out.release GROUP BY {}) AS c",
        QUASI.join(", ")
    );
    assert_eq!(server.sql(&smallest), "t");
    // Types and nulls are kept, and nothing is left beside.
    let types = "SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) \
                 FROM pg_attribute WHERE attrelid = 'cli_in_out.release'::regclass AND attnum > 0";
    let released = "age text, zip text, sex text, illness text, salary numeric(9,2), visit text";
    assert_eq!(server.sql(types), released);
    assert_eq!(
        server.sql("SELECT count(*) FROM cli_in_out.release WHERE visit IS NULL"),
        "1"
    );
    assert_eq!(
        server.sql("SELECT count(*) FROM pg_class WHERE relname LIKE '%coarsen_staged%'"),
        "0"
    );
    // The same rows as from a file.
    let check = [
        "check",
        &server.place("release"),
        "--manifest",
        "manifest.json",
    ];
    desk.run(&check).expect(0);
    let settings = ["input.path=people.csv", "output.path=release.csv"];
    let run = [
        "run",
        "policy.toml",
        "--set",
        settings[0],
        "--set",
        settings[1],
    ];
    desk.run(&run).expect(0);
    let text = server.sql(
        "SELECT age, zip, sex, illness, salary::int, coalesce(visit, 'v3') FROM cli_in_out.release",
    );
    let mut rows: Vec<Vec<String>> = text
        .lines()
        .map(|line| line.split('|').map(str::to_string).collect())
        .collect();
    rows.sort();
    assert_eq!(rows, desk.table("release.csv").multiset());
    // No password anywhere.
    if let Ok(password) = std::env::var("PGPASSWORD") {
        for (path, bytes) in desk.all() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert!(!text.contains(&password), "{}", path.display());
        }
    }
}

/// The connection is cut again and again while the command works: the old table or the new one, never half.
#[test]
fn a_lost_connection_leaves_the_old_table() {
    let Some(server) = Server::new("cli_lost") else {
        return;
    };
    let desk = server.desk(60_000);
    let mut child = desk
        .command(&["run", "policy.toml"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // As soon as the new table is being loaded.
    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                WHERE application_name = 'coarsen' AND query LIKE 'COPY \"cli_lost\"%'";
    let start = Instant::now();
    while server.sql(kill) == "0" {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "it never came to load"
        );
        if child.try_wait().unwrap().is_some() {
            panic!("it was done before it could be cut");
        }
    }
    let done = common::Done::of(child.wait_with_output().unwrap()).expect(3);
    assert!(
        done.stderr.contains("PostgreSQL") && done.stderr.contains("nothing was changed"),
        "{}",
        done.stderr
    );
    assert_eq!(
        server.sql("SELECT old FROM cli_lost.release"),
        "yesterday's"
    );
    assert_eq!(
        server.sql("SELECT count(*) FROM pg_class WHERE relname LIKE 'release__coarsen%'"),
        "0"
    );
    assert_eq!(desk.names(), ["people.csv", "policy.toml"]);
}
