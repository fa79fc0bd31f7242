//! The nodes that are still open, and the work on them: the one with the least bound first, and
//! depth-first once there are too many (seed 004, sections 3.2 and 4.4).
//!
//! Nodes are taken in rounds of a fixed number, expanded on all threads against the best release at the
//! round's start, and put back in order: the outcome does not depend on the number of threads.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::Settings;
use super::space::{Place, Release, Space};
use crate::search::{Cancelled, Progress, Run};

/// Nodes in a round.
const ROUND: usize = 32;
/// Floating point may put two equal costs this far apart, as a share.
const ROUNDING: f64 = 1e-10;

struct Node {
    bound: f64,
    /// Whether the bound is its own, not its parent's.
    own: bool,
    number: u64,
    places: Vec<Place>,
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
    pub best: Option<Release>,
    open: BinaryHeap<Node>,
    /// What the search goes through depth-first while the queue is full.
    stack: Vec<Node>,
    /// The least bound of nodes that could not be divided further.
    left: f64,
    numbers: u64,
    nodes: u64,
}

/// What came of a node.
#[derive(Default)]
struct Expanded {
    /// Its bound, where that was all that was done.
    bounded: Option<f64>,
    children: Vec<(f64, bool, Vec<Place>)>,
    release: Option<Release>,
    left: Option<f64>,
    bounds: u64,
}

impl<'a> Frontier<'a> {
    pub fn new(space: &'a Space<'a>, settings: &'a Settings, best: Option<Release>) -> Self {
        let mut frontier = Frontier {
            space,
            settings,
            best,
            open: BinaryHeap::new(),
            stack: Vec::new(),
            left: f64::INFINITY,
            numbers: 0,
            nodes: 0,
        };
        frontier.put(0.0, false, space.root());
        frontier
    }

    /// How many nodes were bounded.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A cost that no release goes below; none where the loss states no bound.
    pub fn bound(&self) -> Option<f64> {
        let model = &self.space.model;
        let open = self.open.iter().chain(&self.stack).map(|node| node.bound);
        let least = open.fold(self.left, f64::min);
        (model.is_known() && least.is_finite()).then(|| model.told(least))
    }

    /// Works until nothing is open, which is a proof, or the budget is used up.
    pub fn work(&mut self, run: &Run) -> Result<bool, Cancelled> {
        loop {
            run.check()?;
            let limit = self.limit();
            let mut round = Vec::with_capacity(ROUND);
            while round.len() < ROUND {
                let Some(node) = self.stack.pop().or_else(|| self.open.pop()) else {
                    break;
                };
                if node.bound < limit {
                    round.push(node);
                }
            }
            if round.is_empty() {
                // What could not be divided is proven all the same where the best is no worse.
                return Ok(self.left >= limit);
            }
            if run.is_over() || self.nodes >= self.settings.nodes {
                self.stack.append(&mut round);
                return Ok(false);
            }
            let expand = |node: Node| {
                let expanded = self.expand(&node, limit, run);
                (node, expanded)
            };
            let done: Vec<(Node, Expanded)> = round.into_par_iter().map(expand).collect();
            for (node, expanded) in done {
                self.take(node, expanded);
            }
            run.report(Progress {
                done: self.nodes,
                of: None,
                cost: self.best.as_ref().map(|best| best.cost),
            });
        }
    }

    /// Nodes with a bound from here on hold nothing better than the best release.
    fn limit(&self) -> f64 {
        let model = &self.space.model;
        match &self.best {
            Some(best) if model.is_known() && self.settings.prune_nodes => {
                model.sum(best.cost) * (1.0 - ROUNDING)
            }
            _ => f64::INFINITY,
        }
    }

    fn put(&mut self, bound: f64, own: bool, places: Vec<Place>) {
        let node = Node {
            bound,
            own,
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
        if let Some(bound) = expanded.bounded {
            self.put(bound, true, node.places);
        }
        if let Some(left) = expanded.left {
            self.left = self.left.min(left);
        }
        if let Some(release) = expanded.release
            && self
                .best
                .as_ref()
                .is_none_or(|best| release.cost < best.cost)
        {
            self.best = Some(release);
        }
        for (bound, own, places) in expanded.children {
            self.put(bound, own, places);
        }
    }

    fn expand(&self, node: &Node, limit: f64, run: &Run) -> Expanded {
        let mut made = Expanded::default();
        let space = self.space;
        let mut least = node.bound;
        if !node.own {
            made.bounds += 1;
            least = space.bound(&node.places).0.max(node.bound);
            if least >= limit {
                return made;
            }
            if self.settings.defer {
                made.bounded = Some(least);
                return made;
            }
        }
        let mut open = space.order.iter().copied();
        if let Some(column) = open.find(|column| node.places[*column].open) {
            self.divide(node, column, (least, limit), run, &mut made);
            return made;
        }
        let (bound, blocks) = space.bound(&node.places);
        if bound >= limit {
            return made;
        }
        let solved = node.places[space.solved];
        let is_settled = !solved.open;
        let partition = |column: usize| match column == space.solved && !is_settled {
            true => blocks.clone(),
            false => space.partition(column, node.places[column]).to_vec(),
        };
        made.release = space.release((0..node.places.len()).map(partition).collect());
        // Other requirements than k, a limit on suppression, or a loss without a bound may make the
        // release dearer than its bound, or no release at all.
        let is_solved = space.model.is_known()
            && made.release.as_ref().is_some_and(|release| {
                let cost = space.model.sum(release.cost);
                cost <= bound + bound.abs().max(1.0) * ROUNDING
            });
        if !is_solved && !is_settled {
            match space.columns[space.solved].tree {
                Some(_) => self.divide(node, space.solved, (least, limit), run, &mut made),
                None => made.left = Some(least),
            }
        }
        made
    }

    /// The partition at a column's place by itself, and each that comes from it with all that grows
    /// from there.
    fn divide(
        &self,
        node: &Node,
        column: usize,
        (least, limit): (f64, f64),
        run: &Run,
        made: &mut Expanded,
    ) {
        let Some(tree) = &self.space.columns[column].tree else {
            return;
        };
        let at = node.places[column].node;
        let fixed = Place {
            node: at,
            open: false,
        };
        let grown = tree.children[at as usize].iter().map(|child| Place {
            node: *child,
            open: !tree.children[*child as usize].is_empty(),
        });
        for place in std::iter::once(fixed).chain(grown) {
            let mut places = node.places.clone();
            places[column] = place;
            // At the budget's end the branches stay open with the bound they came with.
            if self.settings.prune_useless && !run.is_over() {
                made.bounds += 1;
                let bound = self.space.bound(&places).0.max(least);
                if bound < limit {
                    made.children.push((bound, true, places));
                }
            } else {
                made.children.push((least, false, places));
            }
        }
    }
}
