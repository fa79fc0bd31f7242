//! PostgreSQL. Whole numbers, numbers of 8 bytes, truths and dates come as they are; anything else as the
//! text that the server writes for it, so that an exact `numeric`, a time or a `uuid` goes through unharmed.
//! The client knows no TLS: connect by a socket, the local network or a tunnel.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::str::FromStr;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use chrono::NaiveDate;
use postgres::types::Type;
use postgres::{Client, Config, NoTls, Row};

use crate::cells::{Batcher, Cell, cell_of, text_of};
use crate::{BATCH, DatabaseError, Found, Place, Sink, Staging, quoted};

/// What a table's name ends in until it is proven.
const STAGED: &str = "__coarsen_staged";

impl From<postgres::Error> for DatabaseError {
    fn from(error: postgres::Error) -> Self {
        let Some(told) = error.as_db_error() else {
            let why = std::error::Error::source(&error).map(|why| format!(": {why}"));
            return DatabaseError::Failed(format!(
                "the connection to PostgreSQL failed: {error}{}",
                why.unwrap_or_default()
            ));
        };
        let code = told.code().code();
        match &code[..2] {
            // Who may come in, and to what: the user can mend that.
            "28" | "3D" | "3F" | "42" => DatabaseError::usage(
                format!("PostgreSQL: {}", told.message()),
                "check the user, the password (PGPASSWORD), the database, the table and the query",
            ),
            // What is wrong with a cell would quote it.
            "22" | "23" => {
                DatabaseError::Failed(format!("PostgreSQL does not take a cell (SQLSTATE {code})"))
            }
            "53" if code == "53100" => {
                DatabaseError::Failed("No space left on device for the database".into())
            }
            _ => DatabaseError::Failed(format!("PostgreSQL: {} (SQLSTATE {code})", told.message())),
        }
    }
}

fn connect(place: &Place) -> Result<Client, DatabaseError> {
    let mut config = Config::from_str(place.url()).map_err(|error| {
        DatabaseError::usage(
            format!("this URL cannot be used: {error}"),
            "write postgres://user@host/database#schema.table",
        )
    })?;
    if let Some(password) = place.password()? {
        config.password(password);
    }
    config.application_name("coarsen");
    Ok(config.connect(NoTls)?)
}

/// A table's name in SQL, with its schema where it has one.
fn name_of(table: &str, ending: &str) -> String {
    match table.split_once('.') {
        Some((schema, table)) => {
            format!("{}.{}", quoted(schema), quoted(&format!("{table}{ending}")))
        }
        None => quoted(&format!("{table}{ending}")),
    }
}

/// Reads a table or a query, as it is at one moment.
pub(crate) fn read(place: &Place, sink: &mut Sink<'_>) -> Result<Found, DatabaseError> {
    let mut client = connect(place)?;
    client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
    let (from, table) = match place.query() {
        Some(query) => {
            let query = query.trim_end_matches([';', ' ', '\n']);
            (format!("({query}) AS query"), None)
        }
        None => {
            let name = name_of(place.table()?, "");
            (name.clone(), Some(name))
        }
    };
    rows(&mut client, &from, table.as_deref(), sink)
}

fn rows(
    client: &mut Client,
    from: &str,
    table: Option<&str>,
    sink: &mut Sink<'_>,
) -> Result<Found, DatabaseError> {
    let described = client.prepare(&format!("SELECT * FROM {from}"))?;
    let columns: Vec<(String, Type)> = described
        .columns()
        .iter()
        .map(|column| (column.name().to_string(), column.type_().clone()))
        .collect();
    let kinds: Vec<(String, DataType)> = columns
        .iter()
        .map(|(name, of)| (name.clone(), kind_of(of)))
        .collect();
    let select: Vec<String> = kinds
        .iter()
        .map(|(name, kind)| {
            let as_type = match kind {
                DataType::Int64 => "::int8",
                DataType::Utf8 => "::text",
                _ => "",
            };
            format!("{}{as_type}", quoted(name))
        })
        .collect();
    client.batch_execute(&format!(
        "DECLARE coarsen_rows NO SCROLL CURSOR FOR SELECT {} FROM {from}",
        select.join(", ")
    ))?;
    let mut batcher = Batcher::new(&kinds, sink);
    let fetch = client.prepare(&format!("FETCH FORWARD {BATCH} FROM coarsen_rows"))?;
    loop {
        let found = client.query(&fetch, &[])?;
        for row in &found {
            let cells = kinds
                .iter()
                .enumerate()
                .map(|(place, (_, kind))| cell(row, place, kind))
                .collect::<Result<Vec<Cell>, _>>()?;
            batcher.push(cells.into_iter())?;
        }
        if found.len() < BATCH {
            break;
        }
    }
    let schema = batcher.finish()?;
    client.batch_execute("CLOSE coarsen_rows")?;
    Ok(Found {
        schema,
        types: types_of(client, &columns, table)?,
    })
}

/// The types as they were declared, lengths and digits too.
fn types_of(
    client: &mut Client,
    columns: &[(String, Type)],
    table: Option<&str>,
) -> Result<BTreeMap<String, String>, DatabaseError> {
    let Some(table) = table else {
        let known = |(name, of): &(String, Type)| (name.clone(), of.name().to_string());
        return Ok(columns.iter().map(known).collect());
    };
    let sql = "SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_attribute \
               WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped";
    let found = client.query(sql, &[&table])?;
    found
        .iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}

