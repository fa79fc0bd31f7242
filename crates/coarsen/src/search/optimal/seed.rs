//! A first best release (seed 004, section 4.4.1), so that much can be pruned from the start.
//!
//! The paper takes the best of some random nodes. Here each random node is improved: one column after
//! the other is solved for what the others have, until none gets better. The coarsest release is always
//! tried, for if it does not meet the requirements few others do. So are the releases of the heuristics
//! that are asked for by name, where the columns' schemes allow them.

use super::column::View;
use super::space::{Release, Space};
use crate::domain::scheme::{Legal, numbered};
use crate::recoding::Recoding;
use crate::search::{self, Run, SearchError};
use crate::synthetic::Random;

/// Prices of a suppressed row, in what it costs, that are tried where the rows are limited.
const PRICES: [f64; 3] = [0.0, 3.0, 30.0];

/// The best of the coarsest release, the heuristics' and some random ones, after each was improved.
pub(super) fn first(
    space: &Space<'_>,
    seeds: usize,
    heuristics: &[String],
    run: &Run,
) -> Result<Option<Release>, SearchError> {
    let sizes: Vec<usize> = space.columns.iter().map(|c| c.legal.size()).collect();
    let coarsest: Vec<Vec<u32>> = sizes.iter().map(|size| vec![0; *size]).collect();
    let mut best = space.release(coarsest.clone());
    for name in heuristics {
        run.check()?;
        if let Some(start) = of_heuristic(space, name, run) {
            better(&mut best, space.release(start.clone()));
            better(&mut best, improved_at_any_price(space, start, 0, run));
        }
    }
    let mut random = Random::new(run.seed);
    for number in 0..2 * seeds {
        run.check()?;
        if run.is_over() {
            break;
        }
        let mut start = coarsest.clone();
        match &best {
            // After the random starts, the best with two columns drawn anew.
            Some(best) if number > seeds => {
                start.clone_from(&best.partitions);
                for _ in 0..2 {
                    let column = random.below(start.len() as u64) as usize;
                    start[column] = drawn(&space.columns[column].legal, &mut random);
                }
            }
            _ if number > 0 => {
                for (column, start) in space.columns.iter().zip(&mut start) {
                    *start = drawn(&column.legal, &mut random);
                }
            }
            _ => {}
        }
        better(&mut best, improved_at_any_price(space, start, number, run));
    }
    Ok(best)
}

/// Keeps the better of two; of equals, the one that the rule takes (see `ties`).
pub(super) fn better(best: &mut Option<Release>, found: Option<Release>) {
    if let Some(found) = found
        && best.as_ref().is_none_or(|best| found.beats(best))
    {
        *best = Some(found);
    }
}

/// A partition at random: decision by decision.
fn drawn(legal: &Legal, random: &mut Random) -> Vec<u32> {
    let Some(mut decided) = legal.undecided() else {
        return vec![0; legal.size()];
    };
    // A share of joins of its own, so that fine and coarse partitions are drawn alike.
    let share = random.below(100);
    loop {
        let open = legal.applicators(&decided);
        if open.is_empty() {
            return legal.finest(&decided);
        }
        let chosen = open[random.below(open.len() as u64) as usize];
        let joined = (random.below(100) < share).then(|| legal.together(&decided, chosen));
        decided = match joined.flatten() {
            Some(joined) => joined,
            None => legal.apart(&decided, chosen),
        };
    }
}

/// The partitions that another algorithm finds; none where it fails or its partitions are not legal.
fn of_heuristic(space: &Space<'_>, name: &str, run: &Run) -> Option<Vec<Vec<u32>>> {
    let algorithm = search::find(name)?;
    let search = (algorithm.build)(None).ok()?;
    let outcome = search.search(space.problem, run).ok()?;
    let Recoding::Partitions(partitions) = outcome.recoding else {
        return None;
    };
    let columns = space.columns.iter().zip(&partitions.columns);
    columns
        .map(|(column, partition)| {
            let blocks = numbered(&partition.block_of);
            column.legal.is_legal(&blocks).then_some(blocks)
        })
        .collect()
}

/// Improves a start at several prices of a suppressed row, where those are limited.
pub(super) fn improved_at_any_price(
    space: &Space<'_>,
    start: Vec<Vec<u32>>,
    offset: usize,
    run: &Run,
) -> Option<Release> {
    let limited = space.problem.suppression.rows < space.problem.counts.total();
    let prices = if limited { &PRICES[..] } else { &PRICES[..1] };
    let mut best = None;
    for price in prices {
        let price = price * space.model.suppressed;
        let price = if price.is_finite() { price } else { 0.0 };
        let improved = improved(space, start.clone(), offset, price, run);
        better(&mut best, space.release(improved));
    }
    best
}

/// Solves one column after the other for what the others have, as long as that helps.
fn improved(
    space: &Space<'_>,
    mut partitions: Vec<Vec<u32>>,
    offset: usize,
    price: f64,
    run: &Run,
) -> Vec<Vec<u32>> {
    if !space.model.is_known() {
        return partitions;
    }
    let count = partitions.len();
    let fixed = |column: usize, blocks: &[u32]| space.columns[column].fixed(blocks);
    let mut views: Vec<View> = (0..count).map(|c| fixed(c, &partitions[c])).collect();
    let mut least = f64::INFINITY;
    loop {
        let before = least;
        for column in (0..count).map(|c| (c + offset) % count) {
            if !space.columns[column].is_solvable() || run.is_over() {
                continue;
            }
            let all: Vec<&View> = views.iter().collect();
            // A price keeps the suppressed rows few where they are limited.
            let solved = space.solve(column, &all, price);
            if solved.sum < least {
                least = solved.sum;
                views[column] = fixed(column, &solved.blocks);
                partitions[column] = solved.blocks;
            }
        }
        // What is left to gain here is rounding.
        if least >= before * (1.0 - 1e-12) || !least.is_finite() {
            return partitions;
        }
    }
}
