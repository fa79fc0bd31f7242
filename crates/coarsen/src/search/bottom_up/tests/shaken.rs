//! What leaves the greedy path: random and annealed walks, and bettering at the end.

use proptest::prelude::*;

use super::super::variants::Variant;
use super::super::*;
use super::{finished, problem, tables, tree};
use crate::recoding::Recoding;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A shaken search is never worse than the greedy one, and the same for the same seed.
    #[test]
    fn shaken_variants_keep_the_best((quasi, labels) in tables(), seed in 0u64..5) {
        let rows = vec![1; labels.len()];
        let problem = problem(&quasi, &labels, &rows, 3, 0);
        let search = |variant| {
            let settings = Settings { variant, tries: 5, ..Settings::default() };
            variants::search(&settings, &problem, &Run::new(seed)).unwrap()
        };
        let greedy = search(Variant::Greedy);
        for variant in [Variant::Randomized, Variant::Annealed] {
            let (one, again) = (search(variant), search(variant));
            prop_assert!(one.cost <= greedy.cost);
            prop_assert_eq!(&one.recoding, &again.recoding);
            prop_assert_eq!(&one.trace, &again.trace);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Bettered at the end, a release costs no more and meets the requirement, whatever may be suppressed.
    #[test]
    fn refining_never_costs(
        (quasi, labels) in tables(),
        limit in prop_oneof![2 => Just(0u64), 1 => 0u64..6],
        k in 2u64..6,
        over in prop::sample::select(vec![Over::Generalized, Over::Table]),
    ) {
        let rows = vec![1; labels.len()];
        let k = k.min(labels.len() as u64);
        let problem = problem(&quasi, &labels, &rows, k, limit);
        let search = |refine| {
            let settings = Settings { refine, over, ..Settings::default() };
            variants::search(&settings, &problem, &Run::new(0)).unwrap()
        };
        let (greedy, refined) = (search(false), search(true));
        prop_assert!(refined.cost <= greedy.cost, "{} {}", refined.cost, greedy.cost);
        let (classes, short) = finished(&problem, &refined);
        prop_assert!(short <= limit);
        prop_assert_eq!(refined.cost.to_bits(), problem.cost(&classes).to_bits());
        let told = refined.trace.last().unwrap();
        prop_assert_eq!(told.short_rows, short);
    }
}

#[test]
fn what_turned_out_needless_is_taken_back() {
    // q climbs to `*`, for that loses nothing, before the letters of r pair, which alone would do.
    let letters = |text: &str| -> Vec<String> { text.chars().map(String::from).collect() };
    let halves = tree(&[("one", &["a", "b"]), ("two", &["c", "d"])]);
    let pairs = tree(&[
        ("st", &["s", "t"]),
        ("uv", &["u", "v"]),
        ("wx", &["w", "x"]),
        ("yz", &["y", "z"]),
    ]);
    let quasi = [
        ("q".to_string(), halves, Scheme::Cut, letters("aabbccdd")),
        ("r".to_string(), pairs, Scheme::Cut, letters("stuvwxyz")),
    ];
    let problem = problem(
        &quasi,
        &["Y", "N", "Y", "N", "Y", "N", "Y", "N"],
        &[1; 8],
        2,
        0,
    );
    let blocks = |refine| {
        let settings = Settings {
            refine,
            ..Settings::default()
        };
        let outcome = variants::search(&settings, &problem, &Run::new(0)).unwrap();
        let Recoding::Partitions(made) = &outcome.recoding else {
            panic!("a cut is a partition");
        };
        (made.columns[0].blocks.len(), outcome.cost)
    };
    let (coarse, refined) = (blocks(false), blocks(true));
    assert!(coarse.0 == 1 && refined.0 == 4, "{coarse:?} {refined:?}");
    assert!(refined.1 < coarse.1);
}
