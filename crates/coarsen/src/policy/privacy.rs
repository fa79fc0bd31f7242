//! What every class of the release must meet, and how many rows may be left out to meet it.

use serde::{Deserialize, Serialize};

use super::error::listed;
use super::words::words;

/// The requirements, each of which holds for every class of the release.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { k = 5 }")]
pub struct Privacy {
    /// How many rows a class has at least. A policy must give it; the default, 0, passes no check.
    pub k: u64,
    /// How varied the sensitive values of a class are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diversity: Vec<Diversity>,
    /// How near to the whole table's the sensitive values of a class are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closeness: Vec<Closeness>,
    /// Some quasi-identifiers by themselves, which ask for more rows than all together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quasi_identifiers: Vec<NarrowerSpec>,
}

/// Some quasi-identifiers that ask for more rows than all together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { columns = [\"age\", \"zip\"], k = 20 }"
)]
pub struct NarrowerSpec {
    /// Their names.
    pub columns: Vec<String>,
    /// How many rows must share their values in these columns.
    pub k: u64,
}

/// How varied one sensitive column is in every class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawDiversity", into = "RawDiversity")]
pub struct Diversity {
    /// The sensitive column.
    pub column: String,
    /// The measure and its threshold.
    pub measure: DiversityMeasure,
}

/// A measure of l-diversity and its threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DiversityMeasure {
    /// `distinct = 3`: at least l distinct values.
    Distinct {
        /// The number of distinct values.
        l: u64,
    },
    /// `entropy = 3.0`: an entropy of at least ln l.
    Entropy {
        /// The number of equally frequent values that have this entropy.
        l: f64,
    },
    /// `recursive = { c = 2.0, l = 3 }`: the most frequent value is rarer than c times the l-th
    /// and all later ones together.
    Recursive {
        /// The factor.
        c: f64,
        /// The rank from which the rarer values count.
        l: u64,
    },
    /// `squared_error = 100.0`: numbers whose squared distances from their mean add up to so much.
    SquaredError {
        /// The least sum.
        error: f64,
    },
}

impl DiversityMeasure {
    /// The keys that choose a measure, one of which is given.
    pub const KEYS: &'static [&'static str] =
        &["distinct", "entropy", "recursive", "squared_error"];

    /// The key that chooses this measure.
    pub const fn key(&self) -> &'static str {
        match self {
            DiversityMeasure::Distinct { .. } => "distinct",
            DiversityMeasure::Entropy { .. } => "entropy",
            DiversityMeasure::Recursive { .. } => "recursive",
            DiversityMeasure::SquaredError { .. } => "squared_error",
        }
    }
}

/// How near one sensitive column is in every class to the whole table: t-closeness.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { column = \"disease\", t = 0.2 }"
)]
pub struct Closeness {
    /// The sensitive column.
    pub column: String,
    /// The greatest distance, from 0 (all classes alike) to 1 (no requirement).
    pub t: f64,
}

/// How many rows may be left out, and what becomes of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a table such as { limit = 0.05 }"
)]
pub struct Suppression {
    /// The greatest share of the rows, from 0 (forbidden) to 1.
    pub limit: f64,
    /// What becomes of a suppressed row.
    pub mode: SuppressionMode,
}

impl Default for Suppression {
    /// No row may be suppressed.
    fn default() -> Self {
        Suppression {
            limit: 0.0,
            mode: SuppressionMode::Drop,
        }
    }
}

words! {
    /// What becomes of a suppressed row.
    SuppressionMode {
        Drop "drop" "The row is left out.",
        Mask "mask" "The row stays and its quasi-identifiers become *; all such rows are one class.",
    }
}

/// [`Diversity`] as it is written: the column, and the measure by its key.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { column = \"disease\", distinct = 3 }"
)]
struct RawDiversity {
    column: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distinct: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entropy: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recursive: Option<RawRecursive>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    squared_error: Option<f64>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { c = 2.0, l = 3 }")]
struct RawRecursive {
    c: f64,
    l: u64,
}

impl TryFrom<RawDiversity> for Diversity {
    type Error = String;

    // A second line is the error's help: see `read`.
    fn try_from(raw: RawDiversity) -> Result<Self, String> {
        let measures = [
            raw.distinct.map(|l| DiversityMeasure::Distinct { l }),
            raw.entropy.map(|l| DiversityMeasure::Entropy { l }),
            raw.recursive
                .map(|RawRecursive { c, l }| DiversityMeasure::Recursive { c, l }),
            raw.squared_error
                .map(|error| DiversityMeasure::SquaredError { error }),
        ];
        let given: Vec<DiversityMeasure> = measures.into_iter().flatten().collect();
        match given[..] {
            [measure] => Ok(Diversity {
                column: raw.column,
                measure,
            }),
            [] => Err(format!(
                "The diversity of `{}` does not say how it is measured.\n\
                 Give one of {}.",
                raw.column,
                listed(DiversityMeasure::KEYS, "or")
            )),
            _ => {
                let keys: Vec<&str> = given.iter().map(DiversityMeasure::key).collect();
                Err(format!(
                    "The diversity of `{}` is measured in more than one way: {}.\n\
                     Keep one here; to require several, give each an entry of its own.",
                    raw.column,
                    listed(&keys, "and")
                ))
            }
        }
    }
}

impl From<Diversity> for RawDiversity {
    fn from(diversity: Diversity) -> Self {
        let mut raw = RawDiversity {
            column: diversity.column,
            ..RawDiversity::default()
        };
        match diversity.measure {
            DiversityMeasure::Distinct { l } => raw.distinct = Some(l),
            DiversityMeasure::Entropy { l } => raw.entropy = Some(l),
            DiversityMeasure::Recursive { c, l } => raw.recursive = Some(RawRecursive { c, l }),
            DiversityMeasure::SquaredError { error } => raw.squared_error = Some(error),
        }
        raw
    }
}
