//! The earth mover's distance between two distributions over one column, by the three ground
//! distances of Li et al. 2007, section 5.2: all values equally far, steps of an order, or the height
//! of the lowest common ancestor in a tree.
//!
//! All sums are of whole numbers (rows of the class times rows of the whole), so that no rounding
//! comes between a class and its border; only the last division is not exact.
//!
//! The paper knows no missing values. Here a missing value is a distance of 1, the greatest there
//! is, from every other. In a tree it stands beside the root's children already; beside an order see
//! [`beside_the_order`].

use std::collections::BinaryHeap;

use crate::counts::TallyView;
use crate::domain::{Code, Domain, Hierarchy};

/// How far apart two values of a column are.
#[derive(Clone, Debug)]
pub struct Ground {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Unordered,
    Ordered {
        /// How many values there are, the missing one not counted. It is the code after theirs.
        present: usize,
    },
    Hierarchical {
        /// For each level but the top, the node above each node.
        parents: Vec<Vec<u32>>,
        /// The height of the lowest node over all values.
        height: usize,
    },
}

impl Ground {
    /// Any two different values are 1 apart; the distance is then the total variation.
    pub fn unordered() -> Self {
        Ground {
            kind: Kind::Unordered,
        }
    }

    /// Values are as far apart as the steps between them in the domain's order, counted over the
    /// values that the table has, and the first and the last are 1 apart.
    pub fn ordered(domain: &Domain) -> Self {
        Ground {
            kind: Kind::Ordered {
                present: domain.present(),
            },
        }
    }

    /// Values are as far apart as their lowest common ancestor is high, and the node over all of
    /// them has height 1.
    ///
    /// That node is the lowest of its kind: a tree whose own root has `*` above it is no taller, and
    /// its values no nearer to each other, than without the `*`.
    pub fn hierarchical(domain: &Domain, hierarchy: &Hierarchy) -> Self {
        let levels = hierarchy.levels();
        let present = domain.present();
        let height = levels
            .iter()
            .position(|level| level.node_of[..present].iter().all(|node| *node == 0))
            .unwrap_or(hierarchy.height())
            .max(1);
        let parents = levels
            .windows(2)
            .map(|pair| {
                pair[0]
                    .nodes
                    .iter()
                    .map(|node| pair[1].node_of[node.first as usize])
                    .collect()
            })
            .collect();
        Ground {
            kind: Kind::Hierarchical { parents, height },
        }
    }

    /// The least work that turns one distribution into the other, from 0 to 1. No rows at all are no
    /// distance from anything.
    pub fn distance(&self, class: TallyView<'_>, whole: TallyView<'_>) -> f64 {
        let (some, all) = (class.total(), whole.total());
        if some == 0 || all == 0 {
            return 0.0;
        }
        let surplus = surplus(class, some, whole, all);
        let unit = some as f64 * all as f64;
        match &self.kind {
            Kind::Unordered => positive(&surplus) as f64 / unit,
            Kind::Ordered { present } => {
                let (surplus, present) = in_places(surplus, *present);
                let steps = (present as f64 - 1.0).max(1.0);
                match surplus.last() {
                    Some((code, missing)) if *code as usize >= present && *missing != 0 => {
                        let (work, moved) = beside_the_order(&surplus, present);
                        (work as f64 / steps + moved as f64) / unit
                    }
                    _ => along_the_order(&surplus) as f64 / (steps * unit),
                }
            }
            Kind::Hierarchical { parents, height } => {
                up_the_tree(surplus, parents, *height) as f64 / (*height as f64 * unit)
            }
        }
    }
}

/// What a class has too much (or too little) of each value: p − q, times the rows of both.
type Surplus = Vec<(Code, i128)>;

