//! Recoding rows that are in memory: each row's class is looked up, the classes are put in the release's
//! order, and the released columns are gathered from the rows where they lie.
//!
//! It releases what the plans of `by_column` and `by_combination` release, in the same order. It exists
//! because those would first copy every row to sort it: here a row is one number until it is released,
//! so that the table, the release and a few bytes a row are all there ever is in memory. And a table in
//! memory has types: labels are categories, what stands for a block is a number or a date.

mod classify;
mod gather;
mod shown;
mod sort;

use std::sync::Arc;

use coarsen::counts::Classes;
use coarsen::policy::{MissingRule, Order, Policy, Role};
use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::{Field, Schema};

use super::by_combination::Lines;
use super::order::ranks;
use super::{ByRegion, Job, Names, Released, check_names};
use crate::EngineError;
use crate::engine::Engine;
use crate::identifiers::Secrets;
use crate::source::Batches;
use crate::table::Table;
use classify::Classify;
use gather::{Output, gather};
use shown::ShownColumn;
use sort::{Rows, Tie};

/// Rows in memory, their classes, and how they are released.
pub(crate) struct InMemory<'a> {
    pub engine: &'a Engine,
    pub table: &'a Table,
    pub batches: &'a Batches,
    pub classes: &'a Classes,
    pub policy: &'a Policy,
    pub secrets: &'a Secrets,
    /// How rows find their classes, where a search has cut the space into regions.
    pub by_region: Option<&'a ByRegion>,
}

impl InMemory<'_> {
    /// The released rows, and the names of the released quasi-identifiers.
    pub fn released(&self) -> Result<(Batches, Names), EngineError> {
        self.engine.install(|| {
            let job = Job::new(self.table, self.classes, self.policy);
            self.release(&job)
        })
    }

    fn release(&self, job: &Job<'_>) -> Result<(Batches, Names), EngineError> {
        let InMemory {
            engine,
            batches,
            policy,
            ..
        } = self;
        let Columns {
            outputs,
            fields,
            ties,
            cells,
            names,
        } = columns(job, batches, policy, self.secrets)?;
        engine.check_cancel()?;
        let rows = Rows::of(batches)?;
        let class_of_row = match self.by_region {
            Some(by_region) => self.classify().by_region(job, by_region)?,
            None => {
                let lines = Lines::of(job);
                let mut line_of_row = self.classify().by_line(job, &lines)?;
                if lines.is_spread {
                    sort::spread(&rows, &lines, &cells, &mut line_of_row);
                }
                for line in &mut line_of_row {
                    if let Some(class) = lines.classes.get(*line as usize) {
                        *line = *class;
                    }
                }
                line_of_row
            }
        };
        engine.check_cancel()?;
        let order = match policy.output.order {
            Order::Keep => sort::kept(&class_of_row),
            Order::Sorted => {
                let ranks = ranks(job.classes, job.table.attributes.len());
                sort::sorted(&rows, &class_of_row, &ranks, &ties)
            }
        };
        engine.check_cancel()?;
        let schema = Arc::new(Schema::new(fields));
        let released = gather(&rows, &class_of_row, &order, &outputs, &schema)?;
        Ok((Batches::new(schema, released)?, names))
    }

    fn classify(&self) -> Classify<'_> {
        Classify {
            batches: self.batches,
            drops_missing: self.policy.input.missing_rule == MissingRule::Drop,
        }
    }
}

/// The released columns.
struct Columns {
    outputs: Vec<Output>,
    fields: Vec<Field>,
    /// What sorts rows of one class.
    ties: Vec<Tie>,
    /// Everything of a row that is released as it is or hashed, which numbers the rows that are equal in
    /// their quasi-identifiers.
    cells: Vec<Tie>,
    names: Names,
}

fn columns(
    job: &Job<'_>,
    batches: &Batches,
    policy: &Policy,
    secrets: &Secrets,
) -> Result<Columns, EngineError> {
    let attributes = &job.table.attributes;
    let mut columns = Columns {
        outputs: Vec::new(),
        fields: Vec::new(),
        ties: Vec::new(),
        cells: Vec::new(),
        names: Names {
            of_attributes: vec![Vec::new(); attributes.len()],
        },
    };
    for (place, field) in batches.schema().fields().iter().enumerate() {
        let name = field.name();
        let chunks: Vec<ArrayRef> = batches
            .batches()
            .iter()
            .map(|batch| batch.column(place).clone())
            .collect();
        match attributes.iter().position(|a| a.name == *name) {
            Some(attribute) => match &job.released[attribute] {
                Released::AsIs => {
                    columns.names.of_attributes[attribute].push(name.clone());
                    columns.cells.push(Tie::new(chunks.clone()));
                    columns.push(field.as_ref().clone(), Output::Cells(chunks));
                }
                Released::Shown(shown) => {
                    for shown in shown {
                        columns.names.of_attributes[attribute].push(shown.name.clone());
                        let shown = ShownColumn::of(job, attribute, shown)?;
                        columns.push(shown.field(), Output::Shown(shown));
                    }
                }
            },
            None if policy.columns[name].role == Role::Identifier => {
                let hashes = chunks.iter().map(|cells| secrets.hash_cells(name, cells));
                if let Some(hashes) = hashes.collect::<Option<Result<Vec<_>, _>>>() {
                    let hashes = hashes?;
                    let kind = hashes.first().map(|hashes| hashes.data_type().clone());
                    columns.cells.push(Tie::new(chunks));
                    columns.ties.push(Tie::new(hashes.clone()));
                    let kind = kind.unwrap_or_else(|| field.data_type().clone());
                    columns.push(Field::new(name, kind, true), Output::Cells(hashes));
                }
            }
            None => {
                columns.cells.push(Tie::new(chunks.clone()));
                columns.ties.push(Tie::new(chunks.clone()));
                columns.push(field.as_ref().clone(), Output::Cells(chunks));
            }
        }
    }
    check_names(columns.fields.iter().map(Field::name))?;
    Ok(columns)
}

impl Columns {
    fn push(&mut self, field: Field, output: Output) {
        self.fields.push(field);
        self.outputs.push(output);
    }
}
