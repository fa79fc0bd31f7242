//! Recodings as functions of the domain: which rows they put together, and what becomes of them when
//! they are saved and loaded. Rows they were not found for have `recoding_new_rows.rs`; what a file may
//! not be is in `recoding_files.rs`.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashMap;
use std::ops::Range;

use coarsen::audit::Label;
use coarsen::counts::{Counts, Entries, Member};
use coarsen::domain::{Attribute, Block, Code, Extent, Partition};
use coarsen::policy::{HierarchySpec, SuppressionMode, Unseen};
use coarsen::recoding::{
    Bound, CellClass, Cells as CellRecoding, Partitions, Recoding, Region, Regions,
};
use common::random::tables;
use common::{Cells, Table, cells, save_and_load, shown};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;

type Tile = Vec<Range<Code>>;

/// Cuts the domain space again and again: each cut picks a tile, a column and a place.
fn guillotine(attributes: &[Attribute], cuts: &[[Index; 3]]) -> Vec<Tile> {
    let size = |attribute: &Attribute| 0..attribute.domain.size() as Code;
    let mut tiles: Vec<Tile> = vec![attributes.iter().map(size).collect()];
    for [tile, column, at] in cuts {
        let tile = tile.index(tiles.len());
        let column = column.index(attributes.len());
        let run = tiles[tile][column].clone();
        if run.len() < 2 {
            continue;
        }
        let at = run.start + 1 + at.index(run.len() - 1) as Code;
        let mut above = tiles[tile].clone();
        above[column].start = at;
        tiles[tile][column].end = at;
        tiles.push(above);
    }
    tiles
}

/// Every combination of the domain space, once.
fn all_combinations(attributes: &[Attribute]) -> Counts {
    let mut rows: Vec<Vec<Code>> = vec![Vec::new()];
    for attribute in attributes {
        let codes = 0..attribute.domain.size() as Code;
        rows = rows
            .iter()
            .flat_map(|row| codes.clone().map(|code| [row.as_slice(), &[code]].concat()))
            .collect();
    }
    let column = |column: usize| rows.iter().map(|row| row[column]).collect();
    let entries = Entries {
        codes: (0..attributes.len()).map(column).collect(),
        tallied: Vec::new(),
        rows: vec![1; rows.len()],
    };
    Counts::build(entries, Vec::new()).0
}

/// Every combination is in the class of the one tile that holds it.
fn check_tiles(attributes: &[Attribute], tiles: &[Tile], counts: &Counts) -> TestCaseResult {
    let classes = Regions::of_tiles(attributes, tiles.to_vec()).classes(attributes, counts);
    let mut tile_of = HashMap::new();
    for class in 0..classes.len() {
        for member in classes.members(class) {
            let code = |column: usize| counts.codes(column)[member.combination as usize];
            let holds = |tile: &&Tile| (0..tile.len()).all(|c| tile[c].contains(&code(c)));
            let mut holding = tiles.iter().filter(holds);
            let tile = holding.next();
            prop_assert!(tile.is_some() && holding.next().is_none(), "covered once");
            let first = tile_of.entry(class).or_insert(tile);
            prop_assert_eq!(*first, tile, "one class, one tile");
        }
    }
    let distinct: std::collections::HashSet<_> = tile_of.values().collect();
    prop_assert_eq!(distinct.len(), classes.len());
    let held: u64 = classes.rows().iter().sum();
    prop_assert_eq!(held, counts.total());
    Ok(())
}

/// Five boxes that no straight cut parts.
fn pinwheel() -> Vec<Tile> {
    let tile = |x: Range<Code>, y: Range<Code>| vec![x, y];
    vec![
        tile(0..2, 0..1),
        tile(2..3, 0..2),
        tile(1..3, 2..3),
        tile(0..1, 1..3),
        tile(1..2, 1..2),
    ]
}

/// The tiles with blocks that fit tightly around the rows at hand, as Mondrian leaves them.
fn tight_regions(table: &Table, tiles: Vec<Tile>) -> Regions {
    let counts = &table.counts;
    let run = |tile: &Tile, column: usize| -> Range<Code> {
        let inside = (0..counts.combinations())
            .filter(|i| (0..tile.len()).all(|c| tile[c].contains(&counts.codes(c)[*i])))
            .map(|i| counts.codes(column)[i]);
        let (least, greatest) = (inside.clone().min(), inside.max());
        match (least, greatest) {
            (Some(least), Some(greatest)) => least..greatest + 1,
            _ => tile[column].clone(),
        }
    };
    let blocks = |tile: &Tile| -> Vec<Block> {
        let block = |(column, attribute): (usize, &Attribute)| {
            let run = run(tile, column);
            attribute.block_of_run(run.start, run.end)
        };
        table.attributes.iter().enumerate().map(block).collect()
    };
    let region = |tile: Tile| Region {
        blocks: blocks(&tile),
        tile,
    };
    Regions::from(tiles.into_iter().map(region).collect::<Vec<_>>())
}

