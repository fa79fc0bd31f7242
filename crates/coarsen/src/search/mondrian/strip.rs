//! A region seen along one column: the codes that its rows have there, and for each what the rules
//! ask about the rows that have it (seed 001, section 3.5: an attribute–value–class set, as RainForest
//! calls it). Everything a rule decides by is in its strips, so it does not matter whether the rows
//! behind them are in memory or were counted by a pass over the table.

use super::columns::Held;
use super::measure::{Measured, Sums};
use super::rows::Rows;
use crate::counts::ClassTally;
use crate::domain::Code;
use crate::workload::Selection;

/// What rules ask for beyond rows.
#[derive(Clone, Copy, Default)]
pub(super) struct Asked<'a> {
    /// Targets whose values are added up.
    pub measures: &'a [Measured],
    /// Selections whose rows are counted.
    pub selections: &'a [Selection],
    /// Whether the codes of all other columns are gathered.
    pub boxes: bool,
    /// Tallied columns whose values are counted, for requirements that speak of them.
    pub tallies: usize,
}

/// The codes of one column in a region, rising, each with what is asked about its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    /// The codes that are there.
    pub codes: Vec<Code>,
    /// The rows of each.
    pub rows: Vec<u64>,
    /// What is added up of each target.
    pub sums: Vec<Sums>,
    /// The boxes around the rows of each code and who satisfies the selections, where asked for.
    pub boxes: Boxes,
    /// For each tallied column, the values of each code's rows.
    pub tallies: Vec<ClassTally>,
}

/// Boxes around rows, and how many of these satisfy each selection; one box a code.
#[derive(Clone, Debug, Default)]
pub(super) struct Boxes {
    /// How many columns a box has.
    pub columns: usize,
    /// How many selections there are.
    pub selections: usize,
    /// The codes held in each column, box by box.
    pub held: Vec<Held>,
    /// The rows that satisfy each selection, box by box.
    pub satisfied: Vec<u64>,
}

impl Boxes {
    /// Empty boxes.
    pub fn none(count: usize, columns: usize, selections: usize) -> Self {
        Boxes {
            columns,
            selections,
            held: vec![Held::NONE; count * columns],
            satisfied: vec![0; count * selections],
        }
    }

    /// Adds a row to a box.
    pub fn add(&mut self, place: usize, codes: &[Code], rows: u64, selections: &[Selection]) {
        let held = &mut self.held[place * self.columns..(place + 1) * self.columns];
        for (held, code) in held.iter_mut().zip(codes) {
            held.add(*code);
        }
        let satisfied = &mut self.satisfied[place * self.selections..(place + 1) * self.selections];
        for (sum, selection) in satisfied.iter_mut().zip(selections) {
            if selection.holds(|column| codes[column]) {
                *sum += rows;
            }
        }
    }

    /// Adds one box of others to one of these.
    pub fn join(&mut self, place: usize, other: &Boxes, from: usize) {
        let held = &mut self.held[place * self.columns..(place + 1) * self.columns];
        for (held, more) in held.iter_mut().zip(other.held(from)) {
            held.join(more);
        }
        let satisfied = &mut self.satisfied[place * self.selections..(place + 1) * self.selections];
        for (sum, more) in satisfied.iter_mut().zip(other.satisfied(from)) {
            *sum += more;
        }
    }

    /// The codes in each column of one box.
    pub fn held(&self, place: usize) -> &[Held] {
        &self.held[place * self.columns..(place + 1) * self.columns]
    }

    /// The rows of one box that satisfy each selection.
    pub fn satisfied(&self, place: usize) -> &[u64] {
        &self.satisfied[place * self.selections..(place + 1) * self.selections]
    }
}

/// The strip of rows in memory. `held` are their codes in that column.
pub(super) fn strip_of_rows(
    rows: &Rows<'_>,
    column: usize,
    held: &Held,
    asked: Asked<'_>,
) -> Strip {
    let slots = Slots::of(rows, column, held);
    let mut strip = Strip {
        rows: vec![0; slots.codes.len()],
        ..Strip::default()
    };
    slots.each(rows, column, |slot, row| {
        strip.rows[slot] += rows.row(row).weight
    });
    for measured in asked.measures {
        let mut sums = measured.nothing(slots.codes.len());
        slots.each(rows, column, |slot, row| {
            let add = |value, rows| measured.add(&mut sums, slot, value, rows);
            rows.row(row).each_value(measured.tally, add);
        });
        strip.sums.push(sums);
    }
    if asked.boxes {
        let columns = rows.row(0).codes.len();
        let mut boxes = Boxes::none(slots.codes.len(), columns, asked.selections.len());
        slots.each(rows, column, |slot, row| {
            let row = rows.row(row);
            boxes.add(slot, row.codes, row.weight, asked.selections);
        });
        strip.boxes = boxes;
    }
    for tally in 0..asked.tallies {
        let mut entries = Vec::with_capacity(rows.len());
        slots.each(rows, column, |slot, row| {
            rows.row(row).each_value(tally, |value, rows| {
                entries.push((slot as u32, value, rows))
            });
        });
        strip
            .tallies
            .push(ClassTally::of_entries(entries, slots.codes.len()));
    }
    strip.codes = slots.codes;
    strip
}

/// Which of the codes that are there each row has.
struct Slots {
    codes: Vec<Code>,
    how: How,
}

enum How {
    /// By a table over all codes from the lowest to the highest.
    Table { low: Code, slot_of: Vec<u32> },
    /// By the rows sorted by code.
    Sorted(Vec<(Code, u32)>),
}

/// A table is used where there are at least a fourth as many rows as codes.
const CODES_A_ROW: usize = 4;

impl Slots {
    fn of(rows: &Rows<'_>, column: usize, held: &Held) -> Self {
        let range = (held.high - held.low) as usize + 1;
        let mut codes = Vec::new();
        if range <= CODES_A_ROW * rows.len() {
            let mut slot_of = vec![0; range];
            for code in rows.column(column) {
                slot_of[(code - held.low) as usize] = 1;
            }
            for (offset, slot) in slot_of.iter_mut().enumerate() {
                if *slot == 1 {
                    *slot = codes.len() as u32;
                    codes.push(held.low + offset as Code);
                }
            }
            let low = held.low;
            return Slots {
                codes,
                how: How::Table { low, slot_of },
            };
        }
        let mut sorted: Vec<(Code, u32)> = rows.column(column).zip(0..).collect();
        sorted.sort_unstable();
        for (code, _) in &sorted {
            if codes.last() != Some(code) {
                codes.push(*code);
            }
        }
        Slots {
            codes,
            how: How::Sorted(sorted),
        }
    }

    /// Calls `visit` with the slot and the place of every row.
    fn each(&self, rows: &Rows<'_>, column: usize, mut visit: impl FnMut(usize, usize)) {
        match &self.how {
            How::Table { low, slot_of } => {
                for (row, code) in rows.column(column).enumerate() {
                    visit(slot_of[(code - low) as usize] as usize, row);
                }
            }
            How::Sorted(sorted) => {
                let mut slot = 0;
                for (code, row) in sorted {
                    if self.codes[slot] != *code {
                        slot += 1;
                    }
                    visit(slot, *row as usize);
                }
            }
        }
    }
}
