//! SQLite. A column there may hold anything, so its type is told from all that it holds, in a first pass of
//! the same transaction: whole numbers, numbers, or texts. A column declared BOOLEAN that holds nothing but
//! 0 and 1 holds truths.

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, Statement, params_from_iter};

use crate::cells::{Batcher, Cell, cell_of};
use crate::{DatabaseError, Found, Place, Sink, Staging, quoted};

/// How long to wait for another who writes.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// What a table's name ends in until it is proven.
const STAGED: &str = "__coarsen_staged";

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        let code = error.sqlite_error_code();
        match code {
            Some(ErrorCode::NotADatabase) => {
                DatabaseError::usage("this is no SQLite database", "check the path of the file")
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => DatabaseError::usage(
                "the database cannot be written to",
                "choose a file that you may write, in a folder that you may write",
            ),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => DatabaseError::Failed(
                "another process is writing to the database; try again when it is done".into(),
            ),
            Some(ErrorCode::DiskFull) => {
                DatabaseError::Failed("No space left on device for the database".into())
            }
            // SQLite's messages name tables, columns and words of a statement, never cells.
            _ => DatabaseError::Failed(format!("SQLite: {error}")),
        }
    }
}

fn open(place: &Place, flags: OpenFlags) -> Result<Connection, DatabaseError> {
    let file = place.file();
    if !file.exists() && !flags.contains(OpenFlags::SQLITE_OPEN_CREATE) {
        return Err(DatabaseError::usage(
            "there is no such database",
            "check the path; paths in a policy are relative to the policy's folder",
        ));
    }
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

/// Reads a table or a query.
pub(crate) fn read(place: &Place, sink: &mut Sink<'_>) -> Result<Found, DatabaseError> {
    let connection = open(place, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.execute_batch("BEGIN")?;
    let select = match place.query() {
        Some(query) => format!(
            "SELECT * FROM ({})",
            query.trim_end_matches([';', ' ', '\n'])
        ),
        None => {
            let table = place.table()?;
            if kind_of(&connection, table)?.is_none() {
                return Err(DatabaseError::usage(
                    format!("the database has no table `{table}`"),
                    format!("it has: {}", tables(&connection)?.join(", ")),
                ));
            }
            format!("SELECT * FROM {}", quoted(table))
        }
    };
    rows(&connection, &select, place.query().is_some(), sink)
}

/// `table` or `view`; nothing where there is no such.
fn kind_of(connection: &Connection, name: &str) -> Result<Option<String>, DatabaseError> {
    let sql = "SELECT type FROM sqlite_master WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')";
    let mut found = connection.prepare(sql)?;
    let mut found = found.query([name])?;
    Ok(match found.next()? {
        Some(row) => Some(row.get(0)?),
        None => None,
    })
}

fn tables(connection: &Connection) -> Result<Vec<String>, DatabaseError> {
    let sql = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut found = connection.prepare(sql)?;
    let names = found.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// What a column holds.
#[derive(Clone, Copy, Default)]
struct Holds {
    integer: bool,
    other_than_truth: bool,
    decimal: bool,
    text: bool,
    blob: bool,
}

fn rows(
    connection: &Connection,
    select: &str,
    is_query: bool,
    sink: &mut Sink<'_>,
) -> Result<Found, DatabaseError> {
    let mut statement = connection.prepare(select).map_err(|error| match is_query {
        true => DatabaseError::usage(
            format!("the query cannot be run: {error}"),
            "mend input.query",
        ),
        false => error.into(),
    })?;
    let (names, declared) = columns(&statement);
    let holds = look(&mut statement, names.len())?;
    let mut kinds = Vec::new();
    for ((name, holds), declared) in names.iter().zip(&holds).zip(&declared) {
        if holds.blob {
            return Err(DatabaseError::usage(
                format!("column `{name}` holds bytes (BLOB)"),
                "leave it out by a query: input.query = \"select … from …\"",
            ));
        }
        let is_truth =
            declared.eq_ignore_ascii_case("BOOLEAN") || declared.eq_ignore_ascii_case("BOOL");
        kinds.push((
            name.clone(),
            match holds {
                Holds { text: true, .. } => DataType::Utf8,
                Holds { decimal: true, .. } => DataType::Float64,
                Holds {
                    integer: true,
                    other_than_truth: false,
                    ..
                } if is_truth => DataType::Boolean,
                Holds { integer: true, .. } => DataType::Int64,
                // Nothing at all: what was declared.
                _ if declared.to_ascii_uppercase().contains("INT") => DataType::Int64,
                _ => DataType::Utf8,
            },
        ));
    }
    let mut batcher = Batcher::new(&kinds, sink);
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let cells = (0..names.len())
            .map(|place| cell(row.get_ref(place)?))
            .collect::<Result<Vec<Cell>, DatabaseError>>()?;
        batcher.push(cells.into_iter())?;
    }
    Ok(Found {
        schema: batcher.finish()?,
        types: names.into_iter().zip(declared).collect(),
    })
}

fn columns(statement: &Statement<'_>) -> (Vec<String>, Vec<String>) {
    let column = |column: rusqlite::Column<'_>| {
        let declared = column.decl_type().unwrap_or("");
        (column.name().to_string(), declared.to_string())
    };
    statement.columns().map(column).unzip()
}

fn look(statement: &mut Statement<'_>, columns: usize) -> Result<Vec<Holds>, DatabaseError> {
    let mut holds = vec![Holds::default(); columns];
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        for (place, holds) in holds.iter_mut().enumerate() {
            match row.get_ref(place)? {
                ValueRef::Null => {}
                ValueRef::Integer(number) => {
                    holds.integer = true;
                    holds.other_than_truth |= !matches!(number, 0 | 1);
                }
                ValueRef::Real(_) => holds.decimal = true,
                ValueRef::Text(_) => holds.text = true,
                ValueRef::Blob(_) => holds.blob = true,
            }
        }
    }
    Ok(holds)
}

