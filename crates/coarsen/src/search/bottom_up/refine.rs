//! Taking back what turned out needless: a walk up takes steps that lose nothing at the time, or that a
//! later step makes superfluous. Once the requirement holds, each generalization that still stands on
//! its own is undone where the requirement goes on to hold without it, the one that lost most first.
//!
//! Not in the paper, and off unless `refine` is set: the steps are then no longer those that a run to a
//! larger K passes.

use super::super::pieces::{Piece, partitions};
use super::Start;
use super::column::Column;
use super::plain::{maps, recount};
use super::walk::{enforced, pieces};
use crate::policy::Scheme;

/// Undoes what can be undone; says for each column how many generalizations that were.
pub(super) fn refine(start: &Start<'_>, columns: &mut [Column]) -> Vec<usize> {
    let problem = start.problem;
    let (k, limit) = (problem.k(), problem.suppression.rows);
    let mut undone = vec![0; columns.len()];
    let mut refused: Vec<(usize, u32)> = Vec::new();
    loop {
        // A column that climbs by whole levels has nothing that stands on its own.
        let free = columns.iter().enumerate();
        let free = free.filter(|(_, held)| held.scheme != Scheme::Level);
        let open = free.flat_map(|(column, held)| {
            let merged = held.live.iter();
            let merged = merged.filter(|piece| !held.merged_of(**piece).is_empty());
            merged.map(move |piece| (column, *piece))
        });
        let open = open.filter(|place| !refused.contains(place));
        let regained = |(column, piece): &(usize, u32)| {
            let held = &columns[*column];
            let into = held.piece(*piece);
            let parts = held
                .merged_of(*piece)
                .iter()
                .map(|part| &held.piece(*part).mix);
            let rows = into.mix.rows as f64;
            let lm = |piece: &Piece| piece.block.lm * piece.mix.rows as f64;
            let parts_lm = held
                .merged_of(*piece)
                .iter()
                .map(|part| lm(held.piece(*part)));
            (
                rows * start.judge.lost(&into.mix, parts),
                lm(into) - parts_lm.sum::<f64>(),
            )
        };
        let best = open.map(|place| (regained(&place), place)).max_by(|a, b| {
            let by_information = a.0.0.total_cmp(&b.0.0).then(a.0.1.total_cmp(&b.0.1));
            by_information.then(b.1.cmp(&a.1))
        });
        let Some((_, (column, piece))) = best else {
            return undone;
        };
        let before = columns[column].live.clone();
        columns[column].undo(piece);
        // Counting is quick, so classes are only made where k holds.
        let counted = recount(&problem.counts, &maps(columns), k, limit);
        let holds = counted.anonymity() >= k && {
            let made = partitions(&problem.attributes, pieces(columns));
            enforced(problem, &made).1 <= limit
        };
        if holds {
            undone[column] += 1;
        } else {
            // What is finer falls short too, now and later.
            refused.push((column, piece));
            columns[column].live = before;
        }
    }
}
