//! Both directions on the synthetic table of seed 001 (Agrawal et al. 1993), by label function: numbers by
//! trees of intervals, which are cut, and numbers without a tree, whose neighbours merge or part.

use coarsen::counts::TallyColumn;
use coarsen::domain::hierarchy::{Description, RawColumn, build};
use coarsen::domain::{Attribute, AttributeSettings, Kind, Value};
use coarsen::policy::{HierarchySpec, Scheme};
use coarsen::synthetic::{Agrawal, AgrawalColumns, AgrawalSettings};

use super::SEARCHES;
use super::data::Data;
use crate::Fallible;
use crate::report::Table;

/// Rows to learn from, and as many to test on.
const ROWS: usize = 10_000;
const K: u64 = 25;

/// A column and the widths of its tree of intervals; none for a few categories.
const COLUMNS: [(&str, &[f64]); 9] = [
    ("salary", &[5e3, 1e4, 2e4, 4e4, 8e4]),
    ("commission", &[5e3, 1e4, 2e4, 4e4]),
    ("age", &[5.0, 10.0, 20.0, 40.0]),
    ("elevel", &[]),
    ("car", &[5.0, 10.0]),
    ("zipcode", &[]),
    ("hvalue", &[1e5, 2e5, 4e5, 8e5]),
    ("hyears", &[5.0, 10.0, 20.0]),
    ("loan", &[5e4, 1e5, 2e5, 4e5]),
];

/// One label function, money in whole units.
fn rows(function: u8, scheme: Scheme) -> Fallible<Data> {
    let mut table = Agrawal::new(AgrawalSettings {
        functions: vec![function],
        ..AgrawalSettings::default()
    })?;
    let mut rows = AgrawalColumns::default();
    table.next_rows(2 * ROWS, &mut rows);
    let whole = |money: &[f64]| money.iter().map(|x| *x as i64).collect();
    let columns: [Vec<i64>; 9] = [
        whole(&rows.salary),
        whole(&rows.commission),
        rows.age,
        rows.elevel,
        rows.car,
        rows.zipcode,
        whole(&rows.hvalue),
        rows.hyears,
        whole(&rows.loan),
    ];
    let mut attributes = Vec::new();
    let mut codes = Vec::new();
    for ((name, widths), column) in COLUMNS.into_iter().zip(columns) {
        let cells: Vec<Option<Value>> = column
            .into_iter()
            .map(|n| Some(Value::Integer(n)))
            .collect();
        let intervals = HierarchySpec::Intervals {
            widths: widths.to_vec(),
            origin: 0.0,
        };
        let description = Description {
            kind: Some(Kind::Integer),
            hierarchy: Some(&intervals).filter(|_| scheme == Scheme::Cut && !widths.is_empty()),
            ..Description::default()
        };
        let raw = RawColumn {
            name,
            cells: &cells,
            rows: &vec![1; cells.len()],
        };
        let built = build(raw, description)?;
        codes.push(built.code_of);
        attributes.push(Attribute {
            name: name.into(),
            domain: built.domain,
            hierarchy: built.hierarchy,
            settings: AttributeSettings {
                scheme,
                ..AttributeSettings::default()
            },
        });
    }
    let cells: Vec<Option<Value>> = rows.labels[0]
        .iter()
        .map(|b| Some(Value::Boolean(*b)))
        .collect();
    let raw = RawColumn {
        name: "group",
        cells: &cells,
        rows: &vec![1; cells.len()],
    };
    let label = build(raw, Description::default())?;
    codes.push(label.code_of);
    Ok(Data {
        attributes,
        label: TallyColumn {
            name: "group".into(),
            domain: label.domain,
            hierarchy: None,
        },
        codes,
        training: ROWS,
    })
}

/// Every search on every function, by trees and without.
pub fn run(functions: &[u8]) -> Fallible<Table> {
    let mut table = Table::new(
        "synthetic",
        "Synthetic functions",
        [
            "function",
            "numbers",
            "search",
            "seconds",
            "on a processor",
            "classes",
            "conditional entropy",
            "test error %",
        ],
    );
    table.notes.push(format!(
        "{ROWS} rows to learn from and as many to test on, nine quasi-identifiers, K = {K}, nothing suppressed."
    ));
    for function in functions {
        for (numbers, scheme) in [("by trees", Scheme::Cut), ("without", Scheme::Ordered)] {
            let data = rows(*function, scheme)?;
            let problem = data.to_learn(K)?;
            let mut row = |cells: [String; 7]| {
                table
                    .rows
                    .push([function.to_string()].into_iter().chain(cells).collect());
            };
            if scheme == Scheme::Cut {
                let worst = format!("{:.2}", 100.0 * data.error(&|_, _| 0)?);
                let none = String::new;
                let what = "everything suppressed".into();
                row([none(), what, none(), none(), "1".into(), none(), worst]);
            }
            for (title, name, settings) in SEARCHES {
                let made = data.made(name, settings, &problem)?;
                row([
                    numbers.into(),
                    title.into(),
                    format!("{:.2}", made.seconds.gone_by),
                    format!("{:.2}", made.seconds.on_processor),
                    made.classes.to_string(),
                    format!("{:.4}", made.entropy),
                    format!("{:.2}", 100.0 * made.error),
                ]);
            }
        }
    }
    Ok(table)
}
