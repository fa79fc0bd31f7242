//! Tables written out row by row, and what the tests of this folder make of them: attributes, counts,
//! a policy, a problem, classes and released labels.
#![allow(dead_code)] // Each test file uses some of it.

pub mod random;

use coarsen::counts::{Classes, Counts, Entries, TallyColumn};
use coarsen::domain::hierarchy::{Built, Description, RawColumn, build};
use coarsen::domain::{Attribute, AttributeSettings, Code, Kind, Partition, SUPPRESSED, Value};
use coarsen::loss;
use coarsen::policy::{Column, HierarchySpec, Policy, Role, SuppressionMode, TreeSpec};
use coarsen::privacy::requirements;
use coarsen::problem::{Allowance, Problem, ProblemError};
use coarsen::recoding::{Partitions, Recoding, SavedRecoding};
use coarsen::workload::Workload;

/// Seed 002, Fig. 7, the table PT: race, birth date, gender, ZIP, problem.
pub const PT: [[&str; 5]; 12] = [
    ["black", "9/20/1965", "male", "02141", "short of breath"],
    ["black", "2/14/1965", "male", "02141", "chest pain"],
    ["black", "10/23/1965", "female", "02138", "painful eye"],
    ["black", "8/24/1965", "female", "02138", "wheezing"],
    ["black", "11/7/1964", "female", "02138", "obesity"],
    ["black", "12/1/1964", "female", "02138", "chest pain"],
    ["white", "10/23/1964", "male", "02138", "short of breath"],
    ["white", "3/15/1965", "female", "02139", "hypertension"],
    ["white", "8/13/1964", "male", "02139", "obesity"],
    ["white", "5/5/1964", "male", "02139", "fever"],
    ["white", "2/13/1967", "male", "02138", "vomiting"],
    ["white", "3/21/1967", "male", "02138", "back pain"],
];

/// A column: its name, one cell a row (empty: missing), and how the policy describes it.
#[derive(Clone, Debug)]
pub struct Cells {
    pub name: String,
    pub cells: Vec<String>,
    pub described: Column,
}

/// A quasi-identifier without a hierarchy.
pub fn cells(name: &str, cells: &[&str]) -> Cells {
    Cells {
        name: name.into(),
        cells: cells.iter().map(|cell| cell.to_string()).collect(),
        described: Column {
            role: Role::QuasiIdentifier,
            ..Column::default()
        },
    }
}

impl Cells {
    pub fn with(mut self, hierarchy: &HierarchySpec) -> Self {
        self.described.hierarchy = Some(hierarchy.clone());
        self
    }

    pub fn role(mut self, role: Role) -> Self {
        self.described.role = role;
        self
    }

    pub fn kind(mut self, kind: Kind) -> Self {
        self.described.kind = Some(kind);
        self
    }

    pub fn format(mut self, format: &str) -> Self {
        self.described.format = Some(format.into());
        self
    }

    pub fn ordered(mut self, order: &[&str]) -> Self {
        self.described.order = Some(order.iter().map(|value| value.to_string()).collect());
        self
    }

    /// The domain, the hierarchy, and the code of each row; where it is flat, without the column's
    /// own hierarchy, as a table is built that a saved recoding is bound to.
    fn build(&self, flat: bool) -> Built {
        let values: Vec<Option<Value>> = self
            .cells
            .iter()
            .map(|cell| (!cell.is_empty()).then(|| Value::Text(cell.clone())))
            .collect();
        let column = RawColumn {
            name: &self.name,
            cells: &values,
            rows: &vec![1; values.len()],
        };
        let description = Description {
            kind: self.described.kind,
            format: self.described.format.as_deref(),
            hierarchy: self.described.hierarchy.as_ref().filter(|_| !flat),
            layout: None,
            order: self.described.order.as_deref(),
            flat,
        };
        build(column, description).unwrap()
    }
}

/// What is released for each row, column by column; `None` where the row is dropped.
pub type Labels = Vec<Option<Vec<String>>>;

/// A table of rows with the policy that its columns make.
#[derive(Clone)]
pub struct Table {
    pub columns: Vec<Cells>,
    pub attributes: Vec<Attribute>,
    pub counts: Counts,
    /// The combination of each row.
    pub combination_of: Vec<u32>,
    /// The codes of the rows, column by column: quasi-identifiers, then what is tallied.
    pub codes: Vec<Vec<Code>>,
    pub policy: Policy,
}

