//! The optimal search (seed 004) on the paper's figures and on Adult, where `COARSEN_DATA` has it.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::PathBuf;
use std::time::Duration;

use coarsen::policy::{HierarchySpec, Scheme};
use coarsen::problem::Problem;
use coarsen::recoding::Recoding;
use coarsen::search::{self, Outcome, Run, SearchError, Stop};
use common::{Cells, Table, assert_near, cells, cost, problem, sets, tree, work_classes};

fn optimal(problem: &Problem, settings: &str, seconds: u64) -> Result<Outcome, SearchError> {
    let settings: toml::Value = toml::from_str(settings).unwrap();
    let search = (search::find("optimal").unwrap().build)(Some(&settings)).unwrap();
    let run = Run::new(1).with_budget(Some(Duration::from_secs(seconds)));
    search.search(problem, &run)
}

fn with_scheme(mut problem: Problem, scheme: Scheme) -> Problem {
    for attribute in &mut problem.attributes {
        attribute.settings.scheme = scheme;
    }
    problem
}

/// Section 4.1: of 1000 rows, 50 Inc and 200 Not-inc; as Self-employed they cost 4/19 and 1/16.
#[test]
fn hdm_of_inc_and_not_inc() {
    let mut values = vec!["Inc"; 50];
    values.extend(["Not-inc"; 200]);
    values.extend(["Private"; 750]);
    let problem = problem(
        1,
        &[cells("work", &values).with(&work_classes())],
        &[],
        "hdm",
    );
    let attribute = &problem.attributes[0];
    let partition = sets(
        attribute,
        &[
            &["Inc", "Not-inc"],
            &["Private"],
            &["Federal-gov"],
            &["State-gov"],
            &["Local-gov"],
            &["Without-pay"],
            &["Never-worked"],
        ],
    );
    let classes = common::classes(&problem, &[partition]);
    let expected = (50.0 * 4.0 / 19.0 + 200.0 / 16.0) / 1000.0;
    assert_near(cost("hdm", &problem, &classes), expected);
}

/// With one column whose values are equally frequent, N_v is the same for every row, so that HDM is DM
/// but for scale: Σ|E|² = N·N_v + HDM·N·(N − N_v). The two have the same optimum.
#[test]
fn dm_is_a_special_case_of_hdm() {
    let values = ["a", "b", "c", "d", "e", "f"];
    let twice: Vec<&str> = values.iter().chain(&values).copied().collect();
    let column =
        || cells("q", &twice).with(&tree(&[("x", &["a", "b"]), ("y", &["c", "d", "e", "f"])]));
    for scheme in Scheme::ALL {
        let [dm, hdm] = ["dm", "hdm"].map(|loss| {
            let problem = with_scheme(problem(4, &[column()], &[], loss), *scheme);
            optimal(&problem, "", 60).unwrap()
        });
        assert_near(Some(dm.cost), 12.0 * 2.0 + hdm.cost * 12.0 * 10.0);
    }
}

#[test]
fn a_set_is_released_by_its_values_or_by_its_node() {
    // a and c are rare, and b and d are not: under `set` the rare ones go together.
    let mut values = vec!["a", "c"];
    values.extend(["b"; 5]);
    values.extend(["d"; 5]);
    let hierarchy = tree(&[("x", &["a", "b"]), ("y", &["c", "d"])]);
    let column = cells("q", &values).with(&hierarchy);
    let labels = |scheme| {
        let problem = with_scheme(
            problem(2, std::slice::from_ref(&column), &[], "hdm"),
            scheme,
        );
        let found = optimal(&problem, "", 60).unwrap();
        assert_eq!(found.stop, Stop::Optimal);
        match found.recoding {
            Recoding::Partitions(p) => p.columns[0]
                .blocks
                .iter()
                .map(|b| b.label.clone())
                .collect(),
            _ => Vec::new(),
        }
    };
    assert_eq!(labels(Scheme::Set), ["{a|c}", "b", "d"]);
    // Two rows suppressed cost less than either group, so all stays as it is.
    assert_eq!(labels(Scheme::Cut), ["a", "b", "c", "d"]);
    let problem = with_scheme(
        problem(
            5,
            &[cells("q", &["a", "a", "b", "b", "b", "c", "c", "c"]).with(&hierarchy)],
            &[],
            "dm",
        ),
        Scheme::Cut,
    );
    let found = optimal(&problem, "", 60).unwrap();
    let Recoding::Partitions(made) = found.recoding else {
        panic!("partitions")
    };
    let labels: Vec<&str> = made.columns[0]
        .blocks
        .iter()
        .map(|b| b.label.as_str())
        .collect();
    // One class of five and three rows at 8 each: 49; all eight together: 64.
    assert_eq!((labels[0], found.cost), ("x", 49.0));
}

