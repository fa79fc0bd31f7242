//! Where a key stands in the policy's text, in bytes.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::key::Key;

/// One step that the text has: where its key stands and where its value does.
struct Place {
    key: Range<usize>,
    value: Range<usize>,
}

/// The place of a key's value in the text: the value itself, or the header of a `[table]`.
///
/// Where the text does not have the key, the name of the nearest table around it that it has; none
/// where it has not even the first step, or is not TOML.
pub fn locate(source: &str, key: &Key) -> Option<Range<usize>> {
    let mut trail = trail(source, key);
    let whole = trail.len() == key.steps().len();
    trail
        .pop()
        .map(|last| if whole { last.value } else { last.key })
}

/// The place of the key's own name in the text, or of the nearest table's around it.
pub fn locate_key(source: &str, key: &Key) -> Option<Range<usize>> {
    trail(source, key).pop().map(|last| last.key)
}

/// How many of a key's steps the text has.
pub(super) fn shared_depth(source: &str, key: &Key) -> usize {
    trail(source, key).len()
}

/// The places of a key's steps, as far as the text has them.
fn trail(source: &str, key: &Key) -> Vec<Place> {
    let mut places = Vec::new();
    // Errors are rare and policies short: parsing once more is cheaper than carrying spans along.
    let Ok(root) = DeTable::parse(source) else {
        return places;
    };
    let Some((first, rest)) = key.steps().split_first() else {
        return places;
    };
    let Some((mut place, mut value)) = in_table(root.get_ref(), first) else {
        return places;
    };
    for step in rest {
        let next = match value {
            DeValue::Table(table) => in_table(table, step),
            DeValue::Array(list) => step
                .parse::<usize>()
                .ok()
                .and_then(|index| list.get(index))
                .map(|item| {
                    let (key, value) = (item.span(), item.span());
                    (Place { key, value }, item.get_ref())
                }),
            _ => None,
        };
        places.push(place);
        match next {
            Some(found) => (place, value) = found,
            None => return places,
        }
    }
    places.push(place);
    places
}

fn in_table<'t, 's>(table: &'t DeTable<'s>, step: &str) -> Option<(Place, &'t DeValue<'s>)> {
    let (name, value) = table
        .iter()
        .find(|(name, _)| name.get_ref().as_ref() == step)?;
    let place = Place {
        key: name.span(),
        value: value.span(),
    };
    Some((place, value.get_ref()))
}