/// What a failing test needs to show: the cells, how the quasi-identifiers are described, what is asked.
impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for column in &self.columns {
            let hierarchy = &column.described.hierarchy;
            writeln!(f, "{} {hierarchy:?}: {:?}", column.name, column.cells)?;
        }
        writeln!(f, "{:?} {:?}", self.policy.privacy, self.policy.suppression)
    }
}

impl Table {
    pub fn new(columns: &[Cells]) -> Self {
        Self::built(columns, false)
    }

    /// The table as a saved recoding meets it: the values as they are, of the kinds that were saved.
    pub fn flat(&self) -> Self {
        let mut columns = self.columns.clone();
        for column in &mut columns {
            let known = self.attributes.iter().find(|a| a.name == column.name);
            column.described.kind = known
                .map(|a| a.domain.kind())
                .or(column.described.kind.take());
        }
        let policy = self.policy.clone();
        Table {
            policy,
            ..Self::built(&columns, true)
        }
    }

    fn built(columns: &[Cells], flat: bool) -> Self {
        let mut entries = Entries::default();
        let (mut attributes, mut tallied) = (Vec::new(), Vec::new());
        let mut policy = Policy::default();
        for column in columns {
            let name = column.name.clone();
            policy
                .columns
                .insert(name.clone(), column.described.clone());
            let is_quasi = match column.described.role {
                Role::QuasiIdentifier => true,
                Role::Sensitive | Role::Target => false,
                Role::Identifier | Role::Other => continue,
            };
            let built = column.build(flat && is_quasi);
            entries.rows = vec![1; built.code_of.len()];
            if is_quasi {
                entries.codes.push(built.code_of);
                let settings = AttributeSettings {
                    weight: column.described.weight.unwrap_or(1.0),
                    ..AttributeSettings::default()
                };
                attributes.push(Attribute {
                    name,
                    domain: built.domain,
                    hierarchy: built.hierarchy,
                    settings,
                });
            } else {
                entries.tallied.push(built.code_of);
                tallied.push(TallyColumn {
                    name,
                    domain: built.domain,
                    hierarchy: column
                        .described
                        .hierarchy
                        .is_some()
                        .then_some(built.hierarchy),
                });
            }
        }
        let codes = [&entries.codes[..], &entries.tallied[..]].concat();
        let (counts, combination_of) = Counts::build(entries, tallied);
        Table {
            codes,
            columns: columns.to_vec(),
            attributes,
            counts,
            combination_of,
            policy,
        }
    }

    /// The problem that the table's policy poses.
    pub fn problem(&self, loss: &str) -> Result<Problem, ProblemError> {
        let suppression = &self.policy.suppression;
        let tallies = self.counts.tallies();
        Problem::new(
            self.attributes.clone(),
            self.counts.clone(),
            requirements(&self.policy, tallies)?,
            Allowance::of_share(suppression.limit, self.counts.total(), suppression.mode),
            loss::find(loss).unwrap(),
            Workload::build(&self.policy, &self.attributes, tallies).unwrap(),
        )
    }

    /// The class of each row.
    pub fn class_of(&self, classes: &Classes) -> Vec<usize> {
        // The rows of a combination that is spread go to its classes in turn.
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); self.counts.combinations()];
        for class in 0..classes.len() {
            for member in classes.members(class) {
                let of = &mut places[member.combination as usize];
                of.extend(std::iter::repeat_n(class, member.rows as usize));
            }
        }
        places.iter_mut().for_each(|places| places.reverse());
        let of = |combination: &u32| places[*combination as usize].pop().unwrap();
        self.combination_of.iter().map(of).collect()
    }

    /// What is released for each row.
    pub fn released(&self, classes: &Classes, mode: SuppressionMode) -> Labels {
        let labels = |class: usize| match (classes.is_suppressed(class), mode) {
            (true, SuppressionMode::Drop) => None,
            (true, SuppressionMode::Mask) => Some(vec![SUPPRESSED.into(); self.attributes.len()]),
            (false, _) => Some(
                (0..self.attributes.len())
                    .map(|column| classes.block(column, class).label.clone())
                    .collect(),
            ),
        };
        self.class_of(classes).into_iter().map(labels).collect()
    }

    /// The value behind each row's cell of a quasi-identifier, bins or not.
    pub fn values(&self, attribute: usize) -> Vec<Option<Value>> {
        let Attribute { name, domain, .. } = &self.attributes[attribute];
        let column = self.columns.iter().find(|c| c.name == *name).unwrap();
        let value = |cell: &String| {
            (!cell.is_empty()).then(|| Value::read(cell, domain.kind(), domain.format()).unwrap())
        };
        column.cells.iter().map(value).collect()
    }
}

