//! A saved recoding bound to rows it was not found for, case by case: what joins a block, what was never
//! seen, and what becomes of it.
#![allow(clippy::unwrap_used)]

mod common;

use std::ops::Range;

use coarsen::domain::{Code, Value};
use coarsen::policy::{HierarchySpec, Side, SuppressionMode, Unseen};
use coarsen::recoding::{Partitions, Recoding, Region, Regions};
use common::{Cells, Labels, Table, cells, save_and_load, shown};

/// The labels of every row of new columns, under a recoding found on other rows; `None` where
/// suppressed.
fn applied(
    recoding: &Recoding,
    found_on: &Table,
    new: &[Cells],
    rule: Unseen,
) -> (Labels, Vec<(String, u64, u64)>) {
    let loaded = save_and_load(recoding, found_on);
    let table = Table::new(new).flat();
    let bound = loaded.bind(&table.attributes, &table.counts, rule).unwrap();
    let unseen = bound
        .unseen
        .iter()
        .map(|u| (u.column.clone(), u.values, u.rows));
    let unseen = unseen.collect();
    (
        table.released(&bound.classes, SuppressionMode::Drop),
        unseen,
    )
}

#[test]
fn a_row_outside_the_tight_block_widens_its_whole_class() {
    // Tiles of x: {1, 5} and {10, 20}; the first released as 1..5, the second as 10 alone.
    let table = Table::new(&[cells("x", &["1", "5", "10", "20"])]);
    let x = &table.attributes[0];
    let region = |tile: Range<Code>, released: Range<Code>| Region {
        tile: vec![tile],
        blocks: vec![x.block_of_run(released.start, released.end)],
    };
    let regions = vec![region(0..2, 0..2), region(2..4, 2..3)];
    let recoding = Recoding::Regions(Regions::from(regions));
    let apply = |x: &[&str], rule| applied(&recoding, &table, &[cells("x", x)], rule);
    // Inside the tight blocks.
    let (labels, unseen) = apply(&["3", "5", "10"], Unseen::Error);
    assert_eq!(shown(&labels), ["1..5", "1..5", "10"]);
    assert!(unseen.is_empty());
    // 7 lies between 5 and 10: in the first tile, which reaches to 9. 12 widens the second.
    let (labels, unseen) = apply(&["3", "7", "10", "12"], Unseen::Error);
    assert_eq!(shown(&labels), ["1..9", "1..9", "10..20", "10..20"]);
    assert!(unseen.is_empty());
    // With wide blocks throughout, what a row shows does not depend on the rows beside it.
    let wide = save_and_load(&recoding, &table).with_wide_blocks();
    for (x, label) in [("3", "1..9"), ("7", "1..9"), ("10", "10..20")] {
        let new = Table::new(&[cells("x", &[x])]).flat();
        let bound = wide.bind(&new.attributes, &new.counts, Unseen::Error);
        let released = new.released(&bound.unwrap().classes, SuppressionMode::Drop);
        assert_eq!(shown(&released), [label]);
    }
    // 0 and 21 lie outside the domain, and a missing value was not in it.
    for rule in [Unseen::Suppress, Unseen::Root] {
        let (labels, unseen) = apply(&["0", "21", "5", "", "21"], rule);
        assert_eq!(shown(&labels), ["-", "-", "1..5", "-", "-"]);
        assert_eq!(unseen, [("x".to_string(), 3, 4)]);
    }
}

#[test]
fn a_tile_of_numbers_and_the_missing_value_covers_what_lies_between() {
    let table = Table::new(&[cells("x", &["1", "5", "10", ""])]);
    let tiles = vec![vec![0..1], vec![1..4]];
    let recoding = Recoding::Regions(Regions::of_tiles(&table.attributes, tiles));
    let apply = |x: &[&str]| applied(&recoding, &table, &[cells("x", x)], Unseen::Error).0;
    for last in ["10", "7"] {
        assert_eq!(shown(&apply(&["5", "", last])), ["{5..10|missing}"; 3]);
    }
    let wide = table.attributes[0].block_of_tile(1, 4).extent;
    let seven = Value::Integer(7);
    assert!(wide.contains(None) && wide.contains(Some(&seven)));
    // Alone, the last number is a set with the missing value.
    assert_eq!(
        table.attributes[0].block_of_tile(2, 4).label,
        "{10|missing}"
    );
}

