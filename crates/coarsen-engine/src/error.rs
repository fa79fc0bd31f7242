//! What can go wrong between a file and a release, sorted by whose fault it is.

use std::path::{Path, PathBuf};

use coarsen::policy::{Key, PolicyError};
use coarsen::problem::ProblemError;
use coarsen::recoding::{LoadError, UnseenError};
use coarsen::search::SearchError;
use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;

/// An error of the engine. [`EngineError::status`] is the command's exit status for it.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A file that cannot be taken as it is: the message names it, and the line or column at fault.
    #[error("{}: {message}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
        /// What to do about it.
        help: String,
    },
    /// A policy that does not fit the data.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A problem that has no solution.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// A search without an outcome.
    #[error(transparent)]
    Search(SearchError),
    /// A file that is no recoding.
    #[error("{}: {error}", path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: LoadError,
    },
    /// Values that a recoding has never seen.
    #[error(transparent)]
    Unseen(#[from] UnseenError),
    /// Rows that fall short where the policy does not allow to suppress them.
    #[error("{0}")]
    Shortfall(String),
    /// The written release did not pass its audit.
    #[error("the written release did not pass its audit and was removed: {0}")]
    Audit(String),
    /// The user cancelled.
    #[error("cancelled; nothing was written")]
    Cancelled,
    /// The file system said no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        error: std::io::Error,
    },
    /// A database failed, or the connection to it.
    #[error("{place}: {message}; nothing was changed there")]
    Database {
        /// The table.
        place: String,
        /// What happened.
        message: String,
    },
    /// There is no room left on a disk.
    #[error("the disk is full: there is no room left for {what}; nothing was written")]
    DiskFull {
        /// What there is no room for.
        what: String,
    },
    /// The data engine failed.
    #[error("the data engine failed: {0}")]
    DataFusion(Box<DataFusionError>),
}

impl EngineError {
    /// A bad input file.
    pub fn input(path: &Path, message: impl Into<String>, help: impl Into<String>) -> Self {
        EngineError::Input {
            path: path.to_path_buf(),
            message: message.into(),
            help: help.into(),
        }
    }

    /// A failure of the file system.
    pub fn io(path: &Path, error: std::io::Error) -> Self {
        EngineError::Io {
            path: path.to_path_buf(),
            error,
        }
    }

    /// What to do about it, where that can be said.
    pub fn help(&self) -> Option<String> {
        match self {
            EngineError::Input { help, .. } if !help.is_empty() => Some(help.clone()),
            EngineError::Policy(error) => error.help.clone(),
            EngineError::Unseen(_) => Some(
                "set apply.unseen to \"suppress\" (leave those rows out) or \"root\" (release * there), or add the values to the hierarchy and run again".into(),
            ),
            EngineError::Io { error, .. } => match error.kind() {
                std::io::ErrorKind::NotFound => Some("check the path; paths in a policy are relative to the policy's folder".into()),
                std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                    Some("choose a file or folder that you may read and write".into())
                }
                std::io::ErrorKind::StorageFull => Some(FREE_SPACE.into()),
                _ => None,
            },
            EngineError::DiskFull { .. } => Some(FREE_SPACE.into()),
            EngineError::Database { .. } => Some("see that the database is up and try again".into()),
            EngineError::Load { error, .. } => match error {
                LoadError::NotARecoding(_) => {
                    Some("give the file that `coarsen run` wrote where the policy has output.recoding".into())
                }
                // These two say in themselves what to do.
                LoadError::Version { .. } | LoadError::Cells => None,
            },
            EngineError::DataFusion(error) => match error.find_root() {
                DataFusionError::ResourcesExhausted(_) => Some(
                    "give it more memory with --memory or engine.memory, or leave both out".into(),
                ),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the engine or a search had less memory than it needed.
    pub(crate) fn is_of_memory(&self) -> bool {
        match self {
            EngineError::DataFusion(error) => {
                matches!(error.find_root(), DataFusionError::ResourcesExhausted(_))
            }
            EngineError::Policy(error) => error.key.as_deref() == Some("engine.memory"),
            _ => false,
        }
    }

    /// 1: no release can meet the requirement. 2: bad input. 3: anything else.
    pub fn status(&self) -> u8 {
        match self {
            EngineError::Problem(ProblemError::Impossible { .. })
            | EngineError::Search(SearchError::NoRelease(_) | SearchError::Unproven { .. })
            | EngineError::Shortfall(_)
            | EngineError::Audit(_) => 1,
            EngineError::Input { .. }
            | EngineError::Search(SearchError::Unfit(_))
            | EngineError::Policy(_)
            | EngineError::Problem(_)
            | EngineError::Load { .. }
            | EngineError::Unseen(_) => 2,
            EngineError::Io { error, .. } => match error.kind() {
                std::io::ErrorKind::NotFound
                | std::io::ErrorKind::PermissionDenied
                | std::io::ErrorKind::ReadOnlyFilesystem
                | std::io::ErrorKind::NotADirectory
                | std::io::ErrorKind::IsADirectory
                | std::io::ErrorKind::AlreadyExists => 2,
                _ => 3,
            },
            EngineError::Search(SearchError::Cancelled(_) | SearchError::Pass(_))
            | EngineError::Cancelled
            | EngineError::Database { .. }
            | EngineError::DiskFull { .. }
            | EngineError::DataFusion(_) => 3,
        }
    }
}

impl From<SearchError> for EngineError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Cancelled(_) => EngineError::Cancelled,
            other => EngineError::Search(other),
        }
    }
}

