//! The same searches by a policy over our taxonomies, as a process of its own: what a user runs.

use std::path::Path;

use serde_json::Value;

use super::SEARCHES;
use crate::Fallible;
use crate::report::Table;
use crate::speed::coarsen;
use crate::taxonomies::{RELATIONSHIP, TABLE_1, policy};

/// Whole processes at three K.
pub fn run(data: &Path) -> Fallible<Table> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("policy.toml");
    let rest = "\n[privacy]\nk = 10\n\n[search]\nloss = \"conditional-entropy\"\n";
    std::fs::write(&path, policy(&data.join("train.csv"), &[]) + rest)?;
    let mut table = Table::new(
        "adult-processes",
        "Adult, whole processes",
        [
            "K",
            "search",
            "whole process s",
            "search s",
            "peak MB",
            "classes",
            "conditional entropy",
        ],
    );
    let all = TABLE_1.iter().chain([&RELATIONSHIP]);
    let sizes = all.map(|t| format!("{} {} leaves, {} levels", t.column, t.leaves, t.levels));
    let sizes: Vec<String> = sizes.collect();
    table.notes.push(format!("{}.", sizes.join("; ")));
    for k in [10, 100, 500] {
        for (title, name, settings) in SEARCHES {
            let mut set = vec![format!("privacy.k={k}"), format!("search.algorithm={name}")];
            let lines = settings.lines().map(|line| line.replace([' ', '"'], ""));
            set.extend(lines.map(|line| format!("search.{name}.{line}")));
            let taken = coarsen(&path, &set)?;
            let made: Value = serde_json::from_str(&taken.stdout)?;
            let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
            table.rows.push(vec![
                k.to_string(),
                title.into(),
                format!("{:.3}", taken.seconds),
                format!("{:.3}", number(&made["seconds"]["search"])),
                format!("{:.0}", taken.megabytes),
                made["classes"].to_string(),
                format!("{:.4}", number(&made["loss"]["conditional_entropy"])),
            ]);
        }
    }
    Ok(table)
}
