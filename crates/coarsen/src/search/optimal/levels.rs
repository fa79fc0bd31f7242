//! Where every column stands at one level of its hierarchy, and k is all that is asked: the lattice of
//! levels is walked column by column (seed 004's BHS; the lattice is seed 002's).
//!
//! Nothing like this is in the paper, which treats BHS as any other scheme. The classes of the columns
//! that have their level are carried along, the other columns at their values (incremental class
//! merging, on packed keys), so that the next column's levels are made from few of them. A choice for
//! some columns is bounded by what their cells cost, and by the rows that fall short of k even with all
//! other columns left out.
//!
//! Of choices that cost the same the one with the fewest rows suppressed is taken, then the lowest levels
//! in the table's order: so the outcome is one, whichever thread comes first.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::model::Kind;
use super::space::{Release, Space};
use super::ties::ROUNDING;
use crate::policy::SuppressionMode;
use crate::search::{Cancelled, Run};

/// More choices than this are left to the general search.
const MOST_CHOICES: u128 = 1 << 22;

/// Classes of rows: what they hold, how many there are, what they cost in the columns that have their
/// level, as a sum.
#[derive(Clone, Default)]
struct Classes {
    keys: Vec<u64>,
    rows: Vec<f64>,
    cost: Vec<f64>,
}

/// A hash table that is used again and again; an entry counts only where its stamp is the latest.
#[derive(Default)]
struct Slots {
    slots: Vec<(u64, u32, u32)>,
    stamp: u32,
}

impl Slots {
    fn clear(&mut self, entries: usize) -> u32 {
        let size = (entries * 2).next_power_of_two().max(64);
        if self.slots.len() < size || self.stamp == u32::MAX {
            self.slots = vec![(0, 0, 0); size.max(self.slots.len())];
            self.stamp = 0;
        }
        self.stamp += 1;
        64 - size.trailing_zeros()
    }

    /// The number of a key, and whether it is new.
    fn number(&mut self, key: u64, down: u32, next: u32) -> (u32, bool) {
        let mask = (1usize << (64 - down)) - 1;
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> down) as usize;
        loop {
            let (held, stamp, number) = self.slots[slot];
            if stamp != self.stamp {
                self.slots[slot] = (key, self.stamp, next);
                return (next, true);
            }
            if held == key {
                return (number, false);
            }
            slot = (slot + 1) & mask;
        }
    }
}

/// One column's place in the keys, and what its codes become at each level and cost there.
struct Field {
    column: usize,
    shift: u32,
    bits: u32,
    levels: Vec<Level>,
    /// The least that each code costs at any level.
    least: Vec<f64>,
}

struct Level {
    node_of: Vec<u32>,
    cost: Vec<f64>,
}

/// A choice of levels that can be released.
struct Found {
    cost: f64,
    lost: f64,
    levels: Vec<usize>,
}

pub(super) struct Lattice<'a> {
    space: &'a Space<'a>,
    fields: Vec<Field>,
    /// The least cost so far as bits, which are in the order of the costs.
    best: AtomicU64,
    found: Mutex<Vec<Found>>,
    /// The least bound of what the budget left out, as bits.
    skipped: AtomicU64,
}

/// What came of the walk.
pub(super) struct Walked {
    pub best: Option<Release>,
    /// What no choice goes below, where the budget ended the walk.
    pub skipped: Option<f64>,
}

