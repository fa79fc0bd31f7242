//! What the parts of a split would hold: their rows, the codes of every column, and the rows that
//! satisfy each selection. Summaries of single codes add up to those of both sides of every threshold.

use std::ops::Range;

use super::columns::{Cutting, Held};
use super::split::{Context, Cut, Region};
use crate::domain::Code;

/// What some rows hold.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    pub rows: u64,
    pub held: Vec<Held>,
    pub satisfied: Vec<u64>,
}

impl Summary {
    fn none(columns: usize, selections: usize) -> Self {
        Summary {
            rows: 0,
            held: vec![Held::NONE; columns],
            satisfied: vec![0; selections],
        }
    }

    fn join(&mut self, other: &Summary) {
        self.rows += other.rows;
        for (held, more) in self.held.iter_mut().zip(&other.held) {
            held.join(more);
        }
        for (satisfied, more) in self.satisfied.iter_mut().zip(&other.satisfied) {
            *satisfied += more;
        }
    }

    /// What a whole region holds; `satisfied` is empty where selections do not matter.
    pub fn of_region(region: &Region<'_>, satisfied: &[Vec<bool>]) -> Summary {
        let mut all = Summary::none(region.tile.len(), satisfied.len());
        all.rows = region.weight;
        all.held.clone_from(&region.held);
        for (_, rows, id) in region.rows.iter_with_ids() {
            for (sum, by) in all.satisfied.iter_mut().zip(satisfied) {
                *sum += if by[id as usize] { rows } else { 0 };
            }
        }
        all
    }
}

/// Calls `judge` with every cut of a column whose parts have enough rows, and what the parts that have
/// rows would hold. `satisfied[s][combination]` tells who satisfies a selection.
pub(super) fn each_cut(
    context: &Context<'_>,
    region: &Region<'_>,
    column: usize,
    satisfied: &[Vec<bool>],
    mut judge: impl FnMut(Cut, &[&Summary]),
) {
    let Held { low, high, .. } = region.held[column];
    if low >= high {
        return;
    }
    let columns = region.tile.len();
    let mut of_codes = vec![Summary::none(columns, satisfied.len()); (high - low) as usize + 1];
    for (codes, rows, id) in region.rows.iter_with_ids() {
        let here = &mut of_codes[(codes[column] - low) as usize];
        here.rows += rows;
        for (held, code) in here.held.iter_mut().zip(codes) {
            held.add(*code);
        }
        for (sum, by) in here.satisfied.iter_mut().zip(satisfied) {
            *sum += if by[id as usize] { rows } else { 0 };
        }
    }
    match context.columns[column].cutting {
        Cutting::Threshold => {
            // after[i]: everything from the i-th code on.
            let mut after = of_codes.clone();
            for i in (1..after.len()).rev() {
                let (head, tail) = after.split_at_mut(i);
                head[i - 1].join(&tail[0]);
            }
            let mut before = Summary::none(columns, satisfied.len());
            for (i, here) in of_codes.iter().enumerate() {
                if here.rows > 0 && before.rows >= context.k && after[i].rows >= context.k {
                    judge(Cut::Below(low + i as Code), &[&before, &after[i]]);
                }
                before.join(here);
            }
        }
        Cutting::Children => {
            let Some(children) = context.columns[column].children(&region.tile[column]) else {
                return;
            };
            let of_child = |child: &Range<Code>| {
                let mut sum = Summary::none(columns, satisfied.len());
                for code in child.clone() {
                    let here = code.checked_sub(low).and_then(|i| of_codes.get(i as usize));
                    if let Some(here) = here {
                        sum.join(here);
                    }
                }
                sum
            };
            let parts: Vec<Summary> = children
                .iter()
                .map(of_child)
                .filter(|part| part.rows > 0)
                .collect();
            if parts.iter().all(|part| part.rows >= context.k) {
                judge(Cut::Into(children), &parts.iter().collect::<Vec<_>>());
            }
        }
    }
}
