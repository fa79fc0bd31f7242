//! The driver (seed 001, Fig. 3): split a region by the best allowed split, and each part likewise,
//! both cores on separate branches.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::columns::Held;
use super::rows::Rows;
use super::rule::Rule;
use super::split::{Candidate, Context, Cut, Region, Source, part_of, parts, tiles};
use crate::domain::Code;
use crate::recoding::{Region as Released, Tree};
use crate::search::{Cancelled, Progress, Run};

/// Smaller regions are not worth a thread of their own.
const WORTH_A_THREAD: usize = 1024;

/// What a region became.
pub(super) enum Grown {
    /// It was not split any more.
    Leaf(Leaf),
    /// It was split, and these are its parts.
    Split {
        column: usize,
        cut: Cut,
        parts: Vec<Grown>,
    },
}

/// A region that is not split any more.
pub(super) struct Leaf {
    pub tile: Vec<Range<Code>>,
    /// The codes that its rows have; nothing where it has no rows.
    pub held: Vec<Held>,
}

impl Leaf {
    /// What is released for it. One without rows keeps its tile for rows to come.
    pub fn release(self, context: &Context<'_>) -> Released {
        let columns = context.columns.iter().zip(self.tile.iter().zip(&self.held));
        let blocks = columns
            .map(|(column, (tile, held))| match *held == Held::NONE {
                true => column.attribute.block_of_run(tile.start, tile.end),
                false => column.block(held),
            })
            .collect();
        Released {
            tile: self.tile,
            blocks,
        }
    }
}

impl Grown {
    /// The leaves, each with a number by its place in this order, and the cuts that lead to them.
    pub fn flatten(self) -> (Vec<Leaf>, Tree) {
        let mut leaves = Vec::new();
        let tree = self.collect(&mut leaves);
        (leaves, tree)
    }

    fn collect(self, leaves: &mut Vec<Leaf>) -> Tree {
        match self {
            Grown::Leaf(leaf) => {
                leaves.push(leaf);
                Tree::Leaf(leaves.len() as u32 - 1)
            }
            Grown::Split { column, cut, parts } => {
                let parts = parts.into_iter().map(|part| part.collect(leaves)).collect();
                Tree::Cut {
                    column,
                    at: match cut {
                        Cut::Below(at) => vec![at],
                        Cut::Into(children) => {
                            children[1..].iter().map(|child| child.start).collect()
                        }
                    },
                    parts,
                }
            }
        }
    }
}

/// Splits regions of rows in memory.
pub(super) struct Driver<'a> {
    pub context: &'a Context<'a>,
    pub rules: &'a [Box<dyn Rule + 'a>],
    pub run: &'a Run<'a>,
    /// How many rows of the table lie in regions that are done.
    pub done: AtomicU64,
    pub was_cut_short: AtomicBool,
}

impl<'a> Driver<'a> {
    pub fn new(
        context: &'a Context<'a>,
        rules: &'a [Box<dyn Rule + 'a>],
        run: &'a Run<'a>,
    ) -> Self {
        Driver {
            context,
            rules,
            run,
            done: AtomicU64::new(0),
            was_cut_short: AtomicBool::new(false),
        }
    }

    /// The best allowed split of a region, and whose turn it was; the rules before `rule` have had
    /// theirs.
    pub fn best(&self, region: &Region<'_>, rule: usize) -> Option<(usize, Candidate)> {
        if region.weight < 2 * self.context.k {
            return None;
        }
        (rule..self.rules.len()).find_map(|turn| {
            let candidates = self.rules[turn].candidates(self.context, region);
            let allowed = |candidate: &Candidate| {
                self.context
                    .allows(region, candidate.column, &candidate.cut)
            };
            Some((turn, candidates.into_iter().find(allowed)?))
        })
    }

    /// Splits a region until no split is allowed or the budget is used up.
    pub fn grow(
        &self,
        rows: Rows<'_>,
        tile: Vec<Range<Code>>,
        rule: usize,
    ) -> Result<Grown, Cancelled> {
        self.run.check()?;
        let region = Region::of_rows(self.context, rows, tile);
        if self.run.is_over() {
            self.was_cut_short.store(true, Ordering::Relaxed);
            return Ok(Grown::Leaf(self.leaf(region)));
        }
        match self.best(&region, rule) {
            None => Ok(Grown::Leaf(self.leaf(region))),
            Some((turn, candidate)) => self.split(region, candidate, turn),
        }
    }

    fn split(
        &self,
        region: Region<'_>,
        candidate: Candidate,
        rule: usize,
    ) -> Result<Grown, Cancelled> {
        let Region { source, tile, .. } = region;
        let Source::Rows(mut rows) = source else {
            unreachable!("only regions of rows are split in place");
        };
        let Candidate { column, cut, .. } = candidate;
        let lengths = rows.arrange(column, parts(&cut), &|code| part_of(&cut, code));
        let worth_threads = rows.len() >= WORTH_A_THREAD;
        let apart: Vec<(Rows<'_>, Vec<Range<Code>>)> = rows
            .split(&lengths)
            .into_iter()
            .zip(tiles(&cut, &tile[column]))
            .map(|(rows, run)| {
                let mut tile = tile.clone();
                tile[column] = run;
                (rows, tile)
            })
            .collect();
        let grown: Result<Vec<Grown>, Cancelled> = match worth_threads {
            true => apart
                .into_par_iter()
                .map(|(rows, tile)| self.grow(rows, tile, rule))
                .collect(),
            false => apart
                .into_iter()
                .map(|(rows, tile)| self.grow(rows, tile, rule))
                .collect(),
        };
        Ok(Grown::Split {
            column,
            cut,
            parts: grown?,
        })
    }

    /// Ends with a region, and tells how far the search is.
    pub fn leaf(&self, region: Region<'_>) -> Leaf {
        if region.weight > 0 {
            let done = self.done.fetch_add(region.weight, Ordering::Relaxed);
            self.run.report(Progress {
                done: done + region.weight,
                of: Some(self.context.problem.counts.total()),
                cost: None,
            });
        }
        Leaf {
            tile: region.tile,
            held: region.held,
        }
    }
}
