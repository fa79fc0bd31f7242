//! What a column's values are and how they are ordered: from its distinct cells and the policy to a domain
//! with its hierarchy, or to an error that names the place.

use std::path::{Path, PathBuf};

use coarsen::domain::hierarchy::{BuildError, Built, Description, RawColumn as Distinct, build};
use coarsen::policy::{Column, HierarchySpec, Key, Policy, PolicyError, Role};

use crate::EngineError;
use crate::engine::Engine;
use crate::error::at_key;
use crate::faults::{Place, first_row_with};
use crate::raw::RawColumn;
use crate::source::Source;
use crate::table::Domains;

/// Builds domains, and turns what is wrong into an error with a place.
pub(crate) struct Describer<'a> {
    pub engine: &'a Engine,
    pub source: &'a Source,
    pub policy: &'a Policy,
    pub folder: &'a Path,
}

impl Describer<'_> {
    /// The domain of a column whose distinct cells have so many rows.
    pub fn build(
        &self,
        column: &RawColumn,
        rows: &[u64],
        described: &Column,
        domains: Domains,
    ) -> Result<Built, EngineError> {
        let key = Key::of(["columns", column.name.as_str()]);
        let flat = domains != Domains::OfPolicy;
        let hierarchy = described
            .hierarchy
            .as_ref()
            .filter(|_| !flat || described.role == Role::Sensitive);
        let layout = match hierarchy {
            Some(HierarchySpec::File { path }) => Some(read_layout(&self.folder.join(path))?),
            _ => None,
        };
        let cells = match domains {
            // `?` and `NA` are two different texts to whoever reads the release.
            Domains::AsReleased => column.cells().to_vec(),
            _ => column.cells_less_missing(&self.policy.input.missing),
        };
        let distinct = Distinct {
            name: &column.name,
            cells: &cells,
            rows,
        };
        let description = Description {
            kind: described.kind,
            format: described.format.as_deref(),
            hierarchy,
            layout: layout.as_ref().map(|(_, text)| text.as_str()),
            order: described.order.as_deref(),
            flat,
        };
        build(distinct, description).map_err(|error| match &error {
            BuildError::Unreadable { cells: bad, kind, format, .. } => {
                match first_row_with(self.engine, self.source, column, &|cell| bad.contains(&cell)) {
                    Err(error) => error,
                    Ok(Place { path, row }) => EngineError::input(
                        &path,
                        format!("row {row}, column `{}`: the cell cannot be read as {kind}{}", column.name, match format {
                            Some(format) => format!(" by the format `{format}`"),
                            None => String::new(),
                        }),
                        format!("mend the cell, add it to input.missing if it stands for a missing value, or state another type or format at {key} ({} distinct cells are like this)", bad.len()),
                    ),
                }
            }
            BuildError::Hierarchy { problems, .. } => match &layout {
                Some((path, _)) => {
                    let list: Vec<String> = problems.iter().map(|p| format!("\n  - {p}")).take(20).collect();
                    let rest = problems.len().saturating_sub(20);
                    let more = if rest > 0 { format!("\n  - and {rest} more") } else { String::new() };
                    EngineError::input(
                        path,
                        format!("the hierarchy of column `{}` does not hold:{}{more}", column.name, list.concat()),
                        "mend the file: one line a leaf, then its ever coarser names, `*` last; every value of the data once",
                    )
                }
                None => PolicyError::new(&key.then("hierarchy"), error.to_string())
                    .with_help("Mend the tree: every value of the data stands in it once, and every leaf at the same depth.")
                    .into(),
            },
            BuildError::Unfit { .. } => {
                at_key(&key.then("hierarchy"), &error.to_string()).into()
            }
        })
    }
}

pub(crate) fn read_layout(path: &Path) -> Result<(PathBuf, String), EngineError> {
    match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(EngineError::input(
            path,
            "there is no such hierarchy file",
            "check the path; paths in a policy are relative to the policy's folder",
        )),
        Err(error) => Err(EngineError::io(path, error)),
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok((path.to_path_buf(), text)),
            Err(_) => Err(EngineError::input(
                path,
                "the hierarchy file is not UTF-8 text",
                "save it as UTF-8",
            )),
        },
    }
}
