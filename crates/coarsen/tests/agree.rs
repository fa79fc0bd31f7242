//! The optimal search against exhaustive search on tiny tables: every scheme, both directions, with
//! and without suppression; and the order that nested schemes must have.
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::domain::Kind;
use coarsen::domain::scheme::{Direction, Legal};
use coarsen::loss;
use coarsen::policy::{Diversity, DiversityMeasure, HierarchySpec, Role, Scheme, SuppressionMode};
use coarsen::privacy::enforce;
use coarsen::problem::Problem;
use coarsen::recoding::{Partitions, Recoding};
use coarsen::search::{self, Outcome, Run, Stop};
use common::{Cells, Table, cells, tree};
use proptest::prelude::*;

/// The losses that state a bound, and one that does not.
const LOSSES: [&str; 6] = ["dm", "hdm", "lm", "prec", "cm", "average-class-size"];
/// Every device off.
const ALL_OFF: &str = "prune_nodes = false\nprune_useless = false\nprune_useful = false\nseeds = 0\norder_nodes = false\norder_columns = false\nsolve_column = false\nheuristics = []\nmerge_classes = false\nwalk_levels = false\nnest_columns = false";
const WAYS: [&str; 3] = ["bottom-up", "top-down", "auto"];

/// Releases that exhaustive search may look at for one table.
const MOST: u128 = 400;

fn optimal(problem: &Problem, settings: &str) -> Outcome {
    let settings: toml::Value = toml::from_str(settings).unwrap();
    let search = (search::find("optimal").unwrap().build)(Some(&settings)).unwrap();
    search.search(problem, &Run::new(5)).unwrap()
}

/// A release: the block of each code, column by column, its suppressed rows, its cost under each loss.
struct Listed {
    partitions: Vec<Vec<u32>>,
    suppressed: u64,
    costs: Vec<f64>,
}

/// Blocks numbered as they are first met.
fn numbered(blocks: &[u32]) -> Vec<u32> {
    let mut met: Vec<u32> = Vec::new();
    let mut number = |block: &u32| match met.iter().position(|known| known == block) {
        Some(place) => place as u32,
        None => {
            met.push(*block);
            met.len() as u32 - 1
        }
    };
    blocks.iter().map(&mut number).collect()
}

/// The partitions of an outcome.
fn partitions(found: &Outcome) -> Vec<Vec<u32>> {
    let Recoding::Partitions(made) = &found.recoding else {
        panic!("partitions")
    };
    let columns = made.columns.iter();
    columns.map(|column| numbered(&column.block_of)).collect()
}

/// The stated rule, by brute force: of the releases that cost the least, the fewest rows suppressed, then
/// the first value that differs in a block of its own, or in the later block.
fn by_the_rule(all: &[Listed], most: u64, loss: usize) -> Option<&Listed> {
    let allowed = || all.iter().filter(|release| release.suppressed <= most);
    let least = allowed()
        .map(|r| r.costs[loss])
        .fold(f64::INFINITY, f64::min);
    let ties = allowed().filter(|r| r.costs[loss].is_finite() && near(r.costs[loss], least));
    ties.min_by(|a, b| {
        let by_rows = a.suppressed.cmp(&b.suppressed);
        by_rows.then_with(|| b.partitions.cmp(&a.partitions))
    })
}

