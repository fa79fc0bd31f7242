//! Lines that hold a value until the next point: risk curves, and distributions along a number line.

use maud::html;

use super::frame::Frame;
use super::scale::Scale;
use super::{Axis, Side, Svg, Words, at, svg};

/// A line of steps: from each point's x on, its y holds until the next point.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Dashed or solid.
    pub side: Side,
    /// What the legend calls it.
    pub name: String,
    /// The points, x rising.
    pub points: Vec<(f64, f64)>,
}

/// A value of the x axis that is marked.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What it is.
    pub label: String,
}

/// A chart of such lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What it is of.
    pub words: Words,
    /// The axis that runs to the right.
    pub x: Axis,
    /// The axis that runs up.
    pub y: Axis,
    /// The lines.
    pub lines: Vec<Line>,
    /// A marked value.
    pub mark: Option<Mark>,
    /// How the numbers of the x axis are written, where they are no plain numbers (dates).
    pub ticks: Option<Vec<(f64, String)>>,
}

impl Curve {
    /// Draws it.
    pub fn draw(&self) -> Svg {
        let frame = Frame::new(250.0, 58.0);
        let xs = || self.lines.iter().flat_map(|line| &line.points).map(|p| p.0);
        let low = xs().fold(f64::INFINITY, f64::min);
        let high = xs().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let greatest = self
            .lines
            .iter()
            .flat_map(|line| &line.points)
            .map(|p| p.1)
            .fold(0.0, f64::max);
        let across = frame.across(&self.x, low, high);
        let up = frame.up(&self.y, 0.0, greatest * 1.02);
        let named: Vec<(Side, &str)> = self
            .lines
            .iter()
            .map(|line| (line.side, line.name.as_str()))
            .collect();
        let inside = html! {
            (frame.title(&self.words))
            @if named.len() > 1 { (frame.legend(&named, true)) }
            (frame.y_axis(&self.y, &up))
            @match &self.ticks {
                None => (frame.x_axis(&self.x, &across)),
                Some(ticks) => {
                    @for (value, text) in ticks {
                        @let x = across.place(*value);
                        path class="axis" d=(format!("M{} {}v4", at(x), at(frame.bottom))) {}
                        text x=(at(x)) y=(at(frame.bottom + 15.0)) text-anchor="middle" { (text) }
                    }
                    (frame.x_line(&self.x.label))
                }
            }
            @if let Some(mark) = &self.mark {
                @let x = across.place(mark.x);
                @let left = x < (frame.left + frame.right) / 2.0;
                path class="mark" d=(format!("M{} {}V{}", at(x), at(frame.top), at(frame.bottom))) {}
                text x=(at(if left { x + 4.0 } else { x - 4.0 })) y=(at(frame.top + 24.0)) text-anchor=(if left { "start" } else { "end" }) { (mark.label) }
            }
            @for line in &self.lines {
                path class=(line.side.class()) d=(steps(line, &across, &up)) { title { (line.name) } }
            }
        };
        svg(&self.words, frame.width, frame.height, inside)
    }
}

fn steps(line: &Line, across: &Scale, up: &Scale) -> String {
    let mut path = String::new();
    for (i, (x, y)) in line.points.iter().enumerate() {
        let (x, y) = (at(across.place(*x)), at(up.place(*y)));
        path += &match i {
            0 => format!("M{x} {y}"),
            _ => format!("H{x}V{y}"),
        };
    }
    path
}
