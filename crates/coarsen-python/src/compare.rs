//! Grids of candidates: the same search, figures and plot as `coarsen compare`.

use std::path::PathBuf;
use std::time::Duration;

use coarsen_engine::{
    Comparison, Frontier, Grid, GridProgress, SourceSettings, StateFile, compare_source,
};
use coarsen_report::report::chart_view;
use pyo3::prelude::*;

use crate::data::Data;
use crate::failure;
use crate::policy::PolicyArgument;
use crate::task::{Options, work};

/// What is varied, and how long it may take.
#[derive(FromPyObject)]
pub struct GridArgument {
    algorithms: Vec<String>,
    k: Vec<u64>,
    losses: Vec<String>,
    limits: Vec<f64>,
    /// Seconds for all points together.
    budget: Option<f64>,
    /// Where finished points are kept.
    state: Option<PathBuf>,
}

impl From<GridArgument> for Comparison {
    fn from(asked: GridArgument) -> Self {
        Comparison {
            grid: Grid {
                algorithms: asked.algorithms,
                k: asked.k,
                losses: asked.losses,
                limits: asked.limits,
            },
            budget: asked.budget.map(Duration::from_secs_f64),
            state: asked.state.map_or(StateFile::None, StateFile::Kept),
        }
    }
}

/// A searched grid.
#[pyclass(frozen, module = "coarsen._coarsen")]
pub struct NativeFrontier {
    frontier: Frontier,
}

#[pymethods]
impl NativeFrontier {
    /// What `compare --json` prints.
    fn to_json(&self) -> String {
        serde_json::to_string(&self.frontier).expect("a frontier is plain data")
    }

    /// What `compare --csv` writes.
    fn to_csv(&self) -> String {
        self.frontier.to_csv()
    }

    /// What `compare --plot` writes.
    fn plot(&self) -> String {
        self.frontier.plot().to_file()
    }

    /// The plot for a notebook.
    fn plot_view(&self) -> String {
        chart_view(&self.frontier.plot())
    }

    /// What to set in the policy to make the release of a point.
    fn set(&self, number: usize) -> Option<Vec<(String, String)>> {
        let place = number.checked_sub(1)?;
        self.frontier.candidates.get(place).map(|c| c.point.set())
    }
}

/// Searches a grid; without data, over the policy's own input.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    policy: PolicyArgument,
    grid: GridArgument,
    options: Options,
) -> PyResult<NativeFrontier> {
    let spoken = policy.read(py)?;
    let data = match data {
        Some(data) => Data::take(py, data)?,
        None => {
            let checked = spoken.policy.check();
            checked.map_err(|error| failure::policy(py, &error, &spoken.name))?;
            Data::File(spoken.folder.join(&spoken.policy.input.path))
        }
    };
    let comparison = Comparison::from(grid);
    let name = spoken.name.clone();
    let options = options.under(&spoken.policy);
    work(py, options, &name, move |engine, tell| {
        let settings = SourceSettings::from(&spoken.policy.input);
        let source = data.open(engine, &settings)?;
        let listener = |progress: GridProgress| tell(progress.into());
        let (policy, folder) = (&spoken.policy, &spoken.folder);
        let frontier = compare_source(engine, source, policy, folder, &comparison, &listener)?;
        Ok(NativeFrontier { frontier })
    })
}
