//! Tables of SQLite and PostgreSQL as Arrow batches: read in one transaction, and written by one. A new
//! table is loaded, read back and given its name all in a transaction, so that the old one stands
//! untouched until the last moment, whatever happens.
//!
//! Why not a table provider of DataFusion's: `datafusion-table-providers` asks for the engine's SQL parser,
//! which nothing else here needs, and has no table that is loaded, read back and renamed in a transaction.
//! Rows come to Arrow in plain loops instead, and no other file of the project knows a database.
#![deny(missing_docs)]

mod cells;
mod place;
#[cfg(feature = "postgres")]
mod postgresql;
mod sqlite;

use std::collections::BTreeMap;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema, SchemaRef};

pub use place::{Kind, Place};

/// Rows of a batch.
const BATCH: usize = 8192;

/// Someone who takes batches.
pub type Sink<'a> = dyn FnMut(RecordBatch) -> Result<(), ArrowError> + 'a;

/// What can go wrong with a database. No message holds a cell.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// What the user can mend.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do about it.
        help: String,
    },
    /// The database failed, or the connection to it.
    #[error("{0}")]
    Failed(String),
    /// Whoever takes the batches failed.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}

impl DatabaseError {
    fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        DatabaseError::Usage {
            message: message.into(),
            help: help.into(),
        }
    }
}

/// The columns of a table as they were read.
#[derive(Clone, Debug)]
pub struct Found {
    /// Their names and types in Arrow.
    pub schema: SchemaRef,
    /// Their types in the database, by their names.
    pub types: BTreeMap<String, String>,
}

/// A new table that is not yet visible to anybody. Dropped without [`Staging::publish`], it has never been.
pub trait Staging {
    /// Puts in rows: of whole numbers, numbers, truths, dates (`Date32`) and texts (`Utf8`).
    ///
    /// # Errors
    /// The database's.
    fn load(&mut self, batch: &RecordBatch) -> Result<(), DatabaseError>;

    /// Reads the rows back from the database.
    ///
    /// # Errors
    /// The database's, and the sink's.
    fn read_back(&mut self, sink: &mut Sink<'_>) -> Result<Found, DatabaseError>;

    /// Gives it the name of the table that it replaces, and lets everybody see it.
    ///
    /// # Errors
    /// The database's; then the old table is as it was.
    fn publish(self: Box<Self>) -> Result<(), DatabaseError>;
}

/// Reads a table or the rows of a query, in one transaction.
///
/// # Errors
/// A place that is not there, and what the database and the sink say.
pub fn read(place: &Place, sink: &mut Sink<'_>) -> Result<Found, DatabaseError> {
    match place.kind() {
        Kind::Sqlite => sqlite::read(place, sink),
        #[cfg(feature = "postgres")]
        Kind::Postgres => postgresql::read(place, sink),
        #[cfg(not(feature = "postgres"))]
        Kind::Postgres => Err(without_postgres()),
    }
}

/// Whether a new table could be put here: the database is there, lets us in, and what stands under that name
/// is a table or nothing.
///
/// # Errors
/// Why not.
pub fn probe(place: &Place) -> Result<(), DatabaseError> {
    place.table()?;
    match place.kind() {
        Kind::Sqlite => sqlite::probe(place),
        #[cfg(feature = "postgres")]
        Kind::Postgres => postgresql::probe(place),
        #[cfg(not(feature = "postgres"))]
        Kind::Postgres => Err(without_postgres()),
    }
}

/// Begins a transaction with a new table of these columns. `types` has the database's own types for some.
///
/// # Errors
/// As [`probe`].
pub fn stage(
    place: &Place,
    schema: &Schema,
    types: &BTreeMap<String, String>,
) -> Result<Box<dyn Staging>, DatabaseError> {
    match place.kind() {
        Kind::Sqlite => Ok(Box::new(sqlite::Staged::begin(place, schema)?)),
        #[cfg(feature = "postgres")]
        Kind::Postgres => Ok(Box::new(postgresql::Staged::begin(place, schema, types)?)),
        #[cfg(not(feature = "postgres"))]
        Kind::Postgres => {
            let _ = types;
            Err(without_postgres())
        }
    }
}

#[cfg(not(feature = "postgres"))]
fn without_postgres() -> DatabaseError {
    DatabaseError::usage(
        "this coarsen was built without PostgreSQL",
        "build it with `cargo build --release --features postgres`",
    )
}

/// A name as SQL has it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
