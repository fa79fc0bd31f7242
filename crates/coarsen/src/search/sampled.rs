//! Any search on a sample of the rows, whose outcome is applied to all of them (seed 000, section 6).
//!
//! The paper does not say what becomes of k. A class that has k rows in the table has about k times the
//! share in a sample, so that is what the sample is searched for first; where the whole table then falls
//! short by more rows than may be suppressed, the sample is searched again for a larger k, half as large
//! again each time. Requirements beyond k are the same for the sample.

use serde::Serialize;

use super::{Outcome, Run, Search, SearchError};
use crate::counts::Classes;
use crate::policy::{Policy, Sampling, Unseen};
use crate::privacy::{enforce, requirements};
use crate::problem::{Allowance, Problem, ProblemError};
use crate::recoding::{Recoding, SavedRecoding};

/// How often the sample is searched at most.
const TRIES: usize = 12;

/// What a sample cost, and what its recoding costs the whole.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SampleReport {
    /// The share that was asked for.
    pub share: f64,
    /// How it was drawn.
    pub sampling: Sampling,
    /// The rows that were drawn.
    pub rows: u64,
    /// Their distinct combinations.
    pub combinations: u64,
    /// The k that the sample was searched for.
    pub k: u64,
    /// The cost on the sample, under the loss that is searched for.
    pub cost: f64,
    /// The cost of the same recoding on all rows.
    pub cost_of_all: f64,
}

/// Searches a sample of a problem's rows and holds what is found against all of them. The outcome's cost is
/// that of all rows; the classes are as `enforce` leaves them.
///
/// # Errors
/// As the search itself, and where no k of the sample leads to a release of the whole.
pub fn on_sample(
    search: &dyn Search,
    problem: &Problem,
    policy: &Policy,
    share: f64,
    run: &Run,
) -> Result<(Outcome, Classes, SampleReport), SearchError> {
    let sampling = policy.search.sampling;
    let counts = problem.counts.sample(share, sampling, run.seed);
    let rows = counts.total();
    let impossible = |error: ProblemError| {
        SearchError::NoRelease(format!(
            "a sample of {rows} rows cannot be searched: {error}; raise search.sample"
        ))
    };
    // Two rows at the least, or nothing would be coarsened.
    let mut k = ((problem.k() as f64 * share).ceil() as u64).clamp(problem.k().min(2), problem.k());
    let mut short = 0;
    for _ in 0..TRIES {
        let mut asked = policy.clone();
        asked.privacy.k = k;
        let demands = requirements(&asked, counts.tallies()).map_err(impossible)?;
        let limit = problem.suppression.rows as f64 / problem.counts.total().max(1) as f64;
        let sample = Problem::new(
            problem.attributes.clone(),
            counts.clone(),
            demands,
            Allowance::of_share(limit, rows, problem.suppression.mode),
            problem.loss,
            problem.workload.clone(),
        )
        .map_err(impossible)?;
        let outcome = search.search(&sample, run)?;
        let mut classes = classes_of(problem, policy, &outcome.recoding)?;
        let mode = problem.suppression.mode;
        let suppressed = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
        if suppressed <= problem.suppression.rows {
            let cost_of_all = problem.cost(&classes);
            let report = SampleReport {
                share,
                sampling,
                rows,
                combinations: counts.combinations() as u64,
                k,
                cost: outcome.cost,
                cost_of_all,
            };
            let outcome = Outcome {
                cost: cost_of_all,
                // What holds for the sample is no bound for the whole.
                bound: None,
                stop: match outcome.stop {
                    super::Stop::Optimal => super::Stop::Complete,
                    stop => stop,
                },
                ..outcome
            };
            return Ok((outcome, classes, report));
        }
        short = suppressed;
        k = (k + k.div_ceil(2)).min(rows);
    }
    Err(SearchError::NoRelease(format!(
        "what was found on a sample of {rows} rows leaves {short} of all rows to suppress, and {} may be; raise search.sample or the suppression limit",
        problem.suppression.rows
    )))
}

/// The classes of all rows. A region fits tightly around the sample's rows, so it is widened as for rows
/// that are new.
fn classes_of(
    problem: &Problem,
    policy: &Policy,
    recoding: &Recoding,
) -> Result<Classes, SearchError> {
    match recoding {
        Recoding::Partitions(partitions) => Ok(partitions.classes(&problem.counts)),
        Recoding::Regions(_) => {
            let saved = SavedRecoding::new(recoding, &problem.attributes, policy);
            let bound = saved.bind(&problem.attributes, &problem.counts, Unseen::Suppress);
            Ok(bound.expect("values never seen are suppressed").classes)
        }
        Recoding::Cells(_) => Err(SearchError::Unfit(
            "this search recodes each row by itself, which says nothing about rows outside a sample; remove search.sample or choose another algorithm".into(),
        )),
    }
}
