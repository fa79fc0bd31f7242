//! What each run of the solved column's codes costs at the least (see `bound`), for all runs at once.
//!
//! Where the rows of a cell are k or more, what they add to a run is the sum of what each of its codes
//! adds (under DM, of what each two of them add), whatever the cell: that is summed once, over all cells.
//! What is left are the runs in which a cell falls short of k. What it adds there changes only where the
//! run takes in another of its codes, or where the rows that may meet it come to k. So it adds the same to
//! all runs of a rectangle of first codes and ends, which is noted at the rectangle's corners; the sums
//! over all corners are taken once, at the end.

use std::ops::{AddAssign, Range};

use super::bound::{Figures, Question};
use super::column::runs_of;
use super::model::Kind;
use super::sums::Possible;
use crate::domain::scheme::BlockCost;

/// What rows come to.
#[derive(Clone, Copy, Default)]
struct Part {
    /// What they cost beside the run's own price, and their share in that.
    base: f64,
    unit: f64,
    /// Rows that are suppressed for certain.
    lost: f64,
    /// How many combinations cannot be told a cost.
    untold: f64,
}

impl AddAssign for Part {
    fn add_assign(&mut self, other: Part) {
        self.base += other.base;
        self.unit += other.unit;
        self.lost += other.lost;
        self.untold += other.untold;
    }
}

impl std::ops::Neg for Part {
    type Output = Part;
    fn neg(self) -> Part {
        Part {
            base: -self.base,
            unit: -self.unit,
            lost: -self.lost,
            untold: -self.untold,
        }
    }
}

/// The rows of one code in a cell.
#[derive(Clone, Copy, Default)]
struct Entry {
    code: usize,
    rows: f64,
    part: Part,
}

pub(super) struct RunSums<'a> {
    width: usize,
    /// By first code and end.
    cost: Vec<f64>,
    lost: Vec<f64>,
    possible: Possible<'a>,
}

/// The corners of all rectangles.
struct Corners {
    width: usize,
    parts: Vec<Part>,
}

impl Corners {
    fn add(&mut self, firsts: Range<usize>, ends: Range<usize>, part: Part) {
        if firsts.is_empty() || ends.is_empty() {
            return;
        }
        let width = self.width;
        self.parts[firsts.start * width + ends.start] += part;
        self.parts[firsts.end * width + ends.end] += part;
        let less = -part;
        self.parts[firsts.start * width + ends.end] += less;
        self.parts[firsts.end * width + ends.start] += less;
    }

    /// Notes the square of a cell's rows, as what each two of its codes add to the runs that hold both.
    fn square(&mut self, entries: &[Entry]) {
        for (place, last) in entries.iter().enumerate() {
            let end = last.code + 1;
            for (other, first) in entries[..=place].iter().enumerate() {
                let times = if other == place { 1.0 } else { 2.0 };
                let square = times * first.rows * last.rows;
                self.parts[end].base += square;
                self.parts[(first.code + 1) * self.width + end].base -= square;
            }
        }
    }

    /// From corners to what holds at each first code and end.
    fn sum(&mut self) {
        let width = self.width;
        for at in 0..self.parts.len() {
            if at % width > 0 {
                let left = self.parts[at - 1];
                self.parts[at] += left;
            }
        }
        for at in width..self.parts.len() {
            let above = self.parts[at - width];
            self.parts[at] += above;
        }
    }
}

impl<'a> RunSums<'a> {
    pub fn new(
        question: &Question<'a>,
        figures: &Figures,
        possible: Possible<'a>,
        suppressed: f64,
    ) -> Self {
        let model = question.model;
        let column = &question.columns[question.solved];
        let size = column.legal.size();
        // Ends go up to the size, and a rectangle's corner may lie one behind.
        let width = size + 2;
        let mut corners = Corners {
            width,
            parts: vec![Part::default(); (size + 1) * width],
        };
        let (from, entries) = entries(question, figures, size);
        // What the first codes add, for every number of them.
        let mut together = vec![Part::default(); size + 1];
        entries
            .iter()
            .for_each(|entry| together[entry.code + 1] += entry.part);
        for code in 0..size {
            let before = together[code];
            together[code + 1] += before;
        }
        for cell in 0..figures.cells {
            let entries = &entries[from[cell] as usize..from[cell + 1] as usize];
            if model.kind == Kind::Classes {
                corners.square(entries);
            }
            let gain = figures.gain.get(cell).copied();
            let may = figures.may_of.get(cell).map(|place| {
                let place = *place as usize * (size + 1);
                &figures.may[place..place + size + 1]
            });
            note(
                &mut corners,
                entries,
                size,
                (model.kind, model.k),
                gain,
                may,
            );
        }
        corners.sum();
        let mut made = RunSums {
            width: size + 1,
            cost: vec![f64::INFINITY; size * (size + 1)],
            lost: vec![0.0; size * (size + 1)],
            possible,
        };
        for first in 0..size {
            for end in first + 1..=size {
                let mut part = corners.parts[first * width + end];
                part += together[end];
                part += -together[first];
                let at = first * made.width + end;
                // Numbers of rows are whole, so sums of them are exact.
                made.lost[at] = part.lost;
                let by_loss = if part.lost > 0.0 {
                    part.lost * suppressed
                } else {
                    0.0
                };
                let released = match model.kind {
                    Kind::Classes => part.base,
                    Kind::Unknown | Kind::Labels => 0.0,
                    Kind::Share | Kind::Height | Kind::Rows if part.untold > 0.0 => f64::INFINITY,
                    Kind::Share | Kind::Height | Kind::Rows => {
                        let price = column.prices.run(first, end);
                        let own = if part.unit > 0.0 {
                            price * part.unit
                        } else {
                            0.0
                        };
                        (part.base + own).max(0.0)
                    }
                };
                made.cost[at] = by_loss + released;
            }
        }
        made
    }

