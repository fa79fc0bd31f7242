//! What a released label covers, so that the rows of a release can be set beside raw values.
//!
//! The labels may be ours (`20..39`, `{a|b}`, `0213*`, `*`, a node's name, an empty cell for a
//! missing value) or those of other tools: ARX writes `[20, 40[` and `{a, b}`, anjana `[20-40]`,
//! others `20-40`, `<=40` or `90+`. A text that is none of these covers itself. Where a notation is
//! in doubt the narrower reading is taken: it counts fewer people, so the risk is not understated.

mod reading;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::domain::{Code, Domain, Hierarchy, MISSING, Value, hierarchy};
use reading::{Range, Reading};

/// A released label.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    text: String,
    meaning: Meaning,
}

#[derive(Clone, Debug, PartialEq)]
enum Meaning {
    /// `*`: anything, a missing value too.
    Any,
    /// A missing value.
    Missing,
    /// One value, or the days of one period.
    Exact(Reading),
    Range(Range),
    Set(Vec<Label>),
    Masked(Mask),
    /// A name in a hierarchy, and what the same text means as a notation: a masked code covers
    /// codes that the hierarchy has not seen.
    Named(Leaves, Box<Meaning>),
}

/// A code of which some characters are hidden.
#[derive(Clone, Debug, PartialEq)]
struct Mask {
    /// How many are hidden before and behind the core; fewer may be, where codes differ in length.
    before: usize,
    behind: usize,
    /// From the first character that shows to the last; `None` is one that is hidden.
    core: Vec<Option<char>>,
}

/// What the nodes of one name cover.
#[derive(Clone, Debug, PartialEq)]
struct Leaves {
    texts: FxHashSet<String>,
    ranges: Vec<(Value, Value)>,
    missing: bool,
    format: Option<String>,
}

/// A raw value, read once to be compared with many labels.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    text: String,
    chars: Vec<char>,
    reading: Reading,
}

impl Cell {
    /// A value, without the blanks around it; an empty one is missing.
    pub fn new(text: &str) -> Self {
        let text = text.trim();
        Cell {
            text: text.to_string(),
            chars: text.chars().collect(),
            reading: Reading::of(text),
        }
    }

    /// The value, without blanks around it.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Label {
    /// Reads a label.
    pub fn parse(text: &str) -> Label {
        Self::read(text, None)
    }

    /// Reads a label that may be the name of a node of a hierarchy, which then covers the leaves
    /// below that node. A name that stands for several nodes covers the leaves of all.
    pub fn parse_in(text: &str, domain: &Domain, hierarchy: &Hierarchy) -> Label {
        Self::read(text, Some(&Names::of(domain, hierarchy)))
    }

    /// The labels of a released column, one a code; `tree` is the domain and hierarchy of the
    /// column before it was released, where they are known.
    pub fn of_column(released: &Domain, tree: Option<(&Domain, &Hierarchy)>) -> Vec<Label> {
        let names = tree.map(|(domain, hierarchy)| Names::of(domain, hierarchy));
        let text = |code| released.low(code).map(|value| released.write(value));
        (0..released.size() as Code)
            .map(|code| Self::read(&text(code).unwrap_or_default(), names.as_ref()))
            .collect()
    }

    fn read(text: &str, names: Option<&Names<'_>>) -> Label {
        let text = text.trim();
        let notation = Meaning::read(text, names);
        let leaves = names
            .filter(|_| notation != Meaning::Any)
            .and_then(|n| n.leaves(text));
        let meaning = match leaves {
            None => notation,
            Some(leaves) => Meaning::Named(leaves, Box::new(notation)),
        };
        let text = text.to_string();
        Label { text, meaning }
    }

    /// The label as it is written, without blanks around it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it tells nothing: `*`, or a code of which every character is hidden.
    pub fn is_suppressed(&self) -> bool {
        self.meaning == Meaning::Any
    }

    /// Whether it can only cover the value of the same text, so that no other need be tried.
    pub(super) fn is_plain(&self) -> bool {
        matches!(&self.meaning, Meaning::Exact(reading) if reading.is_empty())
    }

    /// Whether it covers a raw value; an empty one is a missing value.
    pub fn covers(&self, value: &str) -> bool {
        self.covers_cell(&Cell::new(value))
    }

