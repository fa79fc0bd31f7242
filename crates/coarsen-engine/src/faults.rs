//! Where in a table a bad cell stands: a second, slow look, taken only to name the row.

use std::path::PathBuf;

use coarsen::domain::Value;
use datafusion::logical_expr::ident;
use futures::StreamExt;

use crate::EngineError;
use crate::count::type_of;
use crate::engine::Engine;
use crate::raw::{RawColumn, key_of, key_type};
use crate::source::Source;

/// A row of a table.
pub(crate) struct Place {
    /// The file that it stands in.
    pub path: PathBuf,
    /// Its number there, from 1, the header not counted; 0 where it is not found again.
    pub row: u64,
}

/// The first row whose cell in a column is one of the distinct cells that `is_bad` names.
pub(crate) fn first_row_with(
    engine: &Engine,
    source: &Source,
    column: &RawColumn,
    is_bad: &dyn Fn(usize) -> bool,
) -> Result<Place, EngineError> {
    let bad: Vec<_> = (0..column.cells().len())
        .filter(|cell| is_bad(*cell))
        .map(|cell| column.cells()[cell].clone())
        .collect();
    for part in source.each_part() {
        if let Some(row) = row_with(engine, &part, column, &bad)? {
            let path = part.path;
            return Ok(Place { path, row });
        }
    }
    Ok(Place {
        path: source.path.clone(),
        row: 0,
    })
}

fn row_with(
    engine: &Engine,
    source: &Source,
    column: &RawColumn,
    bad: &[Option<Value>],
) -> Result<Option<u64>, EngineError> {
    let of = type_of(source, &column.name);
    let work = async {
        let table = source.table(&engine.in_order()?).await?;
        let cells = table.select(vec![key_of(&column.name, of).alias("cell")])?;
        let mut batches = cells.select(vec![ident("cell")])?.execute_stream().await?;
        let mut before = 0;
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            let mut here = RawColumn::new(&column.name, &key_type(of));
            here.extend(batch.column(0));
            let found = here
                .codes
                .iter()
                .position(|code| bad.contains(&here.cells()[*code as usize]));
            if let Some(place) = found {
                return Ok(Some(before + place as u64 + 1));
            }
            before += batch.num_rows() as u64;
        }
        Ok(None)
    };
    engine.wait(work).map_err(|error| source.blame(error))
}
