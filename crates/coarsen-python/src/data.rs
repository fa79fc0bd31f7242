//! Tables on their way in and out: Arrow streams, whose memory stays where it is, and paths.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, Field};
use coarsen_engine::{Batches, Engine, EngineError, Source, SourceSettings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use pyo3_arrow::input::AnyRecordBatch;

use crate::failure::{arrow, unknown_type};

/// What a table without a file is called in messages.
const TABLE: &str = "the table";

/// A table that was handed over: a path, or rows in memory.
pub enum Data {
    /// A file.
    File(PathBuf),
    /// Record batches.
    Memory(Batches),
}

impl Data {
    /// Takes a path or anything with Arrow's PyCapsule interface.
    pub fn take(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(path) = data.extract::<PathBuf>() {
            return Ok(Data::File(path));
        }
        let reader = data.extract::<AnyRecordBatch>();
        let reader = reader.and_then(AnyRecordBatch::into_reader);
        let reader = reader.map_err(|error| match is_of_types(py, &error) {
            true => unknown_type(py),
            false => error,
        })?;
        let read = |reader: Box<dyn RecordBatchReader + Send>| {
            let schema = reader.schema();
            let batches = reader.collect::<Result<Vec<RecordBatch>, ArrowError>>()?;
            Batches::new(schema, batches)
        };
        py.detach(|| read(reader))
            .map(Data::Memory)
            .map_err(|error| arrow(py, &error))
    }

    /// Opens it.
    pub fn open(self, engine: &Engine, settings: &SourceSettings) -> Result<Source, EngineError> {
        match self {
            Data::File(path) => Source::open(engine, &path, settings),
            Data::Memory(batches) => Source::of_batches(TABLE, batches),
        }
    }
}

/// Whether Arrow does not know the type of a column. What a table's own library says is left as it is.
fn is_of_types(py: Python<'_>, error: &PyErr) -> bool {
    let text = error.value(py).to_string();
    let known = ["C Data interface error", "Unexpected data type"];
    error.is_instance_of::<PyValueError>(py) && known.iter().any(|known| text.starts_with(known))
}

/// Takes a table once, for several uses: a stream can be read only once.
#[pyfunction]
pub fn hold(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Option<ArrowTable>> {
    Ok(match Data::take(py, data)? {
        Data::File(_) => None,
        Data::Memory(batches) => Some(ArrowTable::new(batches)),
    })
}

/// A table in Arrow's memory layout, for any library that takes Arrow's PyCapsule interface.
#[pyclass(frozen, module = "coarsen")]
pub struct ArrowTable {
    batches: Batches,
}

impl ArrowTable {
    /// Wraps a table.
    pub fn new(batches: Batches) -> Self {
        ArrowTable { batches }
    }

    fn field(&self) -> Field {
        let columns = self.batches.schema().fields().clone();
        Field::new_struct("", columns, false)
            .with_metadata(self.batches.schema().metadata().clone())
    }
}

#[pymethods]
impl ArrowTable {
    /// The rows as an Arrow stream.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let batches = self.batches.batches().to_vec();
        let arrays = batches
            .into_iter()
            .map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
        let stream = Box::new(ArrayIterator::new(arrays, Arc::new(self.field())));
        Ok(to_stream_pycapsule(py, stream, requested_schema)?)
    }

    /// The columns as an Arrow schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.batches.schema().as_ref())?)
    }

    /// How many rows there are.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.rows()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let fields = self.batches.schema().fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.rows()
    }

    fn __repr__(&self) -> String {
        format!(
            "<coarsen.ArrowTable of {} rows: {}>",
            self.batches.rows(),
            self.column_names().join(", ")
        )
    }
}