#[test]
fn a_space_too_large_is_said_with_its_size() {
    let names: Vec<String> = (0..30).map(|i| format!("v{i:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let columns = [cells("one", &names), cells("two", &names)];
    let problem = with_scheme(problem(2, &columns, &[], "dm"), Scheme::Set);
    let Err(SearchError::Unfit(why)) = optimal(&problem, "", 60) else {
        panic!("Bell(30)² releases cannot be searched");
    };
    assert!(why.contains("7.2e47") || why.contains("more than"), "{why}");
    assert!(
        why.contains("`one`") && why.contains("search.optimal.partitions"),
        "{why}"
    );
}

/// Runs of many values are decided on gap by gap, so that no number of them is too large to begin with:
/// at the end of the budget there is a release, and how far it can be from the best.
#[test]
fn many_ordered_values_are_searched_as_far_as_the_budget_goes() {
    let value = |row: u32, column: u32, size: u32| {
        let mixed = (row * 7919 + column * 104_729).wrapping_mul(2_654_435_761) >> 7;
        format!("{:02}", (mixed % size + mixed / 7 % size) / 2)
    };
    let column = |name: &str, place, size| {
        let texts: Vec<String> = (0..400).map(|row| value(row, place, size)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        cells(name, &texts)
    };
    let columns = [
        column("one", 1, 74),
        column("two", 2, 60),
        column("three", 3, 50),
    ];
    let problem = with_scheme(problem(4, &columns, &[], "hdm"), Scheme::Ordered);
    let cut_off = optimal(&problem, "nodes = 200", 60).unwrap();
    assert_eq!(cut_off.stop, Stop::Budget);
    let bound = cut_off.bound.unwrap();
    assert!(
        0.0 < bound && bound < cut_off.cost,
        "{bound} {}",
        cut_off.cost
    );
    assert!(
        cut_off.trace[0].what.contains("3e38"),
        "{:?}",
        cut_off.trace
    );
    // More work never makes it worse.
    let longer = optimal(&problem, "nodes = 1000", 60).unwrap();
    assert!(longer.bound.unwrap() >= bound && longer.cost <= cut_off.cost);
}

/// Open nodes are memory: beyond the frontier the search goes depth-first, and comes to the same.
#[test]
fn few_nodes_are_open_beyond_the_frontier() {
    let column = |name: &str, step: usize, size: usize| {
        let texts: Vec<String> = (0..60)
            .map(|row| format!("{}", (row * step + row * row / 7) % size))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        cells(name, &texts)
    };
    let columns = [
        column("one", 3, 5),
        column("two", 5, 5),
        column("three", 7, 5),
    ];
    let problem = with_scheme(problem(5, &columns, &[], "hdm"), Scheme::Set);
    let open_at_most = |frontier: usize| {
        let settings = format!(
            "frontier = {frontier}\nseeds = 0\nheuristics = []\nprune_useless = false\norder_nodes = false"
        );
        let found = optimal(&problem, &settings, 60).unwrap();
        assert_eq!(found.stop, Stop::Optimal);
        let what = &found.trace[0].what;
        let (_, rest) = what.split_once("at most ").unwrap();
        let open: usize = rest.split(' ').next().unwrap().parse().unwrap();
        (open, found.cost)
    };
    let (many, cost) = open_at_most(1_000_000);
    let (few, same) = open_at_most(10);
    assert_near(Some(same), cost);
    // A round of 32 nodes leaves at most as many more open, at each of the 20 decisions' depths.
    assert!(few <= 10 + 32 * 20 && few < many, "{few} of {many}");
}

/// The releases of other algorithms are a first best, where the schemes allow them.
#[test]
fn a_heuristic_gives_the_first_best() {
    let values: Vec<String> = (0..60)
        .map(|i| ["a", "b", "c", "d"][i * i % 4].into())
        .collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let hierarchy = tree(&[("x", &["a", "b"]), ("y", &["c", "d"])]);
    let column = cells("q", &values).with(&hierarchy);
    let mut table = Table::new(&[column]);
    table.policy.privacy.k = 20;
    table.policy.suppression.limit = 0.0;
    let problem = with_scheme(table.problem("lm").unwrap(), Scheme::Cut);
    let datafly = (search::find("datafly").unwrap().build)(None).unwrap();
    let datafly = datafly.search(&problem, &Run::new(1)).unwrap();
    // No node is looked at, so what is found is what was there at first.
    let none = optimal(&problem, "seeds = 0\nheuristics = []\nnodes = 1", 0).unwrap();
    let seeded = optimal(
        &problem,
        "seeds = 0\nheuristics = ['datafly']\nnodes = 1",
        0,
    )
    .unwrap();
    assert_eq!(none.cost, 1.0);
    assert!(seeded.cost <= datafly.cost && datafly.cost < 1.0);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let build = search::find("optimal").unwrap().build;
    for wrong in [
        "direction = 'sideways'",
        "nodes = 0",
        "sed = 3",
        "heuristics = ['no-such']",
        "heuristics = ['optimal']",
    ] {
        let settings: toml::Value = toml::from_str(wrong).unwrap();
        assert!(build(Some(&settings)).is_err(), "{wrong}");
    }
}

const COLUMNS: [&str; 7] = [
    "age",
    "marital-status",
    "race",
    "sex",
    "education",
    "workclass",
    "native-country",
];

/// Some columns of Adult's training rows, which have no missing values: age in 15 intervals of five
/// years, and those that follow in [`COLUMNS`].
fn adult(columns: usize) -> Option<Vec<Cells>> {
    let Some(data) = std::env::var_os("COARSEN_DATA") else {
        eprintln!("skipped: COARSEN_DATA is not set");
        return None;
    };
    let folder = PathBuf::from(data).join("adult");
    let mut reader = csv::Reader::from_path(folder.join("train.csv")).unwrap();
    let headers = reader.headers().unwrap().clone();
    let wanted = &COLUMNS[..columns];
    let place = |name: &&str| headers.iter().position(|h| h == *name).unwrap();
    let places: Vec<usize> = wanted.iter().map(place).collect();
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); columns];
    for record in reader.records() {
        let record = record.unwrap();
        for (column, place) in places.iter().enumerate() {
            let cell = record[*place].trim();
            texts[column].push(match column {
                0 => (17 + (cell.parse::<i64>().unwrap() - 17) / 5 * 5).to_string(),
                _ => cell.to_string(),
            });
        }
    }
    let tree_of = |name: &str| {
        let text =
            std::fs::read_to_string(folder.join(format!("adult_hierarchy_{name}.csv"))).unwrap();
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let mut parts = line.split(';').map(|part| part.trim().to_string());
            let (leaf, group) = (parts.next().unwrap(), parts.next().unwrap());
            match groups.iter_mut().find(|(name, _)| *name == group) {
                Some((_, leaves)) => leaves.push(leaf),
                None => groups.push((group, vec![leaf])),
            }
        }
        (groups.len() > 1).then(|| {
            let leaves = |(name, leaves): (String, Vec<String>)| {
                (name, coarsen::policy::TreeSpec::Leaves(leaves))
            };
            HierarchySpec::Tree(coarsen::policy::TreeSpec::Inner(
                groups.into_iter().map(leaves).collect(),
            ))
        })
    };
    let columns = wanted.iter().zip(&texts).map(|(name, texts)| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let column = cells(name, &texts);
        match *name {
            "age" => column.with(&HierarchySpec::Intervals {
                widths: vec![10.0, 20.0, 40.0],
                origin: 17.0,
            }),
            _ => match tree_of(name) {
                Some(tree) => column.with(&tree),
                None => column,
            },
        }
    });
    Some(columns.collect())
}

