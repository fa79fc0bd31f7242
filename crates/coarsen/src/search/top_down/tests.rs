//! The partition structure against a recount, along random ways down.

use proptest::prelude::*;

use super::*;
use crate::counts::{Counts, Entries, group};

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

proptest! {
    #[test]
    fn a_split_is_what_a_recount_says(
        rows in prop::collection::vec(prop::collection::vec(0u32..6, 2), 1..40),
        cuts in prop::collection::vec((0usize..2, 1u32..6), 1..8),
        (k, limit) in (1u64..12, 0u64..6),
    ) {
        let counts = counted(&rows);
        let mut tips = Tips::new(&counts);
        let mut maps = vec![vec![0u32; 6]; 2];
        for (column, cut) in cuts {
            // Split the block that holds code `cut` into what is below it and the rest.
            let old = maps[column][cut as usize];
            let next = maps[column].iter().max().unwrap() + 1;
            let child_of: Vec<u32> = (0..6).map(|code| u32::from(code >= cut)).collect();
            let told = tips.trial(column, &[(old, 2)], &child_of, (k, limit));
            for code in 0..6 {
                if maps[column][code] == old {
                    maps[column][code] = next + child_of[code];
                }
            }
            tips.apply(column, old, &[next, next + 1], &child_of);
            let sizes = recounted(&counts, &maps);
            prop_assert_eq!(&tips.sizes(), &sizes);
            let short: u64 = sizes.iter().filter(|(size, _)| *size < k).map(|(size, n)| size * n).sum();
            let mut below = 0;
            let smallest = sizes.iter().find(|(size, n)| {
                below += size * n;
                below > limit
            });
            let smallest = smallest.map_or(counts.total(), |(size, _)| *size);
            prop_assert_eq!((told.short_rows, told.anonymity), (short, smallest));
            let now = tips.now(k, limit);
            prop_assert_eq!((now.short_rows, now.anonymity), (short, smallest));
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
