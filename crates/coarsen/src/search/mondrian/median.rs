//! Median Mondrian (seed 001, section 3.1; LeFevre et al. 2006): the column that is widest for its
//! domain, cut as near to its median as is allowed.
//!
//! Where the cut at the median itself would leave too few rows on one side, the nearest that does not
//! is taken, and only where a column has none the next widest column.

use super::rule::{Collector, Rule};
use super::split::{Candidate, Context, Cut, Region, cuts};
use super::strip::Asked;

pub(super) struct Median;

impl Rule for Median {
    fn asked(&self) -> Asked<'_> {
        Asked::default()
    }

    fn candidates(&self, context: &Context<'_>, region: &Region<'_>) -> Vec<Candidate> {
        let mut by_width: Vec<(f64, usize)> = context
            .columns
            .iter()
            .zip(&region.held)
            .enumerate()
            .filter(|(_, (_, held))| held.low < held.high)
            .map(|(place, (column, held))| (column.width(held), place))
            .collect();
        by_width.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut found = Collector::new(context);
        for (width, column) in by_width {
            let strip = region.strip(column, self.asked());
            for place in cuts(context, region, column, &strip) {
                let off_the_median = match &place.cut {
                    Cut::Below(_) => (place.below as f64 - region.weight as f64 / 2.0).abs(),
                    Cut::Into(_) => 0.0,
                };
                found.add(Candidate {
                    column,
                    cut: place.cut,
                    score: -width,
                    then: off_the_median,
                });
            }
            if context.only_k {
                let found = std::mem::replace(&mut found, Collector::new(context)).finish();
                if !found.is_empty() {
                    return found;
                }
            }
        }
        found.finish()
    }
}
