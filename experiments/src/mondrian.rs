//! What Mondrian loses on Adult, by scheme and split rule, beside ARX's best recipe; and how it does on
//! very many rows.

use std::process::Command;

use serde_json::Value;

use crate::Done;
use crate::measure::{run, sibling};
use crate::speed::{ADULT, adult_folder, adult_policy, coarsen};

/// LM of ARX's local recoding after a global search (`optimizeIterativeFast`), nothing suppressed.
const ARX: [(u64, f64); 3] = [(5, 0.0569), (10, 0.0790), (50, 0.1503)];

/// Adult train, eight quasi-identifiers, nothing suppressed, LM as the mean over columns.
pub fn adult() -> Done {
    let data = adult_folder()?;
    let folder = tempfile::tempdir()?;
    let policy =
        adult_policy(&data, "intervals = [5, 10, 20]") + "\n[search]\nalgorithm = \"mondrian\"\n";
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, policy)?;
    println!(
        "| k | split | LM, tree names | LM, sets | ARX | search s (tree, sets) | whole process s |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (k, arx) in ARX {
        for rule in ["loss", "median", "info-gain"] {
            let mut set = vec![
                format!("privacy.k={k}"),
                format!("search.mondrian.split={rule}"),
                "columns.salary-class.role=target".to_string(),
            ];
            let names: Value = serde_json::from_str(&coarsen(&path, &set)?.stdout)?;
            for column in ADULT {
                set.push(format!("columns.{column}.scheme=ordered"));
            }
            let sets_taken = coarsen(&path, &set)?;
            let sets: Value = serde_json::from_str(&sets_taken.stdout)?;
            let figure =
                |made: &Value, of: &str, name: &str| made[of][name].as_f64().unwrap_or(f64::NAN);
            println!(
                "| {k} | {rule} | {:.4} | {:.4} | {arx:.4} | {:.3}, {:.3} | {:.2} |",
                figure(&names, "loss", "lm"),
                figure(&sets, "loss", "lm"),
                figure(&names, "seconds", "search"),
                figure(&sets, "seconds", "search"),
                sets_taken.seconds,
            );
        }
    }
    Ok(())
}

/// Synthetic rows that are nearly all distinct, k = 25: in memory, and in passes under a memory limit.
pub fn rows(rows: u64) -> Done {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("rows.parquet");
    let mut command = Command::new(sibling("coarsen")?);
    command.args(["generate", "agrawal", "--function", "2", "--rows"]);
    run(command.arg(rows.to_string()).arg("-o").arg(&input))?;
    let quasi = [
        "salary",
        "commission",
        "age",
        "elevel",
        "car",
        "zipcode",
        "hvalue",
        "hyears",
        "loan",
    ];
    let column = |name: &&str| format!("{name} = {{ role = \"quasi-identifier\" }}\n");
    let columns: String = quasi.iter().map(column).collect();
    let policy = format!(
        "version = 1\ninput = {{ path = \"rows.parquet\" }}\noutput = {{ path = \"release.parquet\" }}\n\n\
         [columns]\n{columns}group = {{ role = \"target\" }}\n\n\
         [privacy]\nk = 25\n\n[search]\nalgorithm = \"mondrian\"\n"
    );
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, policy)?;
    println!("{rows} rows, nine quasi-identifiers, k = 25\n");
    println!(
        "| way | split | count s | search s | write s | audit s | whole process s | peak MB |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (way, more) in [
        ("in memory", &[][..]),
        (
            "in passes, memory = 2GB",
            &["engine.passes=true", "engine.memory=\"2GB\""][..],
        ),
    ] {
        for rule in ["median", "info-gain"] {
            let mut set = vec![format!("search.mondrian.split={rule}")];
            set.extend(more.iter().map(|each| each.to_string()));
            let taken = coarsen(&path, &set)?;
            let made: Value = serde_json::from_str(&taken.stdout)?;
            let seconds = |of: &str| made["seconds"][of].as_f64().unwrap_or(f64::NAN);
            println!(
                "| {way} | {rule} | {:.1} | {:.1} | {:.1} | {:.1} | {:.0} | {:.0} |",
                seconds("count"),
                seconds("search"),
                seconds("write"),
                seconds("audit"),
                taken.seconds,
                taken.megabytes
            );
        }
    }
    Ok(())
}
