//! Rows that are in memory already, as Arrow record batches: they are read where they lie, and never
//! copied to be counted.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{DataType, FieldRef, Fields, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::datasource::MemTable;
use datafusion::error::DataFusionError;

/// Rows of one piece that an operator of the engine takes at a time.
const PIECE: usize = 8192;
/// Tables of more batches are joined into this many: rows of any two batches are compared in the
/// release's sort, and that needs a comparison a pair of batches.
const MOST_BATCHES: usize = 256;

/// A table in memory.
#[derive(Clone, Debug)]
pub struct Batches {
    schema: SchemaRef,
    batches: Arc<[RecordBatch]>,
}

impl Batches {
    /// Takes record batches of one schema, as they are.
    ///
    /// # Errors
    /// If there are very many of them and they cannot be joined into fewer.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self, ArrowError> {
        let mut batches: Vec<RecordBatch> = batches
            .into_iter()
            .filter(|batch| batch.num_rows() > 0)
            .collect();
        if batches.len() > MOST_BATCHES {
            let run = batches.len().div_ceil(MOST_BATCHES);
            let joined = batches.chunks(run).map(|run| concat_batches(&schema, run));
            batches = joined.collect::<Result<_, _>>()?;
        }
        Ok(Batches {
            schema,
            batches: batches.into(),
        })
    }

    /// The columns' names and types.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The batches, none of them empty.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The same table with texts in Arrow's plain layout, which every reader of Arrow knows; the engine
    /// reads files into a newer one.
    ///
    /// # Errors
    /// If a column's texts are too long for it together.
    pub fn with_plain_texts(self) -> Result<Self, ArrowError> {
        let plain = |field: &FieldRef| match field.data_type() {
            DataType::Utf8View => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8)),
            _ => field.clone(),
        };
        let schema = Arc::new(Schema::new(
            self.schema.fields().iter().map(plain).collect::<Fields>(),
        ));
        let plain = |batch: &RecordBatch| {
            let columns = batch.columns().iter().zip(schema.fields());
            let columns = columns.map(|(column, field)| cast(column, field.data_type()));
            RecordBatch::try_new(schema.clone(), columns.collect::<Result<_, _>>()?)
        };
        let batches = self.batches.iter().map(plain).collect::<Result<_, _>>()?;
        Ok(Batches { schema, batches })
    }

    /// The rows for the engine, in as many runs as it has threads: each run is in order, and so are the
    /// runs.
    pub(super) fn table(&self, runs: usize) -> Result<MemTable, DataFusionError> {
        let pieces: Vec<RecordBatch> = self
            .batches
            .iter()
            .flat_map(|batch| {
                let starts = (0..batch.num_rows()).step_by(PIECE);
                starts.map(|start| batch.slice(start, PIECE.min(batch.num_rows() - start)))
            })
            .collect();
        let run = pieces.len().div_ceil(runs.max(1)).max(1);
        let mut runs: Vec<Vec<RecordBatch>> = pieces.chunks(run).map(<[_]>::to_vec).collect();
        if runs.is_empty() {
            runs.push(Vec::new());
        }
        MemTable::try_new(self.schema.clone(), runs)
    }
}
