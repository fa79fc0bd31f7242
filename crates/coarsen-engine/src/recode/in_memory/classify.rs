//! Which line of the look-up every row falls on: each cell has its code, and codes pack into one number
//! that is looked up.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::{CastOptions, cast_with_options};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::super::Job;
use super::super::by_combination::Lines;
use crate::EngineError;
use crate::coder::Coder;
use crate::raw::{RawColumn, key_type};
use crate::source::Batches;

/// Rows that are looked up at a time.
const PIECE: usize = 1 << 14;
/// The line of a row that is not released.
pub(super) const NO_LINE: u32 = u32::MAX;

/// The line of every row: of several lines for rows that are equal, the first. `drops_missing` leaves out
/// rows with a tallied cell that was left out when the table was counted.
pub(super) fn lines(
    job: &Job<'_>,
    lines: &Lines,
    batches: &Batches,
    drops_missing: bool,
) -> Result<Vec<u32>, EngineError> {
    let raw = &job.table.raw.columns;
    let (quasi, tallied) = raw.split_at(job.table.attributes.len());
    let finder = Finder::of(quasi, lines);
    let coders: Vec<Coder> = raw.iter().map(of_distinct_cells).collect();
    let (quasi_coders, tallied_coders) = coders.split_at(quasi.len());
    let place = |column: &RawColumn| {
        let found = batches.schema().index_of(&column.name);
        found.expect("every counted column is one of the table's")
    };
    let mut line_of_row = vec![NO_LINE; batches.rows()];
    let mut rest = line_of_row.as_mut_slice();
    for batch in batches.batches() {
        let (of_batch, after) = rest.split_at_mut(batch.num_rows());
        rest = after;
        let coded = |(column, coder)| Cells::of(coder, batch.column(place(column)));
        let quasi_cells = quasi.iter().zip(quasi_coders).map(coded);
        let quasi_cells = quasi_cells.collect::<Result<Vec<_>, _>>()?;
        let tallied = tallied.iter().zip(tallied_coders);
        let tallied_cells = tallied.filter(|_| drops_missing).map(coded);
        let tallied_cells = tallied_cells.collect::<Result<Vec<_>, _>>()?;
        of_batch
            .par_chunks_mut(PIECE)
            .enumerate()
            .try_for_each(|(piece, lines)| {
                let codes = |cells: &[Cells<'_>]| {
                    let of = |cells: &Cells<'_>| cells.codes(piece * PIECE, lines.len());
                    cells.iter().map(of).collect::<Result<Vec<_>, _>>()
                };
                let (quasi, tallied) = (codes(&quasi_cells)?, codes(&tallied_cells)?);
                for (row, line) in lines.iter_mut().enumerate() {
                    if tallied.iter().all(|codes| codes[row] != Coder::UNKNOWN) {
                        *line = finder.find(|column| quasi[column][row]).unwrap_or(NO_LINE);
                    }
                }
                Ok::<_, ArrowError>(())
            })?;
    }
    Ok(line_of_row)
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
            if stage
                .columns
                .clone()
                .any(|column| code(column) == Coder::UNKNOWN)
            {
                return None;
            }
            number = *stage.numbers.get(&stage.pack(number, &code))?;
        }
        Some(self.line_of[number as usize])
    }
}