/// Every release there is.
fn exhaustive(table: &Table) -> Vec<Listed> {
    let problem = table.problem("dm").unwrap();
    let choices: Vec<Vec<_>> = table
        .attributes
        .iter()
        .map(|attribute| {
            let legal = Legal::new(attribute);
            let tree = legal.tree(Direction::Merging, MOST as usize).unwrap();
            let partitions = tree.partitions.iter();
            partitions
                .map(|blocks| legal.partition(attribute, blocks))
                .collect()
        })
        .collect();
    let mut places = vec![0; choices.len()];
    let mut all = Vec::new();
    loop {
        let columns = places
            .iter()
            .zip(&choices)
            .map(|(place, of): (&usize, &Vec<_>)| of[*place].clone());
        let recoding = Recoding::Partitions(Partitions {
            columns: columns.collect(),
        });
        let mut classes = recoding.classes(&table.attributes, &table.counts);
        let mode = problem.suppression.mode;
        let suppressed = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
        let cost = |name: &&str| {
            let cost = loss::find(name).unwrap().loss.cost(&problem, &classes);
            cost.unwrap_or(f64::INFINITY)
        };
        let Recoding::Partitions(made) = &recoding else {
            panic!("partitions")
        };
        all.push(Listed {
            partitions: made.columns.iter().map(|c| numbered(&c.block_of)).collect(),
            suppressed,
            costs: LOSSES.iter().map(cost).collect(),
        });
        let Some(next) = (0..places.len()).find(|c| places[*c] + 1 < choices[*c].len()) else {
            return all;
        };
        places[..next].fill(0);
        places[next] += 1;
    }
}

fn releases(table: &Table) -> u128 {
    let counts = table.attributes.iter().map(|a| Legal::new(a).count());
    counts.product()
}

/// One column: how many values, its tree, whether some are missing, its weight.
type Shape = (usize, u8, bool, u8);

fn column(
    name: &str,
    (size, shape, missing, weight): Shape,
    raw: &[Vec<u8>],
    place: usize,
) -> Cells {
    let letters = ["a", "b", "c", "d", "e"];
    let numbers = ["1", "4", "5", "9", "17"];
    let values = if shape == 3 { numbers } else { letters };
    let cell = |row: &Vec<u8>| match row[place] as usize {
        raw if missing && raw % 7 == 0 => "",
        raw => values[raw % size],
    };
    let texts: Vec<&str> = raw.iter().map(cell).collect();
    let mut column = cells(name, &texts);
    column.described.weight = Some(f64::from(weight));
    match shape {
        0 => column,
        1 => column.with(&tree(&[("x", &["a", "b"]), ("y", &["c", "d", "e"])])),
        2 => column.with(&tree(&[
            ("x", &["a", "b", "c"]),
            ("y", &["d"]),
            ("z", &["e"]),
        ])),
        _ => column.kind(Kind::Integer).with(&HierarchySpec::Intervals {
            widths: vec![4.0, 8.0],
            origin: 0.0,
        }),
    }
}

/// Tables of up to four columns of up to five values, with a label and what is asked.
fn tables() -> impl Strategy<Value = Table> {
    let shape = || (2usize..=5, 0u8..4, any::<bool>(), 1u8..3);
    (
        prop::collection::vec(shape(), 1..=4),
        prop::collection::vec(prop::collection::vec(0u8..250, 5), 4..=24),
        1u64..=4,
        prop::collection::vec(prop::sample::select(Scheme::ALL), 4),
        any::<bool>(),
        prop::option::weighted(0.3, 1u64..3),
    )
        .prop_map(|(shapes, rows, k, schemes, mask, diverse)| {
            let mut columns: Vec<Cells> = Vec::new();
            for (place, shape) in shapes.into_iter().enumerate() {
                columns.push(column(&format!("q{place}"), shape, &rows, place));
            }
            let label = |modulus: u8| -> Vec<String> {
                rows.iter()
                    .map(|row| (row[4] % modulus).to_string())
                    .collect()
            };
            let as_cells = |name: &str, texts: Vec<String>, role| {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                cells(name, &texts).kind(Kind::Text).role(role)
            };
            columns.push(as_cells("label", label(2), Role::Target));
            columns.push(as_cells("illness", label(3), Role::Sensitive));
            let mut table = Table::new(&columns);
            for (attribute, scheme) in table.attributes.iter_mut().zip(schemes) {
                attribute.settings.scheme = scheme;
            }
            table.policy.privacy.k = k;
            table.policy.suppression.limit = 1.0;
            if mask {
                table.policy.suppression.mode = SuppressionMode::Mask;
            }
            table.policy.privacy.diversity = diverse
                .map(|l| Diversity {
                    column: "illness".into(),
                    measure: DiversityMeasure::Distinct { l },
                })
                .into_iter()
                .collect();
            table
        })
}

