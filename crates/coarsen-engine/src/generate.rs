//! Tables of our own making, written to a file of any length in bounded memory: parts are made and
//! encoded on all threads while the parts before them are written, always in their order, so that the
//! same seed gives the same bytes on any machine.

use std::fs::File;
use std::io::{BufWriter, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use coarsen::policy::Format;
use coarsen::synthetic::{Agrawal, AgrawalColumns, clinic_csv};
use datafusion::arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::csv::{ReaderBuilder, WriterBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::ipc::writer::FileWriter;
use datafusion::arrow::json::LineDelimitedWriter;
use datafusion::error::DataFusionError;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::properties::WriterProperties;
use datafusion::parquet::schema::types::ColumnPath;
use rayon::prelude::*;

use crate::EngineError;
use crate::engine::Engine;
use crate::place::fresh;
use crate::source::{Compression as Packing, format_of};

/// Rows that are made at once. Part of no promise but the layout of Parquet and Arrow files.
const PART: u64 = 65_536;

/// Rows of a Parquet row group: all of them are in memory until it is written.
const ROW_GROUP: usize = 8 * PART as usize;

/// Someone who is told how many rows are written.
pub type RowListener<'a> = &'a (dyn Fn(u64) + Sync);

/// Writes the first `rows` rows of Agrawal's table.
///
/// Amounts of money are in whole cents and written in their shortest form with a decimal point:
/// `20345.1`, `0.0`.
///
/// # Errors
/// Settings that make no sense are the caller's to check, with [`Agrawal::new`].
pub fn generate_agrawal(
    engine: &Engine,
    table: &Agrawal,
    rows: u64,
    output: &Path,
    force: bool,
    told: RowListener<'_>,
) -> Result<PathBuf, EngineError> {
    let format = written_format(output)?;
    let staged = fresh(output, force)?;
    let names = table.column_names();
    let schema = agrawal_schema(&names);
    let mut sink = Sink::open(staged.path(), format, delimiter(output), &schema)?;
    let make = |first: u64| {
        let mut here = table.clone();
        here.skip_rows(first);
        let mut columns = AgrawalColumns::default();
        here.next_rows(PART.min(rows - first) as usize, &mut columns);
        batch_of(columns, &schema)
    };
    let encoder = sink.encoder();
    let cancel = engine.cancel_flag();
    engine.install(|| {
        let wave = PART * 2 * rayon::current_num_threads() as u64;
        let mut waiting: Vec<Part> = Vec::new();
        let mut first = 0;
        while first < rows || !waiting.is_empty() {
            if cancel.load(Ordering::Relaxed) {
                return Err(EngineError::Cancelled);
            }
            let end = rows.min(first + wave);
            let starts: Vec<u64> = (first..end).step_by(PART as usize).collect();
            let (written, made) = rayon::join(
                || waiting.drain(..).try_for_each(|part| sink.write(part)),
                || -> Result<Vec<Part>, EngineError> {
                    let made = starts.par_iter().map(|start| encoder.part(make(*start)?));
                    made.collect()
                },
            );
            written?;
            told(first);
            waiting = made?;
            first = end;
        }
        sink.finish()
    })?;
    staged.publish()
}

/// Writes the first `rows` patients of the invented clinic.
pub fn generate_clinic(
    seed: u64,
    rows: usize,
    output: &Path,
    force: bool,
) -> Result<PathBuf, EngineError> {
    let format = written_format(output)?;
    let staged = fresh(output, force)?;
    let text = clinic_csv(seed, rows);
    if format == Format::Csv {
        // No cell holds a comma or a tab, so that one stands for the other.
        let text = match delimiter(output) {
            b'\t' => text.replace(',', "\t"),
            _ => text,
        };
        staged.write_text(&text)?;
        return staged.publish();
    }
    let schema: SchemaRef = Arc::new(Schema::new(
        coarsen::synthetic::clinic::COLUMNS
            .iter()
            .map(|name| {
                let of = match *name {
                    "birth_date" => DataType::Date32,
                    "length_of_stay" => DataType::Int64,
                    _ => DataType::Utf8,
                };
                Field::new(*name, of, true)
            })
            .collect::<Vec<_>>(),
    ));
    let mut sink = Sink::open(staged.path(), format, b',', &schema)?;
    let encoder = sink.encoder();
    let reader = ReaderBuilder::new(schema)
        .with_header(true)
        .with_batch_size(PART as usize)
        .build(Cursor::new(text))?;
    for batch in reader {
        sink.write(encoder.part(batch?)?)?;
    }
    sink.finish()?;
    staged.publish()
}

pub(crate) fn written_format(output: &Path) -> Result<Format, EngineError> {
    let is_packed = Packing::of_name(output) != Packing::None;
    let format = format_of(output).filter(|format| *format != Format::Arff && !is_packed);
    format.ok_or_else(|| {
        EngineError::input(
            output,
            "its ending does not tell a format that tables are made in",
            "end it in .csv, .parquet, .jsonl or .arrow",
        )
    })
}

pub(crate) fn delimiter(output: &Path) -> u8 {
    let is_tsv = output
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("tsv"));
    if is_tsv { b'\t' } else { b',' }
}

/// The columns that hold money.
const MONEY: [&str; 4] = ["salary", "commission", "hvalue", "loan"];

fn agrawal_schema(names: &[String]) -> SchemaRef {
    let field = |name: &String| {
        let of = match name.as_str() {
            money if MONEY.contains(&money) => DataType::Float64,
            group if group.starts_with("group") => DataType::Utf8,
            _ => DataType::Int64,
        };
        Field::new(name, of, false)
    };
    Arc::new(Schema::new(names.iter().map(field).collect::<Vec<_>>()))
}

fn batch_of(columns: AgrawalColumns, schema: &SchemaRef) -> Result<RecordBatch, EngineError> {
    let whole = |values: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(values)) };
    let money = |values: Vec<f64>| -> ArrayRef { Arc::new(Float64Array::from(values)) };
    let mut arrays = vec![
        money(columns.salary),
        money(columns.commission),
        whole(columns.age),
        whole(columns.elevel),
        whole(columns.car),
        whole(columns.zipcode),
        money(columns.hvalue),
        whole(columns.hyears),
        money(columns.loan),
    ];
    for labels in columns.labels {
        let names = labels.into_iter().map(Agrawal::group_name);
        arrays.push(Arc::new(StringArray::from_iter_values(names)));
    }
    Ok(RecordBatch::try_new(schema.clone(), arrays)?)
}

