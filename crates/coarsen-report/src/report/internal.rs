//! The internal report: for those who may see the input. Even so it names no value of the input that
//! fewer rows hold than a class of the release must have.

use coarsen::audit::{Audit, AuditSettings, Sensitive, SubsetSettings, audit, subsets};
use coarsen::counts::{Classes, Counts};
use coarsen::domain::{Attribute, Domain};
use coarsen::explain::Explanation;
use coarsen::loss::LossEntry;
use coarsen::policy::{Policy, Role, Treatment};
use coarsen::search;
use coarsen::workload::Workload;
use maud::{Markup, html};

use super::page;
use super::sections::{
    attackers, figure, glossary, missing_rule, residual, row_order, term, thresholds, verdict,
};
use crate::figures::{Distribution, Pair, distributions, pairs, selections};
use crate::glossary::find;
use crate::manifest::{FileProof, Files};
use crate::scoreboard::{Scoreboard, ask};
use crate::text::{counted, cut, figure as shown, number, percent};

/// Pairs of columns whose heat maps are drawn.
const DRAWN: usize = 3;
/// Pairs of columns that are listed.
const LISTED: usize = 10;

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
    /// The sizes of the written file's classes.
    pub sizes: &'a [u64],
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
        let before = self.before();
        let losses = self.losses.iter();
        let wanted = losses.filter(|(entry, _)| {
            entry.name == self.policy.search.loss || matches!(entry.name, "lm" | "prec")
        });
        let board = Scoreboard::of(
            Some(&before),
            self.audit,
            wanted.map(|(entry, shown)| (entry.name, *shown)),
        );
        let kind = html! { span class="badge" { "internal" } " It tells of the input: do not publish it. A public one is made by " code { "coarsen report --kind public" } "." };
        let head = html! {
            (verdict(self.requirements, self.audit, self.unproven_rows))
            @for warning in self.warnings { p class="warn" { "Note: " (warning) "." } }
            div class="card scroll" { (board.to_html()) }
        };
        let limits = &self.policy.suppression;
        let sizes = self.counts.rows();
        let sections = [
            ("data", "Data and roles", self.data()),
            ("threat", "Threat", self.threat(&before)),
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
            (
                "risk",
                "Residual risk",
                residual(Some((&before, sizes)), self.audit, self.sizes),
            ),
            ("utility", "Utility", self.utility()),
            ("evidence", "Evidence", self.evidence()),
            ("glossary", "What the figures mean", glossary()),
        ];
        let title = format!("Anonymization report: {}", self.files.output.name);
        page(&title, kind, head, &sections)
    }

    /// The input held against the same figures.
    fn before(&self) -> Audit {
        let domains: Vec<Domain> = self.attributes.iter().map(|a| a.domain.clone()).collect();
        let sensitive: Vec<Sensitive> = self
            .audit
            .sensitive
            .iter()
            .filter_map(|column| {
                let tally = self.counts.tally(&column.column)?;
                let stated = self.policy.columns.get(&column.column);
                Sensitive::of(self.counts, tally, stated).ok()
            })
            .collect();
        let settings = AuditSettings {
            threshold: Some(self.audit.risk.threshold),
            population: None,
        };
        audit(self.counts, &domains, &[], &sensitive, settings)
    }

    fn least(&self) -> u64 {
        self.policy.privacy.k.max(2)
    }

    fn data(&self) -> Markup {
        let input = self.files.input.as_ref();
        let treated = |name: &str| {
            let column = &self.policy.columns[name];
            match column.role {
                Role::Identifier => match column.treatment.unwrap_or(Treatment::Drop) {
                    Treatment::Drop => "dropped".to_string(),
                    other => format!("replaced ({other})"),
                },
                Role::QuasiIdentifier => {
                    let scheme = column.scheme.map_or("level", |scheme| scheme.word());
                    format!("coarsened, scheme {scheme}")
                }
                _ => "released as it is".to_string(),
            }
        };
        html! {
            p {
                @if let Some(input) = input { "The input " code { (input.name) } " has " }
                @else { "The input has " }
                (counted(self.counts.total(), "row", "rows")) " that take part and "
                (counted(self.policy.columns.len() as u64, "column", "columns")) ". "
                (missing_rule(self.policy.input.missing_rule))
            }
            div class="scroll" {
                table {
                    thead { tr { th { "column" } th { "role" } th { "type" } th { "what is done with it" } } }
                    tbody { @for (name, column) in &self.policy.columns {
                        tr {
                            th scope="row" { (name) }
                            td { (column.role.word()) }
                            td { (self.kind_of(name)) }
                            td { (treated(name)) }
                        }
                    } }
                }
            }
            details class="more" {
                summary { "What the roles mean" }
                ul { @for role in Role::ALL { li { strong { (role.word()) } ": " (role.summary()) } } }
            }
        }
    }

    fn kind_of(&self, name: &str) -> &'static str {
        let quasi = self.attributes.iter().find(|a| a.name == name);
        let tally = self.counts.tally(name).map(|i| &self.counts.tallies()[i]);
        let kind = quasi
            .map(|attribute| attribute.domain.kind())
            .or(tally.map(|tally| tally.column().domain.kind()))
            .or(self.policy.columns[name].kind);
        kind.map_or("–", |kind| kind.word())
    }

    fn threat(&self, before: &Audit) -> Markup {
        let settings = SubsetSettings { size: 2, most: 300 };
        let found = subsets(self.counts, settings);
        let name = |place: &usize| self.attributes[*place].name.as_str();
        html! {
            (attackers())
            p {
                "In the input, " (counted(before.risk.uniques, "row is", "rows are")) " alone with their quasi-identifiers ("
                (percent(before.risk.uniques as f64 / before.rows.max(1) as f64)) "). "
                "These columns, alone or in pairs, make most rows stand out:"
            }
            div class="scroll" {
                table {
                    thead { tr { th { "columns" } th class="n" { (term("uniques")) } th class="n" { (term("k")) } } }
                    tbody { @for subset in found.subsets.iter().take(6) {
                        tr {
                            th scope="row" { (subset.columns.iter().map(name).collect::<Vec<_>>().join(" and ")) }
                            td class="n" { (number(subset.uniques)) }
                            td class="n" { (number(subset.k)) }
                        }
                    } }
                }
            }
        }
    }

    fn method(&self) -> Markup {
        let search = &self.policy.search;
        let kind = match self.recoding {
            "partitions" => "every value of a column becomes the same block wherever it stands",
            "regions" => {
                "rows become boxes in the space of the quasi-identifiers, so that the same value may be written differently in different classes"
            }
            _ => "cells are recoded one by one, so that the recoding belongs to these rows alone",
        };
        html! {
            @match self.searched {
                Some(searched) => {
                    p {
                        "Algorithm: " strong { (searched.algorithm) }
                        @if search.algorithm != searched.algorithm { " (chosen by " (search.algorithm) ")" }
                        @if let Some(entry) = search::find(&searched.algorithm) { ". " (entry.summary) " (" (entry.source) ")" }
                        "."
                    }
                    p {
                        @match searched.stop.as_str() {
                            "optimal" => "It proved that no better release of its kind exists.",
                            "budget" => "It stopped because its time was used up; more time might find a better release.",
                            _ => "It came to its end.",
                        }
                        @if let Some(bound) = searched.bound { " " (term("bound")) ": " (shown(bound)) "." }
                    }
                }
                None => p { "The recoding was made earlier; how it was found is not known here." },
            }
            p { "The search minimized the loss " strong { (search.loss) } "; " (term("seed")) ": " (search.seed) "." }
            @for (name, settings) in &search.settings {
                p class="quiet" { "Settings of " (name) ": " code { (settings) } }
            }
            p { "Recoding: " strong { (self.recoding) } ", that is, " (kind) "." }
            p { (row_order(self.policy.output.order)) }
            p { "The written file was read back and counted anew; the figures after are of that count, and no file appears in its place before it passes." }
        }
    }

    fn result(&self) -> Markup {
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
                    thead { tr { th { "column" } th class="n" { "values" } th class="n" { (term("column_lm")) } th { "released as" } th { "why" } } }
                    tbody { @for (place, attribute) in self.attributes.iter().enumerate() {
                        @let done = Done::of(place, attribute, self.counts, self.classes);
                        tr {
                            th scope="row" { (attribute.name) }
                            td class="n" { (number(done.values_before)) " → " (number(done.values_after)) }
                            td class="n" { (percent(done.lost)) }
                            td { (done.examples) }
                            td class="quiet" { (why(&attribute.name).unwrap_or_else(|| "not known for this recoding".into())) }
                        }
                    } }
                }
            }
            h3 { "Suppression" }
            p {
                (term("suppressed_rows")) ": " (number(suppressed)) " of " (number(total)) " (" (percent(suppressed as f64 / total.max(1) as f64))
                "; allowed " (percent(self.policy.suppression.limit)) "), mode " (self.policy.suppression.mode.word()) ". "
                @if let Some(explanation) = self.explanation { (sentence(&explanation.suppression.text)) }
            }
        }
    }

    fn utility(&self) -> Markup {
        let told = distributions(self.attributes, self.counts, self.classes, self.least());
        let pairs = pairs(self.attributes, self.counts, self.classes, self.least());
        html! {
            h3 { "What it cost" }
            div class="scroll" {
                table {
                    thead { tr { th { "loss" } th class="n" { "figure" } th { "what it measures" } } }
                    tbody { @for (entry, value) in self.losses {
                        tr {
                            th scope="row" {
                                @match find(entry.name) { Some(term) => (ask(entry.name, &term)), None => (entry.name) }
                                @if entry.name == self.policy.search.loss { " (searched for)" }
                            }
                            td class="n" { (shown(*value)) }
                            td class="quiet" { (entry.summary) }
                        }
                    } }
                }
            }
            (self.selections())
            (self.targets())
            h3 { "Each column before and after" }
            p class="quiet" {
                "A released block says no more than that its rows lie somewhere in it, so they are spread evenly over its values; what then differs is what the block hides. \
                 Values that fewer than " (number(self.least())) " rows hold are gathered. Suppressed rows are part of before only."
            }
            div class="two" {
                @for distribution in &told { (figure(&distribution.chart(), &moved(distribution))) }
            }
            h3 { "Associations between columns" }
            (associations(&pairs))
        }
    }

    fn selections(&self) -> Markup {
        let costs = selections(self.attributes, self.counts, self.classes, self.workload);
        if costs.is_empty() {
            return html! {};
        }
        html! {
            h3 { "Selections of the workload" }
            div class="scroll" {
                table {
                    thead { tr { th { "selection" } th class="n" { "rows asked for" } th class="n" { "rows returned" } th class="n" { (term("imprecision_of_selection")) } } }
                    tbody { @for cost in &costs {
                        tr {
                            th scope="row" { code { (cost.text) } }
                            td class="n" { (number(cost.wanted)) }
                            td class="n" { (number(cost.returned)) }
                            td class="n is" { (number(cost.excess())) }
                        }
                    } }
                }
            }
        }
    }

    /// What the losses say of the columns that are to be predicted.
    fn targets(&self) -> Markup {
        if self.workload.targets.is_empty() {
            return html! {};
        }
        let loss = |name: &str| {
            let found = self.losses.iter().find(|(entry, _)| entry.name == name);
            found.map(|(_, value)| *value)
        };
        let column = |tally: usize| self.counts.tallies()[tally].column().name.clone();
        let targets: Vec<String> = self
            .workload
            .targets
            .iter()
            .map(|target| format!("{} (weight {})", column(target.tally), target.weight))
            .collect();
        html! {
            h3 { "What can still be learned" }
            p { "Targets: " (targets.join(", ")) "." }
            ul {
                @if let Some(value) = loss("cm") { li { (term("cm")) ": " (percent(value)) " of the rows would be put into the wrong class by their class's majority, or are suppressed." } }
                @if let Some(value) = loss("conditional-entropy") { li { (term("conditional-entropy")) ": " (shown(value)) } }
                @if let Some(value) = loss("regression") { li { (term("regression")) ": " (shown(value)) } }
            }
        }
    }

    fn evidence(&self) -> Markup {
        let files = self.files;
        let named = |what: &'static str, file: &FileProof| {
            html! { tr { th scope="row" { (what) } td { code { (file.name) } } td class="n" { (number(file.bytes)) } td { code { (file.sha256) } } } }
        };
        html! {
            p { "The release is the one described here if its fingerprint is. The manifest beside this report holds the same, for " code { "coarsen check FILE --manifest manifest.json" } "." }
            div class="scroll" {
                table {
                    thead { tr { th { "file" } th { "name" } th class="n" { "bytes" } th { (term("sha256")) } } }
                    tbody {
                        @if let Some(input) = &files.input { (named("input", input)) }
                        @if let Some(policy) = &files.policy { (named("policy", policy)) }
                        @for hierarchy in &files.hierarchies { (named("hierarchy", hierarchy)) }
                        @if let Some(recoding) = &files.recoding { (named("recoding", recoding)) }
                        (named("release", &files.output))
                    }
                }
            }
        }
    }
}

