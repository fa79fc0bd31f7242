//! What is to be evaluated, checked before anything is searched for.

use coarsen::domain::hierarchy::{Description, RawColumn, build};
use coarsen::domain::{Attribute, AttributeSettings, Value};
use coarsen::policy::Role;
use coarsen::workload::bind;

use crate::encode::unreleased;
use crate::error::LearnError;
use crate::features::{Column, Target};
use crate::folds::Division;
use crate::method::Method;
use crate::models::Model;
use crate::rank::most_predictive_first;
use crate::rows::{RowColumn, Rows};

/// What is to be evaluated.
#[derive(Clone)]
pub struct Plan {
    /// How rows are divided.
    pub division: Division,
    /// How often that is repeated, with other seeds.
    pub trials: usize,
    /// Where randomness starts.
    pub seed: u64,
    /// The models.
    pub models: Vec<&'static Model>,
    /// The target columns; all of the policy's where empty.
    pub targets: Vec<String>,
    /// Models are restricted to the rows of this selection.
    pub selection: Option<String>,
    /// Remove up to this many of the most predictive columns, one after another.
    pub without_best: usize,
}

/// A plan that was checked against the rows.
pub(super) struct Prepared {
    pub targets: Vec<PreparedTarget>,
    pub selection: Option<Selected>,
}

/// A target with its values.
pub(super) struct PreparedTarget {
    pub name: String,
    pub numeric: bool,
    pub values: Target,
    /// Whether each row has a value.
    pub known: Vec<bool>,
    /// The quasi-identifiers by what they tell, the best first, with their names.
    pub ranking: Vec<(usize, String)>,
}

impl Prepared {
    pub fn new(rows: &Rows, method: &Method, plan: &Plan) -> Result<Prepared, LearnError> {
        if plan.trials == 0 {
            return Err(LearnError::unfit(
                "0 trials measure nothing.",
                "ask for at least 1",
            ));
        }
        let names = target_names(rows, method, plan)?;
        let quasi = rows.quasi_identifiers().count();
        if plan.without_best >= quasi.max(1) {
            return Err(LearnError::unfit(
                format!(
                    "There are {quasi} quasi-identifiers, so {} cannot be removed.",
                    plan.without_best
                ),
                "leave at least one to predict from",
            ));
        }
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let columns: Vec<Column> = unreleased(rows, &all)
            .columns
            .into_iter()
            .flatten()
            .collect();
        let named: Vec<String> = rows.quasi_identifiers().map(|c| c.name.clone()).collect();
        let mut targets = Vec::new();
        for name in names {
            let column = rows.column(&name).ok_or_else(|| {
                LearnError::unfit(
                    format!("The table has no column `{name}`."),
                    "name a column of the table",
                )
            })?;
            let target = prepared(column, plan)?;
            let known: Vec<u32> = all
                .iter()
                .copied()
                .filter(|r| target.known[*r as usize])
                .collect();
            let picked: Vec<Column> = columns.iter().map(|column| column.pick(&known)).collect();
            let order = most_predictive_first(&picked, &target.values.pick(&known));
            targets.push(PreparedTarget {
                ranking: order
                    .into_iter()
                    .map(|place| (place, named[place].clone()))
                    .collect(),
                ..target
            });
        }
        let selection = match &plan.selection {
            None => None,
            Some(text) => Some(selected(rows, text)?),
        };
        Ok(Prepared { targets, selection })
    }

    /// The labels that folds should have their share of: those of the first target, if it has any.
    pub fn strata(&self) -> Option<Vec<u32>> {
        match &self.targets.first()?.values {
            Target::Labels { codes, .. } => Some(codes.clone()),
            Target::Numbers(_) => None,
        }
    }
}