/// Rows on their way to the file.
pub(crate) enum Part {
    /// As they will stand in it.
    Text(Vec<u8>),
    /// To be put in with those around them.
    Batch(RecordBatch),
}

/// What can be done to a part before its turn.
#[derive(Clone, Copy)]
pub(crate) enum Encoder {
    Csv(u8),
    Json,
    Later,
}

impl Encoder {
    pub fn part(self, batch: RecordBatch) -> Result<Part, EngineError> {
        let mut text = Vec::new();
        match self {
            Encoder::Later => return Ok(Part::Batch(batch)),
            Encoder::Csv(delimiter) => {
                let mut writer = WriterBuilder::new()
                    .with_header(false)
                    .with_delimiter(delimiter)
                    .build(&mut text);
                writer.write(&batch)?;
            }
            Encoder::Json => {
                let mut writer = LineDelimitedWriter::new(&mut text);
                writer.write(&batch)?;
                writer.finish()?;
            }
        }
        Ok(Part::Text(text))
    }
}

/// A file that takes parts in their order.
pub(crate) enum Sink {
    Text(PathBuf, File, Encoder),
    Parquet(PathBuf, Box<ArrowWriter<File>>),
    Arrow(Box<FileWriter<BufWriter<File>>>),
}

impl Sink {
    pub fn open(
        path: &Path,
        format: Format,
        delimiter: u8,
        schema: &SchemaRef,
    ) -> Result<Sink, EngineError> {
        let failed = |error| EngineError::io(path, error);
        let mut file = File::create(path).map_err(failed)?;
        Ok(match format {
            Format::Csv | Format::Arff => {
                let names: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
                let separator = char::from(delimiter).to_string();
                writeln!(file, "{}", names.join(&separator)).map_err(failed)?;
                Sink::Text(path.to_path_buf(), file, Encoder::Csv(delimiter))
            }
            Format::Jsonl => Sink::Text(path.to_path_buf(), file, Encoder::Json),
            Format::Parquet => {
                let mut properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_max_row_group_row_count(Some(ROW_GROUP));
                for name in MONEY {
                    // Hardly an amount comes twice: a dictionary of them is given up in the end.
                    let column = ColumnPath::from(name);
                    properties = properties.set_column_dictionary_enabled(column, false);
                }
                let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties.build()));
                Sink::Parquet(
                    path.to_path_buf(),
                    Box::new(writer.map_err(|error| parquet(path, error))?),
                )
            }
            Format::Arrow => Sink::Arrow(Box::new(FileWriter::try_new_buffered(file, schema)?)),
        })
    }

    pub fn encoder(&self) -> Encoder {
        match self {
            Sink::Text(_, _, encoder) => *encoder,
            _ => Encoder::Later,
        }
    }

    pub fn write(&mut self, part: Part) -> Result<(), EngineError> {
        match (self, part) {
            (Sink::Text(path, file, _), Part::Text(text)) => file
                .write_all(&text)
                .map_err(|error| EngineError::io(path, error)),
            (Sink::Parquet(path, writer), Part::Batch(batch)) => {
                writer.write(&batch).map_err(|error| parquet(path, error))
            }
            (Sink::Arrow(writer), Part::Batch(batch)) => Ok(writer.write(&batch)?),
            _ => unreachable!("parts are made by the sink's own encoder"),
        }
    }

    pub fn finish(self) -> Result<(), EngineError> {
        match self {
            Sink::Text(..) => Ok(()),
            Sink::Parquet(path, writer) => {
                writer.close().map_err(|error| parquet(&path, error))?;
                Ok(())
            }
            Sink::Arrow(mut writer) => Ok(writer.finish()?),
        }
    }
}

/// A failure to write is the file system's, where Parquet only passes it on.
fn parquet(path: &Path, error: ParquetError) -> EngineError {
    match error {
        ParquetError::External(inner) if inner.is::<std::io::Error>() => {
            let inner = inner.downcast::<std::io::Error>().expect("just asked");
            EngineError::io(path, *inner)
        }
        other => DataFusionError::ParquetError(Box::new(other)).into(),
    }
}
