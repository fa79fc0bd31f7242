//! Recoding: a join of the rows with a look-up table that the engine runs. The look-up has one line
//! for every distinct combination of quasi-identifier cells that is released; rows without one are
//! dropped by the join itself.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use coarsen::counts::Classes;
use coarsen::domain::{Block, Extent, SUPPRESSED};
use coarsen::policy::{Order, Policy, Role, SuppressionMode, Treatment};
use coarsen::recoding::{Shown, ShownCells, show};
use datafusion::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringViewArray, UInt32Array};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::common::{Column, NullEquality};
use datafusion::dataframe::DataFrame;
use datafusion::logical_expr::{Expr, JoinType, LogicalPlanBuilder, ident};
use datafusion::prelude::SessionContext;

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
) -> Result<(DataFrame, Names), EngineError> {
    let masks = policy.suppression.mode == SuppressionMode::Mask && classes.suppressed_rows() > 0;
    let released: Vec<Released> = (0..table.attributes.len())
        .map(|place| {
            let attribute = &table.attributes[place];
            let shown = show(attribute, place, &table.counts, classes);
            let is_identity = shown.len() == 1
                && matches!(shown[0].cells, ShownCells::Text(_))
                && table.one_spelling[place]
                && !masks
                && classes
                    .released()
                    .all(|class| classes.block(place, class).is_exact());
            if is_identity {
                Released::AsIs
            } else {
                Released::Shown(shown)
            }
        })
        .collect();
    let lookup = lookup(table, classes, &released, masks)?;

    let quasi: Vec<String> = table.attributes.iter().map(|a| a.name.clone()).collect();
    let asked: Vec<String> = quasi
        .iter()
        .cloned()
        .chain(names_with(
            &table.source,
            policy,
            &[Role::Sensitive, Role::Target],
        ))
        .collect();
    let missing = Missing {
        words: &policy.input.missing,
        rule: policy.input.missing_rule,
    };
    let table_rows = rows(context, &table.source, &asked, missing).await?;

    // Rows keep their columns under names of their own, so that nothing clashes with the look-up's.
    let mut wanted = Vec::new();
    for (i, attribute) in quasi.iter().enumerate() {
        wanted.push(key_of(attribute, type_of(&table.source, attribute)).alias(format!("key{i}")));
    }
    for (i, name) in table.source.names().enumerate() {
        let column = &policy.columns[name];
        let as_is = match quasi.iter().position(|q| q == name) {
            Some(place) => matches!(released[place], Released::AsIs),
            None => {
                column.role != Role::Identifier
                    || column.treatment.is_some_and(|t| t != Treatment::Drop)
            }
        };
        if as_is {
            wanted.push(ident(name).alias(format!("cell{i}")));
        }
    }
    let table_rows = table_rows.select(wanted)?;
    let keys = |side: &str| -> Vec<Column> {
        (0..quasi.len())
            .map(|i| Column::from_name(format!("{side}{i}")))
            .collect()
    };
    let (state, lookup_plan) = context.read_batch(lookup)?.into_parts();
    // The look-up stands left, where a hash join builds its table; rows stream past it in order.
    let joined = LogicalPlanBuilder::from(lookup_plan)
        .join_detailed(
            table_rows.into_unoptimized_plan(),
            JoinType::Inner,
            (keys("raw"), keys("key")),
            None,
            NullEquality::NullEqualsNull,
        )?
        .build()?;
    let joined = DataFrame::new(state, joined);

    let mut outputs: Vec<(Expr, String)> = Vec::new();
    let mut names = Names {
        of_attributes: vec![Vec::new(); quasi.len()],
    };
    for (i, name) in table.source.names().enumerate() {
        let column = &policy.columns[name];
        match quasi.iter().position(|q| q == name) {
            Some(place) => match &released[place] {
                Released::AsIs => {
                    outputs.push((ident(format!("cell{i}")), name.to_string()));
                    names.of_attributes[place].push(name.to_string());
                }
                Released::Shown(shown) => {
                    for (part, shown) in shown.iter().enumerate() {
                        outputs.push((ident(format!("shown{place}_{part}")), shown.name.clone()));
                        names.of_attributes[place].push(shown.name.clone());
                    }
                }
            },
            None if column.role == Role::Identifier => {
                if let Some(hashed) = secrets.hashed(name, ident(format!("cell{i}"))) {
                    outputs.push((hashed, name.to_string()));
                }
            }
            None => outputs.push((ident(format!("cell{i}")), name.to_string())),
        }
    }
    check_output_names(&outputs)?;

    let place = |i: usize| ident(format!("out{i}"));
    let mut selected: Vec<Expr> = outputs
        .iter()
        .enumerate()
        .map(|(i, (expr, _))| expr.clone().alias(format!("out{i}")))
        .collect();
    selected.push(ident("rank"));
    let mut result = joined.select(selected)?;
    if policy.output.order == Order::Sorted {
        // By class, then by every other released column: ties are rows that are equal throughout, so
        // the order tells nothing that the release does not.
        let mut by = vec![ident("rank").sort(true, true)];
        for (i, (_, name)) in outputs.iter().enumerate() {
            if !names
                .of_attributes
                .iter()
                .flatten()
                .any(|released| released == name)
            {
                by.push(place(i).sort(true, true));
            }
        }
        result = result.sort(by)?;
    }
    let renamed = outputs
        .iter()
        .enumerate()
        .map(|(i, (_, name))| place(i).alias(name))
        .collect::<Vec<_>>();
    Ok((result.select(renamed)?, names))
}

