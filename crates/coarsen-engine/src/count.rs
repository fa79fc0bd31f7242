//! Counting: one aggregation by the engine gives every distinct combination of the columns asked for,
//! with its number of rows.

use std::sync::Mutex;

use coarsen::policy::{MissingRule, Policy};
use datafusion::arrow::array::{ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::dataframe::DataFrame;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, cast, ident, lit};
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

/// Counts the distinct combinations of these columns; none where there are more than `most`, or more
/// than the engine has memory for.
pub(crate) fn count_combinations(
    engine: &Engine,
    source: &Source,
    columns: &[String],
    take_part: &TakePart<'_>,
    most: Option<u64>,
) -> Result<Option<RawCounts>, EngineError> {
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
            let known = (counts.rows.len() + batch.num_rows()) as u64;
            if most.is_some_and(|most| known > most) {
                return Ok(None);
            }
            for (column, array) in counts.columns.iter_mut().zip(batch.columns()) {
                column.extend(array);
            }
            let rows = batch.column(columns.len()).as_primitive::<Int64Type>();
            counts
                .rows
                .extend(rows.values().iter().map(|rows| *rows as u64));
        }
        Ok(Some(counts))
    };
    match engine.wait(work) {
        // The engine's own table of groups is the first to feel that they are too many.
        Err(error) if most.is_some() && error.is_of_memory() => Ok(None),
        done => done.map_err(|error| source.blame(error)),
    }
}

/// The distinct cells of one column with the rows of each.
pub(crate) struct CountedColumn {
    pub column: RawColumn,
    pub rows: Vec<u64>,
}

impl CountedColumn {
    fn new(name: &str, kind: &DataType) -> Self {
        CountedColumn {
            column: RawColumn::new(name, kind),
            rows: Vec::new(),
        }
    }

    /// Takes in cells, each with its rows.
    fn add(&mut self, cells: &ArrayRef, rows: impl Fn(usize) -> u64) {
        self.column.extend(cells);
        self.rows.resize(self.column.cells().len(), 0);
        for (place, cell) in self.column.codes.drain(..).enumerate() {
            self.rows[cell as usize] += rows(place);
        }
    }
}

/// Counts the distinct cells of each of these columns by itself, in one pass; none without rows.
pub(crate) fn count_columns(
    engine: &Engine,
    source: &Source,
    columns: &[String],
    take_part: &TakePart<'_>,
) -> Result<Vec<CountedColumn>, EngineError> {
    let none = || -> Vec<CountedColumn> {
        let of = |name: &String| CountedColumn::new(name, &key_type(type_of(source, name)));
        columns.iter().map(of).collect()
    };
    let parts: Vec<Mutex<Vec<CountedColumn>>> =
        (0..engine.lanes()).map(|_| Mutex::new(none())).collect();
    each_batch(engine, source, columns, take_part, &|lane, batch| {
        let mut counted = parts[lane].lock().expect("no lane panics");
        for (counted, cells) in counted.iter_mut().zip(batch.columns()) {
            counted.add(cells, |_| 1);
        }
        Ok(())
    })?;
    let mut all = none();
    for part in parts {
        let part = part.into_inner().expect("no lane panics");
        for (all, part) in all.iter_mut().zip(part) {
            all.add(&part.column.array(), |cell| part.rows[cell]);
        }
    }
    Ok(all)
}

/// Shows the keys of these columns, batch by batch, each lane on a thread of its own.
pub(crate) fn each_batch(
    engine: &Engine,
    source: &Source,
    columns: &[String],
    take_part: &TakePart<'_>,
    visit: &(dyn Fn(usize, RecordBatch) -> Result<(), EngineError> + Sync),
) -> Result<(), EngineError> {
    let work = async {
        let rows = rows(engine.context(), source, columns, take_part).await?;
        let keys: Vec<Expr> = columns
            .iter()
            .enumerate()
            .map(|(i, name)| key_of(name, type_of(source, name)).alias(format!("q{i}")))
            .collect();
        Ok(rows.select(keys)?)
    };
    each_batch_in(engine, source, work, visit)
}

/// Shows these columns as they are, batch by batch, of the rows that pass the filter.
pub(crate) fn each_batch_of(
    engine: &Engine,
    source: &Source,
    columns: Vec<Expr>,
    filter: Option<Expr>,
    visit: &(dyn Fn(usize, RecordBatch) -> Result<(), EngineError> + Sync),
) -> Result<(), EngineError> {
    let work = async {
        let mut table = source.table(engine.context()).await?;
        if let Some(filter) = filter {
            table = table.filter(filter)?;
        }
        Ok(table.select(columns)?)
    };
    each_batch_in(engine, source, work, visit)
}

/// Shows the rows of a plan, batch by batch, each lane on a thread of its own.
fn each_batch_in(
    engine: &Engine,
    source: &Source,
    plan: impl Future<Output = Result<DataFrame, EngineError>>,
    visit: &(dyn Fn(usize, RecordBatch) -> Result<(), EngineError> + Sync),
) -> Result<(), EngineError> {
    let work = async { Ok(plan.await?.execute_stream_partitioned().await?) };
    let streams = engine.wait(work).map_err(|error| source.blame(error))?;
    // The engine may have more streams than lanes, so lanes take them by turns.
    let waiting = Mutex::new(streams);
    let lane = |lane: usize| -> Result<(), EngineError> {
        loop {
            let next = waiting.lock().expect("no lane panics").pop();
            let Some(mut stream) = next else {
                return Ok(());
            };
            while let Some(batch) = engine.wait(async { Ok(stream.next().await) })? {
                visit(lane, batch?)?;
            }
        }
    };
    let done: Vec<Result<(), EngineError>> = std::thread::scope(|scope| {
        let lane = &lane;
        let threads: Vec<_> = (0..engine.lanes())
            .map(|number| scope.spawn(move || lane(number)))
            .collect();
        let join =
            |thread: std::thread::ScopedJoinHandle<'_, _>| thread.join().expect("no lane panics");
        threads.into_iter().map(join).collect()
    });
    let done: Result<Vec<()>, EngineError> = done.into_iter().collect();
    done.map(|_| ()).map_err(|error| source.blame(error))
}

/// The type of a column that is known to be there.
pub(crate) fn type_of<'a>(source: &'a Source, name: &str) -> &'a DataType {
    source
        .schema
        .field_with_name(name)
        .map(|field| field.data_type())
        .expect("columns were checked against the file before anything is counted")
}
