//! Which class every row falls into: each cell has its code; codes lead through the tree of cuts to a region,
//! or pack into one number that is looked up.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::{CastOptions, cast_with_options};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::super::by_combination::Lines;
use super::super::{ByRegion, Job};
use crate::EngineError;
use crate::coder::Coder;
use crate::raw::{RawColumn, key_type};
use crate::source::Batches;

/// Rows that are looked up at a time.
const PIECE: usize = 1 << 14;
/// The line of a row that is not released.
pub(super) const NO_LINE: u32 = u32::MAX;

/// The rows of a table, to be told their classes.
pub(super) struct Classify<'a> {
    pub batches: &'a Batches,
    /// Leaves out rows with a tallied cell that was left out when the table was counted.
    pub drops_missing: bool,
}

impl Classify<'_> {
    /// The class of every row, by the region that its codes lead to.
    pub fn by_region(&self, job: &Job<'_>, by: &ByRegion) -> Result<Vec<u32>, EngineError> {
        let is_written = |class: u32| job.masks || !job.classes.is_suppressed(class as usize);
        let class_of_region: Vec<Option<u32>> = by
            .class_of_region
            .iter()
            .map(|class| class.filter(|class| is_written(*class)))
            .collect();
        let quasi = job.table.attributes.len();
        self.find(job, &job.table.coders, quasi, |code| {
            class_of_region[by.finder.find(code)? as usize]
        })
    }

    /// The line of every row: of several lines for rows that are equal, the first.
    pub fn by_line(&self, job: &Job<'_>, lines: &Lines) -> Result<Vec<u32>, EngineError> {
        let raw = &job.table.raw.columns;
        let keys = job.keys();
        let finder = Finder::of(&raw[..keys], lines);
        let coders: Vec<Coder> = raw.iter().map(of_distinct_cells).collect();
        self.find(job, &coders, keys, |code| finder.find(code))
    }

    /// What is found by the codes of each row in the first `keys` counted columns; [`NO_LINE`] where
    /// nothing is.
    fn find(
        &self,
        job: &Job<'_>,
        coders: &[Coder],
        keys: usize,
        find: impl Fn(&dyn Fn(usize) -> u32) -> Option<u32> + Sync,
    ) -> Result<Vec<u32>, EngineError> {
        let attributes = job.table.attributes.iter().map(|a| a.name.as_str());
        let tallies = job.table.counts.tallies().iter();
        let tallies = tallies.map(|tally| tally.column().name.as_str());
        let looked_at = if self.drops_missing {
            coders.len()
        } else {
            keys
        };
        let places: Vec<usize> = attributes
            .chain(tallies)
            .take(looked_at)
            .map(|name| {
                let found = self.batches.schema().index_of(name);
                found.expect("every counted column is one of the table's")
            })
            .collect();
        let mut found = vec![NO_LINE; self.batches.rows()];
        let mut rest = found.as_mut_slice();
        for batch in self.batches.batches() {
            let (of_batch, after) = rest.split_at_mut(batch.num_rows());
            rest = after;
            let coded = |(place, coder): (&usize, _)| Cells::of(coder, batch.column(*place));
            let columns = places.iter().zip(coders).map(coded);
            let columns = columns.collect::<Result<Vec<_>, _>>()?;
            of_batch
                .par_chunks_mut(PIECE)
                .enumerate()
                .try_for_each(|(piece, found)| {
                    let codes = |cells: &Cells<'_>| cells.codes(piece * PIECE, found.len());
                    let codes = columns.iter().map(codes).collect::<Result<Vec<_>, _>>()?;
                    for (row, found) in found.iter_mut().enumerate() {
                        // A cell that was not there when the table was counted has no code, and its
                        // row no place in the release.
                        if codes.iter().all(|codes| codes[row] != Coder::UNKNOWN) {
                            *found = find(&|column| codes[column][row]).unwrap_or(NO_LINE);
                        }
                    }
                    Ok::<_, ArrowError>(())
                })?;
        }
        Ok(found)
    }
}

