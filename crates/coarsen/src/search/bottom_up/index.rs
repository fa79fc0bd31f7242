//! The critical generalizations by the TEA index: of all that are valid, or only of those that Theorem
//! 1 leaves (seed 003, sections 5.1 to 5.3).
//!
//! Theorem 1 with suppression: a generalization is critical only if its segments of two or more nodes
//! hold so many rows of the vids at or below A(VID) that no more than the limit are left. Without
//! suppression that is the paper's: every anonymity vid. And at most |VID| generalizations pass, where
//! a vid has at most one generalization a column, as under the schemes `cut` and `level`.

use super::column::Column;
use super::counters::Counters;
use super::tea::{Patience, Tea};
use super::{Critical, Effects};

/// The index, with pruning or without.
#[derive(Clone)]
pub(super) struct Index {
    pub tea: Tea,
    pub pruned: bool,
    /// How many generalizations the last look at them tried.
    pub tried: usize,
}

/// A generalization that Theorem 1 does not rule out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub column: usize,
    pub place: usize,
    /// The rows of vids at or below A(VID) that its segments merge with others.
    pub rows: u64,
}

impl Index {
    /// Step 1: walks up from the anonymity vids (seed 003, section 5.2).
    pub fn candidates(&self, columns: &[Column]) -> Vec<Candidate> {
        let tea = &self.tea;
        let anonymity = tea.counters.anonymity();
        let all = tea.counters.rows_below(anonymity + 1);
        let needed = all - tea.counters.limit();
        // For each piece of a column, the moves and groups that it is in.
        let groups_of: Vec<Vec<Vec<(u32, u32)>>> = columns.iter().map(Column::groups_of).collect();
        let mut rows: Vec<Vec<u64>> = columns.iter().map(|c| vec![0; c.moves.len()]).collect();
        let mut beyond = vec![false; columns.len()];
        let mut seen = 0;
        for leaf in tea.leaves_up_to(anonymity) {
            for (column, node) in tea.path(leaf) {
                if beyond[column] {
                    continue;
                }
                let groups = &groups_of[column];
                for (place, group) in &groups[tea.label(node) as usize] {
                    let partner = |label: u32| groups[label as usize].contains(&(*place, *group));
                    if tea.siblings(node).any(partner) {
                        rows[column][*place as usize] += tea.rows(leaf);
                    }
                }
                // What was passed over so far must not be more than may be left.
                let most = rows[column].iter().max().copied().unwrap_or(0);
                beyond[column] = most + (all - seen - tea.rows(leaf)) < needed;
            }
            seen += tea.rows(leaf);
            if beyond.iter().all(|beyond| *beyond) {
                return Vec::new();
            }
        }
        let mut found = Vec::new();
        for (column, rows) in rows.into_iter().enumerate() {
            for (place, rows) in rows.into_iter().enumerate() {
                if rows >= needed && !beyond[column] {
                    found.push(Candidate {
                        column,
                        place,
                        rows,
                    });
                }
            }
        }
        found
    }

    /// Step 2 for one generalization: A_G(VID).
    pub fn trial(
        &mut self,
        columns: &[Column],
        (column, place): (usize, usize),
        patience: Option<Patience>,
    ) -> u64 {
        self.tried += 1;
        let groups = &columns[column].moves[place].groups;
        let groups = groups.iter().map(|group| group.children.as_slice());
        self.tea.trial(column, groups, patience)
    }
}

impl Effects for Index {
    fn counters(&self) -> &Counters {
        &self.tea.counters
    }

    fn critical(&mut self, columns: &[Column]) -> Vec<Critical> {
        self.tried = 0;
        let before = self.tea.counters.anonymity();
        let mut found = Vec::new();
        let mut keep = |column, place, anonymity| {
            if anonymity > before {
                found.push(Critical {
                    column,
                    place,
                    anonymity,
                });
            }
        };
        if self.pruned {
            let all = self.tea.counters.rows_below(before + 1);
            for candidate in self.candidates(columns) {
                let patience = Patience {
                    anonymity: before,
                    slack: self.tea.counters.limit() - (all - candidate.rows),
                };
                let Candidate { column, place, .. } = candidate;
                keep(
                    column,
                    place,
                    self.trial(columns, (column, place), Some(patience)),
                );
            }
        } else {
            for (column, held) in columns.iter().enumerate() {
                for place in 0..held.moves.len() {
                    keep(column, place, self.trial(columns, (column, place), None));
                }
            }
        }
        found
    }

    fn apply(&mut self, _: &[Column], column: usize, merged: &[(Vec<u32>, u32)]) {
        let merged = merged.iter();
        let merged = merged.map(|(children, into)| (children.as_slice(), *into));
        self.tea.apply(column, merged);
    }
}
