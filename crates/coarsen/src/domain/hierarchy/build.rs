//! From a column's distinct cells and a description to its domain and hierarchy, or to one message
//! that names everything wrong with them.

use std::fmt;

use rustc_hash::FxHashMap;

use super::{
    Hierarchy, Level, Measure, Node, SUPPRESSED, dates, intervals, layout, mask, quantiles, tree,
};
use crate::domain::{Code, Domain, Kind, MISSING, Value, infer};
use crate::policy::HierarchySpec;

/// A column as the engine found it: its distinct cells and how many rows hold each.
#[derive(Clone, Copy, Debug)]
pub struct RawColumn<'a> {
    /// The column's name.
    pub name: &'a str,
    /// Its distinct cells; `None` is a missing value.
    pub cells: &'a [Option<Value>],
    /// How many rows hold each.
    pub rows: &'a [u64],
}

/// How the column is described.
#[derive(Clone, Copy, Debug, Default)]
pub struct Description<'a> {
    /// The stated kind; inferred where absent.
    pub kind: Option<Kind>,
    /// The date format.
    pub format: Option<&'a str>,
    /// The stated hierarchy.
    pub hierarchy: Option<&'a HierarchySpec>,
    /// The text of the hierarchy's file, where it is in one.
    pub layout: Option<&'a str>,
    /// The order of an ordinal column's values.
    pub order: Option<&'a [String]>,
    /// Take the values as they are, whatever their number, with nothing between them and the top: for
    /// columns that are not generalized.
    pub flat: bool,
}

/// A domain with its hierarchy, and the code of each distinct cell.
#[derive(Clone, Debug)]
pub struct Built {
    /// The coded values.
    pub domain: Domain,
    /// The tree over them.
    pub hierarchy: Hierarchy,
    /// The code of each cell of the [`RawColumn`].
    pub code_of: Vec<Code>,
}

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
    /// A leaf is deeper or less deep than the first one.
    Uneven {
        /// The leaf.
        value: String,
        /// Its levels, itself included.
        levels: usize,
        /// What the first leaf has.
        expected: usize,
    },
    /// The data hold a value that the tree does not.
    Absent {
        /// The value.
        value: String,
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
            Problem::Cycle { nodes } => {
                write!(f, "a cycle: `{}` is its own ancestor", nodes.join("` → `"))
            }
            Problem::Uneven {
                value,
                levels,
                expected,
            } => write!(
                f,
                "`{value}` has {levels} levels where the first leaf has {expected}: every leaf needs the same depth"
            ),
            Problem::Absent { value } => {
                write!(f, "`{value}` is in the data but not in the hierarchy")
            }
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
        /// Places in [`RawColumn::cells`].
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

/// One ancestor of a leaf.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub label: String,
    pub bounds: Option<(Value, Value)>,
}

impl Step {
    pub fn named(label: impl Into<String>) -> Self {
        Step {
            label: label.into(),
            bounds: None,
        }
    }
}

/// A leaf and its ancestors, nearest first, without the top.
pub(super) struct Path {
    pub leaf: Value,
    pub steps: Vec<Step>,
}

/// Builds the domain and hierarchy of a column.
pub fn build(column: RawColumn<'_>, description: Description<'_>) -> Result<Built, BuildError> {
    let kind = kind_of(column, description);
    let format = description.format.filter(|_| kind == Kind::Date);
    let unfit = |message: String| BuildError::Unfit {
        column: column.name.to_string(),
        message,
    };

    let mut unreadable = Vec::new();
    let values: Vec<Option<Value>> = column
        .cells
        .iter()
        .enumerate()
        .map(|(i, cell)| {
            let value = cell.as_ref()?.convert(kind, format);
            if value.is_none() {
                unreadable.push(i);
            }
            value
        })
        .collect();
    if !unreadable.is_empty() {
        return Err(BuildError::Unreadable {
            column: column.name.to_string(),
            kind,
            format: (kind == Kind::Date)
                .then(|| format.unwrap_or(crate::domain::ISO_DATE).to_string()),
            cells: unreadable,
        });
    }
    let missing = values.iter().any(Option::is_none);
    let mut distinct: Vec<Value> = values.iter().flatten().cloned().collect();
    distinct.sort_unstable();
    distinct.dedup();

    let own_format = format.map(str::to_string);
    let (domain, hierarchy) = match description.hierarchy {
        None if kind.is_ordered() && !description.flat => quantiles::build(
            kind,
            own_format,
            &values,
            column.rows,
            quantiles::LIMIT,
            missing,
        ),
        Some(HierarchySpec::Quantiles { limit }) => {
            if !kind.is_ordered() {
                return Err(unfit(format!(
                    "quantiles need numbers or dates, not {kind}"
                )));
            }
            quantiles::build(kind, own_format, &values, column.rows, *limit, missing)
        }
        None => {
            let leaves = match description.order {
                None => distinct.clone(),
                Some(order) => ordinal(column.name, &distinct, order, kind)?,
            };
            let paths = leaves
                .into_iter()
                .map(|leaf| Path {
                    leaf,
                    steps: Vec::new(),
                })
                .collect();
            let measure = if kind.is_ordered() {
                Measure::Span
            } else {
                Measure::Leaves
            };
            assemble(kind, own_format, paths, measure, missing)
        }
        Some(HierarchySpec::Intervals { widths, origin }) => {
            let paths = intervals::paths(&distinct, kind, widths, *origin).map_err(unfit)?;
            assemble(kind, own_format, paths, Measure::Span, missing)
        }
        Some(HierarchySpec::Dates { units }) => {
            let paths = dates::paths(&distinct, units).map_err(unfit)?;
            assemble(kind, own_format, paths, Measure::Span, missing)
        }
        Some(HierarchySpec::Mask { side, levels }) => {
            let paths = mask::paths(&distinct, *side, *levels);
            assemble(kind, own_format, paths, Measure::Leaves, missing)
        }
        Some(spec @ (HierarchySpec::File { .. } | HierarchySpec::Tree(_))) => {
            let rows = match spec {
                HierarchySpec::Tree(spec) => tree::rows(spec),
                _ => layout::parse_layout(description.layout.unwrap_or_default()).map_err(unfit)?,
            };
            let paths = tree::paths(column.name, rows, kind, own_format.as_deref(), &distinct)?;
            assemble(kind, own_format, paths, Measure::Leaves, missing)
        }
    };
    let index = domain.index();
    let code_of = values
        .iter()
        .map(|value| match value {
            None => domain
                .missing()
                .expect("a missing cell makes the domain's missing code"),
            Some(value) => index
                .code(value)
                .expect("every value of the column is in its domain"),
        })
        .collect();
    drop(index);
    Ok(Built {
        domain,
        hierarchy,
        code_of,
    })
}

