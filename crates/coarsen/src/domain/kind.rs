//! The kinds of values, and how the kind of an undeclared column is found from its values.

use super::Value;
pub use crate::policy::Kind;

impl Kind {
    /// Whether values of this kind lie on a number line.
    pub fn is_ordered(self) -> bool {
        matches!(self, Kind::Integer | Kind::Decimal | Kind::Date)
    }
}

/// The narrowest kind that every one of these cells has, trying integer, decimal, date (ISO 8601),
/// boolean (`true` and `false` only), then text.
///
/// A number with a leading zero is a code, not a quantity: `02138` keeps its column text.
pub fn infer<'a>(cells: impl Iterator<Item = &'a Value> + Clone) -> Kind {
    let mut seen = cells.clone().peekable();
    let Some(first) = seen.peek() else {
        return Kind::Text;
    };
    if first.kind() != Kind::Text {
        return first.kind();
    }
    let all = |test: fn(&str) -> bool| {
        cells.clone().all(|cell| match cell {
            Value::Text(text) => test(text),
            _ => false,
        })
    };
    if all(|text| !is_code(text) && Value::read(text, Kind::Integer, None).is_some()) {
        Kind::Integer
    } else if all(|text| !is_code(text) && Value::read(text, Kind::Decimal, None).is_some()) {
        Kind::Decimal
    } else if all(|text| Value::read(text, Kind::Date, None).is_some()) {
        Kind::Date
    } else if all(|text| matches!(text.to_ascii_lowercase().as_str(), "true" | "false")) {
        Kind::Boolean
    } else {
        Kind::Text
    }
}

fn is_code(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['+', '-']).as_bytes();
    digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit()
        || !digits
            .first()
            .is_some_and(|d| d.is_ascii_digit() || *d == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cells: &[&str]) -> Kind {
        let cells: Vec<Value> = cells.iter().map(|c| Value::Text(c.to_string())).collect();
        infer(cells.iter())
    }

    #[test]
    fn the_narrowest_kind_wins() {
        assert_eq!(of(&["1", "-20"]), Kind::Integer);
        assert_eq!(of(&["1", "2.5"]), Kind::Decimal);
        assert_eq!(of(&["02138", "10001"]), Kind::Text);
        assert_eq!(of(&["0", "0.5"]), Kind::Decimal);
        assert_eq!(of(&["1965-01-02"]), Kind::Date);
        assert_eq!(of(&["True", "false"]), Kind::Boolean);
        assert_eq!(of(&["inf", "nan"]), Kind::Text);
        assert_eq!(of(&[]), Kind::Text);
    }
}
