//! Candidate splits of a region, and whether one is allowed.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use super::columns::{Column, Cutting, Held};
use super::rows::Rows;
use super::strip::{Asked, Strip, strip_of_rows};
use crate::counts::{Class, ClassTally};
use crate::domain::Code;
use crate::problem::Problem;

/// Regions of more rows are looked at along all columns at once.
const WORTH_THREADS: usize = 1 << 16;

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

    /// Whether all rows together may be a class.
    pub fn may_be_class(&self) -> bool {
        let whole = Class::alone(self.problem.counts.total(), &self.whole);
        self.problem.holds(&whole, &whole)
    }

    /// Whether every part of a cut that has rows may be a class, given that each has enough rows.
    pub fn allows(&self, region: &Region<'_>, column: usize, cut: &Cut) -> bool {
        if self.only_k {
            return true;
        }
        let whole = Class::alone(self.problem.counts.total(), &self.whole);
        let (rows, tallies) = region.tallies(self.whole.len(), column, cut);
        rows.iter().enumerate().all(|(part, rows)| {
            *rows == 0
                || self
                    .problem
                    .holds(&Class::of(*rows, &tallies, part), &whole)
        })
    }

    /// What strips must tell for the requirements.
    pub fn tallies_asked(&self) -> usize {
        if self.only_k { 0 } else { self.whole.len() }
    }
}

/// A region on its way to being split.
pub(super) struct Region<'a> {
    pub source: Source<'a>,
    pub tile: Vec<Range<Code>>,
    pub held: Vec<Held>,
    pub weight: u64,
}

/// What is known of a region's rows.
pub(super) enum Source<'a> {
    /// The rows themselves.
    Rows(Rows<'a>),
    /// What a pass over the table found along every column.
    Strips(Vec<Strip>),
}

impl<'a> Region<'a> {
    /// A region of rows in memory.
    pub fn of_rows(context: &Context<'_>, rows: Rows<'a>, tile: Vec<Range<Code>>) -> Self {
        let mut held = vec![Held::NONE; tile.len()];
        let mut weight = 0;
        for row in rows.iter() {
            weight += row.weight;
            for (held, code) in held.iter_mut().zip(row.codes) {
                held.widen(*code);
            }
        }
        for (column, held) in held.iter_mut().enumerate() {
            if context.columns[column].is_set() {
                rows.column(column).for_each(|code| held.add(code));
            }
        }
        Region {
            source: Source::Rows(rows),
            tile,
            held,
            weight,
        }
    }

    /// A region that a pass over the table has counted.
    pub fn of_strips(strips: Vec<Strip>, tile: Vec<Range<Code>>) -> Self {
        let held = strips.iter().map(|strip| {
            let mut held = Held::NONE;
            strip.codes.iter().for_each(|code| held.add(*code));
            held
        });
        Region {
            held: held.collect(),
            weight: strips.first().map_or(0, |strip| strip.rows.iter().sum()),
            source: Source::Strips(strips),
            tile,
        }
    }

    /// The region along one column.
    pub fn strip(&self, column: usize, asked: Asked<'_>) -> Cow<'_, Strip> {
        match &self.source {
            Source::Rows(rows) => {
                Cow::Owned(strip_of_rows(rows, column, &self.held[column], asked))
            }
            Source::Strips(strips) => Cow::Borrowed(&strips[column]),
        }
    }

    /// The strips of all columns that can be cut, in their order; on all threads where it is worth it.
    pub fn strips(&self, asked: Asked<'_>) -> Vec<(usize, Cow<'_, Strip>)> {
        let can_be_cut = |column: &usize| self.held[*column].low < self.held[*column].high;
        let columns: Vec<usize> = (0..self.tile.len()).filter(can_be_cut).collect();
        let strip = |column: usize| (column, self.strip(column, asked));
        match &self.source {
            Source::Rows(rows) if rows.len() >= WORTH_THREADS => {
                columns.into_par_iter().map(strip).collect()
            }
            _ => columns.into_iter().map(strip).collect(),
        }
    }

    /// The rows of each part of a cut.
    pub fn rows_of_parts(&self, column: usize, cut: &Cut) -> Vec<u64> {
        self.tallies(0, column, cut).0
    }

    /// The rows and the tallied values of each part of a cut.
    fn tallies(&self, tallies: usize, column: usize, cut: &Cut) -> (Vec<u64>, Vec<ClassTally>) {
        let mut rows = vec![0; parts(cut)];
        let mut entries: Vec<Vec<(u32, Code, u64)>> = vec![Vec::new(); tallies];
        match &self.source {
            Source::Rows(of) => {
                for row in of.iter() {
                    let part = part_of(cut, row.codes[column]);
                    rows[part] += row.weight;
                    for (tally, entries) in entries.iter_mut().enumerate() {
                        row.each_value(tally, |value, rows| {
                            entries.push((part as u32, value, rows));
                        });
                    }
                }
            }
            Source::Strips(strips) => {
                let strip = &strips[column];
                for (slot, code) in strip.codes.iter().enumerate() {
                    let part = part_of(cut, *code);
                    rows[part] += strip.rows[slot];
                    for (entries, tally) in entries.iter_mut().zip(&strip.tallies) {
                        let values = tally.of(slot);
                        entries.extend(values.iter().map(|(v, rows)| (part as u32, v, rows)));
                    }
                }
            }
        }
        let tallies = entries
            .into_iter()
            .map(|entries| ClassTally::of_entries(entries, parts(cut)));
        (rows, tallies.collect())
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

/// A cut, and the first of the strip's codes that lies above it where it is a threshold.
pub(super) struct Place {
    pub cut: Cut,
    pub slot: usize,
    /// The rows below it, where it is a threshold.
    pub below: u64,
}

/// Every cut of a column whose parts have enough rows: thresholds between codes that are there, or
/// the children of its node.
pub(super) fn cuts(
    context: &Context<'_>,
    region: &Region<'_>,
    column: usize,
    strip: &Strip,
) -> Vec<Place> {
    match context.columns[column].cutting {
        Cutting::Threshold => {
            let mut below = 0;
            let mut cuts = Vec::new();
            for (slot, rows) in strip.rows.iter().enumerate() {
                // A cut stands right below a code that is there, so that no two mean the same.
                if below >= context.k && region.weight - below >= context.k {
                    cuts.push(Place {
                        cut: Cut::Below(strip.codes[slot]),
                        slot,
                        below,
                    });
                }
                below += rows;
            }
            cuts
        }
        Cutting::Children => {
            let Some(children) = context.columns[column].children(&region.tile[column]) else {
                return Vec::new();
            };
            let mut rows = vec![0; children.len()];
            for (code, more) in strip.codes.iter().zip(&strip.rows) {
                rows[children.partition_point(|child| child.end <= *code)] += more;
            }
            // A child without rows makes no class; it only keeps the tiles whole.
            match rows.iter().all(|rows| *rows == 0 || *rows >= context.k) {
                true => vec![Place {
                    cut: Cut::Into(children),
                    slot: 0,
                    below: 0,
                }],
                false => Vec::new(),
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
