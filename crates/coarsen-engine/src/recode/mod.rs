//! Recoding: the plan, run by the engine, that turns rows into released rows.
//!
//! Where what is released in a column depends on that column alone, each column is a table look-up
//! in an expression (`by_column`); where a search has cut the space into regions, a row's codes lead
//! to its region (`by_region`); otherwise rows are joined with a table of all distinct combinations
//! (`by_combination`). All give every row a *rank*, the place of its class in the release's order, by
//! which the rows are then sorted.

mod by_column;
mod by_combination;
mod by_region;
mod labels;
mod order;

use std::collections::HashSet;

use coarsen::counts::Classes;
use coarsen::policy::{Key, Order, Policy, PolicyError, Role, SuppressionMode, Treatment};
use coarsen::recoding::{Shown, ShownCells, show};
use datafusion::dataframe::DataFrame;
use datafusion::logical_expr::{Expr, ident};
use datafusion::prelude::SessionContext;

pub(crate) use by_region::ByRegion;

use crate::EngineError;
use crate::count::{Missing, rows, type_of};
use crate::identifiers::Secrets;
use crate::raw::key_of;
use crate::table::{Table, names_with};

/// What the release of one quasi-identifier looks like.
enum Released {
    /// The cells as they stand in the file.
    AsIs,
    /// What each class shows, in one or two columns.
    Shown(Vec<Shown>),
}

/// Rows with their rank, and what each quasi-identifier shows for them.
struct Recoded {
    /// Has `rank`, the cells that are released as they are, and whatever `shown` speaks of.
    rows: DataFrame,
    /// Per quasi-identifier that is not released as it is: an expression a released column.
    shown: Vec<Vec<Expr>>,
}

/// A table with its classes and how each quasi-identifier is released.
struct Job<'a> {
    table: &'a Table,
    classes: &'a Classes,
    released: Vec<Released>,
    /// Suppressed rows stay, with `*` in every quasi-identifier.
    masks: bool,
}

/// The names of the columns that quasi-identifiers are released under.
pub(crate) struct Names {
    /// Per quasi-identifier.
    pub of_attributes: Vec<Vec<String>>,
}

/// The released rows as a plan, and the names of the released quasi-identifiers.
pub(crate) async fn released_rows(
    context: &SessionContext,
    table: &Table,
    classes: &Classes,
    policy: &Policy,
    secrets: &Secrets,
    by_region: Option<&ByRegion>,
) -> Result<(DataFrame, Names), EngineError> {
    let masks = policy.suppression.mode == SuppressionMode::Mask && classes.suppressed_rows() > 0;
    let released = how_released(table, classes, masks);
    let job = Job {
        table,
        classes,
        released,
        masks,
    };
    let quasi: Vec<&str> = table.attributes.iter().map(|a| a.name.as_str()).collect();
    let rows = plain_rows(context, &job, policy, &quasi).await?;
    let recoded = match (by_region, by_column::Plan::of(&job)) {
        (Some(by_region), _) => by_region::recode(&job, by_region, rows)?,
        (None, Some(plan)) => plan.recode(rows)?,
        (None, None) => by_combination::recode(context, &job, rows)?,
    };

    let mut outputs: Vec<(Expr, String)> = Vec::new();
    let mut ties: Vec<Expr> = Vec::new();
    let mut names = Names {
        of_attributes: vec![Vec::new(); quasi.len()],
    };
    for (i, name) in table.source.names().enumerate() {
        let cell = ident(format!("cell{i}"));
        match quasi.iter().position(|q| *q == name) {
            Some(place) => match &job.released[place] {
                Released::AsIs => {
                    names.of_attributes[place].push(name.to_string());
                    outputs.push((cell, name.to_string()));
                }
                Released::Shown(shown) => {
                    for (shown, expr) in shown.iter().zip(&recoded.shown[place]) {
                        names.of_attributes[place].push(shown.name.clone());
                        outputs.push((expr.clone(), shown.name.clone()));
                    }
                }
            },
            None if policy.columns[name].role == Role::Identifier => {
                if let Some(hashed) = secrets.hashed(name, cell) {
                    ties.push(hashed.clone());
                    outputs.push((hashed, name.to_string()));
                }
            }
            None => {
                ties.push(cell.clone());
                outputs.push((cell, name.to_string()));
            }
        }
    }
    check_names(&outputs)?;

    let mut rows = recoded.rows;
    if policy.output.order == Order::Sorted {
        // By class, then by every other released column: what ties then is equal throughout, so the
        // order tells nothing that the release does not.
        let by = std::iter::once(ident("rank"))
            .chain(ties)
            .map(|expr| expr.sort(true, true));
        rows = rows.sort(by.collect())?;
    }
    let outputs: Vec<Expr> = outputs
        .into_iter()
        .map(|(expr, name)| expr.alias(name))
        .collect();
    Ok((rows.select(outputs)?, names))
}

/// A column is released as it stands where no class changes it and no two spellings are one value.
fn how_released(table: &Table, classes: &Classes, masks: bool) -> Vec<Released> {
    let of = |place: usize| {
        let shown = show(&table.attributes[place], place, &table.counts, classes);
        let is_as_is = shown.len() == 1
            && matches!(shown[0].cells, ShownCells::Text(_))
            && table.one_spelling[place]
            && !masks
            && classes
                .released()
                .all(|class| classes.block(place, class).is_exact());
        if is_as_is {
            Released::AsIs
        } else {
            Released::Shown(shown)
        }
    };
    (0..table.attributes.len()).map(of).collect()
}

/// The rows with each quasi-identifier as `key0`, `key1` … and what is released as it stands as
/// `cell` and the column's place, so that no name of the user's clashes with one of ours.
async fn plain_rows(
    context: &SessionContext,
    job: &Job<'_>,
    policy: &Policy,
    quasi: &[&str],
) -> Result<DataFrame, EngineError> {
    let source = &job.table.source;
    let asked: Vec<String> = quasi
        .iter()
        .map(|name| name.to_string())
        .chain(names_with(source, policy, &[Role::Sensitive, Role::Target]))
        .collect();
    let missing = Missing {
        words: &policy.input.missing,
        rule: policy.input.missing_rule,
    };
    let rows = rows(context, source, &asked, missing).await?;
    let key =
        |(i, name): (usize, &&str)| key_of(name, type_of(source, name)).alias(format!("key{i}"));
    let mut wanted: Vec<Expr> = quasi.iter().enumerate().map(key).collect();
    for (i, name) in source.names().enumerate() {
        let column = &policy.columns[name];
        let is_wanted = match quasi.iter().position(|q| *q == name) {
            Some(place) => matches!(job.released[place], Released::AsIs),
            None if column.role == Role::Identifier => column
                .treatment
                .is_some_and(|treatment| treatment != Treatment::Drop),
            None => true,
        };
        if is_wanted {
            wanted.push(ident(name).alias(format!("cell{i}")));
        }
    }
    Ok(rows.select(wanted)?)
}

/// `bounds` makes two columns of one, whose names may be taken.
fn check_names(outputs: &[(Expr, String)]) -> Result<(), EngineError> {
    let mut seen = HashSet::new();
    match outputs.iter().find(|(_, name)| !seen.insert(name)) {
        None => Ok(()),
        Some((_, name)) => Err(PolicyError::new(
            &Key::of(["columns"]),
            format!("the release would have two columns `{name}`"),
        )
        .with_help("represent = \"bounds\" adds _low and _high to a column's name; rename the other column in the input")
        .into()),
    }
}
