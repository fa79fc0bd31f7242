//! Dotted keys of the policy: `privacy.k`, `columns."native country".role`,
//! `privacy.diversity.0.column`.

use std::fmt;

/// A path into the policy. A step into a list is its number, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key(Vec<String>);

impl Key {
    /// The key of these steps.
    pub fn of<S: Into<String>>(steps: impl IntoIterator<Item = S>) -> Key {
        Key(steps.into_iter().map(Into::into).collect())
    }

    /// The key one step further.
    #[must_use]
    pub fn then(&self, step: impl fmt::Display) -> Key {
        let mut steps = self.0.clone();
        steps.push(step.to_string());
        Key(steps)
    }

    /// Its steps.
    pub fn steps(&self) -> &[String] {
        &self.0
    }

    /// Reads a dotted key. A step in quotes may hold dots: `"..."`, where `\"` and `\\` stand for a
    /// quote and a backslash, or `'...'`, as it is. A step without quotes may hold anything but a
    /// dot, so that a shell which ate the quotes does little harm.
    ///
    /// None where a step is empty or a quote is not closed.
    pub fn parse(text: &str) -> Option<Key> {
        let mut steps = Vec::new();
        let mut rest = text.trim();
        loop {
            let (step, after) = match rest.chars().next()? {
                quote @ ('"' | '\'') => quoted(&rest[1..], quote)?,
                _ => {
                    let end = rest.find('.').unwrap_or(rest.len());
                    let (step, after) = rest.split_at(end);
                    (step.trim().to_owned(), after)
                }
            };
            let bare = !rest.starts_with(['"', '\'']);
            if bare && step.is_empty() {
                return None;
            }
            steps.push(step);
            match after.trim_start() {
                "" => return Some(Key(steps)),
                after => rest = after.strip_prefix('.')?.trim_start(),
            }
        }
    }

    /// Whether this key is `other`, or a table or list around it.
    pub(super) fn contains(&self, other: &Key) -> bool {
        other.0.starts_with(&self.0)
    }

    /// Whether setting this key made the first part of `other` that the text does not have, its
    /// first `depth` steps being there.
    pub(super) fn created(&self, other: &Key, depth: usize) -> bool {
        match (self.0.get(..=depth), other.0.get(..=depth)) {
            (Some(mine), Some(its)) => mine == its,
            _ => false,
        }
    }
}

/// A quoted step, whose opening quote is already read, and what follows it.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut step = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => step.push(chars.next()?.1),
            c if c == quote => return Some((step, &text[at + 1..])),
            c => step.push(c),
        }
    }
    None
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            if index > 0 {
                out.write_str(".")?;
            }
            let bare = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            if !step.is_empty() && step.chars().all(bare) {
                out.write_str(step)?;
            } else {
                let escaped = step.replace('\\', "\\\\").replace('"', "\\\"");
                write!(out, "\"{escaped}\"")?;
            }
        }
        Ok(())
    }
}
