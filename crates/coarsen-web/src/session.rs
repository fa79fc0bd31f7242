//! Who is at the page: one session a browser, each with its project. They live as long as the server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::project::Project;
use crate::said::Said;
use crate::token;

/// How many browsers may have a session at a time.
const SESSIONS: usize = 32;

/// One browser's project.
#[derive(Default)]
pub struct Session {
    project: Mutex<Option<Project>>,
}

impl Session {
    /// The project, for a moment: nothing slow is done while it is held.
    pub fn project(&self) -> MutexGuard<'_, Option<Project>> {
        self.project.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the project, where there is one.
    pub fn with<T>(&self, change: impl FnOnce(&mut Project) -> T) -> Option<T> {
        self.project().as_mut().map(change)
    }

    /// Says that there is no project where there is none.
    pub fn open<T>(&self, look: impl FnOnce(&mut Project) -> Result<T, Said>) -> Result<T, Said> {
        self.with(look).unwrap_or_else(|| {
            Err(Said::new(
                "No file is open yet.",
                "Open one on the step Data.",
            ))
        })
    }
}

/// All sessions by their secret names.
#[derive(Default)]
pub struct Sessions(Mutex<HashMap<String, Arc<Session>>>);

impl Sessions {
    /// The session of a name.
    pub fn find(&self, name: &str) -> Option<Arc<Session>> {
        self.held().get(name).cloned()
    }

    /// A new session and its name; none where there are too many already, or no randomness.
    pub fn begin(&self) -> Option<String> {
        let name = token::secret().ok()?;
        let mut held = self.held();
        if held.len() >= SESSIONS {
            return None;
        }
        held.insert(name.clone(), Arc::default());
        Some(name)
    }

    /// Every session.
    pub fn all(&self) -> Vec<Arc<Session>> {
        self.held().values().cloned().collect()
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
