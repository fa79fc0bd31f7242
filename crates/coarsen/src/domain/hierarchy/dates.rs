//! Calendar steps: a day, its month, quarter, year, decade.

use chrono::{Datelike, Days, Months, NaiveDate};

use super::build::{Path, Step};
use crate::domain::Value;
use crate::policy::DateUnit;

/// The calendar periods that hold each date, in the order of `units`.
pub(super) fn paths(values: &[Value], units: &[DateUnit]) -> Result<Vec<Path>, String> {
    // A day is the value itself: named first, it adds no level.
    let units = units.strip_prefix(&[DateUnit::Day]).unwrap_or(units);
    values
        .iter()
        .map(|value| {
            let Value::Date(day) = value else {
                return Err(format!("calendar levels need dates, but the column is {}; state type = \"date\" and its format", value.kind()));
            };
            let steps = units.iter().map(|unit| step(*day, *unit)).collect();
            Ok(Path { leaf: value.clone(), steps })
        })
        .collect()
}

fn step(day: NaiveDate, unit: DateUnit) -> Step {
    let (year, month) = (day.year(), day.month());
    let start = |year: i32, month: u32| NaiveDate::from_ymd_opt(year, month, 1).unwrap_or(day);
    let (first, months, label) = match unit {
        DateUnit::Day => (day, 0, day.to_string()),
        DateUnit::Month => (start(year, month), 1, format!("{year:04}-{month:02}")),
        DateUnit::Quarter => {
            let quarter = (month - 1) / 3;
            (
                start(year, quarter * 3 + 1),
                3,
                format!("{year:04}-Q{}", quarter + 1),
            )
        }
        DateUnit::Year => (start(year, 1), 12, format!("{year:04}")),
        DateUnit::Decade => {
            let decade = year.div_euclid(10) * 10;
            (
                start(decade, 1),
                120,
                format!("{decade:04}..{:04}", decade + 9),
            )
        }
    };
    let last = match months {
        0 => day,
        months => first
            .checked_add_months(Months::new(months))
            .and_then(|next| next.checked_sub_days(Days::new(1)))
            .unwrap_or(NaiveDate::MAX),
    };
    Step {
        label,
        bounds: Some((Value::Date(first), Value::Date(last))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_names_its_period() {
        let day = NaiveDate::from_ymd_opt(1965, 9, 20).expect("a day");
        let labels: Vec<String> = [
            DateUnit::Month,
            DateUnit::Quarter,
            DateUnit::Year,
            DateUnit::Decade,
        ]
        .iter()
        .map(|unit| step(day, *unit).label)
        .collect();
        assert_eq!(labels, ["1965-09", "1965-Q3", "1965", "1960..1969"]);
        let (low, high) = step(day, DateUnit::Quarter).bounds.expect("bounds");
        assert_eq!(
            (low.text(None).as_str(), high.text(None).as_str()),
            ("1965-07-01", "1965-09-30")
        );
    }
}