fn kind_of(of: &Type) -> DataType {
    match *of {
        Type::BOOL => DataType::Boolean,
        Type::INT2 | Type::INT4 | Type::INT8 => DataType::Int64,
        Type::FLOAT8 => DataType::Float64,
        Type::DATE => DataType::Date32,
        _ => DataType::Utf8,
    }
}

fn cell(row: &Row, place: usize, kind: &DataType) -> Result<Cell, DatabaseError> {
    let cell = match kind {
        DataType::Boolean => row.try_get::<_, Option<bool>>(place)?.map(Cell::Boolean),
        DataType::Int64 => row.try_get::<_, Option<i64>>(place)?.map(Cell::Integer),
        DataType::Float64 => row.try_get::<_, Option<f64>>(place)?.map(Cell::Decimal),
        DataType::Date32 => row.try_get::<_, Option<NaiveDate>>(place)?.map(Cell::Date),
        _ => row.try_get::<_, Option<String>>(place)?.map(Cell::Text),
    };
    Ok(cell.unwrap_or(Cell::Null))
}

/// Whether a table can be put here.
pub(crate) fn probe(place: &Place) -> Result<(), DatabaseError> {
    let mut client = connect(place)?;
    let table = place.table()?;
    let sql = "SELECT relkind::text FROM pg_class WHERE oid = to_regclass($1)";
    let found = client.query_opt(sql, &[&name_of(table, "")])?;
    let kind: Option<String> = found.map(|row| row.try_get(0)).transpose()?;
    match kind.as_deref() {
        None | Some("r") => {}
        Some(_) => {
            return Err(DatabaseError::usage(
                format!(
                    "`{table}` is a view, an index or the like, which a release cannot replace"
                ),
                "name a table",
            ));
        }
    }
    if let Some((schema, _)) = table.split_once('.') {
        let sql = "SELECT 1 FROM pg_namespace WHERE nspname = $1";
        if client.query_opt(sql, &[&schema])?.is_none() {
            return Err(DatabaseError::usage(
                format!("the database has no schema `{schema}`"),
                "make it first, or name another",
            ));
        }
    }
    Ok(())
}

/// A table in a transaction that is not yet over. A connection that ends takes it back.
pub(crate) struct Staged {
    client: Client,
    staged: String,
    target: String,
    /// The target's name without its schema.
    last: String,
}

impl Staged {
    pub fn begin(
        place: &Place,
        schema: &Schema,
        types: &BTreeMap<String, String>,
    ) -> Result<Self, DatabaseError> {
        let table = place.table()?;
        let mut client = connect(place)?;
        let column = |field: &std::sync::Arc<arrow_schema::Field>| {
            let kind = types.get(field.name()).map(String::as_str);
            let kind = kind.unwrap_or(match field.data_type() {
                DataType::Int64 => "bigint",
                DataType::Float64 => "double precision",
                DataType::Boolean => "boolean",
                DataType::Date32 => "date",
                _ => "text",
            });
            format!("{} {kind}", quoted(field.name()))
        };
        let columns: Vec<String> = schema.fields().iter().map(column).collect();
        let staged = name_of(table, STAGED);
        client.batch_execute(&format!(
            "BEGIN; CREATE TABLE {staged} ({})",
            columns.join(", ")
        ))?;
        let last = table.split_once('.').map_or(table, |(_, table)| table);
        Ok(Staged {
            client,
            staged,
            target: name_of(table, ""),
            last: quoted(last),
        })
    }
}

impl Staging for Staged {
    fn load(&mut self, batch: &RecordBatch) -> Result<(), DatabaseError> {
        let mut text = String::new();
        for row in 0..batch.num_rows() {
            for (place, column) in batch.columns().iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                // Nothing is null, and "" an empty text.
                if let Some(cell) = text_of(&cell_of(column, row)?) {
                    let _ = write!(text, "\"{}\"", cell.replace('"', "\"\""));
                }
            }
            text.push('\n');
        }
        let copy = format!("COPY {} FROM STDIN (FORMAT csv)", self.staged);
        let mut writer = self.client.copy_in(&copy)?;
        writer.write_all(text.as_bytes()).map_err(lost)?;
        writer.finish()?;
        Ok(())
    }

    fn read_back(&mut self, sink: &mut Sink<'_>) -> Result<Found, DatabaseError> {
        let staged = self.staged.clone();
        rows(&mut self.client, &staged, Some(&staged), sink)
    }

    fn publish(mut self: Box<Self>) -> Result<(), DatabaseError> {
        let Staged {
            client,
            staged,
            target,
            last,
        } = &mut *self;
        client.batch_execute(&format!(
            "DROP TABLE IF EXISTS {target}; ALTER TABLE {staged} RENAME TO {last}; COMMIT"
        ))?;
        Ok(())
    }
}

fn lost(error: std::io::Error) -> DatabaseError {
    DatabaseError::Failed(format!("the connection to PostgreSQL failed: {error}"))
}
