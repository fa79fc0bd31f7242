//! The order of the released rows: by class, then by everything else that is released of them, so that
//! the order tells nothing that the release does not.

use std::cmp::Ordering;
use std::sync::OnceLock;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::array::{DynComparator, make_comparator};
use datafusion::arrow::compute::SortOptions;
use rayon::prelude::*;

use super::super::by_combination::Lines;
use super::classify::NO_LINE;
use crate::EngineError;
use crate::source::Batches;

/// Where the rows of a table lie.
pub(super) struct Rows {
    /// The first row of each batch.
    starts: Vec<u32>,
    count: u32,
}

impl Rows {
    pub fn of(batches: &Batches) -> Result<Self, EngineError> {
        let Ok(count) = u32::try_from(batches.rows()) else {
            return Err(EngineError::input(
                std::path::Path::new("the table"),
                "it has more than 4,294,967,295 rows, too many to sort in memory",
                "write it to a Parquet file, and release that file",
            ));
        };
        let mut starts = Vec::new();
        let mut start = 0;
        for batch in batches.batches() {
            starts.push(start);
            start += batch.num_rows() as u32;
        }
        Ok(Rows { starts, count })
    }

    /// Whether all rows lie in one batch.
    pub fn is_one_batch(&self) -> bool {
        self.starts.len() <= 1
    }

    /// The batch of a row, and its place in it.
    pub fn place(&self, row: u32) -> (usize, usize) {
        if self.is_one_batch() {
            return (0, row as usize);
        }
        let batch = self.starts.partition_point(|start| *start <= row) - 1;
        (batch, (row - self.starts[batch]) as usize)
    }
}

/// A column that rows are compared by.
pub(super) struct Tie {
    chunks: Vec<ArrayRef>,
    /// How cells of one batch compare with those of another, made when it is first asked.
    comparators: Vec<OnceLock<DynComparator>>,
}

impl Tie {
    pub fn new(chunks: Vec<ArrayRef>) -> Self {
        let comparators = (0..chunks.len() * chunks.len()).map(|_| OnceLock::new());
        Tie {
            comparators: comparators.collect(),
            chunks,
        }
    }

    fn compare(&self, a: (usize, usize), b: (usize, usize)) -> Ordering {
        let comparator = self.comparators[a.0 * self.chunks.len() + b.0].get_or_init(|| {
            let first_empty = SortOptions {
                descending: false,
                nulls_first: true,
            };
            make_comparator(&self.chunks[a.0], &self.chunks[b.0], first_empty)
                .expect("lists and objects were refused, and all else compares")
        });
        comparator(a.1, b.1)
    }
}

fn compare(rows: &Rows, ties: &[Tie], a: u32, b: u32) -> Ordering {
    let (a, b) = (rows.place(a), rows.place(b));
    let mut ties = ties.iter().map(|tie| tie.compare(a, b));
    ties.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The released rows in the order of the input.
pub(super) fn kept(class_of_row: &[u32]) -> Vec<u32> {
    let released = (0u32..).zip(class_of_row);
    let released = released.filter(|(_, class)| **class != NO_LINE);
    released.map(|(row, _)| row).collect()
}

/// The released rows by the rank of their class, then by these columns.
pub(super) fn sorted(rows: &Rows, class_of_row: &[u32], ranks: &[u64], ties: &[Tie]) -> Vec<u32> {
    let rank = |class: u32| ranks[class as usize] as usize;
    let groups = ranks.iter().max().map_or(0, |last| *last as usize + 1);
    let mut order = grouped(rows, groups, |row| match class_of_row[row as usize] {
        NO_LINE => None,
        class => Some(rank(class)),
    });
    if !ties.is_empty() {
        order
            .groups()
            .into_par_iter()
            .for_each(|group| group.par_sort_unstable_by(|a, b| compare(rows, ties, *a, *b)));
    }
    order.rows
}

/// Gives rows that are equal in their quasi-identifiers to the lines that share them. They are numbered
/// in the order of everything else that is released of them, and each line holds for a range of numbers.
pub(super) fn spread(rows: &Rows, lines: &Lines, cells: &[Tie], line_of_row: &mut [u32]) {
    let mut order = grouped(rows, lines.entries.len(), |row| {
        match line_of_row[row as usize] {
            NO_LINE => None,
            line => Some(line as usize),
        }
    });
    let groups: Vec<&mut [u32]> = order.groups();
    for group in groups.into_iter().filter(|group| !group.is_empty()) {
        group.sort_by(|a, b| compare(rows, cells, *a, *b));
        let first = line_of_row[group[0] as usize] as usize;
        let same = |line: &usize| lines.entries.get(*line) == Some(&lines.entries[first]);
        for (number, row) in (1..).zip(group.iter()) {
            let holds = |line: &usize| (lines.from[*line]..lines.end[*line]).contains(&number);
            let line = (first..).take_while(same).find(holds);
            line_of_row[*row as usize] = line.map_or(NO_LINE, |line| line as u32);
        }
    }
}

/// Rows group by group, those of a group in the order of the input.
struct Grouped {
    rows: Vec<u32>,
    ends: Vec<u32>,
}

fn grouped(rows: &Rows, groups: usize, group_of: impl Fn(u32) -> Option<usize>) -> Grouped {
    let mut ends = vec![0u32; groups];
    for row in 0..rows.count {
        if let Some(group) = group_of(row) {
            ends[group] += 1;
        }
    }
    let mut sum = 0;
    for end in &mut ends {
        // For now where each group begins; filling it moves that to its end.
        sum += std::mem::replace(end, sum);
    }
    let mut order = vec![0u32; sum as usize];
    for row in 0..rows.count {
        if let Some(group) = group_of(row) {
            order[ends[group] as usize] = row;
            ends[group] += 1;
        }
    }
    Grouped { rows: order, ends }
}

impl Grouped {
    fn groups(&mut self) -> Vec<&mut [u32]> {
        let mut groups = Vec::with_capacity(self.ends.len());
        let mut rest = self.rows.as_mut_slice();
        let mut start = 0;
        for end in &self.ends {
            let (group, after) = rest.split_at_mut((end - start) as usize);
            groups.push(group);
            rest = after;
            start = *end;
        }
        groups
    }
}
