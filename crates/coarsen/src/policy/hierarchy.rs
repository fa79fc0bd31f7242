//! How the policy describes the tree over a column's domain. Exactly one kind is given, by its key:
//! `file`, `intervals`, `mask`, `dates`, `tree` or `quantiles`.

use std::fmt;

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::listed;
use super::words::words;

/// How to build the tree over a column's domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawHierarchy", into = "RawHierarchy")]
pub enum HierarchySpec {
    /// `{ file = "education.csv" }`: a line a value, from the value to the root (ARX's layout).
    File {
        /// The file, relative to the policy's folder.
        path: String,
    },
    /// `{ intervals = [5, 10, 20] }`: a level a width, each a multiple of the one before.
    Intervals {
        /// The widths, from narrow to wide.
        widths: Vec<f64>,
        /// Where an interval of every width begins (0 where absent).
        origin: f64,
    },
    /// `{ mask = "right" }`: a level a masked character.
    Mask {
        /// The side from which characters are masked.
        side: Side,
        /// How many characters are masked at most before the root; all of them where absent.
        levels: Option<usize>,
    },
    /// `{ dates = ["month", "year"] }`: a level a unit, coarser and coarser.
    Dates {
        /// The units, from fine to coarse.
        units: Vec<DateUnit>,
    },
    /// `{ tree = { "Higher" = ["Masters", "Doctorate"] } }`: the tree itself, under an implied root.
    Tree(TreeSpec),
    /// `{ quantiles = 100 }`: a column of many numbers is cut into as many runs of like counts.
    Quantiles {
        /// The greatest number of runs.
        limit: usize,
    },
}

impl HierarchySpec {
    /// The keys that choose a kind, one of which is given.
    pub const KINDS: &'static [&'static str] =
        &["file", "intervals", "mask", "dates", "tree", "quantiles"];

    /// The key that chooses this kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            HierarchySpec::File { .. } => "file",
            HierarchySpec::Intervals { .. } => "intervals",
            HierarchySpec::Mask { .. } => "mask",
            HierarchySpec::Dates { .. } => "dates",
            HierarchySpec::Tree(_) => "tree",
            HierarchySpec::Quantiles { .. } => "quantiles",
        }
    }
}

words! {
    /// The side from which a mask eats characters.
    Side {
        Right "right" "From the end: 02139, 0213*, 021**.",
        Left "left" "From the beginning: 02139, *2139, **139.",
    }
}

words! {
    /// A unit of the calendar, from fine to coarse.
    DateUnit {
        Day "day" "The day itself.",
        Month "month" "The month of a year.",
        Quarter "quarter" "Three months of a year.",
        Year "year" "The year.",
        Decade "decade" "Ten years, from one that ends in 0.",
    }
}

/// A node of a tree that is written out in the policy, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeSpec {
    /// Named nodes below this one.
    Inner(Vec<(String, TreeSpec)>),
    /// The values below this one.
    Leaves(Vec<String>),
}

impl Serialize for TreeSpec {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            TreeSpec::Leaves(values) => values.serialize(out),
            TreeSpec::Inner(children) => {
                let mut map = out.serialize_map(Some(children.len()))?;
                for (name, child) in children {
                    map.serialize_entry(name, child)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for TreeSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Node;

        impl<'de> Visitor<'de> for Node {
            type Value = TreeSpec;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a table of named nodes or a list of values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TreeSpec, A::Error> {
                let mut children = Vec::new();
                while let Some(child) = map.next_entry()? {
                    children.push(child);
                }
                Ok(TreeSpec::Inner(children))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<TreeSpec, A::Error> {
                let mut values = Vec::new();
                while let Some(Leaf(value)) = list.next_element()? {
                    values.push(value);
                }
                Ok(TreeSpec::Leaves(values))
            }
        }

        from.deserialize_any(Node)
    }
}

/// A value of the column: text, or a whole number, whose digits are the text.
struct Leaf(String);

impl<'de> Deserialize<'de> for Leaf {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Value;

        impl Visitor<'_> for Value {
            type Value = Leaf;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a value of the column: text or a whole number")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Leaf, E> {
                Ok(Leaf(text.to_owned()))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Leaf, E> {
                Ok(Leaf(number.to_string()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Leaf, E> {
                Ok(Leaf(number.to_string()))
            }
        }

        from.deserialize_any(Value)
    }
}

/// [`HierarchySpec`] as it is written: every key of every kind, all of them optional.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a table such as { file = \"education.csv\" } or { intervals = [5, 10, 20] }"
)]
struct RawHierarchy {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intervals: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mask: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dates: Option<Vec<DateUnit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<TreeSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantiles: Option<usize>,
}

impl TryFrom<RawHierarchy> for HierarchySpec {
    type Error = String;

    // A second line is the error's help: see `read`.
    fn try_from(raw: RawHierarchy) -> Result<Self, String> {
        if raw.origin.is_some() && raw.intervals.is_none() {
            return Err(
                "`origin` belongs to `intervals`, which this hierarchy does not give.\n\
                        Write { intervals = [5, 10], origin = 2 }, or remove `origin`."
                    .into(),
            );
        }
        if raw.levels.is_some() && raw.mask.is_none() {
            return Err(
                "`levels` belongs to `mask`, which this hierarchy does not give.\n\
                        Write { mask = \"right\", levels = 2 }, or remove `levels`."
                    .into(),
            );
        }
        let (origin, levels) = (raw.origin.unwrap_or(0.0), raw.levels);
        let kinds = [
            raw.file.map(|path| HierarchySpec::File { path }),
            raw.intervals
                .map(|widths| HierarchySpec::Intervals { widths, origin }),
            raw.mask.map(|side| HierarchySpec::Mask { side, levels }),
            raw.dates.map(|units| HierarchySpec::Dates { units }),
            raw.tree.map(HierarchySpec::Tree),
            raw.quantiles
                .map(|limit| HierarchySpec::Quantiles { limit }),
        ];
        let mut given: Vec<HierarchySpec> = kinds.into_iter().flatten().collect();
        match given.pop() {
            Some(only) if given.is_empty() => Ok(only),
            Some(last) => {
                given.push(last);
                let names: Vec<&str> = given.iter().map(HierarchySpec::kind).collect();
                Err(format!(
                    "This hierarchy is of more than one kind: {}.\n\
                     Keep exactly one of them; a column has one hierarchy.",
                    listed(&names, "and")
                ))
            }
            None => Err(format!(
                "This hierarchy does not say of which kind it is.\n\
                 Give exactly one of {}.",
                listed(HierarchySpec::KINDS, "or")
            )),
        }
    }
}

impl From<HierarchySpec> for RawHierarchy {
    fn from(spec: HierarchySpec) -> Self {
        let mut raw = RawHierarchy::default();
        match spec {
            HierarchySpec::File { path } => raw.file = Some(path),
            HierarchySpec::Intervals { widths, origin } => {
                raw.intervals = Some(widths);
                raw.origin = (origin != 0.0).then_some(origin);
            }
            HierarchySpec::Mask { side, levels } => {
                raw.mask = Some(side);
                raw.levels = levels;
            }
            HierarchySpec::Dates { units } => raw.dates = Some(units),
            HierarchySpec::Tree(tree) => raw.tree = Some(tree),
            HierarchySpec::Quantiles { limit } => raw.quantiles = Some(limit),
        }
        raw
    }
}
