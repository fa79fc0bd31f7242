//! Failures as Python exceptions: the words are those of the command line, the classes are those of
//! `coarsen._errors`.

use std::path::Path;

use arrow_schema::ArrowError;
use coarsen::policy::PolicyError;
use coarsen::problem::ProblemError;
use coarsen::search::SearchError;
use coarsen_engine::EngineError;
use pyo3::prelude::*;

/// An exception of ours.
fn exception(
    py: Python<'_>,
    class: &str,
    message: String,
    help: Option<String>,
    key: Option<&str>,
) -> PyErr {
    let make = || {
        let class = py.import("coarsen._errors")?.getattr(class)?;
        class.call1((message, help, key))
    };
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// A failure of the engine. `policy` names the policy that the work was done under.
pub fn engine(py: Python<'_>, error: EngineError, policy: &str) -> PyErr {
    let class = match &error {
        EngineError::Policy(error) => return self::policy(py, error, policy),
        EngineError::Input { .. } => "DataError",
        EngineError::Unseen(_) => "UnseenError",
        EngineError::Load { .. } => "RecodingError",
        EngineError::Problem(ProblemError::Impossible { .. })
        | EngineError::Search(SearchError::NoRelease(_) | SearchError::Unproven { .. })
        | EngineError::Shortfall(_) => "NoRelease",
        EngineError::Problem(_) | EngineError::Search(_) => "PolicyError",
        EngineError::Audit(_) => "AuditError",
        EngineError::Io { .. } | EngineError::DiskFull { .. } => "FileError",
        EngineError::Cancelled => "Cancelled",
        EngineError::Database { .. } | EngineError::DataFusion(_) => "EngineError",
    };
    exception(py, class, error.to_string(), error.help(), None)
}

/// A policy that cannot be used.
pub fn policy(py: Python<'_>, error: &PolicyError, name: &str) -> PyErr {
    let message = match &error.key {
        Some(key) => format!("{name} ({key}): {}", error.message),
        None => format!("{name}: {}", error.message),
    };
    let key = error.key.as_deref();
    exception(py, "PolicyError", message, error.help.clone(), key)
}

/// A recoding that cannot be used.
pub fn recoding(py: Python<'_>, path: &Path, error: coarsen::recoding::LoadError) -> PyErr {
    let path = path.to_path_buf();
    engine(py, EngineError::Load { path, error }, "recoding")
}

/// A table with a column of a type that is not known.
pub fn unknown_type(py: Python<'_>) -> PyErr {
    table(py, "it has a column of a type that is not supported")
}

/// A table that cannot be taken. What Arrow says may quote a cell, so it is not repeated.
pub fn arrow(py: Python<'_>, error: &ArrowError) -> PyErr {
    match error {
        ArrowError::SchemaError(_) => table(py, "its batches do not have the same columns"),
        ArrowError::CDataInterface(_) => unknown_type(py),
        _ => table(py, "it cannot be read"),
    }
}

fn table(py: Python<'_>, what: &str) -> PyErr {
    let message = format!("the table: {what}");
    let help = "convert the column to text, numbers, dates or truth values first".to_string();
    exception(py, "DataError", message, Some(help), None)
}
