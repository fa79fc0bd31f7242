//! Rows in several files, cut by their number alone: the same rows stand in the same part however many
//! threads made them. Each part is written like a file of its own while its rows arrive, so that no part
//! need fit in memory.

use std::path::Path;
use std::sync::{Arc, Mutex};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::dataframe::DataFrame;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::prelude::SessionContext;
use futures::channel::mpsc::{Receiver, channel};
use futures::{SinkExt, StreamExt};

use super::{Layout, write_rows};
use crate::EngineError;

/// Batches that may wait for the writer of a part.
const WAITING: usize = 2;

/// Where rows are cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// The rows of every part but the last.
    pub rows_of_part: u64,
    /// All rows that are expected.
    pub rows: u64,
}

/// Writes rows into the parts of a folder.
pub(crate) async fn write_parts(
    context: &SessionContext,
    rows: DataFrame,
    folder: &Path,
    layout: Layout,
    cut: Cut,
) -> Result<(), EngineError> {
    let schema: SchemaRef = Arc::new(rows.schema().as_arrow().clone());
    let mut stream = rows.execute_stream().await?;
    let count = cut.rows.div_ceil(cut.rows_of_part).max(1);
    // What of a batch belongs to the next part.
    let mut rest: Option<RecordBatch> = None;
    for number in 1..=count {
        let (mut sender, receiver) = channel(WAITING);
        let feed = async {
            // More rows than expected go into the last part, where the audit counts them.
            let mut room = match number == count {
                true => u64::MAX,
                false => cut.rows_of_part,
            };
            while room > 0 {
                let batch = match rest.take() {
                    Some(batch) => batch,
                    None => match stream.next().await {
                        Some(batch) => batch?,
                        None => break,
                    },
                };
                let here = room.min(batch.num_rows() as u64);
                if here < batch.num_rows() as u64 {
                    let here = here as usize;
                    rest = Some(batch.slice(here, batch.num_rows() - here));
                }
                room -= here;
                if sender.send(batch.slice(0, here as usize)).await.is_err() {
                    // The writer has failed, and tells why.
                    break;
                }
            }
            drop(sender);
            Ok::<(), EngineError>(())
        };
        let part = Arrives {
            schema: schema.clone(),
            batches: Mutex::new(Some(receiver)),
        };
        let table = StreamingTable::try_new(schema.clone(), vec![Arc::new(part)])?;
        let arriving = context.read_table(Arc::new(table))?;
        let path = folder.join(part_name(number, count, layout));
        let write = write_rows(arriving, &path, layout);
        let (fed, written) = futures::join!(feed, write);
        fed?;
        written?;
    }
    Ok(())
}

/// The name of a part: names sort as their numbers do.
fn part_name(number: u64, count: u64, layout: Layout) -> String {
    let digits = count.to_string().len().max(4);
    let ending = layout.format.word();
    let packed = layout.compression.ending();
    format!("part-{number:0digits$}.{ending}{packed}")
}

/// Whether a file may be a part that was written here.
pub(super) fn is_part_name(name: &Path) -> bool {
    let name = name.to_str().and_then(|name| name.strip_prefix("part-"));
    let number = name.and_then(|name| name.split_once('.'));
    number.is_some_and(|(number, _)| {
        number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Rows as they arrive, for the engine to write.
struct Arrives {
    schema: SchemaRef,
    batches: Mutex<Option<Receiver<RecordBatch>>>,
}

impl std::fmt::Debug for Arrives {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Arrives")
    }
}

impl PartitionStream for Arrives {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let batches = self.batches.lock().expect("no writer panics").take();
        let batches = batches.expect("a part is written once");
        let batches = batches.map(Ok::<_, DataFusionError>);
        Box::pin(RecordBatchStreamAdapter::new(self.schema.clone(), batches))
    }
}
