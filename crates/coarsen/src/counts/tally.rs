//! How often each value of a sensitive or target column stands beside a combination or in a class.

use crate::domain::{Code, Domain, Hierarchy};

/// A tallied column.
#[derive(Clone, Debug)]
pub struct TallyColumn {
    /// Its name.
    pub name: String,
    /// Its values; a missing one is a value like any other.
    pub domain: Domain,
    /// The tree over them, where the policy gives the column one; t-closeness may measure by it.
    pub hierarchy: Option<Hierarchy>,
}

/// Per combination, the values of one column with their rows.
#[derive(Clone, Debug)]
pub struct Tally {
    column: TallyColumn,
    offsets: Vec<u32>,
    values: Vec<Code>,
    rows: Vec<u64>,
}

/// The values in one combination or class, each once, in rising order, with their rows.
#[derive(Clone, Copy, Debug)]
pub struct TallyView<'a> {
    /// The values' codes.
    pub values: &'a [Code],
    /// Their rows.
    pub rows: &'a [u64],
}

impl TallyView<'_> {
    /// All rows together.
    pub fn total(&self) -> u64 {
        self.rows.iter().sum()
    }

    /// The values with their rows.
    pub fn iter(&self) -> impl Iterator<Item = (Code, u64)> + '_ {
        self.values.iter().copied().zip(self.rows.iter().copied())
    }
}

impl Tally {
    pub(super) fn build(
        column: TallyColumn,
        codes: &[Code],
        rows: &[u64],
        owner: &[u32],
        owners: usize,
    ) -> Self {
        let entries = codes
            .iter()
            .zip(rows)
            .zip(owner)
            .map(|((v, r), o)| (*o, *v, *r));
        Tally::of_entries(column, entries.collect(), owners)
    }

    pub(super) fn of_entries(
        column: TallyColumn,
        entries: Vec<(u32, Code, u64)>,
        owners: usize,
    ) -> Self {
        let (offsets, values, rows) = sum_by_owner(entries, owners);
        Tally {
            column,
            offsets,
            values,
            rows,
        }
    }

    /// The column.
    pub fn column(&self) -> &TallyColumn {
        &self.column
    }

    /// The values beside one combination.
    pub fn of(&self, combination: usize) -> TallyView<'_> {
        view(&self.offsets, &self.values, &self.rows, combination)
    }

    /// The whole table's distribution.
    pub fn whole(&self) -> ClassTally {
        self.merge(std::iter::once((0, 0..self.offsets.len() - 1)), 1)
    }

    /// Sums combinations into classes, given each class's combinations.
    pub(super) fn merge<I: IntoIterator<Item = usize>>(
        &self,
        members: impl Iterator<Item = (u32, I)>,
        classes: usize,
    ) -> ClassTally {
        let mut entries = Vec::with_capacity(self.values.len());
        for (class, combinations) in members {
            for combination in combinations {
                entries.extend(self.of(combination).iter().map(|(v, r)| (class, v, r)));
            }
        }
        ClassTally::of_entries(entries, classes)
    }
}

/// Per class, the values of one column with their rows.
#[derive(Clone, Debug)]
pub struct ClassTally {
    offsets: Vec<u32>,
    values: Vec<Code>,
    rows: Vec<u64>,
}

impl ClassTally {
    /// Adds up (class, value, rows) entries.
    pub fn of_entries(entries: Vec<(u32, Code, u64)>, classes: usize) -> Self {
        let (offsets, values, rows) = sum_by_owner(entries, classes);
        ClassTally {
            offsets,
            values,
            rows,
        }
    }

    /// The values in one class.
    pub fn of(&self, class: usize) -> TallyView<'_> {
        view(&self.offsets, &self.values, &self.rows, class)
    }
}

fn view<'a>(offsets: &[u32], values: &'a [Code], rows: &'a [u64], i: usize) -> TallyView<'a> {
    let range = offsets[i] as usize..offsets[i + 1] as usize;
    TallyView {
        values: &values[range.clone()],
        rows: &rows[range],
    }
}

/// Adds up (owner, value, rows) entries into lists by owner, values rising.
fn sum_by_owner(
    mut entries: Vec<(u32, Code, u64)>,
    owners: usize,
) -> (Vec<u32>, Vec<Code>, Vec<u64>) {
    entries.sort_unstable_by_key(|(owner, value, _)| (*owner, *value));
    let mut offsets = vec![0u32; owners + 1];
    let (mut values, mut rows) = (Vec::new(), Vec::new());
    let mut last = None;
    for (owner, value, count) in entries {
        if last == Some((owner, value)) {
            *rows.last_mut().expect("an entry is open") += count;
        } else {
            values.push(value);
            rows.push(count);
            last = Some((owner, value));
        }
        offsets[owner as usize + 1] = values.len() as u32;
    }
    for i in 1..offsets.len() {
        offsets[i] = offsets[i].max(offsets[i - 1]);
    }
    (offsets, values, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_without_entries_have_empty_lists() {
        let entries = vec![(3, 1, 2), (1, 4, 1), (3, 1, 5), (3, 0, 1), (1, 2, 9)];
        let (offsets, values, rows) = sum_by_owner(entries, 5);
        let of = |owner| {
            view(&offsets, &values, &rows, owner)
                .iter()
                .collect::<Vec<_>>()
        };
        assert_eq!(of(0), []);
        assert_eq!(of(1), [(2, 9), (4, 1)]);
        assert_eq!(of(2), []);
        assert_eq!(of(3), [(0, 1), (1, 7)]);
        assert_eq!(of(4), []);
    }
}
