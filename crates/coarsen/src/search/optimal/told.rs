//! Where every column stands at one level and the loss adds up over cells (LM, Prec), costs are told
//! before classes are built: the lattice of levels is walked as MinGen walks it (see `search::lattice`).

use super::{ENTRY, none_of};
use crate::domain::scheme::Legal;
use crate::policy::Scheme;
use crate::problem::Problem;
use crate::recoding::{Partitions, Recoding};
use crate::search::lattice::{Lattice, enforced};
use crate::search::{Outcome, Run, SearchError, Step, Stop};

/// The best levels, of equals those that the rule takes (see `ties`); none where the problem is another.
pub(super) fn by_levels(problem: &Problem, run: &Run) -> Result<Option<Outcome>, SearchError> {
    let attributes = &problem.attributes;
    if attributes
        .iter()
        .any(|a| a.settings.scheme != Scheme::Level)
    {
        return Ok(None);
    }
    let lattice = Lattice::of(problem).ok();
    let Some(lattice) = lattice.filter(|lattice| lattice.is_told(problem)) else {
        return Ok(None);
    };
    let count = |product: u128, legal: Legal| product.saturating_mul(legal.count());
    let releases = attributes.iter().map(Legal::new).fold(1, count);
    let releases = super::space::releases(releases);
    let walked = lattice.cheapest(problem, run)?;
    let ties = walked.ties.iter();
    let ranked = ties.map(|found| (found.suppressed, lattice.levels(found.node)));
    let Some((_, levels)) = ranked.min() else {
        return Err(none_of(problem, &releases));
    };
    let (classes, suppressed) = enforced(problem, &levels);
    let cost = problem.cost(&classes);
    Ok(Some(Outcome {
        algorithm: ENTRY.name,
        recoding: Recoding::Partitions(Partitions::at_levels(attributes, &levels)),
        cost,
        stop: if walked.over {
            Stop::Budget
        } else {
            Stop::Optimal
        },
        bound: Some(if walked.over {
            walked.bound.min(cost)
        } else {
            cost
        }),
        trace: vec![Step {
            what: format!("the lattice of levels, of {releases}"),
            short_rows: suppressed,
            tradeoff: None,
        }],
    }))
}
