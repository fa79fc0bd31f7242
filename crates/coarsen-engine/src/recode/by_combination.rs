//! Recoding by a join with every distinct combination of quasi-identifier cells that is released:
//! the general way, for regions and cells. Rows without a line in the look-up are dropped by the
//! join itself.
//!
//! Cells may release equal rows differently. Then the rows of equal cells are numbered, in the order of
//! everything else that is released of them so that threads make no difference, and each line of the
//! look-up holds for a range of those numbers.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, UInt32Array, UInt64Array};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::common::{Column, NullEquality};
use datafusion::dataframe::DataFrame;
use datafusion::functions_window::expr_fn::row_number;
use datafusion::logical_expr::expr::Sort;
use datafusion::logical_expr::{ExprFunctionExt, JoinType, LogicalPlanBuilder, ident};
use datafusion::prelude::SessionContext;

use super::labels::shown_array;
use super::order::ranks;
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
    let lines = Lines::of(job);
    let (state, lookup) = context.read_batch(lookup(job, &lines)?)?.into_parts();
    let rows = if lines.is_spread {
        numbered(rows, columns)?
    } else {
        rows
    };
    let in_range = || {
        let number = ident("number");
        number
            .clone()
            .gt_eq(ident("from"))
            .and(number.lt(ident("end")))
    };
    // The look-up stands left, where a hash join builds its table; rows stream past it in order.
    let joined = LogicalPlanBuilder::from(lookup)
        .join_detailed(
            rows.into_unoptimized_plan(),
            JoinType::Inner,
            (keys("raw"), keys("key")),
            lines.is_spread.then(in_range),
            NullEquality::NullEqualsNull,
        )?
        .build()?;
    let mut rows = DataFrame::new(state, joined);
    if lines.is_spread {
        // Numbering sorted them; whoever keeps the input's order gets it back.
        rows = rows.sort(vec![ident("place").sort(true, true)])?;
    }
    let shown = |(place, released): (usize, &Released)| match released {
        Released::AsIs => Vec::new(),
        Released::Shown(shown) => (0..shown.len())
            .map(|part| ident(format!("shown{place}_{part}")))
            .collect(),
    };
    Ok(Recoded {
        rows,
        shown: job.released.iter().enumerate().map(shown).collect(),
    })
}

/// The rows with their place in the input, and with a number among those of equal quasi-identifiers.
fn numbered(rows: DataFrame, columns: usize) -> Result<DataFrame, EngineError> {
    let names = rows.schema().fields().iter().map(|field| field.name());
    let others: Vec<Sort> = names
        .filter(|name| name.starts_with("cell"))
        .map(|name| ident(name.as_str()).sort(true, true))
        .collect();
    let keys = (0..columns).map(|i| ident(format!("key{i}"))).collect();
    let mut number = row_number().partition_by(keys);
    if !others.is_empty() {
        number = number.order_by(others);
    }
    let rows = rows.window(vec![row_number().alias("place")])?;
    Ok(rows.window(vec![number.build()?.alias("number")])?)
}

/// The lines of the look-up: which rows of which entry fall into which class.
struct Lines {
    entries: Vec<u32>,
    classes: Vec<u32>,
    /// The rows of the entry from this number on (from 1), up to another.
    from: Vec<u64>,
    end: Vec<u64>,
    /// Whether some entry has several lines.
    is_spread: bool,
}

impl Lines {
    fn of(job: &Job<'_>) -> Self {
        let Job { table, classes, .. } = job;
        // What of each combination is still to be given to its entries, class by class.
        let mut open: Vec<VecDeque<(u32, u64)>> =
            vec![VecDeque::new(); table.counts.combinations()];
        for class in 0..classes.len() {
            for member in classes.members(class) {
                open[member.combination as usize].push_back((class as u32, member.rows));
            }
        }
        let is_spread = open.iter().any(|classes| classes.len() > 1);
        let rows_of = if is_spread {
            rows_of_entries(table)
        } else {
            HashMap::new()
        };
        let mut lines = Lines {
            entries: Vec::new(),
            classes: Vec::new(),
            from: Vec::new(),
            end: Vec::new(),
            is_spread,
        };
        for entry in distinct_entries(table) {
            let open = &mut open[table.combination_of[entry as usize] as usize];
            if !is_spread {
                if let Some((class, _)) = open.front() {
                    lines.push(job, entry, *class, 1..u64::MAX);
                }
                continue;
            }
            let rows = rows_of.get(&cells_of(table, entry)).copied().unwrap_or(0);
            let mut number = 1;
            while number <= rows {
                let Some((class, left)) = open.front_mut() else {
                    break;
                };
                let taken = (*left).min(rows + 1 - number);
                lines.push(job, entry, *class, number..number + taken);
                number += taken;
                *left -= taken;
                if *left == 0 {
                    open.pop_front();
                }
            }
        }
        lines
    }

    fn push(&mut self, job: &Job<'_>, entry: u32, class: u32, numbers: Range<u64>) {
        if job.masks || !job.classes.is_suppressed(class as usize) {
            self.entries.push(entry);
            self.classes.push(class);
            self.from.push(numbers.start);
            self.end.push(numbers.end);
        }
    }
}

/// The quasi-identifier cells of an entry, by their codes as they stand in the file.
fn cells_of(table: &Table, entry: u32) -> Vec<u32> {
    let quasi = &table.raw.columns[..table.attributes.len()];
    quasi.iter().map(|c| c.codes[entry as usize]).collect()
}

/// How many rows hold the same quasi-identifier cells.
fn rows_of_entries(table: &Table) -> HashMap<Vec<u32>, u64> {
    let mut rows: HashMap<Vec<u32>, u64> = HashMap::new();
    for (entry, count) in table.raw.rows.iter().enumerate() {
        *rows.entry(cells_of(table, entry as u32)).or_default() += *count;
    }
    rows
}

/// The look-up as a table: the cells, the rank of the class, and what the class shows.
fn lookup(job: &Job<'_>, lines: &Lines) -> Result<RecordBatch, EngineError> {
    let Job { table, classes, .. } = job;
    let entries = &lines.entries;
    let entry_class = UInt32Array::from(lines.classes.clone());

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
    if lines.is_spread {
        push(
            "from".into(),
            Arc::new(UInt64Array::from(lines.from.clone())),
        );
        push("end".into(), Arc::new(UInt64Array::from(lines.end.clone())));
    }
    push(
        "rank".into(),
        take(
            &UInt64Array::from(ranks(classes, table.attributes.len())),
            &entry_class,
            None,
        )?,
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