fn moved(distribution: &Distribution) -> String {
    match distribution.distance() {
        Some(distance) => format!("moved rows: {}", percent(distance)),
        None => String::new(),
    }
}

fn associations(pairs: &[Pair]) -> Markup {
    let hurt: Vec<&Pair> = pairs.iter().filter(|pair| pair.lost() > 0.005).collect();
    html! {
        @if pairs.is_empty() {
            p { "There is only one column to look at." }
        } @else {
            p class="quiet" { "Pairs of a quasi-identifier with another, or with a sensitive or target column; those that lost most come first." }
            div class="scroll" {
                table {
                    thead { tr { th { "columns" } th class="n" { (term("association")) " before" } th class="n" { "after" } th class="n" { "lost" } } }
                    tbody { @for pair in pairs.iter().take(LISTED) {
                        tr {
                            th scope="row" { (pair.down) " and " (pair.across) }
                            td class="n was" { (format!("{:.3}", pair.before)) }
                            td class="n is" { (format!("{:.3}", pair.after)) }
                            td class="n" { (format!("{:.3}", pair.lost())) }
                        }
                    } }
                }
            }
            @if hurt.is_empty() { p { "No pair lost more than 0.005." } }
            @for pair in hurt.iter().take(DRAWN) {
                h3 { (pair.across) " by " (pair.down) }
                @let [before, after] = pair.charts();
                div class="two" {
                    (figure(&before, "Of the rows of each line, the percentage in each column."))
                    (figure(&after, "The more alike the lines are, the less one column tells of the other."))
                }
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
