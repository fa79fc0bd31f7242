//! Parts that pages are made of: alerts, fields with their labels, figures that can be asked what they
//! mean.

use coarsen_report::glossary::find;
use coarsen_report::scoreboard::ask;
use maud::{Markup, html};

use super::steps::Step;
use crate::said::Said;

/// What is wrong, where everybody sees it first.
pub fn alert(said: &Said) -> Markup {
    html! {
        div class="alert" role="alert" {
            p { strong { (said.message) } }
            @if let Some(help) = &said.help { p { (help) } }
            @if let Some(key) = &said.key { p class="quiet" { "In the policy: " code { (key) } } }
        }
    }
}

/// A figure's name that can be asked what it means.
pub fn term(key: &str) -> Markup {
    match find(key) {
        Some(term) => ask(term.name, &term),
        None => html! { (key) },
    }
}

/// Something to choose from a list.
pub struct Choice<'a> {
    pub value: &'a str,
    pub label: String,
}

impl<'a> Choice<'a> {
    /// A choice by its word and what it means.
    pub fn new(value: &'a str, label: impl Into<String>) -> Self {
        Choice {
            value,
            label: label.into(),
        }
    }
}

/// A list to choose one from.
pub fn select(id: &str, name: &str, choices: &[Choice<'_>], chosen: &str) -> Markup {
    html! {
        select id=(id) name=(name) {
            @for choice in choices {
                option value=(choice.value) selected[choice.value == chosen] { (choice.label) }
            }
        }
    }
}

/// A label, an input, and what is meant by it.
pub fn field(id: &str, label: &str, input: Markup, hint: Markup) -> Markup {
    html! {
        div class="field" {
            label for=(id) { (label) }
            (input)
            @if !hint.0.is_empty() { p class="hint" { (hint) } }
        }
    }
}

/// A line of text to fill in.
pub fn text_input(id: &str, name: &str, value: &str, width: u8) -> Markup {
    html! { input id=(id) name=(name) value=(value) size=(width) autocomplete="off" spellcheck="false"; }
}

/// On to the next step.
pub fn onward(step: Step) -> Markup {
    html! {
        @if let Some(next) = step.next() {
            p class="onward" { a class="button quiet-button" href=(next.path()) { "Next: " (next.name()) " →" } }
        }
    }
}

/// A text as a part of an address.
pub fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Bytes as a person reads them.
pub fn bytes(count: u64) -> String {
    match count {
        0..=999 => format!("{count} B"),
        1_000..=999_999 => format!("{:.1} KB", count as f64 / 1e3),
        1_000_000..=999_999_999 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.2} GB", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_an_address() {
        assert_eq!(encoded("a b/<é>?.."), "a%20b%2F%3C%C3%A9%3E%3F..");
        assert_eq!(
            (bytes(12), bytes(2_500_000)),
            ("12 B".into(), "2.5 MB".into())
        );
    }
}
