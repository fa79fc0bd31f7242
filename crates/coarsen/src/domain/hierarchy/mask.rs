//! Masking: characters of a code replaced by `*`, one more at each level, from the right or left.
//!
//! Codes of unequal length are padded with `*` on the masked side, so that levels nest.

use super::build::{Path, Step};
use crate::domain::Value;
use crate::policy::Side;

/// The masked forms of each value, least masked first. The fully masked form is the top itself.
pub(super) fn paths(values: &[Value], side: Side, levels: Option<usize>) -> Vec<Path> {
    let texts: Vec<String> = values.iter().map(|value| value.text(None)).collect();
    let width = texts
        .iter()
        .map(|text| text.chars().count())
        .max()
        .unwrap_or(0);
    let levels = levels.unwrap_or(usize::MAX).min(width.saturating_sub(1));
    values
        .iter()
        .zip(&texts)
        .map(|(value, text)| {
            let steps = (1..=levels).map(|hidden| Step::named(masked(text, side, width, hidden)));
            Path {
                leaf: value.clone(),
                steps: steps.collect(),
            }
        })
        .collect()
}

/// A text of at most `width` characters with the outermost `hidden` of `width` places masked.
pub fn masked(text: &str, side: Side, width: usize, hidden: usize) -> String {
    let shown = width.saturating_sub(hidden);
    let length = text.chars().count();
    let kept = length.min(shown);
    let stars = "*".repeat(width - kept);
    match side {
        Side::Right => text.chars().take(kept).chain(stars.chars()).collect(),
        Side::Left => stars
            .chars()
            .chain(text.chars().skip(length - kept))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_nest_though_lengths_differ() {
        assert_eq!(masked("02138", Side::Right, 5, 1), "0213*");
        assert_eq!(masked("02138", Side::Left, 5, 2), "**138");
        assert_eq!(masked("021", Side::Right, 5, 1), "021**");
        assert_eq!(masked("02138", Side::Right, 5, 2), "021**");
        let values = [Value::Text("02138".into()), Value::Text("7".into())];
        let paths = paths(&values, Side::Right, None);
        assert_eq!(paths[0].steps.len(), 4);
        assert_eq!(paths[1].steps[0].label, "7****");
        assert_eq!(
            super::paths(&values, Side::Right, Some(2))[0].steps.len(),
            2
        );
    }
}
