//! `auto`: the algorithm that serves the problem best among those there are.

use super::{Algorithm, InPasses, Outcome, Run, Search, SearchError, SettingsError, read_settings};
use crate::counts::Passes;
use crate::problem::Problem;

pub(super) const ENTRY: Algorithm = Algorithm {
    name: "auto",
    summary: "mondrian, cut for the workload: for its selections first, then for its targets, and for least loss where it has neither",
    source: "coarsen",
    makes: "what the chosen algorithm makes",
    settings: || serde_json::json!({}),
    build,
};

/// It has no settings of its own.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {}

struct Auto;

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    let Settings {} = read_settings(settings)?;
    Ok(Box::new(Auto))
}

fn chosen() -> Box<dyn Search> {
    (super::mondrian::ENTRY.build)(None).expect("every algorithm can be built from its defaults")
}

impl Search for Auto {
    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        chosen().search(problem, run)
    }

    fn memory(&self, problem: &Problem) -> u64 {
        chosen().memory(problem)
    }

    fn can_pass(&self) -> bool {
        chosen().can_pass()
    }

    fn search_in_passes(
        &self,
        problem: &Problem,
        passes: &dyn Passes,
        run: &Run,
    ) -> Result<(Outcome, InPasses), SearchError> {
        chosen().search_in_passes(problem, passes, run)
    }
}
