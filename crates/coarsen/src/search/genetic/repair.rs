//! Which bits of one column make a legal partition, and how an illegal string becomes a legal one
//! (seed 000, section 4, Fig. 5).
//!
//! A bit between two neighbouring units of a column says that they are apart. In a tree each bit
//! belongs to the lowest node that holds both: a node that is cut has all of its own bits set, and so
//! has every node above it. So on the work-class tree b3 = 1 forces b2, b4, b5 and b6. Under
//! `guided-ordered` only the bits at the two edges of a node that is cut are forced.
//!
//! The paper wants a repair that keeps as much of an illegal child as possible, and does not say how.
//! Here it is the legal string that differs in the fewest bits; of equal ones the coarser. A legal string
//! is its own nearest, so the repair is idempotent. A single bit that is *meant* to change (a mutation,
//! a step of the local search) would be undone by that rule wherever it is in the minority; so it is set
//! by [`Rule::set`], which keeps that bit and changes the others by what it forces.

use rustc_hash::FxHashMap;

/// What is legal in one column.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// Any bits.
    Free,
    /// The strings of the hierarchy's levels, the finest first.
    Levels(Vec<Vec<bool>>),
    /// A tree over the units.
    Tree(Tree),
}

/// The inner nodes of a tree; children stand before their parents, the root last.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The node that each bit belongs to.
    owner: Vec<usize>,
    /// Whether a node's own bits are all set or none (`cut`), or each by itself (`guided-ordered`).
    whole: bool,
}

#[derive(Clone, Debug)]
struct Node {
    /// Where its children begin, and where the last one ends.
    places: Vec<usize>,
    /// The inner node that each child is; none for a unit.
    children: Vec<Option<usize>>,
    parent: Option<usize>,
}

impl Node {
    fn first(&self) -> usize {
        self.places[0]
    }

    fn end(&self) -> usize {
        self.places[self.places.len() - 1]
    }

    /// The bits between its children.
    fn own(&self) -> &[usize] {
        &self.places[1..self.places.len() - 1]
    }
}

impl Tree {
    /// A tree over `units` from the places of its nodes' children; children stand before parents.
    pub fn new(units: usize, places: Vec<Vec<usize>>, whole: bool) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut owner = vec![0; units];
        let mut number_of: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for places in places {
            let number = nodes.len();
            let child = |ends: &[usize]| number_of.get(&(ends[0], ends[1])).copied();
            let children: Vec<Option<usize>> = places.windows(2).map(child).collect();
            number_of.insert((places[0], places[places.len() - 1]), number);
            for child in children.iter().flatten() {
                nodes[*child].parent = Some(number);
            }
            for bit in &places[1..places.len() - 1] {
                owner[*bit] = number;
            }
            nodes.push(Node {
                places,
                children,
                parent: None,
            });
        }
        Tree {
            nodes,
            owner,
            whole,
        }
    }

    /// From a node to the root.
    fn up(&self, from: usize) -> impl Iterator<Item = &Node> {
        let next = |number: &usize| self.nodes[*number].parent;
        std::iter::successors(Some(from), next).map(|number| &self.nodes[number])
    }

    fn set(&self, bits: &mut [bool], at: usize, value: bool) {
        let owner = self.owner[at];
        match (self.whole, value) {
            (true, true) => {
                for node in self.up(owner) {
                    node.own().iter().for_each(|bit| bits[*bit] = true);
                }
            }
            (true, false) => clear(bits, &self.nodes[owner]),
            (false, true) => {
                bits[at] = true;
                for node in self.up(owner) {
                    bits[node.first()] = true;
                    if let Some(bit) = bits.get_mut(node.end()) {
                        *bit = true;
                    }
                }
                bits[0] = false;
            }
            (false, false) => {
                bits[at] = false;
                for node in &self.nodes {
                    if node.first() == at || node.end() == at {
                        clear(bits, node);
                    }
                }
            }
        }
    }

    fn repair(&self, bits: &mut [bool]) {
        let mut ones = vec![0u32; bits.len() + 1];
        for (place, bit) in bits.iter().enumerate() {
            ones[place + 1] = ones[place] + u32::from(*bit);
        }
        // The bits set inside a node: what changes where it stays whole.
        let inside = |first: usize, end: usize| ones[end] - ones[first + 1];
        // What changes at the least where the bits at the node's edges are set, and by which of its own.
        let mut least: Vec<(u32, Vec<bool>)> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let whole = |child: usize| inside(node.places[child], node.places[child + 1]);
            let apart = |child: usize| match node.children[child] {
                Some(inner) => least[inner].0.min(whole(child)),
                None => 0,
            };
            let found = match self.whole {
                true => {
                    let own = node.own().iter().map(|bit| u32::from(!bits[*bit]));
                    let children = (0..node.children.len()).map(apart);
                    let cut = own.sum::<u32>() + children.sum::<u32>();
                    let joined = inside(node.first(), node.end());
                    match cut < joined {
                        true => (cut, vec![true; node.own().len()]),
                        false => (joined, vec![false; node.own().len()]),
                    }
                }
                false => runs(node, bits, whole, apart),
            };
            least.push(found);
        }
        // From the root down: a node that is not reached lies in a block.
        let mut open = vec![false; self.nodes.len()];
        if let Some(root) = open.last_mut() {
            *root = true;
        }
        for number in (0..self.nodes.len()).rev() {
            let node = &self.nodes[number];
            if !open[number] {
                continue;
            }
            let own = &least[number].1;
            for (bit, set) in node.own().iter().zip(own) {
                bits[*bit] = *set;
            }
            for (child, inner) in node.children.iter().enumerate() {
                let Some(inner) = inner else { continue };
                let left = child == 0 || own[child - 1];
                let right = child == own.len() || own[child];
                let (first, end) = (node.places[child], node.places[child + 1]);
                if left && right && least[*inner].0 < inside(first, end) {
                    open[*inner] = true;
                } else {
                    clear(bits, &self.nodes[*inner]);
                }
            }
        }
    }
}

