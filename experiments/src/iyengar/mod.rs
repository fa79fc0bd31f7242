//! Seed 000, section 5, beside ours: the genetic search on Adult for LM and for CM over k, what the other
//! single-dimensional searches lose, what a recoding found on the training rows loses on the test rows
//! (Figs. 11 and 12), and how wrong a tree is after each. Then a million synthetic rows.
//!
//! Age and education are ordered numbers, the other six columns have our taxonomies of the sizes that seed
//! 003 gives. The paper's own figures cannot be read from the seed, but for the time: 18 hours.

mod errors;
mod metrics;
mod reuse;
mod rows;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::measure::Taken;
use crate::report::Findings;
use crate::speed::{adult_folder, coarsen};
use crate::{Done, Fallible, taxonomies};

/// Every k of the comparison.
pub const KS: [u64; 6] = [10, 25, 50, 100, 250, 500];
const LOSSES: [&str; 2] = ["lm", "cm"];

/// What is to be measured.
pub struct Asked {
    pub iterations: u64,
    pub limit: f64,
    pub rows: u64,
    pub ks: &'static [u64],
    pub only: Option<String>,
    pub out: Option<PathBuf>,
}

/// One release in figures.
struct Made {
    losses: [f64; 2],
    suppressed: u64,
    search: f64,
    taken: Taken,
}

const HEAD: &str = "# The genetic search on Adult, and on a million rows

Made by `COARSEN_DATA=… cargo run --release -p experiments -- iyengar --out experiments/iyengar`. Adult's training
rows (30,162), eight quasi-identifiers: age and education as ordered numbers, the rest by [our
taxonomies](../taxonomies/README.md). The paper's own figures cannot be read from its scan, but for one: 500,000
iterations took 18 hours. CPU s are of all threads together, reading and writing included.
";

/// All tables, printed, and written with the plots to a folder where one is given.
pub fn run(asked: &Asked) -> Done {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let mut findings = Findings::default();
    let wanted = |part: &str| asked.only.as_deref().is_none_or(|only| only == part);
    if wanted("metrics") {
        findings.table(metrics::over_k(asked, folder)?);
    }
    if wanted("reuse") {
        reuse::over_k(asked, folder, &mut findings)?;
    }
    if wanted("errors") {
        findings.table(errors::over_k(asked, folder)?);
    }
    if wanted("rows") && asked.rows > 0 {
        findings.table(rows::many(asked.rows, folder)?);
    }
    match &asked.out {
        Some(out) => findings.write(out, HEAD),
        None => Ok(()),
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn losses_of(made: &Value) -> [f64; 2] {
    LOSSES.map(|name| number(&made["loss"][name]))
}

fn search(policy: &Path, set: &[String]) -> Fallible<Made> {
    let taken = coarsen(policy, set)?;
    let made: Value = serde_json::from_str(&taken.stdout)?;
    Ok(Made {
        losses: losses_of(&made),
        suppressed: made["suppressed_rows"].as_u64().unwrap_or_default(),
        search: number(&made["seconds"]["search"]),
        taken,
    })
}

/// The settings of one search.
fn settings(k: u64, algorithm: &str, loss: &str) -> Vec<String> {
    vec![
        format!("privacy.k={k}"),
        format!("search.algorithm={algorithm}"),
        format!("search.loss={loss}"),
    ]
}

/// The settings of a genetic search that breeds all its children.
fn genetic(k: u64, loss: &str, iterations: u64) -> Vec<String> {
    let mut set = settings(k, "genetic", loss);
    set.push(format!("search.genetic.iterations={iterations}"));
    set.push("search.genetic.stagnation=0".into());
    set
}

/// Adult's eight quasi-identifiers as the paper has them.
fn policy(folder: &Path, limit: f64) -> Fallible<PathBuf> {
    let ordered = |hierarchy: &str| {
        format!(
            "role = \"quasi-identifier\", type = \"integer\", scheme = \"ordered\", hierarchy = {{ {hierarchy} }}"
        )
    };
    let (age, education) = (
        ordered("intervals = [5, 10, 20, 40], origin = 15"),
        ordered("intervals = [2, 4, 8], origin = 1"),
    );
    let own = [
        ("age", age.as_str()),
        ("education-num", education.as_str()),
        ("education", "role = \"other\""),
    ];
    let mut text = taxonomies::policy(&adult_folder()?.join("train.csv"), &own);
    write!(
        text,
        "\n[privacy]\nk = 10\n\n[suppression]\nlimit = {limit}\n\n[search]\nalgorithm = \"genetic\"\n"
    )?;
    let path = folder.join("policy.toml");
    std::fs::write(&path, text)?;
    Ok(path)
}
