//! A policy that needs no other file: the hierarchies that it names stand in it as trees. A saved
//! recoding keeps such a policy, so that it can be applied wherever it is taken.

use std::path::Path;

use coarsen::domain::hierarchy::layout_tree;
use coarsen::policy::{HierarchySpec, Key, Policy};

use crate::EngineError;
use crate::describe::read_layout;
use crate::error::at_key;

/// The policy with its hierarchy files read in. `folder` is where its paths start.
pub(crate) fn self_contained(policy: &Policy, folder: &Path) -> Result<Policy, EngineError> {
    let mut policy = policy.clone();
    for (name, column) in &mut policy.columns {
        if let Some(HierarchySpec::File { path }) = &column.hierarchy {
            let (_, text) = read_layout(&folder.join(path))?;
            let key = Key::of(["columns", name, "hierarchy"]);
            let tree = layout_tree(&text).map_err(|message| at_key(&key, &message))?;
            column.hierarchy = Some(HierarchySpec::Tree(tree));
        }
    }
    Ok(policy)
}
