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

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(numbers: &[i64]) -> Vec<Value> {
        numbers.iter().copied().map(Value::Integer).collect()
    }

    #[test]
    fn codes_follow_the_values_and_the_missing_one_is_last() {
        let domain = Domain::new(Kind::Integer, None, integers(&[3, 7]), true);
        assert_eq!((domain.size(), domain.present()), (3, 2));
        assert_eq!(domain.missing(), Some(2));
        assert_eq!((domain.low(2), domain.high(2)), (None, None));
        let texts: Vec<String> = (0..3).map(|code| domain.text(code)).collect();
        assert_eq!(texts, ["3", "7", "missing"]);
        let index = domain.index();
        assert_eq!(index.code(&Value::Integer(7)), Some(1));
        assert_eq!(index.code(&Value::Integer(5)), None);
        let whole = Domain::new(Kind::Integer, None, integers(&[3, 7]), false);
        assert_eq!((whole.size(), whole.missing()), (2, None));
    }

    #[test]
    fn a_bin_holds_what_lies_between_its_ends() {
        let (lows, highs) = (integers(&[1, 5, 9]), integers(&[3, 5, 20]));
        let domain = Domain::of_bins(Kind::Integer, None, lows, highs, false);
        assert!(domain.is_binned());
        let texts: Vec<String> = (0..3).map(|code| domain.text(code)).collect();
        assert_eq!(texts, ["1..3", "5", "9..20"]);
        let index = domain.index();
        let codes = [0, 1, 2, 3, 4, 5, 6, 20, 21].map(|n| index.code(&Value::Integer(n)));
        let (some, none) = (|code: Code| Some(code), None);
        let expected = [
            none,
            some(0),
            some(0),
            some(0),
            none,
            some(1),
            none,
            some(2),
            none,
        ];
        assert_eq!(codes, expected);
    }

    #[test]
    fn dates_are_written_in_their_own_format() {
        let day = Value::read("1965-09-20", Kind::Date, None).unwrap();
        let format = Some("%d.%m.%Y".to_string());
        let domain = Domain::new(Kind::Date, format, vec![day.clone()], false);
        assert_eq!(
            (domain.text(0).as_str(), domain.format()),
            ("20.09.1965", Some("%d.%m.%Y"))
        );
        assert_eq!(domain.index().code(&day), Some(0));
    }
}
