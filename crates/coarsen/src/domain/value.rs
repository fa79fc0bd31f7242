//! One value of a column, typed, with a total order and a text form that reads back to itself.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use chrono::{Datelike, NaiveDate};

use super::Kind;

/// The default date format: ISO 8601.
pub const ISO_DATE: &str = "%Y-%m-%d";

/// A value of a column. All values of one column have the same kind.
#[derive(Clone, Debug)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Decimal(f64),
    /// A calendar day.
    Date(NaiveDate),
    /// Any text.
    Text(String),
    /// True or false.
    Boolean(bool),
}

impl Value {
    /// Reads a cell's text as a value of `kind`; `None` where it is not one.
    ///
    /// Dates are read by `format` (chrono's notation), ISO 8601 where none is given.
    pub fn read(text: &str, kind: Kind, format: Option<&str>) -> Option<Value> {
        match kind {
            Kind::Integer => text.trim().parse().ok().map(Value::Integer),
            Kind::Decimal => {
                let number: f64 = text.trim().parse().ok()?;
                // -0 and 0 are one value; NaN and infinities are none.
                number.is_finite().then_some(Value::Decimal(number + 0.0))
            }
            Kind::Date => NaiveDate::parse_from_str(text.trim(), format.unwrap_or(ISO_DATE))
                .ok()
                .map(Value::Date),
            Kind::Boolean => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "t" | "yes" | "y" | "1" => Some(Value::Boolean(true)),
                "false" | "f" | "no" | "n" | "0" => Some(Value::Boolean(false)),
                _ => None,
            },
            Kind::Text => Some(Value::Text(text.to_string())),
        }
    }

    /// This value as one of `kind`: itself where it already is, read from its text where it is text,
    /// widened from integer to decimal.
    pub fn convert(&self, kind: Kind, format: Option<&str>) -> Option<Value> {
        match (self, kind) {
            (Value::Text(text), _) => Value::read(text, kind, format),
            (Value::Integer(n), Kind::Decimal) => Some(Value::Decimal(*n as f64)),
            (Value::Decimal(x), Kind::Integer) if x.fract() == 0.0 && x.abs() < 9e15 => {
                Some(Value::Integer(*x as i64))
            }
            (other, Kind::Text) => Some(Value::Text(other.text(format))),
            // Typed files and tables hold infinities, which have no place among blocks of numbers.
            (Value::Decimal(x), Kind::Decimal) if !x.is_finite() => None,
            (other, _) if other.kind() == kind => Some(other.clone()),
            _ => None,
        }
    }

    /// What kind of value this is.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Integer(_) => Kind::Integer,
            Value::Decimal(_) => Kind::Decimal,
            Value::Date(_) => Kind::Date,
            Value::Text(_) => Kind::Text,
            Value::Boolean(_) => Kind::Boolean,
        }
    }

    /// The text that is written for this value, and that [`Value::read`] reads back.
    pub fn text(&self, format: Option<&str>) -> String {
        match self {
            Value::Integer(n) => n.to_string(),
            Value::Decimal(x) => x.to_string(),
            Value::Date(day) => day.format(format.unwrap_or(ISO_DATE)).to_string(),
            Value::Text(text) => text.clone(),
            Value::Boolean(truth) => truth.to_string(),
        }
    }

    /// The position on the number line, for kinds that have one (a date is its day number).
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Integer(n) => Some(*n as f64),
            Value::Decimal(x) => Some(*x),
            Value::Date(day) => Some(f64::from(day.num_days_from_ce())),
            Value::Text(_) | Value::Boolean(_) => None,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Integer(_) => 0,
            Value::Decimal(_) => 1,
            Value::Date(_) => 2,
            Value::Text(_) => 3,
            Value::Boolean(_) => 4,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
            (Value::Decimal(a), Value::Decimal(b)) => a.total_cmp(b),
            (Value::Date(a), Value::Date(b)) => a.cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Boolean(a), Value::Boolean(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Integer(n) => n.hash(state),
            Value::Decimal(x) => x.to_bits().hash(state),
            Value::Date(day) => day.hash(state),
            Value::Text(text) => text.hash(state),
            Value::Boolean(truth) => truth.hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_reads_back() {
        for (text, kind) in [
            ("-7", Kind::Integer),
            ("2.5", Kind::Decimal),
            ("1965-09-20", Kind::Date),
            ("a b", Kind::Text),
            ("true", Kind::Boolean),
        ] {
            let value = Value::read(text, kind, None).expect("a sound value");
            assert_eq!(value.text(None), text);
        }
        let day = Value::read("9/20/1965", Kind::Date, Some("%m/%d/%Y")).expect("a date");
        assert_eq!(day.text(None), "1965-09-20");
    }

    #[test]
    fn what_is_not_of_the_kind_is_refused() {
        assert!(Value::read("1.5", Kind::Integer, None).is_none());
        assert!(Value::read("NaN", Kind::Decimal, None).is_none());
        assert!(Value::read("1965-13-01", Kind::Date, None).is_none());
        assert!(Value::read("maybe", Kind::Boolean, None).is_none());
        for number in [f64::INFINITY, f64::NEG_INFINITY] {
            let value = Value::Decimal(number);
            assert!(value.convert(Kind::Decimal, None).is_none());
            assert!(value.convert(Kind::Integer, None).is_none());
        }
    }

    #[test]
    fn minus_zero_is_zero() {
        assert_eq!(
            Value::read("-0", Kind::Decimal, None),
            Value::read("0", Kind::Decimal, None)
        );
    }
}
