//! Cells between databases and Arrow: a row at a time on the one side, columns on the other.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, StringBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use chrono::NaiveDate;

use crate::{BATCH, DatabaseError, Sink};

/// A cell of a database.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    Integer(i64),
    Decimal(f64),
    Boolean(bool),
    Date(NaiveDate),
    Text(String),
}

enum Builder {
    Integer(Int64Builder),
    Decimal(Float64Builder),
    Boolean(BooleanBuilder),
    Date(Date32Builder),
    Text(StringBuilder),
}

impl Builder {
    fn of(kind: &DataType) -> Self {
        match kind {
            DataType::Int64 => Builder::Integer(Int64Builder::new()),
            DataType::Float64 => Builder::Decimal(Float64Builder::new()),
            DataType::Boolean => Builder::Boolean(BooleanBuilder::new()),
            DataType::Date32 => Builder::Date(Date32Builder::new()),
            _ => Builder::Text(StringBuilder::new()),
        }
    }

    /// Takes a cell in, which fits the column.
    fn push(&mut self, cell: Cell) {
        match self {
            Builder::Integer(to) => to.append_option(match cell {
                Cell::Integer(number) => Some(number),
                _ => None,
            }),
            Builder::Decimal(to) => to.append_option(match cell {
                Cell::Decimal(number) => Some(number),
                Cell::Integer(number) => Some(number as f64),
                _ => None,
            }),
            Builder::Boolean(to) => to.append_option(match cell {
                Cell::Boolean(truth) => Some(truth),
                Cell::Integer(number) => Some(number != 0),
                _ => None,
            }),
            Builder::Date(to) => to.append_option(match cell {
                Cell::Date(day) => Some(Date32Type::from_naive_date(day)),
                _ => None,
            }),
            Builder::Text(to) => to.append_option(text_of(&cell)),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Integer(from) => Arc::new(from.finish()),
            Builder::Decimal(from) => Arc::new(from.finish()),
            Builder::Boolean(from) => Arc::new(from.finish()),
            Builder::Date(from) => Arc::new(from.finish()),
            Builder::Text(from) => Arc::new(from.finish()),
        }
    }
}

/// A cell as a text; nothing where it is empty.
pub(crate) fn text_of(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Null => None,
        Cell::Integer(number) => Some(number.to_string()),
        // The shortest that reads back as the same number, and always as one that is not whole.
        Cell::Decimal(number) => Some(format!("{number:?}")),
        Cell::Boolean(truth) => Some(truth.to_string()),
        Cell::Date(day) => Some(day.to_string()),
        Cell::Text(text) => Some(text.clone()),
    }
}

/// Makes batches of rows.
pub(crate) struct Batcher<'a, 'b> {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    sink: &'a mut Sink<'b>,
}

impl<'a, 'b> Batcher<'a, 'b> {
    pub fn new(columns: &[(String, DataType)], sink: &'a mut Sink<'b>) -> Self {
        let field = |(name, kind): &(String, DataType)| Field::new(name, kind.clone(), true);
        Batcher {
            schema: Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>())),
            builders: columns.iter().map(|(_, kind)| Builder::of(kind)).collect(),
            rows: 0,
            sink,
        }
    }

    /// Takes a row in.
    pub fn push(&mut self, row: impl Iterator<Item = Cell>) -> Result<(), DatabaseError> {
        for (builder, cell) in self.builders.iter_mut().zip(row) {
            builder.push(cell);
        }
        self.rows += 1;
        match self.rows {
            BATCH => self.flush(),
            _ => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<(), DatabaseError> {
        let columns = self.builders.iter_mut().map(Builder::finish).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), columns)?;
        self.rows = 0;
        Ok((self.sink)(batch)?)
    }

    /// Hands over what is left.
    pub fn finish(mut self) -> Result<SchemaRef, DatabaseError> {
        if self.rows > 0 {
            self.flush()?;
        }
        Ok(self.schema)
    }
}

/// A cell of a batch.
pub(crate) fn cell_of(column: &ArrayRef, row: usize) -> Result<Cell, DatabaseError> {
    if column.is_null(row) {
        return Ok(Cell::Null);
    }
    Ok(match column.data_type() {
        DataType::Int64 => Cell::Integer(column.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => Cell::Decimal(column.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => Cell::Boolean(column.as_boolean().value(row)),
        DataType::Date32 => {
            let days = column.as_primitive::<Date32Type>().value(row);
            let date = Date32Type::to_naive_date_opt(days);
            Cell::Date(date.ok_or_else(|| DatabaseError::Failed("a date is out of range".into()))?)
        }
        DataType::Utf8 => Cell::Text(column.as_string::<i32>().value(row).to_string()),
        other => {
            return Err(DatabaseError::Failed(format!(
                "cells of type {other} cannot be written to a database"
            )));
        }
    })
}
