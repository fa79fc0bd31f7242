//! Local recoding: each cell of each row has a level of its own (seed 002's MinGen at cell level).
//!
//! Rows alike may be released differently, so this is no function of the domain and cannot be
//! applied to new rows.

use crate::counts::{Classes, Counts, Member};
use crate::domain::Block;

/// Rows that are released alike.
#[derive(Clone, Debug, PartialEq)]
pub struct CellClass {
    /// What is released for them, column by column.
    pub blocks: Vec<Block>,
    /// The rows: how many of which combination.
    pub members: Vec<Member>,
    /// Whether they are left out, whatever the requirement says of them by themselves.
    pub is_dropped: bool,
}

/// Classes of rows, each with its released cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// The classes.
    pub classes: Vec<CellClass>,
}

impl Cells {
    /// The classes it makes.
    pub fn classes(&self, counts: &Counts) -> Classes {
        let mut offsets = vec![0];
        let mut members = Vec::new();
        for class in &self.classes {
            members.extend_from_slice(&class.members);
            offsets.push(members.len() as u32);
        }
        let columns = counts.attributes();
        let blocks = (0..columns)
            .map(|column| {
                self.classes
                    .iter()
                    .map(|class| class.blocks[column].clone())
                    .collect()
            })
            .collect();
        let block_of = vec![(0..self.classes.len() as u32).collect(); columns];
        let mut classes = Classes::of_members(counts, offsets, members, blocks, block_of);
        for (place, class) in self.classes.iter().enumerate() {
            if class.is_dropped {
                classes.suppress(place);
            }
        }
        classes
    }
}
