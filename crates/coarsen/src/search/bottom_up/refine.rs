//! Bettering a release once the requirement holds. A walk up takes steps that lose nothing at the time,
//! or that a later step makes superfluous: each generalization that still stands on its own is undone
//! where the requirement goes on to hold without it, the one that lost most first. Then come exchanges,
//! both ways: one generalization is undone and the walk goes on from there without it; or one more is
//! made, and what it makes needless is taken back. The exchange that leaves the least `search.loss` is
//! made, and again, until none lowers it. Where that would be too much work ([`MOST`]), it is left at the
//! first part.
//!
//! Not in the paper, and off unless `refine` is set: the steps are then no longer those that a run to a
//! larger K passes.

use super::super::pieces::{Codes, Piece, partitions};
use super::super::{Run, SearchError};
use super::Start;
use super::column::Column;
use super::plain::{maps, recount};
use super::walk::{State, enforced, pieces};
use crate::policy::Scheme;

/// A loss must fall by more than rounding.
const LESS: f64 = 1e-12;

/// Exchanges, each of which may try as many moves, times combinations, in one round.
const MOST: usize = 20_000_000;

/// Columns of no greater loss; ends early where time is over.
pub(super) fn refine(
    start: &Start<'_>,
    mut columns: Vec<Column>,
    run: &Run,
) -> Result<Vec<Column>, SearchError> {
    let mut least = cost(start, &columns);
    let mut finer = columns.clone();
    take_back(start, &mut finer, Vec::new(), run);
    // What is finer may have more rows suppressed, and cost more for that.
    let found = cost(start, &finer);
    if found <= least {
        (columns, least) = (finer, found);
    }
    loop {
        let mut best = None;
        let all = exchanges(start, &columns);
        let feasible = all.len().pow(2) * start.problem.counts.combinations() <= MOST;
        for exchange in all.iter().filter(|_| feasible) {
            if run.is_over() {
                break;
            }
            let Some(other) = exchange.make(start, &columns, run)? else {
                continue;
            };
            let found = cost(start, &other);
            if found < least - LESS * least.abs() {
                (best, least) = (Some(other), found);
            }
        }
        match best {
            Some(other) => columns = other,
            None => return Ok(columns),
        }
    }
}

/// A step away from a release that meets the requirement to another that does.
enum Exchange {
    /// Undo this piece of a column, and generalize others.
    Down(usize, u32),
    /// Make the move to these codes in a column, and take back others.
    Up(usize, Codes),
}

fn exchanges(start: &Start<'_>, columns: &[Column]) -> Vec<Exchange> {
    let down = merged(start, columns, &[]).into_iter();
    let mut all: Vec<Exchange> = down.map(|(c, piece)| Exchange::Down(c, piece)).collect();
    for (column, held) in columns.iter().enumerate() {
        let moves = held.valid(&start.scales(column));
        // A column that climbs by whole levels has nothing that stands on its own.
        let moves = moves.iter().filter(|_| held.scheme != Scheme::Level);
        all.extend(moves.map(|made| Exchange::Up(column, made.groups[0].into.codes.clone())));
    }
    all
}

impl Exchange {
    /// The columns after it; `None` where it leads to no release.
    fn make(
        &self,
        start: &Start<'_>,
        columns: &[Column],
        run: &Run,
    ) -> Result<Option<Vec<Column>>, SearchError> {
        let mut other = columns.to_vec();
        let mut kept = Vec::new();
        match self {
            Exchange::Down(column, piece) => {
                let undone = other[*column].piece(*piece).codes.clone();
                other[*column].undo(*piece);
                for (place, held) in other.iter_mut().enumerate() {
                    held.moves = held.valid(&start.scales(place));
                }
                let held = &mut other[*column];
                if let Some(back) = held.move_to(&undone) {
                    held.moves.swap_remove(back);
                }
                let mut state = State::between(start, other);
                match state.climb(run, &mut |_| 1.0) {
                    Ok(()) => other = state.columns,
                    Err(SearchError::NoRelease(_)) => return Ok(None),
                    Err(error) => return Err(error),
                }
            }
            Exchange::Up(column, codes) => {
                let scales = start.scales(*column);
                let held = &mut other[*column];
                held.moves = held.valid(&scales);
                let Some(place) = held.move_to(codes) else {
                    return Ok(None);
                };
                let merged = held.apply(place, &scales);
                kept.extend(merged.iter().map(|(_, into)| (*column, *into)));
            }
        }
        take_back(start, &mut other, kept, run);
        Ok(Some(other))
    }
}

fn cost(start: &Start<'_>, columns: &[Column]) -> f64 {
    let made = partitions(&start.problem.attributes, pieces(columns));
    start.problem.cost(&enforced(start.problem, &made).0)
}

/// The generalizations that stand on their own, but for some: column and piece, what lost most first.
fn merged(start: &Start<'_>, columns: &[Column], but: &[(usize, u32)]) -> Vec<(usize, u32)> {
    // A column that climbs by whole levels has nothing that stands on its own.
    let free = columns.iter().enumerate();
    let free = free.filter(|(_, held)| held.scheme != Scheme::Level);
    let open = free.flat_map(|(column, held)| {
        let merged = held.live.iter();
        let merged = merged.filter(|piece| !held.merged_of(**piece).is_empty());
        merged.map(move |piece| (column, *piece))
    });
    let open = open.filter(|place| !but.contains(place));
    let lost = |(column, piece): &(usize, u32)| {
        let held = &columns[*column];
        let into = held.piece(*piece);
        let parts = || held.merged_of(*piece).iter().map(|part| held.piece(*part));
        let lm = |piece: &Piece| piece.block.lm * piece.mix.rows as f64;
        let lost = start.judge.lost(&into.mix, parts().map(|part| &part.mix));
        (
            into.mix.rows as f64 * lost,
            lm(into) - parts().map(lm).sum::<f64>(),
        )
    };
    let mut found: Vec<_> = open.map(|place| (lost(&place), place)).collect();
    found.sort_by(|a, b| {
        let by_information = b.0.0.total_cmp(&a.0.0).then(b.0.1.total_cmp(&a.0.1));
        by_information.then(a.1.cmp(&b.1))
    });
    found.into_iter().map(|(_, place)| place).collect()
}

/// Undoes what can be undone without anything in exchange, but for some.
fn take_back(start: &Start<'_>, columns: &mut [Column], mut refused: Vec<(usize, u32)>, run: &Run) {
    let problem = start.problem;
    let (k, limit) = (problem.k(), problem.suppression.rows);
    while let Some((column, piece)) = merged(start, columns, &refused).first().copied() {
        if run.is_over() {
            return;
        }
        let before = columns[column].live.clone();
        columns[column].undo(piece);
        // Counting is quick, so classes are only made where k holds.
        let counted = recount(&problem.counts, &maps(columns), k, limit);
        let holds = counted.anonymity() >= k && {
            let made = partitions(&problem.attributes, pieces(columns));
            enforced(problem, &made).1 <= limit
        };
        if !holds {
            // What is finer falls short too, now and later.
            refused.push((column, piece));
            columns[column].live = before;
        }
    }
}
