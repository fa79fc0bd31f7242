//! Every legal partition exactly once, as a tree that grows from the finest by merging or from the
//! coarsest by splitting (seed 004, section 3, Figs. 5 and 6).
//!
//! Departures. Fig. 6 as printed reaches some partitions twice. Here each partition names the one
//! partition that it comes from, so it can be reached in one way only. Merging: the block of several
//! children that reaches furthest to the right loses its last child; so all values to the left of the
//! last merge are settled in what grows from it, which is Fig. 6 with its condition that no set after
//! Sᵢ holds more than one element. Splitting: the last two blocks of the rightmost node whose children
//! are all whole become one; so all blocks but the last are settled.

use rustc_hash::FxHashMap;

use super::{Branch, Join, Kind, Legal, numbered, sets};

/// Which way a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the finest partition, by merging.
    Merging,
    /// From the coarsest partition, by splitting.
    Splitting,
}

/// All legal partitions, each below the one that it comes from.
#[derive(Clone, Debug)]
pub struct PartitionTree {
    /// The partitions, as the block of each code; a parent stands before its children.
    pub partitions: Vec<Vec<u32>>,
    /// The partitions that come from each.
    pub children: Vec<Vec<u32>>,
}

impl Legal {
    /// The tree of all legal partitions; `None` where there are more than `most`.
    pub fn tree(&self, direction: Direction, most: usize) -> Option<PartitionTree> {
        if self.count() > most as u128 {
            return None;
        }
        let mut listed = self.all();
        // A parent is finer (merging) or coarser (splitting), and the list is otherwise in order.
        listed.sort_by_cached_key(|blocks| {
            let count = blocks.iter().max().map_or(0, |most| *most as usize + 1);
            match direction {
                Direction::Merging => blocks.len() - count,
                Direction::Splitting => count,
            }
        });
        let place_of: FxHashMap<&[u32], u32> = listed
            .iter()
            .enumerate()
            .map(|(place, blocks)| (blocks.as_slice(), place as u32))
            .collect();
        let mut children = vec![Vec::new(); listed.len()];
        for (place, blocks) in listed.iter().enumerate() {
            if let Some(parent) = self.parent(direction, blocks) {
                let parent = place_of[parent.as_slice()];
                children[parent as usize].push(place as u32);
            }
        }
        Some(PartitionTree {
            partitions: listed,
            children,
        })
    }

    /// The partition that this one comes from; none for the first.
    pub fn parent(&self, direction: Direction, blocks: &[u32]) -> Option<Vec<u32>> {
        match (self.kind(), direction) {
            (Kind::Levels(levels), _) => {
                let place = levels.iter().position(|(_, level)| level == blocks)?;
                let parent = match direction {
                    Direction::Merging => place.checked_sub(1)?,
                    Direction::Splitting => place + 1,
                };
                levels.get(parent).map(|(_, level)| level.clone())
            }
            (Kind::Tree { branches, join }, Direction::Merging) => {
                unmerged(branches, *join, blocks)
            }
            (Kind::Tree { branches, join }, Direction::Splitting) => {
                unsplit(branches, *join, blocks)
            }
        }
    }

    /// All legal partitions, in no order of meaning.
    fn all(&self) -> Vec<Vec<u32>> {
        match self.kind() {
            Kind::Levels(levels) => levels.iter().map(|(_, level)| level.clone()).collect(),
            Kind::Tree { branches, join } => {
                let mut inside: Vec<Vec<Vec<u32>>> = Vec::with_capacity(branches.len());
                for branch in branches {
                    inside.push(within(branch, *join, branches, &inside));
                }
                let whole = inside.pop().unwrap_or_else(|| vec![Vec::new()]);
                whole.iter().map(|blocks| numbered(blocks)).collect()
            }
        }
    }
}

