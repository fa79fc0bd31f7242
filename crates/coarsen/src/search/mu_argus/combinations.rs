//! Which columns are looked at together (seed 002, Fig. 11 step 3 and Fig. 12), and which of their
//! values in combination stand out.

use rustc_hash::FxHashMap;

/// How identifying a column is held to be. The order is that in which equally frequent cells are
/// suppressed: it makes Fig. 15 of Fig. 14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Degree {
    Most,
    More,
    Identifying,
}

/// Every set of 2 to `largest` columns, smaller ones first; those of Fig. 12 only where it is asked.
pub(super) fn tested(degrees: &[Degree], largest: usize, figure_12: bool) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for size in 1..=largest.min(degrees.len()) {
        let longer = |set: &Vec<usize>| {
            let set = set.clone();
            let from = set.last().map_or(0, |last| last + 1);
            (from..degrees.len()).map(move |column| [&set[..], &[column]].concat())
        };
        sets = sets.iter().flat_map(longer).collect();
        if size >= 2 {
            all.extend(sets.iter().cloned());
        }
    }
    if figure_12 {
        let identifying = degrees
            .iter()
            .filter(|d| **d == Degree::Identifying)
            .count();
        all.retain(|set| in_figure_12(degrees, set, identifying));
    }
    all
}

/// Fig. 12: what the actual program tests. (*Most × Most × More* and *More × More × …* wait for a
/// second identifying column; six kinds are never tested.)
fn in_figure_12(degrees: &[Degree], set: &[usize], identifying: usize) -> bool {
    let of = |degree: Degree| set.iter().filter(|c| degrees[**c] == degree).count();
    match [Degree::Identifying, Degree::More, Degree::Most].map(of) {
        [1, 1, 1] | [1, 0, 2] | [0, 0, 3] | [1, 1, 0] | [1, 0, 1] | [0, 1, 1] | [0, 0, 2] => true,
        [0, 2, 1] | [0, 1, 2] | [0, 2, 0] => identifying > 1,
        _ => false,
    }
}

/// The entries whose values in some columns occur in fewer than k rows together.
pub(super) fn outliers(entries: &[Vec<u32>], rows: &[u64], set: &[usize], k: u64) -> Vec<usize> {
    let key = |entry: &Vec<u32>| -> Vec<u32> { set.iter().map(|column| entry[*column]).collect() };
    let mut together: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
    for (entry, rows) in entries.iter().zip(rows) {
        *together.entry(key(entry)).or_default() += rows;
    }
    (0..entries.len())
        .filter(|entry| together[&key(&entries[*entry])] < k)
        .collect()
}

/// The columns to suppress so that every outlying combination of an entry loses one, greedily: the
/// column in the most of them first; of equals the most identifying, then the first in the table.
pub(super) fn to_suppress(mut sets: Vec<&[usize]>, degrees: &[Degree]) -> Vec<usize> {
    let mut chosen = Vec::new();
    while !sets.is_empty() {
        let occurrences = |column: usize| sets.iter().filter(|set| set.contains(&column)).count();
        let columns = 0..degrees.len();
        let best = columns.max_by_key(|column| {
            let first = std::cmp::Reverse((degrees[*column], *column));
            (occurrences(*column), first)
        });
        let Some(best) = best else { break };
        sets.retain(|set| !set.contains(&best));
        chosen.push(best);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::Degree::{Identifying, More, Most};
    use super::*;

    #[test]
    fn figure_12_tests_seven_kinds_and_three_more_with_two_identifying() {
        // Race identifying, gender and ZIP more, birth date most, as in the paper's example.
        let degrees = [Identifying, Most, More, More];
        assert_eq!(tested(&degrees, 3, false).len(), 6 + 4);
        let listed = tested(&degrees, 3, true);
        let expected: [&[usize]; 7] = [
            &[0, 1],
            &[0, 2],
            &[0, 3],
            &[1, 2],
            &[1, 3],
            &[0, 1, 2],
            &[0, 1, 3],
        ];
        assert_eq!(listed, expected);
        let two = [Identifying, Identifying, More, More, Most];
        assert!(tested(&two, 3, true).contains(&vec![2, 3]));
        assert!(tested(&two, 3, true).contains(&vec![2, 3, 4]));
        assert!(!tested(&two, 3, true).contains(&vec![0, 1]));
    }

    #[test]
    fn the_column_in_most_combinations_goes_first() {
        let degrees = [Identifying, Most, More, More];
        // t7 and t8 of Fig. 14, t8 with the combination that the figure leaves out.
        let t7: Vec<&[usize]> = vec![&[1, 2, 3], &[0, 1, 3]];
        assert_eq!(to_suppress(t7, &degrees), [1]);
        let t8: Vec<&[usize]> = vec![
            &[1, 3],
            &[2, 3],
            &[0, 2],
            &[0, 1],
            &[1, 2, 3],
            &[0, 1, 2],
            &[0, 1, 3],
            &[0, 2, 3],
        ];
        assert_eq!(to_suppress(t8, &degrees), [1, 2]);
        assert_eq!(to_suppress(Vec::new(), &degrees), Vec::<usize>::new());
    }
}
