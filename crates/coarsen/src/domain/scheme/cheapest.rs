//! The cheapest legal partition where each block has a cost of its own: no enumeration, but the rule of
//! the scheme followed up the tree.
//!
//! This is not in the paper. It takes the runs of n values in n² steps where there are 2ⁿ⁻¹
//! partitions, and the sets of n in 3ⁿ where there are Bell(n).

use super::{Branch, Join, Kind, Legal};

/// What a block costs, given as runs of codes `first..end`, in order.
pub trait BlockCost {
    /// The cost; infinite where the block is not allowed.
    fn cost(&mut self, runs: &[(usize, usize)]) -> f64;
}

/// A cost, and the blocks that come to it, each as its runs.
type Found = (f64, Vec<Vec<(usize, usize)>>);

impl Legal {
    /// How many blocks [`Legal::cheapest`] would ask the cost of; `None` where that is out of reach.
    pub fn blocks_to_cost(&self) -> Option<usize> {
        let Kind::Tree { branches, join } = self.kind() else {
            return Some(self.size() * 2);
        };
        let mut sum = 0usize;
        for branch in branches {
            let children = branch.children.len();
            let blocks = match join {
                Join::All => 1,
                Join::Runs => children * children / 2,
                Join::Sets if children > 14 => return None,
                Join::Sets => 1 << children,
            };
            sum += blocks;
        }
        Some(sum)
    }

    /// The least cost of a legal partition, and the block of each code in it. Of equal ones the finer
    /// is taken.
    pub fn cheapest(&self, costs: &mut impl BlockCost) -> (f64, Vec<u32>) {
        let (cost, blocks) = match self.kind() {
            Kind::Levels(levels) => {
                let mut best: Option<Found> = None;
                for (_, level) in levels {
                    let blocks: Vec<_> = runs_of(level).into_iter().map(|run| vec![run]).collect();
                    let cost = blocks.iter().map(|block| costs.cost(block)).sum();
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, blocks));
                    }
                }
                best.unwrap_or_default()
            }
            Kind::Tree { branches, join } => {
                let mut found: Vec<Found> = Vec::with_capacity(branches.len());
                for branch in branches {
                    let next = match (branch.children.is_empty(), join) {
                        (true, _) => whole(&[branch], costs),
                        (false, Join::All) => all_or_none(branch, branches, &found, costs),
                        (false, Join::Runs) => runs(branch, branches, &found, costs),
                        (false, Join::Sets) => subsets(branch, branches, &found, costs),
                    };
                    found.push(next);
                }
                found.pop().unwrap_or_default()
            }
        };
        let mut block_of = vec![0; self.size()];
        for (block, runs) in blocks.iter().enumerate() {
            for (first, end) in runs {
                block_of[*first..*end].fill(block as u32);
            }
        }
        (cost, super::numbered(&block_of))
    }
}

fn runs_of(level: &[u32]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (code, node) in level.iter().enumerate() {
        match runs.last_mut() {
            Some((first, end)) if level[*first] == *node => *end = code + 1,
            _ => runs.push((code, code + 1)),
        }
    }
    runs
}

/// Children joined to one block.
fn whole(children: &[&Branch], costs: &mut impl BlockCost) -> Found {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for child in children {
        match runs.last_mut() {
            Some((_, end)) if *end == child.first => *end = child.end,
            _ => runs.push((child.first, child.end)),
        }
    }
    (costs.cost(&runs), vec![runs])
}

fn all_or_none(
    branch: &Branch,
    branches: &[Branch],
    found: &[Found],
    costs: &mut impl BlockCost,
) -> Found {
    let joined = whole(&children_of(branch, branches), costs);
    let apart = branch.children.iter().map(|child| found[*child].0).sum();
    if joined.0 < apart {
        return joined;
    }
    let blocks = branch
        .children
        .iter()
        .flat_map(|child| found[*child].1.clone());
    (apart, blocks.collect())
}

fn children_of<'a>(branch: &Branch, branches: &'a [Branch]) -> Vec<&'a Branch> {
    branch
        .children
        .iter()
        .map(|child| &branches[*child])
        .collect()
}

fn runs(
    branch: &Branch,
    branches: &[Branch],
    found: &[Found],
    costs: &mut impl BlockCost,
) -> Found {
    let children = children_of(branch, branches);
    // Of the first i children: the least cost, and where its last run begins.
    let mut least = vec![(0.0, 0usize)];
    for end in 1..=children.len() {
        let mut best = (
            least[end - 1].0 + found[branch.children[end - 1]].0,
            end - 1,
        );
        for first in (0..end - 1).rev() {
            let run = [(children[first].first, children[end - 1].end)];
            // Costs are not negative, so nothing is asked that cannot be less.
            if least[first].0 < best.0 {
                let cost = least[first].0 + costs.cost(&run);
                if cost < best.0 {
                    best = (cost, first);
                }
            }
        }
        least.push(best);
    }
    let mut blocks = Vec::new();
    let mut end = children.len();
    while end > 0 {
        let first = least[end].1;
        if end - first == 1 {
            blocks.extend(found[branch.children[first]].1.clone());
        } else {
            blocks.push(vec![(children[first].first, children[end - 1].end)]);
        }
        end = first;
    }
    (least[children.len()].0, blocks)
}

fn subsets(
    branch: &Branch,
    branches: &[Branch],
    found: &[Found],
    costs: &mut impl BlockCost,
) -> Found {
    let children = children_of(branch, branches);
    let count = children.len();
    let chosen = |mask: usize| -> Vec<&Branch> {
        (0..count)
            .filter(|place| mask >> place & 1 == 1)
            .map(|place| children[place])
            .collect()
    };
    let mut joined = vec![0.0; 1 << count];
    for (mask, cost) in joined.iter_mut().enumerate().skip(1) {
        *cost = match mask.count_ones() {
            1 => found[branch.children[mask.trailing_zeros() as usize]].0,
            _ => whole(&chosen(mask), costs).0,
        };
    }
    // The least cost of each set of children, and the group that its first child is in.
    let mut least = vec![(0.0, 0usize); 1 << count];
    for mask in 1..1usize << count {
        let first = mask & mask.wrapping_neg();
        let others = mask ^ first;
        let mut best = (f64::INFINITY, first);
        let mut with = 0;
        loop {
            let group = with | first;
            let cost = joined[group] + least[mask ^ group].0;
            if cost < best.0 {
                best = (cost, group);
            }
            // The next subset of the others, in rising order.
            with = with.wrapping_sub(others) & others;
            if with == 0 {
                break;
            }
        }
        least[mask] = best;
    }
    let mut blocks = Vec::new();
    let mut left = (1usize << count) - 1;
    let cost = least[left].0;
    while left > 0 {
        let group = least[left].1;
        match group.count_ones() {
            1 => blocks.extend(
                found[branch.children[group.trailing_zeros() as usize]]
                    .1
                    .clone(),
            ),
            _ => blocks.push(whole(&chosen(group), &mut Free).1.remove(0)),
        }
        left ^= group;
    }
    (cost, blocks)
}

/// Nothing costs anything: where only the runs of a block are wanted.
struct Free;

impl BlockCost for Free {
    fn cost(&mut self, _: &[(usize, usize)]) -> f64 {
        0.0
    }
}
