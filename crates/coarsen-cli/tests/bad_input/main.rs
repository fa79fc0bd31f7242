//! What cannot be done is refused with status 2, a message that names the place and says what to do,
//! and not a byte written.
#![allow(clippy::unwrap_used)]

mod columns;
#[path = "../common/mod.rs"]
mod common;
mod files;
mod hierarchies;
mod keys;
mod outputs;
mod recodings;
mod secrets;
mod usage;

use common::Folder;

const PATIENTS: &str = "\
name,age,zip,sex,illness
Ann,30,02138,F,flu
Bob,31,02139,M,cold
Cyd,32,02138,M,flu
Dee,33,02139,F,cold
";

const POLICY: &str = r#"version = 1
input = { path = "patients.csv" }
output = { path = "release.csv", recoding = "recoding.json" }

[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", hierarchy = { intervals = [5, 10] } }
zip = { role = "quasi-identifier", hierarchy = { mask = "right" } }
sex = { role = "quasi-identifier" }
illness = { role = "sensitive" }

[privacy]
k = 2

[suppression]
limit = 0.0

[search]
algorithm = "datafly"
"#;

const RUN: &[&str] = &["run", "policy.toml"];

/// A policy, its table, and a release of yesterday that must stay as it is.
fn desk() -> Folder {
    Folder::with(&[
        ("patients.csv", PATIENTS),
        ("policy.toml", POLICY),
        ("release.csv", "yesterday's release\n"),
        ("recoding.json", "yesterday's recoding\n"),
    ])
}

/// A desk whose policy differs in one place.
fn policy_with(from: &str, to: &str) -> Folder {
    let desk = desk();
    desk.edit("policy.toml", from, to);
    desk
}

/// A desk with another table.
fn patients_with(bytes: impl AsRef<[u8]>) -> Folder {
    let desk = desk();
    desk.write("patients.csv", bytes);
    desk
}

/// A desk where sex has a hierarchy in a file.
fn sex_hierarchy(text: &str) -> Folder {
    let desk = policy_with(
        r#"sex = { role = "quasi-identifier" }"#,
        r#"sex = { role = "quasi-identifier", hierarchy = { file = "sex.csv" } }"#,
    );
    desk.write("sex.csv", text);
    desk
}

fn refuses(desk: &Folder, words: &[&str]) {
    desk.refuses(2, RUN, words);
}

/// The desk as it stands would do: what the other tests see refused is what they changed.
#[test]
fn the_desk_itself_is_in_order() {
    desk().run(RUN).expect(0);
}
