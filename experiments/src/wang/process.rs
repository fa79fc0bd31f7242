//! The same searches by a policy over our taxonomies, as a process of its own: what a user runs.

use std::path::Path;

use serde_json::Value;

use super::SEARCHES;
use crate::Done;
use crate::speed::coarsen;
use crate::taxonomies::{RELATIONSHIP, TABLE_1, policy};

/// The sizes of the taxonomies, then whole processes at three K.
pub fn run(data: &Path) -> Done {
    let all = TABLE_1.iter().chain([&RELATIONSHIP]);
    let sizes = all.map(|t| format!("{} {} leaves, {} levels", t.column, t.leaves, t.levels));
    println!("{}.\n", sizes.collect::<Vec<_>>().join("; "));
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("policy.toml");
    let rest = "\n[privacy]\nk = 10\n\n[search]\nloss = \"conditional-entropy\"\n";
    std::fs::write(&path, policy(&data.join("train.csv"), &[]) + rest)?;
    println!(
        "| K | search | whole process s | search s | peak MB | classes | conditional entropy |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for k in [10, 100, 500] {
        for (title, name, settings) in SEARCHES {
            let mut set = vec![format!("privacy.k={k}"), format!("search.algorithm={name}")];
            let lines = settings.lines().map(|line| line.replace([' ', '"'], ""));
            set.extend(lines.map(|line| format!("search.{name}.{line}")));
            let taken = coarsen(&path, &set)?;
            let made: Value = serde_json::from_str(&taken.stdout)?;
            println!(
                "| {k} | {title} | {:.3} | {:.3} | {:.0} | {} | {:.4} |",
                taken.seconds,
                made["seconds"]["search"].as_f64().unwrap_or(f64::NAN),
                taken.megabytes,
                made["classes"],
                made["loss"]["conditional_entropy"]
                    .as_f64()
                    .unwrap_or(f64::NAN),
            );
        }
    }
    Ok(())
}
