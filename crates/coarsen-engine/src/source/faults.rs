//! What is wrong with a file, found a second time with care so that the message can name the line.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use coarsen::policy::Format;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::ipc::reader::FileReader;
use datafusion::error::DataFusionError;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::{Compression, Source};
use crate::EngineError;

/// Column names must be there, once each.
pub(super) fn check_names(source: &Source) -> Result<(), EngineError> {
    let mut seen = HashSet::new();
    for (place, name) in source.names().enumerate() {
        let message = if name.is_empty() {
            format!("column {} has no name", place + 1)
        } else if !seen.insert(name) {
            format!(
                "column `{name}` stands there twice (the second time as column {})",
                place + 1
            )
        } else {
            continue;
        };
        return Err(EngineError::input(
            &source.path,
            message,
            "give every column a name of its own in the first line (or set input.header = false where there is none)",
        ));
    }
    Ok(())
}

/// A failure of the engine in words of the file: of the one at fault, where there are several.
pub(super) fn explain(source: &Source, error: &DataFusionError) -> EngineError {
    if let Some(error) = damaged(source) {
        return error;
    }
    let found = |file: &PathBuf| match source.format() {
        Some(Format::Csv) => first_bad_line(source, file),
        Some(Format::Jsonl) => first_bad_object(source, file),
        Some(Format::Parquet | Format::Arrow | Format::Arff) | None => None,
    };
    if let Some(error) = source.files().iter().find_map(found) {
        return error;
    }
    let at_fault = source
        .files()
        .iter()
        .filter(|_| source.files().len() > 1)
        .find(|file| !can_be_read(source, file));
    let path = at_fault.unwrap_or(&source.path);
    let what = match source.format() {
        Some(Format::Csv) => "CSV",
        Some(Format::Parquet) => "Parquet",
        Some(Format::Jsonl) => "JSON lines",
        Some(Format::Arrow) => "Arrow IPC",
        Some(Format::Arff) => "ARFF",
        None => {
            return EngineError::input(
                &source.path,
                "a cell cannot be taken as a text, a whole number of 64 bits, a number, a date or a truth value",
                "convert its column first",
            );
        }
    };
    // What the engine says of a cell quotes it, and no message of ours may; what it says of a file's
    // structure does not.
    let why = match error.find_root() {
        DataFusionError::ParquetError(error) => format!(": {error}"),
        DataFusionError::ArrowError(error, _) => match &**error {
            ArrowError::ParquetError(why) | ArrowError::IpcError(why) => format!(": {why}"),
            _ => String::new(),
        },
        _ => String::new(),
    };
    EngineError::input(
        path,
        format!("it cannot be read as {what}{why}"),
        "check the file, or set input.format to what it is",
    )
}

/// The first packed file that cannot be unpacked.
pub(super) fn damaged(source: &Source) -> Option<EngineError> {
    let compression = source.compression();
    if compression == Compression::None {
        return None;
    }
    source.files().iter().find_map(|file| {
        let unpacked = compression.open(file).map(|mut packed| {
            std::io::copy(&mut packed, &mut std::io::sink())
                .map_err(|error| compression.blame(file, error))
        });
        unpacked.and_then(|unpacked| unpacked).err()
    })
}

/// Whether a Parquet or Arrow file can be read to its end.
fn can_be_read(source: &Source, file: &Path) -> bool {
    let Ok(open) = File::open(file) else {
        return false;
    };
    match source.format() {
        Some(Format::Parquet) => ParquetRecordBatchReaderBuilder::try_new(open)
            .and_then(|builder| builder.build())
            .is_ok_and(|mut batches| batches.all(|batch| batch.is_ok())),
        Some(Format::Arrow) => FileReader::try_new(BufReader::new(open), None)
            .is_ok_and(|mut batches| batches.all(|batch| batch.is_ok())),
        _ => true,
    }
}

/// The first line of a JSON lines file that is not an object, or one whose value is of another shape
/// than before.
fn first_bad_object(source: &Source, file: &Path) -> Option<EngineError> {
    let at = |line: usize, message: &str| {
        Some(EngineError::input(
            file,
            format!("line {line} {message}"),
            "JSON lines are one object a line, such as {\"age\": 30, \"sex\": \"F\"}, and every value a text, a number, true, false or null",
        ))
    };
    let lines = BufReader::new(source.compression().open(file).ok()?).split(b'\n');
    for (line, text) in lines.enumerate().map(|(place, text)| (place + 1, text)) {
        let text = text.ok()?;
        if text.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(&text) {
            Err(_) => return at(line, "is not valid JSON"),
            Ok(serde_json::Value::Object(row)) => {
                if let Some((name, _)) = row.iter().find(|(_, v)| v.is_array() || v.is_object()) {
                    let message = format!("holds a list or an object in `{name}`");
                    return at(line, &message);
                }
            }
            Ok(_) => return at(line, "is not a JSON object"),
        }
    }
    None
}

/// The first line of a CSV file with too many or too few cells, or with bytes that are no text.
fn first_bad_line(source: &Source, file: &Path) -> Option<EngineError> {
    let dialect = source.dialect()?;
    let text = BufReader::new(source.compression().open(file).ok()?);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(dialect.delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text);
    let expected = source.schema.fields().len();
    let mut record = csv::ByteRecord::new();
    loop {
        let line = reader.position().line();
        match reader.read_byte_record(&mut record) {
            Ok(false) => return None,
            Err(error) => {
                return Some(EngineError::input(
                    file,
                    format!("line {line}: {error}"),
                    "",
                ));
            }
            Ok(true) => {}
        }
        let line = record.position().map_or(line, |position| position.line());
        if record.len() != expected {
            return Some(EngineError::input(
                file,
                format!(
                    "line {line} has {} cells where the first line has {expected}",
                    record.len()
                ),
                "mend the line: a cell that holds the delimiter needs quotes around it",
            ));
        }
        for (place, cell) in record.iter().enumerate() {
            if std::str::from_utf8(cell).is_err() {
                let column = source.schema.field(place).name();
                return Some(EngineError::input(
                    file,
                    format!("line {line}, column `{column}`: the cell is not UTF-8 text"),
                    "save the file as UTF-8",
                ));
            }
        }
    }
}
