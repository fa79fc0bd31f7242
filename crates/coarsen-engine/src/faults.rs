//! Where in a table a bad cell stands: a second, slow look, taken only to name the row.

use datafusion::logical_expr::ident;
use futures::StreamExt;

use crate::EngineError;
use crate::count::type_of;
use crate::engine::Engine;
use crate::raw::{RawColumn, key_of, key_type};
use crate::source::Source;

/// The first row (from 1, the header not counted) whose cell in a column is one of the distinct cells
/// that `is_bad` names.
pub(crate) fn first_row_with(
    engine: &Engine,
    source: &Source,
    column: &RawColumn,
    is_bad: &dyn Fn(usize) -> bool,
) -> Result<u64, EngineError> {
    let bad: Vec<_> = (0..column.cells().len())
        .filter(|cell| is_bad(*cell))
        .map(|cell| column.cells()[cell].clone())
        .collect();
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
                return Ok(before + place as u64 + 1);
            }
            before += batch.num_rows() as u64;
        }
        Ok(0)
    };
    engine.wait(work).map_err(|error| source.blame(error))
}
