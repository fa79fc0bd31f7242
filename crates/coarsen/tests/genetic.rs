//! The genetic search (seed 000) against exhaustive search on small tables, and what its settings do.
#![allow(clippy::unwrap_used)]

mod common;

use std::sync::Mutex;
use std::time::Duration;

use coarsen::domain::scheme::{Direction, Legal};
use coarsen::domain::{Extent, Kind};
use coarsen::policy::{
    Diversity, DiversityMeasure, HierarchySpec, Role, Scheme, SuppressionMode, TreeSpec,
};
use coarsen::privacy::enforce;
use coarsen::problem::Problem;
use coarsen::recoding::{Partitions, Recoding};
use coarsen::search::{self, Outcome, Progress, Run, SearchError, Stop};
use coarsen::synthetic::Random;
use common::{Cells, Table, cells, tree};

fn search_with(problem: &Problem, settings: &str, run: &Run) -> Result<Outcome, SearchError> {
    let settings: toml::Value = toml::from_str(settings).unwrap();
    let built = (search::find("genetic").unwrap().build)(Some(&settings)).unwrap();
    built.search(problem, run)
}

fn genetic(problem: &Problem, settings: &str, seed: u64) -> Outcome {
    search_with(problem, settings, &Run::new(seed)).unwrap()
}

fn refused(settings: &str) -> String {
    let settings: toml::Value = toml::from_str(settings).unwrap();
    match (search::find("genetic").unwrap().build)(Some(&settings)) {
        Ok(_) => panic!("{settings} is taken"),
        Err(error) => error.message,
    }
}

/// A table of names in a tree, numbers, and letters; its label follows both, with noise.
fn table(seed: u64) -> Table {
    let mut random = Random::new(seed);
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let (mut one, mut two, mut three, mut label) = (vec![], vec![], vec![], vec![]);
    for _ in 0..120 {
        let (a, b, c) = (random.below(49), random.below(40), random.below(3));
        // Some names are more frequent than others.
        let name = (a as f64).sqrt() as usize;
        one.push(names[name].to_string());
        two.push((b * b / 180).to_string());
        three.push(["x", "y", "z"][c as usize].to_string());
        let likely = name > 3 && b > 15 || random.chance(0.2);
        label.push(if likely { "yes" } else { "no" }.to_string());
    }
    let column = |name: &str, texts: &[String]| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        cells(name, &texts)
    };
    let leaves = |names: &[&str]| TreeSpec::Leaves(names.iter().map(|n| n.to_string()).collect());
    let inner = |name: &str, inner| (name.to_string(), TreeSpec::Inner(inner));
    let tree = HierarchySpec::Tree(TreeSpec::Inner(vec![
        inner(
            "low",
            vec![
                ("ab".into(), leaves(&["a", "b"])),
                ("cd".into(), leaves(&["c", "d"])),
            ],
        ),
        inner("high", vec![("efg".into(), leaves(&["e", "f", "g"]))]),
    ]));
    let columns: Vec<Cells> = vec![
        column("names", &one).with(&tree),
        column("numbers", &two).kind(Kind::Integer),
        column("letters", &three),
        column("label", &label).role(Role::Target),
    ];
    let mut table = Table::new(&columns);
    for (attribute, scheme) in
        table
            .attributes
            .iter_mut()
            .zip([Scheme::Cut, Scheme::Ordered, Scheme::Cut])
    {
        attribute.settings.scheme = scheme;
    }
    table.policy.privacy.k = 5;
    table.policy.suppression.limit = 0.1;
    table
}

fn suppressed_and_cost(problem: &Problem, recoding: &Recoding) -> (u64, f64) {
    let mut classes = recoding.classes(&problem.attributes, &problem.counts);
    let mode = problem.suppression.mode;
    let suppressed = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    (suppressed, problem.cost(&classes))
}

