//! A first best release (seed 004, section 4.4.1), so that much can be pruned from the start.
//!
//! The paper takes the best of some random nodes. Here each random node is improved: one column after
//! the other is solved for what the others have, until none gets better. The coarsest release is always
//! tried, for if it does not meet the requirements few others do.

use super::column::View;
use super::space::{Release, Space};
use super::sums::Possible;
use crate::search::{Run, SearchError};
use crate::synthetic::Random;

/// Prices of a suppressed row, in what it costs, that are tried where the rows are limited.
const PRICES: [f64; 3] = [0.0, 3.0, 30.0];

/// The best of the coarsest release, the finest and some random ones, after each was improved.
pub(super) fn first(
    space: &Space<'_>,
    seeds: usize,
    run: &Run,
) -> Result<Option<Release>, SearchError> {
    let sizes: Vec<usize> = space.columns.iter().map(|c| c.legal.size()).collect();
    let coarsest: Vec<Vec<u32>> = sizes.iter().map(|size| vec![0; *size]).collect();
    let mut best = space.release(coarsest.clone());
    if seeds == 0 {
        return Ok(best);
    }
    let mut random = Random::new(run.seed);
    for number in 0..seeds {
        run.check()?;
        if run.is_over() {
            break;
        }
        let mut start = coarsest.clone();
        if number > 0 {
            for (column, start) in space.columns.iter().zip(&mut start) {
                if let Some(tree) = &column.tree {
                    let place = random.below(tree.partitions.len() as u64);
                    start.clone_from(&tree.partitions[place as usize]);
                }
            }
        }
        let limited = space.problem.suppression.rows < space.problem.counts.total();
        let prices = if limited { &PRICES[..] } else { &PRICES[..1] };
        for price in prices {
            let price = price * space.model.suppressed;
            let price = if price.is_finite() { price } else { 0.0 };
            let improved = improved(space, start.clone(), number, price);
            if let Some(release) = space.release(improved)
                && best.as_ref().is_none_or(|best| release.cost < best.cost)
            {
                best = Some(release);
            }
        }
    }
    Ok(best)
}

/// Solves one column after the other for what the others have, as long as that helps.
fn improved(
    space: &Space<'_>,
    mut partitions: Vec<Vec<u32>>,
    offset: usize,
    price: f64,
) -> Vec<Vec<u32>> {
    if !space.model.is_known() {
        return partitions;
    }
    let attributes = &space.problem.attributes;
    let count = partitions.len();
    let fixed = |column: usize, blocks: &[u32]| {
        space.columns[column].fixed(&attributes[column], &space.model, blocks)
    };
    let mut views: Vec<View> = (0..count).map(|c| fixed(c, &partitions[c])).collect();
    let mut least = f64::INFINITY;
    loop {
        let before = least;
        for column in (0..count).map(|c| (c + offset) % count) {
            if space.columns[column].facts.is_none() {
                continue;
            }
            let all: Vec<&View> = views.iter().collect();
            // A price keeps the suppressed rows few where they are limited.
            let solved = space.bound_of(column, &all, Possible(None), price);
            if solved.sum < least {
                least = solved.sum;
                views[column] = fixed(column, &solved.blocks);
                partitions[column] = solved.blocks;
            }
        }
        if least >= before || !least.is_finite() {
            return partitions;
        }
    }
}
