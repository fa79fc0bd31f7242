//! Bars, upright for ranges in their order and lying for names: at each place one before and one after.

use maud::{Markup, html};

use super::frame::Frame;
use super::scale::Scale;
use super::{Axis, Side, Svg, Unit, Words, at, svg};
use crate::text::cut;

/// One place of a bar chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What the bars stand for.
    pub label: String,
    /// The value before; none where it is not told.
    pub before: Option<f64>,
    /// The value after.
    pub after: Option<f64>,
}

/// A bar chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// What it is of.
    pub words: Words,
    /// What the places are.
    pub places: String,
    /// What the bars measure.
    pub values: Axis,
    /// The bars.
    pub bars: Vec<Bar>,
}

impl Bars {
    /// Upright bars, their values written above them.
    pub fn upright(&self) -> Svg {
        let frame = Frame::new(250.0, 62.0);
        let up = frame.up(&self.values, 0.0, self.greatest() * 1.08);
        let slot = (frame.right - frame.left) / self.bars.len().max(1) as f64;
        let sides = self.sides();
        let width = (slot * 0.78 / sides.len().max(1) as f64).min(36.0);
        let draw = |place: usize, bar: &Bar| -> Markup {
            let middle = frame.left + slot * (place as f64 + 0.5);
            let start = middle - width * sides.len() as f64 / 2.0;
            html! {
                @for (i, side) in sides.iter().enumerate() {
                    @if let Some(value) = bar.of(*side) {
                        @let (x, y) = (start + width * i as f64, up.place(value));
                        rect class=(side.class()) x=(at(x + 1.0)) y=(at(y)) width=(at(width - 2.0)) height=(at((frame.bottom - y).max(0.0))) {
                            title { (self.said(bar, *side, value)) }
                        }
                        @if value > 0.0 && width >= 14.0 {
                            text x=(at(x + width / 2.0)) y=(at(y - 3.0)) text-anchor="middle" font-size="9" { (short(self.values.unit, value)) }
                        }
                    }
                }
                text x=(at(middle)) y=(at(frame.bottom + 15.0)) text-anchor="middle" { (cut(&bar.label, (slot / 6.0) as usize + 1)) }
            }
        };
        let inside = html! {
            (frame.title(&self.words))
            (self.legend(&frame))
            (frame.y_axis(&self.values, &up))
            @for (place, bar) in self.bars.iter().enumerate() { (draw(place, bar)) }
            (frame.x_line(&self.places))
        };
        svg(&self.words, frame.width, frame.height, inside)
    }

    /// Lying bars, their names at the left and their values behind them.
    pub fn lying(&self) -> Svg {
        const LETTERS: usize = 22;
        let sides = self.sides();
        let thick = if sides.len() > 1 { 9.5 } else { 11.0 };
        let slot = thick * sides.len() as f64 + 7.0;
        let top = 44.0;
        let bottom = top + slot * self.bars.len() as f64;
        let (left, right, width) = (142.0, 380.0, 440.0);
        let across = Scale::linear(0.0, self.greatest(), left, right);
        let draw = |place: usize, bar: &Bar| -> Markup {
            let y = top + slot * place as f64 + 3.5;
            html! {
                text x=(at(left - 6.0)) y=(at(y + (slot - 7.0) / 2.0 + 4.0)) text-anchor="end" {
                    @if bar.label.chars().count() > LETTERS { title { (bar.label) } }
                    (cut(&bar.label, LETTERS))
                }
                @for (i, side) in sides.iter().enumerate() {
                    @if let Some(value) = bar.of(*side) {
                        @let (x, y) = (across.place(value), y + thick * i as f64);
                        rect class=(side.class()) x=(at(left)) y=(at(y + 0.5)) width=(at((x - left).max(0.0))) height=(at(thick - 1.5)) {
                            title { (self.said(bar, *side, value)) }
                        }
                        text x=(at(x + 4.0)) y=(at(y + thick - 1.0)) font-size="9" { (short(self.values.unit, value)) }
                    }
                }
            }
        };
        let frame = Frame {
            width,
            height: bottom + 24.0,
            left,
            right,
            top,
            bottom,
        };
        let inside = html! {
            (frame.title(&self.words))
            (self.legend(&frame))
            path class="axis" d=(format!("M{} {}V{}", at(left), at(top), at(bottom))) {}
            @for (place, bar) in self.bars.iter().enumerate() { (draw(place, bar)) }
            text class="label" x=(at((left + right) / 2.0)) y=(at(bottom + 16.0)) text-anchor="middle" { (self.values.label) }
        };
        svg(&self.words, width, frame.height, inside)
    }

    fn legend(&self, frame: &Frame) -> Markup {
        let named: Vec<(Side, &str)> = self
            .sides()
            .into_iter()
            .map(|side| (side, side.class()))
            .collect();
        match named.len() {
            0 | 1 => html! {},
            _ => frame.legend(&named, false),
        }
    }

    /// The sides that are told at all.
    fn sides(&self) -> Vec<Side> {
        let told = |side: &Side| self.bars.iter().any(|bar| bar.of(*side).is_some());
        [Side::Before, Side::After]
            .into_iter()
            .filter(told)
            .collect()
    }

    fn greatest(&self) -> f64 {
        let values = self.bars.iter().flat_map(|bar| [bar.before, bar.after]);
        values.flatten().fold(0.0, f64::max)
    }

    fn said(&self, bar: &Bar, side: Side, value: f64) -> String {
        let value = self.values.unit.write(value);
        format!("{}, {}: {value}", bar.label, side.class())
    }
}

impl Bar {
    fn of(&self, side: Side) -> Option<f64> {
        match side {
            Side::Before => self.before,
            Side::After => self.after,
        }
    }
}

/// A value that must fit above a bar.
fn short(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Count if value >= 99_950.0 => format!("{:.0}k", value / 1000.0),
        Unit::Count if value >= 9_950.0 => format!("{:.1}k", value / 1000.0),
        Unit::Share if value >= 0.0995 => format!("{:.0}%", value * 100.0),
        Unit::Share if value >= 0.0005 => format!("{:.1}%", value * 100.0),
        Unit::Share if value > 0.0 => "<0.1%".to_string(),
        Unit::Share => "0".to_string(),
        _ => unit.write(value),
    }
}
