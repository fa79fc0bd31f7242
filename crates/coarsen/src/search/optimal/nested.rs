//! A stronger bound: several columns are solved one inside the other (not in the paper).
//!
//! The plain bound (see `bound`) lets every row outside the solved column grow as it likes. Here each
//! block of a first column has a best partition of the second of its own, each block of that one of the
//! third, and so on: only that a column's partition must be the same throughout is left out, which no
//! release gains by. So merging for the sake of a few rows is charged to all rows of the same box.
//!
//! Columns that are settled divide each box into cells, whose rows are counted exactly. Columns that are
//! neither settled nor nested are taken for whole where rows are counted, and at their least cost. The
//! work is the product of the numbers of possible blocks, so it is for nodes where little is open.

use super::column::{Column, Reach, View};
use super::keys::Keys;
use super::model::{Kind, Model};
use super::table::Table;
use crate::domain::scheme::{Decided, Gap};

/// More units than this are not put together to sets.
const MOST_UNITS: usize = 10;
/// Room for all boxes at the outermost column.
const MOST_ENTRIES: usize = 1 << 20;

/// A block that is still possible: the units that it holds, from the first to the end (or as bits), and
/// what its cells cost.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: usize,
    end: usize,
    units: u32,
    price: f64,
}

/// How a column's blocks make up a partition.
enum Shape {
    /// One after the other.
    Runs,
    /// Any that do not overlap.
    Sets,
    /// All blocks of one level, of which each has so many.
    Levels(Vec<usize>),
}

struct Nested {
    column: usize,
    units: usize,
    blocks: Vec<Block>,
    shape: Shape,
}

/// Several columns, one inside the other.
pub(super) struct Nest<'a> {
    model: &'a Model,
    levels: Vec<Nested>,
    /// Numbers for each entry: rows, cost so far, and the share in the block's price of each level.
    width: usize,
    entries: Vec<f64>,
}

/// Room at one level.
struct Room {
    sum: Vec<f64>,
    told: Vec<f64>,
    costs: Vec<f64>,
    least: Vec<f64>,
}

impl Nested {
    fn new(column: &Column, place: usize, decided: &Decided, view: &View) -> Option<Self> {
        let units = view.lows;
        let unit = |code: usize| view.low[code] as usize;
        let run = |first: usize, end: usize, price: f64| Block {
            first: unit(first),
            end: unit(end - 1) + 1,
            units: 0,
            price,
        };
        let mut blocks = Vec::new();
        let shape = match decided {
            Decided::Levels(first, last) => {
                let mut ends = Vec::new();
                for level in *first..=*last {
                    let of_code = &column.legal.levels()[level as usize].1;
                    for runs in super::column::runs_of(of_code) {
                        let price = column.prices.levels[level as usize][runs[0].0];
                        blocks.push(run(runs[0].0, runs[0].1, price));
                    }
                    ends.push(blocks.len());
                }
                Shape::Levels(ends)
            }
            Decided::Gaps(gaps) => {
                let is = |gap: Option<usize>, state: Gap| {
                    gap.and_then(|gap| gaps.get(gap))
                        .is_some_and(|g| *g == state)
                };
                for (runs, price) in &column.blocks {
                    let (first, end) = runs[0];
                    let inside = gaps[first..end - 1].iter().all(|gap| *gap != Gap::Cut);
                    let is_whole =
                        !is(first.checked_sub(1), Gap::Joined) && !is(Some(end - 1), Gap::Joined);
                    if inside && is_whole {
                        blocks.push(run(first, end, *price));
                    }
                }
                Shape::Runs
            }
            Decided::Sets(codes) => {
                if units > MOST_UNITS {
                    return None;
                }
                for (runs, price) in &column.blocks {
                    let members = || runs.iter().flat_map(|(first, end)| *first..*end);
                    let mask = members().fold(0u128, |mask, code| mask | 1 << code);
                    let fits = |code: usize| {
                        let (with, may) = codes[code];
                        with & !mask == 0 && mask & !may == 0
                    };
                    if members().all(fits) {
                        let units = members().fold(0u32, |all, code| all | 1 << unit(code));
                        blocks.push(Block {
                            first: units.trailing_zeros() as usize,
                            end: 0,
                            units,
                            price: *price,
                        });
                    }
                }
                Shape::Sets
            }
        };
        (!blocks.is_empty()).then_some(Nested {
            column: place,
            units,
            blocks,
            shape,
        })
    }

