//! Single-dimensional recoding: every column's domain is split into blocks of its own.

use crate::counts::{Classes, Counts, group};
use crate::domain::{Attribute, Partition};

/// One partition a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Partitions {
    /// The partitions, in the order of the columns.
    pub columns: Vec<Partition>,
}

impl Partitions {
    /// Every column at a level of its hierarchy (full-domain generalization).
    pub fn at_levels(attributes: &[Attribute], levels: &[usize]) -> Self {
        let columns = attributes
            .iter()
            .zip(levels)
            .map(|(attribute, level)| Partition::at_level(attribute, *level))
            .collect();
        Partitions { columns }
    }

    /// The classes it makes.
    pub fn classes(&self, counts: &Counts) -> Classes {
        let maps: Vec<&[u32]> = self.columns.iter().map(|p| p.block_of.as_slice()).collect();
        let grouping = group(counts, &maps);
        let mut block_of: Vec<Vec<u32>> = self
            .columns
            .iter()
            .map(|_| vec![0; grouping.classes])
            .collect();
        for (column, map) in maps.iter().enumerate() {
            for (combination, class) in grouping.class_of.iter().enumerate() {
                let code = counts.codes(column)[combination];
                block_of[column][*class as usize] = map[code as usize];
            }
        }
        let blocks = self
            .columns
            .iter()
            .map(|partition| partition.blocks.clone())
            .collect();
        Classes::of_grouping(counts, &grouping, blocks, block_of)
    }
}