/// Knows the place of every cell among the distinct cells of its column.
fn of_distinct_cells(column: &RawColumn) -> Coder {
    let places: Vec<u32> = (0..column.cells().len() as u32).collect();
    Coder::new(column, &places)
}

/// A column of one batch, and the codes of its dictionary where it has one.
struct Cells<'a> {
    coder: &'a Coder,
    cells: &'a ArrayRef,
    key: DataType,
    of_values: Option<Vec<u32>>,
}

impl<'a> Cells<'a> {
    fn of(coder: &'a Coder, cells: &'a ArrayRef) -> Result<Self, ArrowError> {
        let key = key_type(cells.data_type());
        let of_values = match cells.as_any_dictionary_opt() {
            Some(dictionary) => Some(coder.codes(&as_key(dictionary.values(), &key)?)),
            None => None,
        };
        Ok(Cells {
            coder,
            cells,
            key,
            of_values,
        })
    }

    /// The codes of some of its rows.
    fn codes(&self, start: usize, count: usize) -> Result<Vec<u32>, ArrowError> {
        let cells = self.cells.slice(start, count);
        let Some(of_values) = &self.of_values else {
            return Ok(self.coder.codes(&as_key(&cells, &self.key)?));
        };
        let empty = self.coder.code_of_empty();
        if of_values.is_empty() {
            return Ok(vec![empty; count]);
        }
        let keys = cells.as_any_dictionary().normalized_keys();
        let code = |(row, key): (usize, usize)| match cells.is_null(row) {
            true => empty,
            false => of_values[key],
        };
        Ok(keys.into_iter().enumerate().map(code).collect())
    }
}

/// Cells in the type that they are counted in. What does not fit it is an error, as it is in the engine.
fn as_key(cells: &ArrayRef, key: &DataType) -> Result<ArrayRef, ArrowError> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    cast_with_options(cells, key, &options)
}

/// From the codes of a row to its line. Codes of as many columns as fit pack into one number, which has a
/// number of its own for the next columns to pack with.
struct Finder {
    stages: Vec<Stage>,
    /// The first line of each number that the last stage gives.
    line_of: Vec<u32>,
}

struct Stage {
    columns: std::ops::Range<usize>,
    sizes: Vec<u64>,
    numbers: FxHashMap<u64, u32>,
}

impl Stage {
    fn pack(&self, before: u32, code: impl Fn(usize) -> u32) -> u64 {
        let columns = self.columns.clone().zip(&self.sizes);
        columns.fold(u64::from(before), |packed, (column, size)| {
            packed * size + u64::from(code(column))
        })
    }
}

impl Finder {
    fn of(quasi: &[RawColumn], lines: &Lines) -> Self {
        let mut stages = Vec::new();
        let mut number_of_line = vec![0u32; lines.entries.len()];
        let mut numbers = 1u64;
        let mut first = 0;
        while first < quasi.len() {
            let mut sizes = Vec::new();
            for column in &quasi[first..] {
                let size = column.cells().len() as u64;
                match numbers.checked_mul(size) {
                    Some(product) => numbers = product,
                    None => break,
                }
                sizes.push(size);
            }
            let mut stage = Stage {
                columns: first..first + sizes.len(),
                sizes,
                numbers: FxHashMap::default(),
            };
            for (number, entry) in number_of_line.iter_mut().zip(&lines.entries) {
                let packed = stage.pack(*number, |column| quasi[column].codes[*entry as usize]);
                let next = stage.numbers.len() as u32;
                *number = *stage.numbers.entry(packed).or_insert(next);
            }
            first = stage.columns.end;
            numbers = stage.numbers.len() as u64;
            stages.push(stage);
        }
        let mut line_of = vec![NO_LINE; numbers as usize];
        for (line, number) in number_of_line.iter().enumerate().rev() {
            line_of[*number as usize] = line as u32;
        }
        Finder { stages, line_of }
    }

    fn find(&self, code: impl Fn(usize) -> u32) -> Option<u32> {
        let mut number = 0;
        for stage in &self.stages {
            number = *stage.numbers.get(&stage.pack(number, &code))?;
        }
        Some(self.line_of[number as usize])
    }
}
