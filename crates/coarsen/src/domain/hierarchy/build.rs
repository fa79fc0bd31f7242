//! From a column's distinct cells and a description to its domain and hierarchy, or to one message
//! that names everything wrong with them.

use rustc_hash::FxHashMap;

use super::problem::BuildError;
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
                    "quantiles need numbers or dates, but the column is {kind}; use a file, a tree or a mask for {kind} values, or correct its type"
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{DateUnit, Side, TreeSpec};

    fn texts(cells: &[&str]) -> Vec<Option<Value>> {
        let cell = |text: &&str| (!text.is_empty()).then(|| Value::Text(text.to_string()));
        cells.iter().map(cell).collect()
    }

    fn of(cells: &[&str], description: Description<'_>) -> Result<Built, BuildError> {
        let rows = vec![1; cells.len()];
        let column = RawColumn {
            name: "c",
            cells: &texts(cells),
            rows: &rows,
        };
        build(column, description)
    }

    fn with(spec: &HierarchySpec) -> Description<'_> {
        Description {
            hierarchy: Some(spec),
            ..Description::default()
        }
    }

    fn labels(built: &Built, level: usize) -> Vec<&str> {
        let nodes = &built.hierarchy.level(level).nodes;
        nodes.iter().map(|node| node.label.as_str()).collect()
    }

    #[test]
    fn siblings_stand_together_though_the_data_do_not() {
        let tree = HierarchySpec::Tree(TreeSpec::Inner(vec![
            ("odd".into(), TreeSpec::Leaves(vec!["3".into(), "1".into()])),
            ("even".into(), TreeSpec::Leaves(vec!["2".into()])),
        ]));
        let built = of(&["1", "2", "3", ""], with(&tree)).expect("a sound tree");
        assert_eq!(labels(&built, 0), ["3", "1", "2", "missing"]);
        assert_eq!(labels(&built, 1), ["odd", "even", "missing"]);
        assert_eq!(labels(&built, 2), ["*"]);
        assert_eq!(built.code_of, [1, 2, 0, 3]);
        assert_eq!(built.domain.kind(), Kind::Text);
    }

    #[test]
    fn two_spellings_of_a_date_are_one_value() {
        let dates = HierarchySpec::Dates {
            units: vec![DateUnit::Day, DateUnit::Year],
        };
        let description = Description {
            format: Some("%m/%d/%Y"),
            ..with(&dates)
        };
        let built = of(&["9/20/1965", "09/20/1965", "01/02/1970"], description).expect("dates");
        assert_eq!(labels(&built, 0), ["09/20/1965", "01/02/1970"]);
        assert_eq!(labels(&built, 1), ["1965", "1970"]);
        assert_eq!(built.code_of, [0, 0, 1]);
    }

    #[test]
    fn every_unreadable_cell_is_told() {
        let description = Description {
            kind: Some(Kind::Integer),
            ..Description::default()
        };
        let Err(error) = of(&["1", "x", "", "2.5"], description) else {
            panic!("`x` is no number");
        };
        assert!(matches!(&error, BuildError::Unreadable { cells, .. } if *cells == [1, 3]));
        assert_eq!(
            error.to_string(),
            "column `c`: 2 distinct cells cannot be read as integer"
        );
    }

    #[test]
    fn a_hierarchy_that_does_not_suit_the_values_says_so() {
        let intervals = HierarchySpec::Intervals {
            widths: vec![5.0],
            origin: 0.0,
        };
        let quantiles = HierarchySpec::Quantiles { limit: 4 };
        for (spec, told) in [(intervals, "intervals"), (quantiles, "quantiles")] {
            let Err(error @ BuildError::Unfit { .. }) = of(&["a", "b"], with(&spec)) else {
                panic!("words have no {told}");
            };
            assert!(error.to_string().contains(told), "{error}");
        }
    }

    #[test]
    fn an_order_covers_all_values_or_says_which_it_lacks() {
        let order = ["low".to_string(), "high".to_string()];
        let description = Description {
            order: Some(&order),
            ..Description::default()
        };
        let built = of(&["high", "low"], description).expect("both are in the order");
        assert_eq!(labels(&built, 0), ["low", "high"]);
        let Err(BuildError::Hierarchy { problems, .. }) = of(&["high", "middle"], description)
        else {
            panic!("`middle` is not in the order");
        };
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn a_column_without_values_still_has_a_top() {
        let mask = HierarchySpec::Mask {
            side: Side::Right,
            levels: None,
        };
        for spec in [None, Some(&mask)] {
            let description = Description {
                hierarchy: spec,
                ..Description::default()
            };
            let built = of(&[""], description).expect("a column of nothing");
            assert_eq!((built.domain.size(), built.hierarchy.height()), (1, 1));
        }
    }
}
