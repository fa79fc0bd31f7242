//! Recoding by a join with every distinct combination of quasi-identifier cells that is released:
//! the general way, for regions and cells. Rows without a line in the look-up are dropped by the
//! join itself.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use coarsen::counts::Classes;
use coarsen::domain::SUPPRESSED;
use coarsen::recoding::{Shown, ShownCells};
use datafusion::arrow::array::{
    ArrayRef, DictionaryArray, Float64Array, RecordBatch, UInt32Array, UInt64Array,
};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{Field, Schema, UInt32Type};
use datafusion::common::{Column, NullEquality};
use datafusion::dataframe::DataFrame;
use datafusion::logical_expr::{JoinType, LogicalPlanBuilder, ident};
use datafusion::prelude::SessionContext;

use super::order::{compare_blocks, places};
use super::{Job, Recoded, Released};
use crate::EngineError;
use crate::table::Table;

/// Joins the rows with the look-up.
pub(super) fn recode(
    context: &SessionContext,
    job: &Job<'_>,
    rows: DataFrame,
) -> Result<Recoded, EngineError> {
    let columns = job.table.attributes.len();
    let keys = |side: &str| -> Vec<Column> {
        (0..columns)
            .map(|i| Column::from_name(format!("{side}{i}")))
            .collect()
    };
    let (state, lookup) = context.read_batch(lookup(job)?)?.into_parts();
    // The look-up stands left, where a hash join builds its table; rows stream past it in order.
    let joined = LogicalPlanBuilder::from(lookup)
        .join_detailed(
            rows.into_unoptimized_plan(),
            JoinType::Inner,
            (keys("raw"), keys("key")),
            None,
            NullEquality::NullEqualsNull,
        )?
        .build()?;
    let shown = |(place, released): (usize, &Released)| match released {
        Released::AsIs => Vec::new(),
        Released::Shown(shown) => (0..shown.len())
            .map(|part| ident(format!("shown{place}_{part}")))
            .collect(),
    };
    Ok(Recoded {
        rows: DataFrame::new(state, joined),
        shown: job.released.iter().enumerate().map(shown).collect(),
    })
}

/// One line for each distinct combination of cells that is released: the cells, the rank of its
/// class, and what the class shows.
fn lookup(job: &Job<'_>) -> Result<RecordBatch, EngineError> {
    let Job { table, classes, .. } = job;
    let mut class_of = vec![u32::MAX; table.counts.combinations()];
    for class in 0..classes.len() {
        for member in classes.members(class) {
            let known = &mut class_of[member.combination as usize];
            if *known != u32::MAX {
                // A look-up by cells cannot send rows with equal cells different ways.
                return Err(EngineError::Spread);
            }
            *known = class as u32;
        }
    }
    let (mut entries, mut entry_class) = (Vec::new(), Vec::new());
    for entry in distinct_entries(table) {
        let class = class_of[table.combination_of[entry as usize] as usize];
        if job.masks || !classes.is_suppressed(class as usize) {
            entries.push(entry);
            entry_class.push(class);
        }
    }
    let entry_class = UInt32Array::from(entry_class);

    let mut fields = Vec::new();
    let mut columns: Vec<ArrayRef> = Vec::new();
    let mut push = |name: String, array: ArrayRef| {
        fields.push(Field::new(name, array.data_type().clone(), true));
        columns.push(array);
    };
    for (i, column) in table.raw.columns[..table.attributes.len()]
        .iter()
        .enumerate()
    {
        let codes: UInt32Array = entries
            .iter()
            .map(|entry| column.codes[*entry as usize])
            .collect::<Vec<_>>()
            .into();
        push(format!("raw{i}"), take(&column.array(), &codes, None)?);
    }
    push(
        "rank".into(),
        take(&ranks(classes, table.attributes.len()), &entry_class, None)?,
    );
    for (place, released) in job.released.iter().enumerate() {
        let Released::Shown(shown) = released else {
            continue;
        };
        for (part, shown) in shown.iter().enumerate() {
            let of_classes = shown_array(shown, classes);
            push(
                format!("shown{place}_{part}"),
                take(&of_classes, &entry_class, None)?,
            );
        }
    }
    Ok(RecordBatch::try_new(
        Arc::new(Schema::new(fields)),
        columns,
    )?)
}

fn shown_array(shown: &Shown, classes: &Classes) -> ArrayRef {
    match &shown.cells {
        ShownCells::Text(cells) => {
            let cell = |(class, cell): (usize, &Option<String>)| {
                if classes.is_suppressed(class) {
                    Some(SUPPRESSED.to_string())
                } else {
                    cell.clone()
                }
            };
            // Labels are few and rows many: a number a row, and each label once.
            let cells: Vec<Option<String>> = cells.iter().enumerate().map(cell).collect();
            Arc::new(
                cells
                    .iter()
                    .map(Option::as_deref)
                    .collect::<DictionaryArray<UInt32Type>>(),
            )
        }
        ShownCells::Number(cells) => {
            let cell = |(class, cell): (usize, &Option<f64>)| {
                if classes.is_suppressed(class) {
                    None
                } else {
                    *cell
                }
            };
            Arc::new(cells.iter().enumerate().map(cell).collect::<Float64Array>())
        }
    }
}

/// The entries of the table that differ in their quasi-identifiers; others differ in a tallied
/// column only.
fn distinct_entries(table: &Table) -> Vec<u32> {
    let columns = &table.raw.columns;
    let quasi = &columns[..table.attributes.len()];
    let all = 0..table.raw.rows.len() as u32;
    if quasi.len() == columns.len() {
        return all.collect();
    }
    let mut by_combination: Vec<u32> = all.collect();
    by_combination.sort_by_key(|entry| table.combination_of[*entry as usize]);
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut last = None;
    by_combination
        .into_iter()
        .filter(|entry| {
            let combination = table.combination_of[*entry as usize];
            if last != Some(combination) {
                last = Some(combination);
                seen.clear();
            }
            seen.insert(
                quasi
                    .iter()
                    .map(|column| column.codes[*entry as usize])
                    .collect(),
            )
        })
        .collect()
}

/// The place of each class in the release's order. Classes that show the same share a place, for
/// their order must not tell them apart; suppressed ones come last.
fn ranks(classes: &Classes, columns: usize) -> UInt64Array {
    let compare = |a: usize, b: usize| -> Ordering {
        let suppressed = classes.is_suppressed(a).cmp(&classes.is_suppressed(b));
        if suppressed != Ordering::Equal || classes.is_suppressed(a) {
            return suppressed;
        }
        (0..columns)
            .map(|column| compare_blocks(classes.block(column, a), classes.block(column, b)))
            .fold(Ordering::Equal, Ordering::then)
    };
    let (places, _) = places(classes.len(), compare);
    places.into_iter().map(u64::from).collect::<Vec<_>>().into()
}
