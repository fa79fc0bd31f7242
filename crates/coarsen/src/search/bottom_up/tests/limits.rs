//! What bounds a run: the rows that may be suppressed, the time, the number of a column's values; and the
//! settings.

use std::time::Duration;

use super::super::thin::MOST;
use super::super::*;
use super::figure_1::{figure_1, to};
use super::{finished, problem, settings, tables};
use crate::recoding::Recoding;
use proptest::prelude::*;

#[test]
fn a_limit_on_suppression_is_used_inside_the_loop() {
    // d1c2e3 and d1d2e3 hold 4 rows: with 4 suppressed, K = 3 asks for nothing more.
    let mut problem = figure_1(3);
    problem.suppression.rows = 4;
    let outcome = variants::search(&Settings::default(), &problem, &Run::new(0)).unwrap();
    assert_eq!((outcome.trace.len(), outcome.trace[0].short_rows), (1, 4));
    problem.suppression.rows = 3;
    let outcome = variants::search(&Settings::default(), &problem, &Run::new(0)).unwrap();
    assert_eq!(outcome.trace.len(), 2);
}

#[test]
fn without_a_target_lm_decides() {
    let mut problem = figure_1(3);
    problem.workload.targets.clear();
    let start = Start::new(&Settings::default(), &problem);
    assert_eq!(start.judge.measure, Measure::Lm);
    // f2 covers 2 of 4 leaves, a third each: 18 of 29 rows, in one of three columns.
    let (column, place) = to(&start, "f2");
    let lost = start.columns[column].moves[place].information;
    assert!((lost - 18.0 / 29.0 / 3.0 / 3.0).abs() < 1e-12, "{lost}");
}

proptest! {
    /// Whatever the schemes: few steps, and what they lead to meets the requirement.
    #[test]
    fn out_of_time_it_still_ends_in_a_release(
        (quasi, labels) in tables(),
        k in 2u64..9,
        whole_levels in any::<bool>(),
    ) {
        let k = k.min(labels.len() as u64);
        let problem = problem(&quasi, &labels, &vec![1; labels.len()], k, 0);
        let run = Run::new(0).with_budget(Some(Duration::ZERO));
        let settings = Settings { refine: true, whole_levels, ..Settings::default() };
        let outcome = variants::search(&settings, &problem, &run).unwrap();
        prop_assert_eq!(outcome.stop, crate::search::Stop::Budget);
        prop_assert_eq!(finished(&problem, &outcome).1, 0);
        // Seven values, in at most three groups, halve five times at most: in their groups, then beyond.
        prop_assert!(outcome.trace.len() <= 1 + 5 * quasi.len(), "{}", outcome.trace.len());
    }
}

/// Numbers from 0 up, twice each, with a label that changes at every hundredth.
fn numbers(values: u64, scheme: Scheme, k: u64) -> Problem {
    let number = |number: u64| format!("{number:06}");
    let tree = vec![("all".to_string(), (0..values).map(number).collect())];
    let cells = (0..2 * values).map(|row| number(row / 2)).collect();
    let labels = (0..2 * values).map(|row| if row / 200 % 2 == 0 { "Y" } else { "N" });
    let labels: Vec<&str> = labels.collect();
    let rows = vec![1; labels.len()];
    problem(
        &[("number".into(), tree, scheme, cells)],
        &labels,
        &rows,
        k,
        0,
    )
}

#[test]
fn very_many_values_are_thinned_and_keep_what_tells_the_label() {
    let schemes = [
        Scheme::Ordered,
        Scheme::Set,
        Scheme::GuidedOrdered,
        Scheme::GuidedSet,
    ];
    for scheme in schemes {
        let problem = numbers(1100, scheme, 50);
        let start = Start::new(&Settings::default(), &problem);
        assert_eq!(start.columns[0].live.len(), MOST);
        let lost: f64 = start.columns[0]
            .merges()
            .map(|(_, piece)| start.judge.impurity(&start.columns[0].piece(piece).mix))
            .sum();
        assert_eq!(lost, 0.0, "no run has two labels");
        let outcome = variants::search(&settings(Mode::Pruned), &problem, &Run::new(0)).unwrap();
        assert!(outcome.trace[0].what.ends_with("merged to 1024 runs"));
        let (classes, short) = finished(&problem, &outcome);
        assert!(short == 0 && classes.rows().iter().all(|rows| *rows >= 50));
        let entropy = crate::loss::find("conditional-entropy").unwrap();
        assert_eq!(entropy.loss.cost(&problem, &classes), Some(0.0));
        let Recoding::Partitions(made) = &outcome.recoding else {
            panic!("runs are a partition");
        };
        assert!(made.columns[0].blocks.len() >= 11);
    }
}

#[test]
fn settings_are_read_and_refused() {
    let read = |text: &str| {
        let table: toml::Value = toml::from_str(text).unwrap();
        build(Some(&table))
            .map(|_| ())
            .map_err(|error| error.message)
    };
    assert_eq!(
        read("mode = \"plain\"\ninformation = \"none\"\nwhole-levels = true"),
        Ok(())
    );
    assert!(read("mode = \"fast\"").unwrap_err().contains("fast"));
    assert!(
        read("temperature = -1.0")
            .unwrap_err()
            .contains("at least 0")
    );
    assert!(read("temprature = 1.0").is_err());
}