    pub(super) fn covers_cell(&self, cell: &Cell) -> bool {
        if self.text == cell.text {
            return true;
        }
        self.meaning.covers(cell)
    }
}

impl Meaning {
    fn read(text: &str, names: Option<&Names<'_>>) -> Meaning {
        if text.is_empty() {
            Meaning::Missing
        } else if text.bytes().all(|byte| byte == b'*') {
            Meaning::Any
        } else if let Some(inner) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
            let sign = if inner.contains('|') { '|' } else { ',' };
            let labels = inner.split(sign).map(|one| Label::read(one, names));
            Meaning::Set(labels.collect())
        } else if let Some(range) = Range::read(text) {
            Meaning::Range(range)
        } else if text.contains('*') {
            Meaning::Masked(Mask::read(text))
        } else {
            Meaning::Exact(Reading::of(text))
        }
    }

    fn covers(&self, cell: &Cell) -> bool {
        let missing = cell.text.is_empty();
        match self {
            Meaning::Any => true,
            Meaning::Missing => missing,
            Meaning::Exact(reading) => reading.covers(&cell.reading),
            Meaning::Range(range) => range.covers(&cell.reading),
            Meaning::Set(labels) => {
                let is_covered = |label: &Label| label.covers_cell(cell);
                labels.iter().any(is_covered)
                    || missing && labels.iter().any(|label| label.text == MISSING)
            }
            Meaning::Masked(mask) => !missing && mask.covers(&cell.chars),
            Meaning::Named(leaves, notation) => leaves.cover(&cell.text) || notation.covers(cell),
        }
    }
}

impl Mask {
    fn read(text: &str) -> Mask {
        let shown = text.trim_start_matches('*');
        let before = text.len() - shown.len();
        let core = shown.trim_end_matches('*');
        let behind = shown.len() - core.len();
        let core = core.chars().map(|c| (c != '*').then_some(c)).collect();
        Mask {
            before,
            behind,
            core,
        }
    }

    fn covers(&self, text: &[char]) -> bool {
        (0..=self.before).any(|from| {
            let Some(rest) = text.get(from..) else {
                return false;
            };
            let alike = |(shown, c): (&Option<char>, &char)| shown.is_none_or(|shown| shown == *c);
            rest.len() >= self.core.len()
                && rest.len() - self.core.len() <= self.behind
                && self.core.iter().zip(rest).all(alike)
        })
    }
}

/// The nodes of a hierarchy by their names.
struct Names<'a> {
    domain: &'a Domain,
    nodes: FxHashMap<&'a str, Vec<&'a hierarchy::Node>>,
}

impl<'a> Names<'a> {
    fn of(domain: &'a Domain, hierarchy: &'a Hierarchy) -> Self {
        let mut nodes: FxHashMap<&str, Vec<&hierarchy::Node>> = FxHashMap::default();
        for node in hierarchy.levels().iter().flat_map(|level| &level.nodes) {
            nodes.entry(node.label.trim()).or_default().push(node);
        }
        Names { domain, nodes }
    }

    fn leaves(&self, name: &str) -> Option<Leaves> {
        let mut leaves = Leaves {
            texts: FxHashSet::default(),
            ranges: Vec::new(),
            missing: false,
            format: self.domain.format().map(str::to_string),
        };
        for node in self.nodes.get(name)? {
            leaves.ranges.extend(node.bounds.clone());
            for code in node.first..node.end {
                match self.domain.low(code) {
                    None => leaves.missing = true,
                    // A bin's values are told by its node's bounds.
                    Some(_) if self.domain.is_binned() => {}
                    Some(value) => {
                        leaves
                            .texts
                            .insert(self.domain.write(value).trim().to_string());
                    }
                }
            }
        }
        Some(leaves)
    }
}

impl Leaves {
    fn cover(&self, text: &str) -> bool {
        if text.is_empty() {
            return self.missing;
        }
        self.texts.contains(text)
            || self.ranges.iter().any(|(low, high)| {
                let value = Value::read(text, low.kind(), self.format.as_deref());
                value.is_some_and(|value| *low <= value && value <= *high)
            })
    }
}

#[cfg(test)]
mod tests;
