//! Where rows come from: a file or several, opened so that every cell arrives as it was written, or a
//! table that is in memory already.
//!
//! CSV cells stay text until a column's type is settled: `02138` and `1.50` go through unharmed.

mod batches;
mod compression;
mod dialect;
mod faults;
mod open;
mod parts;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use coarsen::policy::{Format, Input, Policy};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::dataframe::DataFrame;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::options::ArrowReadOptions;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{cast, ident};
use datafusion::prelude::{CsvReadOptions, JsonReadOptions, ParquetReadOptions, SessionContext};
use url::Url;

pub use batches::Batches;
pub use compression::Compression;
pub use dialect::Dialect;
pub use parts::would_be_part;
pub(crate) use parts::{Parts, refuse_remote};

use compression::unpacked_name;

use crate::database::Spooled;
use crate::eligible::eligible;
use crate::engine::Engine;
use crate::error::{EngineError, is_about_data, is_of_reading};
use crate::raw::key_blurs;

/// An opened file or several, or a table in memory.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where the file is, the folder of its parts, or the pattern that names them; of a table in memory,
    /// what messages call it.
    pub path: PathBuf,
    /// What it is read from.
    pub medium: Medium,
    /// The columns' names and types.
    pub schema: Schema,
    /// The columns that are read as the texts that stand for them.
    texts: Vec<String>,
    /// The rows of a database, which stay as long as this does.
    spooled: Option<Arc<Spooled>>,
    /// Whether its path is that of a file, also where its rows were loaded.
    is_file: bool,
}

/// What rows are read from.
#[derive(Clone, Debug)]
pub enum Medium {
    /// A file, or several of one shape that are read one after another.
    File {
        /// The files.
        files: Vec<PathBuf>,
        /// Their format.
        format: Format,
        /// What they are packed by.
        compression: Compression,
        /// How their lines are cut into cells, where they are CSV.
        dialect: Option<Dialect>,
    },
    /// Record batches.
    Memory(Batches),
}

/// How a file is to be read, where its name does not say.
#[derive(Clone, Debug)]
pub struct SourceSettings {
    /// The format; by the file's ending where absent.
    pub format: Option<Format>,
    /// What parts cells; found where absent.
    pub delimiter: Option<char>,
    /// Whether the first line names the columns.
    pub header: bool,
    /// Columns that are there even where JSON lines leave all their values out.
    pub expected: Vec<String>,
    /// What to ask a database for, in the stead of a table.
    pub query: Option<String>,
}

impl Default for SourceSettings {
    fn default() -> Self {
        SourceSettings {
            format: None,
            delimiter: None,
            header: true,
            expected: Vec::new(),
            query: None,
        }
    }
}

impl From<&Input> for SourceSettings {
    fn from(input: &Input) -> Self {
        SourceSettings {
            format: input.format,
            delimiter: input.delimiter,
            header: input.header,
            expected: Vec::new(),
            query: input.query.clone(),
        }
    }
}

/// The format that a file's ending names: `.csv`, and `.csv.gz` too.
pub fn format_of(path: &Path) -> Option<Format> {
    let path = unpacked_name(path);
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "csv" | "tsv" | "txt" | "data" => Some(Format::Csv),
        "parquet" | "pq" => Some(Format::Parquet),
        "jsonl" | "ndjson" | "json" => Some(Format::Jsonl),
        "arrow" | "ipc" | "feather" => Some(Format::Arrow),
        "arff" => Some(Format::Arff),
        _ => None,
    }
}

impl Source {
    /// Takes a table that is in memory. Messages call it by the name given.
    pub fn of_batches(name: &str, batches: Batches) -> Result<Source, EngineError> {
        let source = Source {
            path: PathBuf::from(name),
            schema: batches.schema().as_ref().clone(),
            medium: Medium::Memory(batches),
            texts: Vec::new(),
            spooled: None,
            is_file: false,
        };
        faults::check_names(&source)?;
        Ok(source)
    }

    /// Takes the rows of a database that lie in a file of ours.
    pub(crate) fn spooled(
        path: PathBuf,
        medium: Medium,
        schema: SchemaRef,
        spooled: Arc<Spooled>,
    ) -> Source {
        Source {
            path,
            medium,
            schema: schema.as_ref().clone(),
            texts: Vec::new(),
            spooled: Some(spooled),
            is_file: true,
        }
    }

    /// The rows of a database that it is read from, where it is.
    pub(crate) fn spool(&self) -> Option<Arc<Spooled>> {
        self.spooled.clone()
    }

    /// The same rows in memory, in their order.
    pub fn load(self, engine: &Engine) -> Result<Source, EngineError> {
        if let Medium::Memory(_) = self.medium {
            return Ok(self);
        }
        let work = async {
            let table = self.table(&engine.in_order()?).await?;
            let schema = Arc::new(table.schema().as_arrow().clone());
            Ok(Batches::new(schema, table.collect().await?)?)
        };
        let batches = engine.wait(work).map_err(|error| self.blame(error))?;
        Ok(Source {
            schema: batches.schema().as_ref().clone(),
            medium: Medium::Memory(batches),
            ..self
        })
    }

    /// Of a table in memory, the rows that the policy lets be released at all.
    pub(crate) fn eligible(self, engine: &Engine, policy: &Policy) -> Result<Source, EngineError> {
        let Some(filter) = eligible(policy, &self)? else {
            return Ok(self);
        };
        let work = async {
            let table = self.table(&engine.in_order()?).await?.filter(filter)?;
            Ok(table.collect().await?)
        };
        let rows = engine.wait(work).map_err(|error| self.blame(error))?;
        let batches = Batches::new(Arc::new(self.schema.clone()), rows)?;
        Ok(Source {
            medium: Medium::Memory(batches),
            ..self
        })
    }

