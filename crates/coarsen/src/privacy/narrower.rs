//! Narrower quasi-identifiers with a k of their own (seed 002, section 4.1, point 2: several QI_i): every
//! released row shares its values in some columns with at least so many others.
//!
//! Classes that are alike in these columns count together, so no class can be judged alone:
//! [`enforce`](super::enforce) and the audit look at them all. A search that judges one class at a time
//! is on the safe side where the class itself has enough rows.

use rustc_hash::FxHashMap;

use super::{Requirement, RequirementEntry};
use crate::counts::{Class, Classes};
use crate::domain::SUPPRESSED;
use crate::policy::Policy;
use crate::problem::ProblemError;

/// Listed with the others; built by [`narrower`], for only that knows where the columns stand.
pub(super) const ENTRY: RequirementEntry = RequirementEntry {
    name: "quasi-identifiers",
    summary: "every released row shares its values in some of the quasi-identifiers with more others than k - 1",
    formula: "|{rows alike in the columns}| ≥ k of these columns",
    policy: "quasi_identifiers = [{ columns = [\"age\", \"zip\"], k = 20 }]",
    source: "Sweeney 2002, section 4.1",
    build: |_, _| Ok(Vec::new()),
};

/// At least `k` rows share their values in some columns.
#[derive(Clone, Debug)]
struct Narrower {
    names: Vec<String>,
    places: Vec<usize>,
    k: u64,
}

/// The narrower quasi-identifiers that a policy asks for, tied to the quasi-identifiers of a table by
/// name.
pub fn narrower<'n>(
    policy: &Policy,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Vec<Box<dyn Requirement>> {
    let mut built: Vec<Box<dyn Requirement>> = Vec::new();
    for asked in &policy.privacy.quasi_identifiers {
        // A column that is released as its bounds has two names.
        let places = names.clone().enumerate().filter(|(_, name)| {
            asked.columns.iter().any(|column| {
                let rest = name.strip_prefix(column.as_str());
                rest.is_some_and(|rest| ["", "_low", "_high"].contains(&rest))
            })
        });
        built.push(Box::new(Narrower {
            names: asked.columns.clone(),
            places: places.map(|(place, _)| place).collect(),
            k: asked.k,
        }));
    }
    built
}

impl Requirement for Narrower {
    fn text(&self) -> String {
        format!("{}-anonymity in {}", self.k, self.names.join(", "))
    }

    fn holds(&self, class: &Class<'_>, _: &Class<'_>) -> bool {
        class.rows >= self.k
    }

    fn possible(&self, whole: &Class<'_>) -> Result<(), ProblemError> {
        if whole.rows < self.k {
            return Err(ProblemError::Impossible {
                requirement: self.text(),
                reason: format!("the table has only {} rows", whole.rows),
            });
        }
        Ok(())
    }

    fn over(&self) -> Option<(&[usize], u64)> {
        Some((&self.places, self.k))
    }
}

/// The released classes whose values in some columns are shared by too few rows. Where `masked` rows
/// stay, they are `*` in every column.
pub(crate) fn short_over(
    classes: &Classes,
    (places, k): (&[usize], u64),
    masked: u64,
) -> Vec<usize> {
    let key = |class: usize| -> Vec<&str> {
        let labels = places.iter();
        labels
            .map(|column| classes.block(*column, class).label.as_str())
            .collect()
    };
    let mut rows: FxHashMap<Vec<&str>, u64> = FxHashMap::default();
    rows.insert(vec![SUPPRESSED; places.len()], masked);
    for class in classes.released() {
        *rows.entry(key(class)).or_default() += classes.rows()[class];
    }
    let is_short = |class: &usize| rows[&key(*class)] < k;
    classes.released().filter(is_short).collect()
}