impl<'a> Lattice<'a> {
    /// None where the problem is another.
    pub fn new(space: &'a Space<'a>) -> Option<Self> {
        let problem = space.problem;
        let is_plain = problem.requirements.iter().all(|r| r.k().is_some())
            && problem.suppression.mode == SuppressionMode::Drop
            && (space.model.has_cells() || space.model.kind == Kind::Classes);
        let choices = space.columns.iter().try_fold(1u128, |product, column| {
            let levels = column.legal.levels().len() as u128;
            (levels > 0).then(|| product.saturating_mul(levels))
        })?;
        if !is_plain || choices > MOST_CHOICES {
            return None;
        }
        let mut order: Vec<usize> = (0..space.columns.len()).collect();
        // The column with the most values first: then few classes are carried along for most of the way.
        order.sort_by_key(|c| std::cmp::Reverse(space.columns[*c].legal.size()));
        let (mut fields, mut shift) = (Vec::new(), 0);
        for column in order {
            let of = &space.columns[column];
            let bits = usize::BITS - (of.legal.size() - 1).leading_zeros();
            let levels: Vec<Level> = of
                .legal
                .levels()
                .iter()
                .enumerate()
                .map(|(level, (_, node_of))| Level {
                    node_of: node_of.clone(),
                    cost: of.cells_at(level),
                })
                .collect();
            let least = |code: usize| {
                let costs = levels.iter().map(|level| level.cost[code]);
                costs.fold(f64::INFINITY, f64::min)
            };
            fields.push(Field {
                column,
                shift,
                bits,
                least: (0..of.legal.size()).map(least).collect(),
                levels,
            });
            shift += bits;
        }
        (shift <= u64::BITS).then(|| Lattice {
            space,
            fields,
            best: AtomicU64::new(f64::INFINITY.to_bits()),
            found: Mutex::new(Vec::new()),
            skipped: AtomicU64::new(f64::INFINITY.to_bits()),
        })
    }

    /// Walks it all, or until the budget ends.
    pub fn walk(self, run: &Run) -> Result<Walked, Cancelled> {
        let counts = &self.space.problem.counts;
        let mut all = Classes {
            keys: vec![0; counts.combinations()],
            rows: counts.rows().iter().map(|rows| *rows as f64).collect(),
            cost: vec![0.0; counts.combinations()],
        };
        for field in &self.fields {
            for (key, code) in all.keys.iter_mut().zip(counts.codes(field.column)) {
                *key |= u64::from(*code) << field.shift;
            }
            for (i, code) in counts.codes(field.column).iter().enumerate() {
                all.cost[i] += all.rows[i] * field.least[*code as usize];
            }
        }
        // The coarsest first, so that there is something to release.
        let coarsest: Vec<usize> = self.fields.iter().map(|f| f.levels.len() - 1).collect();
        self.jump(&all, &coarsest);
        self.descend(&all, &mut Vec::new(), &mut Slots::default(), run);
        run.check()?;
        let best = f64::from_bits(self.best.load(Ordering::Relaxed));
        let mut ties = self.found.into_inner().unwrap_or_default();
        ties.retain(|found| found.cost <= best * (1.0 + ROUNDING));
        let by_rule =
            |a: &Found, b: &Found| a.lost.total_cmp(&b.lost).then(a.levels.cmp(&b.levels));
        let chosen = ties.into_iter().min_by(by_rule);
        let skipped = f64::from_bits(self.skipped.into_inner());
        Ok(Walked {
            best: chosen.and_then(|found| {
                let columns = self.space.columns.iter().zip(found.levels);
                let blocks = columns.map(|(c, level)| c.legal.levels()[level].1.clone());
                self.space.release(blocks.collect())
            }),
            skipped: (skipped < best).then_some(skipped),
        })
    }

    /// The first best: one choice of levels.
    fn jump(&self, all: &Classes, levels: &[usize]) {
        let mut slots = Slots::default();
        let mut classes = all.clone();
        let last = levels.len() - 1;
        for (place, level) in levels[..last].iter().enumerate() {
            classes = self.rolled(&classes, place, *level, &mut slots);
        }
        let bounded = self.bound(&classes, last, levels[last], &mut slots);
        self.note(bounded, levels);
    }

    fn limit(&self) -> f64 {
        f64::from_bits(self.best.load(Ordering::Relaxed)) * (1.0 + ROUNDING)
    }

    /// Gives the next column each of its levels, the most promising first.
    fn descend(&self, classes: &Classes, chosen: &mut Vec<usize>, slots: &mut Slots, run: &Run) {
        let place = chosen.len();
        let is_last = place + 1 == self.fields.len();
        let mut next: Vec<(f64, f64, usize)> = Vec::new();
        for level in 0..self.fields[place].levels.len() {
            let (bound, lost) = self.bound(classes, place, level, slots);
            next.push((bound, lost, level));
        }
        next.sort_by(|a, b| a.0.total_cmp(&b.0));
        let visit = |(bound, lost, level): &(f64, f64, usize),
                     chosen: &mut Vec<usize>,
                     slots: &mut Slots| {
            if *bound > self.limit() || bound.is_infinite() {
                return;
            }
            chosen.push(*level);
            if is_last {
                self.note((*bound, *lost), chosen);
            } else if run.is_over() || run.check().is_err() {
                self.skipped.fetch_min(bound.to_bits(), Ordering::Relaxed);
            } else {
                let made = self.rolled(classes, place, *level, slots);
                self.descend(&made, chosen, slots, run);
            }
            chosen.pop();
        };
        if place == 0 {
            let tasks = next.par_iter().with_max_len(1);
            tasks.for_each(|task| visit(task, &mut chosen.clone(), &mut Slots::default()));
        } else {
            next.iter().for_each(|task| visit(task, chosen, slots));
        }
    }

