//! The figures of an evaluation, under names that stay: what `coarsen evaluate --json` prints.

use serde::Serialize;

use super::Plan;
use super::plan::{Prepared, PreparedTarget};
use super::round::{Measured, Score};
use crate::folds::{Division, Round};
use crate::method::Method;
use crate::models::Model;
use crate::paired::{Paired, mcnemar, paired_t};

/// What came of an evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// How rows were divided.
    pub protocol: Protocol,
    /// What each method found: the policy's, then those that it is held against.
    pub methods: Vec<MethodSummary>,
    /// One for each target, model and number of columns removed.
    pub results: Vec<Outcome>,
    /// How long it took.
    pub seconds: f64,
}

/// How rows were divided.
#[derive(Clone, Debug, Serialize)]
pub struct Protocol {
    /// `folds` or `hold-out`.
    pub division: &'static str,
    /// How many folds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folds: Option<usize>,
    /// How often the division was repeated.
    pub trials: usize,
    /// Where randomness started.
    pub seed: u64,
    /// Rows that a round trains on, on average.
    pub training_rows: f64,
    /// Rows that a round tests on, on average.
    pub test_rows: f64,
    /// The selection that models are restricted to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<String>,
}

/// What a method found, on average over the rounds.
#[derive(Clone, Debug, Serialize)]
pub struct MethodSummary {
    /// What it is called.
    pub name: String,
    /// Its algorithm.
    pub algorithm: String,
    /// Its k.
    pub k: u64,
    /// Classes of the released training rows.
    pub classes: f64,
    /// Training rows that were suppressed.
    pub suppressed_rows: f64,
    /// Test rows with a value that the recoding knows no place for.
    pub unknown_rows: f64,
    /// Losses on the training rows; null where one does not apply.
    pub loss: std::collections::BTreeMap<String, Option<f64>>,
    /// Seconds of a search.
    pub search_seconds: f64,
}

/// A mean over the rounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The mean.
    pub mean: f64,
    /// The standard deviation from round to round; 0 of one round.
    pub spread: f64,
    /// Each round's.
    pub rounds: Vec<f64>,
}

/// How wrong one model was on one target.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The target.
    pub target: String,
    /// `error` (a share of the rows), or `mean_absolute_error`.
    pub measure: &'static str,
    /// The model.
    pub model: &'static str,
    /// Whose code it is.
    pub made_by: &'static str,
    /// The columns that it had to do without, the most predictive first.
    pub removed: Vec<String>,
    /// On released rows.
    pub released: Figure,
    /// On unreleased rows (seed 003's baseline B).
    pub unreleased: Figure,
    /// On rows with everything suppressed (W).
    pub suppressed: Figure,
    /// Beside the other methods, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Against>,
}

/// Another method on the same rounds.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    /// The other method.
    pub method: String,
    /// On rows that it released.
    pub released: Figure,
    /// The first method less this one: below 0, the first is better.
    #[serde(flatten)]
    pub paired: Paired,
}

impl Figure {
    /// The mean and spread of some rounds.
    pub fn of(rounds: Vec<f64>) -> Figure {
        let count = rounds.len() as f64;
        let mean = rounds.iter().sum::<f64>() / count.max(1.0);
        let squares: f64 = rounds.iter().map(|value| (value - mean).powi(2)).sum();
        let spread = match rounds.len() {
            0 | 1 => 0.0,
            _ => (squares / (count - 1.0)).sqrt(),
        };
        Figure {
            mean,
            spread,
            rounds,
        }
    }

