//! What a text says beside its letters: a number, a period of the calendar, or a range of either.

use chrono::{Days, Months, NaiveDate};

/// A text read as a number and as a period, as far as it is one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// The number.
    pub number: Option<f64>,
    /// Whether the number is written as a code is, with a leading zero: `02138`.
    pub is_code: bool,
    /// The first and last day: of a year, a quarter, a month or a day.
    pub period: Option<(NaiveDate, NaiveDate)>,
}

impl Reading {
    /// Reads a text without blanks around it.
    pub fn of(text: &str) -> Self {
        let digits = text.trim_start_matches(['+', '-']).as_bytes();
        // What does not begin like a number is none, though it parse: `inf`, `nan`.
        let begins = digits
            .first()
            .is_some_and(|d| d.is_ascii_digit() || *d == b'.');
        let number = text
            .parse()
            .ok()
            .filter(|number: &f64| begins && number.is_finite());
        Reading {
            number,
            is_code: digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit(),
            period: period(text),
        }
    }

    /// Whether it is neither number nor period.
    pub fn is_empty(&self) -> bool {
        self.number.is_none() && self.period.is_none()
    }

    /// Whether another reading is the same number, or a period inside this one.
    pub fn covers(&self, other: &Reading) -> bool {
        if let (Some(a), Some(b)) = (self.number, other.number) {
            return a == b && !self.is_code && !other.is_code;
        }
        match (self.period, other.period) {
            (Some((from, to)), Some((first, last))) => from <= first && last <= to,
            _ => false,
        }
    }
}

/// `1965`, `1965-Q3`, `1965-09`, `1965-09-20`: the labels that dates are released as.
fn period(text: &str) -> Option<(NaiveDate, NaiveDate)> {
    let digits = |text: &str| -> Option<u32> {
        text.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| text.parse().ok())?
    };
    let year = digits(text.get(..4)?)? as i32;
    let rest = &text[4..];
    let (month, months) = match rest.strip_prefix('-') {
        None if rest.is_empty() => (1, 12),
        None => return None,
        Some(rest) => match rest.strip_prefix('Q') {
            Some(quarter) => (digits(quarter).filter(|q| (1..=4).contains(q))? * 3 - 2, 3),
            None if rest.len() == 2 => (digits(rest)?, 1),
            None => {
                let (month, day) = rest
                    .split_once('-')
                    .filter(|(m, d)| m.len() == 2 && d.len() == 2)?;
                let day = NaiveDate::from_ymd_opt(year, digits(month)?, digits(day)?)?;
                return Some((day, day));
            }
        },
    };
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    let next = first.checked_add_months(Months::new(months))?;
    Some((first, next.checked_sub_days(Days::new(1))?))
}

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    reading: Reading,
    /// Whether the end itself is left out.
    open: bool,
}

/// A range of numbers or of days; an absent end is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    low: Option<End>,
    high: Option<End>,
}

impl Range {
    /// Reads a range in any of the notations in use: `20..39`, `[20-40]`, `[20, 40[`, `(20, 40]`,
    /// `20-40`, `<=40`, `>65`, `65+`, and `1960-69` for a run of years.
    pub fn read(text: &str) -> Option<Range> {
        for (sign, is_low, open) in [
            ("<=", false, false),
            ("≤", false, false),
            ("<", false, true),
            (">=", true, false),
            ("≥", true, false),
            (">", true, true),
        ] {
            if let Some(end) = text.strip_prefix(sign) {
                return Self::one_ended(end.trim(), is_low, open);
            }
        }
        if let Some(inner) = text.strip_prefix(['[', ']', '(']) {
            let inner = inner.strip_suffix(['[', ']', ')'])?;
            let low_open = !text.starts_with('[');
            let high_open = !text.ends_with(']');
            return ["..", ",", ";"]
                .into_iter()
                .find_map(|sign| inner.split_once(sign))
                .map_or_else(
                    || dashed(inner, low_open, high_open),
                    |(low, high)| Self::between(low, high, low_open, high_open),
                );
        }
        if let Some((low, high)) = text.split_once("..") {
            return Self::between(low, high, false, false);
        }
        if let Some(low) = text.strip_suffix('+') {
            return Self::one_ended(low, true, false);
        }
        // A month is not a range of a year and a small number, nor a negative number one from nothing.
        if !Reading::of(text).is_empty() {
            return None;
        }
        dashed(text, false, false).or_else(|| {
            let (from, to) = text
                .split_once('-')
                .filter(|(f, t)| f.len() == 4 && t.len() == 2)?;
            Self::between(from, &format!("{}{to}", from.get(..2)?), false, false)
        })
    }

