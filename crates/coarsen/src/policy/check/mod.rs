//! What the types alone cannot hold: ranges, references between sections, and keys that make no
//! sense together. The sections around; a column by itself and the requirements are files of their
//! own.

mod column;
mod privacy;

use std::collections::BTreeSet;

use super::error::{PolicyError, suggestion};
use super::key::Key;
use super::{OutputParts, PartRows, Policy, Role, Target, VERSION};

/// Fails with a message and advice at a key.
fn fail<T>(
    key: &Key,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Result<T, PolicyError> {
    Err(PolicyError::new(key, message).with_help(help))
}

/// Checks the whole policy, section by section.
pub(super) fn check(policy: &Policy) -> Result<(), PolicyError> {
    version(Some(i64::from(policy.version)))?;
    files(policy)?;
    rules(policy)
}

/// Checks all of it but where rows come from and go to.
pub(super) fn rules(policy: &Policy) -> Result<(), PolicyError> {
    version(Some(i64::from(policy.version)))?;
    columns(policy)?;
    privacy::check(policy)?;
    share(&Key::of(["suppression", "limit"]), policy.suppression.limit)?;
    search(policy)?;
    workload(policy)?;
    if policy.engine.memory == Some(0) {
        return fail(
            &Key::of(["engine", "memory"]),
            "The engine cannot work in 0 bytes of memory.",
            "Give it a size such as \"2GB\", or remove the key.",
        );
    }
    Ok(())
}

/// Checks the version, if it is there and a number; reading says so where it is not.
pub(super) fn version(version: Option<i64>) -> Result<(), PolicyError> {
    match version {
        Some(found) if found != i64::from(VERSION) => fail(
            &Key::of(["version"]),
            format!("This policy is of version {found}; this program reads version {VERSION}."),
            format!("Write `version = {VERSION}`, or use a program that reads version {found}."),
        ),
        _ => Ok(()),
    }
}

/// A share from 0 to 1.
fn share(key: &Key, value: f64) -> Result<(), PolicyError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    let help = if value > 1.0 && value <= 100.0 {
        format!("It is a share, not a percentage: write {}.", value / 100.0)
    } else {
        "It is a share: write a number from 0 to 1, such as 0.05.".to_owned()
    };
    fail(
        key,
        format!("`{key}` is {value}; it must be from 0 to 1."),
        help,
    )
}

/// A finite number above zero.
fn positive(key: &Key, value: f64, help: &str) -> Result<(), PolicyError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    fail(
        key,
        format!("`{key}` is {value}; it must be above 0."),
        help,
    )
}

fn files(policy: &Policy) -> Result<(), PolicyError> {
    let (input, output) = (&policy.input, &policy.output);
    let manifest = output.manifest_path();
    let files = [
        (Key::of(["input", "path"]), Some(&input.path)),
        (Key::of(["output", "path"]), Some(&output.path)),
        (Key::of(["output", "recoding"]), output.recoding.as_ref()),
        (Key::of(["output", "report"]), output.report.as_ref()),
        (Key::of(["output", "manifest"]), manifest.as_ref()),
    ];
    let mut seen: Vec<(&Key, &String)> = Vec::new();
    for (key, path) in &files {
        let Some(path) = path else { continue };
        if path.trim().is_empty() {
            return fail(
                key,
                format!("`{key}` is empty."),
                "Give it the name of a file.",
            );
        }
        if let Some((other, _)) = seen.iter().find(|(_, taken)| taken == path) {
            return fail(
                key,
                format!("`{key}` and `{other}` are the same file, {path}."),
                "Give each a file of its own: one would overwrite the other.",
            );
        }
        seen.push((key, path));
    }
    if let Some(OutputParts::Files(0) | OutputParts::Rows(PartRows { rows: 0 })) = output.parts {
        return fail(
            &Key::of(["output", "parts"]),
            "A release cannot be written in parts of nothing.",
            "Write a number of files such as 8, or { rows = 1000000 }; or remove the key.",
        );
    }
    match input.delimiter {
        Some(delimiter) if !delimiter.is_ascii() || "\"\r\n".contains(delimiter) => fail(
            &Key::of(["input", "delimiter"]),
            format!("{delimiter:?} cannot separate the cells of a CSV file."),
            "Use a comma, a semicolon, a tab (\"\\t\") or another ASCII character; or remove the \
             key, and it is found.",
        ),
        _ => Ok(()),
    }
}

