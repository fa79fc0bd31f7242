//! Opening: which files a path stands for, what format they have, and that all of them have the same
//! columns. Parts are read as if they stood in one file, so a part of another shape is an error that
//! names it, never a column of missing values.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use coarsen::policy::Format;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::arrow::json::reader::infer_json_schema;

use super::{Compression, Dialect, Medium, Parts, Source, SourceSettings, faults, format_of};
use crate::EngineError;
use crate::database::place_of;
use crate::engine::Engine;

impl Source {
    /// Opens a file, the files of a folder, or those that a pattern names, and reads the names and types
    /// of their columns. Rows of a database are taken over.
    pub fn open(
        engine: &Engine,
        path: &Path,
        settings: &SourceSettings,
    ) -> Result<Source, EngineError> {
        if let Some(place) = place_of(path, settings.query.as_deref())? {
            let source = Source::of_database(engine, &place)?;
            faults::check_names(&source)?;
            return Ok(source);
        }
        let files = Parts::find(path)?.files;
        let format = format_of_all(&files, settings)?;
        let compression = compression_of_all(&files, format)?;
        let path = std::path::absolute(path).map_err(|error| EngineError::io(path, error))?;
        let mut source = Source {
            path,
            medium: Medium::File {
                files,
                format,
                compression,
                dialect: None,
            },
            schema: Schema::empty(),
            texts: Vec::new(),
            spooled: None,
            is_file: true,
        };
        match format {
            Format::Csv => source.find_dialect(settings)?,
            Format::Jsonl => source.find_names_in_objects(settings)?,
            _ => source.find_schema(engine)?,
        }
        faults::check_names(&source)?;
        Ok(source)
    }

    /// The layout of the first file, which must be that of all.
    fn find_dialect(&mut self, settings: &SourceSettings) -> Result<(), EngineError> {
        let Medium::File {
            files,
            compression,
            dialect,
            ..
        } = &mut self.medium
        else {
            unreachable!("a file was opened");
        };
        let (mut found, names) = Dialect::find(&files[0], *compression, settings)?;
        let like_first = SourceSettings {
            delimiter: Some(char::from(found.delimiter)),
            ..settings.clone()
        };
        for file in &files[1..] {
            let (other, others) = Dialect::find(file, *compression, &like_first)?;
            if others != names {
                return Err(differs(file, &files[0], &first_difference(&names, &others)));
            }
            found.newlines_in_cells |= other.newlines_in_cells;
        }
        *dialect = Some(found);
        let fields = names
            .into_iter()
            .map(|name| Field::new(name, DataType::Utf8View, true));
        self.schema = Schema::new(fields.collect::<Vec<_>>());
        Ok(())
    }

    /// The columns of JSON lines: those that any object of any file has.
    fn find_names_in_objects(&mut self, settings: &SourceSettings) -> Result<(), EngineError> {
        let mut text: Box<dyn Read> = Box::new(std::io::empty());
        for file in self.files() {
            // The last line of a file need not end.
            text = Box::new(text.chain(self.compression().open(file)?).chain(&b"\n"[..]));
        }
        let (found, _) = infer_json_schema(BufReader::new(text), None)
            .map_err(|error| self.blame(error.into()))?;
        let left_out = settings.expected.iter().filter(|name| {
            let known = |field: &FieldRef| field.name() == *name;
            !found.fields().iter().any(known)
        });
        let left_out = left_out.map(|name| Arc::new(Field::new(name, DataType::Utf8View, true)));
        let fields = found.fields().iter().cloned().chain(left_out);
        self.schema = Schema::new(fields.collect::<Vec<_>>());
        Ok(())
    }

    /// The columns of the first file, which must be those of all.
    fn find_schema(&mut self, engine: &Engine) -> Result<(), EngineError> {
        let mut first: Option<Schema> = None;
        for part in self.each_part() {
            let table = engine.wait(async { part.table(engine.context()).await })?;
            let schema = table.schema().as_arrow();
            match &first {
                None => first = Some(schema.clone()),
                Some(first) => {
                    if let Some(difference) = other_types(first, schema) {
                        return Err(differs(&part.path, &self.files()[0], &difference));
                    }
                }
            }
        }
        self.schema = first.expect("there is at least one file");
        Ok(())
    }
}

fn format_of_all(files: &[PathBuf], settings: &SourceSettings) -> Result<Format, EngineError> {
    let mut format = settings.format;
    for file in files {
        let metadata = std::fs::metadata(file).map_err(|error| EngineError::io(file, error))?;
        if metadata.len() == 0 {
            return Err(EngineError::input(
                file,
                "the file is empty",
                "a table needs a line of column names and at least one row",
            ));
        }
        let own = settings.format.or_else(|| format_of(file)).ok_or_else(|| {
            EngineError::input(
                file,
                "its ending does not tell its format",
                "name it .csv, .parquet, .jsonl or .arrow (.csv.gz and .csv.zst too), or state input.format in the policy",
            )
        })?;
        if own != *format.get_or_insert(own) {
            return Err(differs(file, &files[0], "it has another format"));
        }
    }
    match format.expect("there is at least one file") {
        Format::Arff => Err(EngineError::input(
            &files[0],
            "tables are not read from ARFF, which is for releases only",
            "save it as .csv, .parquet, .jsonl or .arrow",
        )),
        format => Ok(format),
    }
}

fn compression_of_all(files: &[PathBuf], format: Format) -> Result<Compression, EngineError> {
    let first = Compression::of_content(&files[0])?;
    for file in files {
        let own = Compression::of_content(file)?;
        if own != first {
            let how = format!("it has {} and that {}", own.name(), first.name());
            return Err(differs(file, &files[0], &how));
        }
        let is_text = matches!(format, Format::Csv | Format::Jsonl);
        if own != Compression::None && !is_text {
            return Err(EngineError::input(
                file,
                format!("it is packed by {} as a whole", own.name()),
                "unpack it: Parquet and Arrow files are compressed within, and read in pieces",
            ));
        }
    }
    Ok(first)
}

/// Parts are one table, so they must look the same.
fn differs(file: &Path, first: &Path, how: &str) -> EngineError {
    let first = first.file_name().unwrap_or_default().to_string_lossy();
    EngineError::input(
        file,
        format!("this part is not like {first}: {how}"),
        "give all parts the same columns in the same order and the same format, or leave this one out",
    )
}

/// Where two lists of names, which are not the same, part.
fn first_difference(first: &[String], other: &[String]) -> String {
    let pairs = first.iter().zip(other);
    match pairs.enumerate().find(|(_, (name, own))| name != own) {
        Some((place, (name, own))) => format!(
            "its column {} is `{own}` where that has `{name}`",
            place + 1
        ),
        None => format!(
            "it has {} columns and that has {}",
            other.len(),
            first.len()
        ),
    }
}

/// How a schema differs from another in what is read: names, types and their order.
fn other_types(first: &Schema, other: &Schema) -> Option<String> {
    let names = |schema: &Schema| -> Vec<String> {
        schema.fields().iter().map(|f| f.name().clone()).collect()
    };
    if names(first) != names(other) {
        return Some(first_difference(&names(first), &names(other)));
    }
    let pairs = first.fields().iter().zip(other.fields());
    let mut pairs = pairs.filter(|(first, other)| first.data_type() != other.data_type());
    pairs.next().map(|(first, other)| {
        format!(
            "its column `{}` holds {} where that has {}",
            first.name(),
            other.data_type(),
            first.data_type()
        )
    })
}
