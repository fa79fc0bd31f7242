//! The partition structure against a recount, along random ways down; the blocks that specializations
//! go through; settings.

use proptest::prelude::*;

use super::super::information::Mix;
use super::super::pieces::{Codes, Place};
use super::*;
use crate::counts::{Counts, Entries, group};
use crate::domain::{Block, Extent};

fn counted(rows: &[Vec<u32>]) -> Counts {
    let entries = Entries {
        codes: (0..2)
            .map(|column| rows.iter().map(|row| row[column]).collect())
            .collect(),
        tallied: Vec::new(),
        rows: (1..=rows.len() as u64).map(|row| row % 4 + 1).collect(),
    };
    Counts::build(entries, Vec::new()).0
}

/// The sizes of classes under a block for every code, with how many there are.
fn recounted(counts: &Counts, maps: &[Vec<u32>]) -> Vec<(u64, u64)> {
    let views: Vec<&[u32]> = maps.iter().map(Vec::as_slice).collect();
    let grouping = group(counts, &views);
    let mut rows = vec![0u64; grouping.classes];
    for (class, count) in grouping.class_of.iter().zip(counts.rows()) {
        rows[*class as usize] += count;
    }
    let mut sizes = std::collections::BTreeMap::new();
    rows.into_iter()
        .for_each(|rows| *sizes.entry(rows).or_insert(0) += 1);
    sizes.into_iter().collect()
}

/// The short rows and the anonymity of classes of these sizes.
fn judged(sizes: &[(u64, u64)], total: u64, k: u64, limit: u64) -> (u64, u64) {
    let short = sizes.iter().filter(|(size, _)| *size < k);
    let mut below = 0;
    let smallest = sizes.iter().find(|(size, n)| {
        below += size * n;
        below > limit
    });
    let smallest = smallest.map_or(total, |(size, _)| *size);
    (short.map(|(size, n)| size * n).sum(), smallest)
}

/// A block of which only the codes matter.
fn piece(codes: Codes) -> Piece {
    Piece {
        place: Place::Set { within: None },
        codes,
        mix: Mix::default(),
        block: Block {
            label: String::new(),
            extent: Extent::All,
            lm: 0.0,
            height: None,
        },
    }
}

/// Where a column's block is cut: the block, its two parts, and the map afterwards.
fn cut(map: &[u32], at: u32) -> Option<(u32, [Piece; 2], Vec<u32>)> {
    let (old, next) = (map[at as usize], map.iter().max().unwrap() + 1);
    let part = |upper: bool| -> Option<Codes> {
        let codes = (0..6).filter(|code| map[*code as usize] == old && (*code >= at) == upper);
        let codes: Vec<Codes> = codes.map(|code| Codes::run(code, code + 1)).collect();
        (!codes.is_empty()).then(|| Codes::union(codes.iter()))
    };
    let parts = [piece(part(false)?), piece(part(true)?)];
    let after = map.iter().enumerate().map(|(code, block)| match block {
        block if *block == old => next + u32::from(code as u32 >= at),
        block => *block,
    });
    Some((old, parts, after.collect()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Both columns have a specialization open; one is made, and what was counted for the other still
    /// holds among the smaller classes.
    #[test]
    fn a_split_is_what_a_recount_says(
        rows in prop::collection::vec(prop::collection::vec(0u32..6, 2), 1..40),
        cuts in prop::collection::vec((0usize..2, 1u32..6, 1u32..6), 1..8),
        (k, limit) in (1u64..12, 0u64..6),
    ) {
        let counts = counted(&rows);
        let total = counts.total();
        let mut tips = Tips::new(&counts, &[6, 6]);
        let mut maps = vec![vec![0u32; 6]; 2];
        for (column, at, other_at) in cuts {
            let other = 1 - column;
            let Some((old, parts, after)) = cut(&maps[column], at) else { continue };
            tips.open(column, old, &parts);
            let pending = cut(&maps[other], other_at);
            if let Some((waiting, parts, _)) = &pending {
                tips.open(other, *waiting, parts);
            }
            let told = tips.trial(column, [old].into_iter(), (k, limit));
            let next = maps[column].iter().max().unwrap() + 1;
            tips.apply(column, old, &[next, next + 1]);
            maps[column] = after;
            let sizes = recounted(&counts, &maps);
            prop_assert_eq!(&tips.sizes(), &sizes);
            let expected = judged(&sizes, total, k, limit);
            prop_assert_eq!((told.short_rows, told.anonymity), expected);
            let now = tips.now(k, limit);
            prop_assert_eq!((now.short_rows, now.anonymity), expected);
            if let Some((waiting, _, after)) = pending {
                let told = tips.trial(other, [waiting].into_iter(), (k, limit));
                let mut maps = maps.clone();
                maps[other] = after;
                let expected = judged(&recounted(&counts, &maps), total, k, limit);
                prop_assert_eq!((told.short_rows, told.anonymity), expected);
            }
        }
    }
}

#[test]
fn settings_are_read_and_refused() {
    let read = |text: &str| {
        let table: toml::Value = toml::from_str(text).unwrap();
        build(Some(&table))
            .map(|_| ())
            .map_err(|error| error.message)
    };
    assert_eq!(
        read("information = \"gini\"\nbeneficial-only = true"),
        Ok(())
    );
    assert!(
        read("information = \"charm\"")
            .unwrap_err()
            .contains("charm")
    );
}