/// The least cost of all legal releases under the losses of some problems, and how many there are.
fn least<const LOSSES: usize>(problems: &[Problem; LOSSES]) -> ([f64; LOSSES], usize) {
    let problem = &problems[0];
    let choices: Vec<Vec<_>> = (problem.attributes.iter())
        .map(|attribute| {
            let legal = Legal::new(attribute);
            let tree = legal.tree(Direction::Merging, 100_000).unwrap();
            let partitions = tree.partitions.iter();
            partitions
                .map(|blocks| legal.partition(attribute, blocks))
                .collect()
        })
        .collect();
    let mut places = vec![0; choices.len()];
    let (mut least, mut count) = ([f64::INFINITY; LOSSES], 0);
    loop {
        count += 1;
        let columns = places.iter().zip(&choices);
        let columns = columns.map(|(place, of): (&usize, &Vec<_>)| of[*place].clone());
        let mut classes = Partitions {
            columns: columns.collect(),
        }
        .classes(&problem.counts);
        let mode = problem.suppression.mode;
        let suppressed = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
        if suppressed <= problem.suppression.rows {
            for (least, problem) in least.iter_mut().zip(problems) {
                *least = least.min(problem.cost(&classes));
            }
        }
        let Some(next) = (0..places.len()).find(|c| places[*c] + 1 < choices[*c].len()) else {
            return (least, count);
        };
        places[..next].fill(0);
        places[next] += 1;
    }
}

#[test]
fn the_optimum_is_found_in_at_least_99_of_100_seeds() {
    const TABLES: u64 = 4;
    // Far fewer children than there are releases.
    let settings = "population = 60\niterations = 1200";
    let mut found = [0, 0];
    for number in 0..TABLES {
        let table = table(number);
        let problems = ["lm", "cm"].map(|loss| table.problem(loss).unwrap());
        let (optimum, releases) = least(&problems);
        assert!(
            releases > 5_000,
            "{releases} releases are too few to search"
        );
        for seed in 0..100 / TABLES {
            for (loss, problem) in problems.iter().enumerate() {
                let cost = genetic(problem, settings, seed).cost;
                assert!(
                    cost >= optimum[loss] - 1e-12,
                    "nothing is below the optimum"
                );
                found[loss] += u32::from(cost <= optimum[loss] + 1e-12);
            }
        }
    }
    assert!(
        found.iter().all(|found| *found >= 99),
        "the optimum in {found:?} of 100 seeds"
    );
}

#[test]
fn each_loss_is_lowest_where_it_is_minimized_and_a_mix_lies_between() {
    let table = table(3);
    let measure = |loss: &str, settings: &str| {
        let problem = table.problem(loss).unwrap();
        let outcome = genetic(&problem, settings, 1);
        ["lm", "cm"].map(|name| {
            let problem = table.problem(name).unwrap();
            suppressed_and_cost(&problem, &outcome.recoding).1
        })
    };
    let [by_lm, by_cm] =
        ["lm", "cm"].map(|loss| measure(loss, "iterations = 3000\npopulation = 100"));
    assert!(
        by_lm[0] < by_cm[0] && by_cm[1] < by_lm[1],
        "{by_lm:?} {by_cm:?}"
    );
    let mixed = measure(
        "lm",
        "iterations = 3000\npopulation = 100\nmix = { lm = 1.0, cm = 3.0 }",
    );
    let sum = |of: [f64; 2]| of[0] + 3.0 * of[1];
    assert!(sum(mixed) <= sum(by_lm) + 1e-12 && sum(mixed) <= sum(by_cm) + 1e-12);
}

#[test]
fn seeds_are_never_worse_than_where_they_come_from() {
    let table = table(4);
    let problem = table.problem("lm").unwrap();
    for (seed, algorithm) in [
        ("bottom-up", "bottom-up"),
        ("datafly", "datafly"),
        ("optimal-level", "mingen"),
        ("top-down", "top-down"),
    ] {
        let alone = (search::find(algorithm).unwrap().build)(None).unwrap();
        let alone = alone.search(&problem, &Run::new(1)).unwrap();
        let settings =
            format!("population = 2\niterations = 0\npolish = false\nseed_with = [{seed:?}]");
        let seeded = genetic(&problem, &settings, 1);
        // Numbers of whole levels are intervals too, so nothing is lost on the way.
        assert!(
            seeded.cost <= alone.cost + 1e-12,
            "{seed}: {} {}",
            seeded.cost,
            alone.cost
        );
        assert!(seeded.trace.iter().any(|step| step.what.starts_with(seed)));
    }
}

