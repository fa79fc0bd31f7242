//! One column's hierarchy with the rows of the data behind it: what `coarsen hierarchy` shows, builds
//! and exports. The column is counted and built on the same path as for a release.

use std::path::Path;

use coarsen::domain::hierarchy::{
    BuildError, Built, Description, Node, RawColumn, build, write_layout, write_layout_of_bins,
};
use coarsen::domain::{Attribute, AttributeSettings, Kind, MISSING, Value};
use coarsen::policy::{
    Column, HierarchySpec, Input, Key, MissingRule, Output, Policy, PolicyError, Privacy, Role,
    did_you_mean,
};

use crate::EngineError;
use crate::database::located;
use crate::describe::read_layout;
use crate::engine::Engine;
use crate::source::{Source, SourceSettings};
use crate::table::{Domains, Table};

/// A hierarchy and, where it was laid over data, how many rows stand behind each of its leaves.
#[derive(Debug)]
pub struct CountedHierarchy {
    /// The column with its domain and hierarchy.
    pub attribute: Attribute,
    /// The rows of each code; none where there are no data.
    pub rows: Option<Vec<u64>>,
    /// Every value of a column whose leaves are bins, in rising order; else empty.
    binned: Vec<Value>,
}

/// A hierarchy to lay over one column of a file, without a policy.
#[derive(Clone, Debug)]
pub struct HierarchyRequest<'a> {
    /// The file, or a table in memory.
    pub source: Source,
    /// The column.
    pub column: &'a str,
    /// Its type, date format and hierarchy; values alone under the top where it has none.
    pub described: Column,
    /// The cells that stand for a missing value; the policy's own list where absent.
    pub missing: Option<Vec<String>>,
}

impl CountedHierarchy {
    /// The hierarchy of a policy's column, over the policy's input. `folder` is where its paths start.
    pub fn of_policy(
        engine: &Engine,
        policy: &Policy,
        folder: &Path,
        column: &str,
    ) -> Result<Self, EngineError> {
        check_role(policy, column)?;
        let mut policy = policy.clone();
        // Other columns matter only where their missing values drop rows.
        if policy.input.missing_rule != MissingRule::Drop {
            for (name, other) in &mut policy.columns {
                if name != column {
                    *other = plain();
                }
            }
        }
        if let Some(described) = policy.columns.get_mut(column) {
            described.role = Role::QuasiIdentifier;
        }
        let path = located(folder, &policy.input.path);
        let source = Source::open(engine, &path, &SourceSettings::from(&policy.input))?;
        count(engine, source, &policy, folder, column, Domains::OfPolicy)
    }

    /// A hierarchy over a column of any file.
    pub fn of_data(engine: &Engine, request: HierarchyRequest<'_>) -> Result<Self, EngineError> {
        let HierarchyRequest {
            source,
            column,
            described,
            missing,
        } = request;
        let data = source.path.clone();
        let data = data.as_path();
        let names: Vec<&str> = source.names().collect();
        if !names.contains(&column) {
            let help = suggestion(column, &names, "The file has");
            let message = format!("it has no column `{column}`");
            return Err(EngineError::input(data, message, help));
        }
        let domains = match described.hierarchy {
            Some(_) => Domains::OfPolicy,
            None => Domains::OfTable,
        };
        let mut policy = Policy {
            input: Input {
                path: data.to_string_lossy().into_owned(),
                ..Input::default()
            },
            output: Output {
                path: ".".into(),
                ..Output::default()
            },
            privacy: Privacy {
                k: 2,
                ..Privacy::default()
            },
            columns: names.iter().map(|n| (n.to_string(), plain())).collect(),
            ..Policy::default()
        };
        if let Some(missing) = missing {
            policy.input.missing = missing;
        }
        let described = Column {
            role: Role::QuasiIdentifier,
            ..described
        };
        policy.columns.insert(column.to_string(), described);
        // There is no policy to point into: what is wrong is said of the file and its column.
        let blame = |error: PolicyError| {
            let message = match error.message.contains(&format!("`{column}`")) {
                true => error.message,
                false => format!("column `{column}`: {}", error.message),
            };
            EngineError::input(data, message, error.help.unwrap_or_default())
        };
        policy.check().map_err(blame)?;
        count(engine, source, &policy, Path::new(""), column, domains).map_err(
            |error| match error {
                EngineError::Policy(error) => blame(error),
                EngineError::Input { message, .. } if message.contains("cannot be read as") =>
                {
                    let help = "mend the cell, name it with --missing if it stands for a missing value, or state another --type or --format";
                    EngineError::input(data, message, help)
                }
                other => other,
            },
        )
    }

