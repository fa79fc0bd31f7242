//! Roll-up: the classes at a coarser level from those at a finer one, without going back to the data
//! (Incognito's and Flash's device; the paper itself recounts).
//!
//! A class is one number, a field of bits for each column, with its rows; lists are in rising order. A
//! field is as wide as its column's level needs, and earlier places have the higher bits. Going up in a
//! column therefore leaves what stands above its field in order: classes that may become alike follow
//! each other, and are added up in a small table of their own where the bits from that field down are
//! few. Where they are many, the list is sorted anew.

use crate::counts::Counts;
use crate::problem::Problem;

/// A number wider than all columns' fields, by a bit at least.
pub(super) trait Key: Copy + Eq + Send + Sync + Default {
    /// The field.
    fn field(self, field: Field) -> usize;
    /// The number with another value in a field of zeros.
    fn with(self, field: Field, value: usize) -> Self;
    /// The number with another value in a field that becomes narrower or wider by it.
    fn replaced(self, old: Field, new: Field, value: usize) -> Self;
    /// The number with its lowest bits put to zero.
    fn above(self, bits: u32) -> Self;
}

/// Where a column's field lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    shift: u32,
    bits: u32,
}

macro_rules! key {
    ($number:ty) => {
        impl Key for $number {
            fn field(self, field: Field) -> usize {
                (self >> field.shift & ((1 << field.bits) - 1)) as usize
            }
            fn with(self, field: Field, value: usize) -> Self {
                self | (value as $number) << field.shift
            }
            fn replaced(self, old: Field, new: Field, value: usize) -> Self {
                let above = self >> (old.shift + old.bits) << (new.shift + new.bits);
                let below = self & ((1 << old.shift) - 1);
                (above | below).with(new, value)
            }
            fn above(self, bits: u32) -> Self {
                self >> bits << bits
            }
        }
    };
}
key!(u64);
key!(u128);

/// How wide the columns' fields are, and how their values climb.
pub(super) struct Fields {
    /// `bits[place][level]`
    bits: Vec<Vec<u32>>,
    /// `up[place][from][to - from - 1]`: for each node at a level, the node above it at another.
    up: Vec<Vec<Vec<Vec<u32>>>>,
}

impl Fields {
    /// The fields of a problem's columns in an order.
    pub fn of(problem: &Problem, order: &[usize]) -> Self {
        let (mut bits, mut up) = (Vec::new(), Vec::new());
        for column in order {
            let levels = problem.attributes[*column].hierarchy.levels();
            let width = |nodes: usize| usize::BITS - nodes.saturating_sub(1).leading_zeros();
            bits.push(
                levels
                    .iter()
                    .map(|level| width(level.nodes.len()))
                    .collect(),
            );
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
        Fields { bits, up }
    }

    /// How many bits they take together at the lowest levels.
    pub fn width(&self) -> u32 {
        self.bits.iter().map(|levels| levels[0]).sum()
    }

    /// Where each field lies at some levels; those of the later places are the lower bits.
    pub fn at(&self, levels: &[usize]) -> Vec<Field> {
        let mut shift = 0;
        let mut fields = Vec::with_capacity(levels.len());
        for (bits, level) in self.bits.iter().zip(levels).rev() {
            let bits = bits[*level];
            fields.push(Field { shift, bits });
            shift += bits;
        }
        fields.reverse();
        fields
    }
}

/// Classes of rows: what they hold, and how many there are.
#[derive(Clone, Default)]
pub(super) struct Rolled<K> {
    /// The levels that the columns stand at.
    levels: Vec<usize>,
    pub keys: Vec<K>,
    pub rows: Vec<u32>,
}

/// Room that is used again and again.
pub(super) struct Scratch<K> {
    /// Rows by the lowest bits, and which of them are there, 64 to a word; all zeros between uses.
    table: Box<Table>,
    held: [u64; 64],
    sorted: Vec<(K, u32)>,
    aside: Vec<(K, u32)>,
}

impl<K: Key> Scratch<K> {
    /// All of it empty.
    pub fn new() -> Self {
        Scratch {
            table: Box::new([0; 1 << LOW.bits]),
            held: [0; 64],
            sorted: Vec::new(),
            aside: Vec::new(),
        }
    }
}

/// The bits that a table has a place for: 64 words of 64.
const LOW: Field = Field { shift: 0, bits: 12 };
type Table = [u32; 1 << LOW.bits];
/// The bits that one pass of a sort looks at.
const DIGIT: u32 = 11;

impl<K: Key> Rolled<K> {
    /// Every combination of the data as a class of its own.
    pub fn of(counts: &Counts, fields: &Fields, order: &[usize]) -> Self {
        let levels = vec![0; order.len()];
        let mut keys = vec![K::default(); counts.combinations()];
        for (column, field) in order.iter().zip(fields.at(&levels)) {
            for (key, code) in keys.iter_mut().zip(counts.codes(*column)) {
                *key = key.with(field, *code as usize);
            }
        }
        // A table of four billion rows has its surplus counted as "enough", which it is for any k.
        let rows = counts.rows().iter().map(|r| (*r).min(MOST_ROWS) as u32);
        let mut entries: Vec<(K, u32)> = keys.into_iter().zip(rows).collect();
        sort(&mut entries, &mut Vec::new(), fields.width());
        let (keys, rows) = entries.into_iter().unzip();
        Rolled { levels, keys, rows }
    }

