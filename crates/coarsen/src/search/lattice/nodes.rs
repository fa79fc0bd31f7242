//! The lattice of level choices (seed 002, equation 1): its nodes by number, and what every choice
//! costs where nothing is suppressed.
//!
//! Columns stand here in an order of their own, the one with the most values first: a walk that fixes
//! them one by one then carries few classes along for most of its way.

use crate::domain::Block;
use crate::domain::hierarchy::Level;
use crate::problem::Problem;

/// More choices than this are not numbered: 32 MB of bounds, and hours of search.
pub(in crate::search) const MOST_NODES: usize = 1 << 22;

/// The levels of every column, and their costs under a loss that is a mean over cells.
pub(in crate::search) struct Lattice {
    /// For each place of the walk, the column that stands there.
    pub order: Vec<usize>,
    /// For each place, its number of levels.
    pub heights: Vec<usize>,
    /// For each place, what one level up adds to a node's number.
    pub strides: Vec<usize>,
    /// How many nodes there are.
    pub nodes: usize,
    /// The costs, where the loss can be bounded.
    pub costs: Option<Costs>,
}

/// What cells cost, by place, level and node of the hierarchy; a suppressed row costs 1.
pub(in crate::search) struct Costs {
    /// `cell[place][level][node]`, already times the column's share of the weights.
    pub cell: Vec<Vec<Vec<f64>>>,
    /// `column[place][level]`: the mean over all rows.
    pub column: Vec<Vec<f64>>,
}

impl Lattice {
    /// The lattice of a problem, or how many choices are too many.
    pub fn of(problem: &Problem) -> Result<Self, f64> {
        let attributes = &problem.attributes;
        let mut order: Vec<usize> = (0..attributes.len()).collect();
        order.sort_by_key(|column| std::cmp::Reverse(attributes[*column].domain.size()));
        let heights: Vec<usize> = order
            .iter()
            .map(|column| attributes[*column].hierarchy.height() + 1)
            .collect();
        let choices: f64 = heights.iter().map(|levels| *levels as f64).product();
        if choices > MOST_NODES as f64 {
            return Err(choices);
        }
        let mut strides = vec![1; heights.len()];
        for place in (0..heights.len().saturating_sub(1)).rev() {
            strides[place] = strides[place + 1] * heights[place + 1];
        }
        let costs = Costs::of(problem, &order);
        Ok(Lattice {
            nodes: heights.iter().product(),
            order,
            heights,
            strides,
            costs,
        })
    }

    /// The costs alone, of a lattice that is not walked.
    pub fn costs_of(problem: &Problem) -> Self {
        let order: Vec<usize> = (0..problem.attributes.len()).collect();
        Lattice {
            costs: Costs::of(problem, &order),
            order,
            heights: Vec::new(),
            strides: Vec::new(),
            nodes: 0,
        }
    }

    /// The levels of a node in the order of the table's columns.
    pub fn levels(&self, node: usize) -> Vec<usize> {
        let mut levels = vec![0; self.order.len()];
        for (place, column) in self.order.iter().enumerate() {
            levels[*column] = self.level(node, place);
        }
        levels
    }

    /// The level of a node at a place of the walk.
    pub fn level(&self, node: usize, place: usize) -> usize {
        node / self.strides[place] % self.heights[place]
    }

    /// What a place's level costs where nothing is suppressed; nothing known is nothing lost.
    pub fn unsuppressed(&self, place: usize, level: usize) -> f64 {
        self.costs
            .as_ref()
            .map_or(0.0, |costs| costs.column[place][level])
    }
}

impl Costs {
    /// `None` where the loss is no mean over cells that grows with the levels from 0 to 1.
    fn of(problem: &Problem, order: &[usize]) -> Option<Self> {
        let loss = problem.loss.loss;
        let attributes = &problem.attributes;
        let weights: f64 = attributes.iter().map(|a| a.settings.weight).sum();
        if weights <= 0.0 {
            return None;
        }
        let (mut cell, mut column) = (Vec::new(), Vec::new());
        for place in order {
            let attribute = &attributes[*place];
            let share = attribute.settings.weight / weights;
            let marginal = problem.counts.marginal(*place, attribute.domain.size());
            let mut of_levels: Vec<Vec<f64>> = Vec::new();
            for (height, level) in attribute.hierarchy.levels().iter().enumerate() {
                let cost = |block: &Block| loss.of_cell(block).filter(|c| (0.0..=1.0).contains(c));
                let nodes = level.nodes.iter();
                let costs: Vec<f64> = nodes
                    .map(|node| cost(&attribute.block_of_node(height, node)))
                    .collect::<Option<_>>()?;
                if let Some(below) = of_levels.last() {
                    let nodes = &attribute.hierarchy.level(height - 1).node_of;
                    let grows = level.node_of.iter().zip(nodes).all(|(node, lower)| {
                        costs[*node as usize] * share >= below[*lower as usize] - 1e-12
                    });
                    if !grows {
                        return None;
                    }
                }
                of_levels.push(costs.into_iter().map(|cost| cost * share).collect());
            }
            let mean = |(costs, level): (&Vec<f64>, &Level)| {
                let rows = level.node_of.iter().zip(&marginal);
                let sum: f64 = rows
                    .map(|(node, rows)| costs[*node as usize] * *rows as f64)
                    .sum();
                sum / problem.counts.total() as f64
            };
            let levels = attribute.hierarchy.levels();
            column.push(of_levels.iter().zip(levels).map(mean).collect());
            cell.push(of_levels);
        }
        Some(Costs { cell, column })
    }
}
