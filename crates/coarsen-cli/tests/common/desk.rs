//! A folder with invented people and a policy over them, which several tests change in some places.

use super::{Folder, people};

/// The quasi-identifiers of [`POLICY`].
pub const QUASI: [&str; 3] = ["age", "zip", "sex"];

/// A policy over [`people`].
pub const POLICY: &str = r#"version = 1
input = { path = "people.csv" }
output = { path = "release.csv", recoding = "recoding.json" }

[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", hierarchy = { intervals = [5, 10, 20] } }
zip = { role = "quasi-identifier", type = "text", hierarchy = { mask = "right" } }
sex = { role = "quasi-identifier" }
illness = { role = "sensitive" }
salary = { role = "target" }
visit = { role = "other" }

[privacy]
k = 5

[suppression]
limit = 0.05

[search]
algorithm = "datafly"
"#;

/// The policy over some people, with some places changed.
pub fn desk(rows: usize, changes: &[(&str, &str)]) -> Folder {
    let desk = Folder::with(&[("people.csv", &people(rows)), ("policy.toml", POLICY)]);
    for (from, to) in changes {
        desk.edit("policy.toml", from, to);
    }
    desk
}
