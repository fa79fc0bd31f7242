//! Why a release is as coarse as it is: for each column, which class would break if the column told
//! more, and why rows were suppressed (seed 002's k-minimal generalization, turned into words).
//!
//! A column that stands at a level of its hierarchy is tried one level lower; any other is tried with
//! its values as they are. Only released labels are named: what a class would break into is counted,
//! not shown. Breaking is told by rows alone, against the k of the requirements.

use serde::Serialize;

use crate::counts::Classes;
use crate::domain::Partition;
use crate::problem::Problem;
use crate::recoding::Recoding;

/// Why a release looks as it does.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// Each quasi-identifier.
    pub columns: Vec<Reason>,
    /// The rows that were suppressed.
    pub suppression: SuppressionReason,
}

/// Why a column is released as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The column.
    pub column: String,
    /// Its level, where the whole column stands at one.
    pub level: Option<usize>,
    /// The highest level.
    pub height: usize,
    /// Released rows that would fall short if it told more.
    pub short_rows: u64,
    /// Released classes that would break.
    pub broken_classes: u64,
    /// The class that would leave the fewest rows alone: its released labels.
    pub class: Vec<String>,
    /// The fewest rows that it would leave alone.
    pub smallest: u64,
    /// All of it in words.
    pub text: String,
}

/// Why rows were suppressed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuppressionReason {
    /// How many.
    pub rows: u64,
    /// In how many classes.
    pub classes: u64,
    /// Those among them that no other row is like, even as generalized.
    pub unique_rows: u64,
    /// All of it in words.
    pub text: String,
}

/// Explains a release: its recoding, and its classes after suppression.
pub fn explain(problem: &Problem, recoding: &Recoding, classes: &Classes) -> Explanation {
    Explanation {
        columns: (0..problem.attributes.len())
            .map(|column| reason(problem, recoding, classes, column))
            .collect(),
        suppression: suppression(problem, classes),
    }
}

fn reason(problem: &Problem, recoding: &Recoding, classes: &Classes, column: usize) -> Reason {
    let attribute = &problem.attributes[column];
    let height = attribute.hierarchy.height();
    let level = match recoding {
        Recoding::Partitions(partitions) => (0..=height)
            .find(|level| Partition::at_level(attribute, *level) == partitions.columns[column]),
        Recoding::Regions(_) | Recoding::Cells(_) => None,
    };
    let exact: Vec<u32> = (0..attribute.domain.size() as u32).collect();
    let finer = match level {
        Some(0) | None => &exact,
        Some(level) => &attribute.hierarchy.level(level - 1).node_of,
    };
    let (codes, k) = (problem.counts.codes(column), problem.k());
    let (mut short_rows, mut broken_classes) = (0, 0);
    let mut worst: Option<(u64, usize)> = None;
    let mut parts: Vec<(u32, u64)> = Vec::new();
    for class in classes.released() {
        parts.clear();
        let members = classes.members(class).iter();
        parts.extend(members.map(|m| (finer[codes[m.combination as usize] as usize], m.rows)));
        parts.sort_unstable();
        let rows = parts.chunk_by(|a, b| a.0 == b.0);
        let short = rows
            .map(|part| part.iter().map(|(_, rows)| rows).sum::<u64>())
            .filter(|rows| *rows < k);
        let (sum, smallest) = short.fold((0, u64::MAX), |(sum, smallest), rows| {
            (sum + rows, smallest.min(rows))
        });
        if sum > 0 {
            short_rows += sum;
            broken_classes += 1;
            if worst.is_none_or(|(least, _)| smallest < least) {
                worst = Some((smallest, class));
            }
        }
    }
    let labels = |class: usize| {
        let columns = 0..problem.attributes.len();
        columns
            .map(|column| classes.block(column, class).label.clone())
            .collect::<Vec<_>>()
    };
    let (smallest, class) = worst.map_or((0, Vec::new()), |(least, class)| (least, labels(class)));
    let already = classes.suppressed_rows();
    let stands = match level {
        Some(0) => "is released as it is".to_string(),
        Some(level) => format!("stands at level {level} of {height}"),
        None => "is released in blocks of its own".to_string(),
    };
    let next = match level {
        Some(level) if level > 0 => format!("at level {}", level - 1),
        _ => "with its values as they are".to_string(),
    };
    let why = match short_rows {
        _ if level == Some(0) => String::new(),
        0 => format!(": {next} no released class would fall below {k}, so it could tell more"),
        rows => format!(
            ": {next} {broken_classes} classes would break and {rows} rows fall short, beside {already} suppressed already ({} allowed); the class ({}) would leave {smallest} rows alone",
            problem.suppression.rows,
            class.join(", ")
        ),
    };
    Reason {
        column: attribute.name.clone(),
        level,
        height,
        short_rows: if level == Some(0) { 0 } else { short_rows },
        broken_classes,
        class,
        smallest,
        text: format!("{} {stands}{why}", attribute.name),
    }
}

fn suppression(problem: &Problem, classes: &Classes) -> SuppressionReason {
    let suppressed = (0..classes.len()).filter(|class| classes.is_suppressed(*class));
    let (mut count, mut unique, mut enough) = (0, 0, 0);
    for class in suppressed {
        let rows = classes.rows()[class];
        count += 1;
        unique += u64::from(rows == 1);
        enough += if rows >= problem.k() { rows } else { 0 };
    }
    let rows = classes.suppressed_rows();
    let text = match rows {
        0 => "no row was suppressed".to_string(),
        rows => {
            let more = match enough {
                0 => String::new(),
                enough => format!(
                    "; {enough} of them stand in classes of {} or more that miss another requirement, or join the masked rows so that those are enough",
                    problem.k()
                ),
            };
            format!(
                "{rows} rows were suppressed: generalized like the rest they make {count} classes, most of them below {}, {unique} of a single row{more}",
                problem.k()
            )
        }
    };
    SuppressionReason {
        rows,
        classes: count,
        unique_rows: unique,
        text,
    }
}