    fn note(&self, (cost, lost): (f64, f64), chosen: &[usize]) {
        if cost.is_infinite() || cost > self.limit() {
            return;
        }
        let mut levels = vec![0; chosen.len()];
        for (field, level) in self.fields.iter().zip(chosen) {
            levels[field.column] = *level;
        }
        self.best.fetch_min(cost.to_bits(), Ordering::Relaxed);
        if let Ok(mut found) = self.found.lock() {
            found.push(Found { cost, lost, levels });
        }
    }

    /// The classes with one more column at a level.
    fn rolled(&self, from: &Classes, place: usize, level: usize, slots: &mut Slots) -> Classes {
        let Field {
            shift,
            bits,
            levels,
            least,
            ..
        } = &self.fields[place];
        let Level { node_of, cost } = &levels[level];
        let field = ((1u64 << bits) - 1) << shift;
        let down = slots.clear(from.keys.len());
        let mut made = Classes::default();
        for (i, key) in from.keys.iter().enumerate() {
            let code = ((key & field) >> shift) as usize;
            let key = key & !field | u64::from(node_of[code]) << shift;
            let rows = from.rows[i];
            let sum = from.cost[i] + rows * (cost[code] - least[code]);
            let (class, is_new) = slots.number(key, down, made.keys.len() as u32);
            if is_new {
                made.keys.push(key);
                made.rows.push(rows);
                made.cost.push(sum);
            } else {
                made.rows[class as usize] += rows;
                made.cost[class as usize] += sum;
            }
        }
        made
    }

    /// What classes come to at the least where the columns before a place have their levels and the one
    /// there is given one, and the rows that are suppressed for certain; infinite where those are too
    /// many.
    fn bound(
        &self,
        classes: &Classes,
        place: usize,
        level: usize,
        slots: &mut Slots,
    ) -> (f64, f64) {
        let model = &self.space.model;
        let Field {
            shift,
            bits,
            levels,
            least,
            ..
        } = &self.fields[place];
        let field = (1u64 << bits) - 1;
        let before = (1u64 << shift) - 1;
        let Level { node_of, cost } = &levels[level];
        // The rows of each class with the columns behind left out.
        let down = slots.clear(classes.keys.len());
        let mut together: Vec<f64> = Vec::with_capacity(classes.keys.len());
        let mut place_of: Vec<u32> = Vec::with_capacity(classes.keys.len());
        for (key, rows) in classes.keys.iter().zip(&classes.rows) {
            let code = (key >> shift & field) as usize;
            let part = key & before | u64::from(node_of[code]) << shift;
            let (number, is_new) = slots.number(part, down, together.len() as u32);
            if is_new {
                together.push(0.0);
            }
            together[number as usize] += rows;
            place_of.push(number);
        }
        let (mut sum, mut lost) = (0.0, 0.0);
        for (i, number) in place_of.iter().enumerate() {
            let rows = classes.rows[i];
            let may = together[*number as usize];
            if may < model.k {
                lost += rows;
            } else if model.kind == Kind::Classes {
                // Before the last column is placed, what is alike in all columns stays alike.
                let alike = if place + 1 == self.fields.len() {
                    may
                } else {
                    rows
                };
                sum += rows * alike.max(model.k);
            } else {
                let code = (classes.keys[i] >> shift & field) as usize;
                sum += classes.cost[i] + rows * (cost[code] - least[code]);
            }
        }
        if lost > self.space.problem.suppression.rows as f64 {
            return (f64::INFINITY, lost);
        }
        if lost > 0.0 {
            sum += lost * model.suppressed;
        }
        (sum.max(0.0), lost)
    }
}
