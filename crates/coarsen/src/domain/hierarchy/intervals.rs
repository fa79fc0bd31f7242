//! Nested intervals of given widths, laid out from an origin on the number line.

use super::build::{Path, Step};
use crate::domain::{Kind, Value};

/// The intervals that hold each value, narrowest first.
pub(super) fn paths(
    values: &[Value],
    kind: Kind,
    widths: &[f64],
    origin: f64,
) -> Result<Vec<Path>, String> {
    if !matches!(kind, Kind::Integer | Kind::Decimal) {
        return Err(format!(
            "intervals need numbers, but the column is {kind}; state type = \"integer\" or \"decimal\", or use a hierarchy for {kind} values"
        ));
    }
    if kind == Kind::Integer {
        let whole = |x: f64| (x.fract() == 0.0 && x.abs() < 9e15).then_some(x as i128);
        let (Some(origin), Some(widths)) = (
            whole(origin),
            widths.iter().map(|w| whole(*w)).collect::<Option<Vec<_>>>(),
        ) else {
            return Err(
                "a whole-numbered column needs whole-numbered interval widths and origin; write such as [5, 10, 20], or state type = \"decimal\"".into(),
            );
        };
        let steps = |value: &Value| match value {
            Value::Integer(n) => widths.iter().map(|w| whole_step(*n, *w, origin)).collect(),
            _ => unreachable!("an integer column holds integers"),
        };
        return Ok(with_steps(values, steps));
    }
    let grid = Grid::new(widths, origin);
    let farthest = |value: &Value| {
        value
            .number()
            .map_or(0.0, |n| ((n - origin) / grid.width).abs())
    };
    if values.iter().map(farthest).any(|steps| steps > 1e15) {
        return Err(format!(
            "intervals of {} are narrower than numbers of this size can be told apart; begin with a wider one",
            grid.width
        ));
    }
    let steps = |value: &Value| grid.steps(value.number().expect("a numeric kind has numbers"));
    Ok(with_steps(values, steps))
}

fn with_steps(values: &[Value], steps: impl Fn(&Value) -> Vec<Step>) -> Vec<Path> {
    let path = |value: &Value| Path {
        leaf: value.clone(),
        steps: steps(value),
    };
    values.iter().map(path).collect()
}

/// The interval that holds a whole number: it ends where the next one begins less one, so that both
/// ends are included.
fn whole_step(number: i64, width: i128, origin: i128) -> Step {
    let low = origin + (i128::from(number) - origin).div_euclid(width) * width;
    // An interval that reaches past the greatest number ends there.
    let end = |at: i128| Value::Integer(at.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
    named(end(low), end(low + width - 1))
}

/// Intervals of numbers with a fraction: each shares its end with the next one's start, and holds the
/// start. Wider ones are whole multiples of the narrowest, so that they nest though 0.1 has no exact
/// form in binary.
struct Grid {
    width: f64,
    origin: f64,
    /// How many of the narrowest an interval of each width holds.
    multiples: Vec<i64>,
}

impl Grid {
    fn new(widths: &[f64], origin: f64) -> Self {
        let width = widths.first().copied().unwrap_or(1.0);
        let multiples = widths.iter().map(|w| (w / width).round() as i64).collect();
        Grid {
            width,
            origin,
            multiples,
        }
    }

    /// Where one of the narrowest intervals begins, to twelve digits: 0.3, not 0.30000000000000004.
    fn start(&self, place: i64) -> f64 {
        let exact = self.origin + place as f64 * self.width;
        let short = format!("{exact:.11e}").parse().unwrap_or(exact);
        // Twelve digits are too few where the widths are tiny beside the numbers.
        let near = if (short - exact).abs() < self.width * 1e-3 {
            short
        } else {
            exact
        };
        near + 0.0
    }

    fn steps(&self, number: f64) -> Vec<Step> {
        let mut place = ((number - self.origin) / self.width).floor() as i64;
        if number < self.start(place) {
            place -= 1;
        } else if number >= self.start(place + 1) {
            place += 1;
        }
        let step = |multiple: &i64| {
            let first = place.div_euclid(*multiple) * multiple;
            named(
                Value::Decimal(self.start(first)),
                Value::Decimal(self.start(first + multiple)),
            )
        };
        self.multiples.iter().map(step).collect()
    }
}

fn named(low: Value, high: Value) -> Step {
    let label = if low == high {
        low.text(None)
    } else {
        format!("{}..{}", low.text(None), high.text(None))
    };
    Step {
        label,
        bounds: Some((low, high)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_lies_in_each_of_its_intervals() {
        let values: Vec<Value> = (-7..50).map(Value::Integer).collect();
        for path in paths(&values, Kind::Integer, &[5.0, 10.0, 20.0], 3.0).expect("sound widths") {
            for step in path.steps {
                let (low, high) = step.bounds.expect("an interval has bounds");
                assert!(
                    low <= path.leaf && path.leaf <= high,
                    "{} in {}",
                    path.leaf.text(None),
                    step.label
                );
            }
        }
    }

    #[test]
    fn labels_include_both_ends() {
        assert_eq!(whole_step(37, 20, 0).label, "20..39");
        assert_eq!(whole_step(-1, 5, 0).label, "-5..-1");
        assert_eq!(whole_step(7, 1, 0).label, "7");
        assert_eq!(Grid::new(&[0.5], 0.0).steps(0.3)[0].label, "0..0.5");
    }

    #[test]
    fn large_numbers_keep_every_digit() {
        let number = 9_007_199_254_740_993;
        assert_eq!(whole_step(number, 1, 0).label, number.to_string());
        assert_eq!(
            whole_step(i64::MAX, 10, 0).label,
            "9223372036854775800..9223372036854775807"
        );
    }

    #[test]
    fn intervals_too_narrow_for_the_numbers_are_refused() {
        let huge = [Value::Decimal(1e300)];
        let refused = paths(&huge, Kind::Decimal, &[0.1], 0.0);
        assert!(refused.is_err_and(|why| why.contains("wider")));
        assert!(paths(&huge, Kind::Decimal, &[1e299], 0.0).is_ok());
    }

    #[test]
    fn tenths_nest_and_read_well() {
        let values: Vec<Value> = (0..40)
            .map(|i| Value::Decimal(f64::from(i) / 10.0))
            .collect();
        let paths = paths(&values, Kind::Decimal, &[0.1, 0.2, 0.6], 0.0).expect("sound widths");
        let labels: Vec<&str> = paths[3].steps.iter().map(|s| s.label.as_str()).collect();
        assert_eq!(labels, ["0.3..0.4", "0.2..0.4", "0..0.6"]);
        let mut parents = std::collections::BTreeMap::new();
        for path in &paths {
            for pair in path.steps.windows(2) {
                let parent = parents.entry(&pair[0].label).or_insert(&pair[1].label);
                assert_eq!(*parent, &pair[1].label, "{} nests", pair[0].label);
            }
            for step in &path.steps {
                let (low, high) = step.bounds.as_ref().expect("an interval has bounds");
                assert!(*low <= path.leaf && path.leaf < *high, "{}", step.label);
            }
        }
    }
}
