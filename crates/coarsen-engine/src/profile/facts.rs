//! What the cells of a column have in common: their type, the way its dates are written, their lengths
//! and the characters they are made of. Never the cells themselves.

use coarsen::domain::{Datelike, Day, Kind, Value, infer};

use super::cells::Cell;
use super::sample::{Sample, hash_of};

/// Ways to write a date besides ISO 8601, likelier ones first, each with the way that takes its day
/// for the month.
const FORMATS: &[(&str, Option<&str>)] = &[
    ("%m/%d/%Y", Some("%d/%m/%Y")),
    ("%d/%m/%Y", Some("%m/%d/%Y")),
    ("%d.%m.%Y", Some("%m.%d.%Y")),
    ("%m.%d.%Y", Some("%d.%m.%Y")),
    ("%d-%m-%Y", Some("%m-%d-%Y")),
    ("%m-%d-%Y", Some("%d-%m-%Y")),
    ("%Y/%m/%d", None),
    ("%Y.%m.%d", None),
    (COMPACT, None),
    ("%d %b %Y", None),
    ("%d-%b-%Y", None),
    ("%b %d, %Y", None),
    ("%d %B %Y", None),
    ("%B %d, %Y", None),
];

/// Eight digits, which may also be a number.
const COMPACT: &str = "%Y%m%d";

/// Days from the common era to 1970-01-01, where Arrow counts from.
const EPOCH: i32 = 719_163;

/// How many distinct beginnings of codes are told apart.
const PREFIXES: usize = 4096;

/// What all cells of a column have in common, as far as they have been seen.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    kind: Option<Kind>,
    formats: Vec<(&'static str, Option<&'static str>)>,
    /// Least and greatest year of its dates.
    pub years: Option<(i32, i32)>,
    /// Least and greatest number.
    pub range: Option<(f64, f64)>,
    /// Least and greatest number of characters.
    pub lengths: Option<(usize, usize)>,
    /// Whether every cell is made of digits.
    pub digits: bool,
    /// Whether every cell has a digit, and else letters and what parts them in codes.
    pub code: bool,
    /// Whether every cell has an @.
    pub at: bool,
    /// The first halves of the cells, while they look like codes.
    prefixes: Sample,
}

impl Default for Facts {
    fn default() -> Self {
        Facts {
            kind: None,
            formats: FORMATS.to_vec(),
            years: None,
            range: None,
            lengths: None,
            digits: true,
            code: true,
            at: true,
            prefixes: Sample::new(PREFIXES),
        }
    }
}

impl Facts {
    /// Looks at a cell. Looking at it twice changes nothing.
    pub fn take(&mut self, cell: Cell<'_>) {
        let kind = match cell {
            Cell::Missing | Cell::Word(_) => return,
            Cell::Text(text) => return self.take_text(text),
            Cell::Integer(number) => {
                self.widen(number as f64);
                Kind::Integer
            }
            Cell::Decimal(number) => {
                self.widen(number);
                Kind::Decimal
            }
            Cell::Day(days) => {
                let day = Day::from_num_days_from_ce_opt(days.saturating_add(EPOCH));
                self.years = join(self.years, day.map(|day| (day.year(), day.year())));
                Kind::Date
            }
            Cell::Truth(_) => Kind::Boolean,
        };
        self.kind = Some(kind);
        self.formats.clear();
        (self.digits, self.code, self.at) = (false, false, false);
    }

    fn take_text(&mut self, text: &str) {
        let kind = match self.kind {
            Some(Kind::Text) => Kind::Text,
            Some(known @ (Kind::Integer | Kind::Decimal)) if is_plain(text, known) => known,
            _ => infer(std::iter::once(&Value::Text(text.to_string()))),
        };
        self.kind = Some(self.kind.map_or(kind, |known| common(known, kind)));
        if matches!(self.kind, Some(Kind::Integer | Kind::Decimal))
            && let Ok(number) = text.trim().parse()
        {
            self.widen(number);
        }
        self.take_day(text);
        let length = text.chars().count();
        self.lengths = join(self.lengths, Some((length, length)));
        self.digits &= text.bytes().all(|byte| byte.is_ascii_digit());
        self.at &= text.contains('@');
        self.code &= text.bytes().any(|byte| byte.is_ascii_digit())
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || " -/.:_".contains(c));
        if self.code {
            let half = text.char_indices().nth(length / 2).map_or(0, |(at, _)| at);
            self.prefixes.add(hash_of(&text.as_bytes()[..half]));
        }
    }

    /// Strikes the ways of writing a date that this cell is not written in.
    fn take_day(&mut self, text: &str) {
        let mut year = None;
        self.formats.retain(|(format, _)| {
            let day = match *format {
                COMPACT if text.len() != 8 => None,
                format => match Value::read(text, Kind::Date, Some(format)) {
                    Some(Value::Date(day)) => Some(day),
                    _ => None,
                },
            };
            // A year of two digits would be one of the first century.
            let plausible = |day: &Day| match *format {
                COMPACT => (1900..=2100).contains(&day.year()),
                _ => (1000..=9999).contains(&day.year()),
            };
            let day = day.filter(plausible);
            year = year.or(day.map(|day| day.year()));
            day.is_some()
        });
        if year.is_none() && self.kind == Some(Kind::Date) {
            year = match Value::read(text, Kind::Date, None) {
                Some(Value::Date(day)) => Some(day.year()),
                _ => None,
            };
        }
        self.years = join(self.years, year.map(|year| (year, year)));
    }

    fn widen(&mut self, number: f64) {
        if number.is_finite() {
            self.range = join(self.range, Some((number, number)));
        }
    }

    /// Takes in what was seen in another part of the file.
    pub fn merge(&mut self, other: Facts) {
        self.kind = match (self.kind, other.kind) {
            (Some(one), Some(two)) => Some(common(one, two)),
            (one, two) => one.or(two),
        };
        self.formats.retain(|format| other.formats.contains(format));
        self.years = join(self.years, other.years);
        self.range = join(self.range, other.range);
        self.lengths = join(self.lengths, other.lengths);
        self.digits &= other.digits;
        self.code &= other.code;
        self.at &= other.at;
        self.prefixes.merge(other.prefixes);
    }

    /// The type of the cells; for dates that are not ISO 8601 how they are written, and the way that
    /// fits as well but takes the day for the month.
    pub fn kind(&self) -> (Kind, Option<&'static str>, Option<&'static str>) {
        let kind = self.kind.unwrap_or(Kind::Text);
        match (kind, self.formats.first()) {
            (Kind::Text | Kind::Integer, Some((format, rival))) if self.kind.is_some() => {
                let fits = |rival: &&str| self.formats.iter().any(|(other, _)| other == rival);
                (Kind::Date, Some(format), rival.filter(fits))
            }
            _ => (kind, None, None),
        }
    }

    /// Distinct first halves of codes, about.
    pub fn prefixes(&self) -> u64 {
        self.prefixes.distinct()
    }
}

