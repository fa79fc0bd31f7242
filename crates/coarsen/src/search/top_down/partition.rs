//! The taxonomy-indexed partition structure (Fung, Wang and Yu 2005, section 4): the classes of the
//! table as it is specialized, linked by the blocks they hold, each with the rows that every open
//! specialization would give to each child.
//!
//! So a specialization is judged from these counts alone, without looking at combinations; making it
//! visits the combinations of the classes it splits, once, and counts the parts anew for all columns.

use std::collections::BTreeMap;

use super::super::pieces::Piece;
use crate::counts::Counts;

/// Classes on their way down.
pub(super) struct Tips<'a> {
    counts: &'a Counts,
    /// The classes as they came into being.
    classes: Vec<Class>,
    /// For each column, the classes of each piece; some may have been split since.
    links: Vec<Vec<Vec<u32>>>,
    /// For each column, how many children the open specialization of each piece has; 0 for none.
    widths: Vec<Vec<u32>>,
    /// For each column, the child that each code goes to under the open specialization of its piece.
    child_of: Vec<Vec<u32>>,
    /// How many classes there are of each size.
    sizes: BTreeMap<u64, u64>,
}

/// A class, or what is left of one that was split.
#[derive(Default)]
struct Class {
    combinations: Vec<u32>,
    /// 0 once it was split.
    rows: u64,
    /// Its piece in each column.
    pieces: Vec<u32>,
    /// For each column, the rows of each child of its piece's open specialization.
    children: Vec<Vec<u64>>,
}

/// What a specialization would leave.
pub(super) struct Effect {
    /// The smallest class that cannot be suppressed within the limit.
    pub anonymity: u64,
    /// The rows in classes below k.
    pub short_rows: u64,
}

impl<'a> Tips<'a> {
    /// One class of everything, and no open specialization; `domains` has each column's size.
    pub fn new(counts: &'a Counts, domains: &[usize]) -> Self {
        let columns = domains.len();
        let all = Class {
            combinations: (0..counts.combinations() as u32).collect(),
            rows: counts.total(),
            pieces: vec![0; columns],
            children: vec![Vec::new(); columns],
        };
        Tips {
            counts,
            classes: vec![all],
            links: vec![vec![vec![0]]; columns],
            widths: vec![vec![0]; columns],
            child_of: domains.iter().map(|size| vec![0; *size]).collect(),
            sizes: BTreeMap::from([(counts.total(), 1)]),
        }
    }

    /// The live classes that hold a piece of a column.
    fn linked(&self, column: usize, piece: u32) -> impl Iterator<Item = u32> + '_ {
        let links = self.links[column].get(piece as usize);
        let all = links.into_iter().flatten().copied();
        all.filter(|class| self.classes[*class as usize].rows > 0)
    }

    /// Opens a specialization of a piece into children, in the place of the one that was open.
    pub fn open(&mut self, column: usize, piece: u32, children: &[Piece]) {
        for (number, child) in children.iter().enumerate() {
            for code in child.codes.iter() {
                self.child_of[column][code as usize] = number as u32;
            }
        }
        let widths = &mut self.widths[column];
        widths.resize(widths.len().max(piece as usize + 1), 0);
        widths[piece as usize] = children.len() as u32;
        let classes: Vec<u32> = self.linked(column, piece).collect();
        for class in classes {
            let rows = self.counted(column, piece, &self.classes[class as usize].combinations);
            self.classes[class as usize].children[column] = rows;
        }
    }

    /// Forgets the open specialization of a piece.
    pub fn close(&mut self, column: usize, piece: u32) {
        if let Some(width) = self.widths[column].get_mut(piece as usize) {
            *width = 0;
        }
    }

    /// The rows of each child of a piece's open specialization among some combinations.
    fn counted(&self, column: usize, piece: u32, combinations: &[u32]) -> Vec<u64> {
        let width = self.widths[column].get(piece as usize);
        let mut rows = vec![0; width.map_or(0, |width| *width as usize)];
        if !rows.is_empty() {
            let codes = self.counts.codes(column);
            for combination in combinations {
                let child = self.child_of[column][codes[*combination as usize] as usize];
                rows[child as usize] += self.counts.rows()[*combination as usize];
            }
        }
        rows
    }

    /// What the open specializations of some pieces of a column would leave.
    pub fn trial(
        &self,
        column: usize,
        pieces: impl Iterator<Item = u32>,
        (k, limit): (u64, u64),
    ) -> Effect {
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        for piece in pieces {
            for class in self.linked(column, piece) {
                let class = &self.classes[class as usize];
                removed.push(class.rows);
                added.extend(class.children[column].iter().filter(|rows| **rows > 0));
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

    /// Makes the open specialization of a piece: its children are these pieces from now on.
    pub fn apply(&mut self, column: usize, old: u32, new: &[u32]) {
        let classes: Vec<u32> = self.linked(column, old).collect();
        for class in classes {
            let class = std::mem::take(&mut self.classes[class as usize]);
            let sizes = class.children[column].iter();
            let mut parts: Vec<Vec<u32>> = sizes.map(|_| Vec::new()).collect();
            let codes = self.counts.codes(column);
            for combination in class.combinations {
                let child = self.child_of[column][codes[combination as usize] as usize];
                parts[child as usize].push(combination);
            }
            if let Some(classes) = self.sizes.get_mut(&class.rows) {
                *classes -= 1;
                if *classes == 0 {
                    self.sizes.remove(&class.rows);
                }
            }
            let counted = class.children[column].iter();
            for ((combinations, rows), piece) in parts.into_iter().zip(counted).zip(new) {
                if *rows == 0 {
                    continue;
                }
                let number = self.classes.len() as u32;
                *self.sizes.entry(*rows).or_default() += 1;
                let mut pieces = class.pieces.clone();
                pieces[column] = *piece;
                for (place, piece) in pieces.iter().enumerate() {
                    let links = &mut self.links[place];
                    links.resize(links.len().max(*piece as usize + 1), Vec::new());
                    links[*piece as usize].push(number);
                }
                let places = pieces.iter().enumerate();
                let children =
                    places.map(|(place, piece)| self.counted(place, *piece, &combinations));
                let children = children.collect();
                self.classes.push(Class {
                    combinations,
                    rows: *rows,
                    pieces,
                    children,
                });
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