/// Random sets of each domain: a code goes to the set that its number picks.
fn random_partitions(attributes: &[Attribute], picks: &[u8]) -> Partitions {
    let partition = |attribute: &Attribute| {
        let mut sets: Vec<Vec<Code>> = vec![Vec::new(); 4];
        for code in 0..attribute.domain.size() {
            sets[usize::from(picks[code % picks.len()]) % 4].push(code as Code);
        }
        sets.retain(|set| !set.is_empty());
        Partition::of_sets(attribute, sets)
    };
    Partitions {
        columns: attributes.iter().map(partition).collect(),
    }
}

/// The same columns with some of the rows.
fn some_rows(table: &Table, wanted: impl Fn(usize) -> bool) -> Table {
    let column = |column: &Cells| {
        let mut column = column.clone();
        let mut row = 0;
        column.cells.retain(|_| {
            row += 1;
            wanted(row - 1)
        });
        column
    };
    let columns: Vec<Cells> = table.columns.iter().map(column).collect();
    Table::new(&columns)
}

/// Every value of a released row lies in its block; a masked code may be new to its block, but not to
/// its block's name.
fn check_truth(table: &Table, bound: &Bound) -> TestCaseResult {
    let class_of = table.class_of(&bound.classes);
    for (column, attribute) in table.attributes.iter().enumerate() {
        let described = &table.policy.columns[&attribute.name];
        let is_mask = matches!(described.hierarchy, Some(HierarchySpec::Mask { .. }));
        for (row, value) in table.values(column).iter().enumerate() {
            let class = class_of[row];
            if bound.classes.is_suppressed(class) {
                continue;
            }
            let block = bound.classes.block(column, class);
            let text = value.as_ref().map_or(String::new(), |v| v.text(None));
            let named = is_mask && Label::parse(&block.label).covers(&text);
            let inside = block.extent.contains(value.as_ref());
            prop_assert!(inside || named, "{:?} in {:?}", value, block);
        }
    }
    Ok(())
}

/// Bound to the rows it was found for, a recoding makes the same release; bound to others, it is
/// true of all that it does not suppress.
fn check_reuse(found_on: &Table, others: &Table, recoding: &Recoding) -> TestCaseResult {
    let drop = SuppressionMode::Drop;
    let loaded = save_and_load(recoding, found_on);
    let expected = recoding.classes(&found_on.attributes, &found_on.counts);
    let expected = found_on.released(&expected, drop);
    for same in [found_on, &found_on.flat()] {
        let bound = loaded
            .bind(&same.attributes, &same.counts, Unseen::Error)
            .unwrap();
        prop_assert!(bound.unseen.is_empty());
        prop_assert_eq!(&same.released(&bound.classes, drop), &expected);
    }
    let flat = others.flat();
    for rule in [Unseen::Suppress, Unseen::Root] {
        let bound = loaded.bind(&flat.attributes, &flat.counts, rule).unwrap();
        check_truth(&flat, &bound)?;
        let suppressed = bound.classes.suppressed_rows();
        let unseen: u64 = bound.unseen.iter().map(|column| column.rows).sum();
        match (rule, recoding) {
            (Unseen::Root, Recoding::Partitions(_)) => prop_assert_eq!(suppressed, 0),
            _ => {
                let most = bound.unseen.iter().map(|column| column.rows).max();
                prop_assert!(most.unwrap_or(0) <= suppressed && suppressed <= unseen);
            }
        }
        let refused = loaded.bind(&flat.attributes, &flat.counts, Unseen::Error);
        prop_assert_eq!(refused.is_err(), unseen > 0);
    }
    Ok(())
}

