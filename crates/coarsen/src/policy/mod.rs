//! The policy: what to release, from what, how private and how, as one typed value.
//!
//! A policy is written in TOML. [`Policy::parse`] takes its text (never a path: this crate opens no
//! file) and gives back either a policy that was checked as far as it can be without the data, or
//! one [`PolicyError`] that names the key at fault, marks its place and says what to do.
//!
//! ```text
//! text ──► toml::Table ──► + --set ──► Policy ──► check ──► Policy
//!          (syntax)       (overrides)  (read)     (check)
//! ```
//!
//! What needs the data or another table (does the column exist, is there an algorithm of that name,
//! does a tree name a value twice) is checked where those are known; such a check can build a
//! [`PolicyError`] of its own and let [`PolicyError::locate`] find its place.

mod check;
mod columns;
mod error;
mod hierarchy;
mod key;
mod locate;
mod overrides;
mod privacy;
mod quantities;
mod read;
mod settings;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use columns::{Column, Distance, KeySource, Kind, Represent, Role, Scheme, Treatment};
pub use error::{PolicyError, did_you_mean};
pub use hierarchy::{DateUnit, HierarchySpec, Side, TreeSpec};
pub use key::Key;
pub use locate::{locate, locate_key};
pub use overrides::split_override;
pub use privacy::{
    Closeness, Diversity, DiversityMeasure, NarrowerSpec, Privacy, Suppression, SuppressionMode,
};
pub use quantities::{format_bytes, format_duration, parse_bytes, parse_duration};
pub use settings::{
    Apply, Engine, Format, Input, MissingRule, Order, Output, OutputParts, PartRows, ReportKind,
    Sampling, Search, Shortfall, Target, Unseen, Workload,
};

/// The version of the policy's format that this library reads.
pub const VERSION: u32 = 1;

/// What to release, from what, how private and how.
///
/// It serializes to the same keys that it is read from, so a policy can be kept inside a saved
/// recoding. One that was built by hand or read back from JSON is not checked until
/// [`Policy::check`] is called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a policy")]
pub struct Policy {
    /// The version of the format: [`VERSION`].
    pub version: u32,
    /// Where the rows come from.
    pub input: Input,
    /// Where the release goes.
    pub output: Output,
    /// What each column is, by its name.
    #[serde(default)]
    pub columns: BTreeMap<String, Column>,
    /// What every class of the release must meet.
    pub privacy: Privacy,
    /// How many rows may be left out, and how.
    #[serde(default)]
    pub suppression: Suppression,
    /// How to look for the recoding.
    #[serde(default)]
    pub search: Search,
    /// What to do with new rows when the recoding is applied again.
    #[serde(default)]
    pub apply: Apply,
    /// The work that the release is meant for.
    #[serde(default)]
    pub workload: Workload,
    /// What the engine may use.
    #[serde(default)]
    pub engine: Engine,
}

impl Default for Policy {
    /// An empty policy of the current version. It does not pass [`Policy::check`]: it has no
    /// columns and no k, which nobody but the steward can choose.
    fn default() -> Self {
        Policy {
            version: VERSION,
            input: Input::default(),
            output: Output::default(),
            columns: BTreeMap::new(),
            privacy: Privacy::default(),
            suppression: Suppression::default(),
            search: Search::default(),
            apply: Apply::default(),
            workload: Workload::default(),
            engine: Engine::default(),
        }
    }
}

impl Policy {
    /// Reads a policy from TOML text, lays `--set` overrides over it, and checks the whole.
    ///
    /// An override is a dotted key (`privacy.k`, `columns."native country".role`) and a value,
    /// which is read as TOML and, failing that, taken as text.
    ///
    /// # Errors
    /// The first thing that is wrong, with its key, its place in `source` and what to do. A key
    /// that came from an override has no place, and the message says where it came from.
    pub fn parse(source: &str, overrides: &[(String, String)]) -> Result<Policy, PolicyError> {
        let mut table: toml::Table =
            toml::from_str(source).map_err(|error| PolicyError::syntax(&error))?;
        overrides::apply(&mut table, overrides)?;
        // Another version may have other keys, so it is the first thing to look at.
        check::version(table.get("version").and_then(toml::Value::as_integer))
            .map_err(|error| error.locate(source, overrides))?;
        let policy: Policy = read::read(table).map_err(|fault| fault.at(source, overrides))?;
        policy
            .check()
            .map_err(|error| error.locate(source, overrides))?;
        Ok(policy)
    }

    /// Reads a policy from a table of its keys, as another language hands it over, and checks its rules.
    ///
    /// What depends on files may be left out, for the rows may come from memory and go there: the
    /// version, and the paths of input and output, which stay empty.
    ///
    /// # Errors
    /// The first thing that is wrong, with its key.
    pub fn from_table(mut table: toml::Table) -> Result<Policy, PolicyError> {
        let version = toml::Value::Integer(i64::from(VERSION));
        table.entry("version").or_insert(version);
        check::version(table.get("version").and_then(toml::Value::as_integer))?;
        for place in ["input", "output"] {
            let entry = table.entry(place);
            let described = entry.or_insert_with(|| toml::Value::Table(toml::Table::new()));
            if let Some(described) = described.as_table_mut() {
                let empty = toml::Value::String(String::new());
                described.entry("path").or_insert(empty);
            }
        }
        let policy: Policy = read::read(table).map_err(|fault| fault.at("", &[]))?;
        policy.check_rules()?;
        Ok(policy)
    }

    /// Checks everything that the types alone cannot: ranges, references between sections, and keys
    /// that make no sense together.
    ///
    /// # Errors
    /// The first thing that is wrong, with its key but no place.
    pub fn check(&self) -> Result<(), PolicyError> {
        check::check(self)
    }

    /// The same, but for the places of input and output: for rows that come from memory and go there.
    ///
    /// # Errors
    /// As of [`Policy::check`].
    pub fn check_rules(&self) -> Result<(), PolicyError> {
        check::rules(self)
    }

    /// The columns of one role, in the order of their names.
    pub fn columns_with(&self, role: Role) -> impl Iterator<Item = (&str, &Column)> {
        self.columns
            .iter()
            .filter(move |(_, column)| column.role == role)
            .map(|(name, column)| (name.as_str(), column))
    }
}
