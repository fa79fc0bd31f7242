//! Seed 002's tables, and its systems run on them.

use std::time::Duration;

use coarsen::domain::Kind;
use coarsen::policy::{DateUnit, HierarchySpec, Role, Side, SuppressionMode};
use coarsen::problem::Problem;
use coarsen::search::{self, Outcome, Run, SearchError};
use proptest::prelude::*;

use super::{Cells, PT, Table, cells, tree};

/// Runs an algorithm with settings as a policy has them.
pub fn run(algorithm: &str, settings: &str, problem: &Problem) -> Result<Outcome, SearchError> {
    run_for(algorithm, settings, problem, None)
}

/// The same for so long.
pub fn run_for(
    algorithm: &str,
    settings: &str,
    problem: &Problem,
    budget: Option<Duration>,
) -> Result<Outcome, SearchError> {
    let settings: toml::Value = toml::from_str(settings).unwrap();
    let search = (search::find(algorithm).unwrap().build)(Some(&settings)).unwrap();
    search.search(problem, &Run::new(1).with_budget(budget))
}

/// Fig. 2 and 3: a ZIP hides two digits, then all; a race is a person, then nothing.
pub fn zip_and_race() -> (HierarchySpec, HierarchySpec) {
    let zip = HierarchySpec::Mask {
        side: Side::Right,
        levels: Some(2),
    };
    (zip, tree(&[("person", &["black", "white"])]))
}

/// Fig. 4: two races by four ZIPs.
pub fn fig_4(k: u64) -> Problem {
    let (zip, race) = zip_and_race();
    let races: Vec<&str> = [["black"; 4], ["white"; 4]].concat();
    let zips = ["02138", "02139", "02141", "02142"].repeat(2);
    let mut table = Table::new(&[
        cells("race", &races).with(&race),
        cells("zip", &zips).with(&zip),
    ]);
    table.policy.privacy.k = k;
    table.policy.suppression.limit = 0.0;
    table.problem("prec").unwrap()
}

/// Fig. 7's PT under Fig. 2 and 3; of the lost Fig. 6 this takes years and decades for dates, and `*`
/// for gender.
pub fn fig_7(limit: f64) -> Table {
    fig_7_with(limit, &[])
}

/// The same with more columns.
pub fn fig_7_with(limit: f64, more: &[Cells]) -> Table {
    let (zip, race) = zip_and_race();
    let dates = HierarchySpec::Dates {
        units: vec![DateUnit::Year, DateUnit::Decade],
    };
    let column = |name: &str, place: usize| cells(name, &PT.map(|row| row[place]));
    let mut columns = vec![
        column("race", 0).with(&race),
        column("birth", 1)
            .kind(Kind::Date)
            .format("%m/%d/%Y")
            .with(&dates),
        column("gender", 2),
        column("zip", 3).with(&zip),
    ];
    columns.extend_from_slice(more);
    let mut table = Table::new(&columns);
    table.policy.privacy.k = 2;
    table.policy.suppression.limit = limit;
    table.policy.suppression.mode = SuppressionMode::Drop;
    table
}

/// Letters in a tree of two groups, letters without a tree, and codes of two digits.
pub fn small_column(place: usize, raw: &[u8]) -> Cells {
    let letters = |raw: &u8| ["a", "b", "c", "d"][usize::from(*raw) % 4];
    let codes = |raw: &u8| ["11", "12", "21", "22"][usize::from(*raw) % 4];
    let name = format!("q{place}");
    match place {
        0 => {
            let tree = tree(&[("early", &["a", "b"]), ("late", &["c", "d"])]);
            cells(&name, &raw.iter().map(letters).collect::<Vec<_>>()).with(&tree)
        }
        1 => cells(&name, &raw.iter().map(letters).collect::<Vec<_>>()),
        _ => {
            let mask = HierarchySpec::Mask {
                side: Side::Right,
                levels: None,
            };
            cells(&name, &raw.iter().map(codes).collect::<Vec<_>>()).with(&mask)
        }
    }
}

/// Tables of some rows and columns, with k and the rows that may be dropped; with a sensitive column
/// `s` of three values where that is asked for, which no requirement speaks of yet.
pub fn small_tables(
    rows: usize,
    columns: usize,
    is_sensitive: bool,
) -> impl Strategy<Value = Table> {
    let raw = prop::collection::vec(prop::collection::vec(0u8..4, columns + 1), 1..=rows);
    (raw, 1u64..4, 0usize..3, any::<bool>(), 1u8..3).prop_map(
        move |(raw, k, drop, masks, weight)| {
            let of = |place: usize| raw.iter().map(|row| row[place]).collect::<Vec<u8>>();
            let mut all: Vec<Cells> = (0..columns).map(|p| small_column(p, &of(p))).collect();
            all[0].described.weight = Some(f64::from(weight));
            if is_sensitive {
                let value = |raw: &u8| ["x", "y", "z"][usize::from(*raw) % 3];
                let values: Vec<&str> = of(columns).iter().map(value).collect();
                all.push(cells("s", &values).role(Role::Sensitive));
            }
            let mut table = Table::new(&all);
            table.policy.privacy.k = k;
            table.policy.suppression.limit = (drop as f64 / raw.len() as f64).min(1.0);
            if masks {
                table.policy.suppression.mode = SuppressionMode::Mask;
            }
            table
        },
    )
}
