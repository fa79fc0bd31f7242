//! Where a value lies in a saved recoding: in a block of a partition, in a segment of a region.

use rustc_hash::FxHashMap;

use crate::domain::hierarchy::masked;
use crate::domain::{Block, Extent, Value};
use crate::recoding::writing::{WrittenColumn, WrittenMask, WrittenSegments};

/// Finds the block that covers a value.
pub(super) struct Locator<'a> {
    values: FxHashMap<&'a Value, u32>,
    /// Ranges by their least value.
    ranges: Vec<(&'a Value, &'a Value, u32)>,
    labels: FxHashMap<&'a str, u32>,
    mask: Option<WrittenMask>,
    missing: Option<u32>,
    all: Option<u32>,
}

impl<'a> Locator<'a> {
    pub fn new(blocks: &'a [Block], column: &WrittenColumn) -> Self {
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

    pub fn block(&self, value: Option<&Value>) -> Option<u32> {
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
pub(super) struct SegmentFinder {
    cuts: Vec<Value>,
    last: Option<Value>,
    values: FxHashMap<Value, u32>,
    missing: Option<u32>,
}

impl SegmentFinder {
    /// Reads a column's segments; the error says what is wrong with them.
    pub fn read(column: &WrittenColumn) -> Result<Self, String> {
        let wrong = |what: &str| format!("the segments of column `{}` {what}", column.name);
        let read = |text: &String| {
            Value::read(text, column.kind, None)
                .ok_or_else(|| wrong(&format!("hold a value that is not of type {}", column.kind)))
        };
        let mut finder = SegmentFinder {
            cuts: Vec::new(),
            last: None,
            values: FxHashMap::default(),
            missing: None,
        };
        let segments = match &column.segments {
            Some(WrittenSegments::Cuts { from, to }) => {
                finder.cuts = from.iter().map(read).collect::<Result<_, _>>()?;
                if !from.is_empty() {
                    finder.last = Some(read(to)?);
                }
                let rising = finder.cuts.windows(2).all(|pair| pair[0] < pair[1]);
                if !rising || finder.cuts.last() > finder.last.as_ref() {
                    return Err(wrong("do not rise"));
                }
                from.len()
            }
            Some(WrittenSegments::Values(values)) => {
                for (segment, text) in values.iter().enumerate() {
                    if finder.values.insert(read(text)?, segment as u32).is_some() {
                        return Err(wrong("hold a value twice"));
                    }
                }
                values.len()
            }
            None => return Err(wrong("are not there")),
        };
        finder.missing = column.missing.then_some(segments as u32);
        Ok(finder)
    }

    /// How many segments there are, the missing value's included.
    pub fn segments(&self) -> u32 {
        (self.cuts.len() + self.values.len()) as u32 + u32::from(self.missing.is_some())
    }

    pub fn segment(&self, value: Option<&Value>) -> Option<u32> {
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
