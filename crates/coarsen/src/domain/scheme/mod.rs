//! The six schemes of seed 004, sections 2 and 3: which partitions of a column's domain are legal, how
//! many there are, and how each is reached exactly once by merging or by splitting.
//!
//! Five of the six are one rule on a tree. At a node, some of its children are joined whole into
//! blocks, and what is not joined is divided within itself, by the same rule. The schemes differ in
//! which children may be joined: all or none (`cut`), neighbours (`guided-ordered`), any
//! (`guided-set`). `ordered` and `set` are the last two on a tree without inner nodes. So the rule of
//! section 2.3, that a block which mixes two groups holds all of both, holds at every level of a tree
//! of any height. `level` is a list of the hierarchy's levels.
//!
//! Departures. A partition counts once, whatever nodes it can be read from: a branch that is drawn out
//! over several levels, or a level that repeats the one below, gives no other partition, and the lowest
//! of its nodes is released, which loses least. The missing value is a child of the root.

mod cheapest;
mod count;
mod decide;
mod enumerate;

pub use cheapest::BlockCost;
pub(crate) use decide::bits;
pub use decide::{Applicator, Decided, Gap, MOST_SET_VALUES};
pub use enumerate::{Direction, PartitionTree};

use super::{Attribute, Code, Partition};
use crate::policy::Scheme;

/// Which children of a node may be joined to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// All or none.
    All,
    /// Neighbours.
    Runs,
    /// Any.
    Sets,
}

/// A node of the tree that a scheme works on; a leaf is one code.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub first: usize,
    pub end: usize,
    /// Places among the branches; two or more, or none.
    pub children: Vec<usize>,
}

/// The legal partitions of one column, by its scheme. A partition is given as the block of each code,
/// blocks numbered as they are first met.
#[derive(Clone, Debug)]
pub struct Legal {
    size: usize,
    kind: Kind,
    /// For each gap between neighbours, the gaps that are joined with it.
    brings: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The hierarchy's levels that differ, each with its partition.
    Levels(Vec<(usize, Vec<u32>)>),
    /// Children stand before their parents, the root last.
    Tree { branches: Vec<Branch>, join: Join },
}

impl Legal {
    /// The legal partitions of a column.
    pub fn new(attribute: &Attribute) -> Self {
        Self::under(attribute, attribute.settings.scheme)
    }

    /// The legal partitions of a column under a scheme that need not be its own.
    pub fn under(attribute: &Attribute, scheme: Scheme) -> Self {
        let size = attribute.domain.size();
        let levels = attribute.hierarchy.levels();
        let kind = match scheme {
            Scheme::Level => {
                let mut distinct: Vec<(usize, Vec<u32>)> = Vec::new();
                for (height, level) in levels.iter().enumerate() {
                    if distinct
                        .last()
                        .is_none_or(|(_, last)| *last != level.node_of)
                    {
                        distinct.push((height, level.node_of.clone()));
                    }
                }
                Kind::Levels(distinct)
            }
            scheme => {
                let (inner, join) = match scheme {
                    Scheme::Ordered => (false, Join::Runs),
                    Scheme::Set => (false, Join::Sets),
                    Scheme::GuidedOrdered => (true, Join::Runs),
                    Scheme::GuidedSet => (true, Join::Sets),
                    Scheme::Level | Scheme::Cut => (true, Join::All),
                };
                let runs = levels.iter().filter(|_| inner).map(|level| {
                    let nodes = level.nodes.iter();
                    nodes
                        .map(|node| (node.first as usize, node.end as usize))
                        .collect()
                });
                let branches = branches(size, runs);
                Kind::Tree { branches, join }
            }
        };
        Legal {
            brings: decide::brought(size, &kind),
            size,
            kind,
        }
    }

    /// How many codes the column has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Under `level`, the levels that differ, each with its height and its partition; none else.
    pub fn levels(&self) -> &[(usize, Vec<u32>)] {
        match &self.kind {
            Kind::Levels(levels) => levels,
            Kind::Tree { .. } => &[],
        }
    }

