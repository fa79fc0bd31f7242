//! The Python package's native part, `coarsen._coarsen`: tables cross as Arrow streams, everything else
//! as JSON. What users see, and its documentation, is written in Python over it (`../python/coarsen`).

mod calls;
mod compare;
mod data;
mod evidence;
mod failure;
mod policy;
mod recoding;
mod task;

use pyo3::prelude::*;

/// The native part of `coarsen`.
#[pymodule]
fn _coarsen(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<data::ArrowTable>()?;
    module.add_class::<recoding::NativeRecoding>()?;
    module.add_class::<evidence::NativeEvidence>()?;
    module.add_class::<compare::NativeFrontier>()?;
    module.add_function(wrap_pyfunction!(calls::check_policy, module)?)?;
    module.add_function(wrap_pyfunction!(calls::release, module)?)?;
    module.add_function(wrap_pyfunction!(calls::run, module)?)?;
    module.add_function(wrap_pyfunction!(calls::apply, module)?)?;
    module.add_function(wrap_pyfunction!(calls::recode_rows, module)?)?;
    module.add_function(wrap_pyfunction!(calls::apply_file, module)?)?;
    module.add_function(wrap_pyfunction!(calls::check, module)?)?;
    module.add_function(wrap_pyfunction!(calls::profile, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(data::hold, module)?)?;
    module.add_function(wrap_pyfunction!(calls::hierarchy, module)?)?;
    module.add_function(wrap_pyfunction!(calls::read, module)?)?;
    module.add_function(wrap_pyfunction!(calls::catalog, module)?)?;
    Ok(())
}
