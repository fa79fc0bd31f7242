//! Of releases that cost the same, which is taken: one rule, whichever way the search went.
//!
//! Fewest rows suppressed; then, column by column in the table's order and value by value in the
//! column's, the first value where two releases differ stands in a block of its own, or else in the
//! later of the blocks before it. So the finer of two is taken where one is finer. Where all columns are
//! at levels this is what MinGen takes: fewest rows suppressed, then the lowest levels.
//!
//! The search itself drops a part of the space as soon as nothing there is *better*. What may hold
//! something as good is kept aside (it is seldom much), and gone through here, in the order of the rule,
//! so that the first that is found is the one to take.

use std::sync::Arc;

use super::column::View;
use super::model::Model;
use super::space::{Places, Release, Space};
use super::table::Table;
use crate::domain::scheme::{Applicator, Decided};
use crate::search::{Cancelled, Run};

/// Floating point may put two equal costs this far apart, as a share.
pub(super) const ROUNDING: f64 = 1e-10;
/// And this far where they are nearly nothing.
const NOTHING: f64 = 1e-13;

/// Costs, as sums, between which two are equal: from `below` on nothing is better than the best, and
/// behind `above` nothing is as good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub below: f64,
    pub above: f64,
}

impl Limits {
    /// Nothing is known yet.
    pub const NONE: Limits = Limits {
        below: f64::INFINITY,
        above: f64::INFINITY,
    };

    /// The limits that a best release sets.
    pub fn of(best: &Release, model: &Model) -> Self {
        let sum = model.sum(best.cost);
        Limits {
            below: sum * (1.0 - ROUNDING),
            above: sum * (1.0 + ROUNDING) + model.sum(NOTHING),
        }
    }

    /// Whether a part of the space with this bound may hold something as good, but nothing better.
    pub fn ties(&self, bound: f64) -> bool {
        bound >= self.below && bound <= self.above
    }
}

impl Release {
    /// Whether this one is to be taken rather than another.
    pub fn beats(&self, other: &Release) -> bool {
        let same = (self.cost - other.cost).abs() <= other.cost * ROUNDING + NOTHING;
        match same {
            false => self.cost < other.cost,
            true => {
                let by_rows = other.suppressed.cmp(&self.suppressed);
                by_rows.then(self.partitions.cmp(&other.partitions)).is_gt()
            }
        }
    }
}

/// Goes through what may hold something as good.
pub(super) struct Ties<'a> {
    pub space: &'a Space<'a>,
    pub table: Arc<Table>,
    pub run: &'a Run<'a>,
    /// How many nodes are left to look at.
    pub left: u64,
}

impl Ties<'_> {
    /// The release that the rule takes, and whether all that may be as good was looked at.
    pub fn settle(
        &mut self,
        parts: &[Places],
        best: Release,
    ) -> Result<(Release, bool), Cancelled> {
        let mut best = best;
        let limits = Limits::of(&best, &self.space.model);
        // First as few rows as can be, then the rule's first among those.
        for fewer in [1, 0] {
            let mut again = true;
            while again && best.suppressed >= fewer {
                again = false;
                for part in parts {
                    let Some(allowed) = best.suppressed.checked_sub(fewer) else {
                        break;
                    };
                    if let Some(found) = self.first(part, &best, allowed, limits.above)? {
                        best = found;
                        again = fewer > 0;
                    }
                }
            }
        }
        let is_done = self.left > 0 && !self.run.is_over();
        Ok((best, is_done))
    }

    /// The rule's first release of a part of the space that is as good as the best and suppresses no
    /// more than is allowed; none that the rule puts behind the best.
    fn first(
        &mut self,
        part: &Places,
        best: &Release,
        allowed: u64,
        above: f64,
    ) -> Result<Option<Release>, Cancelled> {
        let space = self.space;
        let mut stack = vec![part.clone()];
        while let Some(places) = stack.pop() {
            self.run.check()?;
            if self.left == 0 || self.run.is_over() {
                return Ok(None);
            }
            self.left -= 1;
            let columns = || space.columns.iter().zip(&places);
            let finest: Vec<Vec<u32>> = columns().map(|(c, d)| c.legal.finest(d)).collect();
            if allowed == best.suppressed && finest <= best.partitions {
                continue;
            }
            let views = space.views(&places);
            let table = space.merged(&self.table, &views);
            let views: Vec<&View> = views.iter().collect();
            let solved = &places[space.solved];
            if space.bound(&table, &views, solved, allowed).0 > above {
                continue;
            }
            let next = columns().enumerate().find_map(|(c, (column, decided))| {
                first_open(&column.legal.applicators(decided), decided).map(|a| (c, a))
            });
            let Some((column, applicator)) = next else {
                let release = space.release(finest);
                let is_as_good =
                    |r: &Release| r.suppressed <= allowed && space.model.sum(r.cost) <= above;
                if let Some(found) = release.filter(is_as_good) {
                    return Ok(Some(found));
                }
                continue;
            };
            let legal = &space.columns[column].legal;
            let apart = legal.apart(&places[column], applicator);
            let together = legal.together(&places[column], applicator);
            // What is pushed last is looked at first.
            for decided in together.into_iter().chain([apart]) {
                let mut next = places.clone();
                next[column] = Arc::new(decided);
                stack.push(next);
            }
        }
        Ok(None)
    }
}

/// The applicator that the rule looks at first: that of the first value which is not settled.
fn first_open(open: &[Applicator], decided: &Decided) -> Option<Applicator> {
    match decided {
        Decided::Sets(_) => open.iter().min_by_key(|Applicator(a, b)| (*b, *a)).copied(),
        _ => open.first().copied(),
    }
}
