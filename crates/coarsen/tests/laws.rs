//! What every algorithm of the table keeps, whatever the table, the requirement and the loss: on small
//! random tables, against counts made here from the released labels alone.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

use coarsen::counts::Classes;
use coarsen::domain::{Attribute, Block};
use coarsen::loss::{self, LOSSES};
use coarsen::policy::{Closeness, DiversityMeasure, SuppressionMode, Unseen};
use coarsen::privacy::enforce;
use coarsen::problem::{Problem, ProblemError};
use coarsen::recoding::{LoadError, Partitions, Recoding, SavedRecoding};
use coarsen::search::{ALGORITHMS, Algorithm, Outcome, Run, SearchError};
use common::Table;
use common::random::{cases, tables};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The loss at a random place of those that apply to the table.
fn fitting_loss(table: &Table, which: Index) -> &'static str {
    let has_selection = !table.policy.workload.selections.is_empty();
    let fits = |name: &&str| *name != "imprecision" || has_selection;
    let names: Vec<&str> = LOSSES.iter().map(|loss| loss.name).filter(fits).collect();
    names[which.index(names.len())]
}

fn search(algorithm: &Algorithm, problem: &Problem) -> Result<Outcome, SearchError> {
    // The defaults, but for the one that would breed long after it found the best of so few rows.
    let few = "population = 8\niterations = 24\npolish = false";
    let settings = (algorithm.name == "genetic").then(|| toml::from_str(few).unwrap());
    let search = (algorithm.build)(settings.as_ref()).expect("it can be built from its defaults");
    search.search(problem, &Run::new(7))
}

/// The classes of a recoding, with those suppressed that fall short.
fn enforced(problem: &Problem, recoding: &Recoding) -> Classes {
    let mut classes = recoding.classes(&problem.attributes, &problem.counts);
    let mode = problem.suppression.mode;
    enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    classes
}

/// Runs a check on the outcome of every algorithm; where there is none, on nothing: that is a law of
/// its own.
fn for_every_algorithm(
    table: &Table,
    loss: &str,
    check: impl Fn(&Problem, &Outcome, &Classes) -> TestCaseResult,
) -> TestCaseResult {
    let Ok(problem) = table.problem(loss) else {
        return Ok(());
    };
    for algorithm in ALGORITHMS {
        if let Ok(outcome) = search(algorithm, &problem) {
            check(&problem, &outcome, &enforced(&problem, &outcome.recoding))?;
        }
    }
    Ok(())
}

/// Rows per value.
type Histogram<'a> = BTreeMap<&'a str, f64>;

fn histogram<'a>(cells: impl Iterator<Item = &'a String>) -> Histogram<'a> {
    let mut histogram = Histogram::new();
    for cell in cells {
        *histogram.entry(cell).or_default() += 1.0;
    }
    histogram
}

/// Whether rows of the table satisfy its policy in a release of all the rows of `whole`, by the
/// formulas of FORMULAS.md.
fn satisfies(table: &Table, rows: &[usize], whole: &[usize]) -> bool {
    const ROUNDING: f64 = 1e-6;
    let privacy = &table.policy.privacy;
    let values = |column: &str, rows: &[usize]| -> Vec<String> {
        let cells = &table
            .columns
            .iter()
            .find(|c| c.name == column)
            .unwrap()
            .cells;
        rows.iter().map(|row| cells[*row].clone()).collect()
    };
    let is_diverse = |column: &str, measure: &DiversityMeasure| {
        let values = values(column, rows);
        let histogram = histogram(values.iter());
        let total = rows.len() as f64;
        let mut falling: Vec<f64> = histogram.values().copied().collect();
        falling.sort_by(|a, b| b.total_cmp(a));
        match measure {
            DiversityMeasure::Distinct { l } => histogram.len() as u64 >= *l,
            DiversityMeasure::Entropy { l } => {
                let entropy: f64 = falling.iter().map(|n| -n / total * (n / total).ln()).sum();
                entropy >= l.ln() - ROUNDING
            }
            DiversityMeasure::Recursive { c, l } => {
                let rest: f64 = falling.iter().skip(*l as usize - 1).sum();
                rest > 0.0 && falling[0] < c * rest + ROUNDING
            }
            DiversityMeasure::SquaredError { error } => {
                let numbers: Vec<f64> = values.iter().map(|v| v.parse().unwrap()).collect();
                let mean = numbers.iter().sum::<f64>() / total;
                let sum: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
                sum >= error - ROUNDING
            }
        }
    };
    let distance = |column: &str| {
        let (ours, theirs) = (values(column, rows), values(column, whole));
        let (ours, theirs) = (histogram(ours.iter()), histogram(theirs.iter()));
        let extra = |value: &str| {
            let share = |of: &Histogram<'_>, n: usize| of.get(value).unwrap_or(&0.0) / n as f64;
            share(&ours, rows.len()) - share(&theirs, whole.len())
        };
        if column == "illness" {
            // Words: the total variation.
            return theirs.keys().map(|value| extra(value).max(0.0)).sum();
        }
        // Numbers: what every step of the release's own order carries, over the number of steps.
        let all = values(column, whole);
        let mut domain: Vec<i64> = all.iter().map(|value| value.parse().unwrap()).collect();
        domain.sort_unstable();
        domain.dedup();
        let mut carried = 0.0;
        let work = domain.iter().map(|value| {
            carried += extra(&value.to_string());
            carried.abs()
        });
        work.sum::<f64>() / (domain.len() as f64 - 1.0).max(1.0)
    };
    rows.len() as u64 >= privacy.k
        && (privacy.diversity.iter()).all(|asked| is_diverse(&asked.column, &asked.measure))
        && (privacy.closeness.iter()).all(|asked| distance(&asked.column) <= asked.t + ROUNDING)
}