    /// The classes with one column at a higher level.
    pub fn up(&self, fields: &Fields, place: usize, to: usize, scratch: &mut Scratch<K>) -> Self {
        let from = self.levels[place];
        if from == to {
            return self.clone();
        }
        let mut levels = self.levels.clone();
        levels[place] = to;
        let (old, at) = (fields.at(&self.levels)[place], fields.at(&levels));
        let new = at[place];
        let map = &fields.up[place][from][to - from - 1];
        let raised = |key: &K| key.replaced(old, new, map[key.field(old)] as usize);
        let (keys, rows) = if new.shift + new.bits <= LOW.bits {
            self.by_table(raised, scratch)
        } else {
            let width = at.iter().map(|field| field.bits).sum();
            self.by_sort(raised, width, scratch)
        };
        Rolled { levels, keys, rows }
    }

    /// Adds up what is alike in a table over the lowest bits, for each number above these bits by itself.
    fn by_table(&self, raised: impl Fn(&K) -> K, scratch: &mut Scratch<K>) -> (Vec<K>, Vec<u32>) {
        let Scratch { table, held, .. } = scratch;
        let mut keys: Vec<K> = Vec::with_capacity(self.keys.len());
        let mut rows: Vec<u32> = Vec::with_capacity(self.keys.len());
        let mut empty = |above: K, mut words: u64, table: &mut Table, held: &mut [u64; 64]| {
            while words != 0 {
                let word = words.trailing_zeros() as usize;
                words &= words - 1;
                let mut places = std::mem::take(&mut held[word]);
                while places != 0 {
                    let place = word << 6 | places.trailing_zeros() as usize;
                    places &= places - 1;
                    keys.push(above.with(LOW, place));
                    rows.push(std::mem::take(&mut table[place]));
                }
            }
        };
        let mut words = 0;
        let mut above = self
            .keys
            .first()
            .map_or(K::default(), |key| raised(key).above(LOW.bits));
        for (key, count) in self.keys.iter().zip(&self.rows) {
            let key = raised(key);
            if key.above(LOW.bits) != above {
                empty(above, words, table, held);
                (above, words) = (key.above(LOW.bits), 0);
            }
            let place = key.field(LOW);
            table[place] = table[place].saturating_add(*count);
            held[place >> 6] |= 1 << (place & 63);
            words |= 1 << (place >> 6);
        }
        empty(above, words, table, held);
        (keys, rows)
    }