/// The legal partitions of a branch's leaves. Blocks are named by the first code they hold.
fn within(
    branch: &Branch,
    join: Join,
    branches: &[Branch],
    inside: &[Vec<Vec<u32>>],
) -> Vec<Vec<u32>> {
    if branch.children.is_empty() {
        return vec![vec![branch.first as u32]];
    }
    let mut made = Vec::new();
    for groups in groupings(branch.children.len(), join) {
        let mut partial: Vec<Vec<u32>> = vec![Vec::new()];
        for (place, child) in branch.children.iter().enumerate() {
            let group = groups[place];
            let is_alone = groups.iter().filter(|g| **g == group).count() == 1;
            let first = groups.iter().position(|g| *g == group).unwrap_or(place);
            let Branch {
                first: from, end, ..
            } = branches[*child];
            let whole = [vec![
                branches[branch.children[first]].first as u32;
                end - from
            ]];
            let choices: &[Vec<u32>] = if is_alone { &inside[*child] } else { &whole };
            partial = partial
                .iter()
                .flat_map(|left| choices.iter().map(|right| [&left[..], right].concat()))
                .collect();
        }
        made.append(&mut partial);
    }
    made
}

/// The ways to join `count` children, as the group of each.
fn groupings(count: usize, join: Join) -> Vec<Vec<usize>> {
    if join == Join::All {
        return vec![(0..count).collect(), vec![0; count]];
    }
    let mut all: Vec<Vec<usize>> = vec![vec![0]];
    for _ in 1..count {
        let mut longer = Vec::new();
        for groups in all {
            let most = groups.iter().max().copied().unwrap_or(0);
            let from = if join == Join::Runs { most } else { 0 };
            for group in from..=most + 1 {
                let mut next = groups.clone();
                next.push(group);
                longer.push(next);
            }
        }
        all = longer;
    }
    all
}

/// Undoes the last merge.
fn unmerged(branches: &[Branch], join: Join, blocks: &[u32]) -> Option<Vec<u32>> {
    let sets = sets(blocks);
    let last = sets.iter().filter(|set| set.len() > 1);
    let set = last.max_by_key(|set| set.last().copied())?;
    let (first, last) = (set[0] as usize, set[set.len() - 1] as usize);
    // Children stand before parents, so the first branch that covers the block is the lowest.
    let covers = |branch: &&Branch| branch.first <= first && last < branch.end;
    let branch = branches.iter().find(covers)?;
    let mut split = blocks.to_vec();
    let mut name = blocks.len() as u32;
    for child in branch.children.iter().map(|child| &branches[*child]) {
        let is_last = (child.first..child.end).contains(&last);
        if is_last || join == Join::All {
            split[child.first..child.end].fill(name);
            name += 1;
        }
    }
    Some(numbered(&split))
}

/// Undoes the last split.
fn unsplit(branches: &[Branch], join: Join, blocks: &[u32]) -> Option<Vec<u32>> {
    let one = |first: usize, end: usize| blocks[first..end].iter().all(|b| *b == blocks[first]);
    let is_ready = |branch: &&Branch| {
        let children = branch.children.iter().map(|child| &branches[*child]);
        !branch.children.is_empty()
            && !one(branch.first, branch.end)
            && children
                .into_iter()
                .all(|child| one(child.first, child.end))
    };
    let ready = branches.iter().filter(is_ready);
    let branch = ready.max_by_key(|branch| branch.first)?;
    let mut groups: Vec<u32> = Vec::new();
    for block in &blocks[branch.first..branch.end] {
        if !groups.contains(block) {
            groups.push(*block);
        }
    }
    let joined = match join {
        Join::All => &groups[..],
        Join::Runs | Join::Sets => &groups[groups.len() - 2..],
    };
    let merged: Vec<u32> = blocks
        .iter()
        .map(|block| {
            if joined.contains(block) {
                joined[0]
            } else {
                *block
            }
        })
        .collect();
    Some(numbered(&merged))
}
