//! A first look at a file nobody has described yet: what its columns hold, how far each gives people
//! away, and a policy to start from.
//!
//! ```text
//! source ──► Profile ──► Suggestions ──► draft (the policy's text)
//!           (one pass)   (names, facts)
//! ```
//! One pass over the rows, in memory that does not grow with them: values are counted exactly up to a
//! quarter of a million a column and told closely beyond (`sample`). No cell is kept: only
//! counts, lengths, ranges and kinds of characters.

mod cells;
mod draft;
mod facts;
mod hierarchies;
mod hints;
mod sample;
mod scan;
mod suggest;
mod together;
mod toml;

use coarsen::domain::Kind;
use coarsen::policy::Format;
use datafusion::arrow::datatypes::{DataType, Field};
use serde::Serialize;
use serde_json::json;

use crate::EngineError;
use crate::engine::Engine;
use crate::source::Source;
use cells::{MISSING_WORDS, Tally};
use scan::fold;

pub use draft::{Draft, draft, facts as column_facts};
pub use suggest::{Suggestion, suggest, suggest_as};
pub use together::{Together, together};

/// How many values all columns together may hold in memory; each has its share.
const VALUES: usize = 1 << 24;
/// The largest share.
const VALUES_OF_COLUMN: usize = 1 << 18;
/// The smallest: enough to tell a number of values to within a few percent.
const VALUES_AT_LEAST: usize = 1 << 12;

/// What a file holds, column by column.
#[derive(Clone, Debug, Serialize)]
pub struct Profile {
    /// Its rows.
    pub rows: u64,
    /// The words that stand for a missing value in it, and how many cells hold each.
    pub missing_words: Vec<(String, u64)>,
    /// Its columns, in their order.
    pub columns: Vec<ColumnProfile>,
}

/// What one column holds.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// How its dates are written, where that is not ISO 8601.
    pub format: Option<&'static str>,
    /// Another way that its dates can be read by, with day and month the other way round.
    pub rival_format: Option<&'static str>,
    /// How its values look.
    pub shape: Shape,
    /// Its distinct values, missing ones not counted.
    pub distinct: u64,
    /// Rows whose value no other row has.
    pub unique_rows: u64,
    /// Whether the two figures are exact; past a quarter of a million values they are close.
    pub exact: bool,
    /// Rows without a value.
    pub missing: u64,
    /// The characters of the shortest and the longest value, where it is text.
    pub lengths: Option<(usize, usize)>,
    /// Least and greatest number, which are cells and stay in here.
    #[serde(skip)]
    pub(crate) range: Option<(f64, f64)>,
    /// Least and greatest year of its dates.
    #[serde(skip)]
    pub(crate) years: Option<(i32, i32)>,
    /// Whether many codes begin alike.
    #[serde(skip)]
    pub(crate) shares_prefix: bool,
}

/// How the values of a column look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Lists or records or bytes, which are not looked into.
    Nested,
    /// No value at all.
    Empty,
    /// Numbers, dates or truths by their type.
    Typed,
    /// Digits only.
    Digits,
    /// Letters and digits, as in codes.
    Code,
    /// Mail addresses.
    Mail,
    /// Long texts.
    Prose,
    /// Words.
    Words,
}

/// A profile with what it suggests, as `init --json` prints it.
pub fn profile_json(
    profile: &Profile,
    suggestions: &[Suggestion],
    together: &Together,
) -> serde_json::Value {
    let column = |(column, suggestion): (&ColumnProfile, &Suggestion)| {
        let mut entry = serde_json::to_value(column).expect("a profile is plain data");
        if let Some(entry) = entry.as_object_mut() {
            let role = suggestion.column.role;
            entry.insert("role".into(), json!(role));
            entry.insert("why".into(), json!(suggestion.why));
            entry.insert("sure".into(), json!(suggestion.sure));
            entry.insert("notes".into(), json!(suggestion.notes));
            entry.insert("suggestion".into(), json!(suggestion.column));
        }
        entry
    };
    let columns: Vec<_> = profile
        .columns
        .iter()
        .zip(suggestions)
        .map(column)
        .collect();
    let missing: Vec<_> = profile
        .missing_words
        .iter()
        .map(|(word, cells)| json!({ "word": word, "cells": cells }))
        .collect();
    json!({
        "rows": profile.rows,
        "missing_words": missing,
        "columns": columns,
        "together": together,
    })
}

