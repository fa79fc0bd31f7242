//! The values a column can take, each with a small code that searches use in its place.
//!
//! Codes follow the order of the values; where a hierarchy is given, the order of its leaves.
//! A missing value, where the column has any, is the last code.

use rustc_hash::FxHashMap;

use super::{Kind, Value};

/// The place of a value in its domain.
pub type Code = u32;

/// The coded values of one column.
#[derive(Clone, Debug)]
pub struct Domain {
    kind: Kind,
    format: Option<String>,
    values: Vec<Value>,
    /// For a domain of bins, the greatest value of each; empty where every code is one value.
    highs: Vec<Value>,
    missing: bool,
}

impl Domain {
    /// A domain of these values in this order. They must be distinct.
    pub fn new(kind: Kind, format: Option<String>, values: Vec<Value>, missing: bool) -> Self {
        Domain {
            kind,
            format,
            values,
            highs: Vec::new(),
            missing,
        }
    }

    /// A domain of bins: code `i` stands for all values from `lows[i]` to `highs[i]`.
    pub fn of_bins(
        kind: Kind,
        format: Option<String>,
        lows: Vec<Value>,
        highs: Vec<Value>,
        missing: bool,
    ) -> Self {
        assert_eq!(lows.len(), highs.len(), "a bin has two ends");
        Domain {
            kind,
            format,
            values: lows,
            highs,
            missing,
        }
    }

    /// The kind of the values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The date format, for a column of dates that has one of its own.
    pub fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// Number of codes, the missing value's included.
    pub fn size(&self) -> usize {
        self.values.len() + usize::from(self.missing)
    }

    /// Number of values, the missing one not included.
    pub fn present(&self) -> usize {
        self.values.len()
    }

    /// The code of the missing value, where the column has one.
    pub fn missing(&self) -> Option<Code> {
        self.missing.then_some(self.values.len() as Code)
    }

    /// Whether a code stands for several values.
    pub fn is_binned(&self) -> bool {
        !self.highs.is_empty()
    }

    /// The value (of a bin: the least) behind a code; `None` for the missing one.
    pub fn low(&self, code: Code) -> Option<&Value> {
        self.values.get(code as usize)
    }

    /// The value (of a bin: the greatest) behind a code; `None` for the missing one.
    pub fn high(&self, code: Code) -> Option<&Value> {
        if self.is_binned() {
            self.highs.get(code as usize)
        } else {
            self.low(code)
        }
    }

    /// The text of a value of this domain.
    pub fn write(&self, value: &Value) -> String {
        value.text(self.format())
    }

    /// How a code is shown: the value, `low..high` for a bin, `missing` for none.
    pub fn text(&self, code: Code) -> String {
        match (self.low(code), self.high(code)) {
            (Some(low), Some(high)) if low != high => {
                format!("{}..{}", self.write(low), self.write(high))
            }
            (Some(low), _) => self.write(low),
            _ => MISSING.to_string(),
        }
    }

    /// A look-up from values to codes.
    pub fn index(&self) -> Index<'_> {
        if self.is_binned() {
            Index::Bins(self)
        } else {
            Index::Values(
                self.values
                    .iter()
                    .enumerate()
                    .map(|(i, value)| (value, i as Code))
                    .collect(),
            )
        }
    }
}

/// How a missing value is named inside a set or a tree; alone it is written as an empty cell.
pub const MISSING: &str = "missing";

/// From values to codes, see [`Domain::index`].
pub enum Index<'a> {
    /// One value a code.
    Values(FxHashMap<&'a Value, Code>),
    /// A range of values a code.
    Bins(&'a Domain),
}

impl Index<'_> {
    /// The code of a value, where the domain holds it.
    pub fn code(&self, value: &Value) -> Option<Code> {
        match self {
            Index::Values(map) => map.get(value).copied(),
            Index::Bins(domain) => {
                let bin = domain
                    .values
                    .partition_point(|low| low <= value)
                    .checked_sub(1)?;
                (*value <= domain.highs[bin]).then_some(bin as Code)
            }
        }
    }
}
