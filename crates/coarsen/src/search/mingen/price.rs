//! What groupings of rows cost, and what decides among equals: the figures that the search by branch and
//! bound compares.

use std::cmp::Ordering;

use super::meeting::{Meeting, Members};

/// Costs are sums in floating point; less than this is no gain.
pub(super) const GAIN: f64 = 1e-9;

/// Groups, and how many rows of each unit are dropped.
#[derive(Clone, Debug, Default)]
pub(super) struct Grouping {
    pub groups: Vec<Members>,
    pub dropped: Vec<u8>,
}

/// What a grouping costs, and what decides among equals.
#[derive(Clone, Debug)]
pub(super) struct Price {
    pub cost: f64,
    pub preference: Vec<f64>,
}

impl Price {
    /// Costs that are sums of the same cells in another order are equal.
    pub fn compare(&self, other: &Price) -> Ordering {
        let pairs = self.preference.iter().zip(&other.preference);
        let differ = pairs.map(|(a, b)| match (a - b).abs() < GAIN {
            true => Ordering::Equal,
            false => a.total_cmp(b),
        });
        differ.fold(Ordering::Equal, Ordering::then)
    }

    pub fn plus(&self, choice: &Choice) -> Price {
        let preference = self.preference.iter().zip(&choice.preference);
        Price {
            cost: self.cost + choice.cost,
            preference: preference.map(|(a, b)| a + b).collect(),
        }
    }
}

/// A group that may come next, with what the whole then costs at least.
pub(super) struct Choice {
    pub bound: f64,
    pub cost: f64,
    /// What it loses in each preferred column, and last the rows it drops; in the second walk only.
    pub preference: Vec<f64>,
    /// Empty: one row of the first unit is dropped.
    pub group: Members,
}

/// What a row costs at least: what it does with the (k − 1)-th nearest other row. With fewer others it
/// can only be dropped.
pub(super) fn least_cost(meeting: &Meeting, rows: &[u8], one: usize, k: usize) -> f64 {
    let mut costs: Vec<(f64, usize)> = (rows.iter().enumerate())
        .map(|(other, rows)| {
            let others = usize::from(*rows) - usize::from(other == one);
            (meeting.cost(one, meeting.levels(one, other)), others)
        })
        .collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut wanted = k.saturating_sub(1);
    if wanted == 0 {
        return 0.0;
    }
    for (cost, others) in costs {
        if others >= wanted {
            return cost.min(1.0);
        }
        wanted -= others;
    }
    1.0
}
