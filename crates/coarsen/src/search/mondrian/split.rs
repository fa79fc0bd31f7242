//! Candidate splits of a region, and whether one is allowed.

use std::ops::Range;

use super::columns::{Column, Cutting, Held};
use super::rows::Rows;
use crate::counts::{Class, ClassTally};
use crate::domain::Code;
use crate::problem::Problem;

/// What all splits share.
pub(super) struct Context<'a> {
    pub problem: &'a Problem,
    pub columns: Vec<Column<'a>>,
    /// The whole table, which a requirement may speak of.
    pub whole: Vec<ClassTally>,
    /// Whether counting rows is all there is to check.
    pub only_k: bool,
    /// The rows that every part needs.
    pub k: u64,
}

impl<'a> Context<'a> {
    pub fn of(problem: &'a Problem) -> Self {
        Context {
            problem,
            columns: problem.attributes.iter().map(Column::of).collect(),
            whole: problem
                .counts
                .tallies()
                .iter()
                .map(|tally| tally.whole())
                .collect(),
            only_k: problem.requirements.iter().all(|r| r.k().is_some()),
            k: problem.k(),
        }
    }

    /// Whether these combinations may be a class.
    pub fn may_be_class(&self, combinations: &[u32], rows: u64) -> bool {
        if rows < self.k {
            return false;
        }
        if self.only_k {
            return true;
        }
        let tallies = self.problem.counts.tally_of(combinations);
        let whole = Class::alone(self.problem.counts.total(), &self.whole);
        self.problem.holds(&Class::alone(rows, &tallies), &whole)
    }
}

/// A region on its way to being split.
pub(super) struct Region<'a> {
    pub rows: Rows<'a>,
    pub tile: Vec<Range<Code>>,
    pub held: Vec<Held>,
    pub weight: u64,
}

impl<'a> Region<'a> {
    pub fn new(rows: Rows<'a>, tile: Vec<Range<Code>>) -> Self {
        let mut held = vec![Held::NONE; tile.len()];
        let mut weight = 0;
        for (codes, count) in rows.iter() {
            weight += count;
            for (held, code) in held.iter_mut().zip(codes) {
                held.add(*code);
            }
        }
        Region {
            rows,
            tile,
            held,
            weight,
        }
    }
}

/// Where a column is cut.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cut {
    /// Codes below this one, and the rest.
    Below(Code),
    /// A node's children.
    Into(Vec<Range<Code>>),
}

/// A way to split a region. Less is better; what ties is decided by `then`, then by the column that
/// comes first, then by the lower cut.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub column: usize,
    pub cut: Cut,
    pub score: f64,
    pub then: f64,
}

impl Candidate {
    /// Which of two is tried first.
    pub fn compare(&self, other: &Candidate) -> std::cmp::Ordering {
        self.score
            .total_cmp(&other.score)
            .then(self.then.total_cmp(&other.then))
            .then(self.column.cmp(&other.column))
            .then_with(|| match (&self.cut, &other.cut) {
                (Cut::Below(a), Cut::Below(b)) => a.cmp(b),
                _ => std::cmp::Ordering::Equal,
            })
    }
}

/// For every column, the rows of each code of the region's tile, from the tile's first code on.
pub(super) fn rows_of_codes(region: &Region<'_>) -> Vec<Vec<u64>> {
    let mut rows: Vec<Vec<u64>> = region
        .held
        .iter()
        .map(|held| vec![0; (held.high - held.low) as usize + 1])
        .collect();
    for (codes, count) in region.rows.iter() {
        for ((rows, code), held) in rows.iter_mut().zip(codes).zip(&region.held) {
            rows[(code - held.low) as usize] += count;
        }
    }
    rows
}

/// Every cut of a column whose parts have enough rows: thresholds between codes that are there, or
/// the children of its node. `rows[i]` are the rows of code `low + i`.
pub(super) fn cuts(
    context: &Context<'_>,
    region: &Region<'_>,
    column: usize,
    rows: &[u64],
) -> Vec<Cut> {
    let held = &region.held[column];
    if held.low >= held.high {
        return Vec::new();
    }
    match context.columns[column].cutting {
        Cutting::Threshold => {
            let mut before = 0;
            let mut cuts = Vec::new();
            for (i, here) in rows.iter().enumerate() {
                // A cut stands right below a code that is there, so that no two mean the same.
                if *here > 0 && before >= context.k && region.weight - before >= context.k {
                    cuts.push(Cut::Below(held.low + i as Code));
                }
                before += here;
            }
            cuts
        }
        Cutting::Children => {
            let Some(children) = context.columns[column].children(&region.tile[column]) else {
                return Vec::new();
            };
            let rows_in = |child: &Range<Code>| -> u64 {
                child
                    .clone()
                    .filter_map(|code| rows.get(code.checked_sub(held.low)? as usize))
                    .sum()
            };
            // A child without rows makes no class; it only keeps the tiles whole.
            let enough = children
                .iter()
                .map(rows_in)
                .all(|rows| rows == 0 || rows >= context.k);
            if enough {
                vec![Cut::Into(children)]
            } else {
                Vec::new()
            }
        }
    }
}

/// The part of a cut that a code falls into.
pub(super) fn part_of(cut: &Cut, code: Code) -> usize {
    match cut {
        Cut::Below(at) => usize::from(code >= *at),
        Cut::Into(children) => children.partition_point(|child| child.end <= code),
    }
}

/// How many parts a cut makes.
pub(super) fn parts(cut: &Cut) -> usize {
    match cut {
        Cut::Below(_) => 2,
        Cut::Into(children) => children.len(),
    }
}

/// The tiles of a cut's parts in the column that is cut.
pub(super) fn tiles(cut: &Cut, tile: &Range<Code>) -> Vec<Range<Code>> {
    match cut {
        Cut::Below(at) => vec![tile.start..*at, *at..tile.end],
        Cut::Into(children) => children.clone(),
    }
}