    /// Sorts anew, and adds up what stands side by side.
    fn by_sort(
        &self,
        raised: impl Fn(&K) -> K,
        width: u32,
        scratch: &mut Scratch<K>,
    ) -> (Vec<K>, Vec<u32>) {
        let Scratch { sorted, aside, .. } = scratch;
        sorted.clear();
        sorted.extend(self.keys.iter().map(raised).zip(self.rows.iter().copied()));
        sort(sorted, aside, width);
        let mut keys: Vec<K> = Vec::with_capacity(sorted.len());
        let mut rows: Vec<u32> = Vec::with_capacity(sorted.len());
        for (key, count) in sorted.iter() {
            match (keys.last(), rows.last_mut()) {
                (Some(last), Some(rows)) if last == key => *rows = rows.saturating_add(*count),
                _ => {
                    keys.push(*key);
                    rows.push(*count);
                }
            }
        }
        (keys, rows)
    }
}

/// Sorts by the lowest bits of the keys, a digit after the other from the lowest.
fn sort<K: Key>(entries: &mut Vec<(K, u32)>, aside: &mut Vec<(K, u32)>, bits: u32) {
    aside.clear();
    aside.resize(entries.len(), (K::default(), 0));
    for shift in (0..bits).step_by(DIGIT as usize) {
        let digit = Field { shift, bits: DIGIT };
        let mut next = [0usize; 1 << DIGIT];
        for (key, _) in entries.iter() {
            next[key.field(digit)] += 1;
        }
        let mut start = 0;
        for next in &mut next {
            start += std::mem::replace(next, start);
        }
        for entry in entries.iter() {
            let next = &mut next[entry.0.field(digit)];
            aside[*next] = *entry;
            *next += 1;
        }
        std::mem::swap(entries, aside);
    }
}

const MOST_ROWS: u64 = u32::MAX as u64;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::synthetic::Random;

    /// Four columns of `leaves` values that climb by halves to one.
    fn fields(leaves: u32) -> Fields {
        let levels = leaves.ilog2() as usize + 1;
        let climb =
            |from: usize, to: usize| (0..leaves >> from).map(|n| n >> (to - from)).collect();
        let up = (0..levels).map(|from| (from + 1..levels).map(|to| climb(from, to)).collect());
        Fields {
            bits: vec![
                (0..levels)
                    .map(|level| (levels - 1 - level) as u32)
                    .collect();
                4
            ],
            up: vec![up.collect(); 4],
        }
    }

    /// Rolled up step by step, and recounted from the rows.
    fn agrees<K: Key + Ord + std::fmt::Debug>(leaves: u32) {
        let fields = fields(leaves);
        let top = leaves.ilog2() as usize;
        let mut random = Random::stream(7, u64::from(leaves));
        let rows: Vec<[usize; 4]> = (0..900)
            .map(|_| [0; 4].map(|_: usize| random.below(u64::from(leaves)) as usize))
            .collect();
        let count = |levels: &[usize]| -> (Vec<K>, Vec<u32>) {
            let at = fields.at(levels);
            let mut seen: BTreeMap<K, u32> = BTreeMap::new();
            for row in &rows {
                let key = (0..4).fold(K::default(), |key, place| {
                    key.with(at[place], row[place] >> levels[place])
                });
                *seen.entry(key).or_default() += 1;
            }
            seen.into_iter().unzip()
        };
        let mut scratch = Scratch::new();
        for first in 0..4 {
            let (keys, held) = count(&[0; 4]);
            let mut list = Rolled {
                levels: vec![0; 4],
                keys,
                rows: held,
            };
            for place in (0..4).map(|step| (first + step) % 4) {
                for to in [top / 2, top] {
                    list = list.up(&fields, place, to, &mut scratch);
                    assert_eq!((list.keys.clone(), list.rows.clone()), count(&list.levels));
                }
            }
            assert_eq!(list.rows, [900]);
        }
    }

    #[test]
    fn what_is_rolled_up_is_what_is_counted() {
        agrees::<u64>(8);
        agrees::<u64>(1 << 15);
        agrees::<u128>(8);
        agrees::<u128>(1 << 17);
    }
}
