//! Charts as SVG texts. They need neither colour nor script to be read: *before* is always hollow and
//! dashed, *after* solid; what a mark stands for is written beside it; a title and a description speak
//! to those who hear the page. Colours are the page's (CSS variables and `currentColor`), so that light
//! and dark both work; the text keeps its size on a phone, for a chart is drawn no wider than one.
//!
//! `plotters` was tried for this. Its SVG has fixed colours, a fixed size and neither description nor
//! classes to style, so that the dark page, the phone and the screen reader would each have had to be
//! mended in its text afterwards. Markup is therefore ours, written with `maud`, which escapes whatever
//! a column name or a cell brings along.

mod bars;
mod curve;
mod frame;
mod heat;
mod scale;
mod scatter;

#[cfg(test)]
mod tests;

pub use bars::{Bar, Bars};
pub use curve::{Curve, Line, Mark};
pub use heat::Heat;
pub use scale::Unit;
pub(crate) use scale::round_step;
pub use scatter::{Point, Scatter};

use std::fmt;

use maud::{Markup, PreEscaped, Render, html};

/// What a chart is of: its title, and a sentence that says what is to be seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// The title, drawn above the chart.
    pub title: String,
    /// What is to be seen, for those who do not see it.
    pub description: String,
}

/// An axis: what it measures, in which unit, and whether tens are as far apart as units.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// How its numbers are written.
    pub unit: Unit,
    /// Whether it is logarithmic.
    pub log: bool,
}

impl Axis {
    /// A plain axis.
    pub fn new(label: impl Into<String>, unit: Unit) -> Self {
        Axis {
            label: label.into(),
            unit,
            log: false,
        }
    }

    /// The same axis, logarithmic.
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }
}

/// Which side of the release a mark belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The input: hollow, dashed.
    Before,
    /// The release: solid.
    After,
}

impl Side {
    /// Its class in the style sheet.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Side::Before => "before",
            Side::After => "after",
        }
    }
}

/// A drawn chart: an `<svg>` element that may stand in any HTML page that has [`STYLE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Svg(String);

impl Svg {
    pub(crate) fn of(markup: Markup) -> Self {
        Svg(markup.into_string())
    }

    /// The element's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same as a file of its own, with its style inside.
    pub fn to_file(&self) -> String {
        let (head, rest) = self
            .0
            .split_once('>')
            .expect("a chart begins with its opening tag");
        let space = "xmlns=\"http://www.w3.org/2000/svg\"";
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{head} {space}><style>svg{{background:#fff;color:#1c2330}}@media(prefers-color-scheme:dark){{svg{{background:#14181f;color:#e6e9ee}}}}{STYLE}.chart{{max-width:none}}</style>{rest}\n"
        )
    }
}

impl fmt::Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Render for Svg {
    fn render(&self) -> Markup {
        PreEscaped(self.0.clone())
    }
}

/// The style that charts need; it takes the page's own colours where it names them (`--after`,
/// `--before`, `--grid`, `--card`).
pub const STYLE: &str = "\
.chart{display:block;width:100%;height:auto;max-width:560px;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:11px;fill:currentColor}\
.chart .title{font-size:13px;font-weight:600}\
.chart .axis{stroke:currentColor;stroke-width:1;fill:none}\
.chart .grid{stroke:var(--grid,currentColor);stroke-opacity:.18;stroke-width:1}\
.chart .before{fill:none;stroke:var(--before,currentColor);stroke-width:1.5;stroke-dasharray:4 2}\
.chart .after{fill:var(--after,#2563a8);stroke:none}\
.chart path.after{fill:none;stroke:var(--after,#2563a8);stroke-width:2.25}\
.chart .mark{stroke:currentColor;stroke-width:1;stroke-dasharray:1 3}\
.chart .cell{fill:var(--after,#2563a8);stroke:none}\
.chart .cell-edge{fill:none;stroke:currentColor;stroke-opacity:.25;stroke-width:.5}\
.chart .strong{fill:#fff}\
.chart .open{fill:var(--card,#fff);stroke:currentColor;stroke-width:1.25;stroke-opacity:.7}\
.chart .best{fill:var(--after,#2563a8);stroke:currentColor;stroke-width:1.25}\
.chart .frontier{fill:none;stroke:var(--after,#2563a8);stroke-width:1.5}\
.chart .label{fill-opacity:.75}\
@media(prefers-color-scheme:dark){.chart .after,.chart .cell,.chart .best{fill:var(--after,#7db4f0)}.chart path.after,.chart .frontier{fill:none;stroke:var(--after,#7db4f0)}.chart .strong{fill:#10151c}.chart .open{fill:var(--card,#14181f)}}\
@media print{.chart{break-inside:avoid}}";

/// The `<svg>` element with what it says of itself.
pub(crate) fn svg(words: &Words, width: f64, height: f64, inside: Markup) -> Svg {
    let view = format!("0 0 {} {}", width, height);
    Svg::of(html! {
        svg class="chart" role="img" viewBox=(view) aria-label=(words.title) {
            title { (words.title) }
            desc { (words.description) }
            (inside)
        }
    })
}

/// A coordinate, with as many digits as an eye can tell.
pub(crate) fn at(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_string(),
        None => text,
    }
}
