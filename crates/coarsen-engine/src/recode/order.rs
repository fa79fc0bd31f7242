//! The order of the release: by what it shows, numbers by size, names by the alphabet.

use std::cmp::Ordering;

use coarsen::counts::Classes;
use coarsen::domain::{Block, Extent};
use rayon::prelude::*;

/// Numbers by size, names by the alphabet, what is missing or suppressed last. Equal is what is
/// released alike.
pub(super) fn compare_blocks(a: &Block, b: &Block) -> Ordering {
    let kind = |block: &Block| match block.extent {
        Extent::Range { .. } => 0,
        Extent::Values { .. } | Extent::Ranges { .. } => 1,
        Extent::Missing => 2,
        Extent::All => 3,
    };
    if a.label == b.label {
        return Ordering::Equal;
    }
    kind(a)
        .cmp(&kind(b))
        .then_with(|| match (&a.extent, &b.extent) {
            (
                Extent::Range {
                    low: a_low,
                    high: a_high,
                },
                Extent::Range {
                    low: b_low,
                    high: b_high,
                },
            ) => a_low
                .cmp(b_low)
                .then(a_high.cmp(b_high))
                .then_with(|| a.label.cmp(&b.label)),
            _ => a.label.cmp(&b.label),
        })
}

/// The place of each thing in an order; what is equal shares a place. Also how many places there are.
pub(super) fn places(
    count: usize,
    compare: impl Fn(usize, usize) -> Ordering + Sync,
) -> (Vec<u32>, u32) {
    let mut order: Vec<usize> = (0..count).collect();
    order.par_sort_by(|a, b| compare(*a, *b));
    let mut places = vec![0; count];
    let mut place = 0;
    for pair in 1..count {
        if compare(order[pair - 1], order[pair]) != Ordering::Equal {
            place += 1;
        }
        places[order[pair]] = place;
    }
    (places, if count == 0 { 0 } else { place + 1 })
}

/// The place of each class in the release's order. Classes that show the same share a place, for
/// their order must not tell them apart; suppressed ones come last.
pub(super) fn ranks(classes: &Classes, columns: usize) -> Vec<u64> {
    let by_column: Vec<Vec<u32>> = (0..columns)
        .map(|column| {
            let blocks = classes.blocks(column);
            places(blocks.len(), |a, b| compare_blocks(&blocks[a], &blocks[b])).0
        })
        .collect();
    let compare = |a: usize, b: usize| -> Ordering {
        let suppressed = classes.is_suppressed(a).cmp(&classes.is_suppressed(b));
        if suppressed != Ordering::Equal || classes.is_suppressed(a) {
            return suppressed;
        }
        by_column
            .iter()
            .enumerate()
            .map(|(column, places)| {
                let place = |class: usize| places[classes.block_of(column)[class] as usize];
                place(a).cmp(&place(b))
            })
            .find(|order| *order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    };
    let (places, _) = places(classes.len(), compare);
    places.into_iter().map(u64::from).collect()
}
