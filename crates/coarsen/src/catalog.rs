//! What there is to choose from, as plain data: the tables of algorithms, losses, requirements and
//! schemes in one form, for whoever lists them.

use serde::Serialize;

use crate::loss::LOSSES;
use crate::policy::Scheme;
use crate::privacy::REQUIREMENTS;
use crate::search::ALGORITHMS;

/// One thing to choose.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its name, as in a policy.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: String,
    /// How it is computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<&'static str>,
    /// What to write in a policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// What kind of recoding it makes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub makes: Option<&'static str>,
    /// Its settings with their defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<serde_json::Value>,
    /// Where it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
}

impl Entry {
    /// An entry of which no more is known than its name and what it is.
    pub fn plain(name: &'static str, summary: &str) -> Self {
        Entry {
            name,
            summary: summary.to_string(),
            formula: None,
            policy: None,
            makes: None,
            settings: None,
            source: None,
        }
    }
}

/// The searches.
pub fn algorithms() -> Vec<Entry> {
    let entry = |entry: &crate::search::Algorithm| Entry {
        makes: Some(entry.makes),
        settings: Some((entry.settings)()),
        source: Some(entry.source),
        policy: Some(format!("search.algorithm = \"{}\"", entry.name)),
        ..Entry::plain(entry.name, entry.summary)
    };
    ALGORITHMS.iter().map(entry).collect()
}

/// The losses.
pub fn losses() -> Vec<Entry> {
    let entry = |entry: &crate::loss::LossEntry| Entry {
        formula: Some(entry.formula),
        source: Some(entry.source),
        policy: Some(format!("search.loss = \"{}\"", entry.name)),
        ..Entry::plain(entry.name, entry.summary)
    };
    LOSSES.iter().map(entry).collect()
}

/// The requirements.
pub fn requirements() -> Vec<Entry> {
    let entry = |entry: &crate::privacy::RequirementEntry| Entry {
        formula: Some(entry.formula),
        source: Some(entry.source),
        policy: Some(entry.policy.to_string()),
        ..Entry::plain(entry.name, entry.summary)
    };
    REQUIREMENTS.iter().map(entry).collect()
}

/// The schemes.
pub fn schemes() -> Vec<Entry> {
    let entry = |scheme: &Scheme| Entry {
        policy: Some(format!("scheme = \"{scheme}\"")),
        ..Entry::plain(scheme.word(), scheme.summary())
    };
    Scheme::ALL.iter().map(entry).collect()
}