/// Ages by decades, cities as they are, ZIPs without their last digit.
fn decades() -> (Table, Recoding) {
    let intervals = HierarchySpec::Intervals {
        widths: vec![10.0],
        origin: 0.0,
    };
    let mask = HierarchySpec::Mask {
        side: Side::Right,
        levels: None,
    };
    let table = Table::new(&[
        cells("age", &["21", "25", "47"]).with(&intervals),
        cells("city", &["Rome", "Oslo", "Rome"]),
        cells("zip", &["02138", "02139", "02141"]).with(&mask),
    ]);
    let partitions = Partitions::at_levels(&table.attributes, &[1, 0, 1]);
    (table, Recoding::Partitions(partitions))
}

fn people(rows: &[[&str; 3]]) -> Vec<Cells> {
    let column = |place: usize| -> Vec<&str> { rows.iter().map(|row| row[place]).collect() };
    vec![
        cells("age", &column(0)),
        cells("city", &column(1)),
        cells("zip", &column(2)),
    ]
}

#[test]
fn a_new_value_joins_the_interval_or_the_mask_that_covers_it() {
    let (table, recoding) = decades();
    let new = people(&[
        ["27", "Oslo", "02137"],
        ["40", "Rome", "0214"],
        ["49", "Rome", "02140"],
    ]);
    let (labels, unseen) = applied(&recoding, &table, &new, Unseen::Error);
    let expected = [
        "20..29 Oslo 0213*",
        "40..49 Rome 0214*",
        "40..49 Rome 0214*",
    ];
    assert_eq!(shown(&labels), expected);
    assert!(unseen.is_empty());
}

#[test]
fn a_value_never_seen_follows_the_rule() {
    let (table, recoding) = decades();
    // 33 lies between the intervals that were seen; Paris, a missing age, 99999 and a code too long
    // are new.
    let new = people(&[
        ["33", "Rome", "02138"],
        ["21", "Paris", "02138"],
        ["", "Paris", "99999"],
        ["25", "Oslo", "021389"],
        ["25", "Oslo", "02139"],
    ]);
    let counted = [
        ("age".to_string(), 2, 2),
        ("city".to_string(), 1, 2),
        ("zip".to_string(), 2, 2),
    ];
    let (labels, unseen) = applied(&recoding, &table, &new, Unseen::Suppress);
    assert_eq!(shown(&labels), ["-", "-", "-", "-", "20..29 Oslo 0213*"]);
    assert_eq!(unseen, counted);
    let (labels, unseen) = applied(&recoding, &table, &new, Unseen::Root);
    let expected = [
        "* Rome 0213*",
        "20..29 * 0213*",
        "* * *",
        "20..29 Oslo *",
        "20..29 Oslo 0213*",
    ];
    assert_eq!(shown(&labels), expected);
    assert_eq!(unseen, counted);

    let flat = Table::new(&new).flat();
    let loaded = save_and_load(&recoding, &table);
    let error = loaded
        .bind(&flat.attributes, &flat.counts, Unseen::Error)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "column `age` has 2 values in 2 rows that the recoding has never seen; \
         column `city` has 1 value in 2 rows that the recoding has never seen; \
         column `zip` has 2 values in 2 rows that the recoding has never seen"
    );
}

#[test]
fn a_suppressed_column_covers_every_value() {
    let (table, _) = decades();
    let partitions = Partitions::at_levels(&table.attributes, &[2, 1, 5]);
    let new = people(&[["-1", "Paris", "999999"], ["", "", ""]]);
    let recoding = Recoding::Partitions(partitions);
    let (labels, unseen) = applied(&recoding, &table, &new, Unseen::Error);
    assert_eq!(shown(&labels), ["* * *"; 2]);
    assert!(unseen.is_empty());
}

#[test]
fn a_value_that_no_row_holds_is_not_missed() {
    // The new table's tree knows Paris, but nobody lives there.
    let (table, recoding) = decades();
    let tree = common::tree(&[("Europe", &["Paris", "Rome", "Oslo"])]);
    let mut new = people(&[["21", "Rome", "02138"]]);
    new[1] = new[1].clone().with(&tree);
    let new = Table::new(&new);
    let loaded = save_and_load(&recoding, &table);
    let bound = loaded
        .bind(&new.attributes, &new.counts, Unseen::Error)
        .unwrap();
    assert!(bound.unseen.is_empty());
}

#[test]
fn columns_may_come_in_another_order() {
    let (table, recoding) = decades();
    let mut new = people(&[["27", "Oslo", "02137"], ["47", "Rome", "02141"]]);
    new.rotate_left(1);
    let (labels, _) = applied(&recoding, &table, &new, Unseen::Error);
    assert_eq!(shown(&labels), ["Oslo 0213* 20..29", "Rome 0214* 40..49"]);
}
