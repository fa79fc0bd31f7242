//! How a node is divided: by one applicator, two blocks together or apart (seed 004, sections 3.2, 4.3
//! and 4.4).
//!
//! Bottom-up the applicators are merges, top-down they are splits. Some are tried before one is chosen:
//! where applying one costs as much as the best release, it is *useless*, and its opposite holds for all
//! that lies below; where its opposite does, it is *useful*, and is applied. The one that raises the
//! bounds of both its sides the most is branched on (the paper's rearrangement, by what was seen to help
//! rather than by how many classes are merged). Going both ways at once, which the paper does not do,
//! each is tried as a merge and as a split, so that either may be found useless.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Settings;
use super::column::View;
use super::frontier::Node;
use super::space::{Places, Release, Space};
use super::table::Table;
use super::ties::{Limits, ROUNDING};
use crate::domain::scheme::{Applicator, Decided};
use crate::search::Run;

/// Which side of an applicator is tried before it is branched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Together: bottom-up.
    Merging,
    /// Apart: top-down.
    Splitting,
    /// Each.
    Both,
}

/// How many applicators are tried at a node beside the first.
const TRIED: usize = 3;

/// How many boxes are looked at for a nested bound.
const BOXES: f64 = 1e5;

/// An applicator of a column.
type Of = (usize, Applicator);

/// What was seen of an applicator: which, whether it was applied, by what share the bound rose.
pub(super) type Seen = (Of, bool, f64);

/// By how much applicators raised the bound so far, applied and not.
#[derive(Default)]
pub(super) struct Worth {
    of: FxHashMap<Of, [(f64, f64); 2]>,
    of_column: FxHashMap<usize, [(f64, f64); 2]>,
}

impl Worth {
    pub fn note(&mut self, ((column, applicator), applied, rise): Seen) {
        let slots = [
            self.of.entry((column, applicator)).or_default(),
            self.of_column.entry(column).or_default(),
        ];
        for slot in slots {
            let (sum, count) = &mut slot[usize::from(applied)];
            *sum += rise;
            *count += 1.0;
        }
    }

    /// By what share the bound rose in the mean, where it was not applied (0) or was (1).
    fn side(&self, of: &Of, side: usize) -> Option<f64> {
        let mean = |slot: Option<&[(f64, f64); 2]>| {
            let (sum, count) = slot?[side];
            (count > 0.0).then(|| sum / count)
        };
        mean(self.of.get(of)).or_else(|| mean(self.of_column.get(&of.0)))
    }

    /// A guess of what both sides gain; the greater the better.
    fn score(&self, of: &Of) -> f64 {
        let side = |side: usize| self.side(of, side).unwrap_or(0.0);
        product(side(0), side(1))
    }
}

/// By what share of the limit a bound rose, up to it.
fn rise(from: f64, to: f64, limit: f64) -> f64 {
    let rise = (to.min(limit) - from) / limit;
    if rise.is_finite() { rise } else { 1.0 }
}

/// Both sides must gain for a branching to be worth it.
fn product(one: f64, other: f64) -> f64 {
    one.max(1e-7) * other.max(1e-7)
}

/// What came of a node.
#[derive(Default)]
pub(super) struct Expanded {
    /// Its bound, where that was all that was done.
    pub bounded: Option<f64>,
    pub children: Vec<(f64, bool, Places)>,
    /// Parts that hold nothing better than the best, but maybe something as good.
    pub tied: Vec<(f64, Places)>,
    pub release: Option<Release>,
    pub bounds: u64,
    pub seen: Vec<Seen>,
}

impl Expanded {
    /// Keeps a part that is dropped, where it may hold something as good as the best.
    fn tie(&mut self, bound: f64, limits: Limits, places: impl FnOnce() -> Places) {
        if limits.ties(bound) {
            self.tied.push((bound, places()));
        }
    }
}

/// How nodes are divided.
pub(super) struct Branching<'a> {
    pub space: &'a Space<'a>,
    pub settings: &'a Settings,
    pub way: Way,
    pub table: Arc<Table>,
}

/// A node while it is worked on.
struct Work {
    places: Places,
    views: Vec<View>,
    table: Arc<Table>,
    least: f64,
}

