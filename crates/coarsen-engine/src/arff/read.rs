//! Reading ARFF back, to compare it with the rows that were audited. It knows what the writer writes,
//! and was written from the format's description rather than from the writer.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::EngineError;

/// Whether an ARFF file has these columns and the rows of a CSV file, cell by cell.
pub(super) fn holds_the_same(
    arff: &Path,
    mut csv: csv::Reader<File>,
    names: &csv::StringRecord,
) -> Result<bool, EngineError> {
    let failed = |error| EngineError::io(arff, error);
    let mut lines = BufReader::new(File::open(arff).map_err(failed)?).lines();
    let mut attributes = Vec::new();
    loop {
        let Some(line) = lines.next().transpose().map_err(failed)? else {
            return Ok(false);
        };
        match line.split_once(' ') {
            Some(("@attribute", rest)) => match first_cell(rest) {
                Some((Some(name), _)) => attributes.push(name),
                _ => return Ok(false),
            },
            _ if line == "@data" => break,
            _ => {}
        }
    }
    if !attributes.iter().map(String::as_str).eq(names.iter()) {
        return Ok(false);
    }
    let mut record = csv::StringRecord::new();
    for line in lines {
        let line = line.map_err(failed)?;
        let has_row = csv
            .read_record(&mut record)
            .map_err(|error| failed(std::io::Error::other(error)))?;
        let Some(cells) = cells(&line).filter(|_| has_row) else {
            return Ok(false);
        };
        let same = |(cell, text): (&Option<String>, &str)| cell.as_deref().unwrap_or("") == text;
        if cells.len() != record.len() || !cells.iter().zip(&record).all(same) {
            return Ok(false);
        }
    }
    let more = csv.read_record(&mut record);
    Ok(!more.map_err(|error| failed(std::io::Error::other(error)))?)
}

/// The cells of a line; `None` in it is a missing value. `None` of all where the line does not hold.
fn cells(line: &str) -> Option<Vec<Option<String>>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let (cell, after) = first_cell(rest)?;
        cells.push(cell);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None => return after.is_empty().then_some(cells),
        }
    }
}

/// The first cell of a text, and what comes behind it.
fn first_cell(text: &str) -> Option<(Option<String>, &str)> {
    let Some(inside) = text.strip_prefix('\'') else {
        let end = text.find([',', ' ']).unwrap_or(text.len());
        let cell = &text[..end];
        return match cell {
            "" => None,
            "?" => Some((None, &text[end..])),
            _ => Some((Some(cell.to_string()), &text[end..])),
        };
    };
    let mut cell = String::new();
    let mut characters = inside.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\'' => return Some((Some(cell), &inside[at + 1..])),
            '\\' => cell.push(match characters.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            }),
            other => cell.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::cells::quoted;
    use super::cells;

    #[test]
    fn what_is_quoted_reads_back() {
        let texts = [
            "plain",
            "two words",
            "it's",
            "a,b",
            "{x|y}",
            "?",
            "back\\slash",
            "line\nbreak",
            "\ttab",
            "%",
            "\"",
            "ü",
        ];
        let line: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
        let read = cells(&format!("{},?", line.join(","))).unwrap();
        let expected: Vec<Option<String>> = texts
            .iter()
            .map(|text| Some(text.to_string()))
            .chain([None])
            .collect();
        assert_eq!(read, expected);
        assert!(cells("'open").is_none() && cells("a,").is_none() && cells("'a'b").is_none());
    }
}
