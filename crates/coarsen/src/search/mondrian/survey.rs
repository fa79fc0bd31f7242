//! One last pass over a table that is not held: what lies in each region of the finished recoding.
//! Regions then stand in for the combinations that nobody has counted.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use crate::counts::{Classes, Counts, Grouping, Passes};
use crate::domain::Code;
use crate::problem::Problem;
use crate::recoding::Regions;
use crate::search::{InPasses, SearchError};

/// More values in all regions together are counted by hash tables.
const LARGEST_TABLE: usize = 1 << 25;

/// Counts the rows, the tallied values and the selections' rows in every region.
pub(super) fn survey(
    problem: &Problem,
    passes: &dyn Passes,
    regions: &Regions,
) -> Result<InPasses, SearchError> {
    let quasi = problem.attributes.len();
    let selections = &problem.workload.selections;
    let count = regions.regions.len();
    let rows: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
    let selected: Vec<AtomicU64> = selections.iter().map(|_| AtomicU64::new(0)).collect();
    let tallies: Vec<Values> = problem
        .counts
        .tallies()
        .iter()
        .map(|tally| Values::new(count, tally.column().domain.size(), passes.lanes()))
        .collect();
    let finder = regions.finder();
    passes.pass(&|lane, batch| {
        let mut wanted = vec![0; selections.len()];
        for row in 0..batch.rows {
            let code = |column: usize| batch.columns[column][row];
            let region = finder.find(code).expect("the tiles cover the domain space");
            rows[region as usize].fetch_add(1, Ordering::Relaxed);
            for (place, tally) in tallies.iter().enumerate() {
                tally.add(lane, region, code(quasi + place));
            }
            for (wanted, selection) in wanted.iter_mut().zip(selections) {
                *wanted += u64::from(selection.holds(code));
            }
        }
        for (sum, more) in selected.iter().zip(wanted) {
            sum.fetch_add(more, Ordering::Relaxed);
        }
    })?;

    // Regions in the order of a combination inside each.
    let rows: Vec<u64> = rows.into_iter().map(AtomicU64::into_inner).collect();
    let first = |region: u32| {
        let tile = regions.regions[region as usize].tile.iter();
        tile.map(|run| run.start).collect::<Vec<Code>>()
    };
    let mut order: Vec<u32> = (0..count as u32)
        .filter(|region| rows[*region as usize] > 0)
        .collect();
    order.sort_by_cached_key(|region| first(*region));
    let mut place_of = vec![u32::MAX; count];
    for (place, region) in order.iter().enumerate() {
        place_of[*region as usize] = place as u32;
    }
    let codes = (0..quasi).map(|column| {
        let start = |region: &u32| regions.regions[*region as usize].tile[column].start;
        order.iter().map(start).collect()
    });
    let columns = problem.counts.tallies().iter().map(|tally| tally.column());
    let counts = Counts::of_lumps(
        codes.collect(),
        order.iter().map(|region| rows[*region as usize]).collect(),
        columns
            .zip(tallies)
            .map(|(column, values)| (column.clone(), values.entries(&place_of)))
            .collect(),
    );
    let blocks = (0..quasi).map(|column| {
        let block = |region: &u32| regions.regions[*region as usize].blocks[column].clone();
        order.iter().map(block).collect()
    });
    let same: Vec<u32> = (0..order.len() as u32).collect();
    let grouping = Grouping {
        class_of: same.clone(),
        classes: order.len(),
    };
    let classes = Classes::of_grouping(&counts, &grouping, blocks.collect(), vec![same; quasi]);
    Ok(InPasses {
        counts,
        classes,
        region_of_class: order,
        selected: selected.into_iter().map(AtomicU64::into_inner).collect(),
    })
}

/// How often each value of a tallied column stands in each region.
enum Values {
    Table { width: usize, rows: Vec<AtomicU64> },
    Hashed(Vec<Mutex<FxHashMap<(u32, Code), u64>>>),
}

impl Values {
    fn new(regions: usize, width: usize, lanes: usize) -> Self {
        match regions.checked_mul(width) {
            Some(size) if size <= LARGEST_TABLE => Values::Table {
                width,
                rows: (0..size).map(|_| AtomicU64::new(0)).collect(),
            },
            _ => Values::Hashed((0..lanes).map(|_| Mutex::default()).collect()),
        }
    }

    fn add(&self, lane: usize, region: u32, value: Code) {
        match self {
            Values::Table { width, rows } => {
                rows[region as usize * width + value as usize].fetch_add(1, Ordering::Relaxed);
            }
            Values::Hashed(lanes) => {
                let mut rows = lanes[lane].lock().expect("no lane panics");
                *rows.entry((region, value)).or_default() += 1;
            }
        }
    }

    /// Entries of a place, a value and its rows, given the place of each region.
    fn entries(self, place_of: &[u32]) -> Vec<(u32, Code, u64)> {
        match self {
            Values::Table { width, rows } => rows
                .into_iter()
                .map(AtomicU64::into_inner)
                .enumerate()
                .filter(|(_, rows)| *rows > 0)
                .map(|(at, rows)| (place_of[at / width], (at % width) as Code, rows))
                .collect(),
            Values::Hashed(lanes) => lanes
                .into_iter()
                .flat_map(|lane| lane.into_inner().expect("no lane panics"))
                .map(|((region, value), rows)| (place_of[region as usize], value, rows))
                .collect(),
        }
    }
}
