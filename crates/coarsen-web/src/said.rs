//! What is wrong, as the page says it: a sentence, what to do, and the policy's key where it is about one.

use std::path::Path;

use coarsen::policy::PolicyError;
use coarsen_engine::EngineError;

/// Something that went wrong, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The policy's key at fault.
    pub key: Option<String>,
}

impl Said {
    /// A message with advice.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Said {
            message: message.into(),
            help: Some(help.into()).filter(|help: &String| !help.is_empty()),
            key: None,
        }
    }

    /// An engine's error; paths are told as seen from `root`.
    pub fn of_engine(error: &EngineError, root: &Path) -> Self {
        let (message, key) = match error {
            EngineError::Policy(error) => (error.message.clone(), error.key.clone()),
            other => (other.to_string(), None),
        };
        Said {
            message: message.replace(&format!("{}/", root.display()), ""),
            help: error.help(),
            key,
        }
    }
}

impl From<PolicyError> for Said {
    fn from(error: PolicyError) -> Self {
        Said {
            message: error.message,
            help: error.help,
            key: error.key,
        }
    }
}
