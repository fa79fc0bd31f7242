//! Counting: one aggregation by the engine gives every distinct combination of the columns asked for,
//! with its number of rows.

use coarsen::policy::MissingRule;
use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::dataframe::DataFrame;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, cast, ident, lit};
use datafusion::prelude::SessionContext;
use futures::StreamExt;

use crate::EngineError;
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

/// The rows that take part: all, or those without a missing value in the given columns.
pub(crate) async fn rows(
    context: &SessionContext,
    source: &Source,
    columns: &[String],
    missing: Missing<'_>,
) -> Result<DataFrame, EngineError> {
    let table = source.table(context).await?;
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
            let there = ident(name).is_not_null();
            match key_type(type_of(source, name)) {
                DataType::Utf8View if !words.is_empty() => {
                    let text = cast(ident(name), DataType::Utf8View);
                    there.and(text.in_list(words.clone(), true))
                }
                // What is not a number stands beyond both infinities.
                DataType::Float64 => {
                    let number = cast(ident(name), DataType::Float64);
                    there.and(number.between(lit(f64::NEG_INFINITY), lit(f64::INFINITY)))
                }
                _ => there,
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
    missing: Missing<'_>,
) -> Result<RawCounts, EngineError> {
    let work = async {
        let rows = rows(engine.context(), source, columns, missing).await?;
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
