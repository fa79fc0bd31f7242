//! One thread's place in the walk: the levels it stands at, and the classes on the way there.
//!
//! `lists[p]` holds, for levels of column `p`, the classes with the columns before `p` at their
//! present levels, `p` at that level and the rest at their lowest. They are made when a choice asks
//! for them, and forgotten when a column before `p` moves.

use std::ops::Range;

use super::rollup::{Key, Rolled, Scratch};
use super::walk::Walk;

/// A thread's place.
pub(super) struct Cursor<'a, K> {
    walk: &'a Walk<'a, K>,
    levels: Vec<usize>,
    /// `costs[p]` is what the columns before `p` cost where nothing is suppressed.
    costs: Vec<f64>,
    lists: Vec<Vec<Option<Rolled<K>>>>,
    scratch: Scratch<K>,
    /// How many places stand still within a task.
    depth: usize,
}

impl<'a, K: Key> Cursor<'a, K> {
    /// A cursor at no place yet.
    pub fn new(walk: &'a Walk<'a, K>, depth: usize) -> Self {
        let heights = &walk.lattice.heights;
        Cursor {
            walk,
            levels: vec![usize::MAX; heights.len()],
            costs: vec![0.0; heights.len() + 1],
            lists: heights.iter().map(|levels| vec![None; *levels]).collect(),
            scratch: Scratch::new(),
            depth,
        }
    }

    /// Visits the choices of a range of numbers, which have the first columns' levels in common, from
    /// the highest down.
    pub fn visit_down(&mut self, nodes: Range<usize>) {
        let Range { start, end } = nodes;
        for node in (start..end).rev() {
            self.stand_at(node, node + 1 == end);
            let cost = self.costs[self.levels.len()];
            if self.walk.is_wanted(node, &self.levels, cost) {
                let place = self.levels.len() - 1;
                self.make(place);
                let list = list(self.walk, &self.lists, &self.levels, place);
                self.walk.visit(node, &self.levels, cost, list);
            }
        }
    }

    /// Moves to a choice, and forgets what no longer holds.
    fn stand_at(&mut self, node: usize, anew: bool) {
        let lattice = self.walk.lattice;
        let mut moved = self.levels.len();
        // Only the last columns move from one number to the next, but for a new task.
        let from = if anew { 0 } else { self.depth };
        for place in (from..self.levels.len()).rev() {
            let level = lattice.level(node, place);
            if self.levels[place] != level {
                self.levels[place] = level;
                moved = place;
            } else if !anew {
                break;
            }
        }
        for place in moved..self.levels.len() {
            let own = lattice.unsuppressed(place, self.levels[place]);
            self.costs[place + 1] = self.costs[place] + own;
            if place > moved {
                self.lists[place].iter_mut().for_each(|list| *list = None);
            }
        }
    }

    /// Makes the classes at the present levels up to a place, where they are not there.
    fn make(&mut self, place: usize) {
        let level = self.levels[place];
        if place > 0 {
            self.make(place - 1);
        }
        if level == 0 || self.lists[place][level].is_some() {
            return;
        }
        let below = |from: usize| self.lists[place][from].is_some();
        let from = (1..level).rev().find(|from| below(*from)).unwrap_or(0);
        let finer = match &self.lists[place][from] {
            Some(list) => list,
            None if place == 0 => &self.walk.base,
            None => list(self.walk, &self.lists, &self.levels, place - 1),
        };
        let fields = self.walk.fields;
        let coarser = finer.up(fields, place, level, &mut self.scratch);
        self.lists[place][level] = Some(coarser);
    }
}

/// The classes up to a place: a column at its lowest level leaves those before it as they are.
fn list<'l, K: Key>(
    walk: &'l Walk<'_, K>,
    lists: &'l [Vec<Option<Rolled<K>>>],
    levels: &[usize],
    place: usize,
) -> &'l Rolled<K> {
    (0..=place)
        .rev()
        .find_map(|place| lists[place][levels[place]].as_ref())
        .unwrap_or(&walk.base)
}
