//! The audit against counts of rows made here, by plain maps of texts: Sweeney's figures, subsets by
//! brute force, populations by brute force.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use coarsen::audit::{
    Audit, AuditSettings, Exposure, Label, Population, Sensitive, SubsetSettings, audit, subsets,
};
use coarsen::counts::{Counts, Entries, TallyColumn};
use coarsen::domain::{Code, Domain, Kind, Value};
use coarsen::policy::Policy;
use coarsen::privacy::requirements;
use common::PT;
use proptest::prelude::*;

type Row = Vec<String>;

/// PT with birth dates as years.
fn years() -> Vec<Row> {
    PT.iter()
        .map(|row| {
            let mut row: Row = row.iter().map(|cell| cell.to_string()).collect();
            row[1] = row[1].rsplit('/').next().unwrap().to_string();
            row
        })
        .collect()
}

/// A column's cells coded in the order of the alphabet, the missing (empty) one last.
fn coded(rows: &[Row], column: usize) -> (Domain, Vec<Code>) {
    let mut texts: Vec<&str> = rows.iter().map(|row| row[column].as_str()).collect();
    texts.sort_unstable();
    texts.dedup();
    let missing = texts.first() == Some(&"");
    texts.retain(|text| !text.is_empty());
    let code = |row: &Row| texts.iter().position(|text| *text == row[column]);
    let codes = rows
        .iter()
        .map(|row| code(row).unwrap_or(texts.len()) as Code)
        .collect();
    let values = texts
        .iter()
        .map(|text| Value::Text(text.to_string()))
        .collect();
    (Domain::new(Kind::Text, None, values, missing), codes)
}

/// Counts over the first `columns` cells; the rest are tallied.
fn counted(rows: &[Row], columns: usize) -> (Counts, Vec<Domain>) {
    let width = rows.first().map_or(columns, Vec::len);
    let (domains, codes): (Vec<Domain>, _) = (0..columns).map(|c| coded(rows, c)).unzip();
    let (tallied, values): (Vec<Domain>, _) = (columns..width).map(|c| coded(rows, c)).unzip();
    let entries = Entries {
        codes,
        tallied: values,
        rows: vec![1; rows.len()],
    };
    let column = |(i, domain)| TallyColumn {
        name: format!("s{i}"),
        domain,
        hierarchy: None,
    };
    let tallied = tallied.into_iter().enumerate().map(column).collect();
    (Counts::build(entries, tallied).0, domains)
}

/// Audits rows whose first four cells are the quasi-identifier and whose fifth is sensitive.
fn audited(rows: &[Row], k: u64) -> Audit {
    let (counts, domains) = counted(rows, 4);
    let mut policy = Policy::default();
    policy.privacy.k = k;
    let requirements = requirements(&policy, counts.tallies()).unwrap();
    let sensitive = [Sensitive::of(&counts, 0, None).unwrap()];
    audit(
        &counts,
        &domains,
        &requirements,
        &sensitive,
        AuditSettings::default(),
    )
}

#[test]
fn sweeney_fig_15_as_the_program_wrote_it_is_not_2_anonymous() {
    let mut rows = years();
    rows[7][1].clear();
    let found = audited(&rows, 2);
    // {t1,t2} {t3,t4} {t5,t6} {t7} {t8} {t9,t10} {t11,t12}
    assert!(!found.holds);
    assert_eq!((found.rows, found.classes, found.k), (12, 7, 1));
    assert_eq!((found.risk.uniques, found.suppressed_rows), (2, 0));
    assert_eq!(found.failures.len(), 1);
    assert_eq!((found.failures[0].classes, found.failures[0].rows), (2, 2));
    assert_eq!(found.failures[0].smallest_class, 1);
    assert_eq!(found.failures[0].requirement, "2-anonymity");
    // Ten rows at 1/2 and two at 1: (5 + 2) / 12, and only the two are above the threshold 1/2.
    assert_eq!(found.risk.prosecutor_max, 1.0);
    assert_eq!(found.risk.prosecutor_mean, 7.0 / 12.0);
    assert_eq!(found.risk.at_risk, 2.0 / 12.0);

    // t7 alone is enough: without t8 it is still unique.
    rows.remove(7);
    let found = audited(&rows, 2);
    assert_eq!((found.holds, found.k, found.risk.uniques), (false, 1, 1));
    let told = found.failures[0].to_string();
    assert!(
        PT.iter().flatten().all(|cell| !told.contains(cell)),
        "{told}"
    );
}

#[test]
fn sweeney_fig_15_as_the_algorithm_would_write_it_is_not_either() {
    // t7 loses its birth date, t8 its birth date and gender; blanks are not wild cards.
    let mut rows = years();
    rows[6][1].clear();
    rows[7][1].clear();
    rows[7][2].clear();
    let found = audited(&rows, 2);
    assert_eq!((found.holds, found.risk.uniques), (false, 2));
}

