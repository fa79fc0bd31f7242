//! A table made larger by a scale and a novelty factor (seed 003, section 6.2), from the input of a
//! policy: its quasi-identifiers vary over the leaves of their hierarchies, its target and sensitive
//! columns are kept, all others are left out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use coarsen::domain::{Code, Domain, Kind, Value};
use coarsen::policy::{Key, Policy, PolicyError};
use coarsen::synthetic::{EnlargeError, EnlargeSettings, enlarge};
use datafusion::arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::EngineError;
use crate::database::located;
use crate::engine::Engine;
use crate::generate::{Sink, delimiter, written_format};
use crate::place::fresh;
use crate::source::{Source, SourceSettings};
use crate::table::{Domains, Table};

/// Rows that are made at once.
const PART: usize = 65_536;

/// What was made.
#[derive(Clone, Debug)]
pub struct Enlarged {
    /// The file.
    pub output: PathBuf,
    /// Its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: u64,
    /// Its distinct rows.
    pub distinct: u64,
}

/// Enlarges the input of a policy. Rows stand in the order of their values.
pub fn generate_enlarged(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
    settings: &EnlargeSettings,
    output: &Path,
    force: bool,
) -> Result<Enlarged, EngineError> {
    let format = written_format(output)?;
    let path = located(folder, &policy.input.path);
    let source = Source::open(engine, &path, &SourceSettings::from(&policy.input))?;
    let staged = fresh(output, force)?;
    let table = Table::count(engine, source, policy, folder, Domains::OfPolicy)?;
    let tallied = table.counts.tallies().iter().map(|tally| tally.column());
    let columns: Vec<(&str, &Domain)> = table
        .attributes
        .iter()
        .map(|attribute| (attribute.name.as_str(), &attribute.domain))
        .chain(tallied.map(|column| (column.name.as_str(), &column.domain)))
        .collect();
    let (codes, rows) = table.coded_rows();
    let sizes: Vec<u32> = table
        .attributes
        .iter()
        .map(|a| a.domain.size() as u32)
        .collect();
    let (codes, counts) = enlarge(&codes, &rows, columns.len(), &sizes, settings).map_err(blame)?;

    let schema = schema_of(&columns);
    let mut sink = Sink::open(staged.path(), format, delimiter(output), &schema)?;
    let encoder = sink.encoder();
    let cancel = engine.cancel_flag();
    let mut waiting: Vec<u32> = Vec::with_capacity(PART);
    let distinct = counts.len();
    for (row, count) in counts.iter().enumerate() {
        for _ in 0..*count {
            waiting.push(row as u32);
            if waiting.len() == PART {
                sink.write(encoder.part(batch(&columns, &codes, &waiting, &schema)?)?)?;
                waiting.clear();
                if cancel.load(Ordering::Relaxed) {
                    return Err(EngineError::Cancelled);
                }
            }
        }
    }
    if !waiting.is_empty() {
        sink.write(encoder.part(batch(&columns, &codes, &waiting, &schema)?)?)?;
    }
    sink.finish()?;
    Ok(Enlarged {
        columns: columns.iter().map(|(name, _)| name.to_string()).collect(),
        rows: counts.iter().sum(),
        distinct: distinct as u64,
        output: staged.publish()?,
    })
}

fn blame(error: EnlargeError) -> EngineError {
    let help = match &error {
        EnlargeError::Scale => "Write --scale 30 for a table of thirty times the rows.",
        EnlargeError::Novelty { .. } => {
            "Draw anew in at most as many columns as are quasi-identifiers."
        }
        _ => "Every quasi-identifier needs a value.",
    };
    PolicyError::new(
        &Key::of(["columns"]),
        format!("The table cannot be enlarged: {error}."),
    )
    .with_help(help)
    .into()
}

fn schema_of(columns: &[(&str, &Domain)]) -> SchemaRef {
    let field = |(name, domain): &(&str, &Domain)| {
        let of = match domain.kind() {
            Kind::Integer => DataType::Int64,
            Kind::Decimal => DataType::Float64,
            _ => DataType::Utf8,
        };
        Field::new(*name, of, true)
    };
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

fn batch(
    columns: &[(&str, &Domain)],
    codes: &[u32],
    rows: &[u32],
    schema: &SchemaRef,
) -> Result<RecordBatch, EngineError> {
    let width = columns.len();
    let array = |(place, (_, domain)): (usize, &(&str, &Domain))| -> ArrayRef {
        let value = |row: &u32| domain.low(codes[*row as usize * width + place] as Code);
        let values = rows.iter().map(value);
        match domain.kind() {
            Kind::Integer => Arc::new(Int64Array::from_iter(values.map(|value| match value {
                Some(Value::Integer(number)) => Some(*number),
                _ => None,
            }))),
            Kind::Decimal => Arc::new(Float64Array::from_iter(
                values.map(|value| value.and_then(Value::number)),
            )),
            _ => Arc::new(StringArray::from_iter(
                values.map(|value| value.map(|value| domain.write(value))),
            )),
        }
    };
    let arrays = columns.iter().enumerate().map(array).collect();
    Ok(RecordBatch::try_new(schema.clone(), arrays)?)
}
