//! A method finds its recoding on the training rows alone (seed 001, section 4.1, step 2): domains,
//! counts and search know nothing of the test rows, not even which values occur there.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use coarsen::counts::{Classes, Counts, Entries, TallyColumn};
use coarsen::domain::hierarchy::{Built, Description, RawColumn, build};
use coarsen::domain::{Attribute, AttributeSettings, Code, Measure, Value};
use coarsen::loss;
use coarsen::policy::{Key, Policy, PolicyError, Represent, Role, Scheme, SuppressionMode};
use coarsen::privacy::{enforce, requirements};
use coarsen::problem::{Allowance, Problem};
use coarsen::recoding::{Recoding, SavedRecoding};
use coarsen::search::{self, Run};
use coarsen::workload::Workload;

use crate::error::LearnError;
use crate::rows::{RowColumn, Rows};

/// A way to release a table: a policy that names no file but the input's.
#[derive(Clone, Debug)]
pub struct Method {
    /// What it is called beside others.
    pub name: String,
    /// The policy, its hierarchies written out.
    pub policy: Policy,
}

/// What a method found on training rows.
#[derive(Debug)]
pub struct Found {
    /// The quasi-identifiers, as the training rows have them.
    pub attributes: Vec<Attribute>,
    /// The recoding.
    pub recoding: Recoding,
    /// For each quasi-identifier and each cell of the rows, its block (partitions) or its code
    /// (regions); `None` where the recoding knows no place for it.
    pub places: Vec<Vec<Option<u32>>>,
    /// Whether each training row was suppressed.
    pub suppressed: Vec<bool>,
    /// Whether suppressed rows stay, with nothing in them.
    pub masks: bool,
    /// The classes that are released.
    pub classes: usize,
    /// Every loss by its name; none where it does not apply.
    pub losses: Vec<(&'static str, Option<f64>)>,
    /// How long the search took.
    pub seconds: f64,
}

impl Method {
    /// Finds a recoding on some rows. `round` is told in errors.
    pub fn find(
        &self,
        rows: &Rows,
        training: &[u32],
        round: usize,
        cancel: Option<&AtomicBool>,
    ) -> Result<Found, LearnError> {
        let policy = &self.policy;
        let mut attributes = Vec::new();
        let mut entries = Entries::default();
        let mut codes_of_cells: Vec<Vec<Option<Code>>> = Vec::new();
        for column in rows.quasi_identifiers() {
            let (built, code_of) = described(policy, column, training)?;
            entries.codes.push(codes(column, &code_of, training));
            codes_of_cells.push(code_of);
            let described = &policy.columns[&column.name];
            attributes.push(Attribute {
                name: column.name.clone(),
                domain: built.domain,
                hierarchy: built.hierarchy,
                settings: AttributeSettings {
                    scheme: described.scheme.unwrap_or(Scheme::Level),
                    weight: described.weight.unwrap_or(1.0),
                    represent: described.represent.unwrap_or(Represent::Range),
                },
            });
        }
        let mut tallies = Vec::new();
        for column in rows.tallied() {
            let (built, code_of) = described(policy, column, training)?;
            entries.tallied.push(codes(column, &code_of, training));
            let has_tree = policy.columns[&column.name].hierarchy.is_some();
            tallies.push(TallyColumn {
                name: column.name.clone(),
                domain: built.domain,
                hierarchy: has_tree.then_some(built.hierarchy),
            });
        }
        entries.rows = vec![1; training.len()];
        let (counts, combination_of) = Counts::build(entries, tallies);
        let problem = problem(policy, attributes, counts, round)?;

        let name = policy.search.algorithm.as_str();
        let key = Key::of(["search", "algorithm"]);
        let algorithm = search::find(name)
            .ok_or_else(|| PolicyError::new(&key, format!("There is no algorithm `{name}`.")))?;
        let search = (algorithm.build)(policy.search.settings.get(name))
            .map_err(|error| PolicyError::new(&Key::of(["search", name]), error.message))?;
        let mut run = Run::new(policy.search.seed).with_budget(policy.search.budget);
        if let Some(flag) = cancel {
            run = run.with_cancel(flag);
        }
        let start = Instant::now();
        let outcome = search
            .search(&problem, &run)
            .map_err(|error| LearnError::Search { round, error })?;
        let seconds = start.elapsed().as_secs_f64();
        if matches!(outcome.recoding, Recoding::Cells(_)) {
            return Err(LearnError::unfit(
                format!(
                    "`{name}` recodes each row by itself here, so that what it found cannot be applied to test rows."
                ),
                "choose a method that makes partitions or regions (see `coarsen list algorithms`)",
            ));
        }
        let Problem {
            attributes, counts, ..
        } = &problem;
        let mut classes = outcome.recoding.classes(attributes, counts);
        let mode = problem.suppression.mode;
        enforce(counts, &problem.requirements, mode, &mut classes);
        let losses = loss::all(&problem, &classes)
            .into_iter()
            .map(|(entry, shown)| (entry.name, shown))
            .collect();
        let saved = SavedRecoding::new(&outcome.recoding, attributes, policy);
        let places = rows
            .quasi_identifiers()
            .enumerate()
            .map(|(place, column)| {
                let codes = &codes_of_cells[place];
                places(
                    &outcome.recoding,
                    &saved,
                    &attributes[place],
                    place,
                    column,
                    codes,
                )
            })
            .collect();
        Ok(Found {
            suppressed: suppressed(&classes, &combination_of),
            classes: classes.released().count(),
            masks: mode == SuppressionMode::Mask,
            places,
            losses,
            recoding: outcome.recoding,
            attributes: problem.attributes,
            seconds,
        })
    }
}

fn problem(
    policy: &Policy,
    attributes: Vec<Attribute>,
    counts: Counts,
    round: usize,
) -> Result<Problem, LearnError> {
    let failed = |error| LearnError::Problem { round, error };
    let workload = Workload::build(policy, &attributes, counts.tallies())?;
    let allowance = Allowance::of_share(
        policy.suppression.limit,
        counts.total(),
        policy.suppression.mode,
    );
    let name = policy.search.loss.as_str();
    let loss = loss::find(name).ok_or_else(|| {
        PolicyError::new(
            &Key::of(["search", "loss"]),
            format!("There is no loss `{name}`."),
        )
    })?;
    let demands = requirements(policy, counts.tallies()).map_err(failed)?;
    Problem::new(attributes, counts, demands, allowance, loss, workload).map_err(failed)
}

/// A column by the cells of some rows, and the code of each of its cells that occurs there.
fn described(
    policy: &Policy,
    column: &RowColumn,
    rows: &[u32],
) -> Result<(Built, Vec<Option<Code>>), LearnError> {
    let mut counts = vec![0u64; column.cells.len()];
    for row in rows {
        counts[column.codes[*row as usize] as usize] += 1;
    }
    let held: Vec<usize> = (0..counts.len()).filter(|cell| counts[*cell] > 0).collect();
    let cells: Vec<Option<Value>> = held.iter().map(|c| column.cells[*c].clone()).collect();
    let described = &policy.columns[&column.name];
    let is_quasi = column.role == Role::QuasiIdentifier;
    let description = Description {
        kind: Some(column.kind),
        format: described.format.as_deref(),
        hierarchy: described
            .hierarchy
            .as_ref()
            .filter(|_| is_quasi || column.role == Role::Sensitive),
        layout: None,
        order: described.order.as_deref(),
        flat: !is_quasi,
    };
    let raw = RawColumn {
        name: &column.name,
        cells: &cells,
        rows: &held.iter().map(|cell| counts[*cell]).collect::<Vec<u64>>(),
    };
    let built = build(raw, description)?;
    let mut code_of = vec![None; column.cells.len()];
    for (cell, code) in held.into_iter().zip(&built.code_of) {
        code_of[cell] = Some(*code);
    }
    Ok((built, code_of))
}

fn codes(column: &RowColumn, code_of: &[Option<Code>], rows: &[u32]) -> Vec<Code> {
    let code = |row: &u32| {
        code_of[column.codes[*row as usize] as usize]
            .expect("the cell of a training row has a code")
    };
    rows.iter().map(code).collect()
}

/// Where each cell of a column falls. A number that nothing covers goes where the nearest number below
/// it that was seen goes, or the least of all: new numbers are no surprise, new categories are.
fn places(
    recoding: &Recoding,
    saved: &SavedRecoding,
    attribute: &Attribute,
    place: usize,
    column: &RowColumn,
    codes: &[Option<Code>],
) -> Vec<Option<u32>> {
    let on_a_line = attribute.hierarchy.measure() == Measure::Span;
    let nearest = |cell: usize| -> Option<Code> {
        let value = column.cells[cell].as_ref().filter(|_| on_a_line)?;
        let present = attribute.domain.present() as Code;
        let below = (0..present).rev().find(|code| {
            let low = attribute.domain.low(*code);
            low.is_some_and(|low| low <= value)
        });
        below.or((present > 0).then_some(0))
    };
    let nearest = |cell: usize| codes[cell].or_else(|| nearest(cell));
    match recoding {
        Recoding::Partitions(partitions) => {
            let block_of = &partitions.columns[place].block_of;
            saved
                .blocks_of(place, &column.cells)
                .into_iter()
                .enumerate()
                .map(|(cell, block)| {
                    let known = codes[cell].map(|code| block_of[code as usize]);
                    let near = || nearest(cell).map(|code| block_of[code as usize]);
                    known.or(block).or_else(near)
                })
                .collect()
        }
        _ => (0..column.cells.len()).map(nearest).collect(),
    }
}

fn suppressed(classes: &Classes, combination_of: &[u32]) -> Vec<bool> {
    let combinations = combination_of
        .iter()
        .max()
        .map_or(0, |most| *most as usize + 1);
    let mut hidden = vec![false; combinations];
    for class in 0..classes.len() {
        if classes.is_suppressed(class) {
            for member in classes.members(class) {
                hidden[member.combination as usize] = true;
            }
        }
    }
    combination_of.iter().map(|c| hidden[*c as usize]).collect()
}
