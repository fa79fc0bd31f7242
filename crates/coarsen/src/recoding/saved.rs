//! A recoding as a file: versioned JSON that holds blocks and the policy's rules, and not one input
//! row; and its use on a table it was not found for.
//!
//! A value that no block covers was never seen: the policy says whether that is an error, suppresses
//! the row, or releases `*` in that cell.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::writing::{WrittenBlock, WrittenColumn, WrittenMask, WrittenRegion, WrittenSegments};
use super::{Partitions, Recoding, Region, Regions};
use crate::counts::{Classes, Counts};
use crate::domain::hierarchy::masked;
use crate::domain::{Attribute, Block, Code, Extent, Measure, Partition, Value};
use crate::policy::{HierarchySpec, Policy, Unseen};

/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;
const FORMAT: &str = "coarsen-recoding";

/// A recoding that can be written, read and applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRecoding {
    format: String,
    version: u32,
    tool: String,
    kind: String,
    columns: Vec<WrittenColumn>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    regions: Vec<WrittenRegion>,
    /// The rules that the recoding was made under, without paths.
    pub policy: Policy,
}

/// Why a file is not a recoding that can be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is no JSON, or not of this shape.
    #[error("this is not a saved recoding: {0}")]
    NotARecoding(String),
    /// It is of a version that this library does not read.
    #[error(
        "this recoding has version {found}, and this coarsen reads version {VERSION}; make it anew with `coarsen run`, or use the coarsen that wrote it ({tool})"
    )]
    Version {
        /// Its version.
        found: u64,
        /// What wrote it.
        tool: String,
    },
    /// It belongs to the rows it was found for.
    #[error(
        "this recoding is of cells: each row was recoded by itself, so it cannot be applied to other rows; choose an algorithm that makes partitions or regions"
    )]
    Cells,
}

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
    /// The classes; those with values never seen are suppressed where the rule says so.
    pub classes: Classes,
    /// What was never seen.
    pub unseen: Vec<UnseenColumn>,
}

impl SavedRecoding {
    /// Saves a recoding with the policy that it was made under.
    pub fn new(recoding: &Recoding, attributes: &[Attribute], policy: &Policy) -> Self {
        let mut policy = policy.clone();
        policy.input.path.clear();
        policy.output = Default::default();
        let (columns, regions) = match recoding {
            Recoding::Partitions(partitions) => {
                let column = |(attribute, partition): (&Attribute, &Partition)| WrittenColumn {
                    blocks: partition.blocks.iter().map(WrittenBlock::write).collect(),
                    mask: mask_of(attribute, &policy),
                    ..plain(attribute)
                };
                (
                    attributes
                        .iter()
                        .zip(&partitions.columns)
                        .map(column)
                        .collect(),
                    Vec::new(),
                )
            }
            Recoding::Regions(regions) => {
                let column = |attribute: &Attribute| WrittenColumn {
                    segments: Some(segments(attribute)),
                    missing: attribute.domain.missing().is_some(),
                    ..plain(attribute)
                };
                let region = |region: &Region| WrittenRegion {
                    tile: region.tile.iter().map(|run| (run.start, run.end)).collect(),
                    tight: region.blocks.iter().map(WrittenBlock::write).collect(),
                    wide: attributes
                        .iter()
                        .zip(&region.tile)
                        .map(|(attribute, run)| {
                            WrittenBlock::write(&attribute.block_of_tile(run.start, run.end))
                        })
                        .collect(),
                };
                (
                    attributes.iter().map(column).collect(),
                    regions.regions.iter().map(region).collect(),
                )
            }
            Recoding::Cells(_) => (attributes.iter().map(plain).collect(), Vec::new()),
        };
        SavedRecoding {
            format: FORMAT.into(),
            version: VERSION,
            tool: concat!("coarsen ", env!("CARGO_PKG_VERSION")).into(),
            kind: recoding.kind().into(),
            columns,
            regions,
            policy,
        }
    }