/// Of all ways to join neighbouring children into runs, the one that changes fewest bits; of equal ones
/// the one with the most joined at the left.
fn runs(
    node: &Node,
    bits: &[bool],
    whole: impl Fn(usize) -> u32,
    apart: impl Fn(usize) -> u32,
) -> (u32, Vec<bool>) {
    let count = node.children.len();
    // For each child, by whether the bit at its left is set: what changed so far, and whether the bit
    // before that was set.
    let mut table: Vec<[(u32, bool); 2]> = vec![[(u32::MAX, false), (0, false)]];
    for child in 0..count {
        let mut next = [(u32::MAX, false); 2];
        let ends = if child + 1 == count { 1..2 } else { 0..2 };
        for right in ends {
            let bit = match child + 1 == count {
                true => 0,
                false => u32::from(bits[node.places[child + 1]] != (right == 1)),
            };
            for (left, (before, _)) in table[child].into_iter().enumerate() {
                if before == u32::MAX {
                    continue;
                }
                let within = match left == 1 && right == 1 {
                    true => apart(child),
                    false => whole(child),
                };
                let cost = before + within + bit;
                if cost < next[right].0 {
                    next[right] = (cost, left == 1);
                }
            }
        }
        table.push(next);
    }
    let mut own = vec![false; count - 1];
    let mut right = 1;
    for child in (1..count).rev() {
        let left = table[child + 1][right].1;
        own[child - 1] = left;
        right = usize::from(left);
    }
    (table[count][1].0, own)
}

/// Nothing inside a node is apart.
fn clear(bits: &mut [bool], node: &Node) {
    bits[node.first() + 1..node.end()].fill(false);
}

impl Rule {
    /// Whether the string is legal.
    #[cfg(test)]
    pub fn allows(&self, bits: &[bool]) -> bool {
        let mut repaired = bits.to_vec();
        self.repair(&mut repaired);
        repaired == bits
    }

    /// The nearest legal string. `bits[u]` says that unit `u` is apart from the one before it; the first
    /// is never set.
    pub fn repair(&self, bits: &mut [bool]) {
        match self {
            Rule::Free => {}
            Rule::Tree(tree) => tree.repair(bits),
            Rule::Levels(levels) => {
                let distance =
                    |level: &Vec<bool>| level.iter().zip(&*bits).filter(|(a, b)| a != b).count();
                // The last of equal ones is the coarsest.
                let nearest = levels.iter().rev().min_by_key(|level| distance(level));
                let nearest = nearest.expect("a hierarchy has a top").clone();
                bits.copy_from_slice(&nearest);
            }
        }
    }

    /// Gives one bit of a legal string a value, and the others what that forces.
    pub fn set(&self, bits: &mut [bool], at: usize, value: bool) {
        match self {
            Rule::Free => bits[at] = value,
            Rule::Tree(tree) => tree.set(bits, at, value),
            Rule::Levels(levels) => {
                let found = match value {
                    true => levels.iter().rev().find(|level| level[at]),
                    false => levels.iter().find(|level| !level[at]),
                };
                bits.copy_from_slice(found.expect("the finest has all bits, the coarsest none"));
            }
        }
    }
}
