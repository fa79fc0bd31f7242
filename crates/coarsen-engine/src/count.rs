//! Counting: one aggregation by the engine gives every distinct combination of the columns asked for,
//! with its number of rows.

use coarsen::policy::{MissingRule, Policy};
use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::dataframe::DataFrame;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, ident, lit};
use datafusion::prelude::SessionContext;
use futures::StreamExt;

use crate::EngineError;
use crate::eligible::eligible;
use crate::engine::Engine;
use crate::raw::{RawColumn, RawCounts, key_of, key_type};
use crate::source::Source;

/// How missing cells are treated before anything else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missing<'a> {
    /// The words that stand for a missing value.
    pub words: &'a [String],
    /// What becomes of a row with one.
    pub rule: MissingRule,
}

/// Which rows take part.
#[derive(Clone, Debug)]
pub(crate) struct TakePart<'a> {
    /// How missing cells are treated.
    pub missing: Missing<'a>,
    /// The rows that may be released, where not all.
    pub eligible: Option<Expr>,
}

impl<'a> TakePart<'a> {
    /// As a policy says.
    pub fn of(policy: &'a Policy, source: &Source) -> Result<Self, EngineError> {
        Ok(TakePart {
            missing: Missing {
                words: &policy.input.missing,
                rule: policy.input.missing_rule,
            },
            eligible: eligible(policy, source)?,
        })
    }
}

/// The rows that take part: those that are eligible, and, where the policy says so, without a missing
/// value in the given columns.
pub(crate) async fn rows(
    context: &SessionContext,
    source: &Source,
    columns: &[String],
    take_part: &TakePart<'_>,
) -> Result<DataFrame, EngineError> {
    let missing = take_part.missing;
    let mut table = source.table(context).await?;
    if let Some(eligible) = &take_part.eligible {
        table = table.filter(eligible.clone())?;
    }
    if missing.rule != MissingRule::Drop {
        return Ok(table);
    }
    let words: Vec<Expr> = missing
        .words
        .iter()
        .map(|word| lit(word.as_str()))
        .collect();
    let keep = columns
        .iter()
        .map(|name| {
            let is_text = key_type(type_of(source, name)) == DataType::Utf8View;
            match is_text && !words.is_empty() {
                true => ident(name)
                    .is_not_null()
                    .and(ident(name).in_list(words.clone(), true)),
                false => ident(name).is_not_null(),
            }
        })
        .reduce(Expr::and);
    Ok(match keep {
        Some(keep) => table.filter(keep)?,
        None => table,
    })
}

/// Counts the distinct combinations of these columns.
pub(crate) fn count_combinations(
    engine: &Engine,
    source: &Source,
    columns: &[String],
    take_part: &TakePart<'_>,
) -> Result<RawCounts, EngineError> {
    let work = async {
        let rows = rows(engine.context(), source, columns, take_part).await?;
        let keys: Vec<Expr> = columns
            .iter()
            .enumerate()
            .map(|(i, name)| key_of(name, type_of(source, name)).alias(format!("q{i}")))
            .collect();
        let names: Vec<Expr> = (0..columns.len()).map(|i| ident(format!("q{i}"))).collect();
        let counted = rows
            .select(keys)?
            .aggregate(names, vec![count(lit(1)).alias("rows")])?;
        let mut counts = RawCounts::default();
        for name in columns {
            counts
                .columns
                .push(RawColumn::new(name, &key_type(type_of(source, name))));
        }
        let mut batches = counted.execute_stream().await?;
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            for (column, array) in counts.columns.iter_mut().zip(batch.columns()) {
                column.extend(array);
            }
            let rows = batch.column(columns.len()).as_primitive::<Int64Type>();
            counts
                .rows
                .extend(rows.values().iter().map(|rows| *rows as u64));
        }
        Ok(counts)
    };
    engine.wait(work).map_err(|error| source.blame(error))
}

/// The type of a column that is known to be there.
pub(crate) fn type_of<'a>(source: &'a Source, name: &str) -> &'a DataType {
    source
        .schema
        .field_with_name(name)
        .map(|field| field.data_type())
        .expect("columns were checked against the file before anything is counted")
}
