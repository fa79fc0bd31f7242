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
    let whole = kind == Kind::Integer
        && origin.fract() == 0.0
        && widths.iter().all(|width| width.fract() == 0.0);
    if kind == Kind::Integer && !whole {
        return Err(
            "a whole-numbered column needs whole-numbered interval widths and origin".into(),
        );
    }
    Ok(values
        .iter()
        .map(|value| {
            let number = value.number().expect("a numeric kind has numbers");
            let steps = widths
                .iter()
                .map(|width| step(number, *width, origin, whole))
                .collect();
            Path {
                leaf: value.clone(),
                steps,
            }
        })
        .collect())
}

/// The interval of one width that holds a number. Whole numbers end where the next interval begins
/// less one, so that both ends are included; others share their end with the next one's start.
fn step(number: f64, width: f64, origin: f64, whole: bool) -> Step {
    let low = origin + ((number - origin) / width).floor() * width;
    let (low, high) = if whole {
        (
            Value::Integer(low as i64),
            Value::Integer((low + width) as i64 - 1),
        )
    } else {
        (Value::Decimal(low + 0.0), Value::Decimal(low + width))
    };
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
        assert_eq!(step(37.0, 20.0, 0.0, true).label, "20..39");
        assert_eq!(step(-1.0, 5.0, 0.0, true).label, "-5..-1");
        assert_eq!(step(0.3, 0.5, 0.0, false).label, "0..0.5");
        assert_eq!(step(7.0, 1.0, 0.0, true).label, "7");
    }
}
