//! One round: every method, model and target on one division of the rows.

use std::sync::atomic::AtomicBool;

use super::Plan;
use super::plan::{Prepared, PreparedTarget};
use crate::encode::{Encoded, unreleased};
use crate::error::LearnError;
use crate::features::{Features, Target};
use crate::folds::Round;
use crate::method::{Found, Method};
use crate::models::Model;
use crate::rows::Rows;

/// What one round measured.
pub(super) struct Measured {
    /// For each method what it found.
    pub methods: Vec<Summary>,
    /// For each target, each model and each number of columns removed, in that order.
    pub scores: Vec<Score>,
}

pub(super) struct Summary {
    pub classes: usize,
    pub suppressed: usize,
    pub unknown: usize,
    pub seconds: f64,
    pub losses: Vec<(&'static str, Option<f64>)>,
}

/// The errors on each test row.
pub(super) struct Score {
    /// Of each method.
    pub methods: Vec<Vec<f64>>,
    pub unreleased: Vec<f64>,
    pub suppressed: Vec<f64>,
}

/// Rows to train and to test on, as one model sees them.
struct Pair {
    training: Encoded,
    /// The training rows, by their number in the table.
    trained: Vec<u32>,
    test: Encoded,
}

pub(super) fn measure(
    rows: &Rows,
    methods: &[Method],
    plan: &Plan,
    prepared: &Prepared,
    round: &Round,
    number: usize,
    cancel: Option<&AtomicBool>,
) -> Result<Measured, LearnError> {
    let tested = tested(prepared, round)?;
    let mut summaries = Vec::new();
    let mut pairs = Vec::new();
    for method in methods {
        let mut method = method.clone();
        // A search that draws at random draws anew in every trial.
        method.policy.search.seed = method.policy.search.seed.wrapping_add(round.trial as u64);
        let found = method.find(rows, &round.training, number + 1, cancel)?;
        summaries.push(Summary {
            classes: found.classes,
            suppressed: found.suppressed.iter().filter(|s| **s).count(),
            unknown: found.unknown_rows(rows, &tested),
            seconds: found.seconds,
            losses: found.losses.clone(),
        });
        pairs.push(released(rows, prepared, round, &tested, &found)?);
    }
    let kept: Vec<u32> = match &prepared.selection {
        None => round.training.clone(),
        Some(asked) => picked(&round.training, |row| asked.satisfied[row as usize]),
    };
    let before = Pair {
        training: unreleased(rows, &kept),
        trained: kept,
        test: unreleased(rows, &tested),
    };
    let mut scores = Vec::new();
    for target in &prepared.targets {
        for model in &plan.models {
            for removed in 0..=plan.without_best {
                let removed: Vec<usize> = target.ranking[..removed]
                    .iter()
                    .map(|(place, _)| *place)
                    .collect();
                let task = Task {
                    target,
                    model,
                    removed: &removed,
                    tested: &tested,
                    seed: plan.seed.wrapping_add(round.trial as u64),
                };
                scores.push(Score {
                    methods: pairs.iter().map(|pair| task.errors(pair)).collect(),
                    unreleased: task.errors(&before),
                    suppressed: task.errors(&Pair {
                        training: nothing(before.trained.len()),
                        trained: before.trained.clone(),
                        test: nothing(tested.len()),
                    }),
                });
            }
        }
    }
    Ok(Measured {
        methods: summaries,
        scores,
    })
}

fn nothing(rows: usize) -> Encoded {
    Encoded {
        rows,
        columns: Vec::new(),
    }
}

fn picked(rows: &[u32], test: impl Fn(u32) -> bool) -> Vec<u32> {
    rows.iter().copied().filter(|row| test(*row)).collect()
}

/// The rows that are tested: those that truly satisfy the selection, whatever a release shows of them,
/// so that every method answers for the same people.
fn tested(prepared: &Prepared, round: &Round) -> Result<Vec<u32>, LearnError> {
    let tested = match &prepared.selection {
        None => round.test.clone(),
        Some(asked) => picked(&round.test, |row| asked.satisfied[row as usize]),
    };
    match tested.is_empty() {
        true => Err(no_rows("test")),
        false => Ok(tested),
    }
}

fn no_rows(part: &str) -> LearnError {
    LearnError::unfit(
        format!("No {part} row is left to a round."),
        "choose a wider selection, fewer folds, or a larger test file",
    )
}

/// A method's view. Whoever receives the release takes every row that may satisfy the selection.
fn released(
    rows: &Rows,
    prepared: &Prepared,
    round: &Round,
    tested: &[u32],
    found: &Found,
) -> Result<Pair, LearnError> {
    let overlaps = match &prepared.selection {
        None => vec![true; round.training.len()],
        Some(asked) => found.overlaps(rows, &round.training, &asked.wanted),
    };
    let keeps = |place: usize| {
        let is_there = found.masks || !found.suppressed[place];
        is_there && (overlaps[place] || found.suppressed[place])
    };
    let places: Vec<usize> = (0..round.training.len()).filter(|p| keeps(*p)).collect();
    if places.is_empty() {
        return Err(no_rows("training"));
    }
    let trained: Vec<u32> = places.iter().map(|place| round.training[*place]).collect();
    let hidden: Vec<bool> = places
        .iter()
        .map(|place| found.suppressed[*place])
        .collect();
    Ok(Pair {
        training: found.encode(rows, &trained, Some(&hidden)),
        trained,
        test: found.encode(rows, tested, None),
    })
}

/// One model on one target without some columns.
struct Task<'a> {
    target: &'a PreparedTarget,
    model: &'a Model,
    removed: &'a [usize],
    tested: &'a [u32],
    seed: u64,
}

impl Task<'_> {
    /// How wrong it is on each test row whose target is known.
    fn errors(&self, pair: &Pair) -> Vec<f64> {
        let (training, truth) = self.known(&pair.training, &pair.trained);
        let (test, wanted) = self.known(&pair.test, self.tested);
        let fit = self
            .model
            .fit_for(self.target.numeric)
            .expect("the plan was checked: the model fits the target");
        if truth.is_empty() {
            // Nothing to learn from: every answer is wrong, a number by all of itself.
            return match &wanted {
                Target::Labels { codes, .. } => vec![1.0; codes.len()],
                Target::Numbers(numbers) => numbers.iter().map(|n| n.abs()).collect(),
            };
        }
        wanted.errors(&fit(&training, &truth, self.seed).predict(&test))
    }

    fn known(&self, encoded: &Encoded, rows: &[u32]) -> (Features, Target) {
        let features = encoded.without(self.removed);
        let places: Vec<u32> = (0..rows.len() as u32)
            .filter(|place| self.target.known[rows[*place as usize] as usize])
            .collect();
        let known: Vec<u32> = places.iter().map(|place| rows[*place as usize]).collect();
        let features = match places.len() == rows.len() {
            true => features,
            false => features.pick(&places),
        };
        (features, self.target.values.pick(&known))
    }
}
