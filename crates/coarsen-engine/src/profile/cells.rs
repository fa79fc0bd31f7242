//! One column as it streams by: every cell counted, every new one looked at.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Date32Type, Float64Type, Int64Type};

use super::facts::Facts;
use super::sample::{Sample, hash_of, mixed};

/// The cells that stand for a missing value in many files. Those that a file has go into its policy.
pub(super) const MISSING_WORDS: [&str; 11] = [
    "", "?", "NA", "N/A", "n/a", "NULL", "null", "NaN", "nan", "#N/A", "<NA>",
];

/// What all missing cells hash to.
const MISSING: u64 = 0x6d69_7373_696e_6700;

/// A cell of a column of a key type (see [`crate::raw::key_type`]).
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<'a> {
    Missing,
    /// Missing by a word, by its place in [`MISSING_WORDS`].
    Word(usize),
    Text(&'a str),
    Integer(i64),
    Decimal(f64),
    /// Days since 1970.
    Day(i32),
    Truth(bool),
}

impl Cell<'_> {
    fn hash(self) -> u64 {
        match self {
            Cell::Missing | Cell::Word(_) => MISSING,
            Cell::Text(text) => hash_of(text.as_bytes()),
            Cell::Integer(number) => mixed(number as u64),
            // -0 and 0 are one number.
            Cell::Decimal(number) => mixed((number + 0.0).to_bits()),
            Cell::Day(day) => mixed(day as u64),
            Cell::Truth(truth) => mixed(u64::from(truth)),
        }
    }
}

/// Hands out the cells of a batch's column in turn.
pub(super) fn each_cell(array: &ArrayRef, mut take: impl FnMut(Cell<'_>)) {
    match array.data_type() {
        DataType::Int64 => array
            .as_primitive::<Int64Type>()
            .iter()
            .for_each(|cell| take(cell.map_or(Cell::Missing, Cell::Integer))),
        DataType::Float64 => array.as_primitive::<Float64Type>().iter().for_each(|cell| {
            take(
                cell.filter(|number| !number.is_nan())
                    .map_or(Cell::Missing, Cell::Decimal),
            )
        }),
        DataType::Date32 => array
            .as_primitive::<Date32Type>()
            .iter()
            .for_each(|cell| take(cell.map_or(Cell::Missing, Cell::Day))),
        DataType::Boolean => array
            .as_boolean()
            .iter()
            .for_each(|cell| take(cell.map_or(Cell::Missing, Cell::Truth))),
        _ => array.as_string_view().iter().for_each(|cell| {
            take(match cell {
                None => Cell::Missing,
                Some(text) => match missing_word(text) {
                    Some(word) => Cell::Word(word),
                    None => Cell::Text(text),
                },
            })
        }),
    }
}

fn missing_word(text: &str) -> Option<usize> {
    if text.len() > 4 {
        return None;
    }
    MISSING_WORDS.iter().position(|word| *word == text)
}

/// The hashes of the cells of a batch's column.
pub(super) fn hashes(array: &ArrayRef) -> Vec<u64> {
    let mut hashes = Vec::with_capacity(array.len());
    each_cell(array, |cell| hashes.push(cell.hash()));
    hashes
}

/// What is counted of one column.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub sample: Sample,
    pub facts: Facts,
    /// Missing cells, of whatever word.
    pub missing: u64,
    /// Missing cells by word.
    pub words: [u64; MISSING_WORDS.len()],
    /// Bytes of all text cells together.
    pub bytes: u64,
}

impl Tally {
    pub fn new(limit: usize) -> Self {
        Tally {
            sample: Sample::new(limit),
            facts: Facts::default(),
            missing: 0,
            words: [0; MISSING_WORDS.len()],
            bytes: 0,
        }
    }

    /// Takes in a batch's cells. A cell that was there before has nothing new to tell.
    pub fn extend(&mut self, array: &ArrayRef) {
        each_cell(array, |cell| {
            match cell {
                Cell::Missing => self.missing += 1,
                Cell::Word(word) => {
                    self.missing += 1;
                    self.words[word] += 1;
                }
                present => {
                    if let Cell::Text(text) = present {
                        self.bytes += text.len() as u64;
                    }
                    if !self.sample.add(present.hash()) {
                        self.facts.take(present);
                    }
                }
            };
        });
    }

    /// Missing cells without a word.
    pub fn nulls(&self) -> u64 {
        self.missing - self.words.iter().sum::<u64>()
    }

    /// Takes in what was counted in another part of the file.
    pub fn merge(&mut self, other: Tally) {
        self.sample.merge(other.sample);
        self.facts.merge(other.facts);
        self.missing += other.missing;
        self.bytes += other.bytes;
        for (here, there) in self.words.iter_mut().zip(other.words) {
            *here += there;
        }
    }
}
