//! Amounts with a unit: times (`"30s"`) and sizes (`"2GB"`), as text and back.

use std::time::Duration;

/// Units of time in milliseconds, the greatest first.
const TIMES: &[(&str, u64)] = &[("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Units of size in bytes, the greatest first.
const SIZES: &[(&str, u64)] = &[
    ("TiB", 1 << 40),
    ("TB", 1_000_000_000_000),
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("KiB", 1 << 10),
    ("KB", 1_000),
    ("B", 1),
];

/// Reads a time such as `500ms`, `30s`, `1.5m` or `1h`, to the millisecond.
///
/// None where it is not a number above zero with one of these units.
pub fn parse_duration(text: &str) -> Option<Duration> {
    amount(text, TIMES).map(Duration::from_millis)
}

/// Writes a time in the greatest unit that leaves no fraction; less than a millisecond is cut off.
pub fn format_duration(time: Duration) -> String {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    written(millis, TIMES, "ms")
}

/// Reads a size such as `2GB`, `512 MB` or `1GiB` in bytes. `GB` is 1000³, `GiB` 1024³.
///
/// None where it is not a number above zero with one of these units.
pub fn parse_bytes(text: &str) -> Option<u64> {
    amount(text, SIZES)
}

/// Writes a size in the greatest unit that leaves no fraction.
pub fn format_bytes(bytes: u64) -> String {
    written(bytes, SIZES, "B")
}

/// A number and a unit as a whole number of the smallest unit.
fn amount(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = (&text[..end], text[end..].trim_start());
    let (_, size) = units
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    // Whole numbers, the usual case, stay exact beyond what an f64 holds.
    let amount = match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(*size)?,
        Err(_) => {
            let exact = number.parse::<f64>().ok()? * *size as f64;
            (exact < u64::MAX as f64).then(|| exact.round() as u64)?
        }
    };
    (amount > 0).then_some(amount)
}

fn written(amount: u64, units: &[(&str, u64)], smallest: &str) -> String {
    units
        .iter()
        .find(|(_, size)| amount >= *size && amount.is_multiple_of(*size))
        .map_or_else(
            || format!("{amount}{smallest}"),
            |(name, size)| format!("{}{name}", amount / size),
        )
}

/// A module for `#[serde(with = "...")]` over an optional amount that is written as text.
macro_rules! as_text {
    ($name:ident, $amount:ty, $parse:path, $format:path, $expected:literal) => {
        pub(super) mod $name {
            use std::fmt;

            use serde::de::{Error, Unexpected, Visitor};
            use serde::{Deserializer, Serializer};

            pub(in crate::policy) fn serialize<S: Serializer>(
                amount: &Option<$amount>,
                out: S,
            ) -> Result<S::Ok, S::Error> {
                match amount {
                    Some(amount) => out.serialize_some(&$format(*amount)),
                    None => out.serialize_none(),
                }
            }

            pub(in crate::policy) fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<Option<$amount>, D::Error> {
                struct Text;

                impl Visitor<'_> for Text {
                    type Value = Option<$amount>;

                    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                        out.write_str($expected)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                        match $parse(text) {
                            Some(amount) => Ok(Some(amount)),
                            None => Err(E::invalid_value(Unexpected::Str(text), &self)),
                        }
                    }

                    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
                        Ok(None)
                    }
                }

                from.deserialize_any(Text)
            }
        }
    };
}

as_text!(
    duration,
    std::time::Duration,
    crate::policy::parse_duration,
    crate::policy::format_duration,
    "a time with its unit, such as \"500ms\", \"30s\", \"2m\" or \"1h\""
);
as_text!(
    bytes,
    u64,
    crate::policy::parse_bytes,
    crate::policy::format_bytes,
    "a size with its unit, such as \"512MB\", \"2GB\" or \"1GiB\""
);