    /// Whether blocks may be other than runs of codes.
    pub fn has_sets(&self) -> bool {
        matches!(
            self.kind,
            Kind::Tree {
                join: Join::Sets,
                ..
            }
        )
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The nodes that the rule works on, children before parents, each as the places where its children
    /// begin and where the last of them ends. None where the hierarchy's levels are all that is legal.
    pub(crate) fn nodes(&self) -> Option<Vec<Vec<usize>>> {
        let Kind::Tree { branches, .. } = &self.kind else {
            return None;
        };
        let inner = branches.iter().filter(|branch| !branch.children.is_empty());
        let places = |branch: &Branch| {
            let firsts = branch.children.iter().map(|child| branches[*child].first);
            firsts.chain([branch.end]).collect()
        };
        Some(inner.map(places).collect())
    }

    /// What is released for a legal partition: under the names of its level, or by the lowest node
    /// that covers a block, or as a range or a set.
    ///
    /// # Panics
    /// If the partition is not legal under `level`.
    pub fn partition(&self, attribute: &Attribute, blocks: &[u32]) -> Partition {
        if let Kind::Levels(levels) = &self.kind {
            let level = levels.iter().find(|(_, partition)| partition == blocks);
            let (height, _) = level.expect("a legal partition is a level of the hierarchy");
            return Partition::at_level(attribute, *height);
        }
        Partition::of_sets(attribute, sets(blocks))
    }

    /// Whether a partition is legal.
    pub fn is_legal(&self, blocks: &[u32]) -> bool {
        match &self.kind {
            Kind::Levels(levels) => {
                let blocks = numbered(blocks);
                levels.iter().any(|(_, partition)| *partition == blocks)
            }
            Kind::Tree { branches, join } => {
                blocks.len() == self.size
                    && branches
                        .last()
                        .is_none_or(|root| allows(branches, *join, root, blocks))
            }
        }
    }
}

/// The branches over the leaves: nodes of the levels, each once, and a root.
fn branches(size: usize, levels: impl Iterator<Item = Vec<(usize, usize)>>) -> Vec<Branch> {
    let leaf = |code| Branch {
        first: code,
        end: code + 1,
        children: Vec::new(),
    };
    let mut all: Vec<Branch> = (0..size).map(leaf).collect();
    let mut top: Vec<usize> = (0..size).collect();
    for level in levels.chain([vec![(0, size)]]) {
        let mut above = Vec::new();
        for (first, end) in level {
            let inside = |branch: &&usize| (first..end).contains(&all[**branch].first);
            let children: Vec<usize> = top.iter().filter(inside).copied().collect();
            match children.as_slice() {
                [] => {}
                // A node over one node only is that node.
                [only] => above.push(*only),
                _ => {
                    all.push(Branch {
                        first,
                        end,
                        children,
                    });
                    above.push(all.len() - 1);
                }
            }
        }
        top = above;
    }
    all
}

/// Whether the blocks inside a branch follow the rule.
fn allows(branches: &[Branch], join: Join, branch: &Branch, blocks: &[u32]) -> bool {
    let children: Vec<&Branch> = branch.children.iter().map(|c| &branches[*c]).collect();
    let inside = |child: &Branch| &blocks[child.first..child.end];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, child) in children.iter().enumerate() {
        let others = children.iter().enumerate().filter(|(p, _)| *p != place);
        let mixed: Vec<usize> = others
            .filter(|(_, other)| inside(child).iter().any(|b| inside(other).contains(b)))
            .map(|(place, _)| place)
            .collect();
        if mixed.is_empty() {
            if !allows(branches, join, child, blocks) {
                return false;
            }
        } else if inside(child).iter().any(|b| *b != inside(child)[0]) {
            return false;
        } else {
            let mut group = mixed;
            group.push(place);
            group.sort_unstable();
            groups.push(group);
        }
    }
    groups.iter().all(|group| match join {
        Join::All => group.len() == children.len(),
        Join::Runs => group.windows(2).all(|pair| pair[1] == pair[0] + 1),
        Join::Sets => true,
    })
}

/// The same partition with its blocks numbered as they are first met.
pub(crate) fn numbered(blocks: &[u32]) -> Vec<u32> {
    let mut names: Vec<u32> = Vec::new();
    let mut number = |block: &u32| match names.iter().position(|name| name == block) {
        Some(place) => place as u32,
        None => {
            names.push(*block);
            names.len() as u32 - 1
        }
    };
    blocks.iter().map(&mut number).collect()
}

/// The codes of each block.
pub(super) fn sets(blocks: &[u32]) -> Vec<Vec<Code>> {
    let count = blocks.iter().max().map_or(0, |most| *most as usize + 1);
    let mut sets = vec![Vec::new(); count];
    for (code, block) in blocks.iter().enumerate() {
        sets[*block as usize].push(code as Code);
    }
    sets
}
