//! The protocol of seed 001, section 4.1: a method finds its recoding on the training rows, the model
//! is trained on these rows as released and tested on the test rows as the same recoding releases
//! them. Beside it stand the same model on unreleased rows (seed 003's baseline B) and on rows with
//! everything suppressed (W).

mod figures;
mod plan;
mod round;

pub use figures::{Against, Evaluation, Figure, MethodSummary, Outcome, Protocol};
pub use plan::Plan;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rayon::prelude::*;

use crate::error::LearnError;
use crate::folds::rounds;
use crate::method::Method;
use crate::rows::Rows;
use plan::Prepared;

/// Evaluates the first of some methods, and the others beside it.
///
/// # Panics
/// If there is no method.
pub fn evaluate(
    rows: &Rows,
    methods: &[Method],
    plan: &Plan,
    cancel: Option<&AtomicBool>,
) -> Result<Evaluation, LearnError> {
    let start = Instant::now();
    let prepared = Prepared::new(rows, &methods[0], plan)?;
    let divided = rounds(
        rows,
        plan.division,
        plan.trials,
        plan.seed,
        prepared.strata().as_deref(),
    )?;
    let measured: Vec<round::Measured> = divided
        .par_iter()
        .enumerate()
        .map(|(number, round)| {
            round::measure(rows, methods, plan, &prepared, round, number, cancel)
        })
        .collect::<Result<_, _>>()?;
    let mut evaluation = figures::gather(methods, plan, &prepared, &divided, &measured);
    evaluation.seconds = start.elapsed().as_secs_f64();
    Ok(evaluation)
}
