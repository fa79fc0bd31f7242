//! The taxonomy-indexed partition structure (Fung, Wang and Yu 2005, section 4): the classes of the
//! table as it is specialized, linked by the blocks they hold, so that a specialization visits only
//! the classes it splits.

use std::collections::BTreeMap;

use crate::counts::Counts;
use crate::domain::Code;

/// Classes on their way down.
pub(super) struct Tips<'a> {
    counts: &'a Counts,
    /// The combinations and rows of each class; none once it was split.
    classes: Vec<(Vec<u32>, u64)>,
    /// For each column, the classes of each piece; some may have been split since.
    links: Vec<Vec<Vec<u32>>>,
    /// The piece of each class, class after class.
    pieces: Vec<u32>,
    /// How many classes there are of each size.
    sizes: BTreeMap<u64, u64>,
}

/// What a specialization would leave.
pub(super) struct Effect {
    /// The smallest class that cannot be suppressed within the limit.
    pub anonymity: u64,
    /// The rows in classes below k.
    pub short_rows: u64,
}

impl<'a> Tips<'a> {
    /// One class of everything.
    pub fn new(counts: &'a Counts) -> Self {
        let columns = counts.attributes();
        let all = (0..counts.combinations() as u32).collect();
        Tips {
            counts,
            classes: vec![(all, counts.total())],
            links: vec![vec![vec![0]]; columns],
            pieces: vec![0; columns],
            sizes: BTreeMap::from([(counts.total(), 1)]),
        }
    }

    /// The live classes that hold a piece of a column.
    fn linked(&self, column: usize, piece: u32) -> impl Iterator<Item = u32> + '_ {
        let links = self.links[column].get(piece as usize);
        let all = links.into_iter().flatten().copied();
        all.filter(|class| self.classes[*class as usize].1 > 0)
    }

    /// What splitting pieces of a column would leave. `child_of` has the child of every code, from 0.
    pub fn trial(
        &self,
        column: usize,
        split: &[(u32, usize)],
        child_of: &[u32],
        (k, limit): (u64, u64),
    ) -> Effect {
        let codes = self.counts.codes(column);
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let mut rows = Vec::new();
        for (piece, children) in split {
            for class in self.linked(column, *piece) {
                let (combinations, whole) = &self.classes[class as usize];
                rows.clear();
                rows.resize(*children, 0u64);
                for combination in combinations {
                    let child = child_of[codes[*combination as usize] as usize];
                    rows[child as usize] += self.counts.rows()[*combination as usize];
                }
                removed.push(*whole);
                added.extend(rows.iter().copied().filter(|rows| *rows > 0));
            }
        }
        removed.sort_unstable();
        added.sort_unstable();
        self.left(&removed, &added, k, limit)
    }

    /// The anonymity and the short rows once some classes are gone and others there, both sorted.
    fn left(&self, removed: &[u64], added: &[u64], k: u64, limit: u64) -> Effect {
        let mut removed = removed.iter().copied().peekable();
        let kept = self.sizes.iter().flat_map(|(size, classes)| {
            let mut classes = *classes;
            while removed.next_if(|gone| gone == size).is_some() {
                classes -= 1;
            }
            (classes > 0).then_some((*size, classes))
        });
        let mut kept = kept.peekable();
        let mut added = added.iter().copied().peekable();
        let (mut below, mut short_rows, mut anonymity) = (0, 0, None);
        loop {
            let next = match (kept.peek(), added.peek()) {
                (Some((size, _)), Some(new)) if size <= new => kept.next(),
                (_, Some(_)) => added.next().map(|new| (new, 1)),
                (_, None) => kept.next(),
            };
            let Some((size, classes)) = next else { break };
            below += size * classes;
            if size < k {
                short_rows += size * classes;
            }
            if below > limit && anonymity.is_none() {
                anonymity = Some(size);
            }
            if anonymity.is_some() && size >= k {
                break;
            }
        }
        Effect {
            anonymity: anonymity.unwrap_or(self.counts.total()),
            short_rows,
        }
    }

    /// Where it stands.
    pub fn now(&self, k: u64, limit: u64) -> Effect {
        self.left(&[], &[], k, limit)
    }

    /// Splits a piece of a column into others. `child_of` has the child of every code, from 0.
    pub fn apply(&mut self, column: usize, old: u32, new: &[u32], child_of: &[u32]) {
        let columns = self.links.len();
        let classes: Vec<u32> = self.linked(column, old).collect();
        for class in classes {
            let (combinations, whole) = std::mem::take(&mut self.classes[class as usize]);
            let mut parts: Vec<(Vec<u32>, u64)> = vec![(Vec::new(), 0); new.len()];
            for combination in combinations {
                let code: Code = self.counts.codes(column)[combination as usize];
                let part = &mut parts[child_of[code as usize] as usize];
                part.0.push(combination);
                part.1 += self.counts.rows()[combination as usize];
            }
            if let Some(classes) = self.sizes.get_mut(&whole) {
                *classes -= 1;
                if *classes == 0 {
                    self.sizes.remove(&whole);
                }
            }
            let held: Vec<u32> = self.pieces[class as usize * columns..][..columns].to_vec();
            for (part, piece) in parts.into_iter().zip(new) {
                if part.1 == 0 {
                    continue;
                }
                let number = self.classes.len() as u32;
                *self.sizes.entry(part.1).or_default() += 1;
                self.classes.push(part);
                for (place, held) in held.iter().enumerate() {
                    let piece = if place == column { *piece } else { *held };
                    self.pieces.push(piece);
                    let links = &mut self.links[place];
                    links.resize(links.len().max(piece as usize + 1), Vec::new());
                    links[piece as usize].push(number);
                }
            }
        }
        if let Some(links) = self.links[column].get_mut(old as usize) {
            *links = Vec::new();
        }
    }

    /// The sizes of all classes with how many there are.
    #[cfg(test)]
    pub fn sizes(&self) -> Vec<(u64, u64)> {
        self.sizes.iter().map(|(size, n)| (*size, *n)).collect()
    }
}
