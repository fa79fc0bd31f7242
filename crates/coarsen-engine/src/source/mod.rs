//! Where rows come from: a file, opened so that every cell arrives as it was written, or a table that is
//! in memory already.
//!
//! CSV cells stay text until a column's type is settled: `02138` and `1.50` go through unharmed.

mod batches;
mod dialect;
mod faults;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use coarsen::policy::{Format, Input, Policy};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::dataframe::DataFrame;
use datafusion::datasource::file_format::options::ArrowReadOptions;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{cast, ident};
use datafusion::prelude::{CsvReadOptions, JsonReadOptions, ParquetReadOptions, SessionContext};

pub use batches::Batches;
pub use dialect::Dialect;

use crate::eligible::eligible;
use crate::engine::Engine;
use crate::error::{EngineError, is_about_data};
use crate::raw::key_blurs;

/// An opened file, or a table in memory.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where the file is; of a table in memory, what messages call it.
    pub path: PathBuf,
    /// What it is read from.
    pub medium: Medium,
    /// The columns' names and types.
    pub schema: Schema,
    /// The columns that are read as the texts that stand for them.
    texts: Vec<String>,
    /// Whether its path is that of a file, also where its rows were loaded.
    is_file: bool,
}

/// What rows are read from.
#[derive(Clone, Debug)]
pub enum Medium {
    /// A file.
    File {
        /// Its format.
        format: Format,
        /// How its lines are cut into cells, where it is CSV.
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
}

impl Default for SourceSettings {
    fn default() -> Self {
        SourceSettings {
            format: None,
            delimiter: None,
            header: true,
            expected: Vec::new(),
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
        }
    }
}

/// The format that a file's ending names.
pub fn format_of(path: &Path) -> Option<Format> {
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
    /// Opens a file and reads its columns' names and types.
    pub fn open(
        engine: &Engine,
        path: &Path,
        settings: &SourceSettings,
    ) -> Result<Source, EngineError> {
        let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => EngineError::input(
                path,
                "there is no such file",
                "check the path; paths in a policy are relative to the policy's folder",
            ),
            _ => EngineError::io(path, error),
        })?;
        if metadata.is_dir() {
            return Err(EngineError::input(
                path,
                "this is a folder",
                "name a file in it",
            ));
        }
        if metadata.len() == 0 {
            return Err(EngineError::input(
                path,
                "the file is empty",
                "a table needs a line of column names and at least one row",
            ));
        }
        let format = settings.format.or_else(|| format_of(path)).ok_or_else(|| {
            EngineError::input(
                path,
                "its ending does not tell its format",
                "name it .csv, .parquet, .jsonl or .arrow, or state input.format in the policy",
            )
        })?;
        if format == Format::Arff {
            return Err(EngineError::input(
                path,
                "tables are not read from ARFF, which is for releases only",
                "save it as .csv, .parquet, .jsonl or .arrow",
            ));
        }
        let path = std::path::absolute(path).map_err(|error| EngineError::io(path, error))?;
        let mut source = Source {
            path,
            medium: Medium::File {
                format,
                dialect: None,
            },
            schema: Schema::empty(),
            texts: Vec::new(),
            is_file: true,
        };
        if format == Format::Csv {
            let (dialect, names) = Dialect::find(&source.path, settings)?;
            source.medium = Medium::File {
                format,
                dialect: Some(dialect),
            };
            let fields = names
                .into_iter()
                .map(|name| Field::new(name, DataType::Utf8View, true));
            source.schema = Schema::new(fields.collect::<Vec<_>>());
        } else {
            let table = engine.wait(async { source.table(engine.context()).await })?;
            source.schema = table.schema().as_arrow().clone();
        }
        if format == Format::Jsonl {
            let left_out = settings.expected.iter().filter(|name| {
                let known = |field: &FieldRef| field.name() == *name;
                !source.schema.fields().iter().any(known)
            });
            let left_out =
                left_out.map(|name| Arc::new(Field::new(name, DataType::Utf8View, true)));
            let fields = source.schema.fields().iter().cloned().chain(left_out);
            source.schema = Schema::new(fields.collect::<Vec<_>>());
        }
        faults::check_names(&source)?;
        Ok(source)
    }

    /// Takes a table that is in memory. Messages call it by the name given.
    pub fn of_batches(name: &str, batches: Batches) -> Result<Source, EngineError> {
        let source = Source {
            path: PathBuf::from(name),
            schema: batches.schema().as_ref().clone(),
            medium: Medium::Memory(batches),
            texts: Vec::new(),
            is_file: false,
        };
        faults::check_names(&source)?;
        Ok(source)
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
            Medium::File { format, dialect } => {
                let table = self.read(context, *format, dialect.as_ref()).await?;
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
        format: Format,
        dialect: Option<&Dialect>,
    ) -> Result<Result<DataFrame, DataFusionError>, EngineError> {
        let Some(path) = self.path.to_str() else {
            return Err(EngineError::input(
                &self.path,
                "its path is not text",
                "rename it",
            ));
        };
        Ok(match (format, dialect) {
            (Format::Csv, Some(dialect)) => {
                let options = CsvReadOptions::new()
                    .has_header(dialect.header)
                    .delimiter(dialect.delimiter)
                    .newlines_in_values(dialect.newlines_in_cells)
                    .schema(&self.schema)
                    .file_extension("");
                context.read_csv(path, options).await
            }
            (Format::Parquet, _) => {
                let options = ParquetReadOptions {
                    file_extension: "",
                    ..Default::default()
                };
                context.read_parquet(path, options).await
            }
            (Format::Arrow, _) => {
                let options = ArrowReadOptions {
                    file_extension: "",
                    ..Default::default()
                };
                context.read_arrow(path, options).await
            }
            _ => {
                let options = JsonReadOptions {
                    file_extension: "",
                    schema_infer_max_records: usize::MAX,
                    schema: (!self.schema.fields().is_empty()).then_some(&self.schema),
                    ..Default::default()
                };
                context.read_json(path, options).await
            }
        })
    }

    /// Turns a failure while reading this file into one that names the line at fault.
    pub(crate) fn blame(&self, error: EngineError) -> EngineError {
        match error {
            EngineError::DataFusion(error) if is_about_data(&error) => {
                faults::explain(self, &error)
            }
            other => other,
        }
    }
}
