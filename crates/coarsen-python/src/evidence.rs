//! What a release can still be asked for: its report, its manifest, its rows in a file, and what a notebook
//! shows of it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use coarsen::policy::ReportKind;
use coarsen_engine::{Engine, EngineError, Evidence, manifest_beside};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::task::{Options, work};

/// The evidence of a release. Texts are made only when they are asked for.
#[pyclass(frozen, module = "coarsen._coarsen")]
pub struct NativeEvidence {
    kept: Arc<Mutex<Evidence>>,
    /// As many as the release was made with.
    threads: usize,
}

impl NativeEvidence {
    /// Wraps evidence that an engine made.
    pub fn new(evidence: Evidence, engine: &Engine) -> Self {
        NativeEvidence {
            kept: Arc::new(Mutex::new(evidence)),
            threads: engine.threads(),
        }
    }

    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work_on: impl FnOnce(&Engine, &mut Evidence) -> Result<T, EngineError> + Send + 'static,
    ) -> PyResult<T> {
        let kept = self.kept.clone();
        let options = Options::of_threads(self.threads);
        work(py, options, "policy", move |engine, _| {
            work_on(engine, &mut lock(&kept))
        })
    }
}

fn lock(kept: &Mutex<Evidence>) -> MutexGuard<'_, Evidence> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

fn kind_of(word: &str) -> PyResult<ReportKind> {
    ReportKind::from_word(word).ok_or_else(|| {
        let known = ReportKind::WORDS.join(", ");
        PyValueError::new_err(format!("kind must be one of {known}, not {word:?}"))
    })
}

#[pymethods]
impl NativeEvidence {
    /// What a notebook shows of the release.
    fn view(&self, py: Python<'_>) -> PyResult<String> {
        self.work(py, |engine, kept| {
            let kept = &*kept;
            Ok(engine.install(|| kept.view()))
        })
    }

    /// What a notebook shows of its audit.
    fn audit_view(&self, py: Python<'_>) -> PyResult<String> {
        self.work(py, |_, kept| Ok(kept.audit_view()))
    }

    /// The report's HTML.
    fn report(&self, py: Python<'_>, kind: &str) -> PyResult<String> {
        let kind = kind_of(kind)?;
        self.work(py, move |engine, kept| {
            let kept = &*kept;
            engine.install(|| kept.report(kind))
        })
    }

    /// The manifest's JSON.
    fn manifest(&self, py: Python<'_>, kind: &str) -> PyResult<String> {
        let kind = kind_of(kind)?;
        self.work(py, move |_, kept| Ok(kept.manifest(kind)?.to_json()))
    }

    /// Writes the report and the manifest beside it, or where it is said; gives both places.
    fn save_report(
        &self,
        py: Python<'_>,
        report: PathBuf,
        kind: &str,
        manifest: Option<PathBuf>,
    ) -> PyResult<(PathBuf, PathBuf)> {
        let kind = kind_of(kind)?;
        let manifest = manifest.unwrap_or_else(|| manifest_beside(&report));
        self.work(py, move |engine, kept| {
            kept.save(engine, kind, &report, &manifest)?;
            Ok((report, manifest))
        })
    }

    /// Writes rows that are in memory to a file; gives its place.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<PathBuf> {
        self.work(py, move |engine, kept| kept.save_rows(engine, &path))
    }

    /// What it is made of cannot be written down: pickled, it becomes `None`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, ()) {
        (py.None().bind(py).get_type(), ())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: Bound<'_, PyDict>) -> Py<Self> {
        slf
    }
}
