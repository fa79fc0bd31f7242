//! What is wrong with a file, found a second time with care so that the message can name the line.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;

use coarsen::policy::Format;
use datafusion::error::DataFusionError;

use super::Source;
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

/// A failure of the engine in words of the file.
pub(super) fn explain(source: &Source, error: &DataFusionError) -> EngineError {
    if source.format == Format::Csv
        && let Some(error) = first_bad_line(source)
    {
        return error;
    }
    let what = match source.format {
        Format::Csv => "CSV",
        Format::Parquet => "Parquet",
        Format::Jsonl => "JSON lines",
        Format::Arrow => "Arrow IPC",
    };
    EngineError::input(
        &source.path,
        format!("it cannot be read as {what}: {}", error.find_root()),
        "check the file, or set input.format to what it is",
    )
}

/// The first line of a CSV file with too many or too few cells, or with bytes that are no text.
fn first_bad_line(source: &Source) -> Option<EngineError> {
    let dialect = source.dialect.as_ref()?;
    let file = BufReader::new(File::open(&source.path).ok()?);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(dialect.delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(file);
    let expected = source.schema.fields().len();
    let mut record = csv::ByteRecord::new();
    loop {
        let line = reader.position().line();
        match reader.read_byte_record(&mut record) {
            Ok(false) => return None,
            Err(error) => {
                return Some(EngineError::input(
                    &source.path,
                    format!("line {line}: {error}"),
                    "",
                ));
            }
            Ok(true) => {}
        }
        let line = record.position().map_or(line, |position| position.line());
        if record.len() != expected {
            return Some(EngineError::input(
                &source.path,
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
                    &source.path,
                    format!("line {line}, column `{column}`: the cell is not UTF-8 text"),
                    "save the file as UTF-8",
                ));
            }
        }
    }
}