impl Branching<'_> {
    pub fn expand(&self, node: &Node, limits: Limits, worth: &Worth, run: &Run) -> Expanded {
        let mut made = Expanded::default();
        let views = self.space.views(&node.places);
        let mut work = Work {
            table: match self.settings.merge_classes {
                true => self.space.merged(&self.table, &views),
                false => self.table.clone(),
            },
            places: node.places.clone(),
            views,
            least: node.bound,
        };
        if !node.own {
            made.bounds += 1;
            work.least = self.bound(&work).0.max(node.bound);
            if work.least >= limits.below {
                made.tie(work.least, limits, || work.places);
                return made;
            }
            if self.settings.defer {
                made.bounded = Some(work.least);
                return made;
            }
        }
        if self.settings.nest_columns {
            work.least = self.nested(&work).max(work.least);
            if work.least >= limits.below {
                made.tie(work.least, limits, || work.places);
                return made;
            }
        }
        loop {
            if run.is_over() {
                // It stays open, with what was settled on the way.
                made.children.push((work.least, true, work.places));
                return made;
            }
            let mut open = self.applicators(&work.places, &self.space.order);
            if open.is_empty() && !self.finish(&work, limits, &mut made) {
                return made;
            }
            if open.is_empty() {
                open = self.applicators(&work.places, &[self.space.solved]);
            }
            if open.is_empty()
                || self.divide(&mut work, open, node.depth, limits, (worth, run), &mut made)
            {
                return made;
            }
        }
    }

    fn bound(&self, work: &Work) -> (f64, Vec<u32>) {
        let views: Vec<&View> = work.views.iter().collect();
        let solved = &work.places[self.space.solved];
        let allowed = self.space.problem.suppression.rows;
        self.space.bound(&work.table, &views, solved, allowed)
    }

    /// The bound with one column's state another.
    fn bound_with(&self, work: &Work, column: usize, decided: &Decided) -> f64 {
        let view = self.space.view(column, decided);
        let mut views: Vec<&View> = work.views.iter().collect();
        views[column] = &view;
        let solved = match column == self.space.solved {
            true => decided,
            false => &work.places[self.space.solved],
        };
        let allowed = self.space.problem.suppression.rows;
        let bound = self.space.bound(&work.table, &views, solved, allowed);
        bound.0.max(work.least)
    }

    /// The nested bound; nothing where it is too much work.
    fn nested(&self, work: &Work) -> f64 {
        let views: Vec<&View> = work.views.iter().collect();
        let places: Vec<&Decided> = work.places.iter().map(|decided| &**decided).collect();
        let nested = self.space.nested(&work.table, &views, &places, BOXES);
        nested.unwrap_or(0.0)
    }

    fn applicators(&self, places: &Places, columns: &[usize]) -> Vec<Of> {
        let of_column = |column: &usize| {
            let legal = &self.space.columns[*column].legal;
            let open = legal.applicators(&places[*column]);
            let column = *column;
            open.into_iter().map(move |applicator| (column, applicator))
        };
        columns.iter().flat_map(of_column).collect()
    }

    /// The column's state with an applicator applied, or not; none where that cannot be.
    fn decided(&self, places: &Places, (column, applicator): Of, applied: bool) -> Option<Decided> {
        let legal = &self.space.columns[column].legal;
        let before = &places[column];
        match (self.way != Way::Splitting) == applied {
            true => legal.together(before, applicator),
            false => Some(legal.apart(before, applicator)),
        }
    }

    /// All columns but the solved one are settled: its best partition is a release. Says whether there
    /// may be a better one.
    fn finish(&self, work: &Work, limits: Limits, made: &mut Expanded) -> bool {
        let space = self.space;
        made.bounds += 1;
        let (bound, blocks) = self.bound(work);
        if bound >= limits.below {
            made.tie(bound, limits, || work.places.clone());
            return false;
        }
        let solved = &space.columns[space.solved].legal;
        let is_settled = solved.applicators(&work.places[space.solved]).is_empty();
        let partition = |column: usize| match column == space.solved && !is_settled {
            true => blocks.clone(),
            false => space.columns[column].legal.finest(&work.places[column]),
        };
        let release = space.release((0..work.places.len()).map(partition).collect());
        // Other requirements than k, a limit on suppression, or a loss without a bound may make the
        // release dearer than its bound, or no release at all.
        let is_solved = space.model.is_known()
            && release.as_ref().is_some_and(|release| {
                let cost = space.model.sum(release.cost);
                cost <= bound + bound.abs().max(1.0) * ROUNDING
            });
        super::seed::better(&mut made.release, release);
        if is_solved && !is_settled {
            // Another partition of the solved column may cost the same.
            made.tied.push((bound, work.places.clone()));
        }
        !is_solved && !is_settled
    }

    fn is_open(&self, work: &Work, of: &Of) -> bool {
        self.applicators(&work.places, &[of.0]).contains(of)
    }

    /// The bound with an applicator applied or not; infinite where that cannot be.
    fn tried(&self, work: &Work, of: Of, applied: bool, limit: f64, made: &mut Expanded) -> f64 {
        let Some(decided) = self.decided(&work.places, of, applied) else {
            return f64::INFINITY;
        };
        made.bounds += 1;
        let bound = self.bound_with(work, of.0, &decided);
        let rise = rise(work.least, bound, limit);
        made.seen.push((of, applied, rise));
        bound
    }

    /// Applies an applicator or its opposite for good; says whether that can be.
    fn settle(&self, work: &mut Work, of: Of, applied: bool) -> bool {
        let Some(decided) = self.decided(&work.places, of, applied) else {
            return false;
        };
        work.views[of.0] = self.space.view(of.0, &decided);
        work.places[of.0] = Arc::new(decided);
        true
    }

    /// Tries some applicators, and divides by the best of them. Says whether the node is done with; if
    /// not, something was settled that makes it worth another look.
    fn divide(
        &self,
        work: &mut Work,
        mut open: Vec<Of>,
        depth: u32,
        limits: Limits,
        (worth, run): (&Worth, &Run),
        made: &mut Expanded,
    ) -> bool {
        let limit = limits.below;
        let tie = |work: &Work, of: Of, applied: bool, bound: f64, made: &mut Expanded| {
            if limits.ties(bound)
                && let Some(decided) = self.decided(&work.places, of, applied)
            {
                let mut places = work.places.clone();
                places[of.0] = Arc::new(decided);
                made.tied.push((bound, places));
            }
        };
        let is_known = self.space.model.is_known();
        if self.settings.order_columns && is_known {
            open.sort_by(|a, b| worth.score(b).total_cmp(&worth.score(a)));
        }
        let tries = match self.settings.prune_useless && is_known {
            // At the root all are tried, where that is soon done: what is useless there is useless
            // everywhere.
            true if depth == 0 && self.space.is_soon_solved() => open.len(),
            true => TRIED,
            false => 0,
        };
        let mut best: Option<(f64, Of, f64, Option<f64>)> = None;
        let mut settled = false;
        for of in open.iter().take(tries) {
            // What was settled on the way may have settled this too.
            if !self.is_open(work, of) {
                continue;
            }
            if run.is_over() {
                // It stays open, with what was settled on the way.
                made.children.push((work.least, true, work.places.clone()));
                return true;
            }
            let with = self.tried(work, *of, true, limit, made);
            let both = self.way == Way::Both;
            let without = both.then(|| self.tried(work, *of, false, limit, made));
            match (with < limit, without.is_none_or(|without| without < limit)) {
                (true, true) => {
                    let other = match without {
                        Some(without) => rise(work.least, without, limit),
                        None => worth.side(of, 0).unwrap_or(0.0),
                    };
                    let score = product(rise(work.least, with, limit), other);
                    if best.as_ref().is_none_or(|(most, ..)| score > *most) {
                        best = Some((score, *of, with, without));
                    }
                }
                (false, false) => {
                    tie(work, *of, true, with, made);
                    tie(work, *of, false, without.unwrap_or(f64::INFINITY), made);
                    return true;
                }
                // Useless, or useful: one side is all there is.
                (applied, _) => {
                    let other = if applied { without } else { Some(with) };
                    tie(work, *of, !applied, other.unwrap_or(f64::INFINITY), made);
                    let bound = if applied { Some(with) } else { without };
                    work.least = work.least.max(bound.unwrap_or(0.0));
                    if !self.settle(work, *of, applied) {
                        return true;
                    }
                    settled = true;
                }
            }
        }
        if settled && depth == 0 {
            // At the root the rest is looked at again with what was settled.
            return false;
        }
        let (of, with, without) = match best {
            Some((_, of, with, without)) if self.is_open(work, &of) => (of, with, without),
            _ if settled => return false,
            _ => (open[0], work.least, None),
        };
        let without = match without {
            Some(without) => without,
            None if tries > 0 => self.tried(work, of, false, limit, made),
            None => work.least,
        };
        if without >= limit && is_known {
            // Useful: it must be applied.
            tie(work, of, false, without, made);
            work.least = with.max(work.least);
            return !self.settle(work, of, true);
        }
        for (applied, bound) in [(true, with), (false, without)] {
            if let Some(decided) = self.decided(&work.places, of, applied) {
                let mut places = work.places.clone();
                places[of.0] = Arc::new(decided);
                let bound = bound.max(work.least);
                made.children.push((bound, tries > 0, places));
            }
        }
        true
    }
}
