//! Chromosomes from other searches (`seed_with`), so that the population starts from what they found. The
//! paper starts from nothing.

use super::genitor::Genitor;
use crate::problem::Problem;
use crate::recoding::Recoding;
use crate::search::{self, Run, SearchError, Step};

/// The names that may be given: every search that makes partitions, and one that says what it finds.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let makes = |algorithm: &&search::Algorithm| {
        algorithm.makes.starts_with("partitions") && algorithm.name != super::ENTRY.name
    };
    let algorithms = search::ALGORITHMS.iter().filter(makes);
    algorithms
        .map(|algorithm| algorithm.name)
        .chain([OPTIMAL_LEVEL])
}

/// The proven optimum of whole levels, which `mingen` finds.
const OPTIMAL_LEVEL: &str = "optimal-level";

/// Runs a search and takes what it found; where it finds nothing, that is noted and no more.
pub(super) fn seed(
    genitor: &mut Genitor<'_>,
    problem: &Problem,
    name: &str,
    run: &Run,
) -> Result<(), SearchError> {
    let algorithm = match name {
        OPTIMAL_LEVEL => "mingen",
        name => name,
    };
    let algorithm = search::find(algorithm).expect("the settings were checked");
    let built = (algorithm.build)(None).expect("every algorithm can be built from its defaults");
    let found = match built.search(problem, run) {
        Ok(outcome) => outcome,
        Err(SearchError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(error) => {
            genitor.trace.push(Step {
                what: format!("{name} gave no seed: {error}"),
                ..Step::default()
            });
            return Ok(());
        }
    };
    if let Recoding::Partitions(partitions) = &found.recoding {
        let bits = genitor.evaluator.space.chromosome(partitions);
        genitor.enter(vec![bits]);
        genitor.note(name);
    }
    Ok(())
}
