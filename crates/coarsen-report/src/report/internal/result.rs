//! What was done to each column and why it stands there, and what was suppressed.

use coarsen::counts::{Classes, Counts};
use coarsen::domain::Attribute;
use maud::{Markup, html};

use super::Internal;
use crate::report::sections::{named, term};
use crate::text::{cut, number, percent};

impl Internal<'_> {
    pub(super) fn result(&self) -> Markup {
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
                    @for (place, attribute) in self.attributes.iter().enumerate() {
                        @let done = Done::of(place, attribute, self.counts, self.classes);
                        tbody {
                            tr class="open" {
                                th scope="rowgroup" { (attribute.name) }
                                td class="n" { (number(done.values_before)) " → " (number(done.values_after)) }
                                td class="n" { (percent(done.lost)) }
                                td { (done.examples) }
                            }
                            tr { td colspan="4" class="quiet" { (why(&attribute.name).unwrap_or_else(|| "Why is not known for this recoding".into())) "." } }
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

/// What became of one quasi-identifier.
struct Done {
    values_before: u64,
    values_after: u64,
    lost: f64,
    examples: String,
}

impl Done {
    fn of(place: usize, attribute: &Attribute, counts: &Counts, classes: &Classes) -> Self {
        const EXAMPLES: usize = 4;
        let before = counts.marginal(place, attribute.domain.size());
        let held = classes.rows_of_blocks(place);
        let blocks = classes.blocks(place).iter().zip(held);
        let mut released: Vec<(&str, u64, f64)> = blocks
            .filter(|(_, rows)| *rows > 0)
            .map(|(block, rows)| (block.label.as_str(), rows, block.lm))
            .collect();
        let lost: f64 = released.iter().map(|(_, rows, lm)| lm * *rows as f64).sum();
        released.sort_by_key(|(label, rows, _)| (*label, std::cmp::Reverse(*rows)));
        let mut labels: Vec<(&str, u64)> = released
            .chunk_by(|a, b| a.0 == b.0)
            .map(|alike| (alike[0].0, alike.iter().map(|each| each.1).sum()))
            .collect();
        labels.sort_by_key(|(label, rows)| (std::cmp::Reverse(*rows), *label));
        let told = labels.iter().take(EXAMPLES);
        let mut examples: Vec<String> = told
            .map(|(label, _)| match *label {
                "" => "(empty)".to_string(),
                label => cut(label, 28),
            })
            .collect();
        if labels.len() > EXAMPLES {
            examples.push("…".into());
        }
        Done {
            values_before: before.iter().filter(|rows| **rows > 0).count() as u64,
            values_after: labels.len() as u64,
            lost: (lost + classes.suppressed_rows() as f64) / counts.total().max(1) as f64,
            examples: examples.join(", "),
        }
    }
}

/// A clause as a sentence.
fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).chain(['.']).collect()
}
