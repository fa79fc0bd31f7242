//! The Taxonomy Encoded Anonymity index (seed 003, definition 5): a tree of the distinct vids, one
//! level a column, in which a generalization merges the siblings of its segments.
//!
//! Departures. The paper links the segments of a generalization; here the nodes of a value are linked,
//! and a segment is found among them by their parent: then generalizations that overlap (partial ones)
//! share their links. Columns of few values stand at the top, where the tree is narrow. A trial does
//! not change the tree and then undo it; it walks the subtrees that would merge side by side
//! ([`Tea::trial`]), at the same cost. Siblings are ordered by their labels, and a new label is greater
//! than any other, so that two lists of children merge in one pass.

mod trial;

use super::column::Column;
use super::counters::Counters;
use crate::counts::Counts;
use trial::Trial;

pub(super) const NONE: u32 = u32::MAX;

/// A node: its value, its place in the tree, and the rows of its vid at the last level.
#[derive(Clone, Copy)]
struct Node {
    label: u32,
    /// `NONE` once it was merged into another.
    parent: u32,
    first: u32,
    last: u32,
    previous: u32,
    next: u32,
    rows: u64,
}

/// The index.
#[derive(Clone)]
pub(super) struct Tea {
    nodes: Vec<Node>,
    /// The column of each level below the root.
    order: Vec<usize>,
    /// The level of each column.
    level_of: Vec<usize>,
    /// For each column, the nodes of each label; some may have been merged away since.
    links: Vec<Vec<Vec<u32>>>,
    pub counters: Counters,
    /// The leaves below the aim; some may have been merged away or have grown since.
    low: Vec<u32>,
    scratch: Scratch,
}

/// Memory that trials share.
#[derive(Clone, Default)]
struct Scratch {
    /// For each node, the last of its children that is in the segment; valid where `stamp` is `now`.
    head: Vec<u32>,
    stamp: Vec<u32>,
    now: u32,
    /// For each node, the one before it in its segment.
    chain: Vec<u32>,
    changes: Vec<i64>,
    stack: Vec<(u32, u32)>,
}

/// What a trial is let off with: it ends once more than `slack` rows are in new vids of at most
/// `anonymity` rows, for then the generalization is not critical.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pub anonymity: u64,
    pub slack: u64,
}

impl Tea {
    /// The index of all combinations as they are.
    pub fn new(counts: &Counts, columns: &[Column], aim: u64, limit: u64) -> Self {
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by_key(|column| columns[*column].live.len());
        let mut level_of = vec![0; columns.len()];
        for (level, column) in order.iter().enumerate() {
            level_of[*column] = level;
        }
        let sorted = counts.reordered(&order);
        let root = Node {
            label: NONE,
            parent: NONE,
            first: NONE,
            last: NONE,
            previous: NONE,
            next: NONE,
            rows: 0,
        };
        let links = columns
            .iter()
            .map(|column| vec![Vec::new(); column.pieces.len()])
            .collect();
        let mut tea = Tea {
            nodes: Vec::with_capacity(sorted.combinations() * 2),
            order,
            level_of,
            links,
            counters: Counters::new(aim, limit),
            low: Vec::new(),
            scratch: Scratch::default(),
        };
        tea.nodes.push(root);
        let depth = tea.order.len();
        let mut path = vec![0u32; depth + 1];
        for (vid, rows) in sorted.rows().iter().enumerate() {
            // Combinations are sorted, so a new one leaves the last one's path only once.
            let same = |level: &usize| {
                let codes = sorted.codes(*level);
                vid > 0 && codes[vid] == codes[vid - 1]
            };
            let shared = (0..depth).take_while(same).count();
            for level in shared..depth {
                // A leaf's first label is its code: pieces start as the values, in their order.
                let label = sorted.codes(level)[vid];
                path[level + 1] = tea.push(path[level], label, root);
                let links = &mut tea.links[tea.order[level]];
                links[label as usize].push(path[level + 1]);
            }
            let leaf = path[depth];
            tea.nodes[leaf as usize].rows = *rows;
            tea.counters.add(*rows);
            if *rows < aim {
                tea.low.push(leaf);
            }
        }
        tea
    }

