//! HDM, the hierarchical discernibility metric (seed 004, section 4.1): for each cell, how many of
//! the rows with another value it can no longer be told from.
//!
//! N_e counts the rows of the whole table whose value lies in the released block, which is the
//! paper's definition for partitions and carries over to regions and cells. A column in which all
//! rows are alike loses nothing but by suppression. The mean over columns takes their weights.

use super::cover::Cover;
use super::{Loss, LossEntry};
use crate::counts::Classes;
use crate::problem::Problem;

#[derive(Debug)]
struct Hdm;

pub(super) const ENTRY: LossEntry = LossEntry {
    name: "hdm",
    summary: "for each released value, the share of the rows with another value that it can no longer be told from: 0 is exact, 1 is suppressed",
    formula: "mean of (N_e − N_v)/(N − N_v), N_v rows having the value and N_e lying in its block; 1 where suppressed",
    source: "Li et al. 2008, section 4.1",
    additive: true,
    loss: &Hdm,
};

impl Loss for Hdm {
    fn cost(&self, problem: &Problem, classes: &Classes) -> Option<f64> {
        let counts = &problem.counts;
        if counts.is_lumped() {
            return None;
        }
        let total = counts.total();
        let suppressed = classes.suppressed_rows() as f64;
        let (mut sum, mut weights) = (0.0, 0.0);
        for (place, attribute) in problem.attributes.iter().enumerate() {
            let marginal = counts.marginal(place, attribute.domain.size());
            let cover = Cover::new(&attribute.domain, marginal.iter().copied());
            let inside: Vec<u64> = classes
                .blocks(place)
                .iter()
                .map(|block| cover.sum(block))
                .collect();
            let codes = counts.codes(place);
            let mut column = suppressed;
            for class in classes.released() {
                let block = classes.block_of(place)[class] as usize;
                if classes.blocks(place)[block].is_suppressed() {
                    column += classes.rows()[class] as f64;
                    continue;
                }
                for member in classes.members(class) {
                    let alike = marginal[codes[member.combination as usize] as usize];
                    let more = inside[block].saturating_sub(alike);
                    if more > 0 {
                        column += member.rows as f64 * more as f64 / (total - alike) as f64;
                    }
                }
            }
            sum += attribute.settings.weight * column / total as f64;
            weights += attribute.settings.weight;
        }
        (weights > 0.0).then(|| sum / weights)
    }
}
