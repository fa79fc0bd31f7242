//! Files that are no recoding, or none that can be used: each is refused when it is loaded.
#![allow(clippy::unwrap_used)]

mod common;

use coarsen::recoding::{
    CellClass, Cells, LoadError, Partitions, Recoding, Regions, SavedRecoding,
};
use common::{Table, cells};
use serde_json::{Value, json};

fn table() -> Table {
    Table::new(&[
        cells("x", &["1", "2", "3", ""]),
        cells("y", &["a", "b", "a", "b"]),
    ])
}

fn saved(recoding: &Recoding, table: &Table) -> Value {
    let saved = SavedRecoding::new(recoding, &table.attributes, &table.policy);
    serde_json::from_str(&saved.to_json()).unwrap()
}

fn partitions() -> Value {
    let table = table();
    let partitions = Partitions::at_levels(&table.attributes, &[1, 0]);
    saved(&Recoding::Partitions(partitions), &table)
}

fn regions() -> Value {
    let table = table();
    let tiles = vec![vec![0..2, 0..2], vec![2..4, 0..1], vec![2..4, 1..2]];
    let regions = Regions::of_tiles(&table.attributes, tiles);
    saved(&Recoding::Regions(regions), &table)
}

fn load(file: &Value) -> Result<SavedRecoding, LoadError> {
    SavedRecoding::from_json(&file.to_string())
}

#[test]
fn what_was_written_is_read() {
    for file in [partitions(), regions()] {
        let loaded = load(&file).unwrap();
        assert_eq!(loaded.kind(), file["kind"].as_str().unwrap());
        let names: Vec<&str> = loaded.columns().map(|(name, _)| name).collect();
        assert_eq!(names, ["x", "y"]);
        assert_eq!(
            loaded.to_json(),
            SavedRecoding::from_json(&loaded.to_json())
                .unwrap()
                .to_json()
        );
    }
}

#[test]
fn paths_stay_at_home() {
    let mut table = table();
    table.policy.input.path = "/home/someone/patients.csv".into();
    table.policy.output.path = "/home/someone/release.csv".into();
    let partitions = Partitions::at_levels(&table.attributes, &[1, 0]);
    let file = saved(&Recoding::Partitions(partitions), &table).to_string();
    assert!(!file.contains("someone"), "{file}");
}

#[test]
fn another_version_is_refused_with_what_wrote_it() {
    for (version, found) in [(json!(2), 2), (json!(0), 0), (json!("1"), 0)] {
        let mut file = partitions();
        file["version"] = version;
        file["tool"] = json!("coarsen 9.9");
        match load(&file) {
            Err(LoadError::Version { found: told, tool }) => {
                assert_eq!((told, tool.as_str()), (found, "coarsen 9.9"));
            }
            other => panic!("{other:?}"),
        }
    }
    // Whatever else is new in it.
    let newer = json!({ "format": "coarsen-recoding", "version": 3, "shape": "round" });
    assert!(matches!(
        load(&newer),
        Err(LoadError::Version { found: 3, .. })
    ));
}

#[test]
fn cells_are_refused() {
    let table = table();
    let class = CellClass {
        blocks: table
            .attributes
            .iter()
            .map(|a| a.block_of_run(0, 1))
            .collect(),
        members: Vec::new(),
        is_dropped: false,
    };
    let cells = Cells {
        classes: vec![class],
    };
    let file = saved(&Recoding::Cells(cells), &table);
    assert!(matches!(load(&file), Err(LoadError::Cells)));
}

/// A file with one thing changed, and what its refusal says.
fn refuses(mut file: Value, pointer: &str, to: Value, because: &str) {
    *file.pointer_mut(pointer).expect(pointer) = to;
    match load(&file) {
        Err(LoadError::NotARecoding(reason)) => {
            assert!(reason.contains(because), "{pointer}: {reason}");
        }
        other => panic!("{pointer}: {other:?}"),
    }
}

#[test]
fn what_is_no_recoding_is_refused() {
    for text in [
        "",
        "{",
        "[]",
        "null",
        "\u{feff}{}",
        "{\"format\": \"other\"}",
    ] {
        let refused = SavedRecoding::from_json(text);
        assert!(matches!(refused, Err(LoadError::NotARecoding(_))), "{text}");
    }
    refuses(
        partitions(),
        "/kind",
        json!("circles"),
        "its kind is `circles`",
    );
    refuses(partitions(), "/columns", json!(3), "invalid type");
    refuses(partitions(), "/columns/0/type", json!("colour"), "colour");
    let mut file = partitions();
    file["extra"] = json!(1);
    assert!(matches!(load(&file), Err(LoadError::NotARecoding(_))));
}

#[test]
fn broken_blocks_are_refused() {
    // x in pairs: {1, 2}, {3}, the missing value; y in single values.
    let nothing = json!({ "label": "1..2", "lm": 0.5 });
    refuses(
        partitions(),
        "/columns/0/blocks/0",
        nothing,
        "does not say what it covers",
    );
    let half = json!({ "label": "1..2", "lm": 0.5, "low": "1" });
    refuses(
        partitions(),
        "/columns/0/blocks/0",
        half,
        "does not say what it covers",
    );
    refuses(
        partitions(),
        "/columns/0/blocks/0/low",
        json!("one"),
        "not of type integer",
    );
    refuses(
        partitions(),
        "/columns/0/blocks",
        json!([]),
        "column `x` has no blocks",
    );
    refuses(
        regions(),
        "/regions/0/wide/0/low",
        json!("one"),
        "not of type integer",
    );
    refuses(
        regions(),
        "/regions/0/tight",
        json!([]),
        "does not speak of every column",
    );
}

#[test]
fn broken_segments_and_tiles_are_refused() {
    // A cut that cannot be read must not shift the others.
    refuses(
        regions(),
        "/columns/0/segments/cuts/from/1",
        json!("two"),
        "column `x`",
    );
    refuses(
        regions(),
        "/columns/0/segments/cuts/to",
        json!(""),
        "column `x`",
    );
    refuses(
        regions(),
        "/columns/0/segments/cuts/from/1",
        json!("9"),
        "column `x`",
    );
    refuses(
        regions(),
        "/columns/1/segments/values/1",
        json!("a"),
        "column `y`",
    );
    refuses(regions(), "/columns/0/segments", json!(null), "column `x`");
    // x has three cuts and the missing value: segments 0 to 3.
    refuses(regions(), "/regions/0/tile/0", json!([0, 5]), "column `x`");
    refuses(regions(), "/regions/0/tile/0", json!([2, 2]), "column `x`");
}
