//! What a generalization does for requirements beyond k: the gain P(G) is then the rows of classes
//! that fall short and would be merged with another class.
//!
//! The paper knows k-anonymity only. Any monotone requirement is met by merging classes, and none by
//! leaving the failing ones alone, so a generalization that merges many rows that fall short is to
//! the purpose; whether it suffices is seen after it was made.

use rustc_hash::FxHashSet;

use super::column::Column;
use crate::counts::{Classes, Counts};

/// Column, place among its moves, and rows of suppressed classes that find a partner; without those
/// that help none.
pub(super) fn gains(
    counts: &Counts,
    columns: &[Column],
    classes: &Classes,
) -> Vec<(usize, usize, u64)> {
    let maps = super::plain::maps(columns);
    let vid = |class: usize| -> Vec<u32> {
        let combination = classes.members(class)[0].combination as usize;
        let pieces = maps.iter().enumerate();
        pieces
            .map(|(column, map)| map[counts.codes(column)[combination] as usize])
            .collect()
    };
    let groups_of: Vec<_> = columns.iter().map(Column::groups_of).collect();
    let all: FxHashSet<Vec<u32>> = (0..classes.len()).map(vid).collect();
    let mut rows: Vec<Vec<u64>> = columns.iter().map(|c| vec![0; c.moves.len()]).collect();
    for class in (0..classes.len()).filter(|class| classes.is_suppressed(*class)) {
        let mut tried = vid(class);
        for (column, held) in columns.iter().enumerate() {
            let own = tried[column];
            for (place, group) in &groups_of[column][own as usize] {
                let place = *place as usize;
                let partner = held.moves[place].groups[*group as usize].children.iter();
                let found = partner.filter(|label| **label != own).any(|label| {
                    tried[column] = *label;
                    all.contains(&tried)
                });
                tried[column] = own;
                if found {
                    rows[column][place] += classes.rows()[class];
                }
            }
        }
    }
    let of_column = |(column, rows): (usize, Vec<u64>)| {
        let places = rows.into_iter().enumerate();
        places.map(move |(place, rows)| (column, place, rows))
    };
    let all = rows.into_iter().enumerate().flat_map(of_column);
    all.filter(|(_, _, rows)| *rows > 0).collect()
}
