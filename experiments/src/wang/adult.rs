//! Adult with seven categorical quasi-identifiers over K (seed 003, section 6.1).

use std::path::Path;

use coarsen::counts::TallyColumn;
use coarsen::domain::hierarchy::{Built, Description, RawColumn, build};
use coarsen::domain::{Attribute, AttributeSettings, Value};
use coarsen::policy::{HierarchySpec, Scheme};

use super::SEARCHES;
use super::data::Data;
use crate::Fallible;
use crate::cells::cells;
use crate::report::Table;
use crate::taxonomies::{TABLE_1, Trees};

const LABEL: &str = "salary-class";
const KS: [u64; 9] = [10, 20, 50, 100, 150, 200, 300, 400, 500];

/// Adult's training and test rows with their trees.
pub fn read(folder: &Path, trees: Trees) -> Fallible<Data> {
    let names: Vec<&str> = TABLE_1.iter().map(|t| t.column).chain([LABEL]).collect();
    let mut all = cells(&folder.join("train.csv"), &names)?;
    let training = all[0].len();
    for (all, test) in all.iter_mut().zip(cells(&folder.join("test.csv"), &names)?) {
        all.extend(test);
    }
    let mut attributes = Vec::new();
    let mut codes = Vec::new();
    for (taxonomy, cells) in TABLE_1.iter().zip(&all) {
        let path = match trees {
            Trees::Paper => taxonomy.path(),
            Trees::Shipped => taxonomy.shipped(folder),
        };
        let layout = std::fs::read_to_string(path)?;
        let built = built(taxonomy.column, cells, Some(&layout))?;
        codes.push(built.code_of);
        attributes.push(Attribute {
            name: taxonomy.column.to_string(),
            domain: built.domain,
            hierarchy: built.hierarchy,
            settings: AttributeSettings {
                scheme: Scheme::Cut,
                ..AttributeSettings::default()
            },
        });
    }
    let label = built(LABEL, &all[TABLE_1.len()], None)?;
    codes.push(label.code_of);
    Ok(Data {
        attributes,
        label: TallyColumn {
            name: LABEL.into(),
            domain: label.domain,
            hierarchy: None,
        },
        codes,
        training,
    })
}

fn built(name: &str, cells: &[String], layout: Option<&str>) -> Fallible<Built> {
    let cells: Vec<Option<Value>> = cells.iter().map(|c| Some(Value::Text(c.clone()))).collect();
    let file = HierarchySpec::File {
        path: "hierarchy.csv".into(),
    };
    let description = Description {
        hierarchy: layout.map(|_| &file),
        layout,
        ..Description::default()
    };
    let column = RawColumn {
        name,
        cells: &cells,
        rows: &vec![1; cells.len()],
    };
    Ok(build(column, description)?)
}

/// What every search makes at every K.
pub fn over_k(adult: &Data, name: &'static str, trees: &str) -> Fallible<Table> {
    let baseline = adult.error(&|_, code| code)?;
    let worst = adult.error(&|_, _| 0)?;
    let mut table = Table::new(
        name,
        format!("Adult, {trees}"),
        [
            "K",
            "search",
            "seconds",
            "on a processor",
            "steps",
            "classes",
            "LM",
            "conditional entropy",
            "test error %",
            "above baseline",
        ],
    );
    table.notes.push(format!(
        "Test error without generalization {:.2} %, with everything suppressed {:.2} %. Asked for: under 0.15 s, at most 18.5 % and 1.1 above the baseline.",
        100.0 * baseline,
        100.0 * worst
    ));
    for k in KS {
        let problem = adult.to_learn(k)?;
        for (title, name, settings) in SEARCHES {
            let made = adult.made(name, settings, &problem)?;
            table.rows.push(vec![
                k.to_string(),
                title.into(),
                format!("{:.3}", made.seconds.gone_by),
                format!("{:.3}", made.seconds.on_processor),
                (made.outcome.trace.len() - 1).to_string(),
                made.classes.to_string(),
                format!("{:.4}", made.lm),
                format!("{:.4}", made.entropy),
                format!("{:.2}", 100.0 * made.error),
                format!("{:+.2}", 100.0 * (made.error - baseline)),
            ]);
        }
    }
    Ok(table)
}
