//! Tables of databases: taken over once, in one transaction, into a file of ours that every plan then reads;
//! and releases that arrive as a new table. What knows SQL is `coarsen-database`.

mod outlet;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use coarsen::policy::Format;
use coarsen_database::{DatabaseError, Found, Kind, Place, Sink};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::ipc::writer::FileWriter;
use datafusion::execution::SpillFile;

pub(crate) use outlet::{LoadedTable, TableOutlet};

use crate::EngineError;
use crate::engine::Engine;
use crate::source::{Compression, Medium, Source, SourceSettings};
use crate::stored::path_of;

/// A path of a policy: relative to the policy's folder, unless it is the URL of a database.
pub fn located(folder: &Path, path: &str) -> PathBuf {
    match path.strip_prefix("sqlite:") {
        Some(rest) => {
            let rest = rest.strip_prefix("//").unwrap_or(rest);
            let file = folder.join(rest);
            PathBuf::from(format!("sqlite://{}", file.display()))
        }
        None if Place::is_meant(path) || path.contains("://") => PathBuf::from(path),
        None => folder.join(path),
    }
}

/// The table of a database that a path stands for, where it does.
pub(crate) fn place_of(path: &Path, query: Option<&str>) -> Result<Option<Place>, EngineError> {
    let Some(text) = path.to_str().filter(|text| Place::is_meant(text)) else {
        return match query {
            None => Ok(None),
            Some(_) => Err(EngineError::input(
                path,
                "input.query asks a database, and this is none",
                "give input.path the URL of a database, or remove input.query",
            )),
        };
    };
    let here = Path::new("");
    let place = match query {
        None => Place::parse(text, here),
        Some(query) => Place::parse_query(text, here, query),
    };
    // The text itself is not told: it may have a password in it.
    place
        .map(Some)
        .map_err(|error| told("the URL of the database", error))
}

/// An error of a database in words of ours.
pub(crate) fn told(place: &str, error: DatabaseError) -> EngineError {
    match error {
        DatabaseError::Usage { message, help } => {
            EngineError::input(Path::new(place), message, help)
        }
        DatabaseError::Failed(message) => EngineError::Database {
            place: place.to_string(),
            message,
        },
        DatabaseError::Arrow(error) => error.into(),
    }
}

/// Rows of a database in a file of ours, which goes with it.
pub(crate) struct Spooled {
    kind: Kind,
    file: Arc<dyn SpillFile>,
    types: BTreeMap<String, String>,
}

impl std::fmt::Debug for Spooled {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Spooled({})", self.path().display())
    }
}

impl Spooled {
    /// Takes over what a database hands out.
    fn take(
        engine: &Engine,
        place: &Place,
        read: impl FnOnce(&mut Sink<'_>) -> Result<Found, DatabaseError>,
    ) -> Result<(Self, SchemaRef), EngineError> {
        let disk = &engine.context().runtime_env().disk_manager;
        let file = disk.create_tmp_file("the rows of a database")?;
        let path = path_of(&file);
        let start = |schema: &SchemaRef| -> Result<FileWriter<BufWriter<File>>, ArrowError> {
            FileWriter::try_new(BufWriter::new(File::create(path)?), schema)
        };
        let mut writer = None;
        let cancel = engine.cancel_flag();
        let found = read(&mut |batch| {
            if cancel.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(ArrowError::ComputeError("cancelled".into()));
            }
            if writer.is_none() {
                writer = Some(start(&batch.schema())?);
            }
            writer.as_mut().expect("it was just made").write(&batch)
        });
        engine.check_cancel()?;
        let found = found.map_err(|error| told(&place.to_string(), error))?;
        let mut writer = match writer {
            Some(writer) => writer,
            None => start(&found.schema)?,
        };
        writer.finish()?;
        let spooled = Spooled {
            kind: place.kind(),
            file,
            types: found.types,
        };
        Ok((spooled, found.schema))
    }

    /// Where the rows are now.
    pub fn path(&self) -> &Path {
        path_of(&self.file)
    }
}

impl Source {
    /// Takes a table of a database over.
    pub(crate) fn of_database(engine: &Engine, place: &Place) -> Result<Source, EngineError> {
        let read = |sink: &mut Sink<'_>| coarsen_database::read(place, sink);
        let (spooled, schema) = Spooled::take(engine, place, read)?;
        let medium = Medium::File {
            files: vec![spooled.path().to_path_buf()],
            format: Format::Arrow,
            compression: Compression::None,
            dialect: None,
        };
        let path = PathBuf::from(place.to_string());
        Ok(Source::spooled(path, medium, schema, Arc::new(spooled)))
    }

    /// The types of its columns in the database that it comes from, where that is of this kind.
    fn types_in(&self, kind: Kind) -> BTreeMap<String, String> {
        match self.spool() {
            Some(spooled) if spooled.kind == kind => spooled.types.clone(),
            _ => BTreeMap::new(),
        }
    }
}

impl SourceSettings {
    /// The same for another file than the policy's own.
    pub(crate) fn of_another(self) -> Self {
        SourceSettings {
            format: None,
            query: None,
            ..self
        }
    }
}
