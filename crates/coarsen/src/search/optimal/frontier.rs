//! The nodes that are still open, and the work on them: the one with the least bound first, and
//! depth-first once there are too many (seed 004, sections 3.2 and 4.4).
//!
//! Nodes are taken in rounds of a fixed number, expanded on all threads against the best release at the
//! round's start, and put back in order: the outcome does not depend on the number of threads.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::Settings;
use super::branch::{Branching, Expanded, Worth};
use super::seed::{better, improved_at_any_price};
use super::space::{Places, Release, Space};
use super::ties::Limits;
use crate::search::{Cancelled, Progress, Run};

/// Nodes in a round.
const ROUND: usize = 32;
/// Every so many rounds the first node is dived from, and the next time after twice as many.
const FIRST_DIVE: u64 = 4;

/// A part of the space.
pub(super) struct Node {
    pub bound: f64,
    /// Whether the bound is its own, not its parent's.
    pub own: bool,
    pub depth: u32,
    pub places: Places,
    number: u64,
    by_bound: bool,
}

/// The greatest is taken first: the least bound (or the oldest), then the latest of equals, which is
/// the deepest.
impl Ord for Node {
    fn cmp(&self, other: &Self) -> Ordering {
        match self.by_bound {
            true => (other.bound.total_cmp(&self.bound)).then(self.number.cmp(&other.number)),
            false => other.number.cmp(&self.number),
        }
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

pub(super) struct Frontier<'a> {
    space: &'a Space<'a>,
    settings: &'a Settings,
    branching: Branching<'a>,
    pub best: Option<Release>,
    open: BinaryHeap<Node>,
    /// What the search goes through depth-first while the queue is full.
    stack: Vec<Node>,
    /// Parts of the space with nothing better than the best, but maybe something as good; none where
    /// they became too many to keep.
    ties: Option<Vec<(f64, Places)>>,
    worth: Worth,
    numbers: u64,
    nodes: u64,
    most_open: usize,
}

impl<'a> Frontier<'a> {
    pub fn new(
        space: &'a Space<'a>,
        settings: &'a Settings,
        branching: Branching<'a>,
        best: Option<Release>,
    ) -> Self {
        let mut frontier = Frontier {
            space,
            settings,
            branching,
            best,
            open: BinaryHeap::new(),
            stack: Vec::new(),
            ties: Some(Vec::new()),
            worth: Worth::default(),
            numbers: 0,
            nodes: 0,
            most_open: 0,
        };
        frontier.put(0.0, false, 0, space.root());
        frontier
    }

    /// How many nodes were bounded.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The most nodes that were open at a time.
    pub fn most_open(&self) -> usize {
        self.most_open
    }

    /// What may hold releases as good as the best: all of the space, where that became too much to know.
    pub fn ties(&mut self) -> Vec<Places> {
        let above = self.limits().above;
        match self.ties.take() {
            Some(ties) => {
                let near = ties.into_iter().filter(|(bound, _)| *bound <= above);
                near.map(|(_, places)| places).collect()
            }
            None => vec![self.space.root()],
        }
    }

    /// A cost that no release goes below; none where the loss states no bound.
    pub fn bound(&self) -> Option<f64> {
        let model = &self.space.model;
        let open = self.open.iter().chain(&self.stack).map(|node| node.bound);
        let least = open.fold(f64::INFINITY, f64::min);
        (model.is_known() && least.is_finite()).then(|| model.told(least))
    }

    /// Works until nothing is open, which is a proof, or the budget is used up.
    pub fn work(&mut self, run: &Run) -> Result<bool, Cancelled> {
        let (mut rounds, mut dive) = (0u64, FIRST_DIVE);
        loop {
            run.check()?;
            let limits = self.limits();
            let mut round = Vec::with_capacity(ROUND);
            while round.len() < ROUND {
                let Some(node) = self.stack.pop().or_else(|| self.open.pop()) else {
                    break;
                };
                if node.bound < limits.below {
                    round.push(node);
                } else {
                    self.keep(node.bound, node.places);
                }
            }
            if round.is_empty() {
                return Ok(true);
            }
            if run.is_over() || self.nodes >= self.settings.nodes {
                self.stack.append(&mut round);
                return Ok(false);
            }
            rounds += 1;
            if rounds == dive && self.settings.seeds > 0 {
                dive *= 2;
                self.dive(&round[0], run);
            }
            let expand = |node: Node| {
                let expanded = self.branching.expand(&node, limits, &self.worth, run);
                (node, expanded)
            };
            let done: Vec<(Node, Expanded)> = round.into_par_iter().map(expand).collect();
            for (node, expanded) in done {
                self.take(node, expanded);
            }
            self.most_open = self.most_open.max(self.open.len() + self.stack.len());
            run.report(Progress {
                done: self.nodes,
                of: None,
                cost: self.best.as_ref().map(|best| best.cost),
            });
        }
    }

    /// Improves the finest release of a node, for a better best.
    fn dive(&mut self, node: &Node, run: &Run) {
        let columns = self.space.columns.iter().zip(&node.places);
        let start = columns.map(|(column, decided)| column.legal.finest(decided));
        let found = improved_at_any_price(self.space, start.collect(), 0, run);
        better(&mut self.best, found);
    }

    /// What nodes are held against.
    fn limits(&self) -> Limits {
        let model = &self.space.model;
        match &self.best {
            Some(best) if model.is_known() => {
                let limits = Limits::of(best, model);
                match self.settings.prune_nodes {
                    true => limits,
                    false => Limits {
                        below: f64::INFINITY,
                        ..limits
                    },
                }
            }
            _ => Limits::NONE,
        }
    }

    /// Keeps a part of the space that may hold something as good as the best.
    fn keep(&mut self, bound: f64, places: Places) {
        let above = self.limits().above;
        let most = self.settings.frontier;
        if !self.settings.settle_ties || bound > above || !self.space.model.is_known() {
            return;
        }
        if let Some(ties) = &mut self.ties {
            ties.push((bound, places));
            if ties.len() > most {
                ties.retain(|(bound, _)| *bound <= above);
                if ties.len() > most {
                    self.ties = None;
                }
            }
        }
    }

    fn put(&mut self, bound: f64, own: bool, depth: u32, places: Places) {
        let node = Node {
            bound,
            own,
            depth,
            number: self.numbers,
            places,
            by_bound: self.settings.order_nodes,
        };
        self.numbers += 1;
        if self.open.len() >= self.settings.frontier {
            self.stack.push(node);
        } else {
            self.open.push(node);
        }
    }

    fn take(&mut self, node: Node, expanded: Expanded) {
        self.nodes += expanded.bounds;
        for seen in expanded.seen {
            self.worth.note(seen);
        }
        better(&mut self.best, expanded.release);
        for (bound, places) in expanded.tied {
            self.keep(bound, places);
        }
        if let Some(bound) = expanded.bounded {
            self.put(bound, true, node.depth, node.places);
        }
        for (bound, own, places) in expanded.children {
            self.put(bound, own, node.depth + 1, places);
        }
    }
}
