//! Seed 002's systems through the public API: MinGen against exhaustive enumeration, and the paper's
//! figures. What each figure can be held to is in `FORMULAS.md`.
#![allow(clippy::unwrap_used)]

mod common;

use std::time::Duration;

use coarsen::loss::LOSSES;
use coarsen::policy::{HierarchySpec, Side, SuppressionMode};
use coarsen::privacy::enforce;
use coarsen::problem::Problem;
use coarsen::recoding::{Partitions, Recoding};
use coarsen::search::{SearchError, Stop};
use common::random::{cases, tables};
use common::sweeney::{fig_4, fig_7, run, run_for};
use common::{Table, assert_near, cells};
use proptest::prelude::*;
use proptest::sample::Index;

/// Every combination of levels.
fn all_levels(problem: &Problem) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for attribute in &problem.attributes {
        let levels = 0..=attribute.hierarchy.height();
        let longer = |some: &Vec<usize>| {
            let some = some.clone();
            levels
                .clone()
                .map(move |level| [&some[..], &[level]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Cost and suppressed rows at some levels, where they meet the requirement within the limit.
fn tried(problem: &Problem, levels: &[usize]) -> Option<(f64, u64)> {
    let mut classes = Partitions::at_levels(&problem.attributes, levels).classes(&problem.counts);
    let mode = problem.suppression.mode;
    let suppressed = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    (suppressed <= problem.suppression.rows).then(|| (problem.cost(&classes), suppressed))
}

/// Fig. 5 word for word: all generalizations, those that are protected, those of least distortion.
fn exhaustive(problem: &Problem) -> Vec<(Vec<usize>, f64, u64)> {
    let protected = all_levels(problem).into_iter().filter_map(|levels| {
        let (cost, suppressed) = tried(problem, &levels)?;
        Some((levels, cost, suppressed))
    });
    let mut protected: Vec<_> = protected.collect();
    let least = protected.iter().map(|(_, cost, _)| *cost);
    let least = least.fold(f64::INFINITY, f64::min);
    protected.retain(|(_, cost, _)| *cost <= least + 1e-9);
    protected
}

fn at(problem: &Problem, levels: &[usize]) -> Recoding {
    Recoding::Partitions(Partitions::at_levels(&problem.attributes, levels))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Any loss, requirement, mode and limit; one to four columns.
    #[test]
    fn mingen_finds_what_exhaustive_search_finds(table in cases(), which: Index) {
        let has_selection = !table.policy.workload.selections.is_empty();
        let names: Vec<&str> = (LOSSES.iter().map(|loss| loss.name))
            .filter(|name| *name != "imprecision" || has_selection)
            .collect();
        // The two that bound the walk are drawn half of the time.
        let name = match which.index(2 * names.len()) {
            i if i < names.len() => names[i],
            i => ["lm", "prec"][i % 2],
        };
        let Ok(problem) = table.problem(name) else {
            return Ok(());
        };
        let mut expected = exhaustive(&problem);
        let last = problem.attributes.last().unwrap().name.clone();
        let found = run("mingen", &format!("preferred = [{last:?}]"), &problem);
        if expected.is_empty() {
            prop_assert!(matches!(found, Err(SearchError::NoRelease(_))));
            return Ok(());
        }
        let found = found.unwrap();
        // The last column at its lowest, then fewest suppressed, then the levels in order.
        expected.sort_by_key(|(levels, _, suppressed)| {
            (*levels.last().unwrap(), *suppressed, levels.clone())
        });
        let (levels, cost, _) = &expected[0];
        prop_assert_eq!(&found.recoding, &at(&problem, levels));
        prop_assert_eq!(found.cost.to_bits(), cost.to_bits());
        prop_assert_eq!((found.stop, found.bound), (Stop::Optimal, Some(found.cost)));
        // A line for the chosen one, a line for every tie.
        prop_assert_eq!(found.trace.len(), expected.len());
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Where nothing may be suppressed the search is another one, and k is all that it knows.
    #[test]
    fn without_suppression_too(table in tables(), k in 1u64..=6, lm: bool, masks: bool) {
        let mut table = table;
        table.policy.privacy.k = k;
        table.policy.suppression.limit = 0.0;
        if masks {
            table.policy.suppression.mode = SuppressionMode::Mask;
        }
        let Ok(problem) = table.problem(if lm { "lm" } else { "prec" }) else {
            return Ok(());
        };
        let expected = exhaustive(&problem);
        let found = run("mingen", "", &problem).unwrap();
        let (levels, cost, _) = &expected[0];
        prop_assert_eq!(&found.recoding, &at(&problem, levels));
        prop_assert_eq!(found.cost.to_bits(), cost.to_bits());
        prop_assert_eq!((found.stop, found.bound), (Stop::Optimal, Some(found.cost)));
        prop_assert_eq!(found.trace.len(), expected.len());
        // With no time at all it has a release, and a bound that holds.
        let hasty = run_for("mingen", "", &problem, Some(Duration::ZERO)).unwrap();
        let mut classes = hasty.recoding.classes(&problem.attributes, &problem.counts);
        let mode = problem.suppression.mode;
        prop_assert_eq!(enforce(&problem.counts, &problem.requirements, mode, &mut classes), 0);
        prop_assert!(hasty.bound.unwrap() <= cost + 1e-9 && hasty.cost >= cost - 1e-9);
    }
}

#[test]
fn figure_4_the_minimal_distortion() {
    // Example 6: of the generalizations with k = 2, only GT[0,1] is a k-minimal distortion, Prec 5/6.
    let problem = fig_4(2);
    let found = run("mingen", "", &problem).unwrap();
    assert_eq!(found.recoding, at(&problem, &[0, 1]));
    assert_near(Some(found.cost), 1.0 / 6.0);
    assert_eq!((found.stop, found.trace.len()), (Stop::Optimal, 1));
    // For k = 4 it is GT[0,2], 2/3, before GT[1,1], 7/12.
    let problem = fig_4(4);
    let found = run("mingen", "", &problem).unwrap();
    assert_eq!(found.recoding, at(&problem, &[0, 2]));
    assert_near(Some(found.cost), 1.0 / 3.0);
}

#[test]
fn ties_are_all_told_and_preference_chooses() {
    // Two columns alike: either may go to `*` to make pairs.
    let problem = |limit: f64| {
        let mut table = Table::new(&[
            cells("x", &["a", "a", "b", "b"]),
            cells("y", &["a", "b", "a", "b"]),
        ]);
        table.policy.privacy.k = 2;
        table.policy.suppression.limit = limit;
        table.problem("prec").unwrap()
    };
    let whole = problem(0.0);
    let found = run("mingen", "", &whole).unwrap();
    assert_eq!(found.recoding, at(&whole, &[0, 1]));
    let lines: Vec<&str> = found.trace.iter().map(|step| step.what.as_str()).collect();
    assert_eq!(
        lines,
        [
            "of 4 combinations of levels, 2 cost the least: x 0, y 1",
            "equally good: x 1, y 0",
        ]
    );
    let found = run("mingen", "preferred = [\"y\"]", &whole).unwrap();
    assert_eq!(found.recoding, at(&whole, &[1, 0]));
    let refused = run("mingen", "preferred = [\"z\"]", &whole).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "search.mingen.preferred names `z`, which is no quasi-identifier; name columns with role = \"quasi-identifier\" only"
    );
}

#[test]
fn too_many_combinations_are_refused() {
    let zip = HierarchySpec::Mask {
        side: Side::Right,
        levels: None,
    };
    let column = |i: usize| cells(&format!("q{i}"), &["00000", "11111"]).with(&zip);
    let table = Table::new(&(0..10).map(column).collect::<Vec<_>>());
    let mut table = table;
    table.policy.privacy.k = 2;
    let refused = run("mingen", "", &table.problem("lm").unwrap()).unwrap_err();
    let SearchError::Unfit(message) = refused else {
        panic!("{refused}");
    };
    assert!(message.contains("60466176 combinations"), "{message}");
}

#[test]
fn datafly_distorts_figure_7_more_than_mingen() {
    for limit in [0.0, 0.17] {
        let problem = fig_7(limit).problem("prec").unwrap();
        let [mingen, datafly] = ["mingen", "datafly"].map(|a| run(a, "", &problem).unwrap().cost);
        assert!(mingen <= datafly + 1e-9, "{mingen} {datafly}");
    }
}
