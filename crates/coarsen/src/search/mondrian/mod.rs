//! Mondrian (seed 001; LeFevre, DeWitt and Ramakrishnan 2006): the space of all combinations is split
//! again and again, each time so that every part satisfies all requirements, until no split is
//! allowed. Each box that is left is a region of the release.
//!
//! One driver; what differs between its variants is the rule that chooses the split:
//! `median`, `info-gain`, `lsd`, `selection` and `loss`. Nothing is suppressed.

mod columns;
mod grow;
mod levels;
mod loss;
mod measure;
mod median;
mod rows;
mod rule;
mod selection;
mod split;
mod strip;
mod summary;
mod survey;
mod targets;

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, InPasses, Outcome, Run, Search, SearchError, SettingsError, Step, Stop,
    per_combination, read_settings,
};
use crate::counts::{Classes, Passes};
use crate::domain::Code;
use crate::problem::Problem;
use crate::recoding::{Recoding, Region, Regions};
use grow::{Driver, Leaf};
use rayon::prelude::*;
use rows::Matrix;
use rule::Rule;
use split::Context;

pub(super) const ENTRY: Algorithm = Algorithm {
    name: "mondrian",
    summary: "cuts the space of all columns together into boxes, each as small as the requirement allows, for the models and queries of the workload; nothing is suppressed",
    source: "LeFevre, DeWitt and Ramakrishnan 2006",
    makes: "regions",
    settings: || serde_json::to_value(Settings::default()).unwrap_or_default(),
    build,
};

/// What a user may set of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// The rule that chooses splits.
    split: Split,
}

/// The split rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Split {
    /// By the workload: its selections first, then its targets; least LM where it has neither.
    #[default]
    Auto,
    /// The widest column at its median.
    Median,
    /// Least mixed categories.
    InfoGain,
    /// Least deviating quantities.
    Lsd,
    /// Least imprecise selections, then what the rest of the workload asks for.
    Selection,
    /// Least LM.
    Loss,
}

struct Mondrian {
    settings: Settings,
}

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    Ok(Box::new(Mondrian {
        settings: read_settings(settings)?,
    }))
}

/// The rules in the order in which they take their turn on a region.
fn rules<'a>(problem: &'a Problem, split: Split) -> Result<Vec<Box<dyn Rule + 'a>>, SearchError> {
    let workload = &problem.workload;
    let categories = || targets::Targets::of(problem, workload.categories());
    let quantities = || targets::Targets::of(problem, workload.quantities());
    let lacks =
        |what: &str, help: &str| SearchError::Unfit(format!("the split rule `{what}` {help}"));
    let boxed = |rule: targets::Targets| -> Box<dyn Rule + 'a> { Box::new(rule) };
    // Without a workload of its kind, the rule that loses least.
    let by_targets = || match targets::Targets::of(problem, workload.targets.iter()) {
        Some(rule) => boxed(rule),
        None => Box::new(loss::LeastLoss),
    };
    Ok(match split {
        Split::Median => vec![Box::new(median::Median)],
        Split::Loss => vec![Box::new(loss::LeastLoss)],
        Split::InfoGain => vec![boxed(categories().ok_or_else(|| {
            lacks(
                "info-gain",
                "needs a categorical column of role \"target\" with at least two values",
            )
        })?)],
        Split::Lsd => vec![boxed(quantities().ok_or_else(|| {
            lacks(
                "lsd",
                "needs a numeric column of role \"target\" with at least two values",
            )
        })?)],
        Split::Selection | Split::Auto => {
            let mut rules: Vec<Box<dyn Rule + 'a>> = Vec::new();
            match selection::Selections::of(problem) {
                Some(rule) => rules.push(Box::new(rule)),
                None if split == Split::Selection => {
                    return Err(lacks("selection", "needs workload.selections"));
                }
                None => {}
            }
            rules.push(by_targets());
            rules
        }
    })
}

/// The tile of everything.
fn whole_space(context: &Context<'_>) -> Vec<std::ops::Range<Code>> {
    let columns = context.columns.iter();
    columns
        .map(|column| 0..column.attribute.domain.size() as Code)
        .collect()
}

/// What is released for each leaf.
fn released(context: &Context<'_>, leaves: Vec<Leaf>) -> Vec<Region> {
    leaves
        .into_par_iter()
        .map(|leaf| leaf.release(context))
        .collect()
}

impl Search for Mondrian {
    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        let rules = rules(problem, self.settings.split)?;
        let context = Context::of(problem);
        check_whole(&context)?;
        let driver = Driver::new(&context, &rules, run);
        let mut matrix = Matrix::of(&problem.counts);
        let grown = driver.grow(matrix.rows(), whole_space(&context), 0)?;
        drop(matrix);
        let (leaves, tree) = grown.flatten();
        let regions = Regions::with_tree(released(&context, leaves), &tree);
        let classes = regions.classes(&problem.attributes, &problem.counts);
        let was_cut_short = driver.was_cut_short.into_inner();
        Ok(outcome(problem, regions, &classes, was_cut_short))
    }

    /// Rows as codes while it cuts, and the regions that it comes to, at most one for every k rows.
    fn memory(&self, problem: &Problem) -> u64 {
        let columns = problem.attributes.len() as u64;
        let combinations = problem.counts.combinations() as u64;
        let regions = (problem.counts.total() / problem.k().max(1)).min(combinations);
        per_combination(problem, 80, 4) + regions * (280 + 170 * columns)
    }

    fn can_pass(&self) -> bool {
        true
    }

    fn search_in_passes(
        &self,
        problem: &Problem,
        passes: &dyn Passes,
        run: &Run,
    ) -> Result<(Outcome, InPasses), SearchError> {
        let rules = rules(problem, self.settings.split)?;
        let context = Context::of(problem);
        check_whole(&context)?;
        let driver = Driver::new(&context, &rules, run);
        let columns = problem.attributes.len() + problem.counts.tallies().len();
        let grown = levels::grow_in_passes(&driver, passes, whole_space(&context), columns)?;
        let (leaves, tree) = grown.flatten();
        let regions = Regions::with_tree(released(&context, leaves), &tree);
        let found = survey::survey(problem, passes, &regions)?;
        let was_cut_short = driver.was_cut_short.into_inner();
        let outcome = outcome(problem, regions, &found.classes, was_cut_short);
        Ok((outcome, found))
    }
}

fn check_whole(context: &Context<'_>) -> Result<(), SearchError> {
    match context.may_be_class() {
        true => Ok(()),
        false => Err(SearchError::NoRelease(
            "the whole table as one class does not satisfy every requirement, and this algorithm suppresses no row".into(),
        )),
    }
}

fn outcome(problem: &Problem, regions: Regions, classes: &Classes, was_cut_short: bool) -> Outcome {
    Outcome {
        algorithm: ENTRY.name,
        cost: problem.cost(classes),
        trace: vec![Step {
            what: format!("cut the table into {} regions", classes.len()),
            ..Step::default()
        }],
        recoding: Recoding::Regions(regions),
        stop: match was_cut_short {
            true => Stop::Budget,
            false => Stop::Complete,
        },
        bound: None,
    }
}
