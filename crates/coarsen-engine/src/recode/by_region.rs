//! Recoding by regions: a row's codes lead through the tree of cuts to its region, and the region to
//! what is released. Nothing is joined, and nothing is held of the table but the codes of its distinct
//! cells, so it does not matter how many combinations there are.

use std::sync::Arc;

use coarsen::recoding::Finder;
use datafusion::arrow::array::{ArrayRef, AsArray, UInt32Array, UInt64Array};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, UInt64Type};
use datafusion::dataframe::DataFrame;
use datafusion::logical_expr::{ColumnarValue, Expr, Volatility, create_udf, ident};

use super::labels::shown_array;
use super::order::ranks;
use super::{Job, Recoded, Released};
use crate::EngineError;
use crate::coder::Coder;

/// How rows find their classes.
pub(crate) struct ByRegion {
    /// Finds a region.
    pub finder: Finder,
    /// The class of each region; none where it has no rows.
    pub class_of_region: Vec<Option<u32>>,
}

/// Gives every row the rank of its region, and every column its labels by that rank.
pub(super) fn recode(
    job: &Job<'_>,
    by: &ByRegion,
    rows: DataFrame,
) -> Result<Recoded, EngineError> {
    let columns = job.table.attributes.len();
    let ranks = ranks(job.classes, columns);
    let is_written = |class: u32| job.masks || !job.classes.is_suppressed(class as usize);
    let rank_of_region: Vec<Option<u64>> = by
        .class_of_region
        .iter()
        .map(|class| class.filter(|c| is_written(*c)).map(|c| ranks[c as usize]))
        .collect();
    let keys: Vec<Expr> = (0..columns).map(|i| ident(format!("key{i}"))).collect();
    let rank = rank_function(job, by.finder.clone(), rank_of_region).call(keys);
    let cells = rows.schema().columns().into_iter();
    let cells = cells.filter(|column| column.name.starts_with("cell"));
    let wanted: Vec<Expr> = std::iter::once(rank.alias("rank"))
        .chain(cells.map(|column| ident(column.name)))
        .collect();
    let rows = rows.select(wanted)?.filter(ident("rank").is_not_null())?;

    // Of the classes that share a rank, any tells what is shown for it.
    let mut class_of_rank = vec![0u32; ranks.iter().max().map_or(0, |rank| *rank as usize + 1)];
    for (class, rank) in ranks.iter().enumerate() {
        class_of_rank[*rank as usize] = class as u32;
    }
    let class_of_rank = UInt32Array::from(class_of_rank);
    let mut shown = Vec::new();
    for (place, released) in job.released.iter().enumerate() {
        shown.push(match released {
            Released::AsIs => Vec::new(),
            Released::Shown(parts) => parts
                .iter()
                .enumerate()
                .map(|(part, shown)| {
                    let cells = shown_array(shown, job.classes);
                    let cells = take(&cells, &class_of_rank, None)?;
                    Ok(shown_function(&format!("shown{place}_{part}"), cells))
                })
                .collect::<Result<Vec<_>, EngineError>>()?,
        });
    }
    Ok(Recoded { rows, shown })
}

/// From the cells of all quasi-identifiers to the rank of the row; none where it is not released.
fn rank_function(
    job: &Job<'_>,
    finder: Finder,
    rank_of_region: Vec<Option<u64>>,
) -> datafusion::logical_expr::ScalarUDF {
    let coders: Vec<Coder> = job.table.coders[..job.table.attributes.len()].to_vec();
    let types = coders.iter().map(|coder| coder.kind().clone()).collect();
    let rank = move |arguments: &[ColumnarValue]| {
        let arrays = ColumnarValue::values_to_arrays(arguments)?;
        let codes: Vec<Vec<u32>> = coders
            .iter()
            .zip(&arrays)
            .map(|(coder, array)| coder.codes(array))
            .collect();
        let rank = |row: usize| {
            // A cell that was not there when the table was counted has no code, and its row no place
            // in the release; the audit then finds rows missing.
            if codes.iter().any(|codes| codes[row] == Coder::UNKNOWN) {
                return None;
            }
            rank_of_region[finder.find(|column| codes[column][row])? as usize]
        };
        let rows = arrays.first().map_or(0, |array| array.len());
        let ranks: UInt64Array = (0..rows).map(rank).collect();
        Ok(ColumnarValue::Array(Arc::new(ranks)))
    };
    create_udf(
        "rank_of_region",
        types,
        DataType::UInt64,
        Volatility::Immutable,
        Arc::new(rank),
    )
}

/// From the rank of a row to what is shown for it.
fn shown_function(name: &str, cells: ArrayRef) -> Expr {
    let kind = cells.data_type().clone();
    let show = move |arguments: &[ColumnarValue]| {
        let ranks = ColumnarValue::values_to_arrays(arguments)?.remove(0);
        let shown = take(&cells, ranks.as_primitive::<UInt64Type>(), None)?;
        Ok(ColumnarValue::Array(shown))
    };
    let function = create_udf(
        name,
        vec![DataType::UInt64],
        kind,
        Volatility::Immutable,
        Arc::new(show),
    );
    function.call(vec![ident("rank")])
}
