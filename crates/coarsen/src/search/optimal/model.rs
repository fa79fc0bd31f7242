//! What a search needs to know of a loss to bound it: which part of the cost belongs to cells, which to
//! classes, and what a suppressed row costs (seed 004, sections 4.1 and 4.3).
//!
//! Costs are kept as sums over rows, before the mean is taken; [`Model::told`] turns them into what the
//! loss tells. A loss that is not here has no bound, and only what cannot be released is pruned.

use crate::problem::Problem;

/// How a cost comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// DM: each class its square.
    Classes,
    /// LM: each cell its block's share of the domain.
    Share,
    /// Prec: each cell its block's height.
    Height,
    /// HDM: each cell by the rows of its value and of its block.
    Rows,
    /// CM: each class its rows beside the majority.
    Labels,
    /// A loss that states no bound.
    Unknown,
}

/// The loss of a problem, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub kind: Kind,
    pub k: f64,
    pub total: f64,
    /// What a suppressed row costs; infinite where none may be.
    pub suppressed: f64,
    /// For CM, each target's place among the tallies and its weight.
    pub targets: Vec<(usize, f64)>,
    scale: f64,
}

impl Model {
    pub fn new(problem: &Problem) -> Self {
        let weights: f64 = problem.attributes.iter().map(|a| a.settings.weight).sum();
        let total = problem.counts.total() as f64;
        // With a cost matrix the suppressed rows are a class of their own, which has no such bound.
        let plain = problem.workload.categories().all(|t| t.costs.is_none());
        let targets = problem.workload.categories().map(|t| (t.tally, t.weight));
        let targets: Vec<(usize, f64)> = targets.collect();
        let wanted: f64 = targets.iter().map(|(_, weight)| weight).sum();
        let kind = match problem.loss.name {
            "cm" if plain && wanted > 0.0 => Kind::Labels,
            "dm" => Kind::Classes,
            "lm" if weights > 0.0 => Kind::Share,
            "prec" if weights > 0.0 => Kind::Height,
            "hdm" if weights > 0.0 => Kind::Rows,
            _ => Kind::Unknown,
        };
        let (suppressed, scale) = match kind {
            Kind::Classes => (total, 1.0),
            Kind::Labels => (wanted, total * wanted),
            Kind::Unknown => (0.0, 1.0),
            Kind::Share | Kind::Height | Kind::Rows => (weights, total * weights),
        };
        Model {
            kind,
            k: problem.k() as f64,
            total,
            suppressed: match problem.suppression.rows {
                0 => f64::INFINITY,
                _ => suppressed,
            },
            targets,
            scale,
        }
    }

    /// Whether cells have costs of their own.
    pub fn has_cells(&self) -> bool {
        matches!(self.kind, Kind::Share | Kind::Height | Kind::Rows)
    }

    /// Whether the cost can be bounded at all.
    pub fn is_known(&self) -> bool {
        self.kind != Kind::Unknown
    }

    /// The sum behind a cost that the loss tells.
    pub fn sum(&self, told: f64) -> f64 {
        told * self.scale
    }

    /// What the loss tells for a sum.
    pub fn told(&self, sum: f64) -> f64 {
        sum / self.scale
    }
}
