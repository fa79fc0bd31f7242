//! The tables of seed 001, section 4.3: its synthetic ones as they are described there, and Adult and
//! Contraceptives in place of the census sample, which is not at hand.

use std::path::Path;

use coarsen::domain::hierarchy::layout_tree;
use coarsen::domain::{Kind, Value};
use coarsen::policy::{Column, HierarchySpec, Policy, Role, Scheme, TreeSpec};
use coarsen::synthetic::{Agrawal, AgrawalColumns, AgrawalSettings};
use coarsen_learn::{RowColumn, Rows};

use super::Fallible;
use crate::taxonomies::{TABLE_1, Trees};

/// A table with the policy that describes its columns.
pub struct Data {
    /// The rows; a hold-out part stands behind the training part.
    pub rows: Rows,
    /// Roles, types, schemes and trees.
    pub policy: Policy,
}

fn quasi(kind: Kind, scheme: Scheme, hierarchy: Option<HierarchySpec>) -> Column {
    Column {
        role: Role::QuasiIdentifier,
        kind: Some(kind),
        scheme: Some(scheme),
        hierarchy,
        ..Column::default()
    }
}

fn target(kind: Kind) -> Column {
    Column {
        role: Role::Target,
        kind: Some(kind),
        ..Column::default()
    }
}

fn leaves(names: impl Iterator<Item = i64>) -> TreeSpec {
    TreeSpec::Leaves(names.map(|name| name.to_string()).collect())
}

/// The trees of Fig. 6's two nominal attributes, which the paper does not print: levels of education
/// in school (0, 1) and beyond (2 to 4), makes of car by fives.
fn tree(name: &str) -> HierarchySpec {
    HierarchySpec::Tree(match name {
        "elevel" => TreeSpec::Inner(vec![
            ("school".into(), leaves(0..=1)),
            ("college".into(), leaves(2..=4)),
        ]),
        _ => TreeSpec::Inner(
            (0..4)
                .map(|group| {
                    let first = 5 * group + 1;
                    (
                        format!("make {first} to {}", first + 4),
                        leaves(first..first + 5),
                    )
                })
                .collect(),
        ),
    })
}

/// Distinct cells and codes of values.
fn column(name: &str, role: Role, kind: Kind, values: Vec<Value>) -> RowColumn {
    let codes = (0..values.len() as u32).collect();
    RowColumn {
        name: name.to_string(),
        role,
        kind,
        cells: values.into_iter().map(Some).collect(),
        codes,
    }
}

/// The synthetic attributes of Fig. 6 with labels of some functions, whose constants are drawn: as many
/// rows to train on as to test on.
pub fn synthetic(functions: &[u8], rows: usize, seed: u64) -> Fallible<Data> {
    let mut table = Agrawal::new(AgrawalSettings {
        functions: functions.to_vec(),
        seed,
        random_constants: true,
        noise: 0.0,
    })?;
    let names = table.column_names();
    let mut policy = Policy::default();
    for name in &names {
        let described = match name.as_str() {
            label if label.starts_with("group") => target(Kind::Text),
            nominal @ ("elevel" | "car") => quasi(Kind::Text, Scheme::Cut, Some(tree(nominal))),
            "salary" | "commission" | "hvalue" | "loan" => {
                quasi(Kind::Decimal, Scheme::Ordered, None)
            }
            _ => quasi(Kind::Integer, Scheme::Ordered, None),
        };
        policy.columns.insert(name.clone(), described);
    }
    let mut part = || {
        let mut made = AgrawalColumns::default();
        table.next_rows(rows, &mut made);
        let money = |values: &[f64]| values.iter().copied().map(Value::Decimal).collect();
        let whole = |values: &[i64]| values.iter().copied().map(Value::Integer).collect();
        let named = |values: &[i64]| values.iter().map(|v| Value::Text(v.to_string())).collect();
        let mut columns: Vec<Vec<Value>> = vec![
            money(&made.salary),
            money(&made.commission),
            whole(&made.age),
            named(&made.elevel),
            named(&made.car),
            whole(&made.zipcode),
            money(&made.hvalue),
            whole(&made.hyears),
            money(&made.loan),
        ];
        for labels in &made.labels {
            let label = |a: &bool| Value::Text(Agrawal::group_name(*a).to_string());
            columns.push(labels.iter().map(label).collect());
        }
        let columns = names.iter().zip(columns).map(|(name, values)| {
            let described = &policy.columns[name];
            let kind = described.kind.unwrap_or(Kind::Text);
            column(name, described.role, kind, values)
        });
        Rows::new(columns.collect(), &vec![1; rows])
    };
    let (training, test) = (part(), part());
    Ok(Data {
        rows: training.with_test(test),
        policy,
    })
}

