//! Ways out of a local optimum, which the paper's conclusion plans (seed 003, section 7): randomized
//! restarts, and simulated annealing. Both keep the cheapest release by the problem's loss, the greedy
//! one among them, and give the same for the same seed.
//!
//! The randomized variant multiplies every I(G) by a random factor at every choice. The annealed one
//! gives each column a factor, walks greedily under these, and lets the factors wander: a worse
//! release is accepted as the next start with a probability that falls as the runs go by.

use serde::{Deserialize, Serialize};

use super::super::{Outcome, Progress, Run, SearchError, Stop};
use super::walk::walk;
use super::{Settings, Start};
use crate::problem::Problem;
use crate::synthetic::Random;

/// Greedy, or shaken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Variant {
    /// The best generalization at every step, once.
    #[default]
    Greedy,
    /// Several walks with random factors at every choice.
    Randomized,
    /// Several walks whose factors wander from one to the next.
    Annealed,
}

/// Runs the variant that the settings name.
pub(super) fn search(
    settings: &Settings,
    problem: &Problem,
    run: &Run,
) -> Result<Outcome, SearchError> {
    let start = Start::new(settings, problem);
    let mut best = walk(&start, run, &mut |_| 1.0)?;
    if settings.variant == Variant::Greedy {
        return Ok(best);
    }
    let mut random = Random::new(run.seed);
    let mut factors = vec![0.0; problem.attributes.len()];
    let mut current = best.cost;
    for done in 0..settings.tries {
        if run.is_over() {
            best.stop = Stop::Budget;
            break;
        }
        let left = 1.0 - f64::from(done) / f64::from(settings.tries);
        let found = match settings.variant {
            Variant::Greedy => break,
            Variant::Randomized => walk(&start, run, &mut |_| {
                (settings.temperature * normal(&mut random)).exp()
            })?,
            Variant::Annealed => {
                let tried: Vec<f64> = factors
                    .iter()
                    .map(|factor| factor + settings.temperature * normal(&mut random))
                    .collect();
                let found = walk(&start, run, &mut |column| tried[column].exp())?;
                // A tenth worse is taken e⁻¹ of the time at first, and less and less.
                let worse = (found.cost - current) / (0.1 * best.cost.abs().max(1e-9) * left);
                if worse <= 0.0 || random.chance((-worse).exp()) {
                    (factors, current) = (tried, found.cost);
                }
                found
            }
        };
        if found.cost < best.cost {
            best = found;
        }
        run.report(Progress {
            done: u64::from(done) + 1,
            of: Some(u64::from(settings.tries)),
            cost: Some(best.cost),
        });
    }
    Ok(best)
}

/// A draw from about the normal distribution: twelve even ones added up.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
}
