//! How a block is written.

use super::*;

/// The released age of every visit, as numbers, and the ages before.
fn shown(how: &str, columns: &[&str]) -> BTreeMap<String, Vec<f64>> {
    let how = format!("intervals = [5, 10, 20] }}, represent = \"{how}\"");
    let release = released(&[("intervals = [5, 10, 20] }", &how)]);
    let quasi: Vec<&str> = columns.iter().copied().chain(["zip", "sex"]).collect();
    assert!(release.smallest_class(&quasi) >= 5);
    let places: Vec<usize> = columns.iter().map(|name| release.place(name)).collect();
    let number = |row: &[String], place: &usize| row[*place].parse::<f64>().unwrap();
    let rows = by_visit(&release).into_iter();
    rows.map(|(visit, row)| {
        let cells = places.iter().map(|place| number(row, place)).collect();
        (visit.to_string(), cells)
    })
    .collect()
}

/// The ages that stand in each released range.
fn ranges() -> BTreeMap<String, Vec<(String, f64)>> {
    let desk = desk(&[]);
    run(&desk);
    let (release, people) = (desk.table("release.csv"), desk.table("people.csv"));
    let before = by_visit(&people);
    let mut ranges: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
    for (visit, row) in by_visit(&release) {
        let age = before[visit][1].parse().unwrap();
        let range = ranges.entry(row[0].clone()).or_default();
        range.push((visit.to_string(), age));
    }
    assert!(ranges.len() > 1 && ranges.keys().all(|label| label.contains("..")));
    ranges
}

fn ends(label: &str) -> (f64, f64) {
    let (low, high) = label.split_once("..").unwrap();
    (low.parse().unwrap(), high.parse().unwrap())
}

#[test]
fn bounds_are_two_columns() {
    let shown = shown("bounds", &["age_low", "age_high"]);
    for (label, rows) in ranges() {
        let (low, high) = ends(&label);
        for (visit, _) in rows {
            assert_eq!(shown[&visit], [low, high]);
        }
    }
    let release = released(&[(
        "intervals = [5, 10, 20] }",
        "intervals = [5, 10, 20] }, represent = \"bounds\"",
    )]);
    assert_eq!(release.names[..3], ["age_low", "age_high", "zip"]);
}

#[test]
fn midpoint_median_and_mean_are_one_number() {
    let (midpoint, median, mean) = (
        shown("midpoint", &["age"]),
        shown("median", &["age"]),
        shown("mean", &["age"]),
    );
    for (label, rows) in ranges() {
        let (low, high) = ends(&label);
        let mut ages: Vec<f64> = rows.iter().map(|(_, age)| *age).collect();
        ages.sort_by(f64::total_cmp);
        let half = ages.len() / 2;
        let middle = match ages.len() % 2 {
            0 => (ages[half - 1] + ages[half]) / 2.0,
            _ => ages[half],
        };
        let average = ages.iter().sum::<f64>() / ages.len() as f64;
        for (visit, _) in rows {
            assert_eq!(midpoint[&visit], [(low + high) / 2.0]);
            assert_eq!(median[&visit], [middle], "{label}: {ages:?}");
            assert!((mean[&visit][0] - average).abs() < 1e-9);
        }
    }
}