    /// The JSON text.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self)
            .expect("a recoding is plain data, which JSON can hold");
        text.push('\n');
        text
    }

    /// Reads a recoding back.
    pub fn from_json(text: &str) -> Result<Self, LoadError> {
        let not = |error: serde_json::Error| LoadError::NotARecoding(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(not)?;
        if value.get("format").and_then(|format| format.as_str()) != Some(FORMAT) {
            return Err(LoadError::NotARecoding(format!(
                "it has no \"format\": \"{FORMAT}\"; give the file that `coarsen run` wrote as output.recoding"
            )));
        }
        let version = value
            .get("version")
            .and_then(|version| version.as_u64())
            .unwrap_or(0);
        if version != u64::from(VERSION) {
            let tool = value
                .get("tool")
                .and_then(|tool| tool.as_str())
                .unwrap_or("unknown");
            return Err(LoadError::Version {
                found: version,
                tool: tool.to_string(),
            });
        }
        let saved: SavedRecoding = serde_json::from_value(value).map_err(not)?;
        match saved.kind.as_str() {
            "cells" => Err(LoadError::Cells),
            "partitions" | "regions" => {
                saved.check().map_err(LoadError::NotARecoding)?;
                Ok(saved)
            }
            other => Err(LoadError::NotARecoding(format!("its kind is `{other}`"))),
        }
    }

    /// `partitions` or `regions`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The names of the quasi-identifiers, in order.
    pub fn columns(&self) -> impl Iterator<Item = (&str, crate::domain::Kind)> {
        self.columns
            .iter()
            .map(|column| (column.name.as_str(), column.kind))
    }

    fn check(&self) -> Result<(), String> {
        for column in &self.columns {
            for block in &column.blocks {
                block.read(column.kind)?;
            }
        }
        for region in &self.regions {
            let widths = [region.tile.len(), region.tight.len(), region.wide.len()];
            if widths != [self.columns.len(); 3] {
                return Err("a region does not speak of every column".into());
            }
            for blocks in [&region.tight, &region.wide] {
                for (column, block) in self.columns.iter().zip(blocks) {
                    block.read(column.kind)?;
                }
            }
        }
        Ok(())
    }

    /// The same recoding with its columns in the order of these attributes.
    ///
    /// # Panics
    /// If they are not the same columns.
    fn in_order_of(&self, attributes: &[Attribute]) -> SavedRecoding {
        let order: Vec<usize> = attributes
            .iter()
            .map(|attribute| {
                let place = self
                    .columns
                    .iter()
                    .position(|column| column.name == attribute.name);
                place.expect("a recoding is bound to the columns that it speaks of")
            })
            .collect();
        let blocks = |blocks: &[WrittenBlock]| order.iter().map(|i| blocks[*i].clone()).collect();
        let region = |region: &WrittenRegion| WrittenRegion {
            tile: order.iter().map(|i| region.tile[*i]).collect(),
            tight: blocks(&region.tight),
            wide: blocks(&region.wide),
        };
        SavedRecoding {
            columns: order.iter().map(|i| self.columns[*i].clone()).collect(),
            regions: self.regions.iter().map(region).collect(),
            ..self.clone()
        }
    }

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
        let mut classes = Partitions { columns }.classes(counts);
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
        Ok(Bound { classes, unseen })
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
            let finder = SegmentFinder::new(column);
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
        let mut regions: Vec<Region> = self
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
        // Rows with a value never seen have a region of their own, which is suppressed.
        let nowhere = regions.len() as u32;
        regions.push(Region {
            tile: vec![Code::MAX..Code::MAX; self.columns.len()],
            blocks: self.columns.iter().map(|_| Block::suppressed()).collect(),
        });
        let segments: Vec<Vec<Code>> = segment_of
            .iter()
            .enumerate()
            .map(|(place, segment_of)| {
                let of = |code: &Code| segment_of[*code as usize].unwrap_or(Code::MAX - 1);
                counts.codes(place).iter().map(of).collect()
            })
            .collect();
        let views: Vec<&[Code]> = segments.iter().map(Vec::as_slice).collect();
        let mut all = Regions { regions };
        let region_of: Vec<u32> = all
            .locate(&views, counts.combinations())
            .into_iter()
            .map(|region| region.unwrap_or(nowhere))
            .collect();
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
        Ok(Bound { classes, unseen })
    }
}

fn plain(attribute: &Attribute) -> WrittenColumn {
    WrittenColumn {
        name: attribute.name.clone(),
        kind: attribute.domain.kind(),
        mask: None,
        blocks: Vec::new(),
        segments: None,
        missing: false,
    }
}

fn mask_of(attribute: &Attribute, policy: &Policy) -> Option<WrittenMask> {
    match policy.columns.get(&attribute.name)?.hierarchy.as_ref()? {
        HierarchySpec::Mask { side, .. } => {
            let width = |code: Code| attribute.domain.text(code).chars().count();
            let width = (0..attribute.domain.present() as Code).map(width).max()?;
            Some(WrittenMask { side: *side, width })
        }
        _ => None,
    }
}