/// A recoding as it is read back from its file.
pub fn save_and_load(recoding: &Recoding, table: &Table) -> SavedRecoding {
    let saved = SavedRecoding::new(recoding, &table.attributes, &table.policy);
    SavedRecoding::from_json(&saved.to_json()).unwrap()
}

/// What is released for each row, as one text a row; `-` where it is dropped.
pub fn shown(labels: &[Option<Vec<String>>]) -> Vec<String> {
    let row = |row: &Option<Vec<String>>| match row {
        None => "-".to_string(),
        Some(labels) => labels.join(" "),
    };
    labels.iter().map(row).collect()
}

/// A problem over quasi-identifiers and targets, in which any row may be dropped.
pub fn problem(k: u64, columns: &[Cells], targets: &[Cells], loss: &str) -> Problem {
    problem_or(k, columns, targets, loss).unwrap()
}

pub fn problem_or(
    k: u64,
    columns: &[Cells],
    targets: &[Cells],
    loss: &str,
) -> Result<Problem, ProblemError> {
    let targets = targets.iter().map(|t| t.clone().role(Role::Target));
    let columns: Vec<Cells> = columns.iter().cloned().chain(targets).collect();
    let mut table = Table::new(&columns);
    table.policy.privacy.k = k;
    table.policy.suppression.limit = 1.0;
    table.problem(loss)
}

/// Ten rows in classes of a (4 rows: y y y n), b (3: n n y), c (2: y n) and d (1: n).
pub fn labelled(loss: &str) -> (Problem, Classes) {
    let letters = ["a", "a", "a", "a", "b", "b", "b", "c", "c", "d"];
    let labels = ["y", "y", "y", "n", "n", "n", "y", "y", "n", "n"];
    let problem = problem(3, &[cells("q", &letters)], &[cells("label", &labels)], loss);
    let made = classes(&problem, &[identity(&problem.attributes[0])]);
    (problem, made)
}

/// The classes of one partition a column.
pub fn classes(problem: &Problem, partitions: &[Partition]) -> Classes {
    let columns = partitions.to_vec();
    Partitions { columns }.classes(&problem.counts)
}

/// A partition of a column into sets of its values, written by their texts.
pub fn sets(attribute: &Attribute, sets: &[&[&str]]) -> Partition {
    let code = |text: &&str| {
        (0..attribute.domain.size() as Code)
            .find(|c| attribute.domain.text(*c) == **text)
            .unwrap()
    };
    Partition::of_sets(
        attribute,
        sets.iter()
            .map(|set| set.iter().map(code).collect())
            .collect(),
    )
}

pub fn identity(attribute: &Attribute) -> Partition {
    Partition::at_level(attribute, 0)
}

/// Suppresses the class of the row whose first column has this text.
pub fn suppress(problem: &Problem, classes: &mut Classes, text: &str) {
    let domain = &problem.attributes[0].domain;
    let holds = |class: &usize| {
        let combination = classes.members(*class)[0].combination as usize;
        domain.text(problem.counts.codes(0)[combination]) == text
    };
    let class = (0..classes.len()).find(holds).unwrap();
    classes.suppress(class);
}

pub fn cost(name: &str, problem: &Problem, classes: &Classes) -> Option<f64> {
    loss::find(name).unwrap().loss.cost(problem, classes)
}

#[track_caller]
pub fn assert_near(left: Option<f64>, right: f64) {
    let left = left.expect("the loss applies");
    assert!((left - right).abs() < 1e-12, "{left} is not {right}");
}

/// A tree of one level of named groups.
pub fn tree(groups: &[(&str, &[&str])]) -> HierarchySpec {
    let group = |(name, leaves): &(&str, &[&str])| {
        let leaves = leaves.iter().map(|leaf| leaf.to_string()).collect();
        (name.to_string(), TreeSpec::Leaves(leaves))
    };
    HierarchySpec::Tree(TreeSpec::Inner(groups.iter().map(group).collect()))
}

/// The work-class tree of seeds 000 and 004: 3 + 1 + 2 + 2 leaves.
pub fn work_classes() -> HierarchySpec {
    tree(&[
        ("Government", &["Federal-gov", "State-gov", "Local-gov"]),
        ("Private", &["Private"]),
        ("Self-employed", &["Inc", "Not-inc"]),
        ("Unemployed", &["Without-pay", "Never-worked"]),
    ])
}
