//! The choices of one level a column, and the cheapest of them: what every search over levels shares
//! (seed 002's lattice, seed 004's BHS).
//!
//! Classes are rolled up from finer ones rather than counted anew (`rollup`), rows that stand out at some
//! levels are known to at all finer ones (`walk`), and where nothing may be suppressed costs are known
//! before anything is counted (`sieve`).

mod cursor;
mod nodes;
mod rollup;
mod sieve;
mod walk;

pub(super) use nodes::{Lattice, MOST_NODES};
pub(super) use walk::{Found, Walked};

use self::rollup::Fields;
use self::sieve::sieve;
use self::walk::{Exact, walk};
use super::{Run, SearchError};
use crate::counts::Classes;
use crate::policy::SuppressionMode;
use crate::privacy::enforce;
use crate::problem::Problem;
use crate::recoding::Partitions;

impl Lattice {
    /// Every choice of least cost that meets the requirements.
    pub(super) fn cheapest(&self, problem: &Problem, run: &Run) -> Result<Walked, SearchError> {
        let fields = Fields::of(problem, &self.order);
        let exact = |node: usize| {
            let (classes, suppressed) = enforced(problem, &self.levels(node));
            (suppressed <= problem.suppression.rows).then(|| (problem.cost(&classes), suppressed))
        };
        let is_told = self.is_told(problem);
        if let (true, 0, Some(costs)) = (is_told, problem.suppression.rows, &self.costs) {
            return Ok(sieve(problem, self, costs, run)?);
        }
        let exact: Option<Exact<'_>> = if is_told { None } else { Some(&exact) };
        match fields.width() {
            width if width < u64::BITS => Ok(walk::<u64>(problem, self, &fields, run, exact)?),
            width if width < u128::BITS => Ok(walk::<u128>(problem, self, &fields, run, exact)?),
            width => Err(SearchError::Unfit(format!(
                "the quasi-identifiers' values need {width} bits a row, and the walk over levels packs at most {}; leave some columns out, or choose another algorithm",
                u128::BITS - 1
            ))),
        }
    }

    /// Whether the cost of a choice is told without building its classes: rows below k are all that is
    /// dropped, and the loss adds up over cells.
    pub(super) fn is_told(&self, problem: &Problem) -> bool {
        problem.requirements.iter().all(|r| r.k().is_some())
            && (problem.suppression.mode == SuppressionMode::Drop || problem.suppression.rows == 0)
            && self.costs.is_some()
    }
}

/// The classes at some levels, without those that fall short, and how many rows that takes.
pub(super) fn enforced(problem: &Problem, levels: &[usize]) -> (Classes, u64) {
    let mut classes = Partitions::at_levels(&problem.attributes, levels).classes(&problem.counts);
    let mode = problem.suppression.mode;
    let suppressed = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    (classes, suppressed)
}
