//! The hierarchy to propose for a quasi-identifier, from what its values look like.

use coarsen::domain::Kind;
use coarsen::policy::{Column, DateUnit, HierarchySpec, Side};

use super::{ColumnProfile, Shape};

/// A column of at most so many numbers gets no intervals: its neighbours are joined two by two.
const FEW_NUMBERS: u64 = 10;
/// A column of more codes than this is worth masking.
const MANY_CODES: u64 = 20;
/// Codes longer than this have too many levels to be of use.
const LONG_CODE: usize = 20;
/// About how many intervals the finest level has.
const INTERVALS: f64 = 20.0;

/// A column's type, format and hierarchy, and what the steward should know about them.
pub(super) fn propose(
    profile: &ColumnProfile,
    is_postal: bool,
    column: &mut Column,
) -> Vec<String> {
    let mut notes = Vec::new();
    column.kind = (profile.kind != Kind::Text).then_some(profile.kind);
    column.format = profile.format.map(str::to_string);
    if is_postal && matches!(profile.kind, Kind::Integer | Kind::Text) {
        postal(profile, column, &mut notes);
        return notes;
    }
    match profile.kind {
        Kind::Date => column.hierarchy = Some(dates(profile)),
        Kind::Integer | Kind::Decimal if profile.distinct > FEW_NUMBERS => {
            column.hierarchy = intervals(profile);
        }
        Kind::Text if is_masked(profile) => {
            column.kind = Some(Kind::Text);
            column.hierarchy = Some(MASK_RIGHT);
            notes.push("Its end is masked character by character.".into());
        }
        Kind::Text if profile.distinct > 2 => notes.push(format!(
            "Released as it is or as *; to coarsen it in steps, add hierarchy = {{ file = \"{}.csv\" }}",
            slug(&profile.name)
        )),
        _ => {}
    }
    notes
}

const MASK_RIGHT: HierarchySpec = HierarchySpec::Mask {
    side: Side::Right,
    levels: None,
};

/// Codes of a place are masked from their end, if they are written out.
fn postal(profile: &ColumnProfile, column: &mut Column, notes: &mut Vec<String>) {
    let digits = |number: f64| number.max(1.0).log10().floor() as i32 + 1;
    match (profile.kind, profile.range) {
        (Kind::Integer, Some((low, high))) if digits(low) != digits(high) || low < 0.0 => {
            let widths = (1..digits(high).max(2)).map(|zeros| 10f64.powi(zeros));
            column.hierarchy = Some(HierarchySpec::Intervals {
                widths: widths.collect(),
                origin: 0.0,
            });
            notes.push(
                "The codes are of unequal length, perhaps for lost leading zeros, so they are coarsened as numbers, a digit at a time."
                    .into(),
            );
        }
        _ => {
            column.kind = Some(Kind::Text);
            column.hierarchy = Some(MASK_RIGHT);
        }
    }
}

/// Codes that begin alike, such as those of places and diagnoses.
fn is_masked(profile: &ColumnProfile) -> bool {
    let Some((shortest, longest)) = profile.lengths else {
        return false;
    };
    matches!(profile.shape, Shape::Digits | Shape::Code)
        && profile.distinct > MANY_CODES
        && (3..=LONG_CODE).contains(&longest)
        && (shortest == longest || profile.shares_prefix)
}

fn dates(profile: &ColumnProfile) -> HierarchySpec {
    let span = profile.years.map_or(0, |(first, last)| last - first);
    let units = match span {
        span if span > 10 => vec![DateUnit::Month, DateUnit::Year, DateUnit::Decade],
        _ => vec![DateUnit::Month, DateUnit::Quarter, DateUnit::Year],
    };
    HierarchySpec::Dates { units }
}

/// Three widths, each twice the one before, the first a 1, 2 or 5 with zeros.
pub(super) fn intervals(profile: &ColumnProfile) -> Option<HierarchySpec> {
    let (low, high) = profile.range?;
    let span = high - low;
    // Past this a number has no exact place among its neighbours.
    if !(span > 0.0 && span < 1e15) {
        return None;
    }
    let mut first = rounded_up(span / INTERVALS);
    if profile.kind == Kind::Integer {
        first = first.max(2.0);
    }
    let mut widths: Vec<f64> = [1.0, 2.0, 4.0].map(|times| first * times).to_vec();
    widths.retain(|width| *width < span);
    (!widths.is_empty()).then_some(HierarchySpec::Intervals {
        widths,
        origin: 0.0,
    })
}

/// The least 1, 2 or 5 with zeros that is not below a number.
fn rounded_up(number: f64) -> f64 {
    let power = number.log10().floor() as i32;
    let scaled = |digit: f64| match power {
        // A division by ten is exact where a product with a tenth is not.
        power if power < 0 => digit / 10f64.powi(-power),
        power => digit * 10f64.powi(power),
    };
    [1.0, 2.0, 5.0, 10.0]
        .map(scaled)
        .into_iter()
        .find(|rounded| *rounded >= number * (1.0 - 1e-9))
        .unwrap_or(number)
}

/// A column's name as the name of a file.
fn slug(name: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let slug: String = name.chars().map(plain).collect();
    slug.trim_matches('_').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(kind: Kind, range: (f64, f64)) -> Vec<f64> {
        let profile = ColumnProfile {
            kind,
            range: Some(range),
            ..super::super::nested("x", 0)
        };
        match intervals(&profile) {
            Some(HierarchySpec::Intervals { widths, .. }) => widths,
            _ => Vec::new(),
        }
    }

    #[test]
    fn widths_are_round_and_nest() {
        assert_eq!(widths(Kind::Integer, (17.0, 90.0)), [5.0, 10.0, 20.0]);
        assert_eq!(widths(Kind::Integer, (1.0, 16.0)), [2.0, 4.0, 8.0]);
        assert_eq!(widths(Kind::Integer, (0.0, 99_999.0)), [5e3, 1e4, 2e4]);
        assert_eq!(widths(Kind::Decimal, (0.0, 3.0)), [0.2, 0.4, 0.8]);
        assert_eq!(widths(Kind::Integer, (4.0, 4.0)), Vec::<f64>::new());
        assert_eq!(slug("native country!"), "native_country");
    }
}
