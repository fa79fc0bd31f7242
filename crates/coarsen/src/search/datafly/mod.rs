//! Datafly (seed 002, Fig. 8): generalize the column with the most distinct values, whole column at a
//! time, until few enough rows fall short; suppress those.
//!
//! Departures. The paper stops when at most k rows fall short; here the policy's suppression limit
//! takes the place of that k. A column's weight divides its number of distinct values, so that a
//! column that matters is generalized later; linking and preference weights multiply it. Ties go to
//! the column named first in the table. The policy's k holds over all quasi-identifiers together; where
//! narrower ones with a k of their own fall short and the whole does not, one of their columns is
//! generalized. Rows are suppressed for each of them. Which rows are eligible, the input says.

mod quasi;

use self::quasi::{Demands, Settings};
use super::{
    Algorithm, Outcome, Progress, Run, Search, SearchError, SettingsError, Step, Stop,
    per_combination, read_settings,
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
    settings: || serde_json::json!({ "eligible": [], "quasi_identifiers": [] }),
    build,
};

#[derive(Default)]
struct Datafly {
    settings: Settings,
}

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    let settings: Settings = read_settings(settings)?;
    settings.check()?;
    Ok(Box::new(Datafly { settings }))
}

impl Search for Datafly {
    fn memory(&self, problem: &Problem) -> u64 {
        per_combination(problem, 80, 0)
    }

    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        let demands = Demands::of(&self.settings, problem)?;
        let attributes = &problem.attributes;
        // A column that is not eligible is not released: it stands at the top from the start.
        let mut levels: Vec<usize> = (attributes.iter().zip(&demands.eligible))
            .map(|(a, eligible)| if *eligible { 0 } else { a.hierarchy.height() })
            .collect();
        let steps: usize = attributes.iter().map(|a| a.hierarchy.height()).sum();
        let mut trace = Vec::new();
        let mut what = "start from the data as they are".to_string();
        loop {
            run.check()?;
            let attempt = attempt(problem, &demands, &levels);
            trace.push(Step {
                what,
                short_rows: attempt.short_rows,
                ..Step::default()
            });
            run.report(Progress {
                done: trace.len() as u64,
                of: Some(steps as u64 + 1),
                cost: None,
            });
            if let Some(classes) = attempt.enough {
                return Ok(Outcome {
                    algorithm: ENTRY.name,
                    cost: problem.cost(&classes),
                    recoding: Recoding::Partitions(Partitions::at_levels(attributes, &levels)),
                    stop: Stop::Complete,
                    bound: None,
                    trace,
                });
            }
            let at_fault = attempt.short_parts.as_deref();
            let Some(column) = next_column(problem, &demands, &levels, at_fault) else {
                return Err(SearchError::NoRelease(format!(
                    "even with every column suppressed, {} rows fall short, and {} may be suppressed",
                    attempt.short_rows, problem.suppression.rows
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
struct Attempt {
    /// The rows that fall short.
    short_rows: u64,
    /// Its classes, where few enough do.
    enough: Option<Classes>,
    /// The rows that fall short in each narrower quasi-identifier, where that is all that is wrong.
    short_parts: Option<Vec<u64>>,
}

/// Counting rows is quick, so classes are built and held against every requirement only where few
/// enough rows are in classes below k.
fn attempt(problem: &Problem, demands: &Demands<'_>, levels: &[usize]) -> Attempt {
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
        return Attempt {
            short_rows,
            enough: None,
            short_parts: None,
        };
    }
    let mut classes = Partitions::at_levels(&problem.attributes, levels).classes(&problem.counts);
    let short_parts = demands.short(&classes);
    let short_rows = enforce(
        &problem.counts,
        &problem.requirements,
        problem.suppression.mode,
        &mut classes,
    );
    Attempt {
        short_rows,
        enough: (short_rows <= problem.suppression.rows).then_some(classes),
        short_parts: short_parts
            .iter()
            .any(|rows| *rows > 0)
            .then_some(short_parts),
    }
}

/// The column with the most distinct values for its weights that can still be generalized; where only
/// narrower quasi-identifiers fall short, one of theirs.
fn next_column(
    problem: &Problem,
    demands: &Demands<'_>,
    levels: &[usize],
    short: Option<&[u64]>,
) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (column, attribute) in problem.attributes.iter().enumerate() {
        if levels[column] == attribute.hierarchy.height() {
            continue;
        }
        let Some(weight) = demands.weight(column, short) else {
            continue;
        };
        let distinct = distinct_values(problem, column, attribute, levels[column]);
        let score = distinct as f64 * weight / attribute.settings.weight;
        if best.is_none_or(|(_, most)| score > most) {
            best = Some((column, score));
        }
    }
    match (best, short) {
        // Their columns all stand at the top, so that something else is wrong.
        (None, Some(_)) => next_column(problem, demands, levels, None),
        (best, _) => best.map(|(column, _)| column),
    }
}

fn distinct_values(problem: &Problem, column: usize, attribute: &Attribute, level: usize) -> usize {
    let level = attribute.hierarchy.level(level);
    let mut seen = vec![false; level.nodes.len()];
    for code in problem.counts.codes(column) {
        seen[level.node_of[*code as usize] as usize] = true;
    }
    seen.into_iter().filter(|seen| *seen).count()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::counts::{Counts, Entries};
    use crate::domain::hierarchy::{Description, RawColumn, build};
    use crate::domain::{AttributeSettings, Value};
    use crate::policy::{Policy, SuppressionMode};
    use crate::privacy::requirements;
    use crate::problem::Allowance;
    use crate::workload::Workload;

    /// Columns of letters with weights, one cell a row; a letter climbs straight to `*`.
    fn problem(columns: &[(&str, &str, f64)], k: u64, suppressed: u64) -> Problem {
        let (mut attributes, mut entries) = (Vec::new(), Entries::default());
        for (name, letters, weight) in columns {
            let cells: Vec<Option<Value>> = letters
                .chars()
                .map(|letter| Some(Value::Text(letter.into())))
                .collect();
            let rows = vec![1; cells.len()];
            let column = RawColumn {
                name,
                cells: &cells,
                rows: &rows,
            };
            let built = build(column, Description::default()).unwrap();
            entries.codes.push(built.code_of);
            entries.rows = rows;
            let settings = AttributeSettings {
                weight: *weight,
                ..AttributeSettings::default()
            };
            attributes.push(Attribute {
                name: name.to_string(),
                domain: built.domain,
                hierarchy: built.hierarchy,
                settings,
            });
        }
        let counts = Counts::build(entries, Vec::new()).0;
        let mut policy = Policy::default();
        policy.privacy.k = k;
        let requirements = requirements(&policy, &[]).unwrap();
        let allowance = Allowance {
            rows: suppressed,
            mode: SuppressionMode::Drop,
        };
        let lm = crate::loss::find("lm").unwrap();
        let workload = Workload::default();
        Problem::new(attributes, counts, requirements, allowance, lm, workload).unwrap()
    }

    fn steps(problem: &Problem) -> Vec<(String, u64)> {
        let outcome = Datafly::default().search(problem, &Run::new(0)).unwrap();
        let step = |step: Step| (step.what, step.short_rows);
        outcome.trace.into_iter().map(step).collect()
    }

    fn first_generalized(problem: &Problem) -> String {
        let (what, _) = steps(problem)[1].clone();
        what.split(' ').nth(1).unwrap().to_string()
    }

    #[test]
    fn the_column_with_the_most_values_for_its_weight_goes_first() {
        assert_eq!(
            first_generalized(&problem(&[("x", "aabb", 1.0), ("y", "abcd", 1.0)], 2, 0)),
            "y"
        );
        // 4 values at weight 3 are fewer than 2 at weight 1.
        assert_eq!(
            first_generalized(&problem(&[("x", "abab", 1.0), ("y", "abcd", 3.0)], 2, 0)),
            "x"
        );
        // A tie goes to the column named first.
        assert_eq!(
            first_generalized(&problem(&[("y", "abcd", 1.0), ("x", "abcd", 1.0)], 2, 0)),
            "y"
        );
    }

    #[test]
    fn what_is_good_enough_stays_as_it_is() {
        let start = "start from the data as they are".to_string();
        assert_eq!(
            steps(&problem(&[("x", "aabb", 1.0)], 2, 0)),
            [(start.clone(), 0)]
        );
        // One row may be suppressed, and one stands out.
        assert_eq!(steps(&problem(&[("x", "aabbc", 1.0)], 2, 1)), [(start, 1)]);
    }

    #[test]
    fn every_column_may_end_at_the_top() {
        let problem = problem(&[("x", "abc", 1.0), ("y", "cba", 1.0)], 3, 0);
        let outcome = Datafly::default().search(&problem, &Run::new(0)).unwrap();
        let top = Partitions::at_levels(&problem.attributes, &[1, 1]);
        assert_eq!(outcome.recoding, Recoding::Partitions(top));
        assert_eq!(outcome.cost, 1.0);
    }

    #[test]
    fn it_tells_its_progress_and_can_be_cancelled() {
        let problem = problem(&[("x", "abc", 1.0), ("y", "cba", 1.0)], 3, 0);
        let heard = Mutex::new(Vec::new());
        let listen = |progress: Progress| heard.lock().unwrap().push((progress.done, progress.of));
        let run = Run::new(0).with_progress(&listen);
        Datafly::default().search(&problem, &run).unwrap();
        assert_eq!(
            *heard.lock().unwrap(),
            [1, 2, 3].map(|done| (done, Some(3)))
        );

        let cancelled = AtomicBool::new(true);
        let run = Run::new(0).with_cancel(&cancelled);
        let stopped = Datafly::default().search(&problem, &run).err();
        assert_eq!(
            stopped,
            Some(SearchError::Cancelled(crate::search::Cancelled))
        );
    }
}
