//! A saved recoding tied to a table it was not found for.
//!
//! A value that no block covers was never seen: the policy says whether that is an error, suppresses
//! the row, or releases `*` in that cell.

use serde::Serialize;

use super::SavedRecoding;
use super::locate::{Locator, SegmentFinder};
use crate::counts::{Classes, Counts};
use crate::domain::{Attribute, Block, Code, Partition, Value};
use crate::policy::Unseen;
use crate::recoding::writing::{WrittenBlock, WrittenColumn};
use crate::recoding::{Partitions, Recoding, Region, Regions};

/// Values that no block covers, under the rule that makes them an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", columns.iter().map(|c| format!("column `{}` has {} value{} in {} row{} that the recoding has never seen", c.column, c.values, plural(c.values), c.rows, plural(c.rows))).collect::<Vec<_>>().join("; "))]
pub struct UnseenError {
    /// The columns with such values.
    pub columns: Vec<UnseenColumn>,
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// How much of a column was never seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnseenColumn {
    /// The column.
    pub column: String,
    /// Distinct values.
    pub values: u64,
    /// Rows that hold them.
    pub rows: u64,
}

/// A saved recoding tied to a new table.
#[derive(Debug)]
pub struct Bound {
    /// The recoding, over the new table's codes.
    pub recoding: Recoding,
    /// The classes; those with values never seen are suppressed where the rule says so.
    pub classes: Classes,
    /// What was never seen.
    pub unseen: Vec<UnseenColumn>,
}

impl SavedRecoding {
    /// Ties the recoding to a new table with the same columns, in whatever order.
    pub fn bind(
        &self,
        attributes: &[Attribute],
        counts: &Counts,
        rule: Unseen,
    ) -> Result<Bound, UnseenError> {
        let ordered = self.in_order_of(attributes);
        match self.kind.as_str() {
            "regions" => ordered.bind_regions(attributes, counts, rule),
            _ => ordered.bind_partitions(attributes, counts, rule),
        }
    }

    /// The block of each value in a column of partitions, by its place; `None` where no block covers
    /// it. For those who ask about single rows rather than about a table that is released.
    ///
    /// # Panics
    /// If the recoding is not of partitions, or has no such column.
    pub fn blocks_of(&self, column: usize, values: &[Option<Value>]) -> Vec<Option<u32>> {
        assert_eq!(self.kind, "partitions");
        let column = &self.columns[column];
        let blocks = read_blocks(&column.blocks, column);
        let locator = Locator::new(&blocks, column);
        let place = |value: &Option<Value>| locator.block(value.as_ref());
        values.iter().map(place).collect()
    }

    fn bind_partitions(
        &self,
        attributes: &[Attribute],
        counts: &Counts,
        rule: Unseen,
    ) -> Result<Bound, UnseenError> {
        let mut unseen = Vec::new();
        let mut never: Vec<Option<u32>> = Vec::new();
        let mut columns = Vec::new();
        for (place, (column, attribute)) in self.columns.iter().zip(attributes).enumerate() {
            let mut blocks = read_blocks(&column.blocks, column);
            let locator = Locator::new(&blocks, column);
            let found: Vec<Option<u32>> =
                codes(attribute).map(|value| locator.block(value)).collect();
            drop(locator);
            note_unseen(attribute, place, counts, &found, &mut unseen);
            let fallback = found.contains(&None).then_some(blocks.len() as u32);
            if fallback.is_some() {
                blocks.push(Block::suppressed());
            }
            let block_of = found
                .into_iter()
                .map(|block| {
                    block
                        .or(fallback)
                        .expect("a fallback exists where one is needed")
                })
                .collect();
            never.push(fallback);
            columns.push(Partition { block_of, blocks });
        }
        if rule == Unseen::Error && !unseen.is_empty() {
            return Err(UnseenError { columns: unseen });
        }
        let partitions = Partitions { columns };
        let mut classes = partitions.classes(counts);
        if rule == Unseen::Suppress {
            for class in 0..classes.len() {
                let is_new = |(place, never): (usize, &Option<u32>)| {
                    Some(classes.block_of(place)[class]) == *never
                };
                if never.iter().enumerate().any(is_new) {
                    classes.suppress(class);
                }
            }
        }
        Ok(Bound {
            recoding: Recoding::Partitions(partitions),
            classes,
            unseen,
        })
    }