/// What to do where a disk is full.
const FREE_SPACE: &str = "free some space, or write elsewhere; what spills from memory goes to the folder for temporary files, which TMPDIR names";

/// How every layer passes on what the file system says of a full disk.
const NO_SPACE: [&str; 2] = ["No space left on device", "Disk quota exceeded"];

/// How the engine says that the end of a file could not be written; it keeps the reason to itself.
const LAST_WRITES: &str = "Error encountered while finalizing writes";

impl From<DataFusionError> for EngineError {
    fn from(error: DataFusionError) -> Self {
        let text = error.to_string();
        if text.contains(LAST_WRITES) {
            let what = "the release, or the disk fails (the engine does not tell them apart)";
            return EngineError::DiskFull { what: what.into() };
        }
        if !NO_SPACE.iter().any(|full| text.contains(full)) {
            return EngineError::DataFusion(Box::new(error));
        }
        // Files are written through an object store, and what spills is not.
        let what = match text.contains("LocalFileSystem") {
            true => "the release".to_string(),
            false => {
                let folder = std::env::temp_dir();
                format!("what does not fit in memory, in {}", folder.display())
            }
        };
        EngineError::DiskFull { what }
    }
}

impl From<ArrowError> for EngineError {
    fn from(error: ArrowError) -> Self {
        DataFusionError::from(error).into()
    }
}

/// What the core says is wrong, at a key of the policy. The core says what to do about it after a
/// semicolon; a policy's error has that apart, and both as sentences.
pub(crate) fn at_key(key: &Key, text: &str) -> PolicyError {
    let sentence = |text: &str| {
        let mut rest = text.chars();
        let first = rest.next().into_iter().flat_map(char::to_uppercase);
        first.chain(rest).chain(['.']).collect::<String>()
    };
    match text.split_once("; ") {
        Some((message, help)) => PolicyError::new(key, sentence(message)).with_help(sentence(help)),
        None => PolicyError::new(key, sentence(text)),
    }
}

/// Whether a failure of the engine is about what stands in a file rather than about the machine.
pub(crate) fn is_about_data(error: &DataFusionError) -> bool {
    match error.find_root() {
        DataFusionError::ArrowError(error, _) => matches!(
            **error,
            ArrowError::CsvError(_)
                | ArrowError::JsonError(_)
                | ArrowError::ParseError(_)
                | ArrowError::CastError(_)
                | ArrowError::ParquetError(_)
                | ArrowError::IpcError(_)
        ),
        DataFusionError::ParquetError(_) => true,
        _ => false,
    }
}

/// Whether a failure of the engine is about reading bytes.
pub(crate) fn is_of_reading(error: &DataFusionError) -> bool {
    match error.find_root() {
        DataFusionError::IoError(_) => true,
        DataFusionError::ArrowError(error, _) => {
            matches!(
                **error,
                ArrowError::IoError(..) | ArrowError::ExternalError(_)
            )
        }
        DataFusionError::External(_) | DataFusionError::ObjectStore(_) => true,
        _ => false,
    }
}

/// A text with carets under a part of it.
pub(crate) fn mark(text: &str, at: &std::ops::Range<usize>) -> String {
    let before = text[..at.start.min(text.len())].chars().count();
    let width = text
        .get(at.clone())
        .map_or(1, |part| part.chars().count().max(1));
    format!("  {text}\n  {}{}", " ".repeat(before), "^".repeat(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_core_says_becomes_message_and_help() {
        let key = Key::of(["search", "loss"]);
        let error = at_key(&key, "it needs a target; give a column that role");
        assert_eq!(error.message, "It needs a target.");
        assert_eq!(error.help.as_deref(), Some("Give a column that role."));
        assert_eq!(at_key(&key, "no").message, "No.");
    }
}
