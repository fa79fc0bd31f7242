//! The requirements: k, and the thresholds and columns of the others.

use super::{both, fail, positive, role_of, share};
use crate::policy::{DiversityMeasure, Key, Kind, Policy, PolicyError, Role};

/// Checks k and every requirement beside it.
pub(super) fn check(policy: &Policy) -> Result<(), PolicyError> {
    let privacy = &policy.privacy;
    let section = Key::of(["privacy"]);
    let key = section.then("k");
    let alone = privacy.diversity.is_empty() && privacy.closeness.is_empty();
    match privacy.k {
        0 => {
            return fail(
                &key,
                "k is 0; every row must hide among at least 1.",
                "Write 2 or more; 5 to 15 are usual.",
            );
        }
        1 if alone => {
            return fail(
                &key,
                "k is 1 and nothing else is required, which protects nobody.",
                "Write 2 or more, or add a requirement under `diversity` or `closeness`.",
            );
        }
        _ => {}
    }
    for (index, diversity) in privacy.diversity.iter().enumerate() {
        let entry = section.then("diversity").then(index);
        guarded(policy, &entry, &diversity.column)?;
        measure(policy, &entry, &diversity.column, diversity.measure)?;
    }
    for (index, closeness) in privacy.closeness.iter().enumerate() {
        let entry = section.then("closeness").then(index);
        guarded(policy, &entry, &closeness.column)?;
        share(&entry.then("t"), closeness.t)?;
    }
    for (index, narrower) in privacy.quasi_identifiers.iter().enumerate() {
        let entry = section.then("quasi_identifiers").then(index);
        if narrower.columns.is_empty() {
            let key = entry.then("columns");
            return fail(
                &key,
                format!("`{key}` is empty."),
                "Name the columns that people are looked up by.",
            );
        }
        for (place, column) in narrower.columns.iter().enumerate() {
            let key = entry.then("columns").then(place);
            let role = role_of(policy, &key, column)?;
            if role != Role::QuasiIdentifier {
                return fail(
                    &key,
                    format!("`{key}` names `{column}`, whose role is {role}."),
                    "Name columns with role = \"quasi-identifier\" only.",
                );
            }
        }
        if narrower.k <= privacy.k {
            let key = entry.then("k");
            return fail(
                &key,
                format!(
                    "`{key}` is {}, and all columns together ask for {} already.",
                    narrower.k, privacy.k
                ),
                "Write a larger one, or leave this quasi-identifier out.",
            );
        }
    }
    Ok(())
}

/// The thresholds of a measure of diversity.
fn measure(
    policy: &Policy,
    entry: &Key,
    column: &str,
    measure: DiversityMeasure,
) -> Result<(), PolicyError> {
    let key = entry.then(measure.key());
    let at_least_one = "Write 2 or more; 1 requires nothing.";
    match measure {
        DiversityMeasure::Distinct { l: 0 } => fail(
            &key,
            format!("`{key}` is 0; it must be at least 1."),
            at_least_one,
        ),
        DiversityMeasure::Entropy { l } if !(l >= 1.0 && l.is_finite()) => fail(
            &key,
            format!("`{key}` is {l}; it must be at least 1."),
            at_least_one,
        ),
        DiversityMeasure::Recursive { l: 0, .. } => {
            let key = key.then("l");
            fail(
                &key,
                format!("`{key}` is 0; it must be at least 1."),
                at_least_one,
            )
        }
        DiversityMeasure::Recursive { c, .. } => {
            positive(&key.then("c"), c, "Write a factor such as 2.0.")
        }
        DiversityMeasure::SquaredError { error } => {
            positive(
                &key,
                error,
                "Write the least sum of squares, such as 100.0.",
            )?;
            match policy.columns.get(column).and_then(|column| column.kind) {
                Some(kind @ (Kind::Text | Kind::Boolean)) => fail(
                    &key,
                    format!("`{key}` needs numbers, but `{column}` is of type {kind}."),
                    "Use `distinct`, `entropy` or `recursive` for such a column.",
                ),
                _ => Ok(()),
            }
        }
        DiversityMeasure::Distinct { .. } | DiversityMeasure::Entropy { .. } => Ok(()),
    }
}

/// A requirement's column: it is there, and sensitive.
fn guarded(policy: &Policy, entry: &Key, column: &str) -> Result<(), PolicyError> {
    let key = entry.then("column");
    match role_of(policy, &key, column)? {
        Role::Sensitive => Ok(()),
        Role::Target => both(&key, column),
        role => fail(
            &key,
            format!("`{key}` names `{column}`, whose role is {role}; it must be sensitive."),
            format!("Give `{column}` the role \"sensitive\", or name another column."),
        ),
    }
}
