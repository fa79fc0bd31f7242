//! The genetic search for the usage at hand (Iyengar 2002; seed 000): single-dimensional recodings as bit
//! strings, bred for any loss.
//!
//! A chromosome has a bit for each place where a column may be cut ([`space`], [`repair`], [`ends`]).
//! [`genitor`] breeds; a chromosome's cost is counted from the frequency list ([`cost`], [`tier`]) and
//! includes suppression: rows of classes that fall short are suppressed, and rows beyond the limit have a
//! price, so that the search may pass through releases that it may not end with. Only a release within the
//! limit is ever the best.
//!
//! Departures: the population may be seeded ([`seeding`]), the best is polished ([`polish`]), and several
//! losses may be mixed ([`objective`]). The paper gives no figures for its settings but the iterations.

mod column;
mod cost;
mod ends;
mod genitor;
mod objective;
mod polish;
mod repair;
mod seeding;
mod space;
#[cfg(test)]
mod tests;
mod tier;
mod tiers;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Outcome, Run, Search, SearchError, SettingsError, Step, Stop, per_combination,
    read_settings,
};
use crate::loss;
use crate::problem::Problem;
use column::Layout;
use cost::Evaluator;
use ends::Discretize;
use genitor::Genitor;
use objective::Objective;
use space::Space;

pub(super) const ENTRY: Algorithm = Algorithm {
    name: "genetic",
    summary: "breeds cuts of hierarchies and intervals of numbers for any loss; the best single-dimensional releases of larger tables, for those who can wait some seconds",
    source: "Iyengar 2002",
    makes: "partitions",
    settings: || serde_json::json!(Settings::default()),
    build,
};

/// What can be set under `search.genetic`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// How many chromosomes are kept.
    population: usize,
    /// How many children are bred at most.
    iterations: u64,
    /// It ends after so many children without a better release; 0 for never.
    stagnation: u64,
    /// The chance of each bit to be mutated.
    mutation: f64,
    /// How much more often the best is a parent than the middle one, from 1 to 2.
    bias: f64,
    /// What the whole table suppressed beyond the limit would cost, in costs of the coarsest release.
    penalty: f64,
    /// Searches whose outcomes the population starts from.
    seed_with: Vec<String>,
    /// Improve the best by single changes at the end.
    polish: bool,
    /// The most places at which a column may be cut, and one more.
    limit: usize,
    /// How a column with more values is divided.
    discretize: Discretize,
    /// A column whose scheme is `level` (one that names none has it) is cut at whole levels; otherwise
    /// anywhere on a number line, and by cuts of its tree elsewhere.
    whole_levels: bool,
    /// Losses with their weights, to be minimized in place of `search.loss`.
    mix: BTreeMap<String, f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            population: 500,
            iterations: 100_000,
            stagnation: 20_000,
            mutation: 0.003,
            bias: 1.5,
            penalty: 4.0,
            seed_with: Vec::new(),
            polish: true,
            limit: 256,
            discretize: Discretize::EqualFrequency,
            whole_levels: false,
            mix: BTreeMap::new(),
        }
    }
}

impl Settings {
    fn check(&self) -> Result<(), String> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        if self.population < 2 {
            return Err("`population` must be at least 2".into());
        }
        if !share(self.mutation) {
            return Err("`mutation` is the chance of a bit and must be from 0 to 1".into());
        }
        if !(1.0..=2.0).contains(&self.bias) {
            return Err("`bias` must be from 1 (none) to 2".into());
        }
        if !(self.penalty >= 0.0 && self.penalty.is_finite()) {
            return Err("`penalty` must be a number of at least 0".into());
        }
        if !(2..=60_000).contains(&self.limit) {
            return Err("`limit` must be from 2 to 60000".into());
        }
        for name in &self.seed_with {
            if !seeding::names().any(|known| known == name) {
                let known: Vec<&str> = seeding::names().collect();
                return Err(format!(
                    "`seed_with` has `{name}`, which is no search that makes partitions; there are {}",
                    known.join(", ")
                ));
            }
        }
        for (name, weight) in &self.mix {
            if loss::find(name).is_none() {
                let known: Vec<&str> = loss::LOSSES.iter().map(|entry| entry.name).collect();
                return Err(format!(
                    "`mix` has `{name}`, which is no loss; there are {}",
                    known.join(", ")
                ));
            }
            if !(*weight > 0.0 && weight.is_finite()) {
                return Err(format!("the weight of `{name}` in `mix` must be above 0"));
            }
        }
        Ok(())
    }
}

struct Genetic {
    settings: Settings,
}

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    let settings: Settings = read_settings(settings)?;
    settings
        .check()
        .map_err(|message| SettingsError { message })?;
    Ok(Box::new(Genetic { settings }))
}

impl Search for Genetic {
    /// Tables of combinations, a direct-address table for every thread and the one that calls them, and
    /// the population.
    fn memory(&self, problem: &Problem) -> u64 {
        let combinations = problem.counts.combinations() as u64;
        let places = cost::most_places(combinations);
        let bits: usize = problem.attributes.iter().map(|a| a.domain.size()).sum();
        per_combination(problem, 60, 105)
            + (rayon::current_num_threads() as u64 + 1) * places * size_of::<u32>() as u64
            + self.settings.population as u64 * (256 + bits as u64)
    }

    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        let settings = &self.settings;
        let mix: Vec<(String, f64)> = settings.mix.clone().into_iter().collect();
        let objective = Objective::new(problem, &mix)?;
        let layout = Layout {
            limit: settings.limit,
            discretize: settings.discretize,
            whole_levels: settings.whole_levels,
            nodes_only: objective.asks_height(),
        };
        let space = Space::new(problem, &layout, &objective)?;
        let evaluator = Evaluator::new(&space, &objective);
        let mut genitor = Genitor::new(&evaluator, settings);
        for name in &settings.seed_with {
            seeding::seed(&mut genitor, problem, name, run)?;
        }
        genitor.fill(run)?;
        let stop = genitor.breed(run)?;
        if let (true, Some(best)) = (settings.polish, genitor.best.clone()) {
            let polished = polish::polish(&genitor, best, run)?;
            genitor.improve(polished);
            genitor.note("polished");
        }
        outcome(genitor, problem, stop)
    }
}

fn outcome(
    mut genitor: Genitor<'_>,
    problem: &Problem,
    stop: Stop,
) -> Result<Outcome, SearchError> {
    let (space, tally) = (genitor.evaluator.space, genitor.tally);
    let Some(best) = genitor.best.take() else {
        return Err(SearchError::NoRelease(format!(
            "none of the {} releases that were tried, one class of everything among them, meets the requirements with at most {} rows suppressed",
            tally.evaluated, problem.suppression.rows
        )));
    };
    let counted = match genitor.tiers.combinations() {
        Some(combinations) => format!("counted from {combinations} combinations"),
        None => "each made and measured whole".to_string(),
    };
    let mut trace = std::mem::take(&mut genitor.trace);
    trace.push(Step {
        what: format!(
            "{} iterations over {} bits for {}: {} releases {counted}, {} children met before",
            tally.iterations,
            space.ends.len(),
            genitor.evaluator.objective.text(),
            tally.evaluated,
            tally.seen,
        ),
        short_rows: best.costed.suppressed,
        tradeoff: None,
    });
    let recoding = space.recoding(&best.bits);
    let mut classes = recoding.classes(&problem.attributes, &problem.counts);
    let mode = problem.suppression.mode;
    crate::privacy::enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    Ok(Outcome {
        algorithm: ENTRY.name,
        recoding,
        cost: problem.cost(&classes),
        stop,
        bound: None,
        trace,
    })
}
