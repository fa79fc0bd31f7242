//! Work that Python waits for: it runs on threads of its own without the GIL, while the calling thread
//! looks for Ctrl-C and hands on progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use coarsen::policy::Policy;
use coarsen_engine::{Engine, EngineError, EngineSettings, GridProgress, Stage};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::failure;

/// How often Ctrl-C is looked for.
const POLL: Duration = Duration::from_millis(50);
/// How long cancelled work may take to clean up before Python goes on without waiting for it.
const PATIENCE: Duration = Duration::from_millis(700);

/// How work runs.
#[derive(FromPyObject)]
pub struct Options {
    /// Threads; all cores where absent.
    threads: Option<usize>,
    /// Bytes beyond which work spills to disk.
    memory: Option<u64>,
    /// Called with the stage, and with steps done, steps in all and cost of a search.
    progress: Option<Py<PyAny>>,
}

impl Options {
    /// So many threads, and nothing else.
    pub fn of_threads(threads: usize) -> Self {
        Options {
            threads: Some(threads),
            memory: None,
            progress: None,
        }
    }

    /// The policy's threads and memory where these say nothing.
    pub fn under(mut self, policy: &Policy) -> Self {
        self.threads = self.threads.or(policy.search.threads);
        self.memory = self.memory.or(policy.engine.memory);
        self
    }
}

/// How far work is: the stage and, where it goes in steps, those that are done.
pub struct Told {
    stage: &'static str,
    done: Option<u64>,
    of: Option<u64>,
    cost: Option<f64>,
}

impl From<Stage> for Told {
    fn from(stage: Stage) -> Self {
        let (stage, step) = match stage {
            Stage::Reading => ("reading", None),
            Stage::Counting => ("counting", None),
            Stage::Searching(step) => ("searching", step),
            Stage::Writing => ("recoding", None),
            Stage::Auditing => ("auditing", None),
            Stage::Reporting => ("reporting", None),
        };
        Told {
            stage,
            done: step.as_ref().map(|step| step.done),
            of: step.as_ref().and_then(|step| step.of),
            cost: step.and_then(|step| step.cost),
        }
    }
}

impl From<GridProgress> for Told {
    fn from(progress: GridProgress) -> Self {
        Told {
            stage: "comparing",
            done: Some(progress.done as u64),
            of: Some(progress.of as u64),
            cost: None,
        }
    }
}

/// Whom work tells how far it is.
pub type Tell<'a> = &'a (dyn Fn(Told) + Sync);

enum Event<T> {
    Started(Arc<AtomicBool>),
    Told(Told),
    Done(Result<T, EngineError>),
}

/// Does work with an engine of its own. `policy` names the policy in messages.
pub fn work<T: Send + 'static>(
    py: Python<'_>,
    options: Options,
    policy: &str,
    work: impl FnOnce(&Engine, Tell<'_>) -> Result<T, EngineError> + Send + 'static,
) -> PyResult<T> {
    let settings = EngineSettings {
        threads: options.threads,
        memory: options.memory,
    };
    let (events, heard) = channel();
    let tells = options.progress.is_some();
    std::thread::spawn(move || in_background(settings, tells, events, work));
    wait(py, heard, options.progress.as_ref())?.map_err(|error| failure::engine(py, error, policy))
}

fn in_background<T: Send>(
    settings: EngineSettings,
    tells: bool,
    events: Sender<Event<T>>,
    work: impl FnOnce(&Engine, Tell<'_>) -> Result<T, EngineError>,
) {
    // Nobody listens any more where Python did not wait; then there is nothing to tell.
    let tell = |event| drop(events.send(event));
    let engine = match Engine::new(settings) {
        Ok(engine) => engine,
        Err(error) => return tell(Event::Done(Err(error))),
    };
    tell(Event::Started(engine.cancel_flag()));
    let listener = |told: Told| {
        if tells {
            tell(Event::Told(told));
        }
    };
    match work(&engine, &listener) {
        Ok(done) => tell(Event::Done(Ok(done))),
        Err(error) => {
            // Only when its threads are gone does the engine leave nothing behind.
            drop(engine);
            tell(Event::Done(Err(error)));
        }
    }
}

fn wait<T: Send>(
    py: Python<'_>,
    mut heard: Receiver<Event<T>>,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Result<T, EngineError>> {
    let mut cancel: Option<Arc<AtomicBool>> = None;
    let mut last: Option<Instant> = None;
    loop {
        let event;
        (heard, event) = py.detach(move || {
            let event = heard.recv_timeout(POLL);
            (heard, event)
        });
        let interrupted = py.check_signals().and_then(|()| match (&event, progress) {
            (Ok(Event::Told(step)), Some(progress)) => {
                // A search may take thousands of steps a second.
                let is_last = step.done == step.of;
                let is_soon = last.is_some_and(|last| last.elapsed() < POLL);
                if step.done.is_some() && !is_last && is_soon {
                    return Ok(());
                }
                last = Some(Instant::now());
                let Told {
                    stage,
                    done,
                    of,
                    cost,
                } = *step;
                progress.call1(py, (stage, done, of, cost)).map(drop)
            }
            _ => Ok(()),
        });
        if let Err(error) = interrupted {
            if let Some(cancel) = cancel {
                cancel.store(true, Ordering::Relaxed);
                py.detach(move || until_done(heard));
            }
            return Err(error);
        }
        match event {
            Ok(Event::Started(flag)) => cancel = Some(flag),
            Ok(Event::Done(done)) => return Ok(done),
            Ok(Event::Told(_)) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "coarsen stopped unexpectedly; this is a fault of coarsen",
                ));
            }
        }
    }
}

fn until_done<T>(heard: Receiver<Event<T>>) {
    let start = Instant::now();
    while let Some(left) = PATIENCE.checked_sub(start.elapsed()) {
        match heard.recv_timeout(left) {
            Ok(Event::Done(_)) | Err(_) => return,
            Ok(_) => {}
        }
    }
}
