//! Prec, Sweeney's precision metric (seed 002, definition 5): how far up its hierarchy each released
//! value stands.
//!
//! What is minimized is 1 − Prec, the mean distortion of a cell; what is shown is Prec. Weights are
//! the paper's own suggestion (section 3.3). A block that is no node of its column's hierarchy has no
//! height, and a release that holds one has no Prec.

use super::{Loss, LossEntry, mean_block_cost};
use crate::counts::Classes;
use crate::domain::Block;
use crate::problem::Problem;

#[derive(Debug)]
struct Prec;

pub(super) const ENTRY: LossEntry = LossEntry {
    name: "prec",
    summary: "precision: 1 less the mean share of its hierarchy that a released value has climbed: 1 is exact, 0 is suppressed",
    formula: "1 − mean of h/|DGH|, where h is the levels climbed and the suppressed value is the top level",
    source: "Sweeney 2002, definition 5",
    additive: true,
    loss: &Prec,
};

impl Loss for Prec {
    fn cost(&self, problem: &Problem, classes: &Classes) -> Option<f64> {
        mean_block_cost(problem, classes, |block| block.height)
    }

    fn of_cell(&self, block: &Block) -> Option<f64> {
        block.height
    }

    fn shown(&self, cost: f64) -> f64 {
        1.0 - cost
    }
}