    /// A region needs every column's value to be found, so there a value never seen suppresses the
    /// row under both lenient rules.
    fn bind_regions(
        &self,
        attributes: &[Attribute],
        counts: &Counts,
        rule: Unseen,
    ) -> Result<Bound, UnseenError> {
        let mut unseen = Vec::new();
        let mut segment_of: Vec<Vec<Option<u32>>> = Vec::new();
        for (place, (column, attribute)) in self.columns.iter().zip(attributes).enumerate() {
            let finder = SegmentFinder::read(column).expect("loading checked the segments");
            let found: Vec<Option<u32>> = codes(attribute)
                .map(|value| finder.segment(value))
                .collect();
            note_unseen(attribute, place, counts, &found, &mut unseen);
            segment_of.push(found);
        }
        if rule == Unseen::Error && !unseen.is_empty() {
            return Err(UnseenError { columns: unseen });
        }
        let read = |blocks: &[WrittenBlock]| -> Vec<Block> {
            self.columns
                .iter()
                .zip(blocks)
                .map(|(column, block)| {
                    block
                        .read(column.kind)
                        .expect("loading checked every block")
                })
                .collect()
        };
        let regions: Vec<Region> = self
            .regions
            .iter()
            .map(|region| Region {
                tile: region
                    .tile
                    .iter()
                    .map(|(first, end)| *first..*end)
                    .collect(),
                blocks: read(&region.tight),
            })
            .collect();
        let segments: Vec<Vec<Code>> = segment_of
            .iter()
            .enumerate()
            .map(|(place, segment_of)| {
                let of = |code: &Code| segment_of[*code as usize].unwrap_or(Code::MAX - 1);
                counts.codes(place).iter().map(of).collect()
            })
            .collect();
        let views: Vec<&[Code]> = segments.iter().map(Vec::as_slice).collect();
        let mut all = Regions::from(regions);
        // Rows with a value never seen have a region of their own, which is suppressed.
        let nowhere = all.regions.len() as u32;
        let region_of: Vec<u32> = all
            .locate(&views, counts.combinations())
            .into_iter()
            .map(|region| region.unwrap_or(nowhere))
            .collect();
        all.regions.push(Region {
            tile: Vec::new(),
            blocks: self.columns.iter().map(|_| Block::suppressed()).collect(),
        });
        // A class has one label: where one of its rows lies outside the tight block, all get the wide.
        let wide: Vec<Vec<Block>> = self
            .regions
            .iter()
            .map(|region| read(&region.wide))
            .collect();
        let values: Vec<Vec<Option<&Value>>> = attributes
            .iter()
            .map(|attribute| codes(attribute).collect())
            .collect();
        for (combination, region) in region_of.iter().enumerate().filter(|(_, r)| **r != nowhere) {
            for (place, values) in values.iter().enumerate() {
                let value = values[counts.codes(place)[combination] as usize];
                let block = &mut all.regions[*region as usize].blocks[place];
                if !block.extent.contains(value) {
                    *block = wide[*region as usize][place].clone();
                }
            }
        }
        let mut classes = all.classes_of(counts, &region_of, |region, column| {
            all.regions[region].blocks[column].clone()
        });
        for class in 0..classes.len() {
            let first = classes.members(class)[0].combination;
            if region_of[first as usize] == nowhere {
                classes.suppress(class);
            }
        }
        Ok(Bound {
            recoding: Recoding::Regions(all),
            classes,
            unseen,
        })
    }
}

/// The values of a column's codes in turn; `None` is the missing one.
fn codes(attribute: &Attribute) -> impl Iterator<Item = Option<&Value>> {
    (0..attribute.domain.size() as Code).map(|code| attribute.domain.low(code))
}

fn note_unseen(
    attribute: &Attribute,
    place: usize,
    counts: &Counts,
    found: &[Option<u32>],
    unseen: &mut Vec<UnseenColumn>,
) {
    let marginal = counts.marginal(place, attribute.domain.size());
    let missed = found
        .iter()
        .zip(&marginal)
        .filter(|(block, rows)| block.is_none() && **rows > 0);
    let (values, rows) = missed.fold((0, 0), |(values, rows), (_, r)| (values + 1, rows + r));
    if values > 0 {
        unseen.push(UnseenColumn {
            column: attribute.name.clone(),
            values,
            rows,
        });
    }
}

fn read_blocks(blocks: &[WrittenBlock], column: &WrittenColumn) -> Vec<Block> {
    blocks
        .iter()
        .map(|block| {
            block
                .read(column.kind)
                .expect("loading checked every block")
        })
        .collect()
}
