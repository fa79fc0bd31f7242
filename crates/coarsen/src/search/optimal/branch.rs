//! How a node is divided: by one applicator, two blocks together or apart (seed 004, sections 3.2, 4.3
//! and 4.4).
//!
//! Bottom-up the applicators are merges, top-down they are splits. Some are tried before one is chosen:
//! where applying one costs as much as the best release, it is *useless*, and its opposite holds for all
//! that lies below; where its opposite does, it is *useful*, and is applied. The one that raises the
//! bounds of both its sides the most is branched on (the paper's rearrangement, by what was seen to help
//! rather than by how many classes are merged).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Settings;
use super::column::View;
use super::frontier::{Node, ROUNDING};
use super::space::{Places, Release, Space};
use super::table::Table;
use crate::domain::scheme::{Applicator, Decided, Direction};
use crate::search::Run;

/// How many applicators are tried at a node beside the first.
const TRIED: usize = 6;

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

    /// A guess of what both sides gain; the greater the better.
    fn score(&self, of: &Of) -> f64 {
        let mean = |slot: Option<&[(f64, f64); 2]>, side: usize| {
            let (sum, count) = slot?[side];
            (count > 0.0).then(|| sum / count)
        };
        let side = |side: usize| {
            mean(self.of.get(of), side)
                .or_else(|| mean(self.of_column.get(&of.0), side))
                .unwrap_or(0.0)
        };
        product(side(0), side(1))
    }
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
    pub release: Option<Release>,
    pub bounds: u64,
    pub seen: Vec<Seen>,
}

/// How nodes are divided.
pub(super) struct Branching<'a> {
    pub space: &'a Space<'a>,
    pub settings: &'a Settings,
    pub direction: Direction,
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
    pub fn expand(&self, node: &Node, limit: f64, worth: &Worth, run: &Run) -> Expanded {
        let mut made = Expanded::default();
        let views = self.space.views(&node.places);
        let mut work = Work {
            table: self.space.merged(&self.table, &views),
            places: node.places.clone(),
            views,
            least: node.bound,
        };
        if !node.own {
            made.bounds += 1;
            work.least = self.bound(&work).0.max(node.bound);
            if work.least >= limit {
                return made;
            }
            if self.settings.defer {
                made.bounded = Some(work.least);
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
            if open.is_empty() && !self.finish(&work, limit, &mut made) {
                return made;
            }
            if open.is_empty() {
                open = self.applicators(&work.places, &[self.space.solved]);
            }
            if open.is_empty() || self.divide(&mut work, open, node.depth, limit, worth, &mut made)
            {
                return made;
            }
        }
    }

    fn bound(&self, work: &Work) -> (f64, Vec<u32>) {
        let views: Vec<&View> = work.views.iter().collect();
        let solved = &work.places[self.space.solved];
        self.space.bound(&work.table, &views, solved)
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
        let bound = self.space.bound(&work.table, &views, solved);
        bound.0.max(work.least)
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
        match (self.direction == Direction::Merging) == applied {
            true => legal.together(before, applicator),
            false => Some(legal.apart(before, applicator)),
        }
    }

    /// All columns but the solved one are settled: its best partition is a release. Says whether there
    /// may be a better one.
    fn finish(&self, work: &Work, limit: f64, made: &mut Expanded) -> bool {
        let space = self.space;
        made.bounds += 1;
        let (bound, blocks) = self.bound(work);
        if bound >= limit {
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
        !is_solved && !is_settled
    }

    /// Tries some applicators, and divides by the best of them. Says whether the node is done with; if
    /// not, something was settled that makes it worth another look.
    fn divide(
        &self,
        work: &mut Work,
        mut open: Vec<Of>,
        depth: u32,
        limit: f64,
        worth: &Worth,
        made: &mut Expanded,
    ) -> bool {
        let is_known = self.space.model.is_known();
        if self.settings.order_columns && is_known {
            open.sort_by(|a, b| worth.score(b).total_cmp(&worth.score(a)));
        }
        let tries = match self.settings.prune_useless && is_known {
            // At the root all are tried: what is useless there is useless everywhere.
            true if depth == 0 => open.len(),
            true => TRIED,
            false => 0,
        };
        let mut best: Option<(f64, Of, f64, Option<f64>)> = None;
        let mut settled = false;
        for of in open.iter().take(tries) {
            let (column, _) = *of;
            // What was settled on the way may have settled this too.
            if !self.applicators(&work.places, &[column]).contains(of) {
                continue;
            }
            let mut rises = [0.0; 2];
            let mut bounds = [f64::INFINITY; 2];
            for applied in [true, false] {
                if let Some(decided) = self.decided(&work.places, *of, applied) {
                    made.bounds += 1;
                    let bound = self.bound_with(work, column, &decided);
                    bounds[usize::from(applied)] = bound;
                }
                let rise = (bounds[usize::from(applied)].min(limit) - work.least) / limit;
                rises[usize::from(applied)] = if rise.is_finite() { rise } else { 1.0 };
                made.seen.push((*of, applied, rises[usize::from(applied)]));
            }
            let [without, with] = bounds;
            match (without < limit, with < limit) {
                (false, false) => return true,
                (true, true) => {
                    let score = product(rises[0], rises[1]);
                    if best.as_ref().is_none_or(|(most, ..)| score > *most) {
                        best = Some((score, *of, with, Some(without)));
                    }
                }
                (_, applied) => {
                    // Useless, or useful: one side is all there is.
                    let Some(decided) = self.decided(&work.places, *of, applied) else {
                        return true;
                    };
                    work.least = if applied { with } else { without };
                    work.views[column] = self.space.view(column, &decided);
                    work.places[column] = Arc::new(decided);
                    settled = true;
                }
            }
        }
        let still = |of: &Of| self.applicators(&work.places, &[of.0]).contains(of);
        let chosen = match best {
            Some((_, of, with, without)) if still(&of) => (of, with, without),
            _ if settled => return false,
            _ => (open[0], work.least, None),
        };
        if settled && depth == 0 {
            // The rest of the root is looked at again with what was settled.
            return false;
        }
        let (of, with, without) = chosen;
        let bounds = [(true, with), (false, without.unwrap_or(work.least))];
        for (applied, bound) in bounds {
            let Some(decided) = self.decided(&work.places, of, applied) else {
                continue;
            };
            let bound = bound.max(work.least);
            if bound < limit || !is_known {
                let mut places = work.places.clone();
                places[of.0] = Arc::new(decided);
                made.children.push((bound, tries > 0, places));
            }
        }
        true
    }
}