fn target_names(rows: &Rows, method: &Method, plan: &Plan) -> Result<Vec<String>, LearnError> {
    let own: Vec<String> = method
        .policy
        .columns_with(Role::Target)
        .map(|(name, _)| name.to_string())
        .collect();
    let list = || match own.is_empty() {
        true => "give a column role = \"target\" in the policy".to_string(),
        false => format!("the policy's targets are: {}", own.join(", ")),
    };
    for name in &plan.targets {
        let Some(column) = method.policy.columns.get(name) else {
            return Err(LearnError::unfit(
                format!("The policy has no column `{name}`."),
                list(),
            ));
        };
        match column.role {
            Role::Target => {}
            Role::Sensitive => {
                return Err(LearnError::unfit(
                    format!(
                        "Column `{name}` is sensitive: what nobody may learn about a person cannot be what a model should predict."
                    ),
                    format!(
                        "choose another target, or change the column's role if it needs no protection; {}",
                        list()
                    ),
                ));
            }
            role => {
                return Err(LearnError::unfit(
                    format!("Column `{name}` has the role {role}, and is no target."),
                    list(),
                ));
            }
        }
    }
    if own.is_empty() {
        let sensitive: Vec<&str> = rows
            .tallied()
            .filter(|column| column.role == Role::Sensitive)
            .map(|column| column.name.as_str())
            .collect();
        let why = match sensitive.is_empty() {
            true => String::new(),
            false => format!(
                " ({} is sensitive, which a target cannot be)",
                sensitive.join(", ")
            ),
        };
        return Err(LearnError::unfit(
            format!("The policy has no target, so there is nothing to predict{why}."),
            "give the column that models should predict role = \"target\"",
        ));
    }
    Ok(if plan.targets.is_empty() {
        own
    } else {
        plan.targets.clone()
    })
}

fn prepared(column: &RowColumn, plan: &Plan) -> Result<PreparedTarget, LearnError> {
    let numeric = column.is_numeric();
    for model in &plan.models {
        if model.fit_for(numeric).is_none() {
            let (kind, fit) = match numeric {
                true => ("numbers", "labels"),
                false => ("labels", "numbers"),
            };
            let others: Vec<&str> = crate::models::MODELS
                .iter()
                .filter(|other| other.fit_for(numeric).is_some())
                .map(|other| other.name)
                .collect();
            return Err(LearnError::unfit(
                format!(
                    "The model `{}` predicts {fit}, and the target `{}` holds {kind}.",
                    model.name, column.name
                ),
                format!("for this target there are: {}", others.join(", ")),
            ));
        }
    }
    let known: Vec<bool> = column
        .codes
        .iter()
        .map(|code| column.cells[*code as usize].is_some())
        .collect();
    let values = match numeric {
        true => {
            let number = |cell: &Option<Value>| cell.as_ref().and_then(Value::number);
            let of = |code: &u32| number(&column.cells[*code as usize]).unwrap_or(0.0);
            Target::Numbers(column.codes.iter().map(of).collect())
        }
        false => Target::Labels {
            codes: column.codes.clone(),
            size: column.cells.len(),
        },
    };
    if !known.contains(&true) {
        return Err(LearnError::unfit(
            format!("The target `{}` has no value in any row.", column.name),
            "choose another target",
        ));
    }
    Ok(PreparedTarget {
        name: column.name.clone(),
        numeric,
        values,
        known,
        ranking: Vec::new(),
    })
}

/// What a selection asks for.
pub(super) struct Selected {
    /// Whether each row satisfies it.
    pub satisfied: Vec<bool>,
    /// For each quasi-identifier that it asks about, the values that satisfy it.
    pub wanted: Vec<Option<Vec<Option<Value>>>>,
}

/// The rows that satisfy a selection by their true values, and the values of each column that do.
fn selected(rows: &Rows, text: &str) -> Result<Selected, LearnError> {
    let mut attributes = Vec::new();
    let mut codes = Vec::new();
    for column in rows.quasi_identifiers() {
        let raw = RawColumn {
            name: &column.name,
            cells: &column.cells,
            rows: &vec![1; column.cells.len()],
        };
        let description = Description {
            kind: Some(column.kind),
            flat: true,
            ..Description::default()
        };
        let built = build(raw, description)?;
        codes.push(built.code_of);
        attributes.push(Attribute {
            name: column.name.clone(),
            domain: built.domain,
            hierarchy: built.hierarchy,
            settings: AttributeSettings::default(),
        });
    }
    let selection = bind(text, &attributes).map_err(|error| LearnError::Selection {
        text: text.to_string(),
        error,
    })?;
    let mut satisfied = vec![true; rows.len()];
    let mut wanted = Vec::new();
    for (place, column) in rows.quasi_identifiers().enumerate() {
        let Some(inside) = selection.inside(place) else {
            wanted.push(None);
            continue;
        };
        let fits = |cell: usize| inside[codes[place][cell] as usize];
        for (row, code) in column.codes.iter().enumerate() {
            satisfied[row] &= fits(*code as usize);
        }
        let cells = (0..column.cells.len()).filter(|cell| fits(*cell));
        wanted.push(Some(cells.map(|cell| column.cells[cell].clone()).collect()));
    }
    Ok(Selected { satisfied, wanted })
}
