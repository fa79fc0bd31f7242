//! How long and how loudly a search runs: budget, seed, progress and cancel live here, not in the
//! algorithms.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::question::Chooser;

/// What a search reports on its way.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Steps done.
    pub done: u64,
    /// Steps in all, where that is known.
    pub of: Option<u64>,
    /// The best cost so far, where there is one.
    pub cost: Option<f64>,
}

/// The search was cancelled from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Budget, seed, progress and cancel of one search.
pub struct Run<'a> {
    /// Where randomness starts: the same seed gives the same outcome.
    pub seed: u64,
    deadline: Option<Instant>,
    cancel: Option<&'a AtomicBool>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Who decides what a search leaves to the data holder, where there is someone.
    pub chooser: Option<Chooser<'a>>,
}

impl<'a> Run<'a> {
    /// A run that starts now, without limit, silent.
    pub fn new(seed: u64) -> Self {
        Run {
            seed,
            deadline: None,
            cancel: None,
            progress: None,
            chooser: None,
        }
    }

    /// Ends after this long.
    pub fn with_budget(mut self, budget: Option<Duration>) -> Self {
        self.deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
        self
    }

    /// Ends, without an outcome, when the flag is raised.
    pub fn with_cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Is told how the search goes.
    pub fn with_progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Asks someone where a search leaves a choice to the data holder.
    pub fn with_chooser(mut self, chooser: Option<Chooser<'a>>) -> Self {
        self.chooser = chooser;
        self
    }

    /// Whether the budget is used up.
    pub fn is_over(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Fails where the search was cancelled: to be asked often.
    pub fn check(&self) -> Result<(), Cancelled> {
        match self.cancel {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(Cancelled),
            _ => Ok(()),
        }
    }

    /// Reports progress.
    pub fn report(&self, progress: Progress) {
        if let Some(listener) = self.progress {
            listener(progress);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_run_without_limits_never_ends() {
        let run = Run::new(3).with_budget(None);
        assert_eq!(run.seed, 3);
        assert!(!run.is_over() && run.check().is_ok());
        // A budget past the end of time is none.
        assert!(!Run::new(0).with_budget(Some(Duration::MAX)).is_over());
    }

    #[test]
    fn a_budget_runs_out_and_a_flag_cancels() {
        assert!(Run::new(0).with_budget(Some(Duration::ZERO)).is_over());
        let flag = AtomicBool::new(false);
        let run = Run::new(0).with_cancel(&flag);
        assert_eq!(run.check(), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(run.check(), Err(Cancelled));
    }

    #[test]
    fn progress_reaches_the_listener() {
        let heard = Mutex::new(Vec::new());
        let listen = |progress: Progress| heard.lock().unwrap().push(progress.done);
        let run = Run::new(0).with_progress(&listen);
        for done in [1, 2] {
            run.report(Progress {
                done,
                of: None,
                cost: None,
            });
        }
        assert_eq!(*heard.lock().unwrap(), [1, 2]);
    }
}
