//! Saved recodings in Python's hands, and the rules that they are used under.

use std::path::{Path, PathBuf};

use coarsen::policy::{Shortfall, Unseen};
use coarsen::recoding::{LoadError, SavedRecoding};
use pyo3::prelude::*;

use crate::failure;

/// A saved recoding. Its text is made only when it is asked for: of many regions it is long.
#[pyclass(frozen, module = "coarsen._coarsen")]
pub struct NativeRecoding {
    saved: SavedRecoding,
}

impl NativeRecoding {
    /// Wraps a recoding.
    pub fn new(saved: SavedRecoding) -> Self {
        NativeRecoding { saved }
    }

    /// The recoding.
    pub fn saved(&self) -> &SavedRecoding {
        &self.saved
    }

    /// Refuses a recoding that belongs to the rows it was found for.
    pub fn usable(&self, py: Python<'_>) -> PyResult<()> {
        match self.saved.kind() {
            "cells" => Err(failure::recoding(
                py,
                Path::new("recoding"),
                LoadError::Cells,
            )),
            _ => Ok(()),
        }
    }
}

#[pymethods]
impl NativeRecoding {
    /// Reads the text of a saved recoding. `name` is what messages call it.
    #[staticmethod]
    fn read(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let saved = SavedRecoding::from_json(text);
        let saved = saved.map_err(|error| failure::recoding(py, Path::new(name), error))?;
        Ok(NativeRecoding { saved })
    }

    /// The text.
    fn to_json(&self) -> String {
        self.saved.to_json()
    }

    /// `partitions`, `regions` or `cells`.
    #[getter]
    fn kind(&self) -> &str {
        self.saved.kind()
    }

    /// The quasi-identifiers.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let names = self.saved.columns().map(|(name, _)| name.to_string());
        names.collect()
    }

    /// The rules that it was made under, as JSON.
    #[getter]
    fn policy(&self) -> String {
        serde_json::to_string(&self.saved.policy).expect("a policy is plain data")
    }
}

/// How a saved recoding is used.
#[derive(FromPyObject)]
pub struct Use {
    unseen: Option<String>,
    shortfall: Option<String>,
    /// The recoding's file, where it has one: a key file is looked for beside it.
    path: Option<PathBuf>,
}

impl Use {
    /// The recoding under these rules.
    pub fn prepare(&self, recoding: &NativeRecoding) -> SavedRecoding {
        let mut saved = recoding.saved.clone();
        let policy = &mut saved.policy;
        if let Some(rule) = self.unseen.as_deref().and_then(Unseen::from_word) {
            policy.apply.unseen = rule;
        }
        if let Some(rule) = self.shortfall.as_deref().and_then(Shortfall::from_word) {
            policy.apply.shortfall = rule;
        }
        saved
    }

    /// The folder that a key file is looked for from.
    pub fn folder(&self) -> PathBuf {
        let folder = self.path.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new("")).to_path_buf()
    }
}