    fn push(&mut self, parent: u32, label: u32, blank: Node) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { label, ..blank });
        self.append(parent, number);
        number
    }

    /// Makes a node the last child of another.
    fn append(&mut self, parent: u32, node: u32) {
        let last = self.nodes[parent as usize].last;
        let place = &mut self.nodes[node as usize];
        (place.parent, place.previous, place.next) = (parent, last, NONE);
        match last {
            NONE => self.nodes[parent as usize].first = node,
            last => self.nodes[last as usize].next = node,
        }
        self.nodes[parent as usize].last = node;
    }

    fn unlink(&mut self, node: u32) {
        let Node {
            parent,
            previous,
            next,
            ..
        } = self.nodes[node as usize];
        match previous {
            NONE => self.nodes[parent as usize].first = next,
            previous => self.nodes[previous as usize].next = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last = previous,
            next => self.nodes[next as usize].previous = previous,
        }
    }

    /// The segments of some labels of a column: the parents, whose chains are then in the scratch.
    fn segments(&self, scratch: &mut Scratch, column: usize, labels: &[u32]) -> Vec<u32> {
        scratch.now += 1;
        scratch.head.resize(self.nodes.len(), NONE);
        scratch.stamp.resize(self.nodes.len(), 0);
        scratch.chain.resize(self.nodes.len(), NONE);
        let mut parents = Vec::new();
        for label in labels {
            for node in &self.links[column][*label as usize] {
                let parent = self.nodes[*node as usize].parent;
                if parent == NONE {
                    continue;
                }
                if scratch.stamp[parent as usize] != scratch.now {
                    scratch.stamp[parent as usize] = scratch.now;
                    scratch.head[parent as usize] = NONE;
                    parents.push(parent);
                }
                scratch.chain[*node as usize] = scratch.head[parent as usize];
                scratch.head[parent as usize] = *node;
            }
        }
        parents
    }

    /// Merges the nodes of some labels of a column into nodes of another, wherever they are siblings, for
    /// each group of labels.
    pub fn apply<'a>(&mut self, column: usize, groups: impl Iterator<Item = (&'a [u32], u32)>) {
        for (children, into) in groups {
            self.merge_labels(column, children, into);
        }
        let (nodes, aim) = (&self.nodes, self.counters.aim());
        self.low.retain(|leaf| {
            let leaf = &nodes[*leaf as usize];
            leaf.parent != NONE && leaf.rows < aim
        });
    }

    fn merge_labels(&mut self, column: usize, children: &[u32], into: u32) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let parents = self.segments(&mut scratch, column, children);
        let mut linked = Vec::with_capacity(parents.len());
        for parent in parents {
            let kept = scratch.head[parent as usize];
            let mut next = scratch.chain[kept as usize];
            while next != NONE {
                self.unlink(next);
                self.merge(kept, next, self.level_of[column]);
                next = scratch.chain[next as usize];
            }
            self.unlink(kept);
            self.append(parent, kept);
            self.nodes[kept as usize].label = into;
            linked.push(kept);
        }
        for label in children {
            self.links[column][*label as usize] = Vec::new();
        }
        let links = &mut self.links[column];
        links.resize(links.len().max(into as usize + 1), Vec::new());
        links[into as usize] = linked;
        self.scratch = scratch;
    }

    /// Merges a node, already out of its list, into another at the same level.
    fn merge(&mut self, kept: u32, gone: u32, level: usize) {
        self.nodes[gone as usize].parent = NONE;
        if level + 1 == self.order.len() {
            let (one, other) = (
                self.nodes[kept as usize].rows,
                self.nodes[gone as usize].rows,
            );
            self.counters.remove(one);
            self.counters.remove(other);
            self.counters.add(one + other);
            self.nodes[kept as usize].rows = one + other;
            return;
        }
        let mut ours = self.nodes[kept as usize].first;
        let mut theirs = self.nodes[gone as usize].first;
        let kept_node = &mut self.nodes[kept as usize];
        (kept_node.first, kept_node.last) = (NONE, NONE);
        while ours != NONE || theirs != NONE {
            let label = |node: u32| match node {
                NONE => NONE,
                node => self.nodes[node as usize].label,
            };
            let (our_label, their_label) = (label(ours), label(theirs));
            let mut next = NONE;
            if our_label <= their_label {
                next = ours;
                ours = self.nodes[ours as usize].next;
            }
            if their_label <= our_label {
                let taken = theirs;
                theirs = self.nodes[theirs as usize].next;
                match next {
                    NONE => next = taken,
                    next => self.merge(next, taken, level + 1),
                }
            }
            self.append(kept, next);
        }
    }

    /// A_G(VID): the anonymity that merging groups of a column's labels would give. Where patience runs
    /// out, the anonymity there is.
    pub fn trial<'a>(
        &mut self,
        column: usize,
        groups: impl Iterator<Item = &'a [u32]>,
        patience: Option<Patience>,
    ) -> u64 {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.changes.clear();
        scratch.changes.resize(self.counters.aim() as usize, 0);
        let mut trial = Trial {
            tea: self,
            new_low: 0,
            patience,
        };
        let mut critical = true;
        'groups: for labels in groups {
            let parents = trial.tea.segments(&mut scratch, column, labels);
            for parent in parents {
                let mut node = scratch.head[parent as usize];
                let from = scratch.stack.len();
                while node != NONE {
                    scratch.stack.push((0, node));
                    node = scratch.chain[node as usize];
                }
                let size = scratch.stack.len() - from;
                critical = size < 2
                    || trial.merge(
                        &mut scratch.stack,
                        &mut scratch.changes,
                        (from, from + size),
                        trial.tea.level_of[column],
                    );
                scratch.stack.truncate(from);
                if !critical {
                    break 'groups;
                }
            }
        }
        let anonymity = match (critical, patience) {
            (false, Some(patience)) => patience.anonymity,
            _ => self.counters.anonymity_with(&scratch.changes),
        };
        self.scratch = scratch;
        anonymity
    }

    /// The leaves of at most so many rows.
    pub fn leaves_up_to(&self, rows: u64) -> impl Iterator<Item = u32> + '_ {
        let small = move |leaf: &u32| self.nodes[*leaf as usize].rows <= rows;
        self.low.iter().copied().filter(small)
    }

    pub fn rows(&self, leaf: u32) -> u64 {
        self.nodes[leaf as usize].rows
    }

    /// A leaf's path, from the leaf up: the column and the node at each level.
    pub fn path(&self, leaf: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        let mut node = leaf;
        self.order.iter().rev().map(move |column| {
            let here = node;
            node = self.nodes[node as usize].parent;
            (*column, here)
        })
    }

    pub fn label(&self, node: u32) -> u32 {
        self.nodes[node as usize].label
    }

    /// The labels of a node's siblings.
    pub fn siblings(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let parent = self.nodes[node as usize].parent;
        let mut next = self.nodes[parent as usize].first;
        std::iter::from_fn(move || {
            while next != NONE {
                let here = next;
                next = self.nodes[next as usize].next;
                if here != node {
                    return Some(self.nodes[here as usize].label);
                }
            }
            None
        })
    }
}
