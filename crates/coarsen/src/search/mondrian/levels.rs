//! Mondrian over a table whose combinations do not fit in memory (seed 001, section 3.5; RainForest,
//! Gehrke, Ramakrishnan and Ganti 1998).
//!
//! Level by level, one pass over the table counts every open region along every column, and those
//! strips are all that a rule needs to choose its split. As soon as the rows of a region fit in memory
//! they are fetched, many regions in one pass, and the region is finished there. Sums are whole
//! numbers, so the tree is the one that the same rules find in memory, whatever the order of rows.
//!
//! Where a level's strips do not fit in memory together, it takes several passes.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::columns::Held;
use super::grow::{Driver, Grown, Leaf};
use super::measure::Sums;
use super::rows::Matrix;
use super::split::{Candidate, Cut, Region, part_of, tiles};
use super::strip::{Asked, Boxes, Strip};
use crate::counts::{Batch, ClassTally, Passes};
use crate::domain::Code;
use crate::search::SearchError;

/// A region in the tree that grows.
enum Node {
    Open,
    Leaf(Leaf),
    Cut {
        column: usize,
        cut: Cut,
        parts: Vec<usize>,
    },
    /// Finished in memory.
    Grown(Grown),
}

/// A region that may still be split.
#[derive(Clone)]
struct Open {
    node: usize,
    tile: Vec<Range<Code>>,
    rows: u64,
    /// Whose turn it is.
    rule: usize,
}

/// Splits a table until no split is allowed or the budget is used up. `columns` counts the tallied ones.
pub(super) fn grow_in_passes(
    driver: &Driver<'_>,
    passes: &dyn Passes,
    whole: Vec<Range<Code>>,
    columns: usize,
) -> Result<Grown, SearchError> {
    let mut tree = vec![Node::Open];
    let mut open = vec![Open {
        node: 0,
        tile: whole,
        rows: driver.context.problem.counts.total(),
        rule: 0,
    }];
    // A row, what moves of it when it is arranged, and its part of the strips.
    let bytes_a_row = 2 * (4 * columns as u64 + 12) + 32;
    let fits = (passes.memory() / bytes_a_row).max(1);
    let mut small = Vec::new();
    while !open.is_empty() {
        let (now_small, large): (Vec<Open>, Vec<Open>) =
            open.into_iter().partition(|region| region.rows <= fits);
        small.extend(now_small);
        open = Vec::new();
        if driver.run.is_over() {
            cut_short(driver, &mut tree, large);
            break;
        }
        let bytes = |region: &Open| strips_bytes(driver, region) * passes.lanes() as u64;
        for group in packed(large, passes.memory(), bytes) {
            open.extend(split_level(driver, passes, &mut tree, group)?);
        }
    }
    for group in packed(small, fits, |region| region.rows) {
        if driver.run.is_over() {
            cut_short(driver, &mut tree, group);
        } else {
            finish_in_memory(driver, passes, &mut tree, group, columns)?;
        }
    }
    let mut tree: Vec<Option<Node>> = tree.into_iter().map(Some).collect();
    Ok(assemble(&mut tree, 0))
}

/// Regions in groups, each as many as stay within a limit together, and at least one.
fn packed(regions: Vec<Open>, limit: u64, size: impl Fn(&Open) -> u64) -> Vec<Vec<Open>> {
    let mut groups: Vec<Vec<Open>> = Vec::new();
    let mut room = 0;
    for region in regions {
        let size = size(&region);
        match groups.last_mut() {
            Some(group) if size <= room => {
                room -= size;
                group.push(region);
            }
            _ => {
                room = limit.saturating_sub(size);
                groups.push(vec![region]);
            }
        }
    }
    groups
}

/// The budget is used up: what is still open stays as it is.
fn cut_short(driver: &Driver<'_>, tree: &mut [Node], regions: Vec<Open>) {
    for Open { node, tile, .. } in regions {
        driver.was_cut_short.store(true, Ordering::Relaxed);
        let held = vec![Held::NONE; tile.len()];
        tree[node] = Node::Leaf(Leaf { tile, held });
    }
}

fn assemble(tree: &mut [Option<Node>], at: usize) -> Grown {
    match tree[at].take().expect("every node has one parent") {
        Node::Open => unreachable!("no region is left open"),
        Node::Leaf(leaf) => Grown::Leaf(leaf),
        Node::Grown(grown) => grown,
        Node::Cut { column, cut, parts } => Grown::Split {
            column,
            cut,
            parts: parts.into_iter().map(|part| assemble(tree, part)).collect(),
        },
    }
}

/// The node that a row of a batch falls into.
fn node_of(tree: &[Node], batch: &Batch<'_>, row: usize) -> usize {
    let mut at = 0;
    while let Node::Cut { column, cut, parts } = &tree[at] {
        at = parts[part_of(cut, batch.columns[*column][row])];
    }
    at
}

/// For each node, its place in a group of regions.
fn places(tree: &[Node], group: &[Open]) -> Vec<u32> {
    let mut place_of = vec![u32::MAX; tree.len()];
    for (place, region) in group.iter().enumerate() {
        place_of[region.node] = place as u32;
    }
    place_of
}