    /// The rows that are suppressed for certain under a partition.
    pub fn suppressed_by(&self, blocks: &[u32]) -> f64 {
        let runs = runs_of(blocks);
        let lost = |runs: &Vec<(usize, usize)>| self.lost[runs[0].0 * self.width + runs[0].1];
        runs.iter().map(lost).sum()
    }
}

impl BlockCost for RunSums<'_> {
    fn cost(&mut self, runs: &[(usize, usize)]) -> f64 {
        match (runs, self.possible.allows(runs)) {
            ([(first, end)], true) => self.cost[first * self.width + end],
            _ => f64::INFINITY,
        }
    }
}

/// Notes what a cell adds to the runs in which it falls short of k, beside what its codes add anyway.
/// `gain` is by how much its rows cost more at the least if they grow, `may` the running sums of rows that
/// may meet it; none where they are its own.
fn note(
    corners: &mut Corners,
    entries: &[Entry],
    size: usize,
    (kind, k): (Kind, f64),
    gain: Option<f64>,
    may: Option<&[f64]>,
) {
    for (place, entry) in entries.iter().enumerate() {
        let before = place.checked_sub(1).map_or(0, |p| entries[p].code + 1);
        let firsts = before..entry.code + 1;
        let (mut rows, mut part) = (0.0, Part::default());
        for (last, entry) in entries.iter().enumerate().skip(place) {
            rows += entry.rows;
            part += entry.part;
            if rows >= k {
                break;
            }
            let next = entries.get(last + 1).map_or(size, |next| next.code);
            let ends = entry.code + 1..next + 1;
            // Its rows are lost, and add nothing else.
            let mut lost = -part;
            lost.lost = rows;
            let mut released = Part::default();
            if kind == Kind::Classes {
                lost.base = -rows * rows;
                released.base = rows * (k - rows);
            }
            let Some(may) = may.filter(|_| gain.is_none_or(f64::is_finite)) else {
                corners.add(firsts.clone(), ends, lost);
                continue;
            };
            if kind != Kind::Classes {
                released.base = rows * gain.unwrap_or(0.0);
            }
            let meets = |first: usize, end: usize| may[end] - may[first] >= k;
            if meets(firsts.end - 1, ends.start) {
                corners.add(firsts.clone(), ends, released);
            } else if !meets(firsts.start, ends.end - 1) {
                corners.add(firsts.clone(), ends, lost);
            } else {
                // The longer the run, the sooner: the end from which it is enough moves with the first.
                let mut enough = ends.start;
                for first in firsts.clone() {
                    while enough < ends.end && !meets(first, enough) {
                        enough += 1;
                    }
                    corners.add(first..first + 1, ends.start..enough, lost);
                    corners.add(first..first + 1, enough..ends.end, released);
                }
            }
        }
    }
}

/// The rows of each cell by the solved column's code, in rising order, and where each cell's begin.
fn entries(question: &Question<'_>, figures: &Figures, size: usize) -> (Vec<u32>, Vec<Entry>) {
    let (table, solved) = (question.table, question.solved);
    let codes = &table.codes[solved];
    // By code first, then by cell: what comes later keeps its order.
    let mut begins = vec![0u32; size + 1];
    codes
        .iter()
        .for_each(|code| begins[*code as usize + 1] += 1);
    (0..size).for_each(|code| begins[code + 1] += begins[code]);
    let mut by_code = vec![0u32; codes.len()];
    for (i, code) in codes.iter().enumerate() {
        let slot = &mut begins[*code as usize];
        by_code[*slot as usize] = i as u32;
        *slot += 1;
    }
    let mut from = vec![0u32; figures.cells + 1];
    for cell in &figures.cell_of {
        from[*cell as usize + 1] += 1;
    }
    (0..figures.cells).for_each(|cell| from[cell + 1] += from[cell]);
    let mut next: Vec<u32> = from[..figures.cells].to_vec();
    let mut entries = vec![Entry::default(); codes.len()];
    let (units, off) = (table.units.get(solved), table.off.get(solved));
    for i in by_code.into_iter().map(|i| i as usize) {
        let slot = &mut next[figures.cell_of[i] as usize];
        let floor = figures.floors.get(i).copied().unwrap_or(0.0);
        let is_told = floor.is_finite();
        entries[*slot as usize] = Entry {
            code: codes[i] as usize,
            rows: table.rows[i],
            part: Part {
                base: if is_told { floor } else { 0.0 } - off.map_or(0.0, |off| off[i]),
                unit: units.map_or(0.0, |units| units[i]),
                lost: 0.0,
                untold: if is_told { 0.0 } else { 1.0 },
            },
        };
        *slot += 1;
    }
    (from, entries)
}
