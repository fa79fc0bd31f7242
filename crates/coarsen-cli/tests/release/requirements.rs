//! Every requirement, recounted from the release.

use super::*;

/// The sensitive values of every class under a requirement.
fn tallies(requirement: &str, of: &str, more: &[(&str, &str)]) -> (Table, Vec<Vec<f64>>) {
    let line = format!("k = 5\n{requirement}");
    let mut changes = vec![("k = 5", line.as_str())];
    changes.extend(more);
    let release = released(&changes);
    assert!(release.smallest_class(&QUASI) >= 5);
    let tallies = release.tallies(&QUASI, of);
    let counts = tallies
        .iter()
        .map(|tally| tally.values().map(|n| *n as f64).collect())
        .collect();
    (release, counts)
}

#[test]
fn distinct() {
    let (_, classes) = tallies(
        "diversity = [{ column = \"illness\", distinct = 4 }]",
        "illness",
        &[],
    );
    assert!(classes.iter().all(|class| class.len() >= 4));
}

#[test]
fn entropy() {
    let (_, classes) = tallies(
        "diversity = [{ column = \"illness\", entropy = 3.5 }]",
        "illness",
        &[],
    );
    for class in classes {
        let rows: f64 = class.iter().sum();
        let entropy: f64 = class.iter().map(|n| -n / rows * (n / rows).ln()).sum();
        assert!(entropy >= 3.5f64.ln() - 1e-9, "{class:?}");
    }
}

#[test]
fn recursive() {
    let (_, classes) = tallies(
        "diversity = [{ column = \"illness\", recursive = { c = 1.5, l = 3 } }]",
        "illness",
        &[],
    );
    for mut class in classes {
        class.sort_by(|a, b| b.total_cmp(a));
        let tail: f64 = class[2..].iter().sum();
        assert!(class[0] < 1.5 * tail, "{class:?}");
    }
}

#[test]
fn squared_error() {
    let sensitive = [("role = \"target\"", "role = \"sensitive\"")];
    let (release, _) = tallies(
        "diversity = [{ column = \"salary\", squared_error = 40000.0 }]",
        "salary",
        &sensitive,
    );
    let salaries = release.column("salary");
    for rows in release.classes(&QUASI).values() {
        let values: Vec<f64> = rows
            .iter()
            .map(|row| salaries[*row].parse().unwrap())
            .collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let error: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        assert!(error >= 40_000.0, "{values:?}");
    }
}

/// Total variation, for values that are equally far from each other.
#[test]
fn closeness_of_names() {
    let requirement = "closeness = [{ column = \"illness\", t = 0.25 }]";
    let (release, _) = tallies(requirement, "illness", &[]);
    let whole = release.tallies(&[], "illness").remove(0);
    let rows = release.rows.len() as f64;
    let mut worst = 0.0f64;
    for class in release.tallies(&QUASI, "illness") {
        let size: usize = class.values().sum();
        let apart = |(value, n): (&&str, &usize)| {
            let here = *class.get(*value).unwrap_or(&0) as f64 / size as f64;
            (here - *n as f64 / rows).abs()
        };
        let distance: f64 = whole.iter().map(apart).sum::<f64>() / 2.0;
        worst = worst.max(distance);
    }
    assert!(worst <= 0.25 + 1e-9 && worst > 0.0, "{worst}");
}

/// Earth mover's distance in steps of the order, for numbers.
#[test]
fn closeness_of_numbers() {
    let requirement = "closeness = [{ column = \"salary\", t = 0.15 }]";
    let sensitive = [("role = \"target\"", "role = \"sensitive\"")];
    let (release, _) = tallies(requirement, "salary", &sensitive);
    let whole = release.tallies(&[], "salary").remove(0);
    let rows = release.rows.len() as f64;
    // All salaries have three digits, so that the order of the texts is that of the numbers.
    let steps = whole.len() as f64 - 1.0;
    let mut worst = 0.0f64;
    for class in release.tallies(&QUASI, "salary") {
        let size: usize = class.values().sum();
        let (mut carried, mut moved) = (0.0f64, 0.0);
        for (value, n) in &whole {
            carried += *class.get(value).unwrap_or(&0) as f64 / size as f64 - *n as f64 / rows;
            moved += carried.abs();
        }
        worst = worst.max(moved / steps);
    }
    assert!(worst <= 0.15 + 1e-9 && worst > 0.0, "{worst}");
}

/// A value that stands only in suppressed rows is no part of the order that is released: the
/// search and the audit must measure by the same one.
#[test]
fn closeness_where_a_value_is_dropped_with_its_rows() {
    let mut text = String::from("age,pay\n");
    for row in 0..40 {
        text += &format!("{},{}\n", if row < 20 { 30 } else { 50 }, 1 + row % 4);
    }
    // One old person with a pay of their own: suppressed, and with it the pay.
    text += "90,400\n";
    let policy = r#"version = 1
input = { path = "pay.csv" }
output = { path = "release.csv" }
[columns]
age = { role = "quasi-identifier" }
pay = { role = "sensitive", type = "integer" }
[privacy]
k = 5
closeness = [{ column = "pay", t = 0.095 }]
[suppression]
limit = 0.05
[search]
algorithm = "datafly"
"#;
    // The young are 0.1 from the whole over the three steps that are released, and 0.075 over the
    // four that were counted. They may not be released apart from the others, but all may as one.
    let text = text.replacen("30,4", "30,1", 4);
    let desk = Folder::with(&[("pay.csv", &text), ("policy.toml", policy)]);
    let made = desk.json(&["run", "policy.toml", "--json"]);
    assert_eq!(made["rows_out"], 40);
}
