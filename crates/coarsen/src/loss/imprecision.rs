//! Imprecision (seed 001, section 3.4, equations 5 and 6): how many rows the selections of the
//! workload return too many of.
//!
//! A selection over the release returns every class whose region overlaps it. Suppressed rows could
//! be anywhere, so they overlap every selection. Where a column was counted in bins, a row whose bin
//! lies only partly inside does not count as satisfying the selection.

use super::cover::Cover;
use super::{Loss, LossEntry};
use crate::counts::Classes;
use crate::problem::Problem;
use crate::workload::{Selection, Workload};

#[derive(Debug)]
struct Imprecision;

pub(super) const ENTRY: LossEntry = LossEntry {
    name: "imprecision",
    summary: "how many rows the workload's selections return beyond those that they ask for",
    formula: "Σ over selections of (rows in classes that overlap it − rows that satisfy it)",
    source: "LeFevre et al. 2006, section 3.4, equations 5 and 6",
    additive: true,
    loss: &Imprecision,
};

impl Loss for Imprecision {
    fn cost(&self, problem: &Problem, classes: &Classes) -> Option<f64> {
        let selections = &problem.workload.selections;
        if selections.is_empty() {
            return None;
        }
        let excess = selections.iter().map(|selection| {
            let wanted = selection.rows(&problem.counts)? as f64;
            Some(returned(problem, classes, selection) as f64 - wanted)
        });
        excess.sum()
    }

    fn unfit(&self, workload: &Workload) -> Option<String> {
        workload.selections.is_empty().then(|| {
            "it needs selections; give workload.selections such as [\"age > 40 and sex = 'Male'\"]"
                .to_string()
        })
    }
}

/// The rows of all classes that overlap a selection.
fn returned(problem: &Problem, classes: &Classes, selection: &Selection) -> u64 {
    let mut overlaps = vec![true; classes.len()];
    for (place, attribute) in problem.attributes.iter().enumerate() {
        let Some(touched) = selection.touched(place) else {
            continue;
        };
        let cover = Cover::new(
            &attribute.domain,
            touched.iter().map(|touched| u64::from(*touched)),
        );
        let blocks: Vec<bool> = classes
            .blocks(place)
            .iter()
            .map(|block| cover.sum(block) > 0)
            .collect();
        for (overlaps, block) in overlaps.iter_mut().zip(classes.block_of(place)) {
            *overlaps &= blocks[*block as usize];
        }
    }
    (0..classes.len())
        .filter(|class| overlaps[*class] || classes.is_suppressed(*class))
        .map(|class| classes.rows()[class])
        .sum()
}