proptest! {
    #[test]
    fn cuts_tile_the_space_and_group_rows(
        table in tables(),
        cuts in prop::collection::vec(any::<[Index; 3]>(), 0..24),
    ) {
        // Four columns may have thousands of combinations; three are plenty.
        let attributes = &table.attributes[..table.attributes.len().min(3)];
        let tiles = guillotine(attributes, &cuts);
        check_tiles(attributes, &tiles, &all_combinations(attributes))?;
        check_tiles(&table.attributes, &guillotine(&table.attributes, &cuts), &table.counts)?;
    }

    #[test]
    fn regions_are_saved_and_used_again(
        table in tables(),
        cuts in prop::collection::vec(any::<[Index; 3]>(), 0..24),
    ) {
        let rows = table.combination_of.len();
        let found_on = some_rows(&table, |row| row < rows.div_ceil(2));
        let others = some_rows(&table, |row| row >= rows / 2);
        let tiles = guillotine(&found_on.attributes, &cuts);
        let wide = Regions::of_tiles(&found_on.attributes, tiles.clone());
        check_reuse(&found_on, &others, &Recoding::Regions(wide))?;
        let tight = tight_regions(&found_on, tiles);
        check_reuse(&found_on, &others, &Recoding::Regions(tight))?;
    }

    #[test]
    fn partitions_are_saved_and_used_again(
        table in tables(),
        levels: [Index; 4],
        picks in prop::collection::vec(any::<u8>(), 1..12),
    ) {
        let rows = table.combination_of.len();
        let found_on = some_rows(&table, |row| row < rows.div_ceil(2));
        let others = some_rows(&table, |row| row >= rows / 2);
        let level = |(attribute, level): (&Attribute, &Index)| {
            level.index(attribute.hierarchy.height() + 1)
        };
        let levels: Vec<usize> = found_on.attributes.iter().zip(&levels).map(level).collect();
        let by_level = Partitions::at_levels(&found_on.attributes, &levels);
        check_reuse(&found_on, &others, &Recoding::Partitions(by_level))?;
        let by_set = random_partitions(&found_on.attributes, &picks);
        check_reuse(&found_on, &others, &Recoding::Partitions(by_set))?;
    }
}

/// Two columns of three values each, every combination once.
fn three_by_three() -> Table {
    Table::new(&[
        cells("x", &["1", "1", "1", "2", "2", "2", "3", "3", "3"]),
        cells("y", &["a", "b", "c", "a", "b", "c", "a", "b", "c"]),
    ])
}

#[test]
fn tiles_that_no_cut_parts_group_rows_too() {
    let table = three_by_three();
    check_tiles(&table.attributes, &pinwheel(), &table.counts).unwrap();
    let regions = Regions::of_tiles(&table.attributes, pinwheel());
    let expected = [
        ["1..2", "a"],
        ["1", "{b|c}"],
        ["1", "{b|c}"],
        ["1..2", "a"],
        ["2", "b"],
        ["2..3", "c"],
        ["3", "{a|b}"],
        ["3", "{a|b}"],
        ["2..3", "c"],
    ];
    let recoding = Recoding::Regions(regions);
    let drop = SuppressionMode::Drop;
    let made = recoding.classes(&table.attributes, &table.counts);
    let loaded = save_and_load(&recoding, &table);
    let bound = loaded
        .bind(&table.attributes, &table.counts, Unseen::Error)
        .unwrap();
    for classes in [made, bound.classes] {
        assert_eq!(classes.len(), 5);
        for (row, labels) in table.released(&classes, drop).into_iter().enumerate() {
            assert_eq!(labels.unwrap(), expected[row]);
        }
    }
}

#[test]
fn regions_take_their_columns_in_another_order() {
    let table = three_by_three();
    let recoding = Recoding::Regions(Regions::of_tiles(&table.attributes, pinwheel()));
    let loaded = save_and_load(&recoding, &table);
    let released = |table: &Table| {
        let bound = loaded.bind(&table.attributes, &table.counts, Unseen::Error);
        table.released(&bound.unwrap().classes, SuppressionMode::Drop)
    };
    let mut columns = table.columns.clone();
    columns.reverse();
    let turned = released(&Table::new(&columns));
    for (turned, straight) in turned.into_iter().zip(released(&table)) {
        let mut turned = turned.unwrap();
        turned.reverse();
        assert_eq!(turned, straight.unwrap());
    }
}

#[test]
fn cells_may_spread_a_combination_over_classes() {
    // Three rows of (1, a) and one of (2, a): one (1, a) keeps its x with nobody, two go with the 2.
    let table = Table::new(&[
        cells("x", &["1", "1", "1", "2"]),
        cells("y", &["a", "a", "a", "a"]),
    ]);
    let [x, y] = [0, 1].map(|column| &table.attributes[column]);
    let class = |x: Block, members: &[(u32, u64)]| CellClass {
        blocks: vec![x, y.block_of_run(0, 1)],
        members: members
            .iter()
            .map(|(combination, rows)| Member {
                combination: *combination,
                rows: *rows,
            })
            .collect(),
    };
    let recoding = Recoding::Cells(CellRecoding {
        classes: vec![
            class(x.block_of_run(0, 1), &[(0, 1)]),
            class(Block::suppressed(), &[(0, 2), (1, 1)]),
        ],
    });
    let classes = recoding.classes(&table.attributes, &table.counts);
    assert_eq!(classes.rows(), [1, 3]);
    assert_eq!(classes.members(1).len(), 2);
    assert_eq!(classes.block(0, 1).extent, Extent::All);
    // y has one value: the whole of its domain, but not suppressed.
    assert_eq!(classes.block(1, 0).label, "a");
    let released = table.released(&classes, SuppressionMode::Drop);
    assert_eq!(shown(&released), ["1 a", "* a", "* a", "* a"]);
    assert_eq!(recoding.kind(), "cells");
}
