//! The public report: what anybody could compute from the released file and the policy's terms, and
//! nothing else. Its type takes nothing else.

use coarsen::audit::Audit;
use coarsen::counts::Counts;
use coarsen::domain::Attribute;
use maud::{Markup, html};

use super::sections::{
    attackers, figure, glossary, missing_rule, named, residual, row_order, thresholds, verdict,
};
use super::{Terms, page};
use crate::figures::released_distributions;
use crate::manifest::FileProof;
use crate::scoreboard::Scoreboard;
use crate::text::{counted, number};

/// What a public report is made of.
#[derive(Clone, Copy, Debug)]
pub struct Public<'a> {
    /// The policy's thresholds and the released columns' roles.
    pub terms: &'a Terms,
    /// The released quasi-identifiers as the texts that stand in the file.
    pub attributes: &'a [Attribute],
    /// The released file, counted.
    pub counts: &'a Counts,
    /// Its audit.
    pub audit: &'a Audit,
    /// Its fingerprint.
    pub output: &'a FileProof,
}

impl Public<'_> {
    /// The HTML.
    pub fn to_html(&self) -> String {
        let kind = html! { span class="badge" { "public" } " It tells nothing that the released file and the policy's thresholds do not." };
        let head = html! {
            (verdict(&self.terms.requirements, self.audit, None))
            div class="card scroll" { (Scoreboard::of(None, self.audit, []).to_html()) }
        };
        let sizes = self.counts.rows();
        let terms = self.terms;
        let sections = [
            ("data", "Data and roles", self.data()),
            ("threat", "Threat", attackers()),
            ("method", "Method", self.method()),
            (
                "thresholds",
                "Thresholds",
                thresholds(
                    &terms.requirements,
                    terms.limit,
                    terms.mode,
                    self.audit.risk.threshold,
                ),
            ),
            ("result", "Result", self.result()),
            ("risk", "Residual risk", residual(None, self.audit, sizes)),
            ("utility", "Utility", self.utility()),
            ("glossary", "What the figures mean", glossary()),
        ];
        page(
            &format!("Anonymization report: {}", self.output.name),
            kind,
            head,
            &sections,
        )
    }

    fn data(&self) -> Markup {
        html! {
            p {
                "The released file " code { (self.output.name) } " has " (counted(self.audit.rows, "row", "rows"))
                " and " (counted(self.terms.columns.len() as u64, "column", "columns")) "."
            }
            div class="scroll" {
                table {
                    thead { tr { th { "column" } th { "role" } th { "what that means" } } }
                    tbody { @for column in &self.terms.columns {
                        tr { th scope="row" { (column.name) } td { (column.role.word()) } td { (column.role.summary()) } }
                    } }
                }
            }
            p { (missing_rule(self.terms.missing)) }
            p { (named("sha256")) " of the file: " code { (self.output.sha256) } }
        }
    }

    fn method(&self) -> Markup {
        html! {
            p { "Values of the quasi-identifiers were generalized, and rows suppressed within the limit below, until every class of rows that are alike meets the thresholds. The written file was then read back and counted anew; the figures here are of that count." }
            p { (row_order(self.terms.order)) }
        }
    }

    fn result(&self) -> Markup {
        let masked = self.audit.suppressed_rows;
        html! {
            ul {
                li { (named("classes")) ": " (number(self.audit.classes)) }
                li { (named("k")) ": " (number(self.audit.k)) }
                li { (named("average_class")) ": " (format!("{:.1}", self.audit.average_class)) }
                @if masked > 0 { li { "rows masked in every quasi-identifier: " (number(masked)) } }
            }
        }
    }

    fn utility(&self) -> Markup {
        html! {
            p { "What the released columns hold, as anybody can count it." }
            div class="flow" {
                @for distribution in released_distributions(self.attributes, self.counts) {
                    (figure(&distribution.chart(), html! {}))
                }
            }
        }
    }
}