fn segments(attribute: &Attribute) -> WrittenSegments {
    let domain = &attribute.domain;
    let present = 0..domain.present() as Code;
    let texts = present
        .filter_map(|code| Some(domain.low(code)?.text(None)))
        .collect();
    match attribute.hierarchy.measure() {
        Measure::Leaves => WrittenSegments::Values(texts),
        Measure::Span => WrittenSegments::Cuts {
            from: texts,
            to: (domain.present() as Code)
                .checked_sub(1)
                .and_then(|last| domain.high(last))
                .map_or(String::new(), |value| value.text(None)),
        },
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
        .filter(|(block, _)| block.is_none());
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

/// Finds the block that covers a value.
struct Locator<'a> {
    values: FxHashMap<&'a Value, u32>,
    /// Ranges by their least value.
    ranges: Vec<(&'a Value, &'a Value, u32)>,
    labels: FxHashMap<&'a str, u32>,
    mask: Option<WrittenMask>,
    missing: Option<u32>,
    all: Option<u32>,
}

impl<'a> Locator<'a> {
    fn new(blocks: &'a [Block], column: &WrittenColumn) -> Self {
        let mut locator = Locator {
            values: FxHashMap::default(),
            ranges: Vec::new(),
            labels: FxHashMap::default(),
            mask: column.mask,
            missing: None,
            all: None,
        };
        for (place, block) in blocks.iter().enumerate() {
            let place = place as u32;
            match &block.extent {
                Extent::All => locator.all = Some(place),
                Extent::Missing => locator.missing = Some(place),
                Extent::Range { low, high } => locator.ranges.push((low, high, place)),
                Extent::Values { values, missing } => {
                    locator
                        .values
                        .extend(values.iter().map(|value| (value, place)));
                    if *missing {
                        locator.missing = Some(place);
                    }
                }
                Extent::Ranges { ranges, missing } => {
                    locator
                        .ranges
                        .extend(ranges.iter().map(|(low, high)| (low, high, place)));
                    if *missing {
                        locator.missing = Some(place);
                    }
                }
            }
            if locator.mask.is_some() && !block.is_exact() {
                locator.labels.insert(&block.label, place);
            }
        }
        locator.ranges.sort_unstable();
        locator
    }

    fn block(&self, value: Option<&Value>) -> Option<u32> {
        let Some(value) = value else {
            return self.missing.or(self.all);
        };
        if let Some(block) = self.values.get(value) {
            return Some(*block);
        }
        let after = self.ranges.partition_point(|(low, _, _)| *low <= value);
        if let Some((_, high, block)) = after.checked_sub(1).map(|place| &self.ranges[place])
            && value <= *high
        {
            return Some(*block);
        }
        self.by_mask(value).or(self.all)
    }

    /// A code never seen whose masked form is a block's name belongs to that block.
    fn by_mask(&self, value: &Value) -> Option<u32> {
        let mask = self.mask?;
        let text = value.text(None);
        if text.chars().count() > mask.width {
            return None;
        }
        (1..mask.width)
            .find_map(|hidden| {
                self.labels
                    .get(masked(&text, mask.side, mask.width, hidden).as_str())
            })
            .copied()
    }
}

/// Finds the segment of a region's column that holds a value.
struct SegmentFinder {
    cuts: Vec<Value>,
    last: Option<Value>,
    values: FxHashMap<Value, u32>,
    missing: Option<u32>,
}

impl SegmentFinder {
    fn new(column: &WrittenColumn) -> Self {
        let read = |text: &String| Value::read(text, column.kind, None);
        let mut finder = SegmentFinder {
            cuts: Vec::new(),
            last: None,
            values: FxHashMap::default(),
            missing: None,
        };
        let mut segments = 0;
        match &column.segments {
            Some(WrittenSegments::Cuts { from, to }) => {
                finder.cuts = from.iter().filter_map(read).collect();
                finder.last = read(to);
                segments = finder.cuts.len() as u32;
            }
            Some(WrittenSegments::Values(values)) => {
                let values = values.iter().filter_map(read);
                finder.values = values
                    .enumerate()
                    .map(|(i, value)| (value, i as u32))
                    .collect();
                segments = finder.values.len() as u32;
            }
            None => {}
        }
        finder.missing = column.missing.then_some(segments);
        finder
    }

    fn segment(&self, value: Option<&Value>) -> Option<u32> {
        let Some(value) = value else {
            return self.missing;
        };
        if let Some(last) = &self.last {
            let after = self.cuts.partition_point(|from| from <= value);
            return (value <= last)
                .then(|| after.checked_sub(1).map(|s| s as u32))
                .flatten();
        }
        self.values.get(value).copied()
    }
}
