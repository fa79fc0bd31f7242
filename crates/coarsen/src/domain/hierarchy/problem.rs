//! What can be wrong with a hierarchy or with the column below it, in words.

use std::fmt;

use crate::domain::Kind;

/// One thing wrong with a hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A leaf stands on two lines.
    Twice {
        /// The leaf.
        value: String,
    },
    /// A node has two parents.
    TwoParents {
        /// The node.
        node: String,
        /// One parent.
        one: String,
        /// Another.
        other: String,
    },
    /// A node is its own ancestor.
    Cycle {
        /// The nodes on the way round.
        nodes: Vec<String>,
    },
    /// A leaf has more or fewer names on its line than most have.
    Uneven {
        /// The leaf.
        value: String,
        /// Its names, itself and the top included.
        levels: usize,
        /// What most leaves have.
        expected: usize,
    },
    /// The data hold values that the tree does not.
    Absent {
        /// The values.
        values: Vec<String>,
    },
    /// The data hold a value that the tree has in another spelling.
    Misspelt {
        /// The value.
        value: String,
        /// The leaf that differs only in case or in spaces around it.
        leaf: String,
    },
    /// A leaf is not of the column's kind.
    NotOfKind {
        /// The leaf.
        value: String,
        /// The column's kind.
        kind: Kind,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Twice { value } => write!(f, "`{value}` is listed twice"),
            Problem::TwoParents { node, one, other } => {
                write!(f, "`{node}` has two parents, `{one}` and `{other}`")
            }
            Problem::Cycle { nodes } => write!(
                f,
                "`{}` is its own ancestor, which makes a cycle: `{}`",
                nodes.first().map_or("", String::as_str),
                nodes.join("` → `")
            ),
            Problem::Uneven {
                value,
                levels,
                expected,
            } => write!(
                f,
                "`{value}` has {levels} levels with itself and `*`, where most leaves have {expected}"
            ),
            Problem::Absent { values } => match values.as_slice() {
                [value] => write!(f, "`{value}` is in the data but not in the hierarchy"),
                _ => {
                    let named: Vec<String> = values
                        .iter()
                        .take(NAMED)
                        .map(|v| format!("`{v}`"))
                        .collect();
                    let rest = values.len() - named.len();
                    write!(
                        f,
                        "{} values of the data are not in the hierarchy: {}",
                        values.len(),
                        named.join(", ")
                    )?;
                    match rest {
                        0 => Ok(()),
                        rest => write!(f, " and {rest} more"),
                    }
                }
            },
            Problem::Misspelt { value, leaf } => write!(
                f,
                "`{value}` is in the data but not in the hierarchy, which has `{leaf}`"
            ),
            Problem::NotOfKind { value, kind } => {
                write!(f, "`{value}` is not of type {kind}, which the column has")
            }
        }
    }
}

/// Why no domain and hierarchy could be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// Cells that are not of the stated kind; the caller knows in which rows they stand.
    #[error("column `{column}`: {} distinct cell{} cannot be read as {kind}{}", cells.len(), if cells.len() == 1 { "" } else { "s" }, match format { Some(f) => format!(" by the format `{f}`"), None => String::new() })]
    Unreadable {
        /// The column.
        column: String,
        /// The kind they should have.
        kind: Kind,
        /// The date format in force, where the kind is a date.
        format: Option<String>,
        /// Places in the raw column's cells.
        cells: Vec<usize>,
    },
    /// A hierarchy that does not hold together or does not cover the data.
    #[error("the hierarchy of column `{column}` does not hold:{}", list(problems))]
    Hierarchy {
        /// The column.
        column: String,
        /// Everything that is wrong.
        problems: Vec<Problem>,
    },
    /// A hierarchy that cannot stand on this kind of column.
    #[error("column `{column}`: {message}")]
    Unfit {
        /// The column.
        column: String,
        /// Why, and what to do.
        message: String,
    },
}

/// How many problems one message lists before it counts the rest.
const LISTED: usize = 20;

/// How many absent values one problem names before it counts the rest.
const NAMED: usize = 50;

fn list(problems: &[Problem]) -> String {
    let mut text = String::new();
    for problem in problems.iter().take(LISTED) {
        text.push_str("\n  - ");
        text.push_str(&problem.to_string());
    }
    if problems.len() > LISTED {
        text.push_str(&format!("\n  - and {} more", problems.len() - LISTED));
    }
    text
}
