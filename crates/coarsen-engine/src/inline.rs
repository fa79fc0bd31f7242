//! A policy that needs no other file: the hierarchies that it names stand in it as trees. A saved
//! recoding keeps such a policy, so that it can be applied wherever it is taken.

use std::path::Path;

use coarsen::domain::SUPPRESSED;
use coarsen::domain::hierarchy::parse_layout;
use coarsen::policy::{HierarchySpec, Key, Policy, TreeSpec};

use crate::EngineError;
use crate::error::at_key;
use crate::table::read_layout;

/// The policy with its hierarchy files read in. `folder` is where its paths start.
pub(crate) fn self_contained(policy: &Policy, folder: &Path) -> Result<Policy, EngineError> {
    let mut policy = policy.clone();
    for (name, column) in &mut policy.columns {
        if let Some(HierarchySpec::File { path }) = &column.hierarchy {
            let (_, text) = read_layout(&folder.join(path))?;
            let key = Key::of(["columns", name, "hierarchy"]);
            let rows = parse_layout(&text).map_err(|message| at_key(&key, &message))?;
            let rows: Vec<&[String]> = rows.iter().map(|row| without_top(row)).collect();
            column.hierarchy = Some(HierarchySpec::Tree(tree(&rows)));
        }
    }
    Ok(policy)
}

/// A leaf and its ancestors, less the top that every tree has.
fn without_top(row: &[String]) -> &[String] {
    match row {
        [rest @ .., last] if !rest.is_empty() && last == SUPPRESSED => rest,
        _ => row,
    }
}

/// Lines of a leaf and its ancestors as a tree; siblings stand in the order in which they are met.
fn tree(rows: &[&[String]]) -> TreeSpec {
    let mut children: Vec<(&str, Vec<&[String]>)> = Vec::new();
    for row in rows {
        let [below @ .., name] = row else { continue };
        match children.iter_mut().find(|(known, _)| known == name) {
            Some((_, rows)) => rows.push(below),
            None => children.push((name, vec![below])),
        }
    }
    if rows.iter().all(|row| row.len() <= 1) {
        let leaves = children.iter().map(|(name, _)| name.to_string());
        return TreeSpec::Leaves(leaves.collect());
    }
    let inner = children
        .into_iter()
        .map(|(name, rows)| (name.to_string(), tree(&rows)));
    TreeSpec::Inner(inner.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_its_tree_are_the_same() {
        let text = "flu;lung;*\nulcer;stomach;*\nasthma;lung;*\n";
        let rows = parse_layout(text).unwrap();
        let rows: Vec<&[String]> = rows.iter().map(|row| without_top(row)).collect();
        let leaves =
            |names: &[&str]| TreeSpec::Leaves(names.iter().map(|n| n.to_string()).collect());
        assert_eq!(
            tree(&rows),
            TreeSpec::Inner(vec![
                ("lung".into(), leaves(&["flu", "asthma"])),
                ("stomach".into(), leaves(&["ulcer"])),
            ])
        );
        let flat = [vec!["F".to_string()], vec!["M".to_string()]];
        let flat: Vec<&[String]> = flat.iter().map(Vec::as_slice).collect();
        assert_eq!(tree(&flat), leaves(&["F", "M"]));
    }
}
