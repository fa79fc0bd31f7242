//! A hierarchy file as the tree that it describes, for a policy that should need no other file.

use super::SUPPRESSED;
use super::layout::parse_layout;
use crate::policy::TreeSpec;

/// The tree of a hierarchy file.
///
/// # Errors
/// What is wrong with the file's text.
pub fn layout_tree(text: &str) -> Result<TreeSpec, String> {
    let rows = parse_layout(text)?;
    let rows: Vec<&[String]> = rows.iter().map(|row| without_top(row)).collect();
    Ok(tree(&rows))
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
        let leaves =
            |names: &[&str]| TreeSpec::Leaves(names.iter().map(|n| n.to_string()).collect());
        assert_eq!(
            layout_tree(text).unwrap(),
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