/// `bounds` makes two columns of one, whose names may be taken.
fn check_output_names(outputs: &[(Expr, String)]) -> Result<(), EngineError> {
    let mut seen = HashSet::new();
    for (_, name) in outputs {
        if !seen.insert(name) {
            return Err(coarsen::policy::PolicyError::new(
                &coarsen::policy::Key::of(["columns"]),
                format!("the release would have two columns `{name}`"),
            )
            .with_help("represent = \"bounds\" adds _low and _high to a column's name; rename the other column in the input")
            .into());
        }
    }
    Ok(())
}

/// One line for each distinct combination of cells that is released: the cells, the rank of its class
/// in the release's order, and what the class shows.
fn lookup(
    table: &Table,
    classes: &Classes,
    released: &[Released],
    masks: bool,
) -> Result<RecordBatch, EngineError> {
    let mut class_of = vec![u32::MAX; table.counts.combinations()];
    for class in 0..classes.len() {
        for member in classes.members(class) {
            class_of[member.combination as usize] = class as u32;
        }
    }
    let (mut entries, mut entry_class) = (Vec::new(), Vec::new());
    for entry in distinct_entries(table) {
        let class = class_of[table.combination_of[entry as usize] as usize];
        if masks || !classes.is_suppressed(class as usize) {
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
    let rank = UInt32Array::from(ranks(classes, table.attributes.len()));
    push("rank".into(), take(&rank, &entry_class, None)?);
    for (place, released) in released.iter().enumerate() {
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
            let cell = |(class, cell): (usize, &Option<String>)| match classes.is_suppressed(class)
            {
                true => Some(SUPPRESSED.to_string()),
                false => cell.clone(),
            };
            Arc::new(
                cells
                    .iter()
                    .enumerate()
                    .map(cell)
                    .collect::<StringViewArray>(),
            )
        }
        ShownCells::Number(cells) => {
            let cell = |(class, cell): (usize, &Option<f64>)| match classes.is_suppressed(class) {
                true => None,
                false => *cell,
            };
            Arc::new(cells.iter().enumerate().map(cell).collect::<Float64Array>())
        }
    }
}

/// The entries of the table that differ in their quasi-identifiers; others differ in a tallied column
/// only.
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
/// their order must not tell them apart.
fn ranks(classes: &Classes, columns: usize) -> Vec<u32> {
    let compare = |a: usize, b: usize| -> Ordering {
        let suppressed = classes.is_suppressed(a).cmp(&classes.is_suppressed(b));
        if suppressed != Ordering::Equal || classes.is_suppressed(a) {
            return suppressed;
        }
        (0..columns)
            .map(|column| compare_blocks(classes.block(column, a), classes.block(column, b)))
            .fold(Ordering::Equal, Ordering::then)
    };
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by(|a, b| compare(*a, *b));
    let mut ranks = vec![0; classes.len()];
    let mut rank = 0;
    for pair in 1..order.len() {
        if compare(order[pair - 1], order[pair]) != Ordering::Equal {
            rank += 1;
        }
        ranks[order[pair]] = rank;
    }
    ranks
}

/// Numbers by size, names by the alphabet, what is suppressed or missing last.
fn compare_blocks(a: &Block, b: &Block) -> Ordering {
    let kind = |block: &Block| match block.extent {
        Extent::Range { .. } => 0,
        Extent::Values { .. } | Extent::Ranges { .. } => 1,
        Extent::Missing => 2,
        Extent::All => 3,
    };
    kind(a)
        .cmp(&kind(b))
        .then_with(|| match (&a.extent, &b.extent) {
            (
                Extent::Range {
                    low: a_low,
                    high: a_high,
                },
                Extent::Range {
                    low: b_low,
                    high: b_high,
                },
            ) => a_low
                .cmp(b_low)
                .then(a_high.cmp(b_high))
                .then_with(|| a.label.cmp(&b.label)),
            _ => a.label.cmp(&b.label),
        })
}
