//! The search where no row may be suppressed: what a level choice costs is then known without counting,
//! so the cheapest choice that no row contradicts is the best.
//!
//! A *witness* is a combination of the data. For each other combination, the levels at which the two
//! first agree, column by column, are one choice of the lattice; the witness's class at a choice holds
//! just those that agree there or below. So one pass over the combinations and one running sum along
//! each column give the size of the witness's class at every choice at once, and every choice where it
//! is below k is out. What is left is taken from the cheapest on: counted whole, it is the best, or it
//! has a class that falls short, which gives the next witness. The paper lists all choices and counts
//! each; Incognito and Flash count along chains of them.

use super::nodes::{Costs, Lattice};
use super::walk::{Found, SAME, Walked};
use crate::problem::Problem;
use crate::search::{Cancelled, Progress, Run};

/// Classes are counted in a table of their own numbers up to this size, in a map beyond it.
const MOST_NUMBERS: usize = 1 << 18;

struct Sieve<'a> {
    problem: &'a Problem,
    lattice: &'a Lattice,
    k: u32,
    rows: Vec<u32>,
    /// What each choice costs.
    cost: Vec<f64>,
    /// Whether some witness stands out at it.
    is_out: Vec<bool>,
    /// How rare each combination's values are, column by column: the rarest make the best witnesses.
    rarity: Vec<f32>,
    /// Room for a number of each combination, and for a count of each number.
    number: Vec<u32>,
    counted: Vec<u32>,
    passed: u64,
}

/// Finds every choice of least cost.
pub(super) fn sieve(
    problem: &Problem,
    lattice: &Lattice,
    costs: &Costs,
    run: &Run<'_>,
) -> Result<Walked, Cancelled> {
    let mut sieve = Sieve::new(problem, lattice, costs);
    let mut ties: Vec<Found> = Vec::new();
    let mut over = false;
    if let Some(rarest) = sieve.rarest(0..problem.counts.combinations()) {
        sieve.pass(rarest);
    }
    let bound = loop {
        run.check()?;
        let Some(node) = sieve.cheapest() else {
            break f64::INFINITY;
        };
        let cost = sieve.cost[node];
        if ties.first().is_some_and(|best| cost > best.cost + SAME) {
            break cost;
        }
        if run.is_over() {
            // Nothing can be released without a solution; the next best is nearer than the top.
            if ties.is_empty() {
                ties.extend(sieve.climb(node));
            }
            over = true;
            break cost;
        }
        run.report(Progress {
            done: sieve.passed,
            of: None,
            cost: Some(cost),
        });
        match sieve.witness(node) {
            Some(witness) => sieve.pass(witness),
            None => {
                sieve.is_out[node] = true;
                ties.push(Found {
                    node,
                    cost,
                    suppressed: 0,
                });
            }
        }
    };
    ties.sort_by_key(|found| found.node);
    let best = ties
        .iter()
        .map(|found| found.cost)
        .fold(f64::INFINITY, f64::min);
    Ok(Walked {
        ties,
        over,
        bound: bound.min(best),
    })
}

impl<'a> Sieve<'a> {
    fn new(problem: &'a Problem, lattice: &'a Lattice, costs: &Costs) -> Self {
        let counts = &problem.counts;
        let mut cost = vec![0.0];
        for column in &costs.column {
            cost = (cost.iter())
                .flat_map(|before| column.iter().map(move |own| before + own))
                .collect();
        }
        let total = counts.total() as f32;
        let mut rarity = vec![0.0; counts.combinations()];
        for (column, attribute) in problem.attributes.iter().enumerate() {
            // The share of the rows that agree, over the levels below the top: outliers high up count.
            let marginal = counts.marginal(column, attribute.domain.size());
            let mut of_code = vec![0.0; attribute.domain.size()];
            let levels = attribute.hierarchy.levels();
            for level in &levels[..levels.len() - 1] {
                let mut rows = vec![0; level.nodes.len()];
                for (node, own) in level.node_of.iter().zip(&marginal) {
                    rows[*node as usize] += own;
                }
                for (of_code, node) in of_code.iter_mut().zip(&level.node_of) {
                    *of_code += (rows[*node as usize] as f32 / total).ln();
                }
            }
            for (rarity, code) in rarity.iter_mut().zip(counts.codes(column)) {
                *rarity += of_code[*code as usize];
            }
        }
        Sieve {
            problem,
            lattice,
            k: u32::try_from(problem.k()).unwrap_or(u32::MAX),
            rows: (counts.rows().iter())
                .map(|rows| u32::try_from(*rows).unwrap_or(u32::MAX))
                .collect(),
            is_out: vec![false; cost.len()],
            cost,
            rarity,
            number: Vec::new(),
            counted: Vec::new(),
            passed: 0,
        }
    }