    fn one_ended(text: &str, is_low: bool, open: bool) -> Option<Range> {
        let reading = Reading::of(text);
        let end = (!reading.is_empty()).then_some(End { reading, open });
        end?;
        Some(match is_low {
            true => Range {
                low: end,
                high: None,
            },
            false => Range {
                low: None,
                high: end,
            },
        })
    }

    /// A range of two ends that are of one kind, the first not above the second.
    fn between(low: &str, high: &str, low_open: bool, high_open: bool) -> Option<Range> {
        let end = |text: &str, open| -> Option<Option<End>> {
            let text = text.trim();
            if matches!(text, "inf" | "+inf" | "-inf" | "∞" | "+∞" | "-∞") {
                return Some(None);
            }
            let reading = Reading::of(text);
            (!reading.is_empty()).then_some(Some(End { reading, open }))
        };
        let (low, high) = (end(low, low_open)?, end(high, high_open)?);
        let sound = match (low, high) {
            (None, None) => false,
            (Some(low), Some(high)) => {
                let (low, high) = (low.reading, high.reading);
                match (low.number, high.number) {
                    (Some(low), Some(high)) => low <= high,
                    _ => low.period.zip(high.period).is_some_and(|(l, h)| l.0 <= h.1),
                }
            }
            _ => true,
        };
        sound.then_some(Range { low, high })
    }

    /// Whether a number, or every day of a period, lies inside.
    pub fn covers(&self, value: &Reading) -> bool {
        let ends = || self.low.iter().chain(&self.high);
        if let (Some(number), true) = (value.number, ends().all(|e| e.reading.number.is_some())) {
            let above = self.low.is_none_or(|end| {
                let low = end.reading.number.expect("every end is a number");
                if end.open {
                    low < number
                } else {
                    low <= number
                }
            });
            let below = self.high.is_none_or(|end| {
                let high = end.reading.number.expect("every end is a number");
                if end.open {
                    number < high
                } else {
                    number <= high
                }
            });
            return above && below;
        }
        let Some((first, last)) = value.period else {
            return false;
        };
        if ends().any(|end| end.reading.period.is_none()) {
            return false;
        }
        let above = self.low.is_none_or(|end| {
            let (from, to) = end.reading.period.expect("every end is a period");
            if end.open { to < first } else { from <= first }
        });
        let below = self.high.is_none_or(|end| {
            let (from, to) = end.reading.period.expect("every end is a period");
            if end.open { last < from } else { last <= to }
        });
        above && below
    }
}

/// `20-40`, `-5--1`, `1965-01-01-1965-06-30`, and the same with a long dash: the first dash that has
/// a sound end on either side parts them.
fn dashed(text: &str, low_open: bool, high_open: bool) -> Option<Range> {
    text.char_indices()
        .filter(|(at, sign)| *at > 0 && matches!(sign, '-' | '–'))
        .find_map(|(at, sign)| {
            let (low, high) = (&text[..at], &text[at + sign.len_utf8()..]);
            Range::between(low, high, low_open, high_open)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_whole() {
        let days = |text| period(text).map(|(from, to)| format!("{from} {to}"));
        assert_eq!(days("1965").as_deref(), Some("1965-01-01 1965-12-31"));
        assert_eq!(days("1965-Q3").as_deref(), Some("1965-07-01 1965-09-30"));
        assert_eq!(days("1964-02").as_deref(), Some("1964-02-01 1964-02-29"));
        assert_eq!(days("1965-09-20").as_deref(), Some("1965-09-20 1965-09-20"));
        for none in [
            "196",
            "19655",
            "1965-13",
            "1965-Q5",
            "1965-9-2",
            "1965-02-30",
            "19é5",
            "+965",
        ] {
            assert_eq!(days(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for none in [
            "40..20",
            "a..b",
            "617-555",
            "1965-09",
            "-5",
            "A+",
            "12345-6789-1",
            "[a, b]",
            "(617)",
        ] {
            assert_eq!(Range::read(none), None, "{none}");
        }
    }
}
