//! Work that Python waits for: it runs on threads of its own without the GIL, while the calling thread
//! looks for Ctrl-C and hands on progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use coarsen::policy::Policy;
use coarsen_engine::{Engine, EngineError, EngineSettings, Listener, Stage};
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
    /// The policy's threads and memory where these say nothing.
    pub fn under(mut self, policy: &Policy) -> Self {
        self.threads = self.threads.or(policy.search.threads);
        self.memory = self.memory.or(policy.engine.memory);
        self
    }
}

enum Event<T> {
    Started(Arc<AtomicBool>),
    Stage(Stage),
    Done(Result<T, EngineError>),
}

/// Does work with an engine of its own. `policy` names the policy in messages.
pub fn work<T: Send + 'static>(
    py: Python<'_>,
    options: Options,
    policy: &str,
    work: impl FnOnce(&Engine, Listener<'_>) -> Result<T, EngineError> + Send + 'static,
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
    work: impl FnOnce(&Engine, Listener<'_>) -> Result<T, EngineError>,
) {
    // Nobody listens any more where Python did not wait; then there is nothing to tell.
    let tell = |event| drop(events.send(event));
    let engine = match Engine::new(settings) {
        Ok(engine) => engine,
        Err(error) => return tell(Event::Done(Err(error))),
    };
    tell(Event::Started(engine.cancel_flag()));
    let listener = |stage: Stage| {
        if tells {
            tell(Event::Stage(stage));
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
    let mut told = Instant::now();
    loop {
        let event;
        (heard, event) = py.detach(move || {
            let event = heard.recv_timeout(POLL);
            (heard, event)
        });
        let interrupted = py.check_signals().and_then(|()| match (&event, progress) {
            (Ok(Event::Stage(stage)), Some(progress)) => {
                let is_step = matches!(stage, Stage::Searching(Some(_)));
                // A search may take thousands of steps a second.
                if is_step && told.elapsed() < POLL {
                    return Ok(());
                }
                told = Instant::now();
                tell(py, progress, stage)
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
            Ok(Event::Stage(_)) | Err(RecvTimeoutError::Timeout) => {}
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

fn tell(py: Python<'_>, progress: &Py<PyAny>, stage: &Stage) -> PyResult<()> {
    let (name, step) = match stage {
        Stage::Reading => ("reading", None),
        Stage::Counting => ("counting", None),
        Stage::Searching(step) => ("searching", step.as_ref()),
        Stage::Writing => ("recoding", None),
        Stage::Auditing => ("auditing", None),
        Stage::Reporting => ("reporting", None),
    };
    let done = step.map(|step| step.done);
    let of = step.and_then(|step| step.of);
    let cost = step.and_then(|step| step.cost);
    progress.call1(py, (name, done, of, cost)).map(drop)
}