    /// The file that it is, or was loaded from.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.is_file.then_some(self.path.as_path())
    }

    /// The format, of a file.
    pub fn format(&self) -> Option<Format> {
        match &self.medium {
            Medium::File { format, .. } => Some(*format),
            Medium::Memory(_) => None,
        }
    }

    /// How lines are cut into cells, of a CSV file.
    pub fn dialect(&self) -> Option<&Dialect> {
        match &self.medium {
            Medium::File { dialect, .. } => dialect.as_ref(),
            Medium::Memory(_) => None,
        }
    }

    /// The files that it is read from; none of a table in memory.
    pub fn files(&self) -> &[PathBuf] {
        match &self.medium {
            Medium::File { files, .. } => files,
            Medium::Memory(_) => &[],
        }
    }

    /// What its files are packed by.
    pub fn compression(&self) -> Compression {
        match &self.medium {
            Medium::File { compression, .. } => *compression,
            Medium::Memory(_) => Compression::None,
        }
    }

    /// Each of its files as a table of its own; the table itself where it is in memory.
    pub(crate) fn each_part(&self) -> Vec<Source> {
        let Medium::File {
            files,
            format,
            compression,
            dialect,
        } = &self.medium
        else {
            return vec![self.clone()];
        };
        if self.spooled.is_some() {
            return vec![self.clone()];
        }
        let part = |file: &PathBuf| Source {
            path: file.clone(),
            medium: Medium::File {
                files: vec![file.clone()],
                format: *format,
                compression: *compression,
                dialect: dialect.clone(),
            },
            ..self.clone()
        };
        files.iter().map(part).collect()
    }

    /// The names of its columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
    }

    /// Reads these columns as texts wherever two different ones could otherwise be counted as one: what
    /// is audited is what stands in the file.
    pub(crate) fn with_texts(mut self, names: &[String]) -> Source {
        let text = |field: &FieldRef| match names.contains(field.name()) {
            true if key_blurs(field.data_type()) => {
                self.texts.push(field.name().clone());
                Arc::new(Field::new(field.name(), DataType::Utf8View, true))
            }
            _ => field.clone(),
        };
        self.schema = Schema::new(self.schema.fields().iter().map(text).collect::<Vec<_>>());
        self
    }

    /// The rows, as a plan that has not run yet.
    pub(crate) async fn table(&self, context: &SessionContext) -> Result<DataFrame, EngineError> {
        let mut table = match &self.medium {
            Medium::Memory(batches) => {
                let runs = context.state().config().target_partitions();
                context.read_table(Arc::new(batches.table(runs)?))?
            }
            Medium::File { .. } => {
                let table = self.read(context).await?;
                table.map_err(|error| match error.find_root() {
                    // How the engine says that a file is no Arrow file.
                    DataFusionError::Internal(_) => faults::explain(self, &error),
                    _ => self.blame(error.into()),
                })?
            }
        };
        for name in &self.texts {
            table = table.with_column(name, cast(ident(name), DataType::Utf8View))?;
        }
        Ok(table)
    }

    async fn read(
        &self,
        context: &SessionContext,
    ) -> Result<Result<DataFrame, DataFusionError>, EngineError> {
        let Medium::File {
            files,
            format,
            compression,
            dialect,
        } = &self.medium
        else {
            unreachable!("only files are read");
        };
        let urls = files
            .iter()
            .map(|file| url_of(file))
            .collect::<Result<Vec<String>, _>>()?;
        let compression = FileCompressionType::from(compression.variant());
        Ok(match (format, dialect) {
            (Format::Csv, Some(dialect)) => {
                let options = CsvReadOptions::new()
                    .has_header(dialect.header)
                    .delimiter(dialect.delimiter)
                    .newlines_in_values(dialect.newlines_in_cells)
                    .file_compression_type(compression)
                    .schema(&self.schema)
                    .file_extension("");
                context.read_csv(urls, options).await
            }
            (Format::Parquet, _) => {
                let options = ParquetReadOptions {
                    file_extension: "",
                    ..Default::default()
                };
                context.read_parquet(urls, options).await
            }
            (Format::Arrow, _) => {
                let options = ArrowReadOptions {
                    file_extension: "",
                    ..Default::default()
                };
                context.read_arrow(urls, options).await
            }
            _ => {
                let options = JsonReadOptions {
                    file_extension: "",
                    file_compression_type: compression,
                    schema: Some(&self.schema),
                    ..Default::default()
                };
                context.read_json(urls, options).await
            }
        })
    }

    /// Turns a failure while reading this file into one that names the line at fault.
    pub(crate) fn blame(&self, error: EngineError) -> EngineError {
        match error {
            EngineError::DataFusion(error) if is_about_data(&error) => {
                faults::explain(self, &error)
            }
            // What cannot be unpacked looks to the engine like a disk that cannot be read.
            EngineError::DataFusion(error) if is_of_reading(&error) => {
                faults::damaged(self).unwrap_or(EngineError::DataFusion(error))
            }
            other => other,
        }
    }
}

/// A file for the engine, which would take a plain path with a star in it for a pattern.
fn url_of(file: &Path) -> Result<String, EngineError> {
    let url = file.to_str().and_then(|_| Url::from_file_path(file).ok());
    match url {
        Some(url) => Ok(url.into()),
        None => Err(EngineError::input(
            file,
            "its path is not text",
            "rename it",
        )),
    }
}