/// Whether the engine can compare a column's cells at all.
fn is_nested(kind: &DataType) -> bool {
    kind.is_nested()
        || matches!(
            kind,
            DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView
                | DataType::FixedSizeBinary(_)
        )
}

/// Looks at every column of a file.
pub fn profile(engine: &Engine, source: &Source) -> Result<Profile, EngineError> {
    let fields: Vec<&Field> = source.schema.fields().iter().map(|f| f.as_ref()).collect();
    let looked_at: Vec<&Field> = fields
        .iter()
        .copied()
        .filter(|field| !is_nested(field.data_type()))
        .collect();
    let limit = (VALUES / looked_at.len().max(1)).clamp(VALUES_AT_LEAST, VALUES_OF_COLUMN);
    // A row count even where no column can be looked at.
    let start = (0u64, vec![Tally::new(limit); looked_at.len()]);
    let (rows, tallies) = fold(
        engine,
        source,
        &looked_at,
        start,
        |(rows, tallies), batch| {
            *rows += batch.num_rows() as u64;
            for (tally, array) in tallies.iter_mut().zip(batch.columns()) {
                tally.extend(array);
            }
        },
        |(rows, tallies), (more, others)| {
            *rows += more;
            for (tally, other) in tallies.iter_mut().zip(others) {
                tally.merge(other);
            }
        },
    )?;
    if rows == 0 {
        return Err(EngineError::input(
            &source.path,
            "it has no rows",
            "a table needs at least one row below the column names",
        ));
    }
    let missing_words = MISSING_WORDS
        .iter()
        .enumerate()
        .map(|(place, word)| {
            let mut cells: u64 = tallies.iter().map(|tally| tally.words[place]).sum();
            // What the engine reads as null from a text file was an empty cell.
            if word.is_empty() && source.format() == Some(Format::Csv) {
                cells += tallies.iter().map(Tally::nulls).sum::<u64>();
            }
            (word.to_string(), cells)
        })
        .filter(|(_, cells)| *cells > 0)
        .collect();
    let mut tallies = tallies.into_iter();
    let columns = fields
        .into_iter()
        .map(|field| match is_nested(field.data_type()) {
            true => nested(field.name(), rows),
            false => {
                let tally = tallies
                    .next()
                    .expect("every column that is not nested was tallied");
                described(field.name(), tally, rows)
            }
        })
        .collect();
    Ok(Profile {
        rows,
        missing_words,
        columns,
    })
}

fn described(name: &str, tally: Tally, rows: u64) -> ColumnProfile {
    let facts = &tally.facts;
    let (kind, format, rival_format) = facts.kind();
    let present = rows - tally.missing;
    let mean_length = tally.bytes as f64 / present.max(1) as f64;
    let shape = match kind {
        _ if present == 0 => Shape::Empty,
        _ if facts.lengths.is_none() || matches!(kind, Kind::Date | Kind::Boolean) => Shape::Typed,
        _ if facts.at => Shape::Mail,
        _ if facts.digits => Shape::Digits,
        Kind::Integer | Kind::Decimal => Shape::Typed,
        _ if mean_length > PROSE => Shape::Prose,
        _ if facts.code => Shape::Code,
        _ => Shape::Words,
    };
    let distinct = tally.sample.distinct().min(present);
    ColumnProfile {
        name: name.to_string(),
        kind,
        format,
        rival_format,
        shape,
        distinct,
        unique_rows: tally.sample.uniques().min(present),
        exact: tally.sample.is_exact(),
        missing: tally.missing,
        lengths: facts.lengths,
        range: facts.range,
        years: facts.years,
        shares_prefix: facts.code && facts.prefixes() * 2 <= distinct,
    }
}

/// Texts longer than this on average are taken for prose.
const PROSE: f64 = 40.0;

fn nested(name: &str, rows: u64) -> ColumnProfile {
    ColumnProfile {
        name: name.to_string(),
        kind: Kind::Text,
        format: None,
        rival_format: None,
        shape: Shape::Nested,
        distinct: rows,
        unique_rows: rows,
        exact: false,
        missing: 0,
        lengths: None,
        range: None,
        years: None,
        shares_prefix: false,
    }
}
