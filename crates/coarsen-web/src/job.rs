//! Work that takes a while: it runs on a thread of its own, tells how far it is, and can be cancelled. The
//! page may be closed and opened again meanwhile.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use coarsen_engine::{Engine, Stage};
use serde_json::json;
use tokio::sync::watch;

use crate::said::Said;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// One release is searched for.
    Search,
    /// A grid of candidates is searched.
    Compare,
}

/// How work ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It is done.
    Done,
    /// It was cancelled.
    Cancelled,
    /// It cannot be done.
    Failed(Said),
}

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// What happens now, in words.
    pub stage: String,
    /// Steps done.
    pub done: Option<u64>,
    /// Steps in all, where that is known.
    pub of: Option<u64>,
    /// The best cost so far.
    pub cost: Option<f64>,
    /// How it ended; none while it goes on.
    pub ended: Option<Ended>,
}

impl Progress {
    /// What a stage of a release says.
    pub fn of_stage(stage: Stage) -> Self {
        let plain = |stage: &str| Progress {
            stage: stage.to_string(),
            ..Progress::default()
        };
        match stage {
            Stage::Reading => plain("Reading the file"),
            Stage::Counting => plain("Counting combinations"),
            Stage::Searching(None) => plain("Searching"),
            Stage::Searching(Some(progress)) => Progress {
                done: Some(progress.done),
                of: progress.of,
                cost: progress.cost,
                ..plain("Searching")
            },
            Stage::Writing => plain("Recoding and writing"),
            Stage::Auditing => plain("Auditing the written file"),
            Stage::Reporting => plain("Writing the report"),
        }
    }

    /// As the script reads it.
    pub fn to_json(&self, seconds: f64) -> serde_json::Value {
        json!({
            "stage": self.stage,
            "done": self.done,
            "of": self.of,
            "cost": self.cost,
            "seconds": seconds,
            "ended": self.ended.is_some(),
        })
    }
}

/// A piece of work and whoever waits for it.
#[derive(Debug)]
pub struct Job {
    /// What it does.
    pub work: Work,
    started: Instant,
    told: watch::Sender<Progress>,
    cancel: Arc<AtomicBool>,
}

impl Job {
    /// Starts work on a thread of its own. The engine is the work's own, so that cancelling it stops
    /// nothing else.
    pub fn start(
        work: Work,
        engine: Engine,
        run: impl FnOnce(&Engine, &(dyn Fn(Progress) + Sync)) -> Result<(), Ended> + Send + 'static,
    ) -> Arc<Job> {
        let job = Arc::new(Job {
            work,
            started: Instant::now(),
            told: watch::Sender::new(Progress {
                stage: "Starting".into(),
                ..Progress::default()
            }),
            cancel: engine.cancel_flag(),
        });
        let own = job.clone();
        std::thread::spawn(move || {
            let tell = |progress: Progress| {
                own.told.send_replace(progress);
            };
            let ended = std::panic::catch_unwind(AssertUnwindSafe(|| run(&engine, &tell)));
            drop(engine);
            let ended = match ended {
                Ok(Ok(())) => Ended::Done,
                Ok(Err(ended)) => ended,
                Err(_) => Ended::Failed(Said::new(
                    "The search broke down; nothing was written.",
                    "Please report this with the policy that you used.",
                )),
            };
            own.told
                .send_modify(|progress| progress.ended = Some(ended));
        });
        job
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.told.borrow().clone()
    }

    /// Hears of every change from now on.
    pub fn listen(&self) -> watch::Receiver<Progress> {
        self.told.subscribe()
    }

    /// Whether it still goes on.
    pub fn is_running(&self) -> bool {
        self.told.borrow().ended.is_none()
    }

    /// How long it has been going on.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Asks it to stop; it ends soon after.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}
