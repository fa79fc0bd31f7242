//! Bottom-up generalization and top-down specialization through the table of algorithms, on random
//! tables with every scheme. (Adult is measured in `experiments`.)
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::domain::Partition;
use coarsen::policy::Scheme;
use coarsen::problem::Problem;
use coarsen::recoding::Recoding;
use coarsen::search::{self, Outcome, Run, SearchError};
use common::random::cases;
use common::{Table, cells, tree};
use proptest::prelude::*;

fn run(name: &str, settings: &str, problem: &Problem) -> Result<Outcome, SearchError> {
    let settings: toml::Value = toml::from_str(settings).unwrap();
    let search = (search::find(name).unwrap().build)(Some(&settings)).unwrap();
    search.search(problem, &Run::new(7))
}

/// The labels of one column of an outcome.
fn labels(outcome: &Outcome, column: usize) -> Vec<String> {
    let Recoding::Partitions(made) = &outcome.recoding else {
        panic!("both make partitions");
    };
    let blocks = made.columns[column].blocks.iter();
    blocks.map(|block| block.label.clone()).collect()
}

/// The rows that fall short even where every column is suppressed.
fn suppressed(problem: &Problem) -> u64 {
    let top = |attribute: &coarsen::domain::Attribute| {
        Partition::at_level(attribute, attribute.hierarchy.height())
    };
    let columns = problem.attributes.iter().map(top).collect();
    let made = Recoding::Partitions(coarsen::recoding::Partitions { columns });
    let mut classes = made.classes(&problem.attributes, &problem.counts);
    let mode = problem.suppression.mode;
    coarsen::privacy::enforce(&problem.counts, &problem.requirements, mode, &mut classes)
}