    fn of_errors<'a>(errors: impl Iterator<Item = &'a Vec<f64>>) -> Figure {
        Figure::of(errors.map(|errors| mean(errors)).collect())
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

pub(super) fn gather(
    methods: &[Method],
    plan: &Plan,
    prepared: &Prepared,
    rounds: &[Round],
    measured: &[Measured],
) -> Evaluation {
    let average = |of: &dyn Fn(usize) -> f64| {
        (0..rounds.len()).map(of).sum::<f64>() / rounds.len().max(1) as f64
    };
    let summary = |(place, method): (usize, &Method)| {
        let of = |round: usize| &measured[round].methods[place];
        let names = measured.first().map(|m| &m.methods[place].losses);
        let losses = names
            .into_iter()
            .flatten()
            .enumerate()
            .map(|(loss, (name, _))| {
                let each: Option<Vec<f64>> =
                    (0..measured.len()).map(|r| of(r).losses[loss].1).collect();
                (name.replace('-', "_"), each.map(|each| mean(&each)))
            });
        MethodSummary {
            name: method.name.clone(),
            algorithm: method.policy.search.algorithm.clone(),
            k: method.policy.privacy.k,
            classes: average(&|round| of(round).classes as f64),
            suppressed_rows: average(&|round| of(round).suppressed as f64),
            unknown_rows: average(&|round| of(round).unknown as f64),
            loss: losses.collect(),
            search_seconds: average(&|round| of(round).seconds),
        }
    };
    let mut results = Vec::new();
    for target in &prepared.targets {
        for model in &plan.models {
            for removed in 0..=plan.without_best {
                let place = results.len();
                let scores: Vec<&Score> = measured.iter().map(|m| &m.scores[place]).collect();
                results.push(outcome(
                    methods, target, model, removed, &scores, plan, rounds,
                ));
            }
        }
    }
    Evaluation {
        protocol: Protocol {
            division: match plan.division {
                Division::HoldOut => "hold-out",
                Division::Folds(_) => "folds",
            },
            folds: match plan.division {
                Division::HoldOut => None,
                Division::Folds(folds) => Some(folds),
            },
            trials: plan.trials,
            seed: plan.seed,
            training_rows: average(&|round| rounds[round].training.len() as f64),
            test_rows: average(&|round| rounds[round].test.len() as f64),
            selection: plan.selection.clone(),
        },
        methods: methods.iter().enumerate().map(summary).collect(),
        results,
        seconds: 0.0,
    }
}

fn outcome(
    methods: &[Method],
    target: &PreparedTarget,
    model: &Model,
    removed: usize,
    scores: &[&Score],
    plan: &Plan,
    rounds: &[Round],
) -> Outcome {
    let released = |place: usize| Figure::of_errors(scores.iter().map(move |s| &s.methods[place]));
    let others = methods.iter().enumerate().skip(1);
    let against = others.map(|(place, method)| Against {
        method: method.name.clone(),
        released: released(place),
        paired: compare(target, place, scores, plan, rounds),
    });
    Outcome {
        target: target.name.clone(),
        measure: match target.numeric {
            true => "mean_absolute_error",
            false => "error",
        },
        model: model.name,
        made_by: model.made_by,
        removed: target.ranking[..removed]
            .iter()
            .map(|(_, name)| name.clone())
            .collect(),
        released: released(0),
        unreleased: Figure::of_errors(scores.iter().map(|score| &score.unreleased)),
        suppressed: Figure::of_errors(scores.iter().map(|score| &score.suppressed)),
        against: against.collect(),
    }
}

/// The first method and another. Over rounds where there are folds; over the test rows of a hold-out file, whose rounds differ by
/// their seeds only.
fn compare(
    target: &PreparedTarget,
    other: usize,
    scores: &[&Score],
    plan: &Plan,
    rounds: &[Round],
) -> Paired {
    match plan.division {
        Division::Folds(_) => {
            let difference = |score: &&Score| mean(&score.methods[0]) - mean(&score.methods[other]);
            let differences: Vec<f64> = scores.iter().map(difference).collect();
            let overlap = rounds.first().map_or(0.0, |round| {
                round.test.len() as f64 / round.training.len().max(1) as f64
            });
            paired_t(&differences, overlap)
        }
        Division::HoldOut if !target.numeric && scores.len() == 1 => {
            mcnemar(&scores[0].methods[0], &scores[0].methods[other])
        }
        Division::HoldOut => {
            let rows = scores.first().map_or(0, |score| score.methods[0].len());
            let difference = |row: usize| {
                let of = |score: &&Score| score.methods[0][row] - score.methods[other][row];
                scores.iter().map(of).sum::<f64>() / scores.len() as f64
            };
            paired_t(&(0..rows).map(difference).collect::<Vec<f64>>(), 0.0)
        }
    }
}
