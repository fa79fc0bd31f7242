//! What a search says it needs, against what it takes: every algorithm of the table on tables of two
//! sizes, its memory measured by the allocator.
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::policy::{HierarchySpec, Kind, Role};
use coarsen::search::{ALGORITHMS, Run};
use common::{Cells, Table, cells};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// People of four columns, nearly every one distinct.
fn table(rows: usize, width: usize, k: u64) -> Table {
    let mut state = 7u64;
    let mut draw = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let widths = &[60, 200, 300, 30, 8, 25, 40][..width];
    let mut columns = vec![Vec::new(); widths.len() + 1];
    for _ in 0..rows {
        for (column, width) in columns.iter_mut().zip(widths) {
            let width = *width;
            column.push(draw(width).to_string());
        }
        columns[widths.len()].push(["low", "high"][draw(2) as usize].to_string());
    }
    let intervals: HierarchySpec = toml::from_str::<toml::Value>("x = { intervals = [5, 20] }")
        .unwrap()["x"]
        .clone()
        .try_into()
        .unwrap();
    let column = |(place, column): (usize, &Vec<String>)| -> Cells {
        let texts: Vec<&str> = column.iter().map(String::as_str).collect();
        match place == widths.len() {
            true => cells("label", &texts).role(Role::Target),
            false => cells(&format!("q{place}"), &texts)
                .kind(Kind::Integer)
                .with(&intervals),
        }
    };
    let columns: Vec<Cells> = columns.iter().enumerate().map(column).collect();
    let mut table = Table::new(&columns);
    table.policy.privacy.k = k;
    table.policy.suppression.limit = 0.3;
    table
}

/// Enough, and not so much more that what would fit is refused.
#[test]
fn a_search_takes_what_it_says() {
    let small = table(20, 3, 5).problem("lm").unwrap();
    for (rows, width, k) in [(2_000, 3, 5), (2_000, 6, 20), (6_000, 4, 10)] {
        let table = table(rows, width, k);
        for algorithm in ALGORITHMS {
            let settings = match algorithm.name {
                "genetic" => "population = 20\niterations = 100",
                _ => "",
            };
            let settings: toml::Value = toml::from_str(settings).unwrap();
            let search = (algorithm.build)(Some(&settings)).unwrap();
            let problem = table.problem("lm").unwrap();
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            let outcome = search.search(&problem, &Run::new(1));
            let took = (MEMORY.peak_usage() - before) as u64;
            outcome.unwrap();
            let said = search.memory(&problem);
            let name = algorithm.name;
            assert!(took <= said, "{name} takes {took} and says {said}");
            // Beside what it takes for a table of nothing much.
            let least = search.memory(&small);
            assert!(
                said <= 4 * took + 2 * least,
                "{name} takes {took} and says {said}"
            );
        }
    }
}
