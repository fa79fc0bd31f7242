//! Distinct cells as the file holds them, each with a number: what is between Arrow arrays and the
//! coded domains of the core.

use std::sync::Arc;

use coarsen::domain::Value;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Date32Array, Float64Array, Int64Array, StringViewArray,
};
use datafusion::arrow::datatypes::{DataType, Date32Type, Float64Type, Int64Type};
use datafusion::logical_expr::{Expr, cast, ident};
use rustc_hash::FxHashMap;

/// Days from the common era to 1970-01-01, where Arrow counts from.
const EPOCH: i32 = 719_163;

/// The type that cells of a column are compared and counted in: one of five, whatever the file has.
pub(crate) fn key_type(of: &DataType) -> DataType {
    match of {
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32
        | DataType::UInt64 => DataType::Int64,
        DataType::Float16 | DataType::Float32 | DataType::Float64 => DataType::Float64,
        DataType::Boolean => DataType::Boolean,
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(_, _) => DataType::Date32,
        _ => DataType::Utf8View,
    }
}

/// Whether different cells may have one key: times are counted by their days.
pub(crate) fn key_blurs(of: &DataType) -> bool {
    matches!(of, DataType::Date64 | DataType::Timestamp(_, _))
}

/// A column as its key.
pub(crate) fn key_of(name: &str, of: &DataType) -> Expr {
    match key_type(of) {
        key if key == *of => ident(name),
        key => cast(ident(name), key),
    }
}

/// The distinct cells of one column, and the number of the cell in every entry.
#[derive(Debug)]
pub(crate) struct RawColumn {
    pub name: String,
    cells: Vec<Option<Value>>,
    kind: DataType,
    pub codes: Vec<u32>,
    known: Arc<Known>,
    null: Option<u32>,
}

/// The place of each distinct cell that is no empty one.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    Text(FxHashMap<String, u32>),
    Integer(FxHashMap<i64, u32>),
    Decimal(FxHashMap<u64, u32>),
    Date(FxHashMap<i32, u32>),
    Boolean([Option<u32>; 2]),
}

impl RawColumn {
    /// A column of a key type, without entries.
    pub fn new(name: &str, kind: &DataType) -> Self {
        let known = match kind {
            DataType::Int64 => Known::Integer(FxHashMap::default()),
            DataType::Float64 => Known::Decimal(FxHashMap::default()),
            DataType::Date32 => Known::Date(FxHashMap::default()),
            DataType::Boolean => Known::Boolean([None; 2]),
            _ => Known::Text(FxHashMap::default()),
        };
        RawColumn {
            name: name.to_string(),
            cells: Vec::new(),
            kind: kind.clone(),
            codes: Vec::new(),
            known: Arc::new(known),
            null: None,
        }
    }

    /// Takes in more entries.
    pub fn extend(&mut self, array: &ArrayRef) {
        let RawColumn {
            cells,
            codes,
            known,
            null,
            ..
        } = self;
        codes.reserve(array.len());
        let new = |cells: &mut Vec<Option<Value>>, value: Option<Value>| {
            cells.push(value);
            cells.len() as u32 - 1
        };
        macro_rules! intern {
            ($values:expr, $map:expr, $key:expr, $value:expr) => {
                for value in $values {
                    let code = match value {
                        None => *null.get_or_insert_with(|| new(cells, None)),
                        Some(value) => *$map
                            .entry($key(value))
                            .or_insert_with(|| new(cells, Some($value(value)))),
                    };
                    codes.push(code);
                }
            };
        }
        match Arc::make_mut(known) {
            Known::Integer(map) => {
                intern!(
                    array.as_primitive::<Int64Type>(),
                    map,
                    |v| v,
                    Value::Integer
                )
            }
            Known::Decimal(map) => {
                // -0 and 0 are one number.
                let values = array
                    .as_primitive::<Float64Type>()
                    .iter()
                    .map(|v| v.map(|v| v + 0.0));
                intern!(values, map, f64::to_bits, Value::Decimal)
            }
            Known::Date(map) => {
                intern!(array.as_primitive::<Date32Type>(), map, |v| v, |days| {
                    Value::Date(chrono_date(days))
                })
            }
            Known::Text(map) => {
                for value in array.as_string_view() {
                    let code = match value {
                        None => *null.get_or_insert_with(|| new(cells, None)),
                        Some(text) => match map.get(text) {
                            Some(code) => *code,
                            None => {
                                let code = new(cells, Some(Value::Text(text.to_string())));
                                map.insert(text.to_string(), code);
                                code
                            }
                        },
                    };
                    codes.push(code);
                }
            }
            Known::Boolean(seen) => {
                for value in array.as_boolean() {
                    let code = match value {
                        None => *null.get_or_insert_with(|| new(cells, None)),
                        Some(truth) => *seen[usize::from(truth)]
                            .get_or_insert_with(|| new(cells, Some(Value::Boolean(truth)))),
                    };
                    codes.push(code);
                }
            }
        }
    }