#[test]
fn sweeney_fig_10_holds_at_2() {
    let mut rows = years();
    let before: Vec<Row> = PT
        .iter()
        .map(|row| row.iter().map(|cell| cell.to_string()).collect())
        .collect();
    rows.drain(6..8);
    let found = audited(&rows, 2);
    assert!(found.holds, "{:?}", found.failures);
    assert_eq!((found.rows, found.classes, found.k), (10, 5, 2));
    assert_eq!(
        (found.risk.prosecutor_max, found.risk.prosecutor_mean),
        (0.5, 0.5)
    );
    assert_eq!((found.risk.at_risk, found.risk.uniques), (0.0, 0));
    // Every pair has two different problems: l = 2 by either count.
    assert_eq!(found.distinct_l, Some(2));
    assert!((found.entropy_l.unwrap() - 2.0).abs() < 1e-12);
    // Of ten problems, chest pain and obesity stand twice. A pair of two that stand once each:
    // 2 × (1/2 − 1/10) = 0.8, the farthest.
    assert!((found.t.unwrap() - 0.8).abs() < 1e-12);
    assert!(!audited(&rows, 3).holds);

    let exposure = |rows: &[Row]| Exposure::of(&counted(rows, 4).0);
    assert_eq!((exposure(&before).uniques, exposure(&before).k), (12, 1));
    assert_eq!(
        (exposure(&rows).uniques, exposure(&rows).combinations),
        (0, 5)
    );
}

#[test]
fn sweeney_fig_7_gt_holds_at_2_and_covers_its_source() {
    let mut rows = years();
    for (row, (race, birth, zip)) in [
        (2, ("person", "1965", "0213*")),
        (3, ("person", "1965", "0213*")),
        (7, ("person", "1965", "0213*")),
        (6, ("white", "1960-69", "02138")),
        (10, ("white", "1960-69", "02138")),
        (11, ("white", "1960-69", "02138")),
    ] {
        rows[row][0] = race.into();
        rows[row][1] = birth.into();
        rows[row][3] = zip.into();
    }
    let found = audited(&rows, 2);
    assert!(found.holds);
    assert_eq!((found.rows, found.classes, found.k), (12, 5, 2));

    // The same columns without race, whose tree is not told here, beside the raw years.
    let without_race =
        |rows: &[Row]| -> Vec<Row> { rows.iter().map(|row| row[1..4].to_vec()).collect() };
    let (release, released) = counted(&without_race(&rows), 3);
    let (people, raw) = counted(&without_race(&years()), 3);
    let labels: Vec<Vec<Label>> = released.iter().map(|d| Label::of_column(d, None)).collect();
    let population = Population::of(&release, &labels, &people, &raw);
    let mut covered: Vec<(u64, u64)> = release
        .rows()
        .iter()
        .copied()
        .zip(population.covered)
        .collect();
    covered.sort_unstable();
    // Rows of the class, people it covers: each its own members, and no others.
    assert_eq!(covered, [(2, 2), (2, 2), (2, 2), (3, 3), (3, 3)]);
}

#[test]
fn the_columns_that_make_t7_stand_out() {
    let (counts, _) = counted(&years(), 4);
    let found = subsets(&counts, SubsetSettings::default());
    // Four columns: 4 + 6 + 4 subsets of up to three.
    assert_eq!(
        (found.possible, found.cut, found.subsets.len()),
        (14, false, 14)
    );
    let of = |columns: &[usize]| found.subsets.iter().find(|s| s.columns == columns).unwrap();
    // FORMULAS.md, from Fig. 14: t7 {birth,sex,zip} {race,birth,zip}; t8 {birth,zip} {sex,zip}
    // {race,sex} {race,birth} and every triple.
    for (columns, uniques) in [
        (vec![0], 0),
        (vec![1], 0),
        (vec![2], 0),
        (vec![3], 0),
        (vec![0, 1], 1),
        (vec![0, 2], 1),
        (vec![0, 3], 0),
        (vec![1, 2], 0),
        (vec![1, 3], 1),
        (vec![2, 3], 1),
        (vec![0, 1, 2], 1),
        (vec![0, 1, 3], 2),
        (vec![0, 2, 3], 1),
        (vec![1, 2, 3], 2),
    ] {
        assert_eq!(of(&columns).uniques, uniques, "{columns:?}");
        assert_eq!(of(&columns).k == 1, uniques > 0, "{columns:?}");
    }
    assert_eq!(found.subsets[0].columns, [0, 1, 3]);
    assert_eq!(found.subsets[1].columns, [1, 2, 3]);
}

