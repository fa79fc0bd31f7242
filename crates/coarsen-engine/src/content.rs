//! What a table says, as one number: the same for the same rows, whether they come from a file or from
//! memory, as texts or as typed cells, in whatever order and however they are cut into batches.
//!
//! A cell counts by what it says: `30`, `30.0` and the number 30 are one, and so are `2024-01-05`, midnight of
//! that day and the date itself; a missing-value word and an empty cell are missing. Every row is hashed
//! (SHA-256), its columns in the order of their names, and the hashes are added up, so that threads may
//! take rows as they come. Who lacks a single cell of the table cannot compute it.

use std::sync::Mutex;

use chrono::Utc;
use coarsen::policy::Policy;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::kernels::cast_utils::string_to_datetime;
use datafusion::arrow::compute::{can_cast_types, cast};
use datafusion::arrow::datatypes::{
    DataType, Date32Type, Date64Type, Float64Type, TimeUnit, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use datafusion::arrow::error::ArrowError;
use datafusion::logical_expr::{Expr, ident};
use sha2::{Digest, Sha256};

use crate::EngineError;
use crate::count::each_batch_of;
use crate::eligible::eligible;
use crate::engine::Engine;
use crate::source::Source;

/// The fingerprint of the rows that a policy lets be released.
pub(crate) fn content(
    engine: &Engine,
    source: &Source,
    policy: &Policy,
) -> Result<[u8; 32], EngineError> {
    let words = &policy.input.missing;
    let fields = source.schema.fields().iter();
    let legible = |of: &DataType| !of.is_nested() && can_cast_types(of, &DataType::Utf8View);
    let mut names: Vec<&str> = fields
        .filter(|field| legible(field.data_type()))
        .map(|field| field.name().as_str())
        .collect();
    names.sort_unstable();
    let sums: Vec<Mutex<Sum>> = (0..engine.lanes()).map(|_| Mutex::default()).collect();
    let columns: Vec<Expr> = names.iter().map(|name| ident(*name)).collect();
    let filter = eligible(policy, source)?;
    each_batch_of(engine, source, columns, filter, &|lane, batch| {
        let mut sum = sums[lane].lock().expect("no lane panics");
        Ok(sum.add(&batch, words)?)
    })?;
    let mut total = Sum::default();
    for sum in sums {
        total.merge(&sum.into_inner().expect("no lane panics"));
    }
    let mut digest = Sha256::new();
    for name in names {
        digest.update((name.len() as u64).to_le_bytes());
        digest.update(name.as_bytes());
    }
    digest.update(total.rows.to_le_bytes());
    for limb in total.limbs {
        digest.update(limb.to_le_bytes());
    }
    Ok(digest.finalize().into())
}

/// The sum of the hashes of rows, modulo 2²⁵⁶.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    rows: u64,
    limbs: [u64; 4],
}

impl Sum {
    fn add(&mut self, batch: &RecordBatch, words: &[String]) -> Result<(), ArrowError> {
        let columns = batch
            .columns()
            .iter()
            .map(Cells::of)
            .collect::<Result<Vec<_>, _>>()?;
        let mut row = Vec::new();
        for place in 0..batch.num_rows() {
            row.clear();
            for cells in &columns {
                cells.say(place, words, &mut row);
            }
            let hash = Sha256::digest(&row);
            let limb = |i: usize| {
                let bytes = hash[8 * i..8 * i + 8].try_into();
                u64::from_le_bytes(bytes.expect("a hash has 32 bytes"))
            };
            self.plus([limb(0), limb(1), limb(2), limb(3)]);
            self.rows += 1;
        }
        Ok(())
    }

    fn plus(&mut self, other: [u64; 4]) {
        let mut carry = false;
        for (limb, other) in self.limbs.iter_mut().zip(other) {
            let (sum, first) = limb.overflowing_add(other);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*limb, carry) = (sum, first || second);
        }
    }

    fn merge(&mut self, other: &Sum) {
        self.plus(other.limbs);
        self.rows += other.rows;
    }
}

/// The cells of a column, by what kind of thing they say.
enum Cells {
    Numbers(ArrayRef),
    Texts(ArrayRef),
    /// Moments, and the nanoseconds of one of their units.
    Times(ArrayRef, i128),
}