    /// The key type of its cells.
    pub fn kind(&self) -> &DataType {
        &self.kind
    }

    /// The places of its distinct cells.
    pub fn known(&self) -> Arc<Known> {
        self.known.clone()
    }

    /// The place of the empty cell, where there is one.
    pub fn null(&self) -> Option<u32> {
        self.null
    }

    /// The distinct cells as they stand in the file; `None` is an empty one.
    pub fn cells(&self) -> &[Option<Value>] {
        &self.cells
    }

    /// Forgets the distinct cells, but not which code each has.
    pub fn forget_cells(&mut self) {
        self.cells = Vec::new();
    }

    /// The distinct cells with every word for a missing value taken as one.
    pub fn cells_less_missing(&self, words: &[String]) -> Vec<Option<Value>> {
        let is_missing = |value: &Value| match value {
            Value::Text(text) => words.contains(text),
            Value::Decimal(number) => number.is_nan(),
            _ => false,
        };
        self.cells
            .iter()
            .map(|cell| cell.clone().filter(|value| !is_missing(value)))
            .collect()
    }

    /// How many rows hold each distinct cell.
    pub fn marginal(&self, rows: &[u64]) -> Vec<u64> {
        let mut marginal = vec![0; self.cells.len()];
        for (code, rows) in self.codes.iter().zip(rows) {
            marginal[*code as usize] += rows;
        }
        marginal
    }

    /// The distinct cells as an Arrow array of the key type.
    pub fn array(&self) -> ArrayRef {
        let cells = self.cells.iter().map(Option::as_ref);
        match &self.kind {
            DataType::Int64 => Arc::new(
                cells
                    .map(|c| match c {
                        Some(Value::Integer(n)) => Some(*n),
                        _ => None,
                    })
                    .collect::<Int64Array>(),
            ),
            DataType::Float64 => Arc::new(
                cells
                    .map(|c| match c {
                        Some(Value::Decimal(n)) => Some(*n),
                        _ => None,
                    })
                    .collect::<Float64Array>(),
            ),
            DataType::Date32 => Arc::new(
                cells
                    .map(|c| match c {
                        Some(Value::Date(day)) => Some(arrow_date(*day)),
                        _ => None,
                    })
                    .collect::<Date32Array>(),
            ),
            DataType::Boolean => Arc::new(
                cells
                    .map(|c| match c {
                        Some(Value::Boolean(truth)) => Some(*truth),
                        _ => None,
                    })
                    .collect::<BooleanArray>(),
            ),
            _ => Arc::new(
                cells
                    .map(|c| match c {
                        Some(Value::Text(text)) => Some(text.as_str()),
                        _ => None,
                    })
                    .collect::<StringViewArray>(),
            ),
        }
    }
}

fn chrono_date(days: i32) -> coarsen::domain::Day {
    coarsen::domain::Day::from_num_days_from_ce_opt(days.saturating_add(EPOCH)).unwrap_or_default()
}

pub(crate) fn arrow_date(day: coarsen::domain::Day) -> i32 {
    use coarsen::domain::Datelike;
    day.num_days_from_ce() - EPOCH
}

/// Distinct combinations of cells with the number of rows that hold each.
#[derive(Debug, Default)]
pub(crate) struct RawCounts {
    /// The columns, in the order asked for.
    pub columns: Vec<RawColumn>,
    /// The rows of each entry.
    pub rows: Vec<u64>,
}
