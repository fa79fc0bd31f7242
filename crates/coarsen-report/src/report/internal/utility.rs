//! What the release is still good for.

use coarsen_learn::quality::{self, Quality};
use maud::{Markup, html};

use super::Internal;
use crate::figures::{
    Distribution, Pair, distributions, pairs, released_distributions, selections,
};
use crate::glossary::find;
use crate::report::sections::{figure, named, term};
use crate::scoreboard::ask;
use crate::text::{figure as shown, number, percent};

/// Pairs of columns whose heat maps are drawn.
const DRAWN: usize = 3;
/// Pairs of columns that are listed.
const LISTED: usize = 10;

impl Internal<'_> {
    /// What the release is still good for.
    pub fn utility(&self) -> Markup {
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
            (self.columns())
        }
    }

    /// Distributions and associations.
    fn columns(&self) -> Markup {
        if self.counts.is_lumped() {
            return html! {
                h3 { "Each column after" }
                p class="quiet" { "The input was searched in passes, so that distributions and associations before are not known." }
                div class="flow" {
                    @for distribution in released_distributions(self.released_attributes, self.released) {
                        (figure(&distribution.chart(), html! {}))
                    }
                }
            };
        }
        let told = distributions(self.attributes, self.counts, self.classes, self.least());
        let pairs = pairs(self.attributes, self.counts, self.classes, self.least());
        html! {
            h3 { "Each column before and after" }
            p class="quiet" {
                "A released block says no more than that its rows lie somewhere in it, so they are spread evenly over its values; what then differs is what the block hides. \
                 Values that fewer than " (number(self.least())) " rows hold are gathered. Suppressed rows are part of before only."
            }
            div class="flow" {
                @for distribution in &told { (figure(&distribution.chart(), moved(distribution))) }
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
                @if let Some(value) = loss("cm") { li { (named("cm")) ": " (percent(value)) " of the rows would get a wrong label by the majority of their class, or are suppressed." } }
                @if let Some(value) = loss("conditional-entropy") { li { (named("conditional-entropy")) ": " (shown(value)) } }
                @if let Some(value) = loss("regression") { li { (named("regression")) ": " (shown(value)) } }
            }
            (self.models())
        }
    }

    /// How wrong a tree is about each target, before and after.
    fn models(&self) -> Markup {
        let whole_columns = self.recoding == "partitions";
        let of_target = |tally: usize| {
            let seed = self.policy.search.seed;
            quality::of_release(
                self.attributes,
                self.counts,
                self.classes,
                whole_columns,
                tally,
                seed,
            )
        };
        let targets = self.workload.targets.iter();
        let told: Vec<Quality> = targets
            .filter_map(|target| of_target(target.tally))
            .collect();
        let error = |quality: &Quality, error: f64| match quality.numeric {
            true => shown(error),
            false => percent(error),
        };
        html! {
            @if let Some(first) = told.first() {
                div class="scroll" {
                    table {
                        thead { tr { th { (term("model_error")) } th class="n" { "before" } th class="n" { "after" } th class="n" { "nothing known" } } }
                        tbody { @for quality in &told {
                            tr {
                                th scope="row" { (quality.target) @if quality.numeric { " (mean distance)" } }
                                td class="n was" { (error(quality, quality.before)) }
                                td class="n is" { (error(quality, quality.after)) }
                                td class="n" { (error(quality, quality.nothing)) }
                            }
                        } }
                    }
                }
                p class="quiet" {
                    "A decision tree over the quasi-identifiers, tested on rows that it was not trained on (three folds, " (number(first.rows)) " rows). \
                     The recoding has seen all rows; " code { "coarsen evaluate" } " finds it on the training rows alone, and tries other models."
                }
            }
        }
    }
}

fn moved(distribution: &Distribution) -> Markup {
    html! {
        @if let Some(distance) = distribution.distance() { (named("distance")) ": " (percent(distance)) }
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
                    (figure(&before, html! { "Of the rows of each line, the percentage in each column." }))
                    (figure(&after, html! { "The more alike the lines are, the less one column tells of the other." }))
                }
            }
        }
    }
}
