//! LM, the general loss metric of Iyengar (seed 000, section 3): how much of its column's domain each
//! released value covers.
//!
//! The paper adds the columns up, which is [`lm_sum`]; the loss is their (weighted) mean, from 0 for
//! nothing lost to 1 for all.

use super::{Loss, LossEntry, column_cost, mean_block_cost};
use crate::counts::Classes;
use crate::domain::Block;
use crate::problem::Problem;

#[derive(Debug)]
struct Lm;

pub(super) const ENTRY: LossEntry = LossEntry {
    name: "lm",
    summary: "the share of its column's domain that a released value covers, on average: 0 is exact, 1 is suppressed",
    formula: "mean of (M_P − 1)/(M − 1) for a node over M_P of M leaves, (U_i − L_i)/(U − L) for an interval, 1 where suppressed",
    source: "Iyengar 2002, section 3",
    additive: true,
    loss: &Lm,
};

impl Loss for Lm {
    fn cost(&self, problem: &Problem, classes: &Classes) -> Option<f64> {
        mean_block_cost(problem, classes, |block| Some(block.lm))
    }

    fn of_cell(&self, block: &Block) -> Option<f64> {
        Some(block.lm)
    }
}

/// LM as the paper has it: the columns' losses added up, without weights.
pub fn lm_sum(problem: &Problem, classes: &Classes) -> f64 {
    let column = |place| column_cost(problem, classes, place, |block| Some(block.lm));
    (0..problem.attributes.len()).filter_map(column).sum()
}
