//! Columns together: how many rows stand alone by the suggested quasi-identifiers, and which of these
//! say the same.

use datafusion::arrow::datatypes::Field;
use serde::Serialize;

use super::cells::hashes;
use super::sample::{Sample, mixed};
use super::scan::fold;
use super::{ColumnProfile, Profile};
use crate::EngineError;
use crate::engine::Engine;
use crate::source::Source;

/// How many combinations are told apart exactly.
const COMBINATIONS: usize = 1 << 20;
/// Columns of more values than this are not held against each other.
const TWIN_VALUES: u64 = 1 << 12;
/// How many pairs of columns are held against each other.
const PAIRS: usize = 64;

/// How exposed rows are by several columns together.
#[derive(Clone, Debug, Serialize)]
pub struct Together {
    /// The columns.
    pub columns: Vec<String>,
    /// Their distinct combinations.
    pub combinations: u64,
    /// Rows whose combination no other row has.
    pub unique_rows: u64,
    /// Whether the two figures are exact; past a million combinations they are close.
    pub exact: bool,
    /// Pairs of columns that say the same, value for value.
    pub twins: Vec<(String, String)>,
}

#[derive(Clone)]
struct Part {
    sample: Sample,
    pairs: Vec<(usize, usize, Sample)>,
}

/// How many rows are unique by some columns of a profile together. Missing values are alike whatever
/// their word.
pub fn together(
    engine: &Engine,
    source: &Source,
    profile: &Profile,
    columns: &[String],
) -> Result<Together, EngineError> {
    let chosen: Vec<(&ColumnProfile, &Field)> = profile
        .columns
        .iter()
        .zip(source.schema.fields())
        .filter(|(column, _)| columns.contains(&column.name))
        .map(|(column, field)| (column, field.as_ref()))
        .collect();
    let fields: Vec<&Field> = chosen.iter().map(|(_, field)| *field).collect();
    let pairs = likely_twins(&chosen);
    let start = Part {
        sample: Sample::new(COMBINATIONS),
        pairs,
    };
    let whole = fold(
        engine,
        source,
        &fields,
        start,
        |part: &mut Part, batch| {
            let cells: Vec<Vec<u64>> = batch.columns().iter().map(hashes).collect();
            for row in 0..batch.num_rows() {
                let of_row = cells
                    .iter()
                    .fold(0, |hash, column| joined(hash, column[row]));
                part.sample.add(of_row);
            }
            for (one, other, sample) in &mut part.pairs {
                for (one, other) in cells[*one].iter().zip(&cells[*other]) {
                    sample.add(joined(*one, *other));
                }
            }
        },
        |part, more| {
            part.sample.merge(more.sample);
            for ((_, _, sample), (_, _, more)) in part.pairs.iter_mut().zip(more.pairs) {
                sample.merge(more);
            }
        },
    )?;
    let is_twin = |pair: &&(usize, usize, Sample)| {
        pair.2.is_exact() && pair.2.distinct() == values(chosen[pair.0].0)
    };
    let name = |place: usize| chosen[place].0.name.clone();
    Ok(Together {
        columns: columns.to_vec(),
        combinations: whole.sample.distinct(),
        unique_rows: whole.sample.uniques(),
        exact: whole.sample.is_exact(),
        twins: whole
            .pairs
            .iter()
            .filter(is_twin)
            .map(|(one, other, _)| (name(*one), name(*other)))
            .collect(),
    })
}

/// The hash of a row so far and one more cell.
fn joined(hash: u64, cell: u64) -> u64 {
    mixed(hash.rotate_left(5) ^ cell)
}

/// Distinct values with the missing one.
fn values(column: &ColumnProfile) -> u64 {
    column.distinct + u64::from(column.missing > 0)
}

/// Pairs of columns with equally many values, few enough to look at. Two values may well pair off by
/// chance, so they do not count.
fn likely_twins(columns: &[(&ColumnProfile, &Field)]) -> Vec<(usize, usize, Sample)> {
    let mut pairs = Vec::new();
    for (place, (one, _)) in columns.iter().enumerate() {
        for (other_place, (other, _)) in columns.iter().enumerate().skip(place + 1) {
            let alike = (one.distinct, one.missing) == (other.distinct, other.missing);
            if alike && one.exact && (3..=TWIN_VALUES).contains(&one.distinct) {
                // One more than the values, so that a pair that is none overflows soon.
                pairs.push((place, other_place, Sample::new(values(one) as usize + 1)));
            }
        }
    }
    pairs.truncate(PAIRS);
    pairs
}
