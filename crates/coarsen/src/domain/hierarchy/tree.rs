//! Named trees, from a file or from the policy: checked for everything that can be wrong with one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::SUPPRESSED;
use super::build::{BuildError, Path, Problem, Step};
use crate::domain::{Kind, Value};
use crate::policy::TreeSpec;

/// An inline tree as rows: each leaf followed by its ancestors.
pub(super) fn rows(tree: &TreeSpec) -> Vec<Vec<String>> {
    fn walk(tree: &TreeSpec, above: &mut Vec<String>, rows: &mut Vec<Vec<String>>) {
        match tree {
            TreeSpec::Leaves(leaves) => {
                for leaf in leaves {
                    rows.push(
                        std::iter::once(leaf)
                            .chain(above.iter().rev())
                            .cloned()
                            .collect(),
                    );
                }
            }
            TreeSpec::Inner(children) => {
                for (name, child) in children {
                    above.push(name.clone());
                    walk(child, above, rows);
                    above.pop();
                }
            }
        }
    }
    let mut rows = Vec::new();
    walk(tree, &mut Vec::new(), &mut rows);
    rows
}

/// Checks rows of leaf and ancestors, and that they cover the data; names all that is wrong at once.
pub(super) fn paths(
    column: &str,
    mut rows: Vec<Vec<String>>,
    kind: Kind,
    format: Option<&str>,
    distinct: &[Value],
) -> Result<Vec<Path>, BuildError> {
    // The top is implied: a tree that ends in another single name gets `*` above it.
    for row in &mut rows {
        if row.len() > 1 && row.last().is_some_and(|last| last == SUPPRESSED) {
            row.pop();
        }
    }
    let mut problems = Vec::new();
    let expected = rows.first().map_or(1, Vec::len);
    let mut leaves: FxHashSet<Value> = FxHashSet::default();
    let mut paths = Vec::with_capacity(rows.len());
    for row in &rows {
        let name = &row[0];
        if row.len() != expected {
            problems.push(Problem::Uneven {
                value: name.clone(),
                levels: row.len() + 1,
                expected: expected + 1,
            });
        }
        match Value::read(name, kind, format) {
            None => problems.push(Problem::NotOfKind {
                value: name.clone(),
                kind,
            }),
            Some(leaf) => {
                if !leaves.insert(leaf.clone()) {
                    problems.push(Problem::Twice {
                        value: name.clone(),
                    });
                }
                paths.push(Path {
                    leaf,
                    steps: row[1..].iter().map(Step::named).collect(),
                });
            }
        }
    }
    two_parents(&rows, &mut problems);
    cycles(&rows, &mut problems);
    for value in distinct.iter().filter(|value| !leaves.contains(value)) {
        problems.push(Problem::Absent {
            value: value.text(format),
        });
    }
    if problems.is_empty() {
        Ok(paths)
    } else {
        Err(BuildError::Hierarchy {
            column: column.to_string(),
            problems,
        })
    }
}

/// Names that stand below two different names at the next level up.
fn two_parents(rows: &[Vec<String>], problems: &mut Vec<Problem>) {
    let mut parents: FxHashMap<(usize, &str), &str> = FxHashMap::default();
    let mut told: FxHashSet<(usize, &str)> = FxHashSet::default();
    for row in rows {
        for (level, pair) in row.windows(2).enumerate() {
            let known = *parents.entry((level, &pair[0])).or_insert(&pair[1]);
            if known != pair[1] && told.insert((level, &pair[0])) {
                problems.push(Problem::TwoParents {
                    node: pair[0].clone(),
                    one: known.to_string(),
                    other: pair[1].clone(),
                });
            }
        }
    }
}

/// Names that are their own ancestors by way of another name. (A name repeated on its own line is
/// how a short branch is drawn out to full depth, and is no cycle.)
fn cycles(rows: &[Vec<String>], problems: &mut Vec<Problem>) {
    let mut above: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    for row in rows {
        for pair in row.windows(2).filter(|pair| pair[0] != pair[1]) {
            let parents = above.entry(&pair[0]).or_default();
            if !parents.contains(&pair[1].as_str()) {
                parents.push(&pair[1]);
            }
        }
    }
    let mut told: FxHashSet<&str> = FxHashSet::default();
    for row in rows {
        let start = row[0].as_str();
        let mut trail = vec![start];
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.pop() {
            trail.truncate(stack.len() + 1);
            let Some(&parent) = above.get(node).and_then(|parents| parents.get(next)) else {
                continue;
            };
            stack.push((node, next + 1));
            if let Some(at) = trail.iter().position(|seen| *seen == parent) {
                let round = &trail[at..];
                if round.iter().all(|node| !told.contains(node)) {
                    let nodes = round
                        .iter()
                        .chain([&parent])
                        .map(|n| n.to_string())
                        .collect();
                    problems.push(Problem::Cycle { nodes });
                }
                told.extend(round);
            } else {
                trail.push(parent);
                stack.push((parent, 0));
            }
        }
    }
}
