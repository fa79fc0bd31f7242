//! Roll-up: the classes at a coarser level from those at a finer one, without going back to the data
//! (Incognito's and Flash's device; the paper itself recounts).
//!
//! A class is one number, a field of bits for each column, with its rows. Going up in a column
//! replaces one field and adds up what has become alike.

use crate::counts::Counts;
use crate::problem::Problem;

/// A number wide enough for all columns' fields.
pub(super) trait Key: Copy + Eq + Send + Sync + Default {
    /// How many bits it has.
    const BITS: u32;
    /// The field of `bits` bits at a shift.
    fn field(self, shift: u32, bits: u32) -> usize;
    /// The same number with another value in a field that holds `old`.
    fn replaced(self, shift: u32, old: usize, new: usize) -> Self;
    /// Bits that scatter.
    fn hash(self) -> u64;
}

const SCATTER: u64 = 0x9E37_79B9_7F4A_7C15;

impl Key for u64 {
    const BITS: u32 = 64;
    fn field(self, shift: u32, bits: u32) -> usize {
        ((self >> shift) & ((1 << bits) - 1)) as usize
    }
    fn replaced(self, shift: u32, old: usize, new: usize) -> Self {
        self ^ ((old ^ new) as u64) << shift
    }
    fn hash(self) -> u64 {
        self.wrapping_mul(SCATTER)
    }
}

impl Key for u128 {
    const BITS: u32 = 128;
    fn field(self, shift: u32, bits: u32) -> usize {
        ((self >> shift) & ((1 << bits) - 1)) as usize
    }
    fn replaced(self, shift: u32, old: usize, new: usize) -> Self {
        self ^ ((old ^ new) as u128) << shift
    }
    fn hash(self) -> u64 {
        ((self >> 64) as u64 ^ (self as u64).rotate_left(29)).wrapping_mul(SCATTER)
    }
}

/// Where each column's field lies, and how its values climb.
pub(super) struct Fields {
    shifts: Vec<u32>,
    bits: Vec<u32>,
    /// `up[place][from][to - from - 1]`: for each node at a level, the node above it at another.
    up: Vec<Vec<Vec<Vec<u32>>>>,
}

impl Fields {
    /// The fields of a problem's columns in an order.
    pub fn of(problem: &Problem, order: &[usize]) -> Self {
        let (mut shifts, mut bits, mut up) = (Vec::new(), Vec::new(), Vec::new());
        let mut shift = 0;
        for column in order {
            let levels = problem.attributes[*column].hierarchy.levels();
            let widest = levels.iter().map(|l| l.nodes.len()).max().unwrap_or(1);
            let width = usize::BITS - widest.leading_zeros();
            shifts.push(shift);
            bits.push(width);
            shift += width;
            let climb = |from: usize, to: usize| -> Vec<u32> {
                let nodes = levels[from].nodes.iter();
                nodes
                    .map(|node| levels[to].node_of[node.first as usize])
                    .collect()
            };
            let from_level =
                |from: usize| (from + 1..levels.len()).map(|to| climb(from, to)).collect();
            up.push((0..levels.len()).map(from_level).collect());
        }
        Fields { shifts, bits, up }
    }

    /// How many bits they take together.
    pub fn width(&self) -> u32 {
        self.bits.iter().sum()
    }

    /// The node in a place's field.
    pub fn node<K: Key>(&self, key: K, place: usize) -> usize {
        key.field(self.shifts[place], self.bits[place])
    }
}

/// Classes of rows: what they hold, and how many there are.
#[derive(Clone, Default)]
pub(super) struct Rolled<K> {
    pub keys: Vec<K>,
    pub rows: Vec<u32>,
}

/// A hash table that is used again and again; an entry counts only where its stamp is the latest.
#[derive(Default)]
pub(super) struct Scratch {
    slots: Vec<(u32, u32)>,
    stamp: u32,
}

impl Scratch {
    fn ready(&mut self, entries: usize) -> u32 {
        let size = (entries * 2).next_power_of_two().max(64);
        if self.slots.len() < size || self.stamp == u32::MAX {
            self.slots = vec![(0, 0); size.max(self.slots.len())];
            self.stamp = 0;
        }
        self.stamp += 1;
        64 - size.trailing_zeros()
    }
}

impl<K: Key> Rolled<K> {
    /// Every combination of the data as a class of its own.
    pub fn of(counts: &Counts, fields: &Fields, order: &[usize]) -> Self {
        let mut keys = vec![K::default(); counts.combinations()];
        for (place, column) in order.iter().enumerate() {
            for (key, code) in keys.iter_mut().zip(counts.codes(*column)) {
                *key = key.replaced(fields.shifts[place], 0, *code as usize);
            }
        }
        // A table of four billion rows has its surplus counted as "enough", which it is for any k.
        let rows = counts.rows().iter().map(|r| (*r).min(MOST_ROWS) as u32);
        Rolled {
            rows: rows.collect(),
            keys,
        }
    }

    /// The classes with one column at a higher level.
    pub fn up(
        &self,
        fields: &Fields,
        place: usize,
        (from, to): (usize, usize),
        scratch: &mut Scratch,
    ) -> Self {
        if from == to {
            return self.clone();
        }
        let map = &fields.up[place][from][to - from - 1];
        let (shift, bits) = (fields.shifts[place], fields.bits[place]);
        let down = scratch.ready(self.keys.len());
        let (stamp, slots) = (scratch.stamp, &mut scratch.slots);
        let mask = (1usize << (64 - down)) - 1;
        let mut keys: Vec<K> = Vec::with_capacity(self.keys.len());
        let mut rows: Vec<u32> = Vec::with_capacity(self.keys.len());
        for (key, count) in self.keys.iter().zip(&self.rows) {
            let old = key.field(shift, bits);
            let key = key.replaced(shift, old, map[old] as usize);
            let mut slot = (key.hash() >> down) as usize;
            loop {
                let (at, class) = slots[slot];
                if at != stamp {
                    slots[slot] = (stamp, keys.len() as u32);
                    keys.push(key);
                    rows.push(*count);
                    break;
                }
                if keys[class as usize] == key {
                    rows[class as usize] = rows[class as usize].saturating_add(*count);
                    break;
                }
                slot = (slot + 1) & mask;
            }
        }
        Rolled { keys, rows }
    }
}

const MOST_ROWS: u64 = u32::MAX as u64;
