//! A short view of a release or an audit, for a place inside a page that is not ours, such as a notebook's
//! output: the verdict, the scoreboard and the charts of the report. Its style reaches nothing outside it,
//! and it needs no script.

use coarsen::audit::Audit;
use maud::{Markup, PreEscaped, html};

use super::Internal;
use super::sections::{figure, residual_charts, verdict};
use crate::chart::{self, Axis, Bar, Bars, Svg, Unit, Words};
use crate::figures::column_releases;
use crate::scoreboard::Scoreboard;

impl Internal<'_> {
    /// The verdict, the scoreboard and the charts, as HTML for a place inside a page.
    pub fn to_view(&self) -> String {
        let known = self.before();
        let before = known.as_ref();
        let sizes = self.counts.rows();
        let told = before.map(|before| (before, sizes));
        framed(html! {
            (verdict(self.requirements, self.audit, self.unproven_rows))
            @for warning in self.warnings { p class="warn" { "Note: " (warning) "." } }
            (self.scoreboard(before).to_html())
            div class="charts" {
                (residual_charts(told, self.audit, self.released.rows()))
                (figure(&self.lost(), html! {}))
            }
        })
    }

    /// How much of each column is lost.
    fn lost(&self) -> Svg {
        let columns = column_releases(
            self.attributes,
            self.values,
            self.counts.total(),
            self.classes,
        );
        let most = columns.iter().max_by(|a, b| a.lm.total_cmp(&b.lm));
        let description = most.map_or(String::new(), |most| {
            format!("The column that lost most is {}.", most.column)
        });
        let bars = columns.into_iter().map(|column| Bar {
            label: column.column,
            before: None,
            after: Some(column.lm),
        });
        let chart = Bars {
            words: Words {
                title: "How much of each column is lost".into(),
                description,
            },
            places: "column".into(),
            values: Axis::new("LM", Unit::Share),
            bars: bars.collect(),
        };
        chart.lying()
    }
}

/// An audit and its charts; `sizes` are those of the classes.
pub fn audit_view(audit: &Audit, sizes: &[u64]) -> String {
    framed(html! {
        @if audit.holds { p { strong { "✓ The requirement holds" } } }
        @else {
            p { strong { "✗ The requirement does not hold" } }
            @for failure in &audit.failures { p { (failure) } }
        }
        (Scoreboard::of(None, audit, []).to_html())
        div class="charts" { (residual_charts(None, audit, sizes)) }
    })
}

/// A chart by itself.
pub fn chart_view(chart: &Svg) -> String {
    framed(html! { div class="charts" { (figure(chart, html! {})) } })
}

/// The frame that keeps the style inside.
fn framed(inside: Markup) -> String {
    let style = format!(".coarsen{{{STYLE}{}}}", chart::STYLE);
    html! { div class="coarsen" { style { (PreEscaped(style)) } (inside) } }.into_string()
}

const STYLE: &str = "\
table.score{border-collapse:collapse;margin:8px 0}\
table.score th,table.score td{text-align:left;padding:2px 14px 2px 0}\
table.score .n{text-align:right}\
details p{max-width:60ch;font-weight:400}\
summary{cursor:help;list-style:none}\
summary::after{content:' ?';opacity:.6}\
.charts{display:flex;flex-wrap:wrap;gap:12px}\
.charts figure{margin:0;flex:1 1 320px;max-width:440px}\
figcaption{font-size:.85em;opacity:.8}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_stays_inside() {
        let shown = framed(html! { p { "<script>" } });
        assert!(shown.starts_with("<div class=\"coarsen\"><style>.coarsen{"));
        assert!(shown.contains("&lt;script&gt;") && !shown.contains("<script"));
        // Every brace that opens is closed again, so that no rule escapes its frame.
        let style = &shown[..shown.find("</style>").unwrap()];
        let count = |brace: char| style.matches(brace).count();
        assert_eq!(count('{'), count('}'));
    }
}
