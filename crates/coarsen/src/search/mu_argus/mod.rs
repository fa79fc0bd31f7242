//! μ-Argus as seed 002 reconstructs it (Fig. 11): generalize each column until its values are frequent
//! enough, look at a few columns together, and suppress single cells of the rows that stand out there.
//!
//! It looks at some combinations only, so it may fail to protect. Rows that still fall short are
//! suppressed whole up to the policy's limit; beyond it the search ends without a release, unless the
//! data holder accepts an unproven one. Steps 4 and 5, the data holder's choice, are a list of columns to
//! generalize one level each while outliers remain, and after it, where that is asked for, a question
//! to whoever runs the search. Departure: ties in step 6, which the paper leaves open, go to the most
//! identifying column and then to the first of the table.

mod combinations;
mod freq;

use serde::Deserialize;

use self::combinations::{Degree, tested};
use self::freq::Freq;
use super::{
    Algorithm, Chooser, Generalizable, Outcome, Outlying, Question, Run, Search, SearchError,
    SettingsError, Step, Stop, per_combination, read_settings,
};
use crate::counts::Counts;
use crate::domain::Attribute;
use crate::privacy::enforce;
use crate::problem::Problem;
use crate::recoding::Recoding;

pub(super) const ENTRY: Algorithm = Algorithm {
    name: "mu-argus",
    summary: "generalizes until each value is frequent, then suppresses single cells of rows that stand out in a few columns together; may fail to protect, and then says so",
    source: "Sweeney 2002, Fig. 11",
    makes: "cells",
    settings: || {
        serde_json::json!({
            "identifying": [], "more": [], "most": [], "combinations": 3, "list": "all",
            "generalize": [], "ask": false, "accept_unproven": false,
        })
    },
    build,
};

/// Which combinations of columns are tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum List {
    /// All up to the size that is set.
    #[default]
    All,
    /// Those of Fig. 12, which the actual program tests.
    #[serde(rename = "figure-12")]
    Figure12,
}

/// What a policy may say under `search.mu-argus`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    identifying: Vec<String>,
    more: Vec<String>,
    /// Columns that are in no list are held to be most identifying.
    most: Vec<String>,
    /// How many columns are looked at together at most.
    combinations: usize,
    list: List,
    /// The data holder's choice in step 4: columns to generalize by a level while outliers remain.
    generalize: Vec<String>,
    /// Whether to ask, while outliers remain after that, which column to generalize next.
    ask: bool,
    /// Whether to hand over what does not protect.
    accept_unproven: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            identifying: Vec::new(),
            more: Vec::new(),
            most: Vec::new(),
            combinations: 3,
            list: List::All,
            generalize: Vec::new(),
            ask: false,
            accept_unproven: false,
        }
    }
}

struct MuArgus {
    settings: Settings,
}

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    let settings: Settings = read_settings(settings)?;
    if settings.combinations < 2 {
        let message = "combinations must be at least 2: single values are made frequent anyway";
        return Err(SettingsError {
            message: message.into(),
        });
    }
    Ok(Box::new(MuArgus { settings }))
}

impl Search for MuArgus {
    fn memory(&self, problem: &Problem) -> u64 {
        per_combination(problem, 100, 130)
    }

    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        let (attributes, k) = (&problem.attributes, problem.k());
        let degrees = self.degrees(problem)?;
        let mut choices = Vec::new();
        for name in &self.settings.generalize {
            choices.push(place(problem, name)?);
        }
        let chooser = match (self.settings.ask, run.chooser) {
            (true, None) => {
                return Err(SearchError::Unfit(
                    "search.mu-argus.ask = true asks the data holder which column to generalize, and there is nobody to ask: run it on a terminal, or list the columns under search.mu-argus.generalize and leave `ask` out".into(),
                ));
            }
            (true, chooser) => chooser,
            (false, _) => None,
        };
        let mut trace = Vec::new();

        // Step 2: every value of every column has k rows.
        let mut levels = vec![0; attributes.len()];
        for (column, attribute) in attributes.iter().enumerate() {
            while levels[column] < attribute.hierarchy.height()
                && rarest(&problem.counts, column, attribute, levels[column]) < k
            {
                levels[column] += 1;
            }
            if levels[column] > 0 {
                trace.push(raised(attribute, levels[column], "each value has k rows"));
            }
        }

        // Steps 3 to 5.
        let figure_12 = self.settings.list == List::Figure12;
        let sets = tested(&degrees, self.settings.combinations, figure_12);
        let mut choices = choices.into_iter();
        let freq = loop {
            let freq = Freq::at(problem, &levels).with_outliers(&sets, k, run)?;
            if !freq.has_outliers() {
                break freq;
            }
            let listed = choices.find(|c| levels[*c] < attributes[*c].hierarchy.height());
            let chosen = listed
                .or_else(|| chooser.and_then(|ask| asked(problem, &freq, &sets, &levels, ask)));
            let Some(column) = chosen else {
                break freq;
            };
            run.check()?;
            levels[column] += 1;
            trace.push(raised(&attributes[column], levels[column], "as chosen"));
        };
        freq.tell_outliers(attributes, &sets, &mut trace);