/// What the rules and the requirements ask of every strip.
fn asked<'a>(driver: &'a Driver<'_>) -> Asked<'a> {
    let mut all = Asked {
        tallies: driver.context.tallies_asked(),
        ..Asked::default()
    };
    for rule in driver.rules {
        let asked = rule.asked();
        all.boxes |= asked.boxes;
        if !asked.measures.is_empty() {
            all.measures = asked.measures;
        }
        if !asked.selections.is_empty() {
            all.selections = asked.selections;
        }
    }
    all
}

/// The bytes that the strips of a region take, at most.
fn strips_bytes(driver: &Driver<'_>, region: &Open) -> u64 {
    let asked = asked(driver);
    let columns = region.tile.len() as u64;
    let mut of_a_code = 8 + asked.measures.iter().map(|m| m.bytes()).sum::<u64>();
    if asked.boxes {
        of_a_code += columns * size_of::<Held>() as u64 + 8 * asked.selections.len() as u64;
    }
    let codes: u64 = region.tile.iter().map(|run| run.len() as u64).sum();
    // A tallied value beside a code takes an entry of a hash table.
    let values = (columns * region.rows).min(64 * codes);
    codes * of_a_code + 32 * values * asked.tallies as u64
}

/// A strip on its way: every code of the tile, whether it is there or not.
struct Counting {
    start: Code,
    rows: Vec<u64>,
    sums: Vec<Sums>,
    boxes: Boxes,
    tallies: Vec<FxHashMap<(u32, Code), u64>>,
}

impl Counting {
    fn new(run: &Range<Code>, columns: usize, asked: Asked<'_>) -> Self {
        let boxes = if asked.boxes { run.len() } else { 0 };
        Counting {
            start: run.start,
            rows: vec![0; run.len()],
            sums: asked
                .measures
                .iter()
                .map(|measured| measured.nothing(run.len()))
                .collect(),
            boxes: Boxes::none(boxes, columns, asked.selections.len()),
            tallies: vec![FxHashMap::default(); asked.tallies],
        }
    }

    /// Adds a row, given its codes and its tallied values.
    fn add(&mut self, code: Code, codes: &[Code], tallied: &[Code], asked: Asked<'_>) {
        let slot = (code - self.start) as usize;
        self.rows[slot] += 1;
        for (measured, sums) in asked.measures.iter().zip(&mut self.sums) {
            measured.add(sums, slot, tallied[measured.tally], 1);
        }
        if asked.boxes {
            self.boxes.add(slot, codes, 1, asked.selections);
        }
        for (tally, value) in self.tallies.iter_mut().zip(tallied) {
            *tally.entry((slot as u32, *value)).or_default() += 1;
        }
    }

    /// The strip of several countings of one region's column.
    fn finish(mut countings: Vec<Counting>, asked: Asked<'_>) -> Strip {
        let all = countings[0].rows.len();
        let is_there = |slot: &usize| countings.iter().any(|counting| counting.rows[*slot] > 0);
        let slots: Vec<usize> = (0..all).filter(is_there).collect();
        let mut place_of = vec![u32::MAX; if asked.tallies > 0 { all } else { 0 }];
        let mut strip = Strip {
            codes: slots
                .iter()
                .map(|slot| countings[0].start + *slot as Code)
                .collect(),
            rows: slots
                .iter()
                .map(|slot| countings.iter().map(|c| c.rows[*slot]).sum())
                .collect(),
            ..Strip::default()
        };
        for (place, measured) in asked.measures.iter().enumerate() {
            let mut sums = measured.nothing(slots.len());
            for counting in &countings {
                for (to, from) in slots.iter().enumerate() {
                    sums.join(to, &counting.sums[place], *from);
                }
            }
            strip.sums.push(sums);
        }
        if asked.boxes {
            let columns = countings[0].boxes.columns;
            strip.boxes = Boxes::none(slots.len(), columns, asked.selections.len());
            for counting in &countings {
                for (to, from) in slots.iter().enumerate() {
                    strip.boxes.join(to, &counting.boxes, *from);
                }
            }
        }
        for (place, slot) in slots.iter().enumerate().take(place_of.len()) {
            place_of[*slot] = place as u32;
        }
        for tally in 0..asked.tallies {
            let entries = countings.iter_mut().flat_map(|counting| {
                let counted = std::mem::take(&mut counting.tallies[tally]).into_iter();
                counted.map(|((slot, value), rows)| (slot, value, rows))
            });
            let entries = entries.map(|(slot, value, rows)| (place_of[slot as usize], value, rows));
            let entries = entries.collect();
            strip
                .tallies
                .push(ClassTally::of_entries(entries, slots.len()));
        }
        strip
    }
}

