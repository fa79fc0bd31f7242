//! Which candidates to search: algorithms, k, losses and limits, every one with every other.

use coarsen::catalog;
use coarsen::policy::{Policy, parse_duration};
use coarsen_engine::{Comparison, Grid, StateFile};
use maud::{Markup, html};

use crate::fields::Fields;
use crate::pages::kit::{field, text_input};
use crate::said::Said;

/// Quick ones, to begin with.
const USUAL: [&str; 4] = ["bottom-up", "datafly", "mondrian", "top-down"];
/// More candidates than this would take long to search and longer to read.
const MOST: usize = 200;

/// What the form holds; texts as they were typed.
#[derive(Clone, Debug, Default)]
pub struct Form {
    algorithms: Vec<String>,
    k: String,
    losses: Vec<String>,
    limits: String,
    budget: String,
}

impl Form {
    /// To begin with: quick algorithms, and k around the policy's.
    pub fn of(policy: &Policy) -> Self {
        let mut k = vec![2, 5, 10, 20];
        k.push(policy.privacy.k);
        k.sort_unstable();
        k.dedup();
        Form {
            algorithms: USUAL.map(str::to_string).to_vec(),
            k: k.iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", "),
            losses: vec![policy.search.loss.clone()],
            limits: (policy.suppression.limit * 100.0).to_string(),
            budget: "60s".into(),
        }
    }

    /// As it was sent.
    pub fn sent(fields: &Fields) -> Self {
        let all = |name: &str| fields.all(name).map(str::to_string).collect();
        Form {
            algorithms: all("algorithm"),
            k: fields.text("k").into(),
            losses: all("loss"),
            limits: fields.text("limits").into(),
            budget: fields.text("budget").into(),
        }
    }

    /// The grid that it asks for.
    pub fn comparison(&self) -> Result<Comparison, Said> {
        let k = listed::<u64>(&self.k, "k", "whole numbers, such as 2, 5, 10")?;
        let limits = listed::<f64>(
            &self.limits,
            "share of suppressed rows",
            "percentages, such as 0, 5",
        )?;
        let budget = match self.budget.as_str() {
            "" => None,
            text => Some(parse_duration(text).ok_or_else(|| {
                Said::new(
                    format!("`{text}` is not a time."),
                    "Write a time with its unit, such as 30s or 5m.",
                )
            })?),
        };
        let many = [
            self.algorithms.len(),
            k.len(),
            self.losses.len(),
            limits.len(),
        ];
        let many: usize = many.iter().map(|n| (*n).max(1)).product();
        if many > MOST {
            return Err(Said::new(
                format!("These are {many} candidates."),
                format!("Choose fewer: at most {MOST} are searched at a time."),
            ));
        }
        Ok(Comparison {
            grid: Grid {
                algorithms: self.algorithms.clone(),
                k,
                losses: self.losses.clone(),
                limits: limits
                    .iter()
                    .map(|percent| (percent * 1e7).round() / 1e9)
                    .collect(),
            },
            budget,
            state: StateFile::None,
        })
    }

    /// The form.
    pub fn form(&self, is_running: bool) -> Markup {
        html! {
            form method="post" action="/explore" {
                (boxes("Algorithms", "algorithm", &catalog::algorithms(), &self.algorithms))
                (boxes("Losses to search for", "loss", &catalog::losses(), &self.losses))
                div class="inline" {
                    (field("k", "k", text_input("k", "k", &self.k, 18), html! { "Separated by commas." }))
                    (field("limits", "Suppressed rows at most, in percent", text_input("limits", "limits", &self.limits, 12), html! { "Separated by commas." }))
                    (field("budget", "Time for all together", text_input("budget", "budget", &self.budget, 8), html! {}))
                }
                p class="actions" { button disabled[is_running] { "Search candidates" } }
            }
        }
    }
}

fn boxes(legend: &str, name: &str, entries: &[catalog::Entry], chosen: &[String]) -> Markup {
    html! {
        fieldset class="boxes" {
            legend { (legend) }
            @for entry in entries {
                label title=(entry.summary) { input type="checkbox" name=(name) value=(entry.name) checked[chosen.iter().any(|each| each == entry.name)]; " " (entry.name) }
            }
        }
    }
}

fn listed<T: std::str::FromStr>(text: &str, what: &str, such: &str) -> Result<Vec<T>, Said> {
    let parts = text.split([',', ' ', ';']).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            part.trim_end_matches('%')
                .parse()
                .map_err(|_| Said::new(format!("`{part}` is no {what}."), format!("Type {such}.")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_read_and_what_is_wrong_is_said() {
        let fields = Fields::from([
            ("algorithm", "datafly"),
            ("k", "2, 5"),
            ("limits", "0 5%"),
            ("budget", "10s"),
            ("loss", "lm"),
        ]);
        let comparison = Form::sent(&fields).comparison().unwrap();
        assert_eq!(comparison.grid.k, [2, 5]);
        assert_eq!(comparison.grid.limits, [0.0, 0.05]);
        for (name, value) in [("k", "x"), ("budget", "soon"), ("limits", "few")] {
            assert!(
                Form::sent(&Fields::from([(name, value)]))
                    .comparison()
                    .is_err()
            );
        }
        let many: Vec<String> = (1..=201).map(|k| k.to_string()).collect();
        assert!(
            Form::sent(&Fields::from([("k", many.join(",").as_str())]))
                .comparison()
                .is_err()
        );
    }
}
