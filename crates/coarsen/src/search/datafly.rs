//! Datafly (seed 002, Fig. 8): generalize the column with the most distinct values, whole column at a
//! time, until few enough rows fall short; suppress those.
//!
//! Departures. The paper stops when at most k rows fall short; here the policy's suppression limit
//! takes the place of that k. A column's weight divides its number of distinct values, so that a
//! column that matters is generalized later. Ties go to the column named first in the table.

use super::{
    Algorithm, Outcome, Progress, Run, Search, SearchError, SettingsError, Step, Stop,
    read_settings,
};
use crate::counts::{Classes, group};
use crate::domain::Attribute;
use crate::privacy::enforce;
use crate::problem::Problem;
use crate::recoding::{Partitions, Recoding};

pub(super) const ENTRY: Algorithm = Algorithm {
    name: "datafly",
    summary: "generalizes the column with the most distinct values until few enough rows stand out, then suppresses those; quick, seldom the best",
    source: "Sweeney 2002, Fig. 8",
    makes: "partitions",
    settings: || serde_json::json!({}),
    build,
};

/// It has no settings yet.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {}

struct Datafly;

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    let Settings {} = read_settings(settings)?;
    Ok(Box::new(Datafly))
}

impl Search for Datafly {
    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        let attributes = &problem.attributes;
        let mut levels = vec![0; attributes.len()];
        let steps: usize = attributes.iter().map(|a| a.hierarchy.height()).sum();
        let mut trace = Vec::new();
        let mut what = "start from the data as they are".to_string();
        loop {
            run.check()?;
            let attempt = attempt(problem, &levels);
            trace.push(Step {
                what,
                short_rows: attempt.short_rows(),
            });
            run.report(Progress {
                done: trace.len() as u64,
                of: Some(steps as u64 + 1),
                cost: None,
            });
            if let Attempt::Enough { classes, .. } = attempt {
                return Ok(Outcome {
                    algorithm: ENTRY.name,
                    cost: problem.cost(&classes),
                    recoding: Recoding::Partitions(Partitions::at_levels(attributes, &levels)),
                    stop: Stop::Complete,
                    bound: None,
                    trace,
                });
            }
            let Some(column) = next_column(problem, &levels) else {
                return Err(SearchError::NoRelease(format!(
                    "even with every column suppressed, {} rows fall short, and {} may be suppressed",
                    trace.last().map_or(0, |step| step.short_rows),
                    problem.suppression.rows
                )));
            };
            levels[column] += 1;
            what = format!(
                "generalize {} to level {} of {}",
                attributes[column].name,
                levels[column],
                attributes[column].hierarchy.height()
            );
        }
    }
}

/// What a choice of levels comes to.
enum Attempt {
    TooMany {
        short_rows: u64,
    },
    Enough {
        short_rows: u64,
        classes: Box<Classes>,
    },
}

impl Attempt {
    fn short_rows(&self) -> u64 {
        match self {
            Attempt::TooMany { short_rows } | Attempt::Enough { short_rows, .. } => *short_rows,
        }
    }
}

/// Counting rows is quick, so classes are built and held against every requirement only where few
/// enough rows are in classes below k.
fn attempt(problem: &Problem, levels: &[usize]) -> Attempt {
    let maps: Vec<&[u32]> = problem
        .attributes
        .iter()
        .zip(levels)
        .map(|(attribute, level)| attribute.hierarchy.level(*level).node_of.as_slice())
        .collect();
    let grouping = group(&problem.counts, &maps);
    let mut rows = vec![0u64; grouping.classes];
    for (class, count) in grouping.class_of.iter().zip(problem.counts.rows()) {
        rows[*class as usize] += count;
    }
    let k = problem.k();
    let short_rows = rows.iter().filter(|rows| **rows < k).sum();
    if short_rows > problem.suppression.rows {
        return Attempt::TooMany { short_rows };
    }
    let mut classes = Partitions::at_levels(&problem.attributes, levels).classes(&problem.counts);
    let short_rows = enforce(
        &problem.counts,
        &problem.requirements,
        problem.suppression.mode,
        &mut classes,
    );
    if short_rows > problem.suppression.rows {
        return Attempt::TooMany { short_rows };
    }
    Attempt::Enough {
        short_rows,
        classes: Box::new(classes),
    }
}

/// The column with the most distinct values for its weight that can still be generalized.
fn next_column(problem: &Problem, levels: &[usize]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (column, attribute) in problem.attributes.iter().enumerate() {
        if levels[column] == attribute.hierarchy.height() {
            continue;
        }
        let distinct = distinct_values(problem, column, attribute, levels[column]);
        let score = distinct as f64 / attribute.settings.weight;
        if best.is_none_or(|(_, most)| score > most) {
            best = Some((column, score));
        }
    }
    best.map(|(column, _)| column)
}

fn distinct_values(problem: &Problem, column: usize, attribute: &Attribute, level: usize) -> usize {
    let level = attribute.hierarchy.level(level);
    let mut seen = vec![false; level.nodes.len()];
    for code in problem.counts.codes(column) {
        seen[level.node_of[*code as usize] as usize] = true;
    }
    seen.into_iter().filter(|seen| *seen).count()
}
