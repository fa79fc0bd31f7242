//! The released rows, column by column: cells taken from where they lie, labels by the class of the row.

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use datafusion::arrow::compute::{interleave, take};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use rayon::prelude::*;

use super::shown::ShownColumn;
use super::sort::Rows;

/// Rows of a batch of the release.
const BATCH: usize = 1 << 16;

/// A released column.
pub(super) enum Output {
    /// Cells as they are, batch by batch.
    Cells(Vec<ArrayRef>),
    /// What each class shows.
    Shown(ShownColumn),
}

/// The rows of this order.
pub(super) fn gather(
    rows: &Rows,
    class_of_row: &[u32],
    order: &[u32],
    outputs: &[Output],
    schema: &SchemaRef,
) -> Result<Vec<RecordBatch>, ArrowError> {
    let batch = |order: &[u32]| {
        let columns = outputs
            .par_iter()
            .map(|output| output.column(rows, class_of_row, order))
            .collect::<Result<Vec<_>, _>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(order.len()));
        RecordBatch::try_new_with_options(schema.clone(), columns, &options)
    };
    order.par_chunks(BATCH).map(batch).collect()
}

impl Output {
    fn column(
        &self,
        rows: &Rows,
        class_of_row: &[u32],
        order: &[u32],
    ) -> Result<ArrayRef, ArrowError> {
        match self {
            Output::Shown(shown) => {
                shown.column(order.iter().map(|row| class_of_row[*row as usize]))
            }
            Output::Cells(chunks) if rows.is_one_batch() => match chunks.first() {
                Some(cells) => take(cells, &UInt32Array::from(order.to_vec()), None),
                None => unreachable!("rows come from a batch"),
            },
            Output::Cells(chunks) => {
                let cells: Vec<&dyn Array> = chunks.iter().map(AsRef::as_ref).collect();
                let places: Vec<(usize, usize)> =
                    order.iter().map(|row| rows.place(*row)).collect();
                interleave(&cells, &places)
            }
        }
    }
}
