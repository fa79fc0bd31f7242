//! The engine itself: DataFusion with as many threads and as much memory as it was given.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::EngineError;
use crate::write::Rooms;

/// Memory for sorting, grouping and joining where the policy does not say: beyond it, spill to disk.
const DEFAULT_MEMORY: u64 = 1_600_000_000;

/// How the engine runs.
#[derive(Clone, Debug, Default)]
pub struct EngineSettings {
    /// Threads; as many as the machine has where absent.
    pub threads: Option<usize>,
    /// Bytes beyond which work spills to disk.
    pub memory: Option<u64>,
}

/// An embedded DataFusion, its threads, and a flag that cancels what it does.
pub struct Engine {
    settings: EngineSettings,
    context: SessionContext,
    /// Taken only when the engine is dropped.
    runtime: Option<tokio::runtime::Runtime>,
    threads: rayon::ThreadPool,
    cancel: Arc<AtomicBool>,
    rooms: Rooms,
}

impl Engine {
    /// Starts the engine.
    pub fn new(settings: EngineSettings) -> Result<Self, EngineError> {
        let threads = settings.threads.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, |threads| threads.get())
        });
        let failed =
            |error: std::io::Error| EngineError::io(std::path::Path::new("threads"), error);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            .enable_time()
            .build()
            .map_err(failed)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| failed(std::io::Error::other(error)))?;
        let context = context(threads, settings.memory.unwrap_or(DEFAULT_MEMORY))?;
        let cancel = Arc::new(AtomicBool::new(false));
        Ok(Engine {
            settings,
            context,
            runtime: Some(runtime),
            threads: pool,
            cancel,
            rooms: Rooms::default(),
        })
    }

    /// A session of this engine that keeps the order of rows: one partition, read from the start.
    pub(crate) fn in_order(&self) -> Result<SessionContext, EngineError> {
        context(1, self.settings.memory.unwrap_or(DEFAULT_MEMORY))
    }

    /// Where files wait before they are published.
    pub(crate) fn rooms(&self) -> &Rooms {
        &self.rooms
    }

    /// The bytes that the user allows, where there is a limit.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        self.settings.memory
    }

    /// The bytes that the engine takes for itself before it spills.
    pub(crate) fn memory(&self) -> u64 {
        self.settings.memory.unwrap_or(DEFAULT_MEMORY)
    }

    /// How many threads look at rows at a time.
    pub(crate) fn lanes(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// The session.
    pub(crate) fn context(&self) -> &SessionContext {
        &self.context
    }

    /// How many threads it has.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Raise it, and whatever the engine does ends soon with [`EngineError::Cancelled`].
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancel.clone()
    }

    /// Fails where the work was cancelled.
    pub(crate) fn check_cancel(&self) -> Result<(), EngineError> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(EngineError::Cancelled),
            false => Ok(()),
        }
    }

    /// Runs a search or a sort of ours on the engine's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.threads.install(work)
    }

    /// Waits for work of the engine, unless it is cancelled first.
    pub(crate) fn wait<T>(
        &self,
        work: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, EngineError> {
        let runtime = self
            .runtime
            .as_ref()
            .expect("the runtime lives as long as the engine");
        runtime.block_on(async {
            tokio::pin!(work);
            loop {
                tokio::select! {
                    done = &mut work => return done,
                    () = tokio::time::sleep(Duration::from_millis(50)) => {
                        if self.cancel.load(Ordering::Relaxed) {
                            return Err(EngineError::Cancelled);
                        }
                    }
                }
            }
        })
    }
}

impl Drop for Engine {
    /// Threads first: only when they are gone does nobody write any more.
    fn drop(&mut self) {
        drop(self.runtime.take());
        self.rooms.sweep();
    }
}

fn context(threads: usize, memory: u64) -> Result<SessionContext, EngineError> {
    let mut config = SessionConfig::new()
        .with_target_partitions(threads)
        .with_information_schema(false)
        // Dealing batches out to threads in turn would undo the order of the release.
        .with_round_robin_repartition(false)
        .with_collect_statistics(false);
    let options = config.options_mut();
    // Sorting what fits in one piece is quicker than merging a thousand small sorted pieces.
    options.execution.sort_in_place_threshold_bytes = (memory / 4) as usize;
    // What every sort holds back for its merge must leave room under a small limit too.
    let held_back = memory / (4 * threads as u64);
    options.execution.sort_spill_reservation_bytes =
        (held_back as usize).min(options.execution.sort_spill_reservation_bytes);
    // The look-up that recodes rows is always the smaller side of its join; built once, it spares the
    // rows a shuffle.
    options.optimizer.hash_join_single_partition_threshold = usize::MAX;
    options.optimizer.hash_join_single_partition_threshold_rows = usize::MAX;
    options.optimizer.prefer_hash_join = true;
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(memory as usize)))
        .build_arc()?;
    Ok(SessionContext::new_with_config_rt(config, runtime))
}
