//! What is written for a class in a column: a label, two bounds, or one number that stands for it.

use chrono::NaiveDate;

use crate::counts::{Classes, Counts};
use crate::domain::{Attribute, Block, Extent, Kind, SUPPRESSED, Value};
use crate::policy::Represent;

/// An output column and its cell for every class.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The column's name in the release.
    pub name: String,
    /// One cell a class.
    pub cells: ShownCells,
}

/// Cells of an output column; `None` is an empty cell.
#[derive(Clone, Debug, PartialEq)]
pub enum ShownCells {
    /// Labels.
    Text(Vec<Option<String>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
}

/// What a column of the release holds for every class.
///
/// A range is written as its label; `bounds` as two columns, `_low` and `_high`; `midpoint`,
/// `median` and `mean` as one number for the block, the latter two over the released rows in it.
/// A block without numbers (a set of names, a suppressed cell) has none: labels keep their column
/// whole, numbers leave the cell empty.
pub fn show(attribute: &Attribute, place: usize, counts: &Counts, classes: &Classes) -> Vec<Shown> {
    let blocks = classes.blocks(place);
    let block_of = classes.block_of(place);
    let name = attribute.name.clone();
    let by_block = |of: &dyn Fn(usize, &Block) -> Option<f64>| {
        let of_blocks: Vec<Option<f64>> = blocks
            .iter()
            .enumerate()
            .map(|(i, block)| of(i, block))
            .collect();
        let cells = block_of.iter().map(|block| of_blocks[*block as usize]);
        match attribute.domain.kind() {
            Kind::Date => ShownCells::Text(cells.map(|day| Some(date(attribute, day?))).collect()),
            _ => ShownCells::Number(cells.collect()),
        }
    };
    let is_numeric = attribute.domain.kind().is_ordered();
    match attribute.settings.represent {
        represent if represent == Represent::Range || !is_numeric => {
            let text = |block: &u32| match &blocks[*block as usize] {
                block if block.extent == Extent::Missing => None,
                block => Some(block.label.clone()),
            };
            vec![Shown {
                name,
                cells: ShownCells::Text(block_of.iter().map(text).collect()),
            }]
        }
        Represent::Bounds => {
            let end = |pick: fn((Value, Value)) -> Value| {
                let texts: Vec<Option<String>> = blocks
                    .iter()
                    .map(|block| match &block.extent {
                        Extent::All => Some(SUPPRESSED.to_string()),
                        _ => ends(block).map(|ends| attribute.domain.write(&pick(ends))),
                    })
                    .collect();
                ShownCells::Text(
                    block_of
                        .iter()
                        .map(|b| texts[*b as usize].clone())
                        .collect(),
                )
            };
            vec![
                Shown {
                    name: format!("{name}_low"),
                    cells: end(|(low, _)| low),
                },
                Shown {
                    name: format!("{name}_high"),
                    cells: end(|(_, high)| high),
                },
            ]
        }
        Represent::Midpoint => {
            let middle = |_: usize, block: &Block| {
                let (low, high) = ends(block)?;
                Some((low.number()? + high.number()?) / 2.0)
            };
            vec![Shown {
                name,
                cells: by_block(&middle),
            }]
        }
        represent => {
            let held = values_of_blocks(attribute, place, counts, classes);
            let typical = |i: usize, _: &Block| match represent {
                Represent::Mean => mean(&held[i]),
                _ => median(&held[i]),
            };
            vec![Shown {
                name,
                cells: by_block(&typical),
            }]
        }
    }
}

/// A day number as a date of the column.
fn date(attribute: &Attribute, day: f64) -> String {
    let day = NaiveDate::from_num_days_from_ce_opt(day.floor() as i32).unwrap_or_default();
    attribute.domain.write(&Value::Date(day))
}

fn ends(block: &Block) -> Option<(Value, Value)> {
    match &block.extent {
        Extent::All | Extent::Missing => None,
        Extent::Range { low, high } => Some((low.clone(), high.clone())),
        Extent::Values { values, .. } => {
            Some((values.iter().min()?.clone(), values.iter().max()?.clone()))
        }
        Extent::Ranges { ranges, .. } => Some((
            ranges.iter().map(|(low, _)| low).min()?.clone(),
            ranges.iter().map(|(_, high)| high).max()?.clone(),
        )),
    }
}

/// The numbers with their rows that each block of a column is released for, rising.
fn values_of_blocks(
    attribute: &Attribute,
    place: usize,
    counts: &Counts,
    classes: &Classes,
) -> Vec<Vec<(f64, u64)>> {
    let size = attribute.domain.size();
    let numbers: Vec<Option<f64>> = (0..size as u32)
        .map(|code| {
            let (low, high) = (attribute.domain.low(code)?, attribute.domain.high(code)?);
            Some((low.number()? + high.number()?) / 2.0)
        })
        .collect();
    let mut held = vec![Vec::new(); classes.blocks(place).len()];
    for class in classes.released() {
        let block = classes.block_of(place)[class] as usize;
        for member in classes.members(class) {
            let code = counts.codes(place)[member.combination as usize];
            if let Some(number) = numbers[code as usize] {
                held[block].push((number, member.rows));
            }
        }
    }
    for list in &mut held {
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    held
}

fn mean(values: &[(f64, u64)]) -> Option<f64> {
    let rows: u64 = values.iter().map(|(_, rows)| rows).sum();
    let sum: f64 = values
        .iter()
        .map(|(value, rows)| value * *rows as f64)
        .sum();
    (rows > 0).then(|| sum / rows as f64)
}

/// The lower median.
fn median(values: &[(f64, u64)]) -> Option<f64> {
    let rows: u64 = values.iter().map(|(_, rows)| rows).sum();
    let mut before = 0;
    values
        .iter()
        .find(|(_, rows_here)| {
            before += rows_here;
            before * 2 >= rows
        })
        .map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Entries;
    use crate::domain::hierarchy::{Description, RawColumn, build};
    use crate::domain::{AttributeSettings, Partition};
    use crate::recoding::Partitions;

    /// A column of cells, its first level released, and what is written for each class in turn.
    fn shown(cells: &[&str], represent: Represent, level: usize) -> Vec<Shown> {
        let values: Vec<Option<Value>> = cells
            .iter()
            .map(|c| (!c.is_empty()).then(|| Value::Text(c.to_string())))
            .collect();
        let rows = vec![1; cells.len()];
        let column = RawColumn {
            name: "q",
            cells: &values,
            rows: &rows,
        };
        let built = build(column, Description::default()).unwrap();
        let entries = Entries {
            codes: vec![built.code_of],
            tallied: Vec::new(),
            rows,
        };
        let counts = Counts::build(entries, Vec::new()).0;
        let attribute = Attribute {
            name: "q".into(),
            domain: built.domain,
            hierarchy: built.hierarchy,
            settings: AttributeSettings {
                represent,
                ..AttributeSettings::default()
            },
        };
        let columns = vec![Partition::at_level(&attribute, level)];
        let classes = Partitions { columns }.classes(&counts);
        show(&attribute, 0, &counts, &classes)
    }

    /// 1, 1, 4 | 10, 13 | missing: pairs of neighbouring values.
    const NUMBERS: [&str; 6] = ["1", "1", "4", "10", "13", ""];

    fn texts(cells: &[Option<&str>]) -> ShownCells {
        ShownCells::Text(cells.iter().map(|cell| cell.map(str::to_string)).collect())
    }

    #[test]
    fn a_range_is_its_label_and_a_missing_value_an_empty_cell() {
        let shown = shown(&NUMBERS, Represent::Range, 1);
        assert_eq!((shown.len(), shown[0].name.as_str()), (1, "q"));
        assert_eq!(shown[0].cells, texts(&[Some("1..4"), Some("10..13"), None]));
    }

    #[test]
    fn bounds_are_two_columns() {
        let found = shown(&NUMBERS, Represent::Bounds, 1);
        let names: Vec<&str> = found.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["q_low", "q_high"]);
        assert_eq!(found[0].cells, texts(&[Some("1"), Some("10"), None]));
        assert_eq!(found[1].cells, texts(&[Some("4"), Some("13"), None]));
        let top = shown(&NUMBERS, Represent::Bounds, 2);
        assert!(top.iter().all(|column| column.cells == texts(&[Some("*")])));
    }

    #[test]
    fn one_number_stands_for_a_block() {
        let number = |represent| shown(&NUMBERS, represent, 1).remove(0).cells;
        let numbers = |a, b| ShownCells::Number(vec![Some(a), Some(b), None]);
        assert_eq!(number(Represent::Midpoint), numbers(2.5, 11.5));
        // (1 + 1 + 4)/3 and (10 + 13)/2; of two middle numbers the lower.
        assert_eq!(number(Represent::Mean), numbers(2.0, 11.5));
        assert_eq!(number(Represent::Median), numbers(1.0, 10.0));
    }

    #[test]
    fn a_date_stands_for_dates_and_words_keep_their_labels() {
        let days = ["1965-09-01", "1965-09-04"];
        let middle = shown(&days, Represent::Midpoint, 0).remove(0).cells;
        assert_eq!(middle, texts(&[Some("1965-09-01"), Some("1965-09-04")]));
        let words = shown(&["b", "a", "a"], Represent::Mean, 0).remove(0).cells;
        assert_eq!(words, texts(&[Some("a"), Some("b")]));
    }
}
