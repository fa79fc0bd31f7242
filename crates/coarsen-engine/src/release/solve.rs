//! From a counted table to classes that may be released: the problem, the search, the suppression. A
//! release does this once, a comparison once a point.

use coarsen::counts::Classes;
use coarsen::policy::Policy;
use coarsen::privacy::{enforce, requirements};
use coarsen::problem::{Allowance, Problem};
use coarsen::search::{Outcome, Run};
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
    /// Rows that fall short, where that was accepted.
    pub unproven_rows: Option<u64>,
}

/// The problem that a policy poses of a table.
pub(crate) fn problem_of(policy: &Policy, table: &Table) -> Result<Problem, EngineError> {
    let Table {
        attributes, counts, ..
    } = table;
    let workload = Workload::build(policy, attributes, counts.tallies()).map_err(blame_workload)?;
    let allowance = Allowance::of_share(
        policy.suppression.limit,
        counts.total(),
        policy.suppression.mode,
    );
    let demands = requirements(policy, counts.tallies())?;
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
    let outcome = find_algorithm(policy)?.search(problem, run)?;
    let classes_of = || {
        outcome
            .recoding
            .classes(&problem.attributes, &problem.counts)
    };
    let mut classes = classes_of();
    let allowance = problem.suppression;
    let suppressed = enforce(
        &problem.counts,
        &problem.requirements,
        allowance.mode,
        &mut classes,
    );
    let mut unproven_rows = None;
    if suppressed > allowance.rows {
        if !accepts_unproven(policy) {
            return Err(EngineError::Shortfall(format!(
                "the search left {suppressed} rows to suppress, and the limit allows {}",
                allowance.rows
            )));
        }
        classes = classes_of();
        unproven_rows = Some(suppressed);
    }
    Ok(Solved {
        outcome,
        classes,
        unproven_rows,
    })
}
