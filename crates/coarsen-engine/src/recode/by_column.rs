//! Recoding column by column, in expressions alone: for partitions, where a value's block does not
//! depend on the row it stands in.
//!
//! Each column has a table from cells to the place of their block in the release's order. The rank of
//! a row is the mixed-radix number of these places, so it names the row's class, sorts as the release
//! does, and tells every column's label again after the sort, which then has one number to carry in
//! place of all labels.

use coarsen::domain::{Block, SUPPRESSED, Value};
use coarsen::recoding::{Shown, ShownCells};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::dataframe::DataFrame;
use datafusion::logical_expr::{Expr, case, ident, lit, when};

use super::order::{compare_blocks, places};
use super::{Job, Recoded, Released};
use crate::EngineError;
use crate::raw::arrow_date;

/// A column with more distinct cells is recoded by a join: the time to plan an expression grows with
/// the square of its length.
const LONGEST_TABLE: usize = 256;
/// Likewise a release with more suppressed classes.
const LONGEST_LIST: usize = 1024;

/// The look-ups of one release.
pub(super) struct Plan<'a> {
    job: &'a Job<'a>,
    columns: Vec<Column>,
    /// The ranks of suppressed classes.
    suppressed: Vec<u64>,
    /// One past the greatest rank of a class: the rank of masked rows.
    end: u64,
}

/// The look-up of one column.
struct Column {
    /// The place of each distinct cell's block in the release's order.
    place_of_cell: Vec<u32>,
    /// The place of each block; blocks that no row has stand at 0 and do not matter.
    place_of_block: Vec<u32>,
    /// A class that shows each place.
    class_of_place: Vec<usize>,
    /// What one step in this column's order adds to a rank.
    stride: u64,
}

impl<'a> Plan<'a> {
    /// The look-ups, where the release can be made by them.
    pub fn of(job: &'a Job<'a>) -> Option<Self> {
        let classes = job.classes;
        let mut columns: Vec<Column> = (0..job.table.attributes.len())
            .map(|i| Column::of(job, i))
            .collect::<Option<_>>()?;
        let mut end = 1u64;
        for column in columns.iter_mut().rev() {
            column.stride = end;
            end = end.checked_mul(column.class_of_place.len() as u64)?;
        }
        end.checked_add(1)?;
        let rank_of = |class: usize| -> u64 {
            let part = |(i, column): (usize, &Column)| {
                let block = classes.block_of(i)[class] as usize;
                u64::from(column.place_of_block[block]) * column.stride
            };
            columns.iter().enumerate().map(part).sum()
        };
        let mut suppressed: Vec<u64> = (0..classes.len())
            .filter(|class| classes.is_suppressed(*class))
            .map(rank_of)
            .collect();
        suppressed.sort_unstable();
        // Two classes that show the same have one rank, and would be suppressed together.
        let is_mixed = classes
            .released()
            .any(|c| suppressed.binary_search(&rank_of(c)).is_ok());
        if is_mixed || suppressed.len() > LONGEST_LIST {
            return None;
        }
        Some(Plan {
            job,
            columns,
            suppressed,
            end,
        })
    }

    /// Gives every row its rank, and every column its labels by that rank.
    pub fn recode(self, rows: DataFrame) -> Result<Recoded, EngineError> {
        let parts = self
            .columns
            .iter()
            .enumerate()
            .map(|(i, column)| column.part(self.job, i));
        let mut rank = parts
            .reduce(|sum, part| sum + part)
            .unwrap_or_else(|| lit(0u64));
        let kept: Vec<Expr> = rows
            .schema()
            .columns()
            .into_iter()
            .filter(|column| column.name.starts_with("cell"))
            .map(|column| ident(column.name))
            .collect();
        let ranked = |rank: Expr| {
            std::iter::once(rank.alias("rank"))
                .chain(kept.iter().cloned())
                .collect::<Vec<_>>()
        };
        let list: Vec<Expr> = self.suppressed.iter().map(|rank| lit(*rank)).collect();
        if self.job.masks {
            rank =
                when(rank.clone().in_list(list.clone(), false), lit(self.end)).otherwise(rank)?;
        }
        // A cell that was not there when the table was counted has no rank, and its row no place in
        // the release; the audit then finds rows missing.
        let mut rows = rows
            .select(ranked(rank))?
            .filter(ident("rank").is_not_null())?;
        if !self.job.masks && !list.is_empty() {
            rows = rows.filter(ident("rank").in_list(list, true))?;
        }
        let mut shown = Vec::new();
        for (column, released) in self.columns.iter().zip(&self.job.released) {
            shown.push(match released {
                Released::AsIs => Vec::new(),
                Released::Shown(parts) => {
                    let label = |shown| column.label(shown, self.job.masks.then_some(self.end));
                    parts.iter().map(label).collect::<Result<Vec<_>, _>>()?
                }
            });
        }
        Ok(Recoded { rows, shown })
    }
}

