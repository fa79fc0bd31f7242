//! What was done to each column and why it stands there, and what was suppressed.

use maud::{Markup, html};

use super::Internal;
use crate::figures::{ColumnRelease, column_releases};
use crate::report::sections::{named, term};
use crate::text::{cut, number, percent};

impl Internal<'_> {
    /// What was done to each column and why it stands there, and what was suppressed.
    pub fn result(&self) -> Markup {
        let total = self.counts.total();
        let suppressed = self.classes.suppressed_rows();
        let why = |name: &str| {
            let columns = self.explanation.map(|e| e.columns.as_slice());
            let reason = columns?.iter().find(|reason| reason.column == name)?;
            Some(reason.text.clone())
        };
        html! {
            h3 { "What was done to each column, and why it stands there" }
            div class="scroll" {
                table {
                    thead { tr { th { "column" } th class="n" { "values" } th class="n" { (term("column_lm")) } th { "released as" } } }
                    @for done in &column_releases(self.attributes, self.values, total, self.classes) {
                        tbody class="whole" {
                            tr class="open" {
                                th scope="rowgroup" { (done.column) }
                                td class="n" { (number(done.values_before)) " → " (number(done.values_after)) }
                                td class="n" { (percent(done.lm)) }
                                td { (examples(done)) }
                            }
                            tr { td colspan="4" class="quiet" { (why(&done.column).unwrap_or_else(|| "Why is not known for this recoding".into())) "." } }
                        }
                    }
                }
            }
            h3 { "Suppression" }
            p {
                (named("suppressed_rows")) ": " (number(suppressed)) " of " (number(total)) " (" (percent(suppressed as f64 / total.max(1) as f64))
                "; allowed " (percent(self.policy.suppression.limit)) "), mode " (self.policy.suppression.mode.word()) ". "
                @if let Some(explanation) = self.explanation { (sentence(&explanation.suppression.text)) }
            }
        }
    }
}

/// Some released values in a line.
fn examples(done: &ColumnRelease) -> String {
    let mut texts: Vec<String> = done
        .examples
        .iter()
        .map(|label| match label.as_str() {
            "" => "(empty)".to_string(),
            label => cut(label, 28),
        })
        .collect();
    if done.values_after > texts.len() as u64 {
        texts.push("…".into());
    }
    texts.join(", ")
}

/// A clause as a sentence.
fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).chain(['.']).collect()
}
