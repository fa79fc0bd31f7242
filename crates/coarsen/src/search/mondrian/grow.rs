//! The driver (seed 001, Fig. 3): split a region by the best allowed split, and each part likewise,
//! both cores on separate branches.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::columns::Held;
use super::rows::{Matrix, Rows};
use super::rule::Rule;
use super::split::{Candidate, Context, Region, part_of, parts, tiles};
use crate::domain::Code;
use crate::recoding::{Region as Released, Regions};
use crate::search::{Cancelled, Progress, Run};

/// Smaller regions are not worth a thread of their own.
const WORTH_A_THREAD: usize = 1024;

/// What came of it.
pub(super) struct Grown {
    pub regions: Regions,
    pub was_cut_short: bool,
}

/// A region that is not split any more.
struct Leaf {
    tile: Vec<Range<Code>>,
    held: Vec<Held>,
    combinations: Vec<u32>,
}

struct Driver<'a> {
    context: &'a Context<'a>,
    rules: &'a [Box<dyn Rule + 'a>],
    run: &'a Run<'a>,
    done: AtomicU64,
    was_cut_short: AtomicBool,
}

/// Splits the whole table until no split is allowed or the budget is used up.
pub(super) fn grow(
    context: &Context<'_>,
    rules: &[Box<dyn Rule + '_>],
    run: &Run<'_>,
) -> Result<Grown, Cancelled> {
    let counts = &context.problem.counts;
    let mut matrix = Matrix::of(counts);
    let tile = context
        .columns
        .iter()
        .map(|c| 0..c.attribute.domain.size() as Code)
        .collect();
    let driver = Driver {
        context,
        rules,
        run,
        done: AtomicU64::new(0),
        was_cut_short: AtomicBool::new(false),
    };
    let leaves = driver.grow(matrix.rows(), tile, 0)?;
    let released = leaves
        .into_par_iter()
        .map(|leaf| release(context, leaf))
        .collect();
    Ok(Grown {
        regions: Regions { regions: released },
        was_cut_short: driver.was_cut_short.into_inner(),
    })
}

/// What is released for a region. One without rows keeps its tile for rows to come.
fn release(context: &Context<'_>, leaf: Leaf) -> Released {
    let columns = context.columns.iter().zip(leaf.tile.iter().zip(&leaf.held));
    let blocks = columns
        .map(
            |(column, (tile, held))| match leaf.combinations.is_empty() {
                true => column.attribute.block_of_run(tile.start, tile.end),
                false => column.block(held),
            },
        )
        .collect();
    Released {
        tile: leaf.tile,
        blocks,
    }
}

impl Driver<'_> {
    fn grow(
        &self,
        rows: Rows<'_>,
        tile: Vec<Range<Code>>,
        rule: usize,
    ) -> Result<Vec<Leaf>, Cancelled> {
        self.run.check()?;
        let mut region = Region::new(rows, tile);
        if self.run.is_over() {
            self.was_cut_short.store(true, Ordering::Relaxed);
            return Ok(vec![self.leaf(region)]);
        }
        if region.weight >= 2 * self.context.k {
            for turn in rule..self.rules.len() {
                let candidates = self.rules[turn].candidates(self.context, &region);
                for candidate in candidates {
                    if let Some(lengths) = self.try_split(&mut region, &candidate) {
                        return self.split(region, &candidate, &lengths, turn);
                    }
                }
            }
        }
        Ok(vec![self.leaf(region)])
    }

    /// Arranges a region's rows by a split, and says how long its parts are if all may be classes.
    fn try_split(&self, region: &mut Region<'_>, candidate: &Candidate) -> Option<Vec<usize>> {
        let Candidate { column, cut, .. } = candidate;
        let lengths = region
            .rows
            .arrange(*column, parts(cut), &|code| part_of(cut, code));
        if self.context.only_k {
            // The rule has counted the rows of every part.
            return Some(lengths);
        }
        let mut start = 0;
        for length in &lengths {
            let part = region.rows.ids_between(start, start + length);
            let counts = self.context.problem.counts.rows();
            let rows = part.iter().map(|id| counts[*id as usize]).sum();
            if *length > 0 && !self.context.may_be_class(part, rows) {
                return None;
            }
            start += length;
        }
        Some(lengths)
    }

    fn split(
        &self,
        region: Region<'_>,
        candidate: &Candidate,
        lengths: &[usize],
        rule: usize,
    ) -> Result<Vec<Leaf>, Cancelled> {
        let Region { rows, tile, .. } = region;
        let worth_threads = rows.len() >= WORTH_A_THREAD;
        let column = candidate.column;
        let parts: Vec<(Rows<'_>, Vec<Range<Code>>)> = rows
            .split(lengths)
            .into_iter()
            .zip(tiles(&candidate.cut, &tile[column]))
            .map(|(rows, run)| {
                let mut tile = tile.clone();
                tile[column] = run;
                (rows, tile)
            })
            .collect();
        let leaves: Result<Vec<Vec<Leaf>>, Cancelled> = match worth_threads {
            true => parts
                .into_par_iter()
                .map(|(rows, tile)| self.grow(rows, tile, rule))
                .collect(),
            false => parts
                .into_iter()
                .map(|(rows, tile)| self.grow(rows, tile, rule))
                .collect(),
        };
        Ok(leaves?.into_iter().flatten().collect())
    }

    fn leaf(&self, region: Region<'_>) -> Leaf {
        let done = self
            .done
            .fetch_add(region.rows.len() as u64, Ordering::Relaxed);
        if !region.rows.ids().is_empty() {
            let of = self.context.problem.counts.combinations() as u64;
            self.run.report(Progress {
                done: done + region.rows.len() as u64,
                of: Some(of),
                cost: None,
            });
        }
        Leaf {
            tile: region.tile,
            held: region.held,
            combinations: region.rows.ids().to_vec(),
        }
    }
}