/// Tables of small texts.
fn table(columns: usize, cells: &'static [&'static str]) -> impl Strategy<Value = Vec<Row>> {
    let cell = prop::sample::select(cells).prop_map(str::to_string);
    prop::collection::vec(prop::collection::vec(cell, columns), 1..40)
}

const RAW: &[&str] = &[
    "",
    "5",
    "12",
    "17",
    "23",
    "1965-09-20",
    "1965",
    "ab",
    "abc",
    "x",
];
const RELEASED: &[&str] = &[
    "",
    "*",
    "5",
    "10..19",
    "[12, 23[",
    ">=17",
    "{5|x}",
    "ab*",
    "1965",
    "abc",
    "{ab|missing}",
];

proptest! {
    #[test]
    fn the_audit_recounts_rows(rows in table(3, &["a", "b", "*", ""]), k in 1u64..5) {
        let mut sizes: BTreeMap<&Row, u64> = BTreeMap::new();
        for row in &rows {
            *sizes.entry(row).or_default() += 1;
        }
        let (counts, domains) = counted(&rows, 3);
        let mut policy = Policy::default();
        policy.privacy.k = k;
        let requirements = requirements(&policy, counts.tallies()).unwrap();
        let found = audit(&counts, &domains, &requirements, &[], AuditSettings::default());
        let short: Vec<u64> = sizes.values().copied().filter(|size| *size < k).collect();
        prop_assert_eq!(found.holds, short.is_empty());
        prop_assert_eq!(found.classes, sizes.len() as u64);
        prop_assert_eq!(found.k, *sizes.values().min().unwrap());
        prop_assert_eq!(found.failures.first().map_or(0, |f| f.rows), short.iter().sum::<u64>());
        let starred = rows.iter().filter(|row| row.iter().all(|cell| cell == "*")).count();
        prop_assert_eq!(found.suppressed_rows, starred as u64);
        let risks: Vec<f64> = rows.iter().map(|row| 1.0 / sizes[row] as f64).collect();
        let mean = risks.iter().sum::<f64>() / rows.len() as f64;
        prop_assert!((found.risk.prosecutor_mean - mean).abs() < 1e-9);
        let above = risks.iter().filter(|risk| **risk > found.risk.threshold).count();
        prop_assert_eq!(found.risk.at_risk, above as f64 / rows.len() as f64);
    }

    #[test]
    fn subsets_by_brute_force(rows in table(4, &["a", "b", "c"]), size in 0usize..5, most in 0usize..20) {
        let (counts, _) = counted(&rows, 4);
        let found = subsets(&counts, SubsetSettings { size, most });
        let all: Vec<Vec<usize>> = (1u32..16)
            .map(|mask| (0..4).filter(|column| mask >> column & 1 == 1).collect::<Vec<_>>())
            .filter(|columns| columns.len() <= size)
            .collect();
        prop_assert_eq!(found.possible, all.len() as u64);
        prop_assert_eq!(found.cut, all.len() > most);
        prop_assert_eq!(found.subsets.len(), all.len().min(most));
        for subset in &found.subsets {
            let mut sizes: BTreeMap<Vec<&String>, u64> = BTreeMap::new();
            for row in &rows {
                *sizes.entry(subset.columns.iter().map(|c| &row[*c]).collect()).or_default() += 1;
            }
            prop_assert!(all.contains(&subset.columns));
            prop_assert_eq!(subset.combinations, sizes.len() as u64);
            prop_assert_eq!(subset.uniques, sizes.values().filter(|size| **size == 1).count() as u64);
            prop_assert_eq!(subset.k, *sizes.values().min().unwrap());
            prop_assert_eq!(subset.distinct_ratio, sizes.len() as f64 / rows.len() as f64);
        }
        let order = |s: &coarsen::audit::Subset| (u64::MAX - s.uniques, s.columns.len(), s.columns.clone());
        prop_assert!(found.subsets.windows(2).all(|pair| order(&pair[0]) < order(&pair[1])));
    }

    #[test]
    fn populations_by_brute_force(release in table(3, RELEASED), people in table(3, RAW)) {
        let (counts, domains) = counted(&release, 3);
        let (population, raw) = counted(&people, 3);
        let labels: Vec<Vec<Label>> = domains.iter().map(|d| Label::of_column(d, None)).collect();
        let found = Population::of(&counts, &labels, &population, &raw);
        prop_assert_eq!(found.rows, people.len() as u64);
        for class in 0..counts.combinations() {
            let label = |column: usize| &labels[column][counts.codes(column)[class] as usize];
            let covered = people
                .iter()
                .filter(|person| (0..3).all(|column| label(column).covers(&person[column])))
                .count();
            prop_assert_eq!(found.covered[class], covered as u64);
        }
    }
}
