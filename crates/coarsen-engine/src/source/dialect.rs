//! How a CSV file is laid out: what parts its cells, whether it names its columns, whether a quoted
//! cell holds a line break.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::{Compression, SourceSettings};
use crate::EngineError;

/// A CSV file's layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// What parts cells.
    pub delimiter: u8,
    /// Whether the first line names the columns.
    pub header: bool,
    /// Whether some quoted cell holds a line break, so that the file cannot be cut at any line end; true
    /// of a packed file, which cannot be cut either.
    pub newlines_in_cells: bool,
}

/// What may part cells, in order of preference.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

impl Dialect {
    /// Finds a file's layout and its columns' names (`column_1` … where it has none).
    pub(super) fn find(
        path: &Path,
        compression: Compression,
        settings: &SourceSettings,
    ) -> Result<(Dialect, Vec<String>), EngineError> {
        let io = |error| compression.blame(path, error);
        let mut reader = BufReader::new(compression.open(path)?);
        let has_mark = reader.fill_buf().map_err(io)?.starts_with(b"\xef\xbb\xbf");
        if has_mark {
            reader.consume(3);
            if !settings.header {
                return Err(EngineError::input(
                    path,
                    "it starts with a byte-order mark but has no header line",
                    "add a header line, or save the file without the mark",
                ));
            }
        }
        let mut sample = Vec::new();
        reader
            .by_ref()
            .take(1 << 16)
            .read_to_end(&mut sample)
            .map_err(io)?;
        let delimiter = match settings.delimiter {
            Some(delimiter) => delimiter as u8,
            None => sniff(&sample),
        };
        let mut records = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(sample.as_slice().chain(reader));
        let mut first = csv::ByteRecord::new();
        let found = records.read_byte_record(&mut first).map_err(|error| {
            EngineError::input(path, format!("line 1 cannot be read: {error}"), "")
        })?;
        if !found {
            return Err(EngineError::input(
                path,
                "the file is empty",
                "a table needs a line of column names and at least one row",
            ));
        }
        let names = if settings.header {
            let name = |(place, cell): (usize, &[u8])| match std::str::from_utf8(cell) {
                Ok(name) => Ok(name.trim().to_string()),
                Err(_) => Err(EngineError::input(
                    path,
                    format!("line 1, column {}: the name is not UTF-8 text", place + 1),
                    "save the file as UTF-8",
                )),
            };
            first
                .iter()
                .enumerate()
                .map(name)
                .collect::<Result<Vec<_>, _>>()?
        } else {
            (1..=first.len())
                .map(|place| format!("column_{place}"))
                .collect()
        };
        // What is packed is not cut anyway.
        let newlines_in_cells =
            compression != Compression::None || quoted_newline(path).map_err(io)?;
        Ok((
            Dialect {
                delimiter,
                header: settings.header,
                newlines_in_cells,
            },
            names,
        ))
    }
}

/// The delimiter that cuts the first lines into the same number of cells, and into most.
fn sniff(sample: &[u8]) -> u8 {
    let cells = |delimiter: u8| -> (usize, usize) {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(sample);
        let mut record = csv::ByteRecord::new();
        let mut widths = Vec::new();
        while widths.len() < 50 && reader.read_byte_record(&mut record).unwrap_or(false) {
            widths.push(record.len());
        }
        let Some(first) = widths.first().copied() else {
            return (0, 0);
        };
        (
            widths
                .iter()
                .filter(|width| **width == first && first > 1)
                .count(),
            first,
        )
    };
    let mut best = (DELIMITERS[0], (0, 0));
    for delimiter in DELIMITERS {
        let score = cells(delimiter);
        if score > best.1 {
            best = (delimiter, score);
        }
    }
    best.0
}

/// Whether a line break stands between quotes anywhere. Most files have no quote at all, which a
/// scan for one byte tells quickly.
fn quoted_newline(path: &Path) -> std::io::Result<bool> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    let mut inside = false;
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            return Ok(false);
        }
        let mut from = 0;
        while let Some(at) = memchr::memchr(b'"', &buffer[from..length]) {
            if inside && memchr::memchr(b'\n', &buffer[from..from + at]).is_some() {
                return Ok(true);
            }
            inside = !inside;
            from += at + 1;
        }
        if inside && memchr::memchr(b'\n', &buffer[from..length]).is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_the_one_that_cuts_evenly() {
        assert_eq!(sniff(b"a,b\n1,2\n"), b',');
        assert_eq!(sniff(b"a;b;c\n1,5;2;3\n"), b';');
        assert_eq!(sniff(b"a\tb\n1\t2\n"), b'\t');
        assert_eq!(sniff(b"one\ntwo\n"), b',');
        assert_eq!(sniff(b"\"a;b\",c\n\"x;y\",z\n"), b',');
    }
}
