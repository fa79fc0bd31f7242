//! What the tests of both databases share.
#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray,
};
use coarsen_database::{Found, Place, Staging, read, stage};

/// Rows of every kind of cell, nulls and hard texts among them.
pub fn release() -> RecordBatch {
    let texts = [
        Some("plain"),
        Some(""),
        None,
        Some("a \"quote\", a comma\nand a line\\.\tß☃"),
    ];
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "n",
            Arc::new(Int64Array::from(vec![
                Some(1),
                None,
                Some(i64::MIN),
                Some(i64::MAX),
            ])),
        ),
        (
            "x",
            Arc::new(Float64Array::from(vec![
                Some(0.1),
                Some(-2.5e300),
                None,
                Some(3.0),
            ])),
        ),
        (
            "yes",
            Arc::new(BooleanArray::from(vec![
                Some(true),
                Some(false),
                None,
                Some(true),
            ])),
        ),
        (
            "day",
            Arc::new(Date32Array::from(vec![
                Some(0),
                Some(19_000),
                None,
                Some(-1),
            ])),
        ),
        ("a \"text\"", Arc::new(StringArray::from(texts.to_vec()))),
    ];
    RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, cells)| (name, cells, true)),
    )
    .unwrap()
}

/// A table as it is read.
pub fn table(place: &Place) -> (Found, Vec<RecordBatch>) {
    let mut batches = Vec::new();
    let found = read(place, &mut |batch| {
        batches.push(batch);
        Ok(())
    });
    (found.unwrap(), batches)
}

/// The texts of a column.
pub fn texts(batches: &[RecordBatch], name: &str) -> Vec<Option<String>> {
    let of = |batch: &RecordBatch| {
        let column = batch.column_by_name(name).unwrap().clone();
        let cells = column.as_string::<i32>().iter();
        cells
            .map(|cell| cell.map(str::to_string))
            .collect::<Vec<_>>()
    };
    batches.iter().flat_map(of).collect()
}

/// A new table of the rows of every kind, loaded, with what the database gives back of it.
pub fn staged(place: &Place) -> (Box<dyn Staging>, Vec<RecordBatch>) {
    let batch = release();
    let mut staging = stage(place, &batch.schema(), &BTreeMap::new()).unwrap();
    staging.load(&batch).unwrap();
    let mut back = Vec::new();
    let taken = staging.read_back(&mut |batch| {
        back.push(batch);
        Ok(())
    });
    taken.unwrap();
    (staging, back)
}
