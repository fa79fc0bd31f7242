//! What happens meanwhile: a bar on a terminal, silence elsewhere; and Ctrl-C.

use std::sync::atomic::Ordering;
use std::time::Duration;

use coarsen_engine::{Engine, GridProgress, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows the stages of a run on stderr.
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar that is seen on a terminal only.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg} {elapsed}")
                .expect("the template is well-formed"),
        );
        bar.enable_steady_tick(Duration::from_millis(100));
        Bar { bar }
    }

    /// Tells of a stage.
    pub fn tell(&self, stage: Stage) {
        let message = match stage {
            Stage::Reading => "reading".to_string(),
            Stage::Counting => "counting combinations".to_string(),
            Stage::Searching(None) => "searching".to_string(),
            Stage::Searching(Some(progress)) => {
                let of = progress
                    .of
                    .map_or(String::new(), |of| format!(" of at most {of}"));
                let cost = progress
                    .cost
                    .map_or(String::new(), |cost| format!(", cost {cost:.4}"));
                format!("searching: step {}{of}{cost}", progress.done)
            }
            Stage::Writing => "recoding and writing".to_string(),
            Stage::Auditing => "auditing the written file".to_string(),
            Stage::Reporting => "writing the report".to_string(),
        };
        self.bar.set_message(message);
    }

    /// Steps aside while something else is written to the terminal.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how far a grid is.
pub struct GridBar {
    bar: ProgressBar,
}

impl GridBar {
    /// A bar that is seen on a terminal only.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(
            ProgressStyle::with_template("{bar:30} {pos} of {len} candidates {elapsed}")
                .expect("the template is well-formed"),
        );
        GridBar { bar }
    }

    /// Tells how far it is.
    pub fn tell(&self, progress: GridProgress) {
        self.bar.set_length(progress.of as u64);
        self.bar.set_position(progress.done as u64);
    }
}

impl Drop for GridBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The first Ctrl-C ends the work cleanly, with nothing half-written; the second ends the process.
pub fn cancel_on_interrupt(engine: &Engine) {
    let flag = engine.cancel_flag();
    // Without a handler Ctrl-C still ends the process, only less politely.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(3);
        }
    });
}
