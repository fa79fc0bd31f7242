//! The rows of a table as codes on disk, to be passed over again and again by a search that does not
//! hold them.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use coarsen::counts::{Batch, PassError, Passes};
use datafusion::arrow::array::{ArrayRef, AsArray, RecordBatch, UInt32Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, UInt32Type};
use datafusion::arrow::ipc::reader::FileReader;
use datafusion::arrow::ipc::writer::FileWriter;
use datafusion::execution::SpillFile;

use crate::EngineError;
use crate::coder::Coder;
use crate::count::{TakePart, each_batch};
use crate::engine::Engine;
use crate::table::Table;

/// Coded rows, one file a lane; the files go with it.
pub(crate) struct StoredRows<'a> {
    engine: &'a Engine,
    files: Vec<Arc<dyn SpillFile>>,
    /// Why a pass failed.
    failure: Mutex<Option<EngineError>>,
}

impl<'a> StoredRows<'a> {
    /// Codes every row of a table that was described, and stores it.
    pub fn write(
        engine: &'a Engine,
        table: &Table,
        take_part: &TakePart<'_>,
    ) -> Result<Self, EngineError> {
        let columns: Vec<String> = table.raw.columns.iter().map(|c| c.name.clone()).collect();
        let fields = |i: usize| Field::new(format!("c{i}"), DataType::UInt32, false);
        let schema = Arc::new(Schema::new(
            (0..columns.len()).map(fields).collect::<Vec<_>>(),
        ));
        let disk = &engine.context().runtime_env().disk_manager;
        let mut files = Vec::new();
        let mut writers = Vec::new();
        for _ in 0..engine.lanes() {
            let file = disk.create_tmp_file("the rows of the table as codes")?;
            let path = path_of(&file);
            let open = File::create(path).map_err(|error| EngineError::io(path, error))?;
            let writer = FileWriter::try_new(BufWriter::new(open), &schema)?;
            writers.push(Mutex::new(writer));
            files.push(file);
        }
        let store = |lane: usize, batch: RecordBatch| {
            let code = |(coder, cells): (&Coder, &ArrayRef)| -> ArrayRef {
                Arc::new(UInt32Array::from(coder.codes(cells)))
            };
            let coded: Vec<ArrayRef> = table.coders.iter().zip(batch.columns()).map(code).collect();
            let changed = coded.iter().any(|codes| {
                let codes = codes.as_primitive::<UInt32Type>().values();
                codes.contains(&Coder::UNKNOWN)
            });
            if changed {
                return Err(EngineError::input(
                    &table.source.path,
                    "it changed while it was read",
                    "wait until nobody writes to it, and run again",
                ));
            }
            let coded = RecordBatch::try_new(schema.clone(), coded)?;
            let mut writer = writers[lane].lock().expect("no lane panics");
            Ok(writer.write(&coded)?)
        };
        each_batch(engine, &table.source, &columns, take_part, &store)?;
        for writer in writers {
            writer.into_inner().expect("no lane panics").finish()?;
        }
        Ok(StoredRows {
            engine,
            files,
            failure: Mutex::new(None),
        })
    }

    /// Why a pass failed, where one did.
    pub fn failure(&self) -> Option<EngineError> {
        self.failure.lock().expect("no lane panics").take()
    }

    fn show(
        &self,
        lane: usize,
        visit: &(dyn Fn(usize, Batch<'_>) + Sync),
    ) -> Result<(), EngineError> {
        let path = path_of(&self.files[lane]);
        let file = File::open(path).map_err(|error| EngineError::io(path, error))?;
        let cancel = self.engine.cancel_flag();
        for batch in FileReader::try_new(BufReader::new(file), None)? {
            if cancel.load(Ordering::Relaxed) {
                return Err(EngineError::Cancelled);
            }
            let batch = batch?;
            let columns: Vec<&[u32]> = batch
                .columns()
                .iter()
                .map(|codes| &codes.as_primitive::<UInt32Type>().values()[..])
                .collect();
            let rows = batch.num_rows();
            visit(
                lane,
                Batch {
                    columns: &columns,
                    rows,
                },
            );
        }
        Ok(())
    }
}

/// Ours are local files: the engine's disk manager is told of no other place.
pub(crate) fn path_of(file: &Arc<dyn SpillFile>) -> &Path {
    file.path().expect("spill files are local")
}

impl Passes for StoredRows<'_> {
    fn lanes(&self) -> usize {
        self.files.len()
    }

    fn memory(&self) -> u64 {
        // The engine's own work is done while the search runs, and the other way round.
        self.engine.memory() / 2
    }

    fn pass(&self, visit: &(dyn Fn(usize, Batch<'_>) + Sync)) -> Result<(), PassError> {
        let shown: Vec<Result<(), EngineError>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.files.len())
                .map(|lane| scope.spawn(move || self.show(lane, visit)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no lane panics"))
                .collect()
        });
        match shown.into_iter().collect::<Result<Vec<()>, EngineError>>() {
            Ok(_) => Ok(()),
            Err(error) => {
                *self.failure.lock().expect("no lane panics") = Some(error);
                Err(PassError)
            }
        }
    }
}