const MISSING: u8 = 0;
const NUMBER: u8 = 1;
const TIME: u8 = 2;
const TRUTH: u8 = 3;
const TEXT: u8 = 4;

impl Cells {
    fn of(cells: &ArrayRef) -> Result<Self, ArrowError> {
        const SECOND: i128 = 1_000_000_000;
        Ok(match cells.data_type() {
            DataType::Dictionary(_, values) => Cells::of(&cast(cells, values)?)?,
            // A shorter float says its shortest text, which is not the longer one's.
            DataType::Float16 | DataType::Float32 => Cells::texts(cells)?,
            of if of.is_integer() || of.is_floating() => {
                Cells::Numbers(cast(cells, &DataType::Float64)?)
            }
            DataType::Date32 => Cells::Times(cells.clone(), 86_400 * SECOND),
            DataType::Date64 => Cells::Times(cells.clone(), SECOND / 1000),
            DataType::Timestamp(unit, _) => {
                let nanoseconds = match unit {
                    TimeUnit::Second => SECOND,
                    TimeUnit::Millisecond => SECOND / 1000,
                    TimeUnit::Microsecond => 1000,
                    TimeUnit::Nanosecond => 1,
                };
                Cells::Times(cells.clone(), nanoseconds)
            }
            _ => Cells::texts(cells)?,
        })
    }

    fn texts(cells: &ArrayRef) -> Result<Self, ArrowError> {
        Ok(Cells::Texts(cast(cells, &DataType::Utf8View)?))
    }

    /// Writes what a cell says.
    fn say(&self, place: usize, words: &[String], row: &mut Vec<u8>) {
        let (Cells::Numbers(cells) | Cells::Texts(cells) | Cells::Times(cells, _)) = self;
        if cells.is_null(place) {
            return row.push(MISSING);
        }
        match self {
            Cells::Texts(cells) => say_text(cells.as_string_view().value(place), words, row),
            Cells::Numbers(cells) => {
                say_number(cells.as_primitive::<Float64Type>().value(place), row)
            }
            Cells::Times(cells, nanoseconds) => {
                say_time(i128::from(ticks(cells, place)) * nanoseconds, row);
            }
        }
    }
}

/// A moment in its own unit.
fn ticks(cells: &ArrayRef, place: usize) -> i64 {
    match cells.data_type() {
        DataType::Date32 => cells.as_primitive::<Date32Type>().value(place).into(),
        DataType::Date64 => cells.as_primitive::<Date64Type>().value(place),
        DataType::Timestamp(TimeUnit::Second, _) => {
            cells.as_primitive::<TimestampSecondType>().value(place)
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            let cells = cells.as_primitive::<TimestampMillisecondType>();
            cells.value(place)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            let cells = cells.as_primitive::<TimestampMicrosecondType>();
            cells.value(place)
        }
        _ => cells.as_primitive::<TimestampNanosecondType>().value(place),
    }
}

fn say_number(number: f64, row: &mut Vec<u8>) {
    match number {
        number if number.is_nan() => row.push(MISSING),
        number if number.is_infinite() => say_plain(&number.to_string(), row),
        number => {
            row.push(NUMBER);
            // Zero has two signs and says one thing.
            row.extend((number + 0.0).to_le_bytes());
        }
    }
}

fn say_time(nanoseconds: i128, row: &mut Vec<u8>) {
    row.push(TIME);
    row.extend(nanoseconds.to_le_bytes());
}

fn say_plain(text: &str, row: &mut Vec<u8>) {
    row.push(TEXT);
    row.extend((text.len() as u64).to_le_bytes());
    row.extend(text.as_bytes());
}

