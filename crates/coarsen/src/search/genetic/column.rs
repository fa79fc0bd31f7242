//! One column of a chromosome: its units, the bits between them, and what a block of units costs.

use std::sync::atomic::{AtomicU64, Ordering};

use super::ends::{Discretize, in_the_tree, on_the_line};
use super::repair::{Rule, Tree};
use crate::domain::scheme::Legal;
use crate::domain::{Attribute, Block, Code, Measure, Partition};
use crate::policy::Scheme;
use crate::problem::Problem;
use crate::search::SearchError;

/// What the cells of a block cost: how much of it is LM, how much height in the hierarchy (Prec).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CellCost {
    pub lm: f64,
    pub height: f64,
}

impl CellCost {
    /// Whether cells cost nothing by themselves.
    pub fn is_free(self) -> bool {
        self == CellCost::default()
    }

    /// What a suppressed cell costs.
    pub fn suppressed(self) -> f64 {
        self.lm + self.height
    }

    /// Infinite where a block is no node and its height is asked.
    fn of(self, block: &Block) -> f64 {
        let height = match self.height {
            0.0 => 0.0,
            share => share * block.height.unwrap_or(f64::INFINITY),
        };
        self.lm * block.lm + height
    }
}

/// How columns become bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The most units of a column.
    pub limit: usize,
    pub discretize: Discretize,
    /// Whether `level` is taken at its word.
    pub whole_levels: bool,
    /// Whether the loss knows only nodes of the hierarchy.
    pub nodes_only: bool,
}

pub(super) struct Column {
    /// The first code of each unit, and the number of codes.
    pub starts: Vec<usize>,
    pub rule: Rule,
    /// The rows before each unit, and all of them.
    pub before: Vec<u64>,
    /// What a cell costs in each run of units, found when first asked for.
    costs: Vec<AtomicU64>,
    share: CellCost,
    /// The heights of the levels, for [`Rule::Levels`].
    heights: Vec<usize>,
    legal: Legal,
}

/// An empty place among the costs. No cost is this.
const UNKNOWN: u64 = u64::MAX;

impl Column {
    /// `share` is what LM and height count in this column.
    pub fn new(
        problem: &Problem,
        place: usize,
        layout: &Layout,
        share: CellCost,
    ) -> Result<Self, SearchError> {
        let attribute = &problem.attributes[place];
        let scheme = effective(attribute, layout);
        let legal = Legal::under(attribute, scheme);
        let starts = match scheme {
            Scheme::Ordered => on_the_line(problem, place, layout.limit, layout.discretize)?,
            _ => in_the_tree(attribute, layout.limit),
        };
        let units = starts.len() - 1;
        let mut heights = Vec::new();
        let rule = match legal.nodes() {
            None => {
                let mut strings = Vec::new();
                for (height, node_of) in legal.levels() {
                    let string = bits_of(&starts, node_of);
                    // A level below the units is none of its own.
                    if strings.last() != Some(&string) {
                        strings.push(string);
                        heights.push(*height);
                    } else if let Some(last) = heights.last_mut() {
                        *last = *height;
                    }
                }
                Rule::Levels(strings)
            }
            _ if scheme == Scheme::Ordered => Rule::Free,
            Some(nodes) => {
                let nodes = nodes.into_iter();
                let places = nodes.filter_map(|places| in_units(&starts, &places));
                Rule::Tree(Tree::new(units, places.collect(), scheme == Scheme::Cut))
            }
        };
        let marginal = problem.counts.marginal(place, attribute.domain.size());
        let mut before = vec![0];
        for ends in starts.windows(2) {
            let rows: u64 = marginal[ends[0]..ends[1]].iter().sum();
            before.push(before[before.len() - 1] + rows);
        }
        let runs = match rule {
            Rule::Levels(ref strings) => strings.len() * units,
            _ => units * (units + 1) / 2,
        };
        let costs = (0..runs).map(|_| AtomicU64::new(UNKNOWN)).collect();
        Ok(Column {
            starts,
            rule,
            before,
            costs,
            share,
            heights,
            legal,
        })
    }

    pub fn units(&self) -> usize {
        self.starts.len() - 1
    }

    /// The level that a string stands for, where only levels are legal.
    fn level(&self, bits: &[bool]) -> Option<usize> {
        match &self.rule {
            Rule::Levels(strings) => strings.iter().position(|string| string == bits),
            _ => None,
        }
    }

