//! The walk over the lattice: from the top down, every level choice that may still be the best.
//!
//! Two facts prune it. Rows that stand out at some levels stand out at all finer ones (predictive
//! tagging), so what they cost beyond their generalized cells is lost there too; and a choice never
//! costs less than its cells do where nothing is suppressed. A choice whose sum of both is above the
//! best cost known is not counted. Choices are met coarse before fine, so that a node asks its
//! neighbours one level up what is lost already; classes come by roll-up from the nearest finer list
//! on the way. Both hold on any thread: what is pruned depends on luck, what is found does not.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::cursor::Cursor;
use super::nodes::Lattice;
use super::rollup::{Field, Fields, Key, Rolled};
use crate::problem::Problem;
use crate::search::{Cancelled, Progress, Run};

/// Costs nearer than this are ties: they differ by the order of floating-point sums.
pub(super) const SAME: f64 = 1e-9;

/// A level choice that meets the requirements.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Found {
    pub node: usize,
    pub cost: f64,
    pub suppressed: u64,
}

/// What a walk found.
pub(in crate::search) struct Walked {
    /// Every choice of the least cost, by number.
    pub ties: Vec<Found>,
    /// Whether the budget ended it; then, what no choice goes below.
    pub over: bool,
    pub bound: f64,
}

/// Cost and suppressed rows of a choice under every requirement; `None` where it does not hold.
pub(super) type Exact<'a> = &'a (dyn Fn(usize) -> Option<(f64, u64)> + Sync);

/// The walk's shared state.
pub(super) struct Walk<'a, K> {
    pub lattice: &'a Lattice,
    pub fields: &'a Fields,
    run: &'a Run<'a>,
    pub base: Rolled<K>,
    k: u32,
    limit: u64,
    total: f64,
    /// Set where rows below k are not all that may fall short.
    exact: Option<Exact<'a>>,
    /// What suppression adds to a node's cost and to every finer one's, at least; as bits.
    lost: Vec<AtomicU64>,
    best: AtomicU64,
    found: Mutex<Vec<Found>>,
    over: AtomicBool,
    cancelled: AtomicBool,
    skipped: AtomicU64,
}

/// Walks the whole lattice.
pub(super) fn walk<K: Key>(
    problem: &Problem,
    lattice: &Lattice,
    fields: &Fields,
    run: &Run<'_>,
    exact: Option<Exact<'_>>,
) -> Result<Walked, Cancelled> {
    let walk = Walk {
        lattice,
        fields,
        run,
        base: Rolled::<K>::of(&problem.counts, fields, &lattice.order),
        k: u32::try_from(problem.k()).unwrap_or(u32::MAX),
        limit: problem.suppression.rows,
        total: problem.counts.total() as f64,
        exact,
        lost: (0..lattice.nodes).map(|_| AtomicU64::new(0)).collect(),
        best: AtomicU64::new(f64::INFINITY.to_bits()),
        found: Mutex::new(Vec::new()),
        over: AtomicBool::new(false),
        cancelled: AtomicBool::new(false),
        skipped: AtomicU64::new(f64::INFINITY.to_bits()),
    };
    // The tasks are the subtrees under the first two columns' levels, the coarsest first: they are the
    // cheapest to count, and their bounds serve the finer ones.
    let depth = lattice.order.len().min(2);
    let size = lattice.strides[depth - 1];
    let tasks = lattice.nodes / size;
    let taken = AtomicUsize::new(0);
    let work = || {
        let mut cursor = Cursor::new(&walk, depth);
        loop {
            let task = taken.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                break;
            }
            let end = lattice.nodes - task * size;
            cursor.visit_down(end - size..end);
        }
    };
    rayon::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
        work();
    });
    if walk.cancelled.into_inner() {
        return Err(Cancelled);
    }
    let best = f64::from_bits(walk.best.into_inner());
    let over = walk.over.into_inner();
    let mut ties = walk.found.into_inner().unwrap_or_default();
    ties.retain(|found| found.cost <= best + SAME);
    ties.sort_by_key(|found| found.node);
    let skipped = f64::from_bits(walk.skipped.into_inner());
    Ok(Walked {
        ties,
        over,
        bound: best.min(skipped),
    })
}

