//! The audit of a written file: what stands in it is read back and counted anew. It trusts no search.

use std::collections::BTreeMap;
use std::path::Path;

use coarsen::audit::{
    Audit, AuditSettings, Label, Population, Sensitive, SubsetSettings, Subsets, THRESHOLD, audit,
    subsets,
};
use coarsen::domain::{Attribute, Domain};
use coarsen::policy::{Column, Input, Kind, MissingRule, Policy, Role};
use coarsen::privacy::{narrower, requirements};
use coarsen_report::report::audit_view;
use serde_json::json;

use crate::EngineError;
use crate::engine::Engine;
use crate::source::{Source, SourceSettings};
use crate::table::{Domains, Table};

/// What to hold a file against.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// The columns, requirements and missing-value words; its input path is not used.
    pub policy: Policy,
    /// The quasi-identifiers as the file names them.
    pub quasi_identifiers: Vec<String>,
    /// A table of the population that the people in the file come from, with raw values.
    pub population: Option<Source>,
    /// How many columns at a time to look at for the question which make people stand out; 0 for none.
    pub subset_size: usize,
    /// How the file is to be read.
    pub source: SourceSettings,
}

/// What an audit found.
#[derive(Debug)]
pub struct Checked {
    /// The audit.
    pub audit: Audit,
    /// The quasi-identifiers, in the file's order.
    pub quasi_identifiers: Vec<String>,
    /// Which columns make people stand out.
    pub subsets: Option<Subsets>,
    /// The file as it was counted: its quasi-identifiers as plain texts.
    pub table: Table,
}

impl Checked {
    /// What `check --json` prints.
    pub fn to_json(&self) -> serde_json::Value {
        let mut audit = serde_json::to_value(&self.audit).expect("an audit is plain data");
        if let (Some(subsets), Some(audit)) = (&self.subsets, audit.as_object_mut()) {
            let name = |column: &usize| self.quasi_identifiers[*column].as_str();
            let list: Vec<_> = subsets
                .subsets
                .iter()
                .map(|subset| {
                    let columns: Vec<&str> = subset.columns.iter().map(name).collect();
                    json!({ "columns": columns, "uniques": subset.uniques, "k": subset.k, "combinations": subset.combinations })
                })
                .collect();
            audit.insert("subsets".into(), list.into());
            audit.insert("subsets_cut".into(), subsets.cut.into());
        }
        audit
    }
}

impl Checked {
    /// The figures and their charts, as HTML for a place inside a page.
    pub fn view(&self) -> String {
        audit_view(&self.audit, self.table.counts.rows())
    }
}

/// The policy's quasi-identifiers under the names that a release gives them.
pub fn released_quasi_identifiers(
    source: &Source,
    policy: &Policy,
) -> Result<Vec<String>, EngineError> {
    let in_file: Vec<&str> = source.names().collect();
    let mut names = Vec::new();
    for (name, _) in policy.columns_with(Role::QuasiIdentifier) {
        let (low, high) = (format!("{name}_low"), format!("{name}_high"));
        if in_file.contains(&name) {
            names.push(name.to_string());
        } else if in_file.contains(&low.as_str()) && in_file.contains(&high.as_str()) {
            names.extend([low, high]);
        } else {
            return Err(EngineError::input(
                &source.path,
                format!("it has no column `{name}`, which the policy has as a quasi-identifier"),
                "name the file's own quasi-identifiers with --qi to check just those",
            ));
        }
    }
    Ok(names)
}

/// Reads a file back and audits it.
pub fn check(
    engine: &Engine,
    path: &Path,
    folder: &Path,
    request: &CheckRequest,
) -> Result<Checked, EngineError> {
    check_source(
        engine,
        Source::open(engine, path, &request.source)?,
        folder,
        request,
    )
}

/// Audits what stands in an opened file or in a table in memory.
pub fn check_source(
    engine: &Engine,
    source: Source,
    folder: &Path,
    request: &CheckRequest,
) -> Result<Checked, EngineError> {
    let names: Vec<&str> = source.names().collect();
    for name in request
        .quasi_identifiers
        .iter()
        .map(String::as_str)
        .chain(tallied(&request.policy))
    {
        if !names.contains(&name) {
            let close = coarsen::policy::did_you_mean(name, names.iter().copied());
            let help = match close {
                Some(close) => format!("did you mean `{close}`? It has: {}", names.join(", ")),
                None => format!("it has: {}", names.join(", ")),
            };
            return Err(EngineError::input(
                &source.path,
                format!("it has no column `{name}`"),
                help,
            ));
        }
    }
    let table = counted(engine, source, folder, request)?;
    let sensitive = (0..table.counts.tallies().len())
        .map(|place| {
            let name = &table.counts.tallies()[place].column().name;
            Sensitive::of(&table.counts, place, request.policy.columns.get(name))
        })
        .collect::<Result<Vec<_>, _>>()?;
    for column in (request.policy.privacy.quasi_identifiers.iter()).flat_map(|n| &n.columns) {
        let shown = [
            column.clone(),
            format!("{column}_low"),
            format!("{column}_high"),
        ];
        if !table.attributes.iter().any(|a| shown.contains(&a.name)) {
            return Err(EngineError::input(
                &table.source.path,
                format!(
                    "it has no quasi-identifier `{column}`, which privacy.quasi_identifiers names"
                ),
                "check it with the policy that it was released under",
            ));
        }
    }
    let mut demands = requirements(&request.policy, table.counts.tallies())?;
    let names = table.attributes.iter().map(|a| a.name.as_str());
    demands.extend(narrower(&request.policy, names));
    let population = match &request.population {
        Some(source) => Some(population(engine, source.clone(), folder, request, &table)?),
        None => None,
    };
    let settings = AuditSettings {
        population: population.as_ref(),
        // A k of 1 asks for nothing, so it says nothing of which risk is too high either.
        threshold: (request.policy.privacy.k <= 1).then_some(THRESHOLD),
    };
    let found = engine.install(|| {
        let domains = domains(&table.attributes);
        audit(&table.counts, &domains, &demands, &sensitive, settings)
    });
    let subsets = (request.subset_size > 0).then(|| {
        let settings = SubsetSettings {
            size: request.subset_size,
            ..Default::default()
        };
        engine.install(|| subsets(&table.counts, settings))
    });
    let quasi_identifiers = table.attributes.iter().map(|a| a.name.clone()).collect();
    Ok(Checked {
        audit: found,
        quasi_identifiers,
        subsets,
        table,
    })
}

