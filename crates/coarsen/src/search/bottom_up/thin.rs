//! A column of very many values that are merged two at a time, such as an income in cents: its
//! neighbours of least I(G) are merged before the walk begins, until [`MOST`] blocks are left.
//!
//! Not in the paper, which knows categories only. A walk weighs every block at every step, which is too
//! slow for tens of thousands, and their A(VID) is 1 as long as they are so many, so that the least
//! I(G) would be taken anyway. Ties go to what adds least to LM, then to the lower codes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::pieces::Piece;
use super::column::Column;
use super::moves::{Group, Scales};
use crate::policy::Scheme;

/// So many blocks may a column start with that merges two at a time.
pub(super) const MOST: usize = 1024;

const NONE: usize = usize::MAX;

/// A run of values that may still grow.
struct Run {
    piece: Piece,
    children: Vec<u32>,
    previous: usize,
    next: usize,
    /// How often it changed; `NONE` once it is part of another.
    changed: usize,
}

/// What merging a run with its next one costs, smallest first; the last numbers tell whether either run
/// has changed since.
type Offer = Reverse<(u64, u64, u32, usize, usize, usize, usize)>;

impl Column {
    /// The groups that leave [`MOST`] blocks; none where there are no more.
    pub(super) fn thin(&self, scales: &Scales<'_>) -> Vec<Group> {
        let whole = matches!(self.scheme, Scheme::Cut | Scheme::Level);
        if whole || self.live.len() <= MOST {
            return Vec::new();
        }
        let last = self.live.len() - 1;
        let run = |(place, live): (usize, &u32)| Run {
            piece: self.piece(*live).clone(),
            children: vec![*live],
            previous: place.checked_sub(1).unwrap_or(NONE),
            next: if place == last { NONE } else { place + 1 },
            changed: 0,
        };
        let mut runs: Vec<Run> = self.live.iter().enumerate().map(run).collect();
        let mut offers: BinaryHeap<Offer> = (0..last)
            .filter_map(|place| self.offer(&runs, place, scales))
            .map(|(_, offer)| offer)
            .collect();
        let mut left = runs.len();
        while left > MOST {
            let Some(Reverse((.., one, one_changed, other, other_changed))) = offers.pop() else {
                break;
            };
            if runs[one].changed != one_changed || runs[other].changed != other_changed {
                continue;
            }
            let Some((piece, _)) = self.offer(&runs, one, scales) else {
                continue;
            };
            let children = std::mem::take(&mut runs[other].children);
            let next = runs[other].next;
            runs[other].changed = NONE;
            let kept = &mut runs[one];
            (kept.piece, kept.next) = (piece, next);
            kept.children.extend(children);
            kept.changed += 1;
            if next != NONE {
                runs[next].previous = one;
            }
            for from in [runs[one].previous, one] {
                if from != NONE && runs[from].next != NONE {
                    let offer = self.offer(&runs, from, scales);
                    offers.extend(offer.map(|(_, offer)| offer));
                }
            }
            left -= 1;
        }
        let grown = runs.into_iter().filter(|run| run.children.len() > 1);
        grown
            .map(|run| Group {
                children: run.children,
                into: run.piece,
            })
            .collect()
    }

    /// A run and its next one as one piece, and what that costs.
    fn offer(&self, runs: &[Run], one: usize, scales: &Scales<'_>) -> Option<(Piece, Offer)> {
        let other = runs[one].next;
        let pair = [&runs[one].piece, &runs[other].piece];
        let into = self.joined(pair[0], pair[1], scales.attribute)?;
        let (information, lm) = scales.measure(std::iter::once((&into, pair.into_iter())));
        // Numbers that are not negative are ordered as their bits are.
        let (information, lm) = (information.max(0.0).to_bits(), lm.max(0.0).to_bits());
        let first = into.codes.first();
        let changed = (runs[one].changed, runs[other].changed);
        let offer = Reverse((information, lm, first, one, changed.0, other, changed.1));
        Some((into, offer))
    }
}
