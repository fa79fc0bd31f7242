//! The JSON form of blocks and columns. Values are written as text and read back by their column's
//! type; dates always as ISO 8601.

use serde::{Deserialize, Serialize};

use crate::domain::{Block, Extent, Kind, Value};
use crate::policy::Side;

/// A block as it is saved. Exactly one of `all`, `low` and `high`, `values`, `ranges`, or `missing` alone says
/// what it covers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenBlock {
    label: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    all: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    low: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    high: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ranges: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    missing: bool,
    lm: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
}

impl WrittenBlock {
    pub fn write(block: &Block) -> Self {
        let mut written = WrittenBlock {
            label: block.label.clone(),
            all: false,
            low: None,
            high: None,
            values: Vec::new(),
            ranges: Vec::new(),
            missing: false,
            lm: block.lm,
            height: block.height,
        };
        match &block.extent {
            Extent::All => written.all = true,
            Extent::Missing => written.missing = true,
            Extent::Range { low, high } => {
                written.low = Some(low.text(None));
                written.high = Some(high.text(None));
            }
            Extent::Values { values, missing } => {
                written.values = values.iter().map(|value| value.text(None)).collect();
                written.missing = *missing;
            }
            Extent::Ranges { ranges, missing } => {
                written.ranges = ranges
                    .iter()
                    .map(|(low, high)| (low.text(None), high.text(None)))
                    .collect();
                written.missing = *missing;
            }
        }
        written
    }

    pub fn read(&self, kind: Kind) -> Result<Block, String> {
        let value = |text: &String| {
            Value::read(text, kind, None).ok_or_else(|| {
                format!(
                    "block `{}` holds a value that is not of type {kind}",
                    self.label
                )
            })
        };
        let extent = match (&self.low, &self.high) {
            _ if self.all => Extent::All,
            (Some(low), Some(high)) => Extent::Range {
                low: value(low)?,
                high: value(high)?,
            },
            (None, None) if !self.ranges.is_empty() => Extent::Ranges {
                ranges: self
                    .ranges
                    .iter()
                    .map(|(low, high)| Ok((value(low)?, value(high)?)))
                    .collect::<Result<_, String>>()?,
                missing: self.missing,
            },
            (None, None) if self.values.is_empty() && self.missing => Extent::Missing,
            (None, None) if !self.values.is_empty() => Extent::Values {
                values: self.values.iter().map(value).collect::<Result<_, _>>()?,
                missing: self.missing,
            },
            _ => {
                return Err(format!(
                    "block `{}` does not say what it covers",
                    self.label
                ));
            }
        };
        Ok(Block {
            label: self.label.clone(),
            extent,
            lm: self.lm,
            height: self.height,
        })
    }
}

/// How a masked column hides characters, so that a new code can be masked the same way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenMask {
    pub side: Side,
    pub width: usize,
}

/// Where the codes of a region's tile lie in a column: cut points on the number line, or named values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WrittenSegments {
    /// The least value of every segment, and the greatest of the last.
    Cuts {
        /// Where segments begin.
        from: Vec<String>,
        /// Where the last one ends.
        to: String,
    },
    /// One value a segment.
    Values(Vec<String>),
}

/// A column as it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenColumn {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<WrittenMask>,
    /// For partitions: the blocks of the domain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<WrittenBlock>,
    /// For regions: the segments that tiles are made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segments: Option<WrittenSegments>,
    /// For regions: whether a last segment stands for the missing value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
}

/// A region as it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRegion {
    /// First segment and one past the last, column by column.
    pub tile: Vec<(u32, u32)>,
    /// What was released: it fits tightly around the rows the region was found for.
    pub tight: Vec<WrittenBlock>,
    /// What is released where a new row falls outside the tight block.
    pub wide: Vec<WrittenBlock>,
}