/// The rows of each class as a reader of the release sees them, and all released rows.
fn as_released(table: &Table, classes: &Classes) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut groups: HashMap<Vec<String>, Vec<usize>> = HashMap::new();
    let mut whole = Vec::new();
    let released = table.released(classes, table.policy.suppression.mode);
    for (row, labels) in released.into_iter().enumerate() {
        if let Some(labels) = labels {
            groups.entry(labels).or_default().push(row);
            whole.push(row);
        }
    }
    (groups.into_values().collect(), whole)
}

fn pool(threads: usize) -> &'static ThreadPool {
    static POOLS: [OnceLock<ThreadPool>; 2] = [OnceLock::new(), OnceLock::new()];
    POOLS[threads - 1].get_or_init(|| {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        builder.build().expect("a thread can be started")
    })
}

/// Blocks are alike but for the last digits of a cost, which JSON may not keep.
fn alike(one: &Block, other: &Block) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    let heights = match (one.height, other.height) {
        (Some(a), Some(b)) => near(a, b),
        (a, b) => a == b,
    };
    one.label == other.label && one.extent == other.extent && near(one.lm, other.lm) && heights
}

proptest! {
    /// The pool of masked rows is a class of `*` like any other, so it is held to the policy too.
    #[test]
    fn every_class_of_a_release_meets_the_policy(table in cases(), which: Index) {
        for_every_algorithm(&table, fitting_loss(&table, which), |_, _, classes| {
            let (groups, whole) = as_released(&table, classes);
            for rows in &groups {
                prop_assert!(satisfies(&table, rows, &whole), "a class of {} rows", rows.len());
            }
            Ok(())
        })?;
    }

    /// Also where a search would not stop: at any levels, with t-closeness to what is left.
    #[test]
    fn what_suppression_leaves_meets_the_policy(
        mut table in cases(),
        levels: [Index; 4],
        closeness in (prop::sample::select(&["illness", "pay"][..]), 0.05..0.6),
    ) {
        table.policy.suppression.limit = 1.0;
        table.policy.privacy.closeness = vec![Closeness {
            column: closeness.0.into(),
            t: closeness.1,
        }];
        let Ok(problem) = table.problem("lm") else {
            return Ok(());
        };
        let level = |(attribute, level): (&Attribute, &Index)| {
            level.index(attribute.hierarchy.height() + 1)
        };
        let levels: Vec<usize> = table.attributes.iter().zip(&levels).map(level).collect();
        let partitions = Partitions::at_levels(&table.attributes, &levels);
        let classes = enforced(&problem, &Recoding::Partitions(partitions));
        let (groups, whole) = as_released(&table, &classes);
        for rows in &groups {
            prop_assert!(satisfies(&table, rows, &whole), "a class of {} rows", rows.len());
        }
    }

    #[test]
    fn rows_are_conserved_and_few_enough_are_suppressed(table in cases(), which: Index) {
        for_every_algorithm(&table, fitting_loss(&table, which), |problem, outcome, classes| {
            let members = (0..classes.len()).flat_map(|class| classes.members(class));
            let mut held = vec![0; problem.counts.combinations()];
            for member in members {
                held[member.combination as usize] += member.rows;
            }
            prop_assert_eq!(held, problem.counts.rows());
            let released: u64 = classes.released().map(|class| classes.rows()[class]).sum();
            let suppressed = classes.suppressed_rows();
            prop_assert_eq!(released + suppressed, table.combination_of.len() as u64);
            let most = table.policy.suppression.limit * table.combination_of.len() as f64;
            prop_assert!(suppressed as f64 <= most + 1e-6);
            // The cost that was told is that of the release.
            prop_assert_eq!(outcome.cost.to_bits(), problem.cost(classes).to_bits());
            Ok(())
        })?;
    }

    /// A search may only fail where suppressing every cell fails: no release is coarser than that.
    #[test]
    fn a_refusal_is_justified(table in cases(), which: Index) {
        let all: Vec<usize> = (0..table.combination_of.len()).collect();
        match table.problem(fitting_loss(&table, which)) {
            Err(ProblemError::TooFewRows { .. } | ProblemError::Impossible { .. }) => {
                prop_assert!(!satisfies(&table, &all, &all));
            }
            Err(other) => prop_assert!(false, "{}", other),
            Ok(problem) => {
                for algorithm in ALGORITHMS {
                    if let Err(error) = search(algorithm, &problem) {
                        // μ-Argus may fail to protect where others would not, and must say so.
                        if let (SearchError::Unproven { .. }, "mu-argus") = (&error, algorithm.name) {
                            continue;
                        }
                        prop_assert!(matches!(error, SearchError::NoRelease(_)), "{}", error);
                        prop_assert!(!satisfies(&table, &all, &all), "{}: {}", algorithm.name, error);
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_outcome_on_any_threads(table in cases(), which: Index) {
        let Ok(problem) = table.problem(fitting_loss(&table, which)) else {
            return Ok(());
        };
        for algorithm in ALGORITHMS {
            let runs = [1, 1, 2].map(|threads| pool(threads).install(|| search(algorithm, &problem)));
            let [first, rest @ ..] = &runs;
            for other in rest {
                match (first, other) {
                    (Ok(one), Ok(other)) => {
                        prop_assert_eq!(&one.recoding, &other.recoding);
                        prop_assert_eq!(&one.trace, &other.trace);
                        prop_assert_eq!(one.cost.to_bits(), other.cost.to_bits());
                        prop_assert_eq!((one.stop, one.bound), (other.stop, other.bound));
                        prop_assert_eq!(one.algorithm, other.algorithm);
                    }
                    (one, other) => prop_assert_eq!(one.as_ref().err(), other.as_ref().err()),
                }
            }
        }
    }

    #[test]
    fn a_released_block_contains_the_true_value(table in cases(), which: Index) {
        for_every_algorithm(&table, fitting_loss(&table, which), |_, _, classes| {
            let class_of = table.class_of(classes);
            for column in 0..table.attributes.len() {
                for (row, value) in table.values(column).iter().enumerate() {
                    let block = classes.block(column, class_of[row]);
                    prop_assert!(block.extent.contains(value.as_ref()), "{:?} in {:?}", value, block);
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_saved_recoding_makes_the_same_release(table in cases(), which: Index) {
        for_every_algorithm(&table, fitting_loss(&table, which), |problem, outcome, classes| {
            let saved = SavedRecoding::new(&outcome.recoding, &table.attributes, &table.policy);
            let loaded = SavedRecoding::from_json(&saved.to_json());
            if let Recoding::Cells(_) = outcome.recoding {
                prop_assert!(matches!(loaded, Err(LoadError::Cells)));
                return Ok(());
            }
            let loaded = loaded.unwrap();
            let mode = table.policy.suppression.mode;
            let expected = table.released(classes, mode);
            // On the table it was found for, and on the same rows as `coarsen apply` reads them.
            for bound_to in [&table, &table.flat()] {
                let bound = loaded.bind(&bound_to.attributes, &bound_to.counts, Unseen::Error).unwrap();
                prop_assert!(bound.unseen.is_empty());
                let mut again = bound.classes;
                enforce(&bound_to.counts, &problem.requirements, mode, &mut again);
                prop_assert_eq!(&bound_to.released(&again, mode), &expected);
                let (ours, theirs) = (table.class_of(classes), bound_to.class_of(&again));
                for column in 0..table.attributes.len() {
                    for (ours, theirs) in ours.iter().zip(&theirs) {
                        let (one, other) = (classes.block(column, *ours), again.block(column, *theirs));
                        prop_assert!(alike(one, other), "{:?} and {:?}", one, other);
                    }
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn losses_of_a_release_are_numbers_within_their_bounds(table in cases(), which: Index) {
        for_every_algorithm(&table, fitting_loss(&table, which), |problem, _, classes| {
            for (entry, shown) in loss::all(problem, classes) {
                let Some(figure) = shown else { continue };
                prop_assert!(figure.is_finite() && figure >= 0.0, "{} is {}", entry.name, figure);
                if ["prec", "lm", "hdm", "cm", "regression"].contains(&entry.name) {
                    prop_assert!(figure <= 1.0 + 1e-9, "{} is {}", entry.name, figure);
                }
            }
            Ok(())
        })?;
    }

    /// k = 1, for the DM of a class below k is not its own.
    #[test]
    fn a_coarser_level_never_costs_less(table in tables(), levels: [Index; 4], climbing: Index) {
        let problem = table.problem("lm").unwrap();
        let mut levels: Vec<usize> = table
            .attributes
            .iter()
            .zip(&levels)
            .map(|(attribute, level)| level.index(attribute.hierarchy.height() + 1))
            .collect();
        let costs = |levels: &[usize]| -> Vec<f64> {
            let classes = Partitions::at_levels(&table.attributes, levels).classes(&table.counts);
            let cost = |name: &str| common::cost(name, &problem, &classes).unwrap();
            ["lm", "prec", "hdm", "dm", "cm", "conditional-entropy"].map(cost).to_vec()
        };
        let fine = costs(&levels);
        let column = climbing.index(levels.len());
        if levels[column] < table.attributes[column].hierarchy.height() {
            levels[column] += 1;
            let coarse = costs(&levels);
            let no_less = fine.iter().zip(&coarse).all(|(fine, coarse)| *coarse >= fine - 1e-9);
            prop_assert!(no_less, "{:?} then {:?} at {:?}", fine, coarse, levels);
        }
    }
}

#[test]
fn algorithms_have_names_of_their_own_and_take_no_setting_they_do_not_know() {
    let names: HashSet<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    assert_eq!(names.len(), ALGORITHMS.len());
    let unknown: toml::Value = toml::from_str("no-such-setting = 1").unwrap();
    for algorithm in ALGORITHMS {
        assert!(
            [algorithm.summary, algorithm.source, algorithm.makes]
                .iter()
                .all(|t| !t.is_empty())
        );
        assert!(
            (algorithm.build)(Some(&unknown)).is_err(),
            "{}",
            algorithm.name
        );
        // The defaults that are listed are taken.
        let listed = toml::Value::try_from((algorithm.settings)()).unwrap();
        assert!(
            (algorithm.build)(Some(&listed)).is_ok(),
            "{}",
            algorithm.name
        );
    }
}

#[test]
fn a_mask_over_everything_is_no_suppression_where_it_holds() {
    // Three unlike rows and k = 3: only `*` in every cell will do. No row falls short of anything, so
    // a limit of 0 allows it, whether suppressed rows would be dropped or masked.
    for mode in [SuppressionMode::Drop, SuppressionMode::Mask] {
        let mut table = Table::new(&[common::cells("q", &["a", "b", "c"])]);
        table.policy.privacy.k = 3;
        table.policy.suppression.mode = mode;
        let problem = table.problem("lm").unwrap();
        for algorithm in ALGORITHMS {
            let outcome = search(algorithm, &problem).unwrap();
            let classes = enforced(&problem, &outcome.recoding);
            assert_eq!(classes.suppressed_rows(), 0, "{}", algorithm.name);
            let released = table.released(&classes, mode);
            assert!(
                released
                    .iter()
                    .all(|row| row.as_deref() == Some(&["*".to_string()]))
            );
        }
    }
}

#[test]
fn equally_small_classes_are_masked_in_the_order_of_their_labels() {
    // x is alone, and so are masked rows with k = 2: one of the two pairs must join it. That is y, in
    // the tree, where z comes first, and in the plain column that a saved recoding is bound to.
    let tree = common::tree(&[("letters", &["z", "y", "x"])]);
    let mut table = Table::new(&[common::cells("q", &["z", "z", "y", "y", "x"]).with(&tree)]);
    table.policy.privacy.k = 2;
    let mode = SuppressionMode::Mask;
    for table in [&table, &table.flat()] {
        let problem = table.problem("lm").unwrap();
        let mut classes = Partitions::at_levels(&table.attributes, &[0]).classes(&table.counts);
        let suppressed = enforce(&table.counts, &problem.requirements, mode, &mut classes);
        assert_eq!(suppressed, 3);
        let released = table
            .released(&classes, mode)
            .into_iter()
            .flatten()
            .flatten();
        assert_eq!(released.collect::<Vec<_>>(), ["z", "z", "*", "*", "*"]);
    }
}
