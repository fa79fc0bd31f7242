//! One run over some columns of a file, on all threads and in memory that does not grow with the rows.

use datafusion::arrow::datatypes::Field;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::logical_expr::Expr;
use futures::StreamExt;
use tokio::task::JoinSet;

use crate::EngineError;
use crate::engine::Engine;
use crate::raw::key_of;
use crate::source::Source;

/// Takes in the batches of these columns, each part of the file from a copy of `start`, then merges the
/// parts. The parts end in any order, so `merge` must not care.
pub(super) fn fold<T: Clone + Send + 'static>(
    engine: &Engine,
    source: &Source,
    fields: &[&Field],
    start: T,
    take: impl Fn(&mut T, &RecordBatch) + Copy + Send + 'static,
    merge: impl Fn(&mut T, T),
) -> Result<T, EngineError> {
    let work = async {
        let keys: Vec<Expr> = fields
            .iter()
            .enumerate()
            .map(|(i, field)| key_of(field.name(), field.data_type()).alias(format!("c{i}")))
            .collect();
        let rows = source.table(engine.context()).await?.select(keys)?;
        let mut parts = JoinSet::new();
        for mut batches in rows.execute_stream_partitioned().await? {
            let mut part = start.clone();
            parts.spawn(async move {
                while let Some(batch) = batches.next().await {
                    take(&mut part, &batch?);
                }
                Ok::<T, EngineError>(part)
            });
        }
        let mut whole = start.clone();
        while let Some(part) = parts.join_next().await {
            match part {
                Ok(part) => merge(&mut whole, part?),
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(_) => return Err(EngineError::Cancelled),
            }
        }
        Ok(whole)
    };
    engine.wait(work).map_err(|error| source.blame(error))
}
