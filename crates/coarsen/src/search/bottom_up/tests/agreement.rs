//! The three modes and a recount agree on random tables at every step of random walks, and Theorem 1
//! bounds what is tried.

use proptest::prelude::*;

use super::super::column::Column;
use super::super::index::Index;
use super::super::plain::{Plain, maps, recount};
use super::super::*;
use super::{problem, settings, tables};
use crate::search::Outcome;

/// What the moves of a critical list are, in a form to compare.
fn sorted(mut found: Vec<Critical>) -> Vec<(usize, usize, u64)> {
    found.sort_by_key(|found| (found.column, found.place));
    let parts = found.iter().map(|f| (f.column, f.place, f.anonymity));
    parts.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Along a random path to the top, whatever the requirement and the limit.
    #[test]
    fn plain_index_and_pruned_agree_at_every_step(
        (quasi, labels) in tables(),
        k in 2u64..9,
        limit in prop_oneof![2 => Just(0u64), 1 => 0u64..6],
        path in prop::collection::vec(any::<prop::sample::Index>(), 40),
    ) {
        let rows = vec![1; labels.len()];
        let k = k.min(labels.len() as u64);
        let problem = problem(&quasi, &labels, &rows, k, limit);
        let kept = Settings { whole_levels: true, ..settings(Mode::Pruned) };
        let mut start = Start::new(&kept, &problem);
        let mut pruned = start.index.clone().unwrap();
        let mut whole = Index { pruned: false, ..pruned.clone() };
        let mut columns = std::mem::take(&mut start.columns);
        let mut plain = Plain::new(&problem.counts, &columns, start.aim, limit);
        let one_move_a_value = |column: &Column| matches!(column.scheme, Scheme::Cut | Scheme::Level);
        let bounded = limit == 0 && columns.iter().all(one_move_a_value);
        for step in path {
            let expected = recount(&problem.counts, &maps(&columns), start.aim, limit);
            for counters in [plain.counters(), whole.counters(), pruned.counters()] {
                prop_assert_eq!(counters, &expected);
            }
            if expected.anonymity() < start.aim {
                let ours = sorted(plain.critical(&columns));
                prop_assert_eq!(&sorted(whole.critical(&columns)), &ours);
                prop_assert_eq!(&sorted(pruned.critical(&columns)), &ours);
                // Theorem 1.
                if bounded {
                    prop_assert!(pruned.tried <= columns.len(), "{} tried", pruned.tried);
                }
            }
            let moves: Vec<(usize, usize)> = columns
                .iter()
                .enumerate()
                .flat_map(|(column, held)| (0..held.moves.len()).map(move |place| (column, place)))
                .collect();
            if moves.is_empty() {
                prop_assert!(columns.iter().all(|column| column.live.len() == 1));
                break;
            }
            let (column, place) = moves[step.index(moves.len())];
            let merged = columns[column].apply(place, &start.scales(column));
            plain.apply(&columns, column, &merged);
            whole.apply(&columns, column, &merged);
            pruned.apply(&columns, column, &merged);
        }
    }

    /// The whole search, step for step, and whatever the measure.
    #[test]
    fn every_mode_makes_the_same_steps(
        (quasi, labels) in tables(),
        k in 2u64..9,
        limit in 0u64..4,
        measure in prop::sample::select(vec![Measure::Entropy, Measure::Gini, Measure::Lm, Measure::None]),
    ) {
        let rows = vec![1; labels.len()];
        let problem = problem(&quasi, &labels, &rows, k.min(labels.len() as u64), limit);
        let search = |mode| -> Outcome {
            let settings = Settings { information: measure, ..settings(mode) };
            variants::search(&settings, &problem, &Run::new(0)).unwrap()
        };
        let [plain, index, pruned] = [Mode::Plain, Mode::Index, Mode::Pruned].map(search);
        prop_assert_eq!(&plain.trace, &index.trace);
        prop_assert_eq!(&plain.trace, &pruned.trace);
        prop_assert_eq!(&plain.recoding, &index.recoding);
        prop_assert_eq!(&plain.recoding, &pruned.recoding);
        // Anonymity never falls, and no step gains information.
        let along: Vec<u64> = plain.trace.iter().map(|step| step.tradeoff.unwrap().anonymity).collect();
        prop_assert!(along.is_sorted(), "{:?}", along);
    }

    /// From one run to a large K, the release for a smaller one is where the run passes it.
    #[test]
    fn a_smaller_k_is_on_the_way_to_a_larger_one((quasi, labels) in tables(), k in 2u64..5) {
        let rows = vec![1; labels.len()];
        let far = (labels.len() as u64).min(9);
        let k = k.min(far);
        let whole = problem(&quasi, &labels, &rows, far, 0);
        let near = problem(&quasi, &labels, &rows, k, 0);
        let run = |problem: &Problem, toward| {
            let settings = Settings { toward, ..Settings::default() };
            variants::search(&settings, problem, &Run::new(0)).unwrap()
        };
        let (whole, part) = (run(&whole, 0), run(&near, far));
        let lost = |outcome: &Outcome| -> Vec<(u64, u64)> {
            let steps = outcome.trace.iter().map(|step| step.tradeoff.unwrap());
            steps.map(|step| (step.anonymity, step.information.to_bits())).collect()
        };
        let (whole, part) = (lost(&whole), lost(&part));
        prop_assert_eq!(&whole[..part.len()], &part[..]);
        let passes = whole.iter().position(|(anonymity, _)| *anonymity >= k);
        prop_assert_eq!(passes, Some(part.len() - 1));
    }
}