#[test]
fn polishing_leaves_nothing_that_one_change_would_better() {
    let table = table(5);
    let problem = table.problem("lm").unwrap();
    let rough = genetic(
        &problem,
        "population = 5\niterations = 0\npolish = false",
        2,
    );
    let polished = genetic(&problem, "population = 5\niterations = 0", 2);
    assert!(polished.cost < rough.cost);
    // Every single end point more or less.
    let Recoding::Partitions(made) = &polished.recoding else {
        panic!("it makes partitions");
    };
    let numbers = &problem.attributes[1];
    let blocks = &made.columns[1].block_of;
    for end in 1..blocks.len() {
        let mut next = 0;
        let changed = (0..blocks.len()).map(|code| {
            let apart = code > 0 && (blocks[code] != blocks[code - 1]) != (code == end);
            next += u32::from(apart);
            next
        });
        let changed: Vec<u32> = changed.collect();
        let mut columns = made.columns.clone();
        columns[1] = Legal::new(numbers).partition(numbers, &changed);
        let recoding = Recoding::Partitions(Partitions { columns });
        let (suppressed, cost) = suppressed_and_cost(&problem, &recoding);
        let is_no_better = suppressed > problem.suppression.rows || cost >= polished.cost - 1e-12;
        assert!(is_no_better, "end point {end}");
    }
}

