//! Heat maps: how much of each row of a table stands in each of its columns. The deeper a cell, the more;
//! the number stands in it where it fits, and always in the cell's title.

use maud::html;

use super::frame::WIDTH;
use super::{Svg, Words, at, svg};
use crate::text::{cut, percent};

/// A heat map of shares from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// What it is of.
    pub words: Words,
    /// What runs across.
    pub across: String,
    /// What runs down.
    pub down: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The names of the rows.
    pub rows: Vec<String>,
    /// One list of cells a row.
    pub cells: Vec<Vec<f64>>,
    /// The share that is drawn deepest: give two maps the same, and they can be compared.
    pub deepest: f64,
}

impl Heat {
    /// Draws it.
    pub fn draw(&self) -> Svg {
        const LETTERS: usize = 15;
        let (left, top) = (112.0, 34.0);
        let right = WIDTH - 8.0;
        let wide = (right - left) / self.columns.len().max(1) as f64;
        let high = 21.0;
        let bottom = top + high * self.rows.len() as f64;
        // Names across the bottom stand upright where they are too long to lie.
        let letters = (wide / 6.0) as usize;
        let longest = self.columns.iter().map(|n| n.chars().count()).max();
        let stands = longest.unwrap_or(0) > letters.max(2);
        let longest = longest.unwrap_or(0).min(LETTERS) as f64;
        let foot = if stands { 10.0 + 5.8 * longest } else { 18.0 };
        let deepest = if self.deepest > 0.0 {
            self.deepest
        } else {
            1.0
        };
        let inside = html! {
            text class="title" x="2" y="14" { (cut(&self.words.title, 62)) }
            text class="label" x=(at(left - 6.0)) y=(at(top - 6.0)) text-anchor="end" { (cut(&self.down, 17)) " ↓" }
            @for (i, (row, cells)) in self.rows.iter().zip(&self.cells).enumerate() {
                @let y = top + high * i as f64;
                text x=(at(left - 6.0)) y=(at(y + 14.0)) text-anchor="end" { (cut(row, LETTERS)) }
                @for (j, (column, share)) in self.columns.iter().zip(cells).enumerate() {
                    @let x = left + wide * j as f64;
                    @let depth = (share / deepest).clamp(0.0, 1.0);
                    rect class="cell" x=(at(x)) y=(at(y)) width=(at(wide)) height=(at(high)) fill-opacity=(format!("{depth:.2}")) {
                        title { (row) ", " (column) ": " (percent(*share)) }
                    }
                    rect class="cell-edge" x=(at(x)) y=(at(y)) width=(at(wide)) height=(at(high)) {}
                    @if wide >= 24.0 {
                        text class=[(depth > 0.55).then_some("strong")] x=(at(x + wide / 2.0)) y=(at(y + 14.0)) text-anchor="middle" font-size="9" {
                            (format!("{:.0}", share * 100.0))
                        }
                    }
                }
            }
            @for (j, column) in self.columns.iter().enumerate() {
                @let x = left + wide * (j as f64 + 0.5);
                @if stands {
                    text transform=(format!("translate({} {}) rotate(-90)", at(x + 3.5), at(bottom + 5.0))) text-anchor="end" { (cut(column, LETTERS)) }
                } @else {
                    text x=(at(x)) y=(at(bottom + 14.0)) text-anchor="middle" { (column) }
                }
            }
            text class="label" x=(at((left + right) / 2.0)) y=(at(bottom + foot + 12.0)) text-anchor="middle" { (cut(&self.across, 44)) " →" }
        };
        svg(&self.words, WIDTH, bottom + foot + 18.0, inside)
    }
}
