//! Adult as seed 004 uses it, and the policies for it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::speed::adult_folder;

/// Adult with each age at the lower end of its interval: 17, 22, …, 87.
pub fn intervals(folder: &Path) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(adult_folder()?.join("train.csv"))?;
    let mut lines = text.lines();
    let mut table = format!("{}\n", lines.next().unwrap_or_default());
    for line in lines.filter(|line| !line.is_empty()) {
        let (age, rest) = line
            .split_once(',')
            .ok_or("a row of Adult begins with the age")?;
        let age: i64 = age.trim().parse()?;
        writeln!(table, "{},{rest}", 17 + (age - 17) / 5 * 5)?;
    }
    let path = folder.join("adult.csv");
    std::fs::write(&path, table)?;
    Ok(path)
}

/// A policy for some columns of a table of Adult, all under one scheme.
pub fn policy(
    folder: &Path,
    table: &Path,
    scheme: &str,
    columns: &[&str],
) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let data = adult_folder()?;
    let header = std::fs::read_to_string(table)?;
    let header = header.lines().next().unwrap_or_default();
    let mut policy = format!(
        "version = 1\ninput = {{ path = {table:?} }}\noutput = {{ path = \"release.csv\" }}\n\n[columns]\n"
    );
    for name in header.split(',') {
        if !columns.contains(&name) {
            writeln!(policy, "{name} = {{ role = \"other\" }}")?;
            continue;
        }
        let large = ["age", "education", "native-country"].contains(&name);
        let scheme = if large && scheme == "set" {
            "ordered"
        } else {
            scheme
        };
        let hierarchy = match name {
            "age" => "intervals = [10, 20, 40], origin = 17".to_string(),
            _ => format!(
                "file = {:?}",
                data.join(format!("adult_hierarchy_{name}.csv"))
            ),
        };
        let kind = if name == "age" {
            ", type = \"integer\""
        } else {
            ""
        };
        writeln!(
            policy,
            "{name} = {{ role = \"quasi-identifier\"{kind}, scheme = \"{scheme}\", hierarchy = {{ {hierarchy} }} }}"
        )?;
    }
    policy +=
        "\n[privacy]\nk = 2\n\n[suppression]\nlimit = 1.0\n\n[search]\nalgorithm = \"optimal\"\n";
    let name = table.file_stem().unwrap_or_default().to_string_lossy();
    let path = folder.join(format!("{name}-{scheme}-{}.toml", columns.len()));
    std::fs::write(&path, policy)?;
    Ok(path)
}