impl<K: Key> Walk<'_, K> {
    fn best(&self) -> f64 {
        f64::from_bits(self.best.load(Ordering::Relaxed))
    }

    /// Keeps the least of a cost and what is there. Costs are not negative, so their bits are in order.
    fn lower(slot: &AtomicU64, cost: f64) {
        slot.fetch_min(cost.to_bits(), Ordering::Relaxed);
    }

    /// What is lost by suppression at this node at least, by what its coarser neighbours know.
    fn lost_above(&self, node: usize, levels: &[usize]) -> f64 {
        let lattice = self.lattice;
        let mut most = 0;
        for (place, level) in levels.iter().enumerate() {
            if level + 1 < lattice.heights[place] {
                let above = &self.lost[node + lattice.strides[place]];
                most = most.max(above.load(Ordering::Relaxed));
            }
        }
        f64::from_bits(most)
    }

    /// Whether a choice may still be the best; if not, it is settled.
    pub fn is_wanted(&self, node: usize, levels: &[usize], unsuppressed: f64) -> bool {
        let lost = self.lost_above(node, levels);
        if lost > 0.0 {
            self.lost[node].fetch_max(lost.to_bits(), Ordering::Relaxed);
        }
        let least = unsuppressed + lost;
        if least > self.best() + SAME || lost == f64::INFINITY {
            return false;
        }
        if self.stopped() {
            Self::lower(&self.skipped, least);
            return false;
        }
        true
    }

    /// Counts a choice from its classes.
    pub fn visit(&self, node: usize, levels: &[usize], unsuppressed: f64, list: &Rolled<K>) {
        let short = list.rows.iter().filter(|rows| **rows < self.k);
        let short: u64 = short.map(|rows| u64::from(*rows)).sum();
        if short > self.limit {
            self.lost[node].store(f64::INFINITY.to_bits(), Ordering::Relaxed);
            return;
        }
        let lost = if short == 0 {
            0.0
        } else {
            self.suppressed(levels, list)
        };
        self.lost[node].fetch_max(lost.to_bits(), Ordering::Relaxed);
        let cost = unsuppressed + lost;
        if cost > self.best() + SAME {
            return;
        }
        let (cost, suppressed) = match self.exact {
            None => (cost, short),
            Some(exact) => match exact(node) {
                Some(exact) => exact,
                None => return,
            },
        };
        if cost <= self.best() + SAME {
            Self::lower(&self.best, cost);
            if let Ok(mut found) = self.found.lock() {
                found.push(Found {
                    node,
                    cost,
                    suppressed,
                });
            }
            self.run.report(Progress {
                done: (self.lattice.nodes - node) as u64,
                of: Some(self.lattice.nodes as u64),
                cost: Some(self.best()),
            });
        }
    }

    fn stopped(&self) -> bool {
        if self.run.check().is_err() {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        // A first solution is worth more than the budget: nothing can be released without one.
        if self.best().is_finite() && self.run.is_over() {
            self.over.store(true, Ordering::Relaxed);
        }
        self.over.load(Ordering::Relaxed) || self.cancelled.load(Ordering::Relaxed)
    }

    /// What suppressing the rows below k adds to the cost of a node.
    fn suppressed(&self, levels: &[usize], list: &Rolled<K>) -> f64 {
        let Some(costs) = &self.lattice.costs else {
            return 0.0;
        };
        let cells: Vec<(Field, &[f64])> = (self.fields.at(levels).into_iter())
            .zip(costs.cell.iter().zip(levels))
            .map(|(field, (cell, level))| (field, cell[*level].as_slice()))
            .collect();
        let mut added = 0.0;
        for (key, rows) in list.keys.iter().zip(&list.rows) {
            if *rows < self.k {
                let cells = cells.iter();
                let cost: f64 = cells.map(|(field, costs)| costs[key.field(*field)]).sum();
                added += f64::from(*rows) * (1.0 - cost).max(0.0);
            }
        }
        added / self.total
    }
}
