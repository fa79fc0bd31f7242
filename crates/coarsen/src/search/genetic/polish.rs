//! Local search at the end, which the paper does not have: single bits of the best chromosome are changed,
//! with what that forces, and on a line an end point is moved to the next place, as long as that helps.
//!
//! Column after column, the best of all changes is taken until none in the column helps; then the next,
//! until none in any column does. Only one column changes at a time, so costs are counted from the
//! combinations of its units with the classes of the others.

use rayon::prelude::*;

use super::cost::{Costed, Scratch};
use super::genitor::{Best, Genitor};
use super::repair::Rule;
use super::space::{Chromosome, Space};
use crate::search::{Run, SearchError};

/// The best chromosome that single changes lead to.
pub(super) fn polish(
    genitor: &Genitor<'_>,
    mut best: Best,
    run: &Run,
) -> Result<Best, SearchError> {
    let space = genitor.evaluator.space;
    let allowed = space.problem.suppression.rows;
    let mut idle = 0;
    for column in (0..space.columns.len()).cycle() {
        if idle == space.columns.len() {
            break;
        }
        idle += 1;
        let tier = genitor.tiers.around(space, &best.bits, column);
        loop {
            run.check()?;
            if run.is_over() {
                return Ok(best);
            }
            let bound = best.costed.cost;
            let changed: Vec<(Chromosome, Option<Costed>)> = changes(space, &best.bits, column)
                .into_par_iter()
                .map_init(Scratch::default, |scratch, bits| {
                    let costed = genitor.evaluator.cost(&bits, tier.as_ref(), bound, scratch);
                    (bits, costed)
                })
                .collect();
            let better = changed.into_iter().filter_map(|(bits, costed)| {
                let costed = costed?;
                let helps = costed.suppressed <= allowed && costed.cost < bound;
                helps.then_some(Best { bits, costed })
            });
            // Of equal ones the first.
            let Some(better) = better.min_by(|a, b| a.costed.cost.total_cmp(&b.costed.cost)) else {
                break;
            };
            best = better;
            idle = 1;
        }
    }
    Ok(best)
}

/// The chromosomes that one change of a column makes.
fn changes(space: &Space<'_>, bits: &[bool], column: usize) -> Vec<Chromosome> {
    let ends = space
        .ends
        .iter()
        .filter(|bit| space.place(**bit).0 == column);
    let mut all = Vec::new();
    for bit in ends {
        let mut flipped = bits.to_vec();
        space.flip(&mut flipped, *bit);
        all.push(flipped);
        let next = bit + 1;
        let is_free = matches!(space.columns[column].rule, Rule::Free);
        let has_next = space.ends.binary_search(&next).is_ok();
        if is_free && has_next && bits[*bit] != bits[next] {
            let mut moved = bits.to_vec();
            moved.swap(*bit, next);
            all.push(moved);
        }
    }
    all
}
