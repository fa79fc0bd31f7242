//! What the data holder tells Datafly beside the policy (seed 002, section 4.1, points 1 to 5): which
//! columns are eligible for release, several quasi-identifiers each with a k of its own, how likely
//! each column is to be used for linking, and how much distortion of it can be borne.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::counts::Classes;
use crate::policy::SuppressionMode;
use crate::problem::Problem;
use crate::search::{SearchError, SettingsError};

/// What a policy may say under `search.datafly`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    /// The columns that may be released at all; where it is empty, every one.
    pub eligible: Vec<String>,
    /// Quasi-identifiers among the columns, beside the whole.
    pub quasi_identifiers: Vec<Described>,
}

/// One quasi-identifier.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Described {
    /// Its columns.
    pub columns: Vec<String>,
    /// How many rows must share their values in these columns; where it is not given, the policy's k.
    pub k: Option<u64>,
    /// How likely a column is to be used for linking, from 0 to 1; 1 where it is not given.
    #[serde(default)]
    pub linking: BTreeMap<String, f64>,
    /// How much distortion of a column can be borne, from 0 (leave it alone) to 1; 1 where it is not
    /// given.
    #[serde(default)]
    pub preference: BTreeMap<String, f64>,
}

impl Settings {
    /// Refuses weights that are none.
    pub fn check(&self) -> Result<(), SettingsError> {
        for quasi in &self.quasi_identifiers {
            for (column, weight) in quasi.linking.iter().chain(&quasi.preference) {
                if !(0.0..=1.0).contains(weight) {
                    let message = format!(
                        "the weight of `{column}` is {weight}; linking and preference weights go from 0 to 1"
                    );
                    return Err(SettingsError { message });
                }
                if !quasi.columns.contains(column) {
                    let message = format!(
                        "`{column}` has a weight in a quasi-identifier that does not list it; add it to the columns there"
                    );
                    return Err(SettingsError { message });
                }
            }
        }
        Ok(())
    }
}

/// A quasi-identifier by the places of its columns.
struct Quasi {
    columns: Vec<usize>,
    k: u64,
    /// Linking times preference, a column.
    weights: Vec<f64>,
}

/// The settings tied to a problem's columns.
pub(super) struct Demands {
    quasi: Vec<Quasi>,
    /// Linking times preference of each column for the whole.
    weights: Vec<f64>,
    /// Whether each column may be released.
    pub eligible: Vec<bool>,
}

impl Demands {
    /// Ties names to columns.
    pub fn of(settings: &Settings, problem: &Problem) -> Result<Self, SearchError> {
        let place = |name: &String| {
            let mut columns = problem.attributes.iter();
            columns.position(|a| a.name == *name).ok_or_else(|| {
                SearchError::Unfit(format!(
                    "search.datafly names `{name}`, which is no quasi-identifier; name columns with role = \"quasi-identifier\" only"
                ))
            })
        };
        let columns = problem.attributes.len();
        let mut eligible = vec![settings.eligible.is_empty(); columns];
        for name in &settings.eligible {
            eligible[place(name)?] = true;
        }
        let (mut linking, mut preference) = (vec![None; columns], vec![1.0f64; columns]);
        let mut quasi = Vec::new();
        for described in &settings.quasi_identifiers {
            let k = described.k.unwrap_or_else(|| problem.k());
            if k > problem.counts.total() {
                return Err(SearchError::Unfit(format!(
                    "a quasi-identifier of search.datafly asks for k = {k}, but the table has only {} rows; choose a k of at most that",
                    problem.counts.total()
                )));
            }
            let mut weights = Vec::new();
            let mut places = Vec::new();
            for name in &described.columns {
                let column = place(name)?;
                let link = *described.linking.get(name).unwrap_or(&1.0);
                let bear = *described.preference.get(name).unwrap_or(&1.0);
                let known: &mut Option<f64> = &mut linking[column];
                *known = Some(known.map_or(link, |known| known.max(link)));
                preference[column] = preference[column].min(bear);
                places.push(column);
                weights.push(link * bear);
            }
            quasi.push(Quasi {
                columns: places,
                k,
                weights,
            });
        }
        let whole = linking.into_iter().zip(preference);
        let weights = whole.map(|(link, bear)| link.unwrap_or(1.0) * bear);
        Ok(Demands {
            quasi,
            weights: weights.collect(),
            eligible,
        })
    }

    /// The rows of a release that fall short in each quasi-identifier. Rows are not suppressed for
    /// these: what is left short is generalized.
    pub fn short(&self, problem: &Problem, classes: &Classes) -> Vec<u64> {
        let masks = problem.suppression.mode == SuppressionMode::Mask;
        let short = |quasi: &Quasi| {
            let mut rows: FxHashMap<Vec<Option<u32>>, u64> = FxHashMap::default();
            for class in 0..classes.len() {
                let hidden = classes.is_suppressed(class);
                if hidden && !masks {
                    continue;
                }
                let shown = quasi.columns.iter().map(|column| {
                    let is_star = hidden || classes.block(*column, class).is_suppressed();
                    (!is_star).then(|| classes.block_of(*column)[class])
                });
                *rows.entry(shown.collect()).or_default() += classes.rows()[class];
            }
            rows.values().filter(|rows| **rows < quasi.k).sum()
        };
        self.quasi.iter().map(short).collect()
    }

    /// How gladly a column is generalized, where the whole or some quasi-identifiers fall short: 0 is
    /// only when nothing else is left.
    pub fn weight(&self, column: usize, whole: bool, short: &[u64]) -> Option<f64> {
        let of_whole = whole.then_some(self.weights[column]);
        let of_parts = self
            .quasi
            .iter()
            .zip(short)
            .filter(|(_, short)| **short > 0);
        let of_parts = of_parts.filter_map(|(quasi, _)| {
            let place = quasi.columns.iter().position(|c| *c == column)?;
            Some(quasi.weights[place])
        });
        of_whole.into_iter().chain(of_parts).reduce(f64::max)
    }
}
