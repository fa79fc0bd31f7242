//! What charts with two axes share: the title, the legend, the axes with their round values.

use maud::{Markup, html};

use super::scale::Scale;
use super::{Axis, Side, Words, at};
use crate::text::cut;

/// The room around the plot, in the chart's own units. A chart is drawn as wide as a phone, so that
/// its letters need not shrink there.
pub(crate) struct Frame {
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// The width of every chart.
pub(crate) const WIDTH: f64 = 440.0;

impl Frame {
    /// A frame with room for titles, legend and axes.
    pub fn new(height: f64, left: f64) -> Self {
        Frame {
            width: WIDTH,
            height,
            left,
            right: WIDTH - 20.0,
            top: 44.0,
            bottom: height - 42.0,
        }
    }

    /// The scale of the axis that runs to the right.
    pub fn across(&self, axis: &Axis, low: f64, high: f64) -> Scale {
        match axis.log {
            true => Scale::log(low, high, self.left, self.right),
            false => Scale::linear(low, high, self.left, self.right),
        }
    }

    /// The scale of the axis that runs up.
    pub fn up(&self, axis: &Axis, low: f64, high: f64) -> Scale {
        match axis.log {
            true => Scale::log(low, high, self.bottom, self.top),
            false => Scale::linear(low, high, self.bottom, self.top),
        }
    }

    /// The title at the top.
    pub fn title(&self, words: &Words) -> Markup {
        html! { text class="title" x="2" y="14" { (cut(&words.title, 62)) } }
    }

    /// What the marks stand for, under the title.
    pub fn legend(&self, sides: &[(Side, &str)], lines: bool) -> Markup {
        let mut x = self.left;
        html! {
            @for (side, name) in sides {
                @if lines {
                    path class=(side.class()) d=(format!("M{} 27h20", at(x))) {}
                } @else {
                    rect class=(side.class()) x=(at(x)) y="22" width="20" height="9" {}
                }
                text x=(at(x + 25.0)) y="31" { (name) }
                @let () = x += 25.0 + 6.2 * name.chars().count() as f64 + 22.0;
            }
        }
    }

    /// The axis on the left with its lines across the plot.
    pub fn y_axis(&self, axis: &Axis, scale: &Scale) -> Markup {
        html! {
            @for tick in scale.ticks(5) {
                @let y = scale.place(tick);
                path class="grid" d=(format!("M{} {}H{}", at(self.left), at(y), at(self.right))) {}
                text x=(at(self.left - 5.0)) y=(at(y + 3.5)) text-anchor="end" { (axis.unit.write(tick)) }
            }
            path class="axis" d=(format!("M{} {}V{}", at(self.left), at(self.top), at(self.bottom))) {}
            text class="label" transform=(format!("translate(11 {}) rotate(-90)", at((self.top + self.bottom) / 2.0))) text-anchor="middle" { (axis.label) }
        }
    }

    /// The axis at the bottom with its round values.
    pub fn x_axis(&self, axis: &Axis, scale: &Scale) -> Markup {
        html! {
            @for tick in scale.ticks(6) {
                @let x = scale.place(tick);
                path class="axis" d=(format!("M{} {}v4", at(x), at(self.bottom))) {}
                text x=(at(x)) y=(at(self.bottom + 15.0)) text-anchor="middle" { (axis.unit.write(tick)) }
            }
            (self.x_line(&axis.label))
        }
    }

    /// The bare axis at the bottom with its label.
    pub fn x_line(&self, label: &str) -> Markup {
        html! {
            path class="axis" d=(format!("M{} {}H{}", at(self.left), at(self.bottom), at(self.right))) {}
            text class="label" x=(at((self.left + self.right) / 2.0)) y=(at(self.bottom + 33.0)) text-anchor="middle" { (label) }
        }
    }
}