/// One pass: counts the regions of a group, and splits each that can be; gives the parts.
fn split_level(
    driver: &Driver<'_>,
    passes: &dyn Passes,
    tree: &mut Vec<Node>,
    group: Vec<Open>,
) -> Result<Vec<Open>, SearchError> {
    driver.run.check()?;
    let asked = asked(driver);
    let quasi = driver.context.columns.len();
    let place_of = places(tree, &group);
    let lane = || -> Vec<Vec<Counting>> {
        let counting = |run: &Range<Code>| Counting::new(run, quasi, asked);
        let of_region = |region: &Open| region.tile.iter().map(counting).collect();
        group.iter().map(of_region).collect()
    };
    let lanes: Vec<Mutex<Vec<Vec<Counting>>>> =
        (0..passes.lanes()).map(|_| Mutex::new(lane())).collect();
    passes.pass(&|lane, batch| {
        let mut regions = lanes[lane].lock().expect("no lane panics");
        let mut codes = vec![0; batch.columns.len()];
        for row in 0..batch.rows {
            let place = place_of[node_of(tree, &batch, row)];
            if place == u32::MAX {
                continue;
            }
            for (code, column) in codes.iter_mut().zip(batch.columns) {
                *code = column[row];
            }
            let (codes, tallied) = codes.split_at(quasi);
            for (column, counting) in regions[place as usize].iter_mut().enumerate() {
                counting.add(codes[column], codes, tallied, asked);
            }
        }
    })?;
    // By region and column, what every lane has counted.
    let mut counted: Vec<Vec<Vec<Counting>>> = group
        .iter()
        .map(|_| (0..quasi).map(|_| Vec::new()).collect())
        .collect();
    for lane in lanes {
        let lane = lane.into_inner().expect("no lane panics");
        for (region, strips) in counted.iter_mut().zip(lane) {
            for (column, counting) in region.iter_mut().zip(strips) {
                column.push(counting);
            }
        }
    }
    type Judged = (Open, Result<(usize, Candidate, Vec<u64>), Leaf>);
    let judge = |(open, columns): (Open, Vec<Vec<Counting>>)| -> Judged {
        let strips: Vec<Strip> = columns
            .into_par_iter()
            .map(|countings| Counting::finish(countings, asked))
            .collect();
        let region = Region::of_strips(strips, open.tile.clone());
        let judged = match driver.best(&region, open.rule) {
            None => Err(driver.leaf(region)),
            Some((turn, candidate)) => {
                let rows = region.rows_of_parts(candidate.column, &candidate.cut);
                Ok((turn, candidate, rows))
            }
        };
        (open, judged)
    };
    let judged: Vec<Judged> = group.into_par_iter().zip(counted).map(judge).collect();
    let mut parts = Vec::new();
    for (open, judged) in judged {
        let (turn, Candidate { column, cut, .. }, rows) = match judged {
            Err(leaf) => {
                tree[open.node] = Node::Leaf(leaf);
                continue;
            }
            Ok(split) => split,
        };
        let first = tree.len();
        for (run, rows) in tiles(&cut, &open.tile[column]).into_iter().zip(rows) {
            let mut tile = open.tile.clone();
            tile[column] = run;
            parts.push(Open {
                node: tree.len(),
                tile,
                rows,
                rule: turn,
            });
            tree.push(Node::Open);
        }
        tree[open.node] = Node::Cut {
            column,
            cut,
            parts: (first..tree.len()).collect(),
        };
    }
    Ok(parts)
}

/// One pass: fetches the rows of a group of regions, and splits each in memory to its end.
fn finish_in_memory(
    driver: &Driver<'_>,
    passes: &dyn Passes,
    tree: &mut [Node],
    group: Vec<Open>,
    columns: usize,
) -> Result<(), SearchError> {
    driver.run.check()?;
    let place_of = places(tree, &group);
    let lanes: Vec<Mutex<Vec<Vec<Code>>>> = (0..passes.lanes())
        .map(|_| Mutex::new(vec![Vec::new(); group.len()]))
        .collect();
    passes.pass(&|lane, batch| {
        let mut regions = lanes[lane].lock().expect("no lane panics");
        for row in 0..batch.rows {
            let place = place_of[node_of(tree, &batch, row)];
            if place != u32::MAX {
                let codes = batch.columns.iter().map(|column| column[row]);
                regions[place as usize].extend(codes);
            }
        }
    })?;
    let mut fetched: Vec<Vec<Code>> = vec![Vec::new(); group.len()];
    for lane in lanes {
        let lane = lane.into_inner().expect("no lane panics");
        for (all, mut codes) in fetched.iter_mut().zip(lane) {
            match all.is_empty() {
                true => *all = codes,
                false => all.append(&mut codes),
            }
        }
    }
    let quasi = driver.context.columns.len();
    let finish = |(open, codes): (Open, Vec<Code>)| {
        let mut matrix = Matrix::of_rows(quasi, columns, codes);
        let grown = driver.grow(matrix.rows(), open.tile, open.rule)?;
        Ok((open.node, grown))
    };
    let grown: Result<Vec<(usize, Grown)>, SearchError> =
        group.into_par_iter().zip(fetched).map(finish).collect();
    for (node, grown) in grown? {
        tree[node] = Node::Grown(grown);
    }
    Ok(())
}