    /// The least cost of a partition, where each block has a cost.
    fn cheapest(&self, costs: &[f64], least: &mut [f64]) -> f64 {
        match &self.shape {
            Shape::Levels(ends) => {
                let mut from = 0;
                let mut best = f64::INFINITY;
                for end in ends {
                    best = costs[from..*end].iter().sum::<f64>().min(best);
                    from = *end;
                }
                best
            }
            Shape::Runs => {
                // Blocks are in the order of their first unit.
                least.fill(f64::INFINITY);
                least[0] = 0.0;
                for (block, cost) in self.blocks.iter().zip(costs) {
                    let sum = least[block.first] + cost;
                    if sum < least[block.end] {
                        least[block.end] = sum;
                    }
                }
                least[self.units]
            }
            Shape::Sets => {
                // By the units that are covered; the next block holds the first that is not.
                least.fill(f64::INFINITY);
                least[0] = 0.0;
                let all = (1usize << self.units) - 1;
                for covered in 0..all {
                    let so_far = least[covered];
                    if so_far.is_infinite() {
                        continue;
                    }
                    let next = (!covered).trailing_zeros() as usize;
                    let from = self.blocks.partition_point(|block| block.first < next);
                    let blocks = self.blocks[from..].iter().zip(&costs[from..]);
                    for (block, cost) in blocks.take_while(|(block, _)| block.first == next) {
                        let units = block.units as usize;
                        if units & covered == 0 {
                            let sum = so_far + cost;
                            let slot = &mut least[covered | units];
                            if sum < *slot {
                                *slot = sum;
                            }
                        }
                    }
                }
                least[all]
            }
        }
    }

    /// How many numbers [`Nested::cheapest`] needs.
    fn room(&self) -> usize {
        match self.shape {
            Shape::Levels(_) => 0,
            Shape::Runs => self.units + 1,
            Shape::Sets => 1 << self.units,
        }
    }
}

