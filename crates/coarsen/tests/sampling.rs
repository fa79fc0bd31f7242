//! Searching a sample and applying what is found to all rows (seed 000, section 6).
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::domain::Kind;
use coarsen::policy::{Role, Sampling};
use coarsen::privacy::enforce;
use coarsen::search::{self, Run, SearchError, on_sample};
use coarsen::synthetic::Random;
use common::{Table, cells};

/// Two thousand rows of numbers and letters with a label that follows them.
fn table() -> Table {
    let mut random = Random::new(1);
    let (mut ages, mut letters, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..2000 {
        let (age, letter) = (random.between(17, 80), random.below(5) as usize);
        ages.push(age.to_string());
        letters.push(["a", "b", "c", "d", "e"][letter]);
        labels.push(if age > 40 && letter > 1 { "yes" } else { "no" });
    }
    let ages: Vec<&str> = ages.iter().map(String::as_str).collect();
    let mut table = Table::new(&[
        cells("age", &ages).kind(Kind::Integer),
        cells("letter", &letters),
        cells("label", &labels).role(Role::Target),
    ]);
    table.policy.privacy.k = 20;
    table.policy.suppression.limit = 0.05;
    table
}

fn build(name: &str, settings: &str) -> Box<dyn search::Search> {
    let settings: toml::Value = toml::from_str(settings).unwrap();
    (search::find(name).unwrap().build)(Some(&settings)).unwrap()
}

#[test]
fn what_a_sample_finds_holds_for_all_rows() {
    let mut table = table();
    for sampling in [Sampling::Random, Sampling::Stratified] {
        table.policy.search.sampling = sampling;
        for (name, settings) in [
            ("genetic", "population = 30\niterations = 500"),
            ("datafly", ""),
            ("mondrian", ""),
        ] {
            let problem = table.problem("lm").unwrap();
            let search = build(name, settings);
            let sampled = || on_sample(search.as_ref(), &problem, &table.policy, 0.2, &Run::new(3));
            let (outcome, classes, report) = sampled().unwrap();
            assert_eq!((report.rows, report.sampling), (400, sampling));
            assert!(report.k >= 4 && report.combinations <= 400, "{report:?}");
            // All rows, counted anew.
            assert!(classes.released().all(|class| classes.rows()[class] >= 20));
            assert!(classes.suppressed_rows() <= problem.suppression.rows);
            assert_eq!(outcome.cost.to_bits(), problem.cost(&classes).to_bits());
            assert_eq!(report.cost_of_all, outcome.cost);
            let class_of = table.class_of(&classes);
            for (row, value) in table.values(0).iter().enumerate() {
                assert!(
                    classes
                        .block(0, class_of[row])
                        .extent
                        .contains(value.as_ref())
                );
            }
            // The same seed draws the same.
            let (again, _, same) = sampled().unwrap();
            assert_eq!((again.recoding, same), (outcome.recoding, report));
        }
    }
}

#[test]
fn a_whole_sample_is_the_table() {
    let table = table();
    let problem = table.problem("cm").unwrap();
    let search = build("genetic", "population = 30\niterations = 300");
    let direct = search.search(&problem, &Run::new(2)).unwrap();
    let (outcome, mut classes, report) =
        on_sample(search.as_ref(), &problem, &table.policy, 1.0, &Run::new(2)).unwrap();
    assert_eq!(outcome.recoding, direct.recoding);
    assert_eq!(
        (report.k, report.cost, report.cost_of_all),
        (20, direct.cost, direct.cost)
    );
    let mode = problem.suppression.mode;
    let before = classes.suppressed_rows();
    assert_eq!(
        enforce(&problem.counts, &problem.requirements, mode, &mut classes),
        before
    );
}

#[test]
fn cells_belong_to_their_rows() {
    let mut table = Table::new(&[cells("q", &["a", "a", "b", "b"])]);
    table.policy.privacy.k = 2;
    let problem = table.problem("prec").unwrap();
    let search = build("mingen", "level = \"cell\"");
    let error = on_sample(search.as_ref(), &problem, &table.policy, 0.5, &Run::new(1));
    assert!(matches!(error, Err(SearchError::Unfit(text)) if text.contains("search.sample")));
}