fn columns(policy: &Policy) -> Result<(), PolicyError> {
    let key = Key::of(["columns"]);
    if policy.columns.is_empty() {
        return fail(
            &key,
            "The policy describes no columns.",
            "Add a section [columns] with a line for each column of the input; `coarsen init` \
             writes one.",
        );
    }
    for (name, column) in &policy.columns {
        column::check(&key.then(name), name, column)?;
    }
    if policy.columns_with(Role::QuasiIdentifier).next().is_none() {
        return fail(
            &key,
            "No column is a quasi-identifier, so there is nothing to coarsen.",
            "Give `role = \"quasi-identifier\"` to the columns by which somebody could recognize a \
             person, such as age, sex and place.",
        );
    }
    Ok(())
}

/// Seed 001 (LeFevre, DeWitt and Ramakrishnan), section 2.1, disallows the two together.
fn both(key: &Key, column: &str) -> Result<(), PolicyError> {
    fail(
        key,
        format!(
            "`{column}` would be both a target and sensitive, and a column cannot be both: a target \
             should be predicted well from the quasi-identifiers, and a sensitive value should not \
             (LeFevre et al., Workload-Aware Anonymization, section 2.1)."
        ),
        format!("Decide which one `{column}` is, and take it out of the other place."),
    )
}

fn role_of(policy: &Policy, key: &Key, column: &str) -> Result<Role, PolicyError> {
    match policy.columns.get(column) {
        Some(found) => Ok(found.role),
        None => {
            let names: Vec<&str> = policy.columns.keys().map(String::as_str).collect();
            fail(
                key,
                format!("`{key}` names `{column}`, which is not in [columns]."),
                suggestion(column, &names),
            )
        }
    }
}

fn search(policy: &Policy) -> Result<(), PolicyError> {
    let search = &policy.search;
    let section = Key::of(["search"]);
    if search.threads == Some(0) {
        return fail(
            &section.then("threads"),
            "A search cannot run on 0 threads.",
            "Write 1 or more, or remove the key to use all cores.",
        );
    }
    if let Some(sample) = search.sample {
        let key = section.then("sample");
        share(&key, sample)?;
        positive(
            &key,
            sample,
            "Write a share such as 0.1, or remove the key.",
        )?;
    }
    if search.budget.is_some_and(|budget| budget.is_zero()) {
        return fail(
            &section.then("budget"),
            "A search cannot run for no time at all.",
            "Write a time such as \"30s\", or remove the key.",
        );
    }
    Ok(())
}

/// What it costs to take labels for others: numbers from 0, and nothing for a label taken for itself.
fn costs(section: &Key, target: &Target) -> Result<(), PolicyError> {
    for (label, row) in &target.costs {
        for (taken_for, cost) in row {
            let key = section.then(label).then(taken_for);
            if !(cost.is_finite() && *cost >= 0.0) {
                return fail(
                    &key,
                    format!("`{key}` is {cost}; a cost must be at least 0."),
                    "Write a number such as 5, or remove the pair: it then costs 1.",
                );
            }
            if label == taken_for && *cost != 0.0 {
                return fail(
                    &key,
                    format!("`{key}` is {cost}, but to take a label for itself costs nothing."),
                    "Remove it.",
                );
            }
        }
    }
    Ok(())
}

fn workload(policy: &Policy) -> Result<(), PolicyError> {
    let section = Key::of(["workload"]);
    let mut seen = BTreeSet::new();
    for (index, target) in policy.workload.targets.iter().enumerate() {
        let entry = section.then("targets").then(index);
        let (key, column) = (entry.then("column"), &target.column);
        match role_of(policy, &key, column)? {
            Role::Target => {}
            Role::Sensitive => return both(&key, column),
            role => {
                return fail(
                    &key,
                    format!("`{key}` names `{column}`, whose role is {role}; it must be target."),
                    format!("Give `{column}` the role \"target\", or name another column."),
                );
            }
        }
        if !seen.insert(column) {
            return fail(
                &key,
                format!("`{column}` is a target twice."),
                "Keep one of the two, with the weight that it should have.",
            );
        }
        positive(
            &entry.then("weight"),
            target.weight,
            "Write a number above 0, or remove the target.",
        )?;
        costs(&entry.then("costs"), target)?;
    }
    for (index, selection) in policy.workload.selections.iter().enumerate() {
        if selection.trim().is_empty() {
            return fail(
                &section.then("selections").then(index),
                "A selection is empty.",
                "Write a condition such as \"age > 40 and sex = 'Male'\", or remove it.",
            );
        }
    }
    Ok(())
}
