//! The order of the release: by what it shows, numbers by size, names by the alphabet.

use std::cmp::Ordering;

use coarsen::domain::{Block, Extent};

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
pub(super) fn places(count: usize, compare: impl Fn(usize, usize) -> Ordering) -> (Vec<u32>, u32) {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
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
