//! Mondrian over a table that is passed over and never held (seed 001, section 3.5): the same tree as
//! in memory, and the same losses, whatever fits in memory and however many threads show rows.
#![allow(clippy::unwrap_used)]

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use coarsen::counts::{Batch, Counts, PassError, Passes};
use coarsen::loss;
use coarsen::policy::Role;
use coarsen::problem::{Allowance, Problem};
use coarsen::recoding::Recoding;
use coarsen::search::{self, InPasses, Outcome, Run, Search, SearchError, Stop};
use coarsen::workload::Workload;
use common::random::cases;
use common::{Table, cells};
use proptest::prelude::*;

/// The rows of a table in batches of three, shown by several lanes at once.
struct Shown<'a> {
    table: &'a Table,
    memory: u64,
    lanes: usize,
    passes: AtomicUsize,
    /// Fails from this pass on.
    fails_at: usize,
}

impl<'a> Shown<'a> {
    fn new(table: &'a Table, memory: u64, lanes: usize) -> Self {
        Shown {
            table,
            memory,
            lanes,
            passes: AtomicUsize::new(0),
            fails_at: usize::MAX,
        }
    }
}

impl Passes for Shown<'_> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn memory(&self) -> u64 {
        self.memory
    }

    fn pass(&self, visit: &(dyn Fn(usize, Batch<'_>) + Sync)) -> Result<(), PassError> {
        if self.passes.fetch_add(1, Ordering::Relaxed) >= self.fails_at {
            return Err(PassError);
        }
        let rows = self.table.codes[0].len();
        let next = Mutex::new(0);
        std::thread::scope(|scope| {
            for lane in 0..self.lanes {
                let next = &next;
                scope.spawn(move || {
                    loop {
                        let start = {
                            let mut next = next.lock().unwrap();
                            *next += 3;
                            *next - 3
                        };
                        if start >= rows {
                            break;
                        }
                        let end = rows.min(start + 3);
                        let codes = self.table.codes.iter();
                        let columns: Vec<Vec<u32>> =
                            codes.map(|column| column[start..end].to_vec()).collect();
                        let batch = Batch {
                            columns: &columns,
                            rows: end - start,
                        };
                        visit(lane, batch);
                    }
                });
            }
        });
        Ok(())
    }
}

fn mondrian(rule: &str) -> Box<dyn Search> {
    let settings: toml::Value = toml::from_str(&format!("split = \"{rule}\"")).unwrap();
    (search::find("mondrian").unwrap().build)(Some(&settings)).unwrap()
}

/// The table's problem as someone poses it who has not counted combinations.
fn lumped(table: &Table, counts: Counts, selected: Option<&[u64]>) -> Problem {
    let policy = &table.policy;
    let tallies = table.counts.tallies();
    let mut workload = Workload::build(policy, &table.attributes, tallies).unwrap();
    if let Some(selected) = selected {
        let known = workload.selections.into_iter().zip(selected);
        workload.selections = known.map(|(s, rows)| s.knowing(*rows)).collect();
    }
    Problem::new(
        table.attributes.clone(),
        counts,
        coarsen::privacy::requirements(policy, tallies).unwrap(),
        Allowance::of_share(0.0, table.counts.total(), policy.suppression.mode),
        loss::find("lm").unwrap(),
        workload,
    )
    .unwrap()
}

/// Everything as one lump.
fn whole(table: &Table) -> Counts {
    let tallies = table.counts.tallies().iter().map(|tally| {
        let whole = tally.whole();
        let values = whole.of(0);
        let entries = values.iter().map(|(value, rows)| (0, value, rows));
        (tally.column().clone(), entries.collect())
    });
    Counts::of_lumps(
        vec![vec![0]; table.attributes.len()],
        vec![table.counts.total()],
        tallies.collect(),
    )
}

fn in_passes(
    table: &Table,
    rule: &str,
    passes: &Shown<'_>,
    run: &Run,
) -> Result<(Outcome, InPasses), SearchError> {
    mondrian(rule).search_in_passes(&lumped(table, whole(table), None), passes, run)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// From one row in memory, where every level is counted by passes, to all of them.
    #[test]
    fn the_same_tree_and_losses_as_in_memory(
        mut table in cases(),
        rule in prop::sample::select(vec!["median", "info-gain", "lsd", "auto", "loss"]),
        memory in prop::sample::select(vec![0u64, 700, 3_000, 1_000_000]),
        lanes in 1usize..4,
    ) {
        table.policy.suppression.limit = 0.0;
        let Ok(problem) = table.problem("lm") else {
            return Ok(());
        };
        let held = mondrian(rule).search(&problem, &Run::new(1));
        let passes = Shown::new(&table, memory, lanes);
        let passed = in_passes(&table, rule, &passes, &Run::new(1));
        let (held, (passed, found)) = match (held, passed) {
            (Ok(held), Ok(passed)) => (held, passed),
            (held, passed) => {
                prop_assert_eq!(held.unwrap_err(), passed.unwrap_err());
                return Ok(());
            }
        };
        prop_assert_eq!(&held.recoding, &passed.recoding);
        prop_assert_eq!(held.stop, passed.stop);
        // Classes come in another order, so sums round differently.
        prop_assert!((held.cost - passed.cost).abs() < 1e-9);

        // Regions stand in for combinations: every loss but HDM comes out the same.
        let classes = held.recoding.classes(&problem.attributes, &problem.counts);
        let stood_in = lumped(&table, found.counts.clone(), Some(&found.selected));
        let losses = loss::all(&problem, &classes);
        for ((entry, of_rows), (_, of_lumps)) in
            losses.iter().zip(loss::all(&stood_in, &found.classes))
        {
            match (of_rows, of_lumps) {
                _ if entry.name == "hdm" => prop_assert_eq!(of_lumps, None),
                (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-9, "{}: {a} {b}", entry.name),
                (a, b) => prop_assert_eq!(*a, b, "{}", entry.name),
            }
        }
        prop_assert_eq!(found.counts.total(), problem.counts.total());
        prop_assert_eq!(found.classes.len(), classes.len());
    }
}

/// 600 rows of two numbers and a label.
fn numbers() -> Table {
    let column = |name: &str, step: usize, modulus: usize| {
        let texts: Vec<String> = (0..600).map(|i| (i * step % modulus).to_string()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        cells(name, &texts)
    };
    let mut table = Table::new(&[
        column("x", 7, 211),
        column("y", 11, 97),
        column("label", 3, 2).role(Role::Target),
    ]);
    table.policy.privacy.k = 10;
    table
}

#[test]
fn what_fits_in_memory_is_fetched_at_once() {
    let table = numbers();
    let all = Shown::new(&table, 1 << 30, 2);
    in_passes(&table, "median", &all, &Run::new(1)).unwrap();
    // One pass to fetch the rows, one to survey the regions.
    assert_eq!(all.passes.into_inner(), 2);
    let half = Shown::new(&table, 100 * 300, 2);
    in_passes(&table, "median", &half, &Run::new(1)).unwrap();
    // One for the first cut, then the parts by turns.
    let passes = half.passes.into_inner();
    assert!((4..=6).contains(&passes), "{passes}");
}

#[test]
fn a_table_that_cannot_be_read_again_ends_the_search() {
    let table = numbers();
    for fails_at in 0..3 {
        let passes = Shown {
            fails_at,
            ..Shown::new(&table, 100 * 300, 2)
        };
        let error = in_passes(&table, "median", &passes, &Run::new(1)).unwrap_err();
        assert_eq!(error, SearchError::Pass(PassError));
    }
}

#[test]
fn at_the_budget_what_is_open_stays_whole() {
    let table = numbers();
    let passes = Shown::new(&table, 0, 1);
    let run = Run::new(1).with_budget(Some(Duration::ZERO));
    let (outcome, found) = in_passes(&table, "median", &passes, &run).unwrap();
    assert_eq!((outcome.stop, found.classes.len()), (Stop::Budget, 1));
    let Recoding::Regions(regions) = outcome.recoding else {
        panic!("Mondrian makes regions")
    };
    assert_eq!(regions.regions[0].blocks[0].label, "*");
}

#[test]
fn other_algorithms_say_that_they_need_the_combinations() {
    let table = numbers();
    for algorithm in search::ALGORITHMS {
        let passes = Shown::new(&table, 1 << 30, 1);
        let problem = lumped(&table, whole(&table), None);
        let search = (algorithm.build)(None).unwrap();
        let result = search.search_in_passes(&problem, &passes, &Run::new(1));
        match algorithm.name {
            "auto" | "mondrian" => assert!(result.is_ok()),
            _ => assert!(matches!(result, Err(SearchError::Unfit(_)))),
        }
    }
}
