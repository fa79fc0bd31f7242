//! Hierarchies: the tree over a column's domain (seed 002, section 3.1).
//!
//! Every leaf has the same depth, and every hierarchy ends in the suppressed top `*`. Codes follow
//! the order of the leaves, so that each node covers a run of codes. A missing value is a category
//! of its own under the root: it stands alone at every level below the top.

mod build;
mod dates;
mod inline;
mod intervals;
mod layout;
mod mask;
mod problem;
mod quantiles;
mod tree;

pub use build::{Built, Description, RawColumn, build};
pub use inline::layout_tree;
pub use layout::{parse_layout, write_layout, write_layout_of_bins};
pub use mask::masked;
pub use problem::{BuildError, Problem as HierarchyProblem};

use super::{Code, Value};

/// How the suppressed value is written.
pub const SUPPRESSED: &str = "*";

/// How much of a domain a node covers is told by counting leaves or by measuring the number line
/// (the two cases of LM, seed 000 section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// By the leaves it covers.
    Leaves,
    /// By its length on the number line.
    Span,
}

/// A node of a hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// How it is released.
    pub label: String,
    /// Its first code.
    pub first: Code,
    /// One past its last code.
    pub end: Code,
    /// The least and greatest value its label speaks of, where it is a range.
    pub bounds: Option<(Value, Value)>,
}

/// One level of a hierarchy: a partition of the domain into nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The node of each code.
    pub node_of: Vec<u32>,
    /// The nodes, in the order of their codes.
    pub nodes: Vec<Node>,
}

/// The tree over a domain, as its levels from the leaves to the single top.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    levels: Vec<Level>,
    measure: Measure,
}

impl Hierarchy {
    /// A hierarchy of these levels; the last must be the single node `*` over everything.
    pub(crate) fn new(levels: Vec<Level>, measure: Measure) -> Self {
        debug_assert!(levels.last().is_some_and(|top| top.nodes.len() <= 1));
        Hierarchy { levels, measure }
    }

    /// How many steps lead from a leaf to the top.
    pub fn height(&self) -> usize {
        self.levels.len() - 1
    }

    /// The levels, leaves first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// One level; 0 is the leaves.
    pub fn level(&self, level: usize) -> &Level {
        &self.levels[level]
    }

    /// Whether nodes are measured by leaves or on the number line.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// The lowest node that covers exactly the codes from `first` up to `end`, and its level.
    pub fn find(&self, first: Code, end: Code) -> Option<(usize, &Node)> {
        self.levels.iter().enumerate().find_map(|(height, level)| {
            let node = &level.nodes[*level.node_of.get(first as usize)? as usize];
            (node.first == first && node.end == end).then_some((height, node))
        })
    }

    /// The children of a node: those at the next level down.
    pub fn children(&self, level: usize, node: usize) -> &[Node] {
        let parent = &self.levels[level].nodes[node];
        match level.checked_sub(1) {
            None => &[],
            Some(below) => {
                let below = &self.levels[below];
                let from = below.node_of[parent.first as usize] as usize;
                let to = below.node_of[parent.end as usize - 1] as usize;
                &below.nodes[from..=to]
            }
        }
    }
}
