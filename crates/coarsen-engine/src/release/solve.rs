//! From a counted table to classes that may be released: the problem, the search, the suppression. A
//! release does this once, a comparison once a point.

use std::time::Instant;

use coarsen::counts::{Classes, Counts};
use coarsen::domain::Attribute;
use coarsen::policy::Policy;
use coarsen::privacy::{Requirement, enforce, narrower, requirements};
use coarsen::problem::{Allowance, Problem};
use coarsen::search::{Outcome, Run, SampleReport, on_sample};
use coarsen::workload::Workload;

use super::choose::{accepts_unproven, blame_problem, blame_workload, find_algorithm, find_loss};
use crate::EngineError;
use crate::table::Table;

/// What a search found, and what becomes of it.
pub(crate) struct Solved {
    /// The search's own answer.
    pub outcome: Outcome,
    /// Its classes, suppression included.
    pub classes: Classes,
    /// What a search on a sample of the rows came to, where the policy asks for one.
    pub sample: Option<SampleReport>,
    /// Rows that fall short, where that was accepted.
    pub unproven_rows: Option<u64>,
    /// What the search alone took, in seconds.
    pub seconds: f64,
}

/// Everything that a policy requires of a table.
pub(crate) fn demands(
    policy: &Policy,
    attributes: &[Attribute],
    counts: &Counts,
) -> Result<Vec<Box<dyn Requirement>>, EngineError> {
    let mut demands = requirements(policy, counts.tallies())?;
    demands.extend(narrower(policy, attributes.iter().map(|a| a.name.as_str())));
    Ok(demands)
}

/// The problem that a policy poses of a table.
pub(crate) fn problem_of(policy: &Policy, table: &Table) -> Result<Problem, EngineError> {
    let Table {
        attributes, counts, ..
    } = table;
    Workload::check_costs(policy, counts.tallies()).map_err(blame_workload)?;
    let workload = Workload::build(policy, attributes, counts.tallies()).map_err(blame_workload)?;
    let allowance = Allowance::of_share(
        policy.suppression.limit,
        counts.total(),
        policy.suppression.mode,
    );
    let demands = demands(policy, attributes, counts)?;
    let loss = find_loss(policy)?;
    Problem::new(
        attributes.clone(),
        counts.clone(),
        demands,
        allowance,
        loss,
        workload,
    )
    .map_err(blame_problem)
}

/// Searches, and suppresses what falls short.
pub(crate) fn solve(policy: &Policy, problem: &Problem, run: &Run) -> Result<Solved, EngineError> {
    let algorithm = find_algorithm(policy)?;
    let start = Instant::now();
    if let Some(share) = policy.search.sample.filter(|share| *share < 1.0) {
        let (outcome, classes, sample) =
            on_sample(algorithm.as_ref(), problem, policy, share, run)?;
        return Ok(Solved {
            outcome,
            classes,
            sample: Some(sample),
            unproven_rows: None,
            seconds: start.elapsed().as_secs_f64(),
        });
    }
    let outcome = algorithm.search(problem, run)?;
    let seconds = start.elapsed().as_secs_f64();
    let Problem {
        attributes, counts, ..
    } = problem;
    let classes = outcome.recoding.classes(attributes, counts);
    let (classes, unproven_rows) = suppress(policy, problem, classes)?;
    Ok(Solved {
        outcome,
        classes,
        sample: None,
        unproven_rows,
        seconds,
    })
}

/// Suppresses what falls short. Where that is more than the limit allows, and the data holder takes it
/// all the same, nothing is suppressed, and the rows that fall short are counted.
pub(super) fn suppress(
    policy: &Policy,
    problem: &Problem,
    classes: Classes,
) -> Result<(Classes, Option<u64>), EngineError> {
    let allowance = problem.suppression;
    let as_found = accepts_unproven(policy).then(|| classes.clone());
    let mut classes = classes;
    let suppressed = enforce(
        &problem.counts,
        &problem.requirements,
        allowance.mode,
        &mut classes,
    );
    match as_found {
        _ if suppressed <= allowance.rows => Ok((classes, None)),
        Some(as_found) => Ok((as_found, Some(suppressed))),
        None => Err(EngineError::Shortfall(format!(
            "the search left {suppressed} rows to suppress, and the limit allows {}",
            allowance.rows
        ))),
    }
}
