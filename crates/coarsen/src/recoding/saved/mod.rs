//! A recoding as a file: versioned JSON that holds blocks and the policy's rules, and not one input
//! row. Its use on a table it was not found for is in `bind`.

mod bind;
mod locate;

pub use bind::{Bound, UnseenColumn, UnseenError};

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::writing::{WrittenBlock, WrittenColumn, WrittenMask, WrittenRegion, WrittenSegments};
use super::{Recoding, Region};
use crate::domain::{Attribute, Code, Measure, Partition};
use crate::policy::{HierarchySpec, Policy};
use locate::SegmentFinder;

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
                // Thousands of regions share few runs of each column, and a run of names has a long label.
                let mut known = vec![FxHashMap::default(); attributes.len()];
                let mut wide = |(place, run): (usize, &Range<Code>)| {
                    let write = || {
                        let block = attributes[place].block_of_tile(run.start, run.end);
                        WrittenBlock::write(&block)
                    };
                    let known: &mut FxHashMap<_, _> = &mut known[place];
                    let block: &mut WrittenBlock =
                        known.entry((run.start, run.end)).or_insert_with(write);
                    block.clone()
                };
                let region = |region: &Region| WrittenRegion {
                    tile: region.tile.iter().map(|run| (run.start, run.end)).collect(),
                    tight: region.blocks.iter().map(WrittenBlock::write).collect(),
                    wide: region.tile.iter().enumerate().map(&mut wide).collect(),
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

    /// The same recoding with every region's wide blocks as its tight ones: what becomes of a row then
    /// depends on that row alone, not on the others that it is recoded with.
    #[must_use]
    pub fn with_wide_blocks(&self) -> Self {
        let mut wide = self.clone();
        for region in &mut wide.regions {
            region.tight = region.wide.clone();
        }
        wide
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

    /// What is used later without another look: blocks, segments and tiles.
    fn check(&self) -> Result<(), String> {
        let is_regions = self.kind == "regions";
        let mut segments = Vec::new();
        for column in &self.columns {
            if is_regions {
                segments.push(SegmentFinder::read(column)?.segments());
            } else if column.blocks.is_empty() {
                return Err(format!("column `{}` has no blocks", column.name));
            }
            for block in &column.blocks {
                block.read(column.kind)?;
            }
        }
        for region in self.regions.iter().filter(|_| is_regions) {
            let widths = [region.tile.len(), region.tight.len(), region.wide.len()];
            if widths != [self.columns.len(); 3] {
                return Err("a region does not speak of every column".into());
            }
            for ((first, end), (column, segments)) in
                region.tile.iter().zip(self.columns.iter().zip(&segments))
            {
                if first >= end || end > segments {
                    return Err(format!(
                        "a region covers segments {first} to {end} of column `{}`, which has {segments}",
                        column.name
                    ));
                }
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
            let texts = (0..attribute.domain.present() as Code)
                .filter_map(|code| Some(attribute.domain.low(code)?.text(None)));
            let width = texts.map(|text| text.chars().count()).max()?;
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