fn surplus(class: TallyView<'_>, some: u64, whole: TallyView<'_>, all: u64) -> Surplus {
    let mut list = Surplus::with_capacity(whole.values.len());
    let mut ours = class.iter().peekable();
    let mut add = |code, ours: u64, theirs: u64| {
        let ours = i128::from(ours) * i128::from(all);
        list.push((code, ours - i128::from(theirs) * i128::from(some)));
    };
    for (code, theirs) in whole.iter() {
        while let Some((own, rows)) = ours.next_if(|(own, _)| *own < code) {
            add(own, rows, 0);
        }
        let rows = ours
            .next_if(|(own, _)| *own == code)
            .map_or(0, |(_, rows)| rows);
        add(code, rows, theirs);
    }
    for (own, rows) in ours {
        add(own, rows, 0);
    }
    list
}

/// The values that there are, numbered in their order, and how many they are without the missing one.
///
/// A value that only suppressed rows had is not in the release, and takes no step in it: whoever
/// measures the release alone finds the same distance.
fn in_places(surplus: Surplus, present: usize) -> (Surplus, usize) {
    let on_the_line = surplus
        .iter()
        .filter(|(code, _)| (*code as usize) < present)
        .count();
    let numbered = surplus
        .into_iter()
        .enumerate()
        .map(|(place, (_, extra))| (place as Code, extra));
    (numbered.collect(), on_the_line)
}

fn positive(surplus: &Surplus) -> i128 {
    surplus.iter().map(|(_, extra)| (*extra).max(0)).sum()
}

/// Each step between neighbours carries what is too much on its left.
fn along_the_order(surplus: &Surplus) -> i128 {
    let mut carried = 0i128;
    let mut work = 0;
    for pair in surplus.windows(2) {
        carried += pair[0].1;
        work += carried.abs() * i128::from(pair[1].0 - pair[0].0);
    }
    work
}

/// The order with the missing value beside it: the steps between neighbours, and what moves between
/// the missing value and the others.
///
/// Say the missing value lacks δ. Then δ in all leaves the line, wherever that is best: with S_j
/// having left up to step j, S rising from 0 to δ, the step carries C_j − S_j. The best S is the
/// monotone sequence nearest to C by absolute distances, found with a heap of its breakpoints.
fn beside_the_order(surplus: &Surplus, present: usize) -> (i128, i128) {
    let on_the_line = |(code, _): &&(Code, i128)| (*code as usize) < present;
    let leaving: i128 = surplus
        .iter()
        .filter(on_the_line)
        .map(|(_, extra)| extra)
        .sum();
    // What enters the line is what leaves it in the mirror.
    let sign = leaving.signum();
    let most = leaving.abs();
    let mut extras = vec![0i128; present];
    for (code, extra) in surplus.iter().filter(on_the_line) {
        extras[*code as usize] = sign * extra;
    }
    let mut work = 0;
    let mut carried = 0i128;
    let mut breakpoints: BinaryHeap<i128> = BinaryHeap::new();
    for extra in extras.iter().take(present.saturating_sub(1)) {
        carried += extra;
        let within = carried.clamp(0, most);
        work += (carried - within).abs();
        breakpoints.push(within);
        if let Some(highest) = breakpoints
            .peek()
            .copied()
            .filter(|highest| *highest > within)
        {
            work += highest - within;
            breakpoints.pop();
            breakpoints.push(within);
        }
    }
    (work, most)
}

/// Li et al.'s cost of a node: what its children exchange, at the node's height. (A pile of rows
/// moves below the lowest node that has both too much and too little of it.)
fn up_the_tree(mut extras: Surplus, parents: &[Vec<u32>], height: usize) -> i128 {
    let mut work = 0;
    for (below, parents) in parents.iter().enumerate() {
        let mut above = Surplus::new();
        let (mut too_much, mut too_little) = (0i128, 0i128);
        let at = (below + 1).min(height) as i128;
        for (node, extra) in extras {
            let parent = parents[node as usize];
            match above.last_mut() {
                Some((last, sum)) if *last == parent => *sum += extra,
                _ => {
                    work += at * too_much.min(too_little);
                    (too_much, too_little) = (0, 0);
                    above.push((parent, extra));
                }
            }
            too_much += extra.max(0);
            too_little += (-extra).max(0);
        }
        work += at * too_much.min(too_little);
        extras = above;
    }
    work
}