    /// A hierarchy file by itself.
    pub fn of_file(
        path: &Path,
        kind: Option<Kind>,
        format: Option<&str>,
    ) -> Result<Self, EngineError> {
        let (_, layout) = read_layout(path)?;
        let spec = HierarchySpec::File {
            path: path.to_string_lossy().into_owned(),
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let column = RawColumn {
            name: &name,
            cells: &[],
            rows: &[],
        };
        let description = Description {
            kind,
            format,
            hierarchy: Some(&spec),
            layout: Some(&layout),
            ..Description::default()
        };
        let Built {
            domain, hierarchy, ..
        } = build(column, description).map_err(|error| {
            let message = match &error {
                BuildError::Unfit { message, .. } => message.clone(),
                other => other.to_string(),
            };
            EngineError::input(
                path,
                message,
                "mend the file: one line a leaf, then its ever coarser names, `*` last",
            )
        })?;
        Ok(CountedHierarchy {
            attribute: Attribute {
                name: name.into_owned(),
                domain,
                hierarchy,
                settings: AttributeSettings::default(),
            },
            rows: None,
            binned: Vec::new(),
        })
    }

    /// The hierarchy in ARX's layout.
    pub fn layout(&self) -> String {
        let Attribute {
            domain, hierarchy, ..
        } = &self.attribute;
        match domain.is_binned() {
            true => write_layout_of_bins(domain, hierarchy, &self.binned),
            false => write_layout(hierarchy),
        }
    }

    /// How many leaves [`CountedHierarchy::layout`] has: of bins, as many as there are values in them.
    pub fn layout_leaves(&self) -> usize {
        self.attribute.domain.present().max(self.binned.len())
    }

    /// The leaves below a node, the missing value aside.
    pub fn leaves_of(&self, node: &Node) -> u64 {
        let present = self.attribute.domain.present() as u32;
        u64::from(node.end.min(present) - node.first.min(present))
    }

    /// The rows behind a node, where there are data.
    pub fn rows_of(&self, node: &Node) -> Option<u64> {
        let rows = self.rows.as_ref()?;
        Some(rows[node.first as usize..node.end as usize].iter().sum())
    }

    /// How many leaves, the missing value aside, stand in no row of the data.
    pub fn unused(&self) -> Option<usize> {
        let present = self.attribute.domain.present();
        let rows = self.rows.as_ref()?;
        Some(rows[..present].iter().filter(|rows| **rows == 0).count())
    }

    /// The rows whose value is missing.
    pub fn missing_rows(&self) -> u64 {
        let code = self.attribute.domain.missing();
        let rows = code.zip(self.rows.as_ref());
        rows.map_or(0, |(code, rows)| rows[code as usize])
    }

    /// How a node is called here: the missing value is told from a value of that name.
    pub fn name_of(&self, node: &Node) -> String {
        match Some(node.first) == self.attribute.domain.missing() && node.label == MISSING {
            true => "(missing)".into(),
            false => node.label.clone(),
        }
    }
}

/// A column that takes no part.
fn plain() -> Column {
    Column {
        role: Role::Other,
        ..Column::default()
    }
}

fn count(
    engine: &Engine,
    source: Source,
    policy: &Policy,
    folder: &Path,
    column: &str,
    domains: Domains,
) -> Result<CountedHierarchy, EngineError> {
    let mut table = Table::count(engine, source, policy, folder, domains)?;
    let place = table.attributes.iter().position(|a| a.name == column);
    let place = place.expect("the column was made a quasi-identifier");
    let attribute = table.attributes.swap_remove(place);
    let rows = table.counts.marginal(place, attribute.domain.size());
    let mut binned = Vec::new();
    if attribute.domain.is_binned() {
        let (kind, format) = (attribute.domain.kind(), attribute.domain.format());
        let cells = table.raw.columns[place].cells_less_missing(&policy.input.missing);
        binned = cells
            .iter()
            .flatten()
            .filter_map(|cell| cell.convert(kind, format))
            .collect();
        binned.sort_unstable();
        binned.dedup();
    }
    Ok(CountedHierarchy {
        attribute,
        rows: Some(rows),
        binned,
    })
}

/// Only quasi-identifiers, and sensitive columns that are given one, have a hierarchy.
fn check_role(policy: &Policy, column: &str) -> Result<(), EngineError> {
    let has_one = |described: &Column| {
        described.role == Role::QuasiIdentifier
            || described.role == Role::Sensitive && described.hierarchy.is_some()
    };
    let Some(described) = policy.columns.get(column) else {
        let names: Vec<&str> = policy.columns.keys().map(String::as_str).collect();
        let message = format!("The policy has no column `{column}`.");
        let help = suggestion(column, &names, "It has");
        let error = PolicyError::new(&Key::of(["columns"]), message);
        return Err(error.with_help(help).into());
    };
    if has_one(described) {
        return Ok(());
    }
    let others: Vec<&str> = policy
        .columns
        .iter()
        .filter(|(_, described)| has_one(described))
        .map(|(name, _)| name.as_str())
        .collect();
    let advice = match described.role {
        Role::Sensitive => "Add `hierarchy = { file = \"...\" }` to it",
        _ => "Make it a quasi-identifier if it should be coarsened",
    };
    let message = format!(
        "`{column}` is {}, and has no hierarchy.",
        match described.role {
            Role::Identifier => "an identifier, which is never released".to_string(),
            Role::Sensitive => "sensitive".to_string(),
            role => format!("of the role {role}, which is released as it is"),
        }
    );
    let help = format!("{advice}. Columns with a hierarchy: {}.", others.join(", "));
    let error = PolicyError::new(&Key::of(["columns", column]), message);
    Err(error.with_help(help).into())
}

fn suggestion(name: &str, known: &[&str], has: &str) -> String {
    let list = format!("{has}: {}.", known.join(", "));
    match did_you_mean(name, known.iter().copied()) {
        Some(close) => format!("Did you mean `{close}`? {list}"),
        None => list,
    }
}