impl Column {
    /// The look-up of a column, where a value's block does not depend on its row.
    fn of(job: &Job<'_>, place: usize) -> Option<Self> {
        let Job { table, classes, .. } = job;
        let raw = &table.raw.columns[place];
        let is_number = |cell: &Option<Value>| match cell {
            Some(Value::Decimal(number)) => !number.is_nan(),
            _ => true,
        };
        if raw.cells().len() > LONGEST_TABLE || !raw.cells().iter().all(is_number) {
            return None;
        }
        let codes = table.counts.codes(place);
        let mut block_of_code = vec![u32::MAX; table.attributes[place].domain.size()];
        for class in 0..classes.len() {
            let block = classes.block_of(place)[class];
            for member in classes.members(class) {
                let known = &mut block_of_code[codes[member.combination as usize] as usize];
                if *known != u32::MAX && *known != block {
                    return None;
                }
                *known = block;
            }
        }
        // Only blocks that some class has take part in the order.
        let mut class_of_block = vec![usize::MAX; classes.blocks(place).len()];
        for class in 0..classes.len() {
            class_of_block[classes.block_of(place)[class] as usize] = class;
        }
        let used: Vec<usize> = (0..class_of_block.len())
            .filter(|b| class_of_block[*b] != usize::MAX)
            .collect();
        let block = |i: usize| -> &Block { &classes.blocks(place)[used[i]] };
        let (order, count) = places(used.len(), |a, b| compare_blocks(block(a), block(b)));
        let mut place_of_block = vec![0; class_of_block.len()];
        let mut class_of_place = vec![0; count as usize];
        for (block, place) in used.iter().zip(order) {
            place_of_block[*block] = place;
            class_of_place[place as usize] = class_of_block[*block];
        }
        let mut place_of_cell = vec![0; raw.cells().len()];
        for (entry, cell) in raw.codes.iter().enumerate() {
            let code = codes[table.combination_of[entry] as usize];
            place_of_cell[*cell as usize] = place_of_block[block_of_code[code as usize] as usize];
        }
        Some(Column {
            place_of_cell,
            place_of_block,
            class_of_place,
            stride: 1,
        })
    }

    /// What the column adds to a row's rank: a table from its cells.
    fn part(&self, job: &Job<'_>, place: usize) -> Expr {
        let cells = job.table.raw.columns[place].cells();
        let part = |cell: usize| u64::from(self.place_of_cell[cell]) * self.stride;
        if self.class_of_place.len() == 1 {
            return lit(0u64);
        }
        let mut table = case(ident(format!("key{place}")));
        let mut empty = ScalarValue::UInt64(None);
        for (i, cell) in cells.iter().enumerate() {
            match cell {
                None => empty = ScalarValue::UInt64(Some(part(i))),
                Some(value) => {
                    table = table.when(Expr::Literal(literal(value), None), lit(part(i)));
                }
            }
        }
        table
            .otherwise(Expr::Literal(empty, None))
            .expect("a table with at least two cells is a sound expression")
    }

    /// What is shown for a row, told from its rank.
    fn label(&self, shown: &Shown, masked: Option<u64>) -> Result<Expr, EngineError> {
        let count = self.class_of_place.len() as u64;
        let place = ident("rank") / lit(self.stride) % lit(count);
        let cell = |class: usize| match &shown.cells {
            ShownCells::Text(cells) => text(cells[class].as_deref()),
            ShownCells::Number(cells) => ScalarValue::Float64(cells[class]),
        };
        let mut table = case(place);
        for (i, class) in self.class_of_place.iter().enumerate() {
            table = table.when(lit(i as u64), Expr::Literal(cell(*class), None));
        }
        let label = table.end()?;
        Ok(match masked {
            None => label,
            Some(rank) => {
                let hidden = match shown.cells {
                    ShownCells::Text(_) => text(Some(SUPPRESSED)),
                    ShownCells::Number(_) => ScalarValue::Float64(None),
                };
                when(ident("rank").eq(lit(rank)), Expr::Literal(hidden, None)).otherwise(label)?
            }
        })
    }
}

/// Labels are few and rows many: a number a row, and each label once.
fn text(label: Option<&str>) -> ScalarValue {
    let label = ScalarValue::Utf8(label.map(str::to_string));
    ScalarValue::Dictionary(Box::new(DataType::UInt32), Box::new(label))
}

fn literal(value: &Value) -> ScalarValue {
    match value {
        Value::Integer(number) => ScalarValue::Int64(Some(*number)),
        Value::Decimal(number) => ScalarValue::Float64(Some(*number)),
        Value::Date(day) => ScalarValue::Date32(Some(arrow_date(*day))),
        Value::Boolean(truth) => ScalarValue::Boolean(Some(*truth)),
        Value::Text(text) => ScalarValue::Utf8View(Some(text.clone())),
    }
}
