//! What the data holder tells Datafly beside the policy (seed 002, section 4.1, points 1, 3 and 5): which
//! columns are eligible for release, how likely each column of a quasi-identifier is to be used for
//! linking, and how much distortion of it can be borne.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::counts::Classes;
use crate::privacy::short_over;
use crate::problem::Problem;
use crate::search::{SearchError, SettingsError};

/// What a policy may say under `search.datafly`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    /// The columns that may be released at all; where it is empty, every one.
    pub eligible: Vec<String>,
    /// How quasi-identifiers are weighed: one may list all columns, or those of a narrower one.
    pub quasi_identifiers: Vec<Described>,
}

/// How the columns of one quasi-identifier are weighed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Described {
    /// Its columns.
    pub columns: Vec<String>,
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

/// A narrower quasi-identifier by the places of its columns.
struct Quasi<'a> {
    columns: &'a [usize],
    k: u64,
    /// Linking times preference of each column of the table, as this one weighs it.
    weights: Vec<f64>,
}

/// The settings tied to a problem's columns and requirements.
pub(super) struct Demands<'a> {
    narrower: Vec<Quasi<'a>>,
    /// Linking times preference of each column for the whole.
    weights: Vec<f64>,
    /// Whether each column may be released.
    pub eligible: Vec<bool>,
}

impl<'a> Demands<'a> {
    /// Ties names to columns.
    pub fn of(settings: &Settings, problem: &'a Problem) -> Result<Self, SearchError> {
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
        let mut described = Vec::new();
        for quasi in &settings.quasi_identifiers {
            let mut own = vec![1.0; columns];
            let mut places = Vec::new();
            for name in &quasi.columns {
                let column = place(name)?;
                let link = *quasi.linking.get(name).unwrap_or(&1.0);
                let bear = *quasi.preference.get(name).unwrap_or(&1.0);
                let known: &mut Option<f64> = &mut linking[column];
                *known = Some(known.map_or(link, |known| known.max(link)));
                preference[column] = preference[column].min(bear);
                places.push(column);
                own[column] = link * bear;
            }
            places.sort_unstable();
            described.push((places, own));
        }
        let whole = linking.into_iter().zip(preference);
        let whole = whole.map(|(link, bear)| link.unwrap_or(1.0) * bear);
        let weights: Vec<f64> = whole.collect();
        let narrower = problem.requirements.iter().filter_map(|r| r.over());
        let narrower = narrower.map(|(columns, k)| {
            let own = described.iter().find(|(places, _)| places == columns);
            Quasi {
                columns,
                k,
                weights: own.map_or(weights.clone(), |(_, own)| own.clone()),
            }
        });
        Ok(Demands {
            narrower: narrower.collect(),
            weights,
            eligible,
        })
    }

    /// The rows that fall short in each narrower quasi-identifier, before any is suppressed.
    pub fn short(&self, classes: &Classes) -> Vec<u64> {
        let short = |quasi: &Quasi<'_>| {
            let short = short_over(classes, (quasi.columns, quasi.k), 0);
            short.iter().map(|class| classes.rows()[*class]).sum()
        };
        self.narrower.iter().map(short).collect()
    }

    /// How gladly a column is generalized where the whole falls short, or some narrower
    /// quasi-identifiers; none where it is in none of these. 0 is only when nothing else is left.
    pub fn weight(&self, column: usize, short: Option<&[u64]>) -> Option<f64> {
        let Some(short) = short else {
            return Some(self.weights[column]);
        };
        let at_fault = self.narrower.iter().zip(short);
        let at_fault =
            at_fault.filter(|(quasi, short)| **short > 0 && quasi.columns.contains(&column));
        at_fault
            .map(|(quasi, _)| quasi.weights[column])
            .reduce(f64::max)
    }
}
