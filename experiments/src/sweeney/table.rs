//! Tables of this paper as problems of the library: columns with their hierarchies, and what is
//! released for each row.

use coarsen::counts::{Classes, Counts, Entries};
use coarsen::domain::hierarchy::{Description, RawColumn, build};
use coarsen::domain::{Attribute, AttributeSettings, Kind, Value};
use coarsen::loss;
use coarsen::policy::{HierarchySpec, Policy, SuppressionMode};
use coarsen::privacy::{enforce, requirements};
use coarsen::problem::{Allowance, Problem};
use coarsen::search::{self, Outcome, Run};
use coarsen::workload::Workload;

use crate::Fallible;

/// A quasi-identifier: its cells, and how they are read and coarsened.
pub struct Column {
    pub name: String,
    pub cells: Vec<String>,
    pub kind: Option<Kind>,
    pub format: Option<&'static str>,
    pub hierarchy: Option<HierarchySpec>,
    /// The text of a hierarchy file.
    pub layout: Option<String>,
}

/// A table of rows.
pub struct Table {
    pub attributes: Vec<Attribute>,
    pub counts: Counts,
    /// The combination of each row.
    combination_of: Vec<u32>,
}

impl Table {
    pub fn new(columns: &[Column]) -> Fallible<Self> {
        let mut attributes = Vec::new();
        let mut entries = Entries::default();
        for column in columns {
            let cells = column.cells.iter();
            let cells: Vec<Option<Value>> = cells.map(|c| Some(Value::Text(c.clone()))).collect();
            entries.rows = vec![1; cells.len()];
            let raw = RawColumn {
                name: &column.name,
                cells: &cells,
                rows: &entries.rows,
            };
            let built = build(
                raw,
                Description {
                    kind: column.kind,
                    format: column.format,
                    hierarchy: column.hierarchy.as_ref(),
                    layout: column.layout.as_deref(),
                    ..Description::default()
                },
            )?;
            entries.codes.push(built.code_of);
            attributes.push(Attribute {
                name: column.name.clone(),
                domain: built.domain,
                hierarchy: built.hierarchy,
                settings: AttributeSettings::default(),
            });
        }
        let (counts, combination_of) = Counts::build(entries, Vec::new());
        Ok(Table {
            attributes,
            counts,
            combination_of,
        })
    }

    /// The problem of k-anonymity in it.
    pub fn problem(&self, k: u64, limit: f64, loss: &str) -> Fallible<Problem> {
        let mut policy = Policy::default();
        policy.privacy.k = k;
        Ok(Problem::new(
            self.attributes.clone(),
            self.counts.clone(),
            requirements(&policy, &[])?,
            Allowance::of_share(limit, self.counts.total(), SuppressionMode::Drop),
            loss::find(loss).ok_or("there is no such loss")?,
            Workload::default(),
        )?)
    }

    /// What is released for each row; nothing where it is dropped.
    pub fn released(&self, classes: &Classes) -> Vec<Option<Vec<String>>> {
        let mut places = vec![Vec::new(); self.counts.combinations()];
        for class in (0..classes.len()).rev() {
            for member in classes.members(class) {
                let rows = std::iter::repeat_n(class, member.rows as usize);
                places[member.combination as usize].extend(rows);
            }
        }
        let row = |combination: &u32| {
            let class = places[*combination as usize].pop()?;
            let labels = |column| classes.block(column, class).label.clone();
            (!classes.is_suppressed(class))
                .then(|| (0..self.attributes.len()).map(labels).collect())
        };
        self.combination_of.iter().map(row).collect()
    }
}

/// Runs an algorithm with settings as a policy has them.
pub fn run(algorithm: &str, settings: &str, problem: &Problem, run: &Run<'_>) -> Fallible<Outcome> {
    let settings: toml::Value = toml::from_str(settings)?;
    let found = search::find(algorithm).ok_or("there is no such algorithm")?;
    let search = (found.build)(Some(&settings))?;
    Ok(search.search(problem, run)?)
}

/// The classes of an outcome, without those that fall short.
pub fn enforced(problem: &Problem, outcome: &Outcome) -> Classes {
    let mut classes = outcome
        .recoding
        .classes(&problem.attributes, &problem.counts);
    let mode = problem.suppression.mode;
    enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    classes
}
