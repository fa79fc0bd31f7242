//! The internal report: for those who may see the input. Even so it names no value of the input that
//! fewer rows hold than a class of the release must have.

mod data;
mod result;
mod utility;

use coarsen::audit::Audit;
use coarsen::counts::{Classes, Counts};
use coarsen::domain::Attribute;
use coarsen::explain::Explanation;
use coarsen::loss::LossEntry;
use coarsen::policy::Policy;
use coarsen::workload::Workload;
use maud::{Markup, html};

use super::page;
use super::sections::{glossary, residual, term, thresholds, verdict};
use crate::figures::audit_before;
use crate::manifest::{FileProof, Files};
use crate::scoreboard::Scoreboard;
use crate::text::number;

/// How the recoding was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The algorithm that did the work.
    pub algorithm: String,
    /// Why it stopped, in a word.
    pub stop: String,
    /// A proven bound on the cost, where there is one.
    pub bound: Option<f64>,
}

/// What an internal report is made of.
#[derive(Clone, Copy, Debug)]
pub struct Internal<'a> {
    /// The policy.
    pub policy: &'a Policy,
    /// The quasi-identifiers of the input.
    pub attributes: &'a [Attribute],
    /// The input, counted.
    pub counts: &'a Counts,
    /// What the recoding makes of it, suppression included.
    pub classes: &'a Classes,
    /// `partitions`, `regions` or `cells`.
    pub recoding: &'a str,
    /// What the release is meant for.
    pub workload: &'a Workload,
    /// The losses that apply, as they are shown.
    pub losses: &'a [(&'static LossEntry, f64)],
    /// How the recoding was found, where that is known.
    pub searched: Option<&'a Searched>,
    /// Why the release looks as it does, where that is known.
    pub explanation: Option<&'a Explanation>,
    /// The requirements, in words.
    pub requirements: &'a [String],
    /// The audit of the written file.
    pub audit: &'a Audit,
    /// The distinct values of each quasi-identifier before.
    pub values: &'a [u64],
    /// The written file's quasi-identifiers, as the texts that stand in it.
    pub released_attributes: &'a [Attribute],
    /// The written file, counted.
    pub released: &'a Counts,
    /// Rows that fall short in a release that was accepted all the same.
    pub unproven_rows: Option<u64>,
    /// What the user should know.
    pub warnings: &'a [String],
    /// The files and their fingerprints.
    pub files: &'a Files,
}

impl Internal<'_> {
    /// The HTML.
    pub fn to_html(&self) -> String {
        let known = self.before();
        let before = known.as_ref();
        let board = self.scoreboard(before);
        let kind = html! { span class="badge" { "internal" } " It tells of the input: do not publish it. A public one is made by " code { "coarsen report --kind public" } "." };
        let head = html! {
            (verdict(self.requirements, self.audit, self.unproven_rows))
            @for warning in self.warnings { p class="warn" { "Note: " (warning) "." } }
            div class="card scroll" { (board.to_html()) }
        };
        let limits = &self.policy.suppression;
        let sections = [
            ("data", "Data and roles", self.data()),
            ("threat", "Threat", self.threat(before)),
            ("method", "Method", self.method()),
            (
                "thresholds",
                "Thresholds",
                thresholds(
                    self.requirements,
                    limits.limit,
                    limits.mode,
                    self.audit.risk.threshold,
                ),
            ),
            ("result", "Result", self.result()),
            ("risk", "Residual risk", self.risk(before)),
            ("utility", "Utility", self.utility()),
            ("evidence", "Evidence", self.evidence()),
            ("glossary", "What the figures mean", glossary()),
        ];
        let title = format!("Anonymization report: {}", self.files.output.name);
        page(&title, kind, head, &sections)
    }

    /// What was and what is, in one look.
    pub fn scoreboard(&self, before: Option<&Audit>) -> Scoreboard {
        let losses = self.losses.iter();
        let wanted = losses.filter(|(entry, _)| {
            entry.name == self.policy.search.loss || matches!(entry.name, "lm" | "prec")
        });
        let wanted = wanted.map(|(entry, shown)| (entry.name, *shown));
        Scoreboard::of(before, self.audit, wanted)
    }

    /// How exposed the released rows still are, beside those of the input.
    pub fn risk(&self, before: Option<&Audit>) -> Markup {
        let sizes = self.counts.rows();
        residual(
            before.map(|before| (before, sizes)),
            self.audit,
            self.released.rows(),
        )
    }

    /// The input held against the same figures; none where its combinations were never counted.
    pub fn before(&self) -> Option<Audit> {
        let sensitive: Vec<&str> = self
            .audit
            .sensitive
            .iter()
            .map(|c| c.column.as_str())
            .collect();
        let threshold = self.audit.risk.threshold;
        audit_before(
            self.policy,
            self.attributes,
            self.counts,
            &sensitive,
            threshold,
        )
    }

    fn least(&self) -> u64 {
        self.policy.privacy.k.max(2)
    }

    fn evidence(&self) -> Markup {
        let files = self.files;
        let listed = |what: &'static str, file: &FileProof| {
            html! { tr { th scope="row" { (what) } td { code { (file.name) } } td class="n" { (number(file.bytes)) } td { code { (file.sha256) } } } }
        };
        html! {
            p { "The release is the one described here if its fingerprint is. The manifest beside this report holds the same, for " code { "coarsen check FILE --manifest manifest.json" } "." }
            div class="scroll" {
                table {
                    thead { tr { th { "file" } th { "name" } th class="n" { "bytes" } th { (term("sha256")) } } }
                    tbody {
                        @if let Some(input) = &files.input { (listed("input", input)) }
                        @if let Some(policy) = &files.policy { (listed("policy", policy)) }
                        @for hierarchy in &files.hierarchies { (listed("hierarchy", hierarchy)) }
                        @if let Some(recoding) = &files.recoding { (listed("recoding", recoding)) }
                        (listed("release", &files.output))
                    }
                }
            }
        }
    }
}
