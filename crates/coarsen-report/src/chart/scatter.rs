//! The frontier: every candidate by its risk and its loss, the undominated ones solid and joined.

use maud::{Markup, html};

use super::frame::Frame;
use super::scale::Scale;
use super::{Axis, Svg, Words, at, svg};

/// A candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What is written beside it.
    pub label: String,
    /// What it is, in words.
    pub said: String,
    /// Which of [`Scatter::groups`] it belongs to; a group has a shape of its own.
    pub group: usize,
    /// Its place to the right: less is better.
    pub x: f64,
    /// Its height: less is better.
    pub y: f64,
    /// Whether no other is better in one and as good in the other.
    pub undominated: bool,
}

/// A chart of candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// What it is of.
    pub words: Words,
    /// The axis that runs to the right.
    pub x: Axis,
    /// The axis that runs up.
    pub y: Axis,
    /// What the shapes stand for.
    pub groups: Vec<String>,
    /// The candidates.
    pub points: Vec<Point>,
}

/// How many shapes there are; further groups begin again, and are told apart by their labels.
const SHAPES: usize = 6;

impl Scatter {
    /// Draws it.
    pub fn draw(&self) -> Svg {
        // The legend's lines, two groups to a line.
        let lines = (self.groups.len() + 1).div_ceil(2) as f64;
        let mut frame = Frame::new(310.0 + 16.0 * lines, 58.0);
        frame.top = 34.0 + 16.0 * lines;
        let bounds = |of: fn(&Point) -> f64, log: bool| {
            let low = self.points.iter().map(of).fold(f64::INFINITY, f64::min);
            let high = self.points.iter().map(of).fold(0.0, f64::max);
            match (log, low.is_finite()) {
                (true, true) => (low * 0.85, high * 1.18),
                (false, true) => (0.0, high * 1.08),
                _ => (0.001, 1.0),
            }
        };
        let (low, high) = bounds(|p| p.x, self.x.log);
        let across = frame.across(&self.x, low, high);
        let (low, high) = bounds(|p| p.y, self.y.log);
        let up = frame.up(&self.y, low, high);
        let mut ordered: Vec<&Point> = self.points.iter().collect();
        ordered.sort_by_key(|point| point.undominated);
        let inside = html! {
            (frame.title(&self.words))
            @for (i, group) in self.groups.iter().enumerate() {
                @let (x, y) = (frame.left + 8.0 + 190.0 * (i % 2) as f64, 27.0 + 16.0 * (i / 2) as f64);
                (shape(i, x, y, "open"))
                text x=(at(x + 10.0)) y=(at(y + 4.0)) { (group) }
            }
            @let last = self.groups.len();
            @let (x, y) = (frame.left + 8.0 + 190.0 * (last % 2) as f64, 27.0 + 16.0 * (last / 2) as f64);
            path class="frontier" d=(format!("M{} {}h16", at(x - 8.0), at(y))) {}
            text x=(at(x + 12.0)) y=(at(y + 4.0)) { "solid: undominated" }
            (frame.y_axis(&self.y, &up))
            (frame.x_axis(&self.x, &across))
            path class="frontier" d=(self.frontier(&across, &up)) {}
            @for point in ordered {
                @let (x, y) = (across.place(point.x), up.place(point.y));
                g {
                    title { (point.said) }
                    (shape(point.group, x, y, if point.undominated { "best" } else { "open" }))
                }
            }
            @for (x, y, label) in self.labels(&across, &up) {
                text x=(at(x + 7.0)) y=(at(y - 5.0)) font-size="9" { (label) }
            }
        };
        svg(&self.words, frame.width, frame.height, inside)
    }

    /// What is written beside the points; those that lie on one another share it.
    fn labels(&self, across: &Scale, up: &Scale) -> Vec<(f64, f64, String)> {
        const NEAR: f64 = 5.0;
        let mut labels: Vec<(f64, f64, String)> = Vec::new();
        for point in &self.points {
            let (x, y) = (across.place(point.x), up.place(point.y));
            let near = |label: &&mut (f64, f64, String)| {
                (label.0 - x).abs() < NEAR && (label.1 - y).abs() < NEAR
            };
            match labels.iter_mut().find(near) {
                Some((_, _, label)) => {
                    label.push_str(", ");
                    label.push_str(&point.label);
                }
                None => labels.push((x, y, point.label.clone())),
            }
        }
        labels
    }

    /// The line through the undominated candidates, in steps: between two of them nothing better is
    /// known than the one at the left.
    fn frontier(&self, across: &Scale, up: &Scale) -> String {
        let mut best: Vec<&Point> = self.points.iter().filter(|p| p.undominated).collect();
        best.sort_by(|a, b| a.x.total_cmp(&b.x).then(b.y.total_cmp(&a.y)));
        let mut path = String::new();
        for (i, point) in best.iter().enumerate() {
            let (x, y) = (at(across.place(point.x)), at(up.place(point.y)));
            path += &match i {
                0 => format!("M{x} {y}"),
                _ => format!("H{x}V{y}"),
            };
        }
        path
    }
}

fn shape(group: usize, x: f64, y: f64, class: &str) -> Markup {
    let path = match group % SHAPES {
        0 => return html! { circle class=(class) cx=(at(x)) cy=(at(y)) r="4.5" {} },
        1 => format!("M{} {}h8v8h-8z", at(x - 4.0), at(y - 4.0)),
        2 => format!("M{} {}l5 9h-10z", at(x), at(y - 5.5)),
        3 => format!("M{} {}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", at(x), at(y - 5.5)),
        4 => format!("M{} {}l5 -9h-10z", at(x), at(y + 5.5)),
        _ => format!(
            "M{} {}h3.4v-3.2h3.2v3.2h3.4v3.2h-3.4v3.2h-3.2v-3.2h-3.4z",
            at(x - 5.0),
            at(y - 1.6)
        ),
    };
    html! { path class=(class) d=(path) {} }
}
