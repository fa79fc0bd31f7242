//! How fast the whole path is: read, count, search, write, audit, as one process.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Done;
use crate::baseline::QUASI_IDENTIFIERS;
use crate::measure::{Taken, run, sibling};

/// Adult's quasi-identifiers beside age, and the columns that are none.
pub const ADULT: [&str; 7] = [
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
];
const ADULT_OTHERS: [&str; 7] = [
    "fnlwgt",
    "education-num",
    "relationship",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "salary-class",
];

/// Where the public research data are.
pub fn adult_folder() -> Result<PathBuf, Box<dyn std::error::Error>> {
    match std::env::var_os("COARSEN_DATA") {
        Some(data) => Ok(PathBuf::from(data).join("adult")),
        None => Err("set COARSEN_DATA to the folder that holds adult/train.csv".into()),
    }
}

/// A policy for Adult's eight quasi-identifiers with the hierarchies that come with the data.
pub fn adult_policy(data: &Path, age: &str) -> String {
    let mut policy = format!(
        "version = 1\ninput = {{ path = {:?} }}\noutput = {{ path = \"release.csv\", recoding = \"recoding.json\" }}\n\n[columns]\nage = {{ role = \"quasi-identifier\", type = \"integer\", hierarchy = {{ {age} }} }}\n",
        data.join("train.csv")
    );
    for name in ADULT {
        let file = data.join(format!("adult_hierarchy_{name}.csv"));
        policy += &format!(
            "{name} = {{ role = \"quasi-identifier\", hierarchy = {{ file = {file:?} }} }}\n"
        );
    }
    for name in ADULT_OTHERS {
        policy += &format!("{name} = {{ role = \"other\" }}\n");
    }
    policy + "\n[privacy]\nk = 10\n"
}

/// Adult, Datafly: the whole process, several k.
pub fn adult(runs: usize) -> Done {
    let folder = tempfile::tempdir()?;
    let mut policy = adult_policy(&adult_folder()?, "intervals = [5, 10, 20]");
    policy += "\n[suppression]\nlimit = 0.05\n\n[search]\nalgorithm = \"datafly\"\n";
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, policy)?;

    println!("| k | seconds (median of {runs}) | peak MB | search s | classes | suppressed | LM |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for k in [2, 5, 10, 50, 100] {
        let mut taken = Vec::new();
        for _ in 0..runs.max(1) {
            taken.push(coarsen(&path, &[format!("privacy.k={k}")])?);
        }
        taken.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let middle = &taken[taken.len() / 2];
        let peak = taken.iter().map(|t| t.megabytes).fold(0.0, f64::max);
        let made: Value = serde_json::from_str(&middle.stdout)?;
        println!(
            "| {k} | {:.3} | {peak:.0} | {:.4} | {} | {} | {:.4} |",
            middle.seconds,
            made["seconds"]["search"].as_f64().unwrap_or(f64::NAN),
            made["classes"],
            made["suppressed_rows"],
            made["loss"]["lm"].as_f64().unwrap_or(f64::NAN),
        );
    }
    Ok(())
}

/// Runs the binary on a policy with some keys set.
pub fn coarsen(policy: &Path, set: &[String]) -> Result<Taken, Box<dyn std::error::Error>> {
    coarsen_on(policy, set, None)
}

/// The same on so many threads.
pub fn coarsen_on(
    policy: &Path,
    set: &[String],
    threads: Option<usize>,
) -> Result<Taken, Box<dyn std::error::Error>> {
    let mut command = Command::new(sibling("coarsen")?);
    if let Some(threads) = threads {
        command.env("RAYON_NUM_THREADS", threads.to_string());
    }
    command.arg("run").arg(policy).arg("--json");
    for set in set {
        command.arg("--set").arg(set);
    }
    run(&mut command)
}

/// Synthetic rows as Parquet and as CSV, against DataFusion alone in the same run.
pub fn rows(rows: u64, keep: Option<PathBuf>) -> Done {
    let temporary = tempfile::tempdir()?;
    let folder = keep.unwrap_or_else(|| temporary.path().to_path_buf());
    std::fs::create_dir_all(&folder)?;
    println!(
        "{rows} rows, quasi-identifiers {}, Datafly k = 10, nothing suppressed\n",
        QUASI_IDENTIFIERS.join(", ")
    );
    println!(
        "| format | DataFusion alone s (group + write + read) | peak MB | coarsen s (read + count + search + write + audit) | peak MB | ratio |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    for ending in ["parquet", "csv"] {
        let input = folder.join(format!("agrawal-{rows}.{ending}"));
        if !input.exists() {
            let mut generate = Command::new(sibling("coarsen")?);
            generate.args([
                "generate",
                "agrawal",
                "--rows",
                &rows.to_string(),
                "--function",
                "2",
                "--seed",
                "1",
                "-o",
            ]);
            run(generate.arg(&input))?;
        }
        let output = folder.join(format!("baseline.{ending}"));
        let mut baseline = Command::new(std::env::current_exe()?);
        let alone = run(baseline.arg("baseline").arg(&input).arg(&output))?;
        let parts: Value = serde_json::from_str(&alone.stdout)?;
        std::fs::remove_file(&output)?;

        let policy = folder.join("policy.toml");
        std::fs::write(&policy, synthetic_policy(&input, ending))?;
        let ours = coarsen(&policy, &[])?;
        let made: Value = serde_json::from_str(&ours.stdout)?;
        std::fs::remove_file(folder.join(format!("release.{ending}")))?;
        let part = |of: &Value, name: &str| of[name].as_f64().unwrap_or(f64::NAN);
        println!(
            "| {ending} | {:.1} ({:.1} + {:.1} + {:.1}) | {:.0} | {:.1} ({:.1} + {:.1} + {:.1} + {:.1} + {:.1}) | {:.0} | {:.2} |",
            alone.seconds,
            part(&parts, "group"),
            part(&parts, "write"),
            part(&parts, "read"),
            alone.megabytes,
            ours.seconds,
            part(&made["seconds"], "read"),
            part(&made["seconds"], "count"),
            part(&made["seconds"], "search"),
            part(&made["seconds"], "write"),
            part(&made["seconds"], "audit"),
            ours.megabytes,
            ours.seconds / alone.seconds,
        );
        println!(
            "\n{} combinations in, {} classes out, smallest {}\n",
            parts["combinations"], made["classes"], made["smallest_class"]
        );
    }
    Ok(())
}

fn synthetic_policy(input: &Path, ending: &str) -> String {
    let mut policy = format!(
        "version = 1\ninput = {{ path = {input:?} }}\noutput = {{ path = \"release.{ending}\" }}\n\n[columns]\n"
    );
    let hierarchies = [
        ("age", "intervals = [5, 10, 20]"),
        ("elevel", ""),
        ("car", "intervals = [5, 10]"),
        ("zipcode", "intervals = [5]"),
        ("hyears", "intervals = [5, 10]"),
    ];
    for (name, hierarchy) in hierarchies {
        let hierarchy = match hierarchy {
            "" => String::new(),
            text => format!(", hierarchy = {{ {text} }}"),
        };
        policy +=
            &format!("{name} = {{ role = \"quasi-identifier\", type = \"integer\"{hierarchy} }}\n");
    }
    for name in ["salary", "commission", "hvalue", "loan", "group"] {
        policy += &format!("{name} = {{ role = \"other\" }}\n");
    }
    policy + "\n[privacy]\nk = 10\n\n[search]\nalgorithm = \"datafly\"\n"
}