    /// The cheapest choice that is left; of equals the first.
    fn cheapest(&self) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (node, (cost, is_out)) in self.cost.iter().zip(&self.is_out).enumerate() {
            if !is_out && best.is_none_or(|best| *cost < self.cost[best]) {
                best = Some(node);
            }
        }
        best
    }

    fn rarest(&self, combinations: impl Iterator<Item = usize>) -> Option<usize> {
        combinations.min_by(|a, b| self.rarity[*a].total_cmp(&self.rarity[*b]))
    }

    /// Takes out every choice at which a combination stands out.
    fn pass(&mut self, witness: usize) {
        let counts = &self.problem.counts;
        self.passed += 1;
        self.number.clear();
        self.number.resize(counts.combinations(), 0);
        for (place, column) in self.lattice.order.iter().enumerate() {
            let levels = self.problem.attributes[*column].hierarchy.levels();
            let stride = self.lattice.strides[place] as u32;
            let own = counts.codes(*column)[witness] as usize;
            let meets: Vec<u32> = (0..levels[0].node_of.len())
                .map(|code| {
                    let agrees = levels
                        .iter()
                        .position(|l| l.node_of[code] == l.node_of[own]);
                    agrees.expect("all values agree at the top") as u32 * stride
                })
                .collect();
            for (number, code) in self.number.iter_mut().zip(counts.codes(*column)) {
                *number += meets[*code as usize];
            }
        }
        self.counted.clear();
        self.counted.resize(self.lattice.nodes, 0);
        for (number, rows) in self.number.iter().zip(&self.rows) {
            let count = &mut self.counted[*number as usize];
            *count = count.saturating_add(*rows);
        }
        for (stride, height) in self.lattice.strides.iter().zip(&self.lattice.heights) {
            for block in self.counted.chunks_exact_mut(stride * height) {
                for level in 1..*height {
                    let (finer, coarser) = block.split_at_mut(level * stride);
                    let finer = &finer[(level - 1) * stride..];
                    for (coarser, finer) in coarser.iter_mut().zip(finer) {
                        *coarser = coarser.saturating_add(*finer);
                    }
                }
            }
        }
        for (is_out, count) in self.is_out.iter_mut().zip(&self.counted) {
            *is_out |= *count < self.k;
        }
    }

    /// The rarest combination in a class that falls short at a choice; none where all hold.
    fn witness(&mut self, node: usize) -> Option<usize> {
        let counts = &self.problem.counts;
        let levels = self.lattice.levels(node);
        let level = |column: usize| {
            self.problem.attributes[column]
                .hierarchy
                .level(levels[column])
        };
        let numbers: f64 = (0..levels.len())
            .map(|c| level(c).nodes.len() as f64)
            .product();
        if numbers > MOST_NUMBERS as f64 {
            return self.witness_by_map(&levels);
        }
        self.number.clear();
        self.number.resize(counts.combinations(), 0);
        let mut stride = 1;
        for column in 0..levels.len() {
            let level = level(column);
            if level.nodes.len() == 1 {
                continue;
            }
            let of_code: Vec<u32> = level.node_of.iter().map(|node| node * stride).collect();
            for (number, code) in self.number.iter_mut().zip(counts.codes(column)) {
                *number += of_code[*code as usize];
            }
            stride *= level.nodes.len() as u32;
        }
        self.counted.clear();
        self.counted.resize(stride as usize, 0);
        for (number, rows) in self.number.iter().zip(&self.rows) {
            let count = &mut self.counted[*number as usize];
            *count = count.saturating_add(*rows);
        }
        let is_short = |c: &usize| self.counted[self.number[*c] as usize] < self.k;
        self.rarest((0..counts.combinations()).filter(is_short))
    }

    fn witness_by_map(&self, levels: &[usize]) -> Option<usize> {
        let counts = &self.problem.counts;
        let maps: Vec<&[u32]> = (self.problem.attributes.iter().zip(levels))
            .map(|(attribute, level)| attribute.hierarchy.level(*level).node_of.as_slice())
            .collect();
        let grouping = crate::counts::group(counts, &maps);
        let mut rows = vec![0u32; grouping.classes];
        for (class, own) in grouping.class_of.iter().zip(&self.rows) {
            let count = &mut rows[*class as usize];
            *count = count.saturating_add(*own);
        }
        let is_short = |c: &usize| rows[grouping.class_of[*c] as usize] < self.k;
        self.rarest((0..counts.combinations()).filter(is_short))
    }

    /// A choice above another at which all classes hold: up a level at a time, the least costly first.
    fn climb(&mut self, mut node: usize) -> Option<Found> {
        while self.is_out[node] || self.witness(node).is_some() {
            let above = (0..self.lattice.order.len()).filter_map(|place| {
                let is_below_top =
                    self.lattice.level(node, place) + 1 < self.lattice.heights[place];
                is_below_top.then(|| node + self.lattice.strides[place])
            });
            node = above.min_by(|a, b| self.cost[*a].total_cmp(&self.cost[*b]))?;
        }
        Some(Found {
            node,
            cost: self.cost[node],
            suppressed: 0,
        })
    }
}