/// Whether every block of a column is one that its scheme allows.
fn is_legal(table: &Table, column: usize, scheme: Scheme, outcome: &Outcome) -> bool {
    let Recoding::Partitions(made) = &outcome.recoding else {
        return false;
    };
    let hierarchy = &table.attributes[column].hierarchy;
    let block_of = &made.columns[column].block_of;
    let codes = |block: u32| -> Vec<u32> {
        let all = 0..block_of.len() as u32;
        all.filter(|code| block_of[*code as usize] == block)
            .collect()
    };
    let is_run = |codes: &[u32]| codes.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let is_node = |codes: &[u32]| {
        let end = codes[codes.len() - 1] + 1;
        is_run(codes) && hierarchy.find(codes[0], end).is_some()
    };
    (0..made.columns[column].blocks.len() as u32).all(|block| {
        let codes = codes(block);
        match scheme {
            Scheme::Cut | Scheme::Level => is_node(&codes),
            Scheme::Ordered | Scheme::GuidedOrdered => is_run(&codes),
            Scheme::Set | Scheme::GuidedSet => true,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_scheme_and_requirement_is_kept(mut table in cases(), which in 0usize..6) {
        let schemes = [
            Scheme::Level, Scheme::Cut, Scheme::Ordered, Scheme::Set, Scheme::GuidedOrdered, Scheme::GuidedSet,
        ];
        let scheme = schemes[which];
        for attribute in &mut table.attributes {
            attribute.settings.scheme = scheme;
        }
        let Ok(problem) = table.problem("lm") else { return Ok(()) };
        for (name, settings) in [
            ("bottom-up", "whole-levels = true"),
            ("bottom-up", "whole-levels = true\nrefine = true"),
            ("bottom-up", "whole-levels = true\nmode = \"index\""),
            ("bottom-up", "whole-levels = true\nmode = \"plain\""),
            ("top-down", "whole-levels = true"),
        ] {
            let outcome = match run(name, settings, &problem) {
                Ok(outcome) => outcome,
                Err(error) => {
                    // The requirements are monotone: none is met by less than everything suppressed.
                    prop_assert!(matches!(error, SearchError::NoRelease(_)), "{}", error);
                    prop_assert!(suppressed(&problem) > problem.suppression.rows, "{}", name);
                    continue;
                }
            };
            let mut classes = outcome.recoding.classes(&problem.attributes, &problem.counts);
            let mode = problem.suppression.mode;
            let short = coarsen::privacy::enforce(&problem.counts, &problem.requirements, mode, &mut classes);
            prop_assert!(short <= problem.suppression.rows, "{} suppresses {}", name, short);
            prop_assert_eq!(outcome.cost.to_bits(), problem.cost(&classes).to_bits());
            for column in 0..table.attributes.len() {
                prop_assert!(is_legal(&table, column, scheme, &outcome), "{} {:?}", name, scheme);
            }
            // Precision and LM of the last step are those of the release, where no row is suppressed.
            if short == 0 {
                let told = outcome.trace.last().unwrap().tradeoff.unwrap();
                let lm = common::cost("lm", &problem, &classes).unwrap();
                prop_assert!((told.lm - lm).abs() < 1e-9, "{} is not {}", told.lm, lm);
                if let Some(cost) = common::cost("prec", &problem, &classes) {
                    prop_assert!((told.precision.unwrap() - (1.0 - cost)).abs() < 1e-9);
                }
            }
        }
    }
}

/// Colours that a label depends on, and numbers that it does not. (Of more than two numbers bottom-up
/// would let go of the colours: only what raises A(VID) in one step has a finite IP.)
fn colours(scheme: Scheme) -> Problem {
    let groups = tree(&[("warm", &["red", "orange"]), ("cold", &["blue", "green"])]);
    let colours = [
        "red", "orange", "red", "orange", "blue", "green", "blue", "green",
    ];
    let ages = ["1", "2", "1", "2", "1", "2", "1", "2"];
    let labels = ["y", "y", "y", "y", "n", "n", "n", "n"];
    let mut table = Table::new(&[
        cells("colour", &colours).with(&groups),
        cells("age", &ages).kind(coarsen::domain::Kind::Integer),
        cells("label", &labels).role(coarsen::policy::Role::Target),
    ]);
    for attribute in &mut table.attributes {
        attribute.settings.scheme = scheme;
    }
    table.policy.privacy.k = 4;
    table.problem("lm").unwrap()
}

#[test]
fn both_keep_what_tells_the_label() {
    for name in ["bottom-up", "top-down"] {
        let outcome = run(name, "", &colours(Scheme::Cut)).unwrap();
        assert_eq!(labels(&outcome, 0), ["warm", "cold"], "{name}");
        assert_eq!(labels(&outcome, 1), ["*"], "{name}");
    }
}

#[test]
fn numbers_without_a_tree_merge_and_split_in_their_order() {
    let numbers = ["1", "2", "3", "10", "11", "12"];
    let labels_of = ["y", "y", "y", "n", "n", "n"];
    let mut table = Table::new(&[
        cells("age", &numbers).kind(coarsen::domain::Kind::Integer),
        cells("label", &labels_of).role(coarsen::policy::Role::Target),
    ]);
    table.attributes[0].settings.scheme = Scheme::Ordered;
    table.policy.privacy.k = 3;
    let problem = table.problem("lm").unwrap();
    for name in ["bottom-up", "top-down"] {
        let outcome = run(name, "", &problem).unwrap();
        assert_eq!(labels(&outcome, 0), ["1..3", "10..12"], "{name}");
    }
}

#[test]
fn some_children_suffice_where_the_scheme_allows() {
    // Four siblings of 1, 1, 4 and 4 rows and k = 2: a cut takes all of them, a guided set two.
    let group = tree(&[("all", &["a", "b", "c", "d"]), ("none", &["z"])]);
    let letters = ["a", "b", "c", "c", "c", "c", "d", "d", "d", "d"];
    let of = |scheme| {
        let mut table = Table::new(&[cells("q", &letters).with(&group)]);
        table.attributes[0].settings.scheme = scheme;
        table.policy.privacy.k = 2;
        let problem = table.problem("lm").unwrap();
        labels(&run("bottom-up", "", &problem).unwrap(), 0)
    };
    assert_eq!(of(Scheme::Cut), ["all", "z"]);
    assert_eq!(of(Scheme::GuidedSet), ["{a|b}", "c", "d", "z"]);
}

#[test]
fn a_run_down_passes_larger_k_on_its_way() {
    let problem = |k| {
        let letters = [
            "a", "b", "c", "c", "c", "c", "d", "d", "d", "d", "e", "e", "e",
        ];
        let group = tree(&[("one", &["a", "b", "c"]), ("two", &["d", "e"])]);
        let mut table = Table::new(&[
            cells("q", &letters).with(&group),
            cells("r", &letters).with(&group),
        ]);
        table.policy.privacy.k = k;
        table.problem("lm").unwrap()
    };
    let whole = run("top-down", "", &problem(2)).unwrap();
    let part = run("top-down", "toward = 2", &problem(6)).unwrap();
    let lost = |outcome: &Outcome| -> Vec<u64> {
        let steps = outcome.trace.iter().map(|step| step.tradeoff.unwrap());
        steps.map(|step| step.anonymity).collect()
    };
    let (whole, part) = (lost(&whole), lost(&part));
    assert_eq!(whole[..part.len()], part[..]);
    assert!(*part.last().unwrap() >= 6 && whole[part.len()..].iter().all(|a| *a < 6));
}
