//! How each column may be cut, and what is released for the values of a region.
//!
//! Numbers and dates, and names under an `ordered` or `guided-ordered` scheme, are cut at a threshold
//! in the domain's order. Names under any other scheme are cut as seed 001 section 2.2 says: a node
//! of the tree gives way to all of its children at once; without a hierarchy, the root to its values.
//! A missing value is the last code of its column: a threshold may part it from the others, and in a
//! tree it is a child of the root.

use std::ops::Range;

use crate::domain::{Attribute, Block, Code, Measure};
use crate::policy::Scheme;

/// How a column is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cutting {
    /// Between two neighbours.
    Threshold,
    /// A node into its children.
    Children,
}

/// A column as the splits see it.
pub(super) struct Column<'a> {
    pub attribute: &'a Attribute,
    pub cutting: Cutting,
    /// Where each code lies on the number line, for columns that have one.
    positions: Vec<f64>,
    /// The length of the domain: of the number line, or of the list of leaves.
    length: f64,
}

/// Which codes of a column a region holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// The least code.
    pub low: Code,
    /// The greatest code.
    pub high: Code,
    /// Every code as a bit, for columns that are released as sets.
    pub set: u128,
}

impl Held {
    /// Nothing yet.
    pub const NONE: Held = Held {
        low: Code::MAX,
        high: 0,
        set: 0,
    };

    /// With one more code.
    pub fn add(&mut self, code: Code) {
        self.widen(code);
        self.set |= 1u128.checked_shl(code).unwrap_or(0);
    }

    /// With one more code, in a column that is not released as sets.
    pub fn widen(&mut self, code: Code) {
        self.low = self.low.min(code);
        self.high = self.high.max(code);
    }

    /// With all of another's codes.
    pub fn join(&mut self, other: &Held) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        self.set |= other.set;
    }
}

/// Columns of more values are released as runs, not as sets.
const LARGEST_SET: usize = 128;

impl<'a> Column<'a> {
    pub fn of(attribute: &'a Attribute) -> Self {
        let on_a_line = attribute.hierarchy.measure() == Measure::Span;
        let ordered = matches!(
            attribute.settings.scheme,
            Scheme::Ordered | Scheme::GuidedOrdered | Scheme::Set | Scheme::GuidedSet
        );
        let cutting = if on_a_line || ordered {
            Cutting::Threshold
        } else {
            Cutting::Children
        };
        let present = attribute.domain.present();
        let number = |code: usize| {
            let (low, high) = (
                attribute.domain.low(code as Code)?,
                attribute.domain.high(code as Code)?,
            );
            Some((low.number()?, high.number()?))
        };
        let positions: Vec<f64> = match on_a_line {
            true => (0..present)
                .filter_map(|code| Some(number(code)?.0))
                .collect(),
            false => Vec::new(),
        };
        let length = match (positions.first(), present.checked_sub(1).and_then(number)) {
            (Some(first), Some((_, last))) => last - first,
            _ => attribute.domain.size() as f64 - 1.0,
        };
        Column {
            attribute,
            cutting,
            positions,
            length,
        }
    }

    /// Whether what is released in it are sets.
    pub fn is_set(&self) -> bool {
        self.positions.is_empty()
            && self.cutting == Cutting::Threshold
            && self.attribute.domain.size() <= LARGEST_SET
    }

    /// How wide a region is in this column, as a share of the domain.
    pub fn width(&self, held: &Held) -> f64 {
        if self.length <= 0.0 || held.low >= held.high {
            return 0.0;
        }
        match (
            self.positions.get(held.low as usize),
            self.positions.get(held.high as usize),
        ) {
            (Some(low), Some(high)) => (high - low) / self.length,
            // The missing value is as far from all others as can be.
            (Some(_), None) => 1.0,
            _ => f64::from(held.high - held.low) / self.length,
        }
    }

    /// The LM cost of what is released for these codes.
    pub fn cost(&self, held: &Held) -> f64 {
        if held.low >= held.high {
            return 0.0;
        }
        if self.is_set() {
            return f64::from(held.set.count_ones() - 1) / self.length;
        }
        if self.cutting == Cutting::Threshold {
            return self.width(held).min(1.0);
        }
        let node = self.node_over(held);
        f64::from(node.end - node.start - 1) / self.length
    }

    /// The block that fits tightly around these codes.
    pub fn block(&self, held: &Held) -> Block {
        let attribute = self.attribute;
        if self.is_set() {
            let codes: Vec<Code> = (0..attribute.domain.size() as Code)
                .filter(|c| held.set >> c & 1 == 1)
                .collect();
            return attribute.block(&codes);
        }
        match self.cutting {
            Cutting::Threshold => attribute.block_of_span(held.low, held.high + 1),
            Cutting::Children => {
                let node = self.node_over(held);
                attribute.block_of_run(node.start, node.end)
            }
        }
    }

    /// The lowest node that covers these codes.
    fn node_over(&self, held: &Held) -> Range<Code> {
        let levels = self.attribute.hierarchy.levels();
        let node = levels.iter().find_map(|level| {
            let node = level.node_of[held.low as usize];
            (node == level.node_of[held.high as usize]).then(|| &level.nodes[node as usize])
        });
        let node = node.expect("the top covers everything");
        node.first..node.end
    }

    /// The children of the node that a tile is, where it has more than one.
    pub fn children(&self, tile: &Range<Code>) -> Option<Vec<Range<Code>>> {
        let hierarchy = &self.attribute.hierarchy;
        let (level, node) = hierarchy.find(tile.start, tile.end)?;
        let place = hierarchy.level(level).node_of[node.first as usize] as usize;
        let children = hierarchy.children(level, place);
        (children.len() > 1).then(|| {
            children
                .iter()
                .map(|child| child.first..child.end)
                .collect()
        })
    }
}