        // Step 6.
        let recoding = freq.suppress(problem, &levels, &sets, &degrees, &mut trace);
        self.finish(problem, Recoding::Cells(recoding), trace)
    }
}

impl MuArgus {
    fn degrees(&self, problem: &Problem) -> Result<Vec<Degree>, SearchError> {
        let mut degrees = vec![None; problem.attributes.len()];
        let lists = [
            (&self.settings.identifying, Degree::Identifying),
            (&self.settings.more, Degree::More),
            (&self.settings.most, Degree::Most),
        ];
        for (names, degree) in lists {
            for name in names {
                let known = &mut degrees[place(problem, name)?];
                if known.replace(degree).is_some() {
                    return Err(SearchError::Unfit(format!(
                        "search.mu-argus lists `{name}` twice; a column is identifying, more or most, not two of them"
                    )));
                }
            }
        }
        let degrees = degrees.into_iter();
        Ok(degrees.map(|d| d.unwrap_or(Degree::Most)).collect())
    }

    /// Holds the result against the requirement, which μ-Argus itself does not.
    fn finish(
        &self,
        problem: &Problem,
        recoding: Recoding,
        trace: Vec<Step>,
    ) -> Result<Outcome, SearchError> {
        let mut classes = recoding.classes(&problem.attributes, &problem.counts);
        let unique = classes.rows().iter().filter(|rows| **rows == 1).count() as u64;
        let mode = problem.suppression.mode;
        let short = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
        if short > problem.suppression.rows {
            if !self.settings.accept_unproven {
                return Err(SearchError::Unproven {
                    algorithm: ENTRY.name,
                    short,
                    unique,
                    allowed: problem.suppression.rows,
                    help: format!(
                        "look at more columns together (search.mu-argus.combinations = {}), generalize some (search.mu-argus.generalize), allow more suppression, or take mingen; --accept-unproven writes it as it is",
                        problem.attributes.len()
                    ),
                });
            }
            classes = recoding.classes(&problem.attributes, &problem.counts);
        }
        Ok(Outcome {
            algorithm: ENTRY.name,
            cost: problem.cost(&classes),
            recoding,
            stop: Stop::Complete,
            bound: None,
            trace,
        })
    }
}

/// Step 4 as a question: a column with values in outliers that can still be generalized, or none.
fn asked(
    problem: &Problem,
    freq: &Freq,
    sets: &[Vec<usize>],
    levels: &[usize],
    chooser: Chooser<'_>,
) -> Option<usize> {
    let rows_of = freq.outlying(sets);
    let name = |column: &usize| problem.attributes[*column].name.clone();
    let hit = || sets.iter().zip(&rows_of).filter(|(_, rows)| **rows > 0);
    let (mut columns, mut places) = (Vec::new(), Vec::new());
    for (column, attribute) in problem.attributes.iter().enumerate() {
        let combinations = hit().filter(|(set, _)| set.contains(&column)).count();
        let height = attribute.hierarchy.height();
        if combinations > 0 && levels[column] < height {
            places.push(column);
            columns.push(Generalizable {
                column: attribute.name.clone(),
                level: levels[column],
                height,
                combinations,
            });
        }
    }
    if columns.is_empty() {
        return None;
    }
    let outlying = hit().map(|(set, rows)| Outlying {
        columns: set.iter().map(name).collect(),
        rows: *rows,
    });
    let question = Question {
        rows: freq.outlying_rows(),
        outlying: outlying.collect(),
        columns,
    };
    chooser(&question).and_then(|place| places.get(place).copied())
}

fn place(problem: &Problem, name: &str) -> Result<usize, SearchError> {
    let mut columns = problem.attributes.iter();
    columns.position(|a| a.name == name).ok_or_else(|| {
        SearchError::Unfit(format!(
            "search.mu-argus names `{name}`, which is no quasi-identifier; name columns with role = \"quasi-identifier\" only"
        ))
    })
}

/// The rows of the rarest value of a column at a level.
fn rarest(counts: &Counts, column: usize, attribute: &Attribute, level: usize) -> u64 {
    let level = attribute.hierarchy.level(level);
    let mut rows = vec![0; level.nodes.len()];
    for (code, count) in counts.codes(column).iter().zip(counts.rows()) {
        rows[level.node_of[*code as usize] as usize] += count;
    }
    rows.into_iter().filter(|rows| *rows > 0).min().unwrap_or(0)
}

fn raised(attribute: &Attribute, level: usize, why: &str) -> Step {
    let (name, height) = (&attribute.name, attribute.hierarchy.height());
    Step {
        what: format!("generalize {name} to level {level} of {height}: {why}"),
        ..Step::default()
    }
}
