//! The report: one HTML file that needs neither network nor script, in the order of an expert
//! determination or a regulator's anonymization report: data and roles, threat, method, thresholds,
//! result, residual risk, utility.
//!
//! Two kinds have two types, so that the public one cannot tell what it was not given: [`Internal`] takes
//! the input's counts; [`Public`] takes the released file's own counts, its audit and the policy's
//! [`Terms`], and nothing else.

mod internal;
mod public;
mod sections;
mod terms;
mod view;

pub use internal::{Internal, Searched};
pub use public::Public;
pub use sections::{glossary, verdict};
pub use terms::{ReleasedColumn, Terms};
pub use view::{audit_view, chart_view};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::chart;
use crate::manifest::tool;

/// The page around the sections. It loads nothing: styles and charts are inside.
fn page(title: &str, kind: Markup, head: Markup, sections: &[(&str, &str, Markup)]) -> String {
    let style = concat!(include_str!("style.css"));
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
    let body = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="generator" content=(tool());
                title { (title) }
                style { (PreEscaped(style)) (PreEscaped(chart::STYLE)) }
            }
            body {
                main {
                    header {
                        h1 { (title) }
                        p { (kind) " · " (tool()) }
                    }
                    (head)
                    nav aria-label="Sections" {
                        ol {
                            @for (place, (id, name, _)) in sections.iter().enumerate() {
                                li { a href=(format!("#{id}")) { (place + 1) ". " (name) } }
                            }
                        }
                    }
                    @for (place, (id, name, inside)) in sections.iter().enumerate() {
                        section id=(id) aria-labelledby=(format!("{id}-head")) {
                            h2 id=(format!("{id}-head")) { (place + 1) ". " (name) }
                            (inside)
                        }
                    }
                    p class="sign" { "Determined by ______________________   Date ______________   Signature ______________________" }
                }
            }
        }
    };
    body.into_string() + "\n"
}
