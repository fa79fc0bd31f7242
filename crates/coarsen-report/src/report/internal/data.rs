//! What went in, against whom it is protected, and how.

use coarsen::audit::{Audit, SubsetSettings, subsets};
use coarsen::policy::{Role, Treatment};
use coarsen::search;
use maud::{Markup, html};

use super::Internal;
use crate::report::sections::{attackers, missing_rule, named, row_order, term};
use crate::text::{counted, figure as shown, number, percent};

impl Internal<'_> {
    pub(super) fn data(&self) -> Markup {
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

    /// What an attacker is taken to know, and which columns make rows stand out.
    pub fn threat(&self, before: Option<&Audit>) -> Markup {
        let Some(before) = before else {
            return html! {
                (attackers())
                p { "The input was searched in passes: its combinations were never counted, so how exposed its rows were is not known." }
            };
        };
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

    /// How the recoding was found.
    pub fn method(&self) -> Markup {
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
                        @if let Some(entry) = search::find(&searched.algorithm) { ": " (entry.summary) " (" (entry.source) ")" }
                        "."
                    }
                    p {
                        @match searched.stop.as_str() {
                            "optimal" => "It proved that no better release of its kind exists.",
                            "budget" => "It stopped because its time was used up; more time might find a better release.",
                            _ => "It came to its end.",
                        }
                        @if let Some(bound) = searched.bound { " " (named("bound")) ": " (shown(bound)) "." }
                    }
                }
                None => p { "The recoding was made earlier; how it was found is not known here." },
            }
            p { "The search minimized the loss " strong { (search.loss) } "; " (named("seed")) ": " (search.seed) "." }
            @for (name, settings) in &search.settings {
                p class="quiet" { "Settings of " (name) ": " code { (settings) } }
            }
            p { "Recoding: " strong { (self.recoding) } ", that is, " (kind) "." }
            p { (row_order(self.policy.output.order)) }
            p { "The written file was read back and counted anew; the figures after are of that count, and no file appears in its place before it passes." }
        }
    }
}