fn cell(value: ValueRef<'_>) -> Result<Cell, DatabaseError> {
    Ok(match value {
        ValueRef::Null | ValueRef::Blob(_) => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Decimal(number),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Cell::Text(text.to_string()),
            Err(_) => {
                return Err(DatabaseError::usage(
                    "a cell is not UTF-8 text",
                    "mend the table",
                ));
            }
        },
    })
}

/// Whether a table can be put here.
pub(crate) fn probe(place: &Place) -> Result<(), DatabaseError> {
    let file = place.file();
    let folder = file.parent().unwrap_or(Path::new("/"));
    if folder != Path::new("") && !folder.is_dir() {
        return Err(DatabaseError::usage(
            "there is no such folder to write to",
            "make the folder, or choose another output path",
        ));
    }
    if !file.exists() {
        return Ok(());
    }
    let connection = open(place, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let table = place.table()?;
    if kind_of(&connection, table)?.as_deref() == Some("view") {
        return Err(DatabaseError::usage(
            format!("`{table}` is a view, which a release cannot replace"),
            "name a table",
        ));
    }
    // Nobody can tell before that a file may not be written to.
    connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK")?;
    Ok(())
}

/// A table in a transaction that is not yet over.
pub(crate) struct Staged {
    connection: Option<Connection>,
    staged: String,
    target: String,
    insert: String,
    /// A file that was not there before, to be removed where nothing comes of it.
    fresh: Option<PathBuf>,
}

impl Staged {
    pub fn begin(place: &Place, schema: &Schema) -> Result<Self, DatabaseError> {
        let target = place.table()?.to_string();
        let fresh = (!place.file().exists()).then(|| place.file().to_path_buf());
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let connection = open(place, flags)?;
        let staged = format!("{target}{STAGED}");
        let column = |field: &std::sync::Arc<arrow_schema::Field>| {
            let kind = match field.data_type() {
                DataType::Int64 => "INTEGER",
                DataType::Float64 => "REAL",
                DataType::Boolean => "BOOLEAN",
                DataType::Date32 => "DATE",
                _ => "TEXT",
            };
            format!("{} {kind}", quoted(field.name()))
        };
        let columns: Vec<String> = schema.fields().iter().map(column).collect();
        let places = vec!["?"; columns.len()].join(", ");
        let insert = format!("INSERT INTO {} VALUES ({places})", quoted(&staged));
        let staged = Staged {
            connection: Some(connection),
            staged,
            target,
            insert,
            fresh,
        };
        staged.connection().execute_batch(&format!(
            "BEGIN IMMEDIATE; CREATE TABLE {} ({})",
            quoted(&staged.staged),
            columns.join(", ")
        ))?;
        Ok(staged)
    }

    fn connection(&self) -> &Connection {
        self.connection.as_ref().expect("the connection goes last")
    }
}

impl Staging for Staged {
    fn load(&mut self, batch: &RecordBatch) -> Result<(), DatabaseError> {
        let mut insert = self.connection().prepare_cached(&self.insert)?;
        for row in 0..batch.num_rows() {
            let cells = batch
                .columns()
                .iter()
                .map(|column| Ok(value(cell_of(column, row)?)))
                .collect::<Result<Vec<Value>, DatabaseError>>()?;
            insert.execute(params_from_iter(cells))?;
        }
        Ok(())
    }

    fn read_back(&mut self, sink: &mut Sink<'_>) -> Result<Found, DatabaseError> {
        let select = format!("SELECT * FROM {}", quoted(&self.staged));
        rows(self.connection(), &select, false, sink)
    }

    fn publish(mut self: Box<Self>) -> Result<(), DatabaseError> {
        let (staged, target) = (quoted(&self.staged), quoted(&self.target));
        self.connection().execute_batch(&format!(
            "DROP TABLE IF EXISTS {target}; ALTER TABLE {staged} RENAME TO {target}; COMMIT"
        ))?;
        self.fresh = None;
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // A connection that ends takes its open transaction back.
        drop(self.connection.take());
        if let Some(file) = &self.fresh {
            let _ = std::fs::remove_file(file);
        }
    }
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => Value::Integer(number),
        Cell::Decimal(number) => Value::Real(number),
        Cell::Boolean(truth) => Value::Integer(truth.into()),
        Cell::Date(day) => Value::Text(day.to_string()),
        Cell::Text(text) => Value::Text(text),
    }
}