#[test]
fn it_ends_by_budget_by_iterations_or_where_nothing_gets_better() {
    let table = table(6);
    let problem = table.problem("lm").unwrap();
    let run = Run::new(1).with_budget(Some(Duration::ZERO));
    let stopped = search_with(&problem, "", &run).unwrap();
    assert_eq!(stopped.stop, Stop::Budget);
    let (suppressed, _) = suppressed_and_cost(&problem, &stopped.recoding);
    assert!(
        suppressed <= problem.suppression.rows,
        "the best so far is always valid"
    );
    let iterations = |settings: &str| {
        let outcome = genetic(&problem, settings, 1);
        assert_eq!(outcome.stop, Stop::Complete);
        let last = outcome.trace.last().unwrap().what.clone();
        last.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(iterations("population = 20\niterations = 777"), 777);
    let idle = iterations("population = 20\niterations = 1000000\nstagnation = 500");
    assert!((500..100_000).contains(&idle), "{idle}");
}

#[test]
fn progress_tells_a_cost_that_never_rises() {
    let table = table(7);
    let problem = table.problem("cm").unwrap();
    let heard: Mutex<Vec<Progress>> = Mutex::default();
    let listen = |progress: Progress| heard.lock().unwrap().push(progress);
    let run = Run::new(1).with_progress(&listen);
    search_with(
        &problem,
        "population = 50\niterations = 9000\nstagnation = 0",
        &run,
    )
    .unwrap();
    let heard = heard.into_inner().unwrap();
    assert!(heard.len() >= 3);
    let costs: Vec<f64> = heard
        .iter()
        .map(|progress| progress.cost.unwrap())
        .collect();
    assert!(costs.windows(2).all(|pair| pair[1] <= pair[0]));
    assert!(heard.windows(2).all(|pair| pair[0].done < pair[1].done));
}

#[test]
fn other_requirements_and_losses_that_cannot_be_counted_are_held_too() {
    let mut table = table(8);
    table.policy.suppression.mode = SuppressionMode::Mask;
    for loss in ["lm", "hdm"] {
        let problem = table.problem(loss).unwrap();
        let outcome = genetic(&problem, "population = 20\niterations = 200", 1);
        assert!(suppressed_and_cost(&problem, &outcome.recoding).0 <= problem.suppression.rows);
    }
    // The label is guarded in place of being predicted.
    let mut columns = table.columns.clone();
    columns[3].described.role = Role::Sensitive;
    let mut guarded = Table::new(&columns);
    guarded.policy.privacy.k = 4;
    guarded.policy.suppression.limit = 0.2;
    guarded.policy.privacy.diversity = vec![Diversity {
        column: "label".into(),
        measure: DiversityMeasure::Distinct { l: 2 },
    }];
    let problem = guarded.problem("lm").unwrap();
    let outcome = genetic(&problem, "population = 20\niterations = 300", 1);
    let (suppressed, cost) = suppressed_and_cost(&problem, &outcome.recoding);
    assert!(suppressed <= problem.suppression.rows && cost == outcome.cost);
    assert!(cost < 1.0, "more than one class of everything was found");
}

#[test]
fn many_numbers_are_cut_at_the_units_of_a_discretization() {
    let mut random = Random::new(9);
    let numbers: Vec<String> = (0..400)
        .map(|_| random.below(100_000).to_string())
        .collect();
    let labels: Vec<String> = (numbers.iter())
        .map(|n| (n.parse::<u64>().unwrap() > 70_000).to_string())
        .collect();
    let as_cells = |name: &str, texts: &[String]| {
        cells(name, &texts.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let columns = [
        as_cells("n", &numbers).kind(Kind::Integer),
        as_cells("label", &labels)
            .kind(Kind::Text)
            .role(Role::Target),
    ];
    let mut table = Table::new(&columns);
    table.attributes[0].settings.scheme = Scheme::Ordered;
    table.policy.privacy.k = 2;
    let problem = table.problem("cm").unwrap();
    for (how, limit) in [
        ("equal-frequency", 10),
        ("equal-width", 10),
        ("entropy", 10),
    ] {
        let settings =
            format!("population = 30\niterations = 500\nlimit = {limit}\ndiscretize = {how:?}");
        let outcome = genetic(&problem, &settings, 1);
        let Recoding::Partitions(partitions) = &outcome.recoding else {
            panic!("it makes partitions");
        };
        let blocks = &partitions.columns[0].blocks;
        assert!(blocks.len() <= limit, "{how}: {} blocks", blocks.len());
        assert!(
            blocks
                .iter()
                .all(|block| matches!(block.extent, Extent::Range { .. } | Extent::All))
        );
        if how == "entropy" {
            // The one end point that matters is among the units.
            assert_eq!(outcome.cost, 0.0);
        }
    }
    let plain = Table::new(&columns[..1]).problem("lm").unwrap();
    let error = search_with(&plain, "limit = 10\ndiscretize = \"entropy\"", &Run::new(1));
    assert!(matches!(error, Err(SearchError::Unfit(text)) if text.contains("needs a target")));
}

#[test]
fn whole_levels_are_kept_where_asked() {
    let letters = ["a", "a", "b", "c", "c", "c", "d", "d"];
    let mut table =
        Table::new(
            &[cells("q", &letters).with(&tree(&[("ab", &["a", "b"]), ("cd", &["c", "d"])]))],
        );
    table.policy.privacy.k = 2;
    let problem = table.problem("lm").unwrap();
    let labels = |settings: &str| -> Vec<String> {
        let Recoding::Partitions(made) = genetic(&problem, settings, 1).recoding else {
            panic!("it makes partitions");
        };
        made.columns[0]
            .blocks
            .iter()
            .map(|block| block.label.clone())
            .collect()
    };
    let few = "population = 5\niterations = 50";
    assert_eq!(labels(few), ["ab", "c", "d"], "b alone stands out");
    assert_eq!(labels(&format!("{few}\nwhole_levels = true")), ["ab", "cd"]);
}

#[test]
fn settings_that_make_no_sense_are_refused_with_what_would() {
    for (settings, says) in [
        ("population = 1", "at least 2"),
        ("mutation = 1.5", "from 0 to 1"),
        ("bias = 3.0", "from 1 (none) to 2"),
        ("penalty = -1.0", "at least 0"),
        ("limit = 1", "from 2 to"),
        ("seed_with = [\"mondrian\"]", "bottom-up, datafly"),
        ("mix = { lm = 0.0 }", "above 0"),
        ("mix = { beauty = 1.0 }", "which is no loss"),
        ("discretize = \"by-hand\"", "equal-width"),
    ] {
        assert!(
            refused(settings).contains(says),
            "{settings}: {}",
            refused(settings)
        );
    }
}