/// The narrowest kind that holds both, as [`infer`] would find it over all cells.
fn common(one: Kind, two: Kind) -> Kind {
    match (one, two) {
        (one, two) if one == two => one,
        (Kind::Integer, Kind::Decimal) | (Kind::Decimal, Kind::Integer) => Kind::Decimal,
        _ => Kind::Text,
    }
}

/// A number without sign, exponent or leading zero, told without the work that others take.
fn is_plain(text: &str, kind: Kind) -> bool {
    let mut points = 0;
    let digits = text.bytes().all(|byte| match byte {
        b'.' => {
            points += 1;
            true
        }
        byte => byte.is_ascii_digit(),
    });
    let starts = match text.as_bytes() {
        [b'0'] => true,
        [b'0', next, ..] => *next == b'.',
        [first, ..] => *first != b'.',
        [] => false,
    };
    digits && starts && text.len() < 19 && points <= i32::from(kind == Kind::Decimal)
}

fn join<T: PartialOrd + Copy>(one: Option<(T, T)>, two: Option<(T, T)>) -> Option<(T, T)> {
    match (one, two) {
        (Some((a, b)), Some((c, d))) => {
            Some((if c < a { c } else { a }, if d > b { d } else { b }))
        }
        (one, two) => one.or(two),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cells: &[&str]) -> Facts {
        let mut facts = Facts::default();
        for cell in cells {
            facts.take(Cell::Text(cell));
        }
        facts
    }

    #[test]
    fn kinds_are_those_that_the_engine_will_read() {
        for cells in [
            &["1", "20", "-3"][..],
            &["1", "2.5"],
            &["02138", "10001"],
            &["1965-01-02", "1999-12-31"],
            &["True", "false"],
            &["1", "x"],
            &["true", "1"],
        ] {
            let values: Vec<Value> = cells.iter().map(|c| Value::Text(c.to_string())).collect();
            assert_eq!(of(cells).kind().0, infer(values.iter()), "{cells:?}");
        }
    }

    #[test]
    fn dates_are_found_however_they_are_written() {
        let of = |cells: &[&str]| of(cells).kind();
        let date = |format, rival| (Kind::Date, format, rival);
        assert_eq!(of(&["9/20/1965", "1/2/1970"]), date(Some("%m/%d/%Y"), None));
        assert_eq!(of(&["20/9/1965"]), date(Some("%d/%m/%Y"), None));
        assert_eq!(of(&["1/2/1965"]), date(Some("%m/%d/%Y"), Some("%d/%m/%Y")));
        assert_eq!(of(&["20.09.1965"]), date(Some("%d.%m.%Y"), None));
        assert_eq!(of(&["1965/09/20"]), date(Some("%Y/%m/%d"), None));
        assert_eq!(of(&["19650920", "20011231"]), date(Some("%Y%m%d"), None));
        assert_eq!(of(&["20 Sep 1965"]), date(Some("%d %b %Y"), None));
        assert_eq!(of(&["1965-09-20"]), date(None, None));
        assert_eq!(of(&["9/20/65"]), (Kind::Text, None, None));
        assert_eq!(of(&["19650920", "20011331"]), (Kind::Integer, None, None));
        assert_eq!(of(&["19650920", "1965-09-20"]).0, Kind::Text);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let mut one = of(&["10001", "10002"]);
        one.merge(of(&["02138"]));
        one.merge(Facts::default());
        assert_eq!(one.kind().0, Kind::Text);
        assert!(one.digits && one.code && !one.at);
        assert_eq!(one.lengths, Some((5, 5)));
        assert_eq!(one.prefixes(), 2);
    }
}
