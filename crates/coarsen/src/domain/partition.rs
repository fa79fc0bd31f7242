//! A partition of one column's domain into blocks, and the block: what is released in a value's
//! place, what it covers, and what that costs.

use super::{Attribute, Code, Value};

/// What values a block covers. A released value always contains the true one.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// Everything, the missing value too: the suppressed top.
    All,
    /// The missing value alone.
    Missing,
    /// All values from `low` to `high`, both included.
    Range {
        /// The least value.
        low: Value,
        /// The greatest value.
        high: Value,
    },
    /// These values, and the missing one where `missing` says so.
    Values {
        /// The values, in the order of the domain.
        values: Vec<Value>,
        /// Whether the missing value is among them.
        missing: bool,
    },
    /// The values of several bins, and the missing one where `missing` says so.
    Ranges {
        /// The least and greatest value of each bin, in the order of the domain.
        ranges: Vec<(Value, Value)>,
        /// Whether the missing value is among them.
        missing: bool,
    },
}

impl Extent {
    /// Whether a value (`None`: the missing one) lies inside.
    pub fn contains(&self, value: Option<&Value>) -> bool {
        match (self, value) {
            (Extent::All, _) | (Extent::Missing, None) => true,
            (Extent::Missing, Some(_)) | (Extent::Range { .. }, None) => false,
            (Extent::Range { low, high }, Some(value)) => low <= value && value <= high,
            (Extent::Values { values, .. }, Some(value)) => values.contains(value),
            (Extent::Ranges { ranges, .. }, Some(value)) => ranges
                .iter()
                .any(|(low, high)| low <= value && value <= high),
            (Extent::Values { missing, .. } | Extent::Ranges { missing, .. }, None) => *missing,
        }
    }
}

/// A set of values that are released alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What is written in their place: `20..39`, a node's name, `{a|b}`, `*`; empty for a missing value.
    pub label: String,
    /// What it covers.
    pub extent: Extent,
    /// Its LM cost, 0 for a single value to 1 for the whole domain (seed 000, section 3).
    pub lm: f64,
    /// Its share of the hierarchy's height, where it is a node (seed 002, definition 5).
    pub height: Option<f64>,
}

impl Block {
    /// The block of a suppressed cell.
    pub fn suppressed() -> Self {
        Block {
            label: super::SUPPRESSED.into(),
            extent: Extent::All,
            lm: 1.0,
            height: Some(1.0),
        }
    }

    /// Whether it tells nothing.
    pub fn is_suppressed(&self) -> bool {
        self.extent == Extent::All
    }

    /// Whether it is one value, released as it is. (A coarser name that happens to cover one value
    /// only is not.)
    pub fn is_exact(&self) -> bool {
        let is_one = match &self.extent {
            Extent::All | Extent::Ranges { .. } => false,
            Extent::Missing => true,
            Extent::Range { low, high } => low == high,
            Extent::Values { values, missing } => values.len() + usize::from(*missing) == 1,
        };
        is_one && self.height == Some(0.0)
    }
}

/// One column's domain in blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// The block of each code.
    pub block_of: Vec<u32>,
    /// The blocks, ordered by their first code.
    pub blocks: Vec<Block>,
}

impl Partition {
    /// The partition that a level of the column's hierarchy makes.
    pub fn at_level(attribute: &Attribute, level: usize) -> Self {
        let nodes = attribute.hierarchy.level(level);
        let blocks = nodes
            .nodes
            .iter()
            .map(|node| attribute.block_of_node(level, node))
            .collect();
        Partition {
            block_of: nodes.node_of.clone(),
            blocks,
        }
    }

    /// A partition into given sets of codes, which must cover the domain once.
    ///
    /// # Panics
    /// If the sets overlap or leave a code out.
    pub fn of_sets(attribute: &Attribute, mut sets: Vec<Vec<Code>>) -> Self {
        for set in &mut sets {
            set.sort_unstable();
        }
        sets.sort_unstable();
        let mut block_of = vec![u32::MAX; attribute.domain.size()];
        for (block, set) in sets.iter().enumerate() {
            for code in set {
                let place = &mut block_of[*code as usize];
                assert_eq!(*place, u32::MAX, "code {code} is in two blocks");
                *place = block as u32;
            }
        }
        assert!(
            !block_of.contains(&u32::MAX),
            "a partition covers the whole domain"
        );
        Partition {
            block_of,
            blocks: sets.iter().map(|set| attribute.block(set)).collect(),
        }
    }