/// Columns of a CSV file without quotes, cell by cell, in the order asked for.
fn cells(path: &Path, names: &[String]) -> Fallible<Vec<Vec<String>>> {
    let text = std::fs::read_to_string(path)?;
    let mut lines = text.lines().filter(|line| !line.is_empty());
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let mut places = Vec::new();
    for name in names {
        let place = header.iter().position(|cell| cell == name);
        places.push(place.ok_or_else(|| format!("{} has no column {name}", path.display()))?);
    }
    let mut columns = vec![Vec::new(); names.len()];
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        for (column, place) in columns.iter_mut().zip(&places) {
            column.push(cells.get(*place).copied().unwrap_or_default().to_string());
        }
    }
    Ok(columns)
}

fn rows_of(path: &Path, policy: &Policy) -> Fallible<Rows> {
    let names: Vec<String> = policy.columns.keys().cloned().collect();
    let mut columns = Vec::new();
    let mut count = 0;
    for (name, cells) in names.iter().zip(cells(path, &names)?) {
        let described = &policy.columns[name];
        let kind = described.kind.unwrap_or(Kind::Text);
        let read = |cell: &String| Value::read(cell, kind, None);
        let values: Option<Vec<Value>> = cells.iter().map(read).collect();
        let values = values.ok_or_else(|| format!("a cell of {name} cannot be read"))?;
        count = values.len();
        columns.push(column(name, described.role, kind, values));
    }
    Ok(Rows::new(columns, &vec![1; count]))
}

/// Adult, train.csv to train on and test.csv to test on; `age` is on the number line. `scheme` is that of the categories: cut by their trees, or in the order of the
/// leaves. `numeric` takes hours per week for the target.
pub fn adult(
    folder: &Path,
    with_age: bool,
    (trees, scheme): (Trees, Scheme),
    numeric: bool,
) -> Fallible<Data> {
    let mut policy = Policy::default();
    for taxonomy in &TABLE_1 {
        let path = match trees {
            Trees::Paper => taxonomy.path(),
            Trees::Shipped => taxonomy.shipped(folder),
        };
        let tree = HierarchySpec::Tree(layout_tree(&std::fs::read_to_string(path)?)?);
        let described = quasi(Kind::Text, scheme, Some(tree));
        policy.columns.insert(taxonomy.column.into(), described);
    }
    if with_age {
        let age = quasi(Kind::Integer, Scheme::Ordered, None);
        policy.columns.insert("age".into(), age);
    }
    match numeric {
        true => policy
            .columns
            .insert("hours-per-week".into(), target(Kind::Integer)),
        false => policy
            .columns
            .insert("salary-class".into(), target(Kind::Text)),
    };
    let training = rows_of(&folder.join("train.csv"), &policy)?;
    let test = rows_of(&folder.join("test.csv"), &policy)?;
    Ok(Data {
        rows: training.with_test(test),
        policy,
    })
}

/// Contraceptives, described as in Fig. 7.
pub fn contraceptives(folder: &Path) -> Fallible<Data> {
    let mut policy = Policy::default();
    for name in ["wife-age", "children", "standard-of-living"] {
        let described = quasi(Kind::Integer, Scheme::Ordered, None);
        policy.columns.insert(name.to_string(), described);
    }
    // Nominal attributes of at most four values: the root, and the values below it.
    for name in [
        "wife-education",
        "husband-education",
        "wife-religion",
        "wife-working",
        "husband-occupation",
        "media-exposure",
    ] {
        let described = quasi(Kind::Text, Scheme::Cut, None);
        policy.columns.insert(name.to_string(), described);
    }
    policy
        .columns
        .insert("contraceptive-method".into(), target(Kind::Text));
    let rows = rows_of(&folder.join("cmc.csv"), &policy)?;
    Ok(Data { rows, policy })
}
