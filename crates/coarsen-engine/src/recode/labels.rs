//! What classes show, as Arrow arrays with a cell for every class.

use std::sync::Arc;

use coarsen::counts::Classes;
use coarsen::domain::SUPPRESSED;
use coarsen::recoding::{Shown, ShownCells};
use datafusion::arrow::array::{ArrayRef, DictionaryArray, Float64Array};
use datafusion::arrow::datatypes::UInt32Type;

/// What a released column shows for every class; `*` or nothing where a class is suppressed.
pub(super) fn shown_array(shown: &Shown, classes: &Classes) -> ArrayRef {
    match &shown.cells {
        ShownCells::Text(cells) => {
            let cell = |(class, cell): (usize, &Option<String>)| {
                if classes.is_suppressed(class) {
                    Some(SUPPRESSED.to_string())
                } else {
                    cell.clone()
                }
            };
            // Labels are few and rows many: a number a row, and each label once.
            let cells: Vec<Option<String>> = cells.iter().enumerate().map(cell).collect();
            Arc::new(
                cells
                    .iter()
                    .map(Option::as_deref)
                    .collect::<DictionaryArray<UInt32Type>>(),
            )
        }
        ShownCells::Number(cells) => {
            let cell = |(class, cell): (usize, &Option<f64>)| {
                if classes.is_suppressed(class) {
                    None
                } else {
                    *cell
                }
            };
            Arc::new(cells.iter().enumerate().map(cell).collect::<Float64Array>())
        }
    }
}
