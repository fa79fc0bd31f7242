//! Algorithm 1 of the paper as it stands: every generalization is tried on all combinations (seed 003,
//! section 4). It is there to be compared with.

use super::column::Column;
use super::counters::Counters;
use super::{Critical, Effects};
use crate::counts::{Counts, group};

/// Counts anew whatever it is asked.
pub(super) struct Plain<'a> {
    counts: &'a Counts,
    limit: u64,
    aim: u64,
    current: Counters,
}

impl<'a> Plain<'a> {
    pub fn new(counts: &'a Counts, columns: &[Column], aim: u64, limit: u64) -> Self {
        Plain {
            counts,
            limit,
            aim,
            current: recount(counts, &maps(columns), aim, limit),
        }
    }
}

/// The piece of each code, column by column.
pub(super) fn maps(columns: &[Column]) -> Vec<Vec<u32>> {
    columns.iter().map(Column::piece_of).collect()
}

/// A table of classes may be this long to be looked up instead of hashed.
const DIRECT: usize = 1 << 18;

/// The same map with labels from 0 on, and how many labels there are.
fn compact(map: &[u32]) -> (Vec<u32>, usize) {
    let mut number = vec![u32::MAX; map.iter().max().map_or(0, |most| *most as usize + 1)];
    let mut next = 0;
    let short = |label: &u32| {
        let number = &mut number[*label as usize];
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
        *number
    };
    let map = map.iter().map(short).collect();
    (map, next as usize)
}

/// The counters of a grouping, from scratch.
pub(super) fn recount(counts: &Counts, maps: &[Vec<u32>], aim: u64, limit: u64) -> Counters {
    let maps: Vec<(Vec<u32>, usize)> = maps.iter().map(|map| compact(map)).collect();
    let labels = maps.iter().map(|(_, labels)| *labels);
    let product = labels.fold(1usize, usize::saturating_mul);
    let rows = match product <= DIRECT {
        true => looked_up(counts, &maps, product),
        false => grouped(counts, &maps),
    };
    let mut counters = Counters::new(aim, limit);
    let there = rows.into_iter().filter(|rows| *rows > 0);
    there.for_each(|rows| counters.add(rows));
    counters
}

/// The rows of each class that can be, many of which are not there.
fn looked_up(counts: &Counts, maps: &[(Vec<u32>, usize)], product: usize) -> Vec<u64> {
    let mut class_of = vec![0u32; counts.combinations()];
    for (column, (map, labels)) in maps.iter().enumerate() {
        for (class, code) in class_of.iter_mut().zip(counts.codes(column)) {
            *class = *class * *labels as u32 + map[*code as usize];
        }
    }
    let mut rows = vec![0; product];
    for (class, count) in class_of.iter().zip(counts.rows()) {
        rows[*class as usize] += count;
    }
    rows
}

fn grouped(counts: &Counts, maps: &[(Vec<u32>, usize)]) -> Vec<u64> {
    let views: Vec<&[u32]> = maps.iter().map(|(map, _)| map.as_slice()).collect();
    let grouping = group(counts, &views);
    let mut rows = vec![0; grouping.classes];
    for (class, count) in grouping.class_of.iter().zip(counts.rows()) {
        rows[*class as usize] += count;
    }
    rows
}

impl Effects for Plain<'_> {
    fn counters(&self) -> &Counters {
        &self.current
    }

    fn critical(&mut self, columns: &[Column]) -> Vec<Critical> {
        let mut maps = maps(columns);
        let mut found = Vec::new();
        let before = self.current.anonymity();
        for (column, held) in columns.iter().enumerate() {
            let unchanged = maps[column].clone();
            for (place, tried) in held.moves.iter().enumerate() {
                for (number, group) in tried.groups.iter().enumerate() {
                    for code in group.into.codes.iter() {
                        maps[column][code as usize] = (held.pieces.len() + number) as u32;
                    }
                }
                let after = recount(self.counts, &maps, self.aim, self.limit).anonymity();
                if after > before {
                    found.push(Critical {
                        column,
                        place,
                        anonymity: after,
                    });
                }
                maps[column].clone_from(&unchanged);
            }
        }
        found
    }

    fn apply(&mut self, columns: &[Column], _: usize, _: &[(Vec<u32>, u32)]) {
        self.current = recount(self.counts, &maps(columns), self.aim, self.limit);
    }
}
