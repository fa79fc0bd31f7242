//! From values to places on an axis, and the round values that are written along it.

use crate::text::{number, percent};

/// How the numbers of an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Whole numbers.
    Count,
    /// Shares, in percent.
    Share,
    /// Any number.
    Plain,
}

impl Unit {
    /// A value as it is written.
    pub fn write(self, value: f64) -> String {
        match self {
            Unit::Count => number(value.round().max(0.0) as u64),
            Unit::Share => percent(value),
            Unit::Plain => {
                let text = format!("{value:.3}");
                let text = text.trim_end_matches('0').trim_end_matches('.');
                match text {
                    "-0" => "0".to_string(),
                    _ => text.to_string(),
                }
            }
        }
    }
}

/// An interval of values laid over an interval of places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl Scale {
    /// A linear scale; an empty interval is widened, so that a value has a place.
    pub fn linear(low: f64, high: f64, from: f64, to: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Scale {
            low,
            high,
            from,
            to,
            log: false,
        }
    }

    /// A logarithmic scale over values above 0.
    pub fn log(low: f64, high: f64, from: f64, to: f64) -> Self {
        let low = if low > 0.0 { low } else { f64::MIN_POSITIVE };
        let high = if high > low { high } else { low * 10.0 };
        Scale {
            low,
            high,
            from,
            to,
            log: true,
        }
    }

    /// The place of a value; what lies outside stands at the end.
    pub fn place(&self, value: f64) -> f64 {
        let share = match self.log {
            true => (value.max(self.low) / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Round values inside the interval, about as many as wished.
    pub fn ticks(&self, wished: usize) -> Vec<f64> {
        match self.log {
            true => self.decades(wished),
            false => {
                let step = round_step((self.high - self.low) / wished.max(1) as f64);
                let first = (self.low / step - 1e-9).ceil() as i64;
                let last = (self.high / step + 1e-9).floor() as i64;
                (first..=last).map(|i| i as f64 * step).collect()
            }
        }
    }

    fn decades(&self, wished: usize) -> Vec<f64> {
        let (first, last) = (
            (self.low.log10() - 1e-9).ceil() as i32,
            (self.high.log10() + 1e-9).floor() as i32,
        );
        let stride = ((last - first + 1).max(1) as usize)
            .div_ceil(wished.max(1))
            .max(1);
        // A short interval has round values between its tens too.
        let within: &[f64] = if last - first < 2 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let mut ticks = Vec::new();
        for decade in (first - 1..=last).step_by(stride) {
            for digit in within {
                let value = digit * 10f64.powi(decade);
                if value >= self.low * (1.0 - 1e-9) && value <= self.high * (1.0 + 1e-9) {
                    ticks.push(value);
                }
            }
        }
        ticks
    }
}

/// 1, 2 or 5 times a power of ten, not below the given step.
pub(crate) fn round_step(step: f64) -> f64 {
    if step <= 0.0 || !step.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(step.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|digit| digit * power >= step * (1.0 - 1e-9))
        .unwrap_or(10.0);
    digit * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_between_their_ends() {
        let scale = Scale::linear(0.0, 10.0, 100.0, 0.0);
        assert_eq!(scale.place(0.0), 100.0);
        assert_eq!(scale.place(2.5), 75.0);
        assert_eq!(scale.place(99.0), 0.0);
        let log = Scale::log(0.001, 1.0, 0.0, 300.0);
        assert!((log.place(0.01) - 100.0).abs() < 1e-9);
        assert_eq!(log.place(0.0), 0.0);
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(
            Scale::linear(0.0, 10.0, 0.0, 1.0).ticks(5),
            [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
        );
        assert_eq!(
            Scale::linear(17.0, 90.0, 0.0, 1.0).ticks(4),
            [20.0, 40.0, 60.0, 80.0]
        );
        let decades = Scale::log(0.001, 1.0, 0.0, 1.0).ticks(6);
        assert_eq!(decades.len(), 4);
        let short = Scale::log(2.0, 100.0, 0.0, 1.0).ticks(6);
        assert_eq!(short, [2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        for (low, high) in [(0.0, 0.0), (5.0, 5.0), (0.0, 1e-9), (1.0, 1e12)] {
            for tick in Scale::linear(low, high, 0.0, 1.0).ticks(4) {
                let near = 1e-6 * (high - low).max(1.0);
                assert!(tick >= low - near && tick.is_finite());
            }
        }
    }

    #[test]
    fn units_write_their_numbers() {
        assert_eq!(Unit::Count.write(1200.0), "1,200");
        assert_eq!(Unit::Share.write(0.25), "25 %");
        assert_eq!(Unit::Plain.write(0.3), "0.3");
        assert_eq!(Unit::Plain.write(-0.0), "0");
        assert_eq!(Unit::Plain.write(42.0), "42");
    }
}