impl<'a> Nest<'a> {
    /// Nests the columns that are open as far as the work allows; none where the loss has no such bound
    /// or nothing can be nested.
    pub fn new(
        model: &'a Model,
        columns: &[Column],
        table: &Table,
        views: &[&View],
        places: &[&Decided],
        most: f64,
    ) -> Option<Self> {
        if !model.has_cells() && model.kind != Kind::Classes {
            return None;
        }
        let mut levels: Vec<Nested> = Vec::new();
        let mut settled = Vec::new();
        let mut whole = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            if views[place].reach == Reach::Same {
                settled.push(place);
                continue;
            }
            match Nested::new(column, place, places[place], views[place]) {
                Some(nested) => levels.push(nested),
                None => whole.push(place),
            }
        }
        let cells_at_most: f64 = settled.iter().map(|c| views[*c].lows as f64).product();
        // The column with the most blocks is innermost, and the first to be left out; sets are outermost,
        // where they are put together only once.
        levels.sort_by_key(|n| (!matches!(n.shape, Shape::Sets), n.blocks.len(), n.column));
        let work = |levels: &[Nested], cells: f64| {
            let boxes: f64 = levels.iter().map(|n| n.blocks.len() as f64).product();
            boxes * cells
        };
        let cells = cells_at_most.min(table.rows.len() as f64);
        while work(&levels, cells) > most {
            let largest = (0..levels.len()).max_by_key(|l| levels[*l].blocks.len())?;
            whole.push(levels.remove(largest).column);
        }
        // With one column only, the plain bound knows as much; and a class of the columns that are taken
        // for whole may be smaller, which DM would have to know.
        if levels.len() < 2 || model.kind == Kind::Classes && !whole.is_empty() {
            return None;
        }
        let mut keys = Keys::new(table.rows.len());
        for column in &settled {
            keys.add(
                &table.codes[*column],
                &views[*column].low,
                views[*column].lows,
            );
        }
        let (cell_of, first_of) = keys.numbered();
        let cells = first_of.len();
        let width = if model.has_cells() {
            2 + levels.len()
        } else {
            1
        };
        let size: usize = levels.iter().map(|n| n.units).product::<usize>() * cells * width;
        if size > MOST_ENTRIES {
            return None;
        }
        let mut entries = vec![0.0; size];
        let prices: Vec<Vec<f64>> = (settled.iter().chain(&whole))
            .map(|c| {
                let view = views[*c];
                let of_block = |block: &u32| view.price[*block as usize];
                view.low.iter().map(of_block).collect()
            })
            .collect();
        for i in 0..table.rows.len() {
            let mut at = 0;
            for nested in &levels {
                let code = table.codes[nested.column][i] as usize;
                at = at * nested.units + views[nested.column].low[code] as usize;
            }
            at = (at * cells + cell_of[i] as usize) * width;
            entries[at] += table.rows[i];
            if !model.has_cells() {
                continue;
            }
            for (c, price) in settled.iter().chain(&whole).zip(&prices) {
                let price = price[table.codes[*c][i] as usize];
                entries[at + 1] += times(price, table.units[*c][i]) - table.off[*c][i];
            }
            for (level, nested) in levels.iter().enumerate() {
                entries[at + 2 + level] += table.units[nested.column][i];
                entries[at + 1] -= table.off[nested.column][i];
            }
        }
        Some(Nest {
            model,
            levels,
            width,
            entries,
        })
    }

    /// The least cost, as a sum over rows.
    pub fn bound(&self) -> f64 {
        let mut behind = self.entries.len();
        let mut rooms: Vec<Room> = Vec::new();
        for nested in &self.levels {
            behind /= nested.units;
            rooms.push(Room {
                sum: vec![0.0; behind],
                told: vec![0.0; behind],
                costs: vec![0.0; nested.blocks.len()],
                least: vec![0.0; nested.room()],
            });
        }
        self.level(0, &self.entries, &mut rooms)
    }

    fn level(&self, level: usize, entries: &[f64], rooms: &mut [Room]) -> f64 {
        let nested = &self.levels[level];
        let Some((room, deeper)) = rooms.split_first_mut() else {
            return 0.0;
        };
        let size = room.sum.len();
        let is_last = level + 1 == self.levels.len();
        let is_sets = matches!(nested.shape, Shape::Sets);
        // The run that the sum holds.
        let mut held = (usize::MAX, 0);
        for (place, block) in nested.blocks.iter().enumerate() {
            if is_sets {
                room.sum.fill(0.0);
                let mut units = block.units;
                while units != 0 {
                    let unit = units.trailing_zeros() as usize;
                    add(&mut room.sum, &entries[unit * size..(unit + 1) * size]);
                    units &= units - 1;
                }
            } else {
                if held.0 != block.first || held.1 > block.end {
                    room.sum.fill(0.0);
                    held = (block.first, block.first);
                }
                for unit in held.1..block.end {
                    add(&mut room.sum, &entries[unit * size..(unit + 1) * size]);
                }
                held.1 = block.end;
            }
            room.costs[place] = if is_last {
                self.cost(&room.sum, level, block.price)
            } else {
                let rows: f64 = room.sum.iter().step_by(self.width).sum();
                if rows == 0.0 {
                    0.0
                } else if rows < self.model.k {
                    rows * self.model.suppressed
                } else {
                    room.told.copy_from_slice(&room.sum);
                    if self.width > 1 {
                        for entry in room.told.chunks_exact_mut(self.width) {
                            entry[1] += times(block.price, entry[2 + level]);
                        }
                    }
                    self.level(level + 1, &room.told, deeper)
                }
            };
        }
        nested.cheapest(&room.costs, &mut room.least)
    }

    /// What a box costs: its cells are classes.
    fn cost(&self, cells: &[f64], level: usize, price: f64) -> f64 {
        let (mut lost, mut sum) = (0.0, 0.0);
        for cell in cells.chunks_exact(self.width) {
            let rows = cell[0];
            if rows < self.model.k {
                lost += rows;
            } else if self.width == 1 {
                sum += rows * rows;
            } else {
                sum += (cell[1] + times(price, cell[2 + level])).max(0.0);
            }
        }
        if lost > 0.0 {
            sum += lost * self.model.suppressed;
        }
        sum
    }
}

/// Nothing of what has no end is nothing.
fn times(price: f64, unit: f64) -> f64 {
    if unit > 0.0 { price * unit } else { 0.0 }
}

fn add(sum: &mut [f64], more: &[f64]) {
    sum.iter_mut()
        .zip(more)
        .for_each(|(sum, more)| *sum += more);
}