fn adult_problem(columns: &[Cells], scheme: Scheme, loss: &str, k: u64) -> Problem {
    let mut table = Table::new(columns);
    table.policy.privacy.k = k;
    table.policy.suppression.limit = 1.0;
    for attribute in &mut table.attributes {
        let large = ["age", "education", "native-country"].contains(&attribute.name.as_str());
        let hopeless = large && scheme == Scheme::Set;
        attribute.settings.scheme = if hopeless { Scheme::Ordered } else { scheme };
    }
    table.problem(loss).unwrap()
}

#[test]
fn adult_is_proven_in_the_smaller_schemes() {
    let Some(columns) = adult(4) else { return };
    let mut last = f64::INFINITY;
    for scheme in [Scheme::Level, Scheme::Cut, Scheme::GuidedOrdered] {
        let problem = adult_problem(&columns, scheme, "hdm", 5);
        let found = optimal(&problem, "", 60).unwrap();
        assert_eq!(found.stop, Stop::Optimal, "{scheme}");
        assert!(
            found.cost <= last + 1e-12,
            "{scheme}: {} after {last}",
            found.cost
        );
        last = found.cost;
    }
}

#[test]
fn adult_at_levels_is_what_mingen_finds() {
    let Some(columns) = adult(7) else { return };
    let mingen = (search::find("mingen").unwrap().build)(None).unwrap();
    for (loss, k, limit) in [
        ("lm", 10, 1.0),
        ("prec", 5, 0.05),
        ("hdm", 10, 0.0),
        ("dm", 50, 0.05),
    ] {
        let mut problem = adult_problem(&columns, Scheme::Level, loss, k);
        problem.suppression.rows = (limit * problem.counts.total() as f64) as u64;
        let expected = mingen.search(&problem, &Run::new(1)).unwrap();
        let found = optimal(&problem, "", 60).unwrap();
        assert_eq!(found.stop, Stop::Optimal);
        assert_near(Some(found.cost), expected.cost);
    }
}
