//! Named trees, from a file or from the policy: checked for everything that can be wrong with one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::SUPPRESSED;
use super::build::{Path, Step};
use super::problem::{BuildError, Problem};
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
    let expected = usual_length(&rows);
    let mut leaves: FxHashSet<Value> = FxHashSet::default();
    let mut told_twice: FxHashSet<Value> = FxHashSet::default();
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
                if !leaves.insert(leaf.clone()) && told_twice.insert(leaf.clone()) {
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
    absent(&leaves, distinct, format, &mut problems);
    if problems.is_empty() {
        Ok(paths)
    } else {
        Err(BuildError::Hierarchy {
            column: column.to_string(),
            problems,
        })
    }
}

/// The length that most rows have; the greater of two that are equally frequent.
fn usual_length(rows: &[Vec<String>]) -> usize {
    let mut lengths: FxHashMap<usize, usize> = FxHashMap::default();
    for row in rows {
        *lengths.entry(row.len()).or_default() += 1;
    }
    let most = lengths
        .into_iter()
        .max_by_key(|(length, rows)| (*rows, *length));
    most.map_or(1, |(length, _)| length)
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
///
/// Every name is entered once and every step up is taken once, however tangled the file is.
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
    let mut entered: FxHashSet<&str> = FxHashSet::default();
    let mut told: FxHashSet<&str> = FxHashSet::default();
    for start in rows.iter().flatten().map(String::as_str) {
        if !entered.insert(start) {
            continue;
        }
        // The way up to here, each name with how many of its parents were looked at.
        let mut trail = vec![(start, 0)];
        while let Some((node, next)) = trail.last_mut() {
            let Some(&parent) = above.get(*node).and_then(|parents| parents.get(*next)) else {
                trail.pop();
                continue;
            };
            *next += 1;
            if let Some(at) = trail.iter().position(|(seen, _)| *seen == parent) {
                let round: Vec<&str> = trail[at..].iter().map(|(node, _)| *node).collect();
                if round.iter().all(|node| !told.contains(node)) {
                    let nodes = round.iter().chain([&parent]);
                    problems.push(Problem::Cycle {
                        nodes: nodes.map(ToString::to_string).collect(),
                    });
                }
                told.extend(round);
            } else if entered.insert(parent) {
                trail.push((parent, 0));
            }
        }
    }
}

/// Values of the data that are no leaves. One that differs from a leaf only in case or in spaces
/// around it is told with that leaf, for the eye does not see it.
fn absent(
    leaves: &FxHashSet<Value>,
    distinct: &[Value],
    format: Option<&str>,
    problems: &mut Vec<Problem>,
) {
    let missing: Vec<&Value> = distinct.iter().filter(|v| !leaves.contains(v)).collect();
    if missing.is_empty() {
        return;
    }
    let plain = |text: &str| text.trim().to_lowercase();
    let mut spellings: FxHashMap<String, &str> = FxHashMap::default();
    for leaf in leaves {
        if let Value::Text(text) = leaf {
            let known = spellings.entry(plain(text)).or_insert(text);
            // Whichever order a set has, the same leaf is named.
            *known = (*known).min(text);
        }
    }
    let mut values = Vec::new();
    for value in missing {
        let value = value.text(format);
        match spellings.get(&plain(&value)) {
            Some(leaf) => problems.push(Problem::Misspelt {
                value,
                leaf: leaf.to_string(),
            }),
            None => values.push(value),
        }
    }
    if !values.is_empty() {
        problems.push(Problem::Absent { values });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(lines: &[&str], data: &[&str]) -> Vec<String> {
        let rows = lines
            .iter()
            .map(|line| line.split(';').map(str::to_string).collect())
            .collect();
        let distinct: Vec<Value> = data.iter().map(|v| Value::Text(v.to_string())).collect();
        match paths("c", rows, Kind::Text, None, &distinct) {
            Ok(_) => Vec::new(),
            Err(BuildError::Hierarchy { problems, .. }) => {
                problems.iter().map(ToString::to_string).collect()
            }
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_sound_tree_has_nothing_wrong_with_it() {
        let lines = ["a;x;*", "b;x;*", "c;c;*"];
        assert_eq!(wrong(&lines, &["a", "c"]), Vec::<String>::new());
        // The top may be left out, and a branch may be drawn out by repeating its name.
        assert_eq!(wrong(&["a;x", "x;x"], &[]), Vec::<String>::new());
    }

    #[test]
    fn everything_wrong_is_told_at_once() {
        let lines = ["a;x;*", "b;x;*", "a;y;*", "d;*", "p;q;*", "q;p;*"];
        assert_eq!(
            wrong(&lines, &["a", "e", "B", "f"]),
            [
                "`a` is listed twice",
                "`d` has 2 levels with itself and `*`, where most leaves have 3",
                "`a` has two parents, `x` and `y`",
                "`p` is its own ancestor, which makes a cycle: `p` → `q` → `p`",
                "`B` is in the data but not in the hierarchy, which has `b`",
                "2 values of the data are not in the hierarchy: `e`, `f`",
            ]
        );
    }

    #[test]
    fn a_repeated_fault_is_told_once() {
        assert_eq!(wrong(&["a;x", "a;x", "a;x"], &[]), ["`a` is listed twice"]);
        assert_eq!(
            wrong(&["a;p;q", "b;q;p", "c;p;q"], &[]),
            ["`p` is its own ancestor, which makes a cycle: `p` → `q` → `p`"]
        );
        assert_eq!(
            wrong(&["a;p;q", "b;p;r", "c;p;s"], &[]),
            ["`p` has two parents, `q` and `r`"]
        );
    }

    #[test]
    fn a_header_line_is_told_apart_from_the_leaves() {
        let lines = ["level 0;level 1;level 2", "a;x;*", "b;x;*"];
        assert_eq!(
            wrong(&lines, &[]),
            ["`level 0` has 4 levels with itself and `*`, where most leaves have 3"]
        );
    }

    #[test]
    fn a_tangle_of_two_parents_is_walked_in_no_time() {
        // Forty levels with two parents each have a trillion ways up.
        let line = |leaf: &str, side: usize| {
            let above = (0..40).map(|level| format!(";n{level}{}", (level * side) % 2));
            format!("{leaf}{}", above.collect::<String>())
        };
        let mut lines: Vec<String> = (0..4).map(|i| line(&format!("l{i}"), i)).collect();
        lines.extend((0..4).map(|i| line(&format!("m{i}"), 3 - i)));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert!(wrong(&lines, &[]).iter().all(|p| p.contains("two parents")));
    }

    #[test]
    fn leaves_are_of_the_columns_kind() {
        let rows = vec![
            vec!["17".into(), "x".into()],
            vec!["old".into(), "x".into()],
        ];
        let Err(error) = paths("age", rows, Kind::Integer, None, &[Value::Integer(18)]) else {
            panic!("`old` is no number");
        };
        assert_eq!(
            error.to_string(),
            "the hierarchy of column `age` does not hold:\n  - `old` is not of type integer, which the column has\n  - `18` is in the data but not in the hierarchy"
        );
    }
}