/// Fewer tables where the code is not optimized.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(debug_assertions) { 16 } else { 200 },
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    }
}

fn near(one: f64, other: f64) -> bool {
    one == other || (one - other).abs() <= 1e-9 * one.abs().max(1.0)
}

/// Both directions and some settings, each loss, rows suppressed freely, hardly, not at all.
fn agrees(table: &mut Table) -> Result<(), TestCaseError> {
    prop_assume!(releases(table) <= MOST && table.problem("dm").is_ok());
    let all = exhaustive(table);
    let total = table.counts.total() as f64;
    for limit in [1.0, 0.2, 0.0] {
        table.policy.suppression.limit = limit;
        let most = (limit * total + 1e-9).floor() as u64;
        for (place, loss) in LOSSES.iter().enumerate() {
            let chosen = by_the_rule(&all, most, place);
            let least = chosen.map_or(f64::INFINITY, |release| release.costs[place]);
            // Where no release is allowed, the problem or the search says so.
            let Ok(problem) = table.problem(loss) else {
                prop_assert!(least.is_infinite());
                continue;
            };
            if least.is_infinite() {
                let search = (search::find("optimal").unwrap().build)(None).unwrap();
                prop_assert!(search.search(&problem, &Run::new(5)).is_err());
                continue;
            }
            for way in WAYS {
                let found = optimal(&problem, &format!("direction = '{way}'"));
                prop_assert_eq!(found.stop, Stop::Optimal);
                prop_assert!(
                    near(found.cost, least),
                    "{} {} {}: {} for {}",
                    loss,
                    way,
                    limit,
                    found.cost,
                    least
                );
                prop_assert_eq!(found.bound, Some(found.cost));
                let expected = chosen.map(|release| release.partitions.clone());
                prop_assert_eq!(
                    Some(partitions(&found)),
                    expected,
                    "{} {} {}",
                    loss,
                    way,
                    limit
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn equal_to_exhaustive_search(mut table in tables()) {
        agrees(&mut table)?;
    }

    /// The paper's devices and ours change the time, never the release.
    #[test]
    fn no_device_changes_the_optimum(table in tables(), loss in prop::sample::select(&LOSSES[..3])) {
        if releases(&table) > 3000 || table.problem("dm").is_err() {
            return Ok(());
        }
        let problem = table.problem(loss).unwrap();
        let expected = optimal(&problem, "");
        for device in [
            "prune_nodes = false", "prune_useless = false", "prune_useful = false", "seeds = 0",
            "defer = true\nprune_useless = false", "order_nodes = false", "order_columns = false",
            "solve_column = false", "frontier = 2", "heuristics = []", "merge_classes = false",
            "heuristics = ['top-down', 'bottom-up', 'mingen', 'mondrian']", "walk_levels = false",
            "nest_columns = false", ALL_OFF,
        ] {
            for way in WAYS {
                let found = optimal(&problem, &format!("direction = '{way}'\n{device}"));
                prop_assert_eq!(found.stop, Stop::Optimal);
                prop_assert!(near(found.cost, expected.cost), "{}: {} for {}", device, found.cost, expected.cost);
                prop_assert_eq!(partitions(&found), partitions(&expected), "{} {}", device, way);
            }
        }
    }

    /// Full-domain search finds what MinGen finds at attribute level, by its lattice and by branches.
    #[test]
    fn levels_agree_with_mingen(mut table in tables(), limit in prop::sample::select(vec![1.0, 0.2, 0.0])) {
        for attribute in &mut table.attributes {
            attribute.settings.scheme = Scheme::Level;
        }
        table.policy.suppression.limit = limit;
        for loss in &LOSSES[..5] {
            let Ok(problem) = table.problem(loss) else { continue };
            let mingen = (search::find("mingen").unwrap().build)(None).unwrap();
            let mingen = mingen.search(&problem, &Run::new(5));
            for walk in [true, false] {
                let settings: toml::Value = toml::from_str(&format!("walk_levels = {walk}")).unwrap();
                let ours = (search::find("optimal").unwrap().build)(Some(&settings)).unwrap();
                match (&mingen, ours.search(&problem, &Run::new(5))) {
                    (Ok(mingen), Ok(ours)) => {
                        prop_assert_eq!(ours.stop, Stop::Optimal);
                        prop_assert!(near(ours.cost, mingen.cost), "{} {} {}: {} for {}", loss, limit, walk, ours.cost, mingen.cost);
                        prop_assert_eq!(partitions(&ours), partitions(mingen), "{} {} {}", loss, limit, walk);
                    }
                    (mingen, ours) => prop_assert!(mingen.is_err() && ours.is_err(), "{} {}", loss, limit),
                }
            }
        }
    }

    /// On one thread or two, in any direction: the same release and the same words about it.
    #[test]
    fn threads_do_not_change_the_outcome(table in tables(), loss in prop::sample::select(&LOSSES[..4])) {
        if releases(&table) > 3000 || table.problem("dm").is_err() {
            return Ok(());
        }
        let problem = table.problem(loss).unwrap();
        for way in WAYS {
            let settings = format!("direction = '{way}'\nseeds = 2");
            let [one, two] = [1, 2].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| optimal(&problem, &settings));
                format!("{:?} {:?} {:?}", found.recoding, found.cost, found.trace)
            });
            prop_assert_eq!(one, two, "{}", way);
        }
    }

    /// At a limit on nodes: the best so far, and a bound that is one.
    #[test]
    fn what_is_not_proven_is_bounded(table in tables(), nodes in 1u64..60) {
        if releases(&table) > 3000 || table.problem("dm").is_err() {
            return Ok(());
        }
        for loss in &LOSSES[..4] {
            let problem = table.problem(loss).unwrap();
            let proven = optimal(&problem, "");
            let cut_off = optimal(&problem, &format!("nodes = {nodes}\nseeds = 0"));
            let bound = cut_off.bound.unwrap();
            prop_assert!(proven.cost <= cut_off.cost * (1.0 + 1e-9) + 1e-12);
            prop_assert!(bound <= proven.cost * (1.0 + 1e-9) + 1e-12, "{} {} {}", loss, bound, proven.cost);
            prop_assert_eq!(cut_off.stop == Stop::Optimal, near(bound, cut_off.cost));
        }
    }

    /// Level ≥ cut ≥ guided-ordered ≥ ordered ≥ set and guided-ordered ≥ guided-set ≥ set.
    #[test]
    fn nested_schemes_are_in_the_order_of_their_costs(mut table in tables(), loss in prop::sample::select(&LOSSES[..3])) {
        table.policy.privacy.diversity.clear();
        table.policy.suppression.mode = SuppressionMode::Drop;
        table.attributes.truncate(3);
        let size: usize = table.attributes.iter().map(|a| a.domain.size()).sum();
        if size > 14 || table.attributes.len() != table.counts.attributes() || table.problem("dm").is_err() {
            return Ok(());
        }
        let mut cost = |scheme: Scheme| {
            for attribute in &mut table.attributes {
                attribute.settings.scheme = scheme;
            }
            optimal(&table.problem(loss).unwrap(), "").cost
        };
        let [level, cut, guided_ordered, ordered, set, guided_set] = [
            Scheme::Level, Scheme::Cut, Scheme::GuidedOrdered, Scheme::Ordered, Scheme::Set, Scheme::GuidedSet,
        ].map(&mut cost);
        for (coarser, finer) in [
            (level, cut), (cut, guided_ordered), (guided_ordered, ordered), (ordered, set),
            (guided_ordered, guided_set), (guided_set, set),
        ] {
            prop_assert!(finer <= coarser * (1.0 + 1e-9) + 1e-12, "{} {} {}", loss, finer, coarser);
        }
    }
}
