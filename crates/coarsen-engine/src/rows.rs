//! A table's rows in codes, for those who measure on rows rather than release them: every
//! quasi-identifier, sensitive and target column with its distinct values, read by the column's type.

use std::path::Path;

use coarsen::domain::{Kind, Value};
use coarsen::policy::{Policy, Role};

use crate::EngineError;
use crate::database::located;
use crate::engine::Engine;
use crate::inline::self_contained;
use crate::raw::RawColumn;
use crate::release::check_search;
use crate::source::{Source, SourceSettings};
use crate::table::{Domains, Table};

/// A column in codes.
#[derive(Clone, Debug)]
pub struct CodedColumn {
    /// Its name.
    pub name: String,
    /// What it is to the release.
    pub role: Role,
    /// What its values are.
    pub kind: Kind,
    /// Its distinct cells; `None` is a missing one.
    pub cells: Vec<Option<Value>>,
    /// The cell of each entry.
    pub codes: Vec<u32>,
}

/// Entries in codes, with the rows that each stands for.
#[derive(Clone, Debug)]
pub struct CodedRows {
    /// The columns.
    pub columns: Vec<CodedColumn>,
    /// The rows of each entry.
    pub rows: Vec<u64>,
}

/// Reads the input of a policy. Gives the policy back with its hierarchy files written out and every
/// type stated, so that it needs no other file and guesses nothing anew.
pub fn read_rows(
    engine: &Engine,
    policy: &Policy,
    folder: &Path,
) -> Result<(CodedRows, Policy), EngineError> {
    check_search(policy)?;
    let path = located(folder, &policy.input.path);
    let source = Source::open(engine, &path, &SourceSettings::from(&policy.input))?;
    let table = Table::count(engine, source, policy, folder, Domains::OfPolicy)?;
    let mut own = self_contained(policy, folder)?;
    let columns = coded(&table, policy);
    for column in &columns {
        if let Some(described) = own.columns.get_mut(&column.name) {
            described.kind = Some(column.kind);
        }
    }
    let rows = table.raw.rows;
    Ok((CodedRows { columns, rows }, own))
}

/// Reads another file with the same columns, their types as [`read_rows`] found them: `policy` is what
/// it gave back. Columns come in the order of `like`.
pub fn read_more_rows(
    engine: &Engine,
    policy: &Policy,
    path: &Path,
    like: &CodedRows,
) -> Result<CodedRows, EngineError> {
    let settings = SourceSettings::from(&policy.input).of_another();
    let source = Source::open(engine, path, &settings)?;
    let names: Vec<&str> = source.names().collect();
    let lacking: Vec<&str> = like
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .filter(|name| !names.contains(name))
        .collect();
    if !lacking.is_empty() {
        return Err(EngineError::input(
            path,
            format!(
                "it has no column {}, which the policy's input has",
                lacking.join(", ")
            ),
            "give a file with the same columns as the input",
        ));
    }
    let foreign: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| !policy.columns.contains_key(*name))
        .collect();
    if !foreign.is_empty() {
        return Err(EngineError::input(
            path,
            format!(
                "it has a column {}, which the policy's input does not have",
                foreign.join(", ")
            ),
            "give a file with the same columns as the input",
        ));
    }
    // What no model looks at may be left out.
    let mut policy = policy.clone();
    policy
        .columns
        .retain(|name, _| names.contains(&name.as_str()));
    let table = Table::count(engine, source, &policy, Path::new(""), Domains::OfTable)?;
    let found = coded(&table, &policy);
    let of = |wanted: &CodedColumn| {
        let column = found.iter().find(|column| column.name == wanted.name);
        column.expect("the columns were compared").clone()
    };
    Ok(CodedRows {
        columns: like.columns.iter().map(of).collect(),
        rows: table.raw.rows,
    })
}

fn coded(table: &Table, policy: &Policy) -> Vec<CodedColumn> {
    let quasi = table
        .attributes
        .iter()
        .map(|attribute| attribute.domain.kind());
    let tallied = table.counts.tallies().iter();
    let kinds = quasi.chain(tallied.map(|tally| tally.column().domain.kind()));
    let column = |(raw, kind): (&RawColumn, Kind)| {
        let described = &policy.columns[&raw.name];
        let format = described.format.as_deref().filter(|_| kind == Kind::Date);
        let cells = raw.cells_less_missing(&policy.input.missing);
        let read = |cell: &Option<Value>| cell.as_ref().and_then(|cell| cell.convert(kind, format));
        CodedColumn {
            name: raw.name.clone(),
            role: described.role,
            kind,
            cells: cells.iter().map(read).collect(),
            codes: raw.codes.clone(),
        }
    };
    table.raw.columns.iter().zip(kinds).map(column).collect()
}