    /// The block of a code.
    pub fn block(&self, code: Code) -> &Block {
        &self.blocks[self.block_of[code as usize] as usize]
    }

    /// Whether every value is released as it is.
    pub fn is_identity(&self) -> bool {
        self.blocks.iter().all(Block::is_exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::hierarchy::{Description, RawColumn, build};
    use crate::domain::{AttributeSettings, SUPPRESSED};

    fn letters() -> Attribute {
        let cells = ["a", "b", "c", ""].map(|c| (!c.is_empty()).then(|| Value::Text(c.into())));
        let column = RawColumn {
            name: "q",
            cells: &cells,
            rows: &[1; 4],
        };
        let built = build(column, Description::default()).unwrap();
        Attribute {
            name: "q".into(),
            domain: built.domain,
            hierarchy: built.hierarchy,
            settings: AttributeSettings::default(),
        }
    }

    #[test]
    fn an_extent_contains_what_it_speaks_of() {
        let [one, five, nine] = [1, 5, 9].map(Value::Integer);
        let range = Extent::Range {
            low: one.clone(),
            high: five.clone(),
        };
        let values = |missing| Extent::Values {
            values: vec![one.clone(), nine.clone()],
            missing,
        };
        let ranges = |missing| Extent::Ranges {
            ranges: vec![(one.clone(), one.clone()), (five.clone(), nine.clone())],
            missing,
        };
        // Each with 1, 3, 5, 7, 9 and the missing value.
        for (extent, inside) in [
            (Extent::All, "1 3 5 7 9 missing"),
            (Extent::Missing, "missing"),
            (range, "1 3 5"),
            (values(false), "1 9"),
            (values(true), "1 9 missing"),
            (ranges(false), "1 5 7 9"),
            (ranges(true), "1 5 7 9 missing"),
        ] {
            let held = |word: &&str| {
                let value = word.parse().ok().map(Value::Integer);
                extent.contains(value.as_ref())
            };
            let words = ["1", "3", "5", "7", "9", "missing"];
            let held: Vec<&str> = words.into_iter().filter(held).collect();
            assert_eq!(held.join(" "), inside, "{extent:?}");
        }
    }

    #[test]
    fn levels_and_sets_cover_the_domain() {
        let column = letters();
        let leaves = Partition::at_level(&column, 0);
        assert!(leaves.is_identity());
        assert_eq!(leaves.block_of, [0, 1, 2, 3]);
        assert_eq!(leaves.block(3).extent, Extent::Missing);
        let top = Partition::at_level(&column, 1);
        assert!(!top.is_identity() && top.block(3).is_suppressed());
        assert_eq!(
            (top.blocks.len(), top.blocks[0].label.as_str()),
            (1, SUPPRESSED)
        );

        let sets = Partition::of_sets(&column, vec![vec![3, 1], vec![2, 0]]);
        // Ordered by their first code: {a, c}, then {b, missing}.
        assert_eq!(sets.block_of, [0, 1, 0, 1]);
        let labels: Vec<&str> = sets.blocks.iter().map(|b| b.label.as_str()).collect();
        assert_eq!(labels, ["{a|c}", "{b|missing}"]);
        assert!(!sets.is_identity());
        assert!(Partition::of_sets(&column, (0..4).map(|c| vec![c]).collect()).is_identity());
    }

    #[test]
    #[should_panic(expected = "code 1 is in two blocks")]
    fn sets_may_not_overlap() {
        Partition::of_sets(&letters(), vec![vec![0, 1], vec![1, 2, 3]]);
    }

    #[test]
    #[should_panic(expected = "covers the whole domain")]
    fn sets_leave_nothing_out() {
        Partition::of_sets(&letters(), vec![vec![0, 1], vec![3]]);
    }
}
