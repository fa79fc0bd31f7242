//! DM, the discernibility metric of Bayardo and Agrawal as seed 004, section 4.1, gives it: each row
//! costs the number of rows it cannot be told from.
//!
//! A row in a class below k, and a suppressed row, costs as many as the table has.

use super::{Loss, LossEntry};
use crate::counts::Classes;
use crate::problem::Problem;

#[derive(Debug)]
struct Dm;

pub(super) const ENTRY: LossEntry = LossEntry {
    name: "dm",
    summary: "for each row, the number of rows it cannot be told from; the whole table for a suppressed row",
    formula: "Σ_{|E| ≥ k} |E|² + Σ_{|E| < k} |E|·N",
    source: "Bayardo and Agrawal 2005; Li et al. 2008, section 4.1",
    additive: true,
    loss: &Dm,
};

impl Loss for Dm {
    fn cost(&self, problem: &Problem, classes: &Classes) -> Option<f64> {
        let (k, total) = (problem.k(), problem.counts.total() as f64);
        let released = classes.released().map(|class| {
            let rows = classes.rows()[class];
            rows as f64 * if rows < k { total } else { rows as f64 }
        });
        Some(released.sum::<f64>() + classes.suppressed_rows() as f64 * total)
    }
}
