//! ARFF, the format of Weka: a release is written and audited as CSV, put into ARFF cell by cell, and
//! read back and compared before it takes its place. ARFF is written only: tables are not read from it.
//!
//! A column whose every cell is a number is `numeric` (a code such as `02138` is none), any other is
//! nominal with its values listed; one of more than 10,000 values is `string`. A missing value is `?`.

mod cells;
mod read;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use coarsen::domain::{Kind, Value, infer};

use crate::EngineError;
use cells::{quoted, write_cell};

/// Columns of more values are texts.
const MOST_VALUES: usize = 10_000;

/// What a column of the file is.
enum Kept {
    Numeric,
    Nominal(BTreeSet<String>),
    Text,
}

/// Puts a CSV file with a header into ARFF, and proves that the two hold the same.
pub(crate) fn put_into_arff(
    csv: &Path,
    delimiter: u8,
    arff: &Path,
    relation: &str,
) -> Result<(), EngineError> {
    let failed = |error: csv::Error| csv_failed(csv, error);
    let open = || reader(csv, delimiter);
    let names = open()?.headers().map_err(failed)?.clone();
    let kept = columns(open()?, names.len(), csv)?;

    let io = |error| EngineError::io(arff, error);
    let mut out = BufWriter::new(File::create(arff).map_err(io)?);
    let mut write = || -> Result<(), std::io::Error> {
        writeln!(out, "@relation {}\n", quoted(relation))?;
        for (name, kept) in names.iter().zip(&kept) {
            let kind = match kept {
                Kept::Numeric => "numeric".to_string(),
                Kept::Text => "string".to_string(),
                Kept::Nominal(values) => {
                    let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
                    format!("{{{}}}", values.join(","))
                }
            };
            writeln!(out, "@attribute {} {kind}", quoted(name))?;
        }
        writeln!(out, "\n@data")?;
        let mut rows = open().map_err(std::io::Error::other)?.into_records();
        while let Some(row) = rows.next().transpose().map_err(std::io::Error::other)? {
            for (place, cell) in row.iter().enumerate() {
                if place > 0 {
                    out.write_all(b",")?;
                }
                write_cell(&mut out, cell)?;
            }
            out.write_all(b"\n")?;
        }
        out.flush()
    };
    write().map_err(io)?;
    match read::holds_the_same(arff, open()?, &names)? {
        true => Ok(()),
        false => Err(EngineError::Audit(
            "the ARFF file does not read back as the rows that were audited".into(),
        )),
    }
}

fn reader(csv: &Path, delimiter: u8) -> Result<csv::Reader<File>, EngineError> {
    csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .from_path(csv)
        .map_err(|error| csv_failed(csv, error))
}

fn csv_failed(path: &Path, error: csv::Error) -> EngineError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => EngineError::io(path, error),
        other => EngineError::io(path, std::io::Error::other(format!("{other:?}"))),
    }
}

/// What each column is, by all of its cells.
fn columns(
    mut rows: csv::Reader<File>,
    count: usize,
    path: &Path,
) -> Result<Vec<Kept>, EngineError> {
    let mut values: Vec<BTreeSet<String>> = vec![BTreeSet::new(); count];
    let mut numbers = vec![true; count];
    let mut record = csv::StringRecord::new();
    while rows
        .read_record(&mut record)
        .map_err(|error| csv_failed(path, error))?
    {
        for (place, cell) in record
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty())
        {
            let many = values[place].len() > MOST_VALUES;
            if values[place].contains(cell) || (many && !numbers[place]) {
                continue;
            }
            numbers[place] &= is_number(cell);
            if !many {
                values[place].insert(cell.to_string());
            }
        }
    }
    let kept = |(values, numbers): (BTreeSet<String>, bool)| match (numbers, values.len()) {
        (true, 1..) => Kept::Numeric,
        (_, held) if held > MOST_VALUES => Kept::Text,
        _ => Kept::Nominal(values),
    };
    Ok(values.into_iter().zip(numbers).map(kept).collect())
}

fn is_number(cell: &str) -> bool {
    let value = Value::Text(cell.to_string());
    matches!(
        infer(std::iter::once(&value)),
        Kind::Integer | Kind::Decimal
    )
}