fn kind_of(column: RawColumn<'_>, description: Description<'_>) -> Kind {
    description.kind.unwrap_or(match description.hierarchy {
        Some(HierarchySpec::Mask { .. } | HierarchySpec::File { .. } | HierarchySpec::Tree(_)) => {
            Kind::Text
        }
        Some(HierarchySpec::Dates { .. }) => Kind::Date,
        _ if description.format.is_some() => Kind::Date,
        _ if description.order.is_some() => Kind::Text,
        _ => infer(column.cells.iter().flatten()),
    })
}

fn ordinal(
    column: &str,
    distinct: &[Value],
    order: &[String],
    kind: Kind,
) -> Result<Vec<Value>, BuildError> {
    let rows = order.iter().map(|leaf| vec![leaf.clone()]).collect();
    let paths = tree::paths(column, rows, kind, None, distinct)?;
    Ok(paths.into_iter().map(|path| path.leaf).collect())
}

/// Puts leaves with their ancestors into a domain and a hierarchy: siblings stand together, in the
/// order in which each node is first met.
pub(super) fn assemble(
    kind: Kind,
    format: Option<String>,
    paths: Vec<Path>,
    measure: Measure,
    missing: bool,
) -> (Domain, Hierarchy) {
    let inner = paths.first().map_or(0, |path| path.steps.len());
    // A node is its label below its parent; ids are given in order of first appearance.
    let mut ids: FxHashMap<(u32, &str), u32> = FxHashMap::default();
    let mut keys: Vec<(Vec<u32>, usize)> = Vec::with_capacity(paths.len());
    for (leaf, path) in paths.iter().enumerate() {
        let mut key = Vec::with_capacity(inner);
        let mut parent = u32::MAX;
        for step in path.steps.iter().rev() {
            let next = ids.len() as u32;
            parent = *ids.entry((parent, step.label.as_str())).or_insert(next);
            key.push(parent);
        }
        keys.push((key, leaf));
    }
    keys.sort();

    let domain = Domain::new(
        kind,
        format,
        keys.iter()
            .map(|(_, leaf)| paths[*leaf].leaf.clone())
            .collect(),
        missing,
    );
    let leaves = (0..domain.present() as Code).map(|code| {
        let value = domain
            .low(code)
            .expect("a present code has a value")
            .clone();
        (code, domain.text(code), Some((value.clone(), value)))
    });
    let mut levels = vec![level(leaves, &domain)];
    for height in 0..inner {
        let place = inner - 1 - height;
        let nodes = keys.iter().map(|(key, leaf)| {
            let step = &paths[*leaf].steps[height];
            (key[place], step.label.clone(), step.bounds.clone())
        });
        levels.push(level(nodes, &domain));
    }
    levels.push(top(&domain));
    (domain, Hierarchy::new(levels, measure))
}

/// One level from the node (id, label, bounds) of each present code in turn.
pub(super) fn level(
    nodes_of_codes: impl Iterator<Item = (u32, String, Option<(Value, Value)>)>,
    domain: &Domain,
) -> Level {
    let mut level = Level {
        node_of: Vec::with_capacity(domain.size()),
        nodes: Vec::new(),
    };
    let mut last = None;
    for (code, (id, label, bounds)) in nodes_of_codes.enumerate() {
        if last != Some(id) {
            last = Some(id);
            level.nodes.push(Node {
                label,
                first: code as Code,
                end: code as Code,
                bounds,
            });
        }
        level.node_of.push(level.nodes.len() as u32 - 1);
        level.nodes.last_mut().expect("just pushed").end = code as Code + 1;
    }
    if let Some(code) = domain.missing() {
        level.node_of.push(level.nodes.len() as u32);
        level.nodes.push(Node {
            label: MISSING.into(),
            first: code,
            end: code + 1,
            bounds: None,
        });
    }
    level
}

/// The suppressed top over the whole domain.
pub(super) fn top(domain: &Domain) -> Level {
    let end = domain.size() as Code;
    Level {
        node_of: vec![0; domain.size()],
        nodes: vec![Node {
            label: SUPPRESSED.into(),
            first: 0,
            end,
            bounds: None,
        }],
    }
}