    /// Gives every unit its block under a legal string and what a cell of it costs; returns what all
    /// cells of the column cost, suppression left aside, and the number of blocks.
    pub fn lay(
        &self,
        attribute: &Attribute,
        bits: &[bool],
        block_of: &mut Vec<u32>,
        cost_of: &mut Vec<f64>,
    ) -> (f64, usize) {
        block_of.clear();
        cost_of.clear();
        let level = self.level(bits);
        let (mut sum, mut first, mut block) = (0.0, 0, 0);
        // A block ends where the next unit is apart, and where the units do.
        let apart = bits.iter().copied().chain([true]).enumerate().skip(1);
        for (end, _) in apart.filter(|(_, apart)| *apart) {
            let cost = match self.share.is_free() {
                true => 0.0,
                false => self.cost(attribute, level, first, end),
            };
            block_of.resize(end, block);
            cost_of.resize(end, cost);
            sum += cost * (self.before[end] - self.before[first]) as f64;
            first = end;
            block += 1;
        }
        (sum, block as usize)
    }

    /// What a cell costs in the units from `first` up to `end`, which are a block.
    fn cost(&self, attribute: &Attribute, level: Option<usize>, first: usize, end: usize) -> f64 {
        let place = match level {
            Some(level) => level * self.units() + first,
            // Rows of the triangle by their end.
            None => (end - 1) * end / 2 + first,
        };
        let known = self.costs[place].load(Ordering::Relaxed);
        if known != UNKNOWN {
            return f64::from_bits(known);
        }
        let (from, to) = (self.starts[first], self.starts[end]);
        let cost = match level {
            Some(level) => {
                let height = self.heights[level];
                let nodes = attribute.hierarchy.level(height);
                let node = &nodes.nodes[nodes.node_of[from] as usize];
                self.share.of(&attribute.block_of_node(height, node))
            }
            None => self
                .share
                .of(&attribute.block_of_run(from as Code, to as Code)),
        };
        self.costs[place].store(cost.to_bits(), Ordering::Relaxed);
        cost
    }

    /// What is released for a legal string.
    pub fn partition(&self, attribute: &Attribute, bits: &[bool]) -> Partition {
        let mut blocks = vec![0; attribute.domain.size()];
        let mut block = 0;
        for (unit, ends) in self.starts.windows(2).enumerate() {
            block += u32::from(bits[unit]);
            blocks[ends[0]..ends[1]].fill(block);
        }
        self.legal.partition(attribute, &blocks)
    }

    /// The legal string nearest to a partition, whose blocks need be no runs.
    pub fn bits(&self, partition: &Partition) -> Vec<bool> {
        let mut bits = bits_of(&self.starts, &partition.block_of);
        self.rule.repair(&mut bits);
        bits
    }
}

/// Which partitions are searched. `level`, which a column that says nothing has too, means what the paper
/// has: any intervals on a number line, a cut of the tree elsewhere. Of sets only runs are searched, which
/// are sets too.
fn effective(attribute: &Attribute, layout: &Layout) -> Scheme {
    let is_line = attribute.hierarchy.measure() == Measure::Span;
    match attribute.settings.scheme {
        Scheme::Level if layout.whole_levels => Scheme::Level,
        Scheme::Level if is_line && !layout.nodes_only => Scheme::Ordered,
        Scheme::Level | Scheme::Cut => Scheme::Cut,
        Scheme::Ordered | Scheme::Set => Scheme::Ordered,
        Scheme::GuidedOrdered | Scheme::GuidedSet => Scheme::GuidedOrdered,
    }
}

/// Whether each unit is in another block than the one before it.
fn bits_of(starts: &[usize], block_of: &[u32]) -> Vec<bool> {
    let firsts = &starts[..starts.len() - 1];
    let apart = |first: &usize| *first > 0 && block_of[*first] != block_of[*first - 1];
    firsts.iter().map(apart).collect()
}

/// A node's places counted in units; none where it lies inside one unit.
fn in_units(starts: &[usize], places: &[usize]) -> Option<Vec<usize>> {
    let unit = |code: &usize| starts.binary_search(code).ok();
    let units: Vec<usize> = places.iter().map(unit).collect::<Option<_>>()?;
    Some(units)
}