/// The same of a file.
pub fn released_names(
    engine: &Engine,
    path: &Path,
    policy: &Policy,
    settings: &SourceSettings,
) -> Result<Vec<String>, EngineError> {
    released_quasi_identifiers(&Source::open(engine, path, settings)?, policy)
}

fn domains(attributes: &[Attribute]) -> Vec<Domain> {
    attributes
        .iter()
        .map(|attribute| attribute.domain.clone())
        .collect()
}

fn tallied(policy: &Policy) -> impl Iterator<Item = &str> {
    policy.columns_with(Role::Sensitive).map(|(name, _)| name)
}

/// Counts the file: its quasi-identifiers as the plain texts that stand in it.
fn counted(
    engine: &Engine,
    source: Source,
    folder: &Path,
    request: &CheckRequest,
) -> Result<Table, EngineError> {
    let source = source.with_texts(&request.quasi_identifiers);
    let mut columns = BTreeMap::new();
    for name in source.names() {
        let column = if request.quasi_identifiers.iter().any(|quasi| quasi == name) {
            Column {
                role: Role::QuasiIdentifier,
                kind: Some(Kind::Text),
                ..Default::default()
            }
        } else {
            match request.policy.columns.get(name) {
                Some(column) if column.role == Role::Sensitive => column.clone(),
                _ => Column {
                    role: Role::Other,
                    ..Default::default()
                },
            }
        };
        columns.insert(name.to_string(), column);
    }
    let input = Input {
        missing_rule: MissingRule::Category,
        eligible: None,
        ..request.policy.input.clone()
    };
    let policy = Policy {
        columns,
        input,
        ..request.policy.clone()
    };
    Table::count(engine, source, &policy, folder, Domains::AsReleased)
}

/// The people behind each class: rows of a table of raw values that its labels cover.
fn population(
    engine: &Engine,
    source: Source,
    folder: &Path,
    request: &CheckRequest,
    release: &Table,
) -> Result<Population, EngineError> {
    for attribute in &release.attributes {
        if !source.names().any(|name| name == attribute.name) {
            return Err(EngineError::input(
                &source.path,
                format!("the population has no column `{}`", attribute.name),
                "the population table needs every quasi-identifier of the release, by the same names",
            ));
        }
    }
    let people = counted(
        engine,
        source,
        folder,
        &CheckRequest {
            policy: without_sensitive(&request.policy),
            ..request.clone()
        },
    )?;
    // The population's columns may stand in another order.
    let order: Vec<usize> = release
        .attributes
        .iter()
        .map(|attribute| {
            let place = people
                .attributes
                .iter()
                .position(|other| other.name == attribute.name);
            place.expect("every quasi-identifier was found in the population")
        })
        .collect();
    let mut trees = trees(engine, folder, request, &people)?;
    let labels: Vec<Vec<Label>> = release
        .attributes
        .iter()
        .map(|attribute| {
            let tree = trees.remove(&attribute.name);
            let tree = tree.as_ref().map(|tree| (&tree.domain, &tree.hierarchy));
            Label::of_column(&attribute.domain, tree)
        })
        .collect();
    let people_counts = people.counts.reordered(&order);
    let people_domains: Vec<Domain> = order
        .iter()
        .map(|place| people.attributes[*place].domain.clone())
        .collect();
    Ok(
        engine
            .install(|| Population::of(&release.counts, &labels, &people_counts, &people_domains)),
    )
}

fn without_sensitive(policy: &Policy) -> Policy {
    let mut policy = policy.clone();
    policy
        .columns
        .retain(|_, column| column.role != Role::Sensitive);
    policy.privacy.diversity.clear();
    policy.privacy.closeness.clear();
    policy
}

/// The hierarchies that the policy gives the released columns, over the population's values: what a
/// node's name covers can then be told.
fn trees(
    engine: &Engine,
    folder: &Path,
    request: &CheckRequest,
    people: &Table,
) -> Result<BTreeMap<String, Attribute>, EngineError> {
    let described: BTreeMap<String, Column> = request
        .policy
        .columns
        .iter()
        .filter(|(name, column)| {
            column.hierarchy.is_some() && people.attributes.iter().any(|a| a.name == **name)
        })
        .map(|(name, column)| (name.clone(), column.clone()))
        .collect();
    if described.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut columns: BTreeMap<String, Column> = people
        .source
        .names()
        .map(|name| {
            (
                name.to_string(),
                Column {
                    role: Role::Other,
                    ..Default::default()
                },
            )
        })
        .collect();
    columns.extend(described);
    let policy = Policy {
        columns,
        ..without_sensitive(&request.policy)
    };
    let table = Table::count(
        engine,
        people.source.clone(),
        &policy,
        folder,
        Domains::OfPolicy,
    )?;
    Ok(table
        .attributes
        .into_iter()
        .map(|a| (a.name.clone(), a))
        .collect())
}