/// A text says a number, a moment or a truth value where it reads as one, and else itself.
fn say_text(text: &str, words: &[String], row: &mut Vec<u8>) {
    let bare = text.trim_ascii();
    if bare.is_empty() || words.iter().any(|word| word == text) {
        return row.push(MISSING);
    }
    let bytes = bare.as_bytes();
    let is_date =
        bytes.len() >= 10 && bytes[4] == b'-' && bytes[..4].iter().all(u8::is_ascii_digit);
    if is_date && let Ok(moment) = string_to_datetime(&Utc, bare) {
        let whole = i128::from(moment.timestamp()) * 1_000_000_000;
        return say_time(whole + i128::from(moment.timestamp_subsec_nanos()), row);
    }
    if bytes[0].is_ascii_digit() || b"+-.".contains(&bytes[0]) {
        match bare.parse::<f64>() {
            Ok(number) if number.is_finite() => return say_number(number, row),
            _ => {}
        }
    }
    for truth in [true, false] {
        if bare.eq_ignore_ascii_case(if truth { "true" } else { "false" }) {
            return row.extend([TRUTH, u8::from(truth)]);
        }
    }
    say_plain(text, row);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{
        BooleanArray, Date32Array, Float32Array, Float64Array, Int64Array, StringArray,
        TimestampMillisecondArray,
    };

    use super::*;

    fn said(cells: ArrayRef) -> Vec<Vec<u8>> {
        let of = Cells::of(&cells).unwrap();
        let say = |place| {
            let mut row = Vec::new();
            of.say(place, &["?".to_string()], &mut row);
            row
        };
        (0..cells.len()).map(say).collect()
    }

    fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
        said(Arc::new(StringArray::from(texts.to_vec())))
    }

    #[test]
    fn texts_say_what_typed_cells_say() {
        let numbers = said(Arc::new(Float64Array::from(vec![
            Some(30.0),
            Some(-0.5),
            Some(-0.0),
            Some(f64::NAN),
            None,
            Some(f64::INFINITY),
        ])));
        assert_eq!(numbers, texts(&["30", "-.5", "0", "?", "", "inf"]));
        assert_eq!(
            said(Arc::new(Int64Array::from(vec![30, i64::MAX]))),
            texts(&["3e1", "9223372036854775807"])
        );
        assert_eq!(
            said(Arc::new(Float32Array::from(vec![0.1]))),
            texts(&["0.1"])
        );
        assert_eq!(
            said(Arc::new(BooleanArray::from(vec![true, false]))),
            texts(&["True", "FALSE"])
        );
        let day = 19_727; // 2024-01-05
        assert_eq!(
            said(Arc::new(Date32Array::from(vec![day]))),
            texts(&["2024-01-05"])
        );
        let noon = i64::from(day) * 86_400_000 + 43_200_000;
        let times = TimestampMillisecondArray::from(vec![noon]);
        let zoned = times.clone().with_timezone("+01:00");
        assert_eq!(said(Arc::new(times)), texts(&["2024-01-05T12:00:00"]));
        assert_eq!(said(Arc::new(zoned)), texts(&["2024-01-05 13:00:00+01:00"]));
        // What differs says different things.
        let different = texts(&["a", "A", "a ", "1", "2024-01-05", "true", "1-2", ""]);
        let mut once = different.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), different.len());
    }

    #[test]
    fn the_order_of_rows_and_their_batches_say_nothing() {
        let batch = |names: &[&str]| {
            let cells: ArrayRef = Arc::new(StringArray::from(names.to_vec()));
            RecordBatch::try_from_iter([("name", cells)]).unwrap()
        };
        let sum = |batches: &[RecordBatch]| {
            let mut sum = Sum::default();
            for batch in batches {
                sum.add(batch, &[]).unwrap();
            }
            sum
        };
        let whole = sum(&[batch(&["Ann", "Bob", "Eve"])]);
        assert_eq!(whole, sum(&[batch(&["Eve"]), batch(&["Bob", "Ann"])]));
        assert_ne!(whole, sum(&[batch(&["Ann", "Bob", "Bob"])]));
        assert_ne!(whole, sum(&[batch(&["Ann", "Bob"])]));
        let mut merged = sum(&[batch(&["Ann"])]);
        merged.merge(&sum(&[batch(&["Bob", "Eve"])]));
        assert_eq!(whole, merged);
    }

    #[test]
    fn sums_carry() {
        let mut sum = Sum {
            rows: 0,
            limbs: [u64::MAX, u64::MAX, 0, 7],
        };
        sum.plus([1, 0, 0, u64::MAX]);
        assert_eq!(sum.limbs, [0, 0, 1, 6]);
    }
}
