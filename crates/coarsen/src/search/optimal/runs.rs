//! What each run of the solved column's codes costs at the least (see `bound`), for all runs at once:
//! from each first code the run is made longer by one code at a time, and only the cells that hold rows
//! of that code are looked at again.

use super::bound::{Figures, Question};
use super::column::runs_of;
use super::model::Kind;
use super::sums::Possible;
use crate::domain::scheme::BlockCost;

/// What the rows of a cell in a run come to.
#[derive(Clone, Copy, Default)]
struct Cell {
    rows: f64,
    floor: f64,
    unit: f64,
    off: f64,
    /// How many of its combinations cannot be told a cost.
    untold: u32,
    /// Its running sums of rows that may meet it, and whether they are k.
    enough: bool,
}

/// The sums over all cells of a run.
#[derive(Clone, Copy, Default)]
struct Totals {
    /// Rows that are suppressed for certain.
    lost: f64,
    /// Of the others: what they cost in other columns, what they cost more at the least, their share
    /// in the run's own price.
    floor: f64,
    grows: f64,
    unit: f64,
    off: f64,
    /// Of the others, under DM.
    squares: f64,
    untold: i64,
}

pub(super) struct RunSums<'a> {
    width: usize,
    /// By first code and end.
    cost: Vec<f64>,
    lost: Vec<f64>,
    possible: Possible<'a>,
}

/// One row of the table as the runs need it.
#[derive(Clone, Copy)]
struct Entry {
    cell: u32,
    rows: f64,
    floor: f64,
    unit: f64,
    off: f64,
}

struct Sweep<'a> {
    k: f64,
    kind: Kind,
    gain: &'a [f64],
    cells: Vec<Cell>,
    totals: Totals,
}

impl Sweep<'_> {
    /// Takes a cell's part out of the totals, or puts it in.
    fn count(&mut self, cell: usize, sign: f64) {
        let Cell {
            rows,
            floor,
            unit,
            off,
            untold,
            enough,
        } = self.cells[cell];
        if rows == 0.0 {
            return;
        }
        let totals = &mut self.totals;
        let gain = self.gain.get(cell).copied();
        let is_short = rows < self.k;
        if !enough || is_short && gain.is_some_and(f64::is_infinite) {
            totals.lost += sign * rows;
            return;
        }
        if self.kind == Kind::Classes {
            totals.squares += sign * rows * rows.max(self.k);
            return;
        }
        totals.untold += sign as i64 * i64::from(untold);
        totals.floor += sign * floor;
        totals.unit += sign * unit;
        totals.off += sign * off;
        if is_short {
            totals.grows += sign * rows * gain.unwrap_or(0.0);
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
        let Question {
            table,
            model,
            solved,
            ..
        } = question;
        let column = &question.columns[*solved];
        let size = column.legal.size();
        let width = size + 1;
        let by_code = entries(question, figures, size);
        let mut sweep = Sweep {
            k: model.k,
            kind: model.kind,
            gain: &figures.gain,
            cells: vec![Cell::default(); figures.cells],
            totals: Totals::default(),
        };
        let may = Meeting::new(figures, width);
        let mut made = RunSums {
            width,
            cost: vec![f64::INFINITY; size * width],
            lost: vec![0.0; size * width],
            possible,
        };
        debug_assert_eq!(table.rows.len(), figures.cell_of.len());
        let mut reaches = vec![0; may.places];
        for first in 0..size {
            let flips = may.flips(first, model.k, &mut reaches);
            for cell in &mut sweep.cells {
                *cell = Cell {
                    enough: may.places == 0,
                    ..Cell::default()
                };
            }
            sweep.totals = Totals::default();
            for end in first + 1..=size {
                for entry in &by_code[end - 1] {
                    let cell = entry.cell as usize;
                    sweep.count(cell, -1.0);
                    let into = &mut sweep.cells[cell];
                    into.rows += entry.rows;
                    into.unit += entry.unit;
                    into.off += entry.off;
                    match entry.floor.is_finite() {
                        true => into.floor += entry.floor,
                        false => into.untold += 1,
                    }
                    // Nothing else can come to it: it is all that it will be.
                    if may.places == 0 {
                        into.enough = into.rows >= model.k;
                    }
                    sweep.count(cell, 1.0);
                }
                for cell in &flips[end] {
                    let cell = *cell as usize;
                    sweep.count(cell, -1.0);
                    sweep.cells[cell].enough = true;
                    sweep.count(cell, 1.0);
                }
                let totals = &sweep.totals;
                let at = first * width + end;
                // Floating point leaves a trace of what was added and taken away again.
                let lost = if totals.lost < 0.5 { 0.0 } else { totals.lost };
                made.lost[at] = lost;
                let by_loss = if lost > 0.0 { lost * suppressed } else { 0.0 };
                made.cost[at] = by_loss
                    + match model.kind {
                        Kind::Classes => totals.squares,
                        Kind::Unknown | Kind::Labels => 0.0,
                        Kind::Share | Kind::Height | Kind::Rows if totals.untold > 0 => {
                            f64::INFINITY
                        }
                        Kind::Share | Kind::Height | Kind::Rows => {
                            let price = column.prices.cost(&[(first, end)]);
                            let own = match totals.unit > 0.0 {
                                true => price * totals.unit - totals.off,
                                false => 0.0,
                            };
                            (totals.floor + totals.grows + own).max(0.0)
                        }
                    };
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

/// The rows of the table by the solved column's code.
fn entries(question: &Question<'_>, figures: &Figures, size: usize) -> Vec<Vec<Entry>> {
    let Question { table, solved, .. } = question;
    let figure = |of: &[Vec<f64>], i: usize| of.get(*solved).map_or(0.0, |figures| figures[i]);
    let mut by_code: Vec<Vec<Entry>> = vec![Vec::new(); size];
    for (i, code) in table.codes[*solved].iter().enumerate() {
        by_code[*code as usize].push(Entry {
            cell: figures.cell_of[i],
            rows: table.rows[i],
            floor: figures.floors.get(i).copied().unwrap_or(0.0),
            unit: figure(&table.units, i),
            off: figure(&table.off, i),
        });
    }
    by_code
}

/// When the rows that may come together are k.
struct Meeting<'a> {
    places: usize,
    width: usize,
    may: &'a [f64],
    /// The cells at each place.
    cells: Vec<Vec<u32>>,
}

impl<'a> Meeting<'a> {
    fn new(figures: &'a Figures, width: usize) -> Self {
        let places = figures.may.len() / width;
        let mut cells: Vec<Vec<u32>> = vec![Vec::new(); places];
        for (cell, place) in figures.may_of.iter().enumerate() {
            cells[*place as usize].push(cell as u32);
        }
        Meeting {
            places,
            width,
            may: &figures.may,
            cells,
        }
    }

    /// For runs from a first code, the cells that have enough from each end on. Where a run reaches far
    /// enough for a place never moves back as the first code goes on.
    fn flips(&self, first: usize, k: f64, reaches: &mut [usize]) -> Vec<Vec<u32>> {
        let mut flips: Vec<Vec<u32>> = vec![Vec::new(); self.width];
        for (place, end) in reaches.iter_mut().enumerate() {
            if self.cells[place].is_empty() {
                continue;
            }
            let sums = &self.may[place * self.width..(place + 1) * self.width];
            *end = (*end).max(first + 1);
            while *end < self.width && sums[*end] - sums[first] < k {
                *end += 1;
            }
            if *end < self.width {
                flips[*end].extend(&self.cells[place]);
            }
        }
        flips
    }
}
