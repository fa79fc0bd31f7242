//! Figure 1 and Example 2 of the paper to the number; the three modes and a recount agree on random
//! tables at every step of random walks; what the settings do.

use proptest::prelude::*;

use super::column::Column;
use super::index::Index;
use super::plain::{Plain, maps, recount};
use super::variants::Variant;
use super::*;
use crate::counts::{Counts, Entries, TallyColumn};
use crate::domain::hierarchy::{Built, Description, RawColumn, build as build_column};
use crate::domain::{Attribute, AttributeSettings, Value};
use crate::policy::{HierarchySpec, Policy, SuppressionMode, TreeSpec};
use crate::privacy::requirements;
use crate::problem::Allowance;
use crate::recoding::Recoding;
use crate::search::Outcome;
use crate::workload::{Target, Workload};

/// Groups of leaves, which together make a tree of two levels and the top.
type Tree = Vec<(String, Vec<String>)>;

/// A column's name, tree and scheme, and its cell in every entry.
type Quasi = (String, Tree, Scheme, Vec<String>);

fn built(name: &str, cells: &[String], tree: Option<&Tree>) -> Built {
    let cells: Vec<Option<Value>> = cells
        .iter()
        .map(|cell| (!cell.is_empty()).then(|| Value::Text(cell.clone())))
        .collect();
    let group =
        |(name, leaves): &(String, Vec<String>)| (name.clone(), TreeSpec::Leaves(leaves.clone()));
    let tree =
        tree.map(|tree| HierarchySpec::Tree(TreeSpec::Inner(tree.iter().map(group).collect())));
    let column = RawColumn {
        name,
        cells: &cells,
        rows: &vec![1; cells.len()],
    };
    let description = Description {
        hierarchy: tree.as_ref(),
        ..Description::default()
    };
    build_column(column, description).unwrap()
}

fn problem(quasi: &[Quasi], labels: &[&str], rows: &[u64], k: u64, limit: u64) -> Problem {
    let mut entries = Entries {
        rows: rows.to_vec(),
        ..Entries::default()
    };
    let mut attributes = Vec::new();
    for (name, tree, scheme, cells) in quasi {
        let column = built(name, cells, Some(tree));
        entries.codes.push(column.code_of);
        attributes.push(Attribute {
            name: name.clone(),
            domain: column.domain,
            hierarchy: column.hierarchy,
            settings: AttributeSettings {
                scheme: *scheme,
                ..AttributeSettings::default()
            },
        });
    }
    let labels: Vec<String> = labels.iter().map(|label| label.to_string()).collect();
    let label = built("label", &labels, None);
    entries.tallied.push(label.code_of);
    let tallied = TallyColumn {
        name: "label".into(),
        domain: label.domain,
        hierarchy: None,
    };
    let counts = Counts::build(entries, vec![tallied]).0;
    let mut policy = Policy::default();
    policy.privacy.k = k;
    let workload = Workload {
        targets: vec![Target {
            tally: 0,
            weight: 1.0,
            numeric: false,
            costs: None,
        }],
        ..Workload::default()
    };
    let allowance = Allowance {
        rows: limit,
        mode: SuppressionMode::Drop,
    };
    let requirements = requirements(&policy, counts.tallies()).unwrap();
    let lm = crate::loss::find("lm").unwrap();
    Problem::new(attributes, counts, requirements, allowance, lm, workload).unwrap()
}

fn tree(groups: &[(&str, &[&str])]) -> Tree {
    let group = |(name, leaves): &(&str, &[&str])| {
        let leaves = leaves.iter().map(|leaf| leaf.to_string()).collect();
        (name.to_string(), leaves)
    };
    groups.iter().map(group).collect()
}

/// Fig. 1. Work class has e3 and the others without a group, so they are groups of their own here.
fn figure_1(k: u64) -> Problem {
    let vids = [
        ("c1", "b2", "a3", 0, 4),
        ("c1", "b2", "c3", 0, 4),
        ("c1", "b2", "d3", 0, 3),
        ("c1", "c2", "a3", 2, 1),
        ("c1", "c2", "b3", 2, 2),
        ("d1", "c2", "b3", 4, 0),
        ("d1", "c2", "e3", 2, 0),
        ("d1", "d2", "b3", 2, 1),
        ("d1", "d2", "e3", 2, 0),
    ];
    let mut cells = [Vec::new(), Vec::new(), Vec::new()];
    let (mut labels, mut rows) = (Vec::new(), Vec::new());
    for (one, two, three, yes, no) in vids {
        for (label, count) in [("Y", yes), ("N", no)] {
            if count > 0 {
                for (cells, value) in cells.iter_mut().zip([one, two, three]) {
                    cells.push(value.to_string());
                }
                labels.push(label);
                rows.push(count);
            }
        }
    }
    let [one, two, three] = cells;
    let trees = [
        tree(&[("e1", &["a1", "b1"]), ("f1", &["c1", "d1"])]),
        tree(&[("e2", &["a2", "b2"]), ("f2", &["c2", "d2"])]),
        tree(&[
            ("a3", &["a3"]),
            ("b3", &["b3"]),
            ("f3", &["c3", "d3"]),
            ("e3", &["e3"]),
        ]),
    ];
    let [first, second, third] = trees;
    let quasi = [
        ("relationship".to_string(), first, Scheme::Cut, one),
        ("race".to_string(), second, Scheme::Cut, two),
        ("workclass".to_string(), third, Scheme::Cut, three),
    ];
    problem(&quasi, &labels, &rows, k, 0)
}

fn settings(mode: Mode) -> Settings {
    Settings {
        mode,
        ..Settings::default()
    }
}

/// The column and place of the move to a node.
fn to(start: &Start<'_>, label: &str) -> (usize, usize) {
    let columns = start.columns.iter().enumerate();
    let mut moves = columns.flat_map(|(column, held)| {
        let moves = held.moves.iter().enumerate();
        moves.map(move |(place, made)| ((column, place), made))
    });
    let is_it = |made: &column::Move| made.groups[0].into.block.label == label;
    moves.find(|(_, made)| is_it(made)).unwrap().0
}

fn index(start: &Start<'_>) -> Index {
    start.index.clone().unwrap()
}

#[test]
fn figure_1_has_its_valid_generalizations_and_anonymity() {
    let problem = figure_1(3);
    let start = Start::new(&settings(Mode::Pruned), &problem);
    let labels: Vec<Vec<&str>> = start
        .columns
        .iter()
        .map(|column| {
            let moves = column.moves.iter();
            moves
                .map(|made| made.groups[0].into.block.label.as_str())
                .collect()
        })
        .collect();
    assert_eq!(labels[0], ["e1", "f1"]);
    assert_eq!(labels[1], ["e2", "f2"]);
    // a3, b3 and e3 stand for themselves until all of them become the top.
    assert_eq!(labels[2], ["f3"]);
    let index = index(&start);
    assert_eq!(index.tea.counters.anonymity(), 2);
    // d1c2e3 and d1d2e3.
    assert_eq!(index.tea.leaves_up_to(2).count(), 2);
}

#[test]
fn only_f2_is_critical_in_figure_1() {
    let problem = figure_1(3);
    let start = Start::new(&settings(Mode::Pruned), &problem);
    let mut index = index(&start);
    let mut anonymity = |label: &str| index.trial(&start.columns, to(&start, label), None);
    assert_eq!(
        ["e1", "f1", "e2", "f2", "f3"].map(&mut anonymity),
        [2, 2, 2, 3, 2]
    );
    // f1 generalizes both anonymity vids by a segment of two and is tried; f3 is ruled out.
    let places: Vec<(usize, usize)> = index
        .candidates(&start.columns)
        .iter()
        .map(|candidate| (candidate.column, candidate.place))
        .collect();
    assert_eq!(places, [to(&start, "f1"), to(&start, "f2")]);
    let found = index.critical(&start.columns);
    let f2 = to(&start, "f2");
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].column, found[0].place, found[0].anonymity),
        (f2.0, f2.1, 3)
    );
    // I(f2): R_c2 has 13 rows, 10Y3N; R_d2 has 5, 4Y1N; R_f2 has 18, 14Y4N.
    let entropy = |yes: f64, no: f64| {
        let total = yes + no;
        -[yes, no]
            .map(|n| n / total * (n / total).log2())
            .iter()
            .sum::<f64>()
    };
    let lost =
        entropy(14.0, 4.0) - 13.0 / 18.0 * entropy(10.0, 3.0) - 5.0 / 18.0 * entropy(4.0, 1.0);
    let information = start.columns[f2.0].moves[f2.1].information;
    assert!(
        (information - lost).abs() < 1e-12,
        "{information} is not {lost}"
    );
}

#[test]
fn example_2_merges_to_seven_and_four() {
    let problem = figure_1(10);
    let mut start = Start::new(&settings(Mode::Pruned), &problem);
    let (column, place) = to(&start, "f2");
    let mut columns = std::mem::take(&mut start.columns);
    let mut index = index(&start);
    let merged = columns[column].apply(place, &start.scales(column));
    index.apply(&columns, column, &merged);
    // c1b2a3 4, c1b2c3 4, c1b2d3 3, c1f2a3 3, c1f2b3 4, d1f2b3 7, d1f2e3 4.
    let mut sizes: Vec<u64> = index
        .tea
        .leaves_up_to(10)
        .map(|leaf| index.tea.rows(leaf))
        .collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [3, 3, 4, 4, 4, 4, 7]);
}

#[test]
fn k_3_takes_f2_and_nothing_else() {
    let problem = figure_1(3);
    for mode in [Mode::Plain, Mode::Index, Mode::Pruned] {
        let outcome = variants::search(&settings(mode), &problem, &Run::new(0)).unwrap();
        let steps: Vec<&str> = outcome
            .trace
            .iter()
            .map(|step| step.what.as_str())
            .collect();
        let taken = "generalize 2 of the 4 values of race to f2";
        assert_eq!(steps, ["start from the data as they are", taken]);
        let reached = outcome.trace[1].tradeoff.unwrap();
        assert_eq!((reached.anonymity, outcome.trace[0].short_rows), (3, 4));
        // 18 of 29 rows climb one of two steps in one of three columns.
        let precision = reached.precision.unwrap();
        assert!((precision - (1.0 - 18.0 / 29.0 / 2.0 / 3.0)).abs() < 1e-12);
        let Recoding::Partitions(made) = outcome.recoding else {
            panic!("a cut is a partition");
        };
        let labels = made.columns[1]
            .blocks
            .iter()
            .map(|block| block.label.as_str());
        assert_eq!(labels.collect::<Vec<_>>(), ["a2", "b2", "f2"]);
    }
}

const LETTERS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Small tables whose three columns have trees of up to three groups, and any scheme.
fn tables() -> impl Strategy<Value = (Vec<Quasi>, Vec<&'static str>)> {
    let schemes = prop_oneof![
        4 => Just(Scheme::Cut),
        1 => Just(Scheme::Level),
        1 => Just(Scheme::Ordered),
        1 => Just(Scheme::Set),
        1 => Just(Scheme::GuidedOrdered),
        1 => Just(Scheme::GuidedSet),
    ];
    let column = (prop::collection::vec(0usize..3, 6), schemes, any::<bool>());
    let row = (prop::collection::vec(0usize..7, 3), any::<bool>());
    (
        prop::collection::vec(column, 1..=3),
        prop::collection::vec(row, 4..40),
    )
        .prop_map(|(columns, rows)| {
            let column =
                |(place, (group_of, scheme, missing)): (usize, (Vec<usize>, Scheme, bool))| {
                    let groups = (0..3).map(|group| {
                        let leaves = (0..6).filter(|leaf| group_of[*leaf] == group);
                        let leaves = leaves.map(|leaf| LETTERS[leaf].to_string()).collect();
                        (format!("group {group}"), leaves)
                    });
                    let tree: Tree = groups
                        .filter(|(_, leaves): &(_, Vec<String>)| !leaves.is_empty())
                        .collect();
                    let cell = |row: &(Vec<usize>, bool)| match row.0[place] {
                        6 if missing => String::new(),
                        letter => LETTERS[letter % 6].to_string(),
                    };
                    (
                        format!("q{place}"),
                        tree,
                        scheme,
                        rows.iter().map(cell).collect(),
                    )
                };
            let quasi = columns.into_iter().enumerate().map(column).collect();
            let labels = rows
                .iter()
                .map(|row| if row.1 { "Y" } else { "N" })
                .collect();
            (quasi, labels)
        })
}

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

#[test]
fn a_limit_on_suppression_is_used_inside_the_loop() {
    // d1c2e3 and d1d2e3 hold 4 rows: with 4 suppressed, K = 3 asks for nothing more.
    let mut problem = figure_1(3);
    problem.suppression.rows = 4;
    let outcome = variants::search(&Settings::default(), &problem, &Run::new(0)).unwrap();
    assert_eq!((outcome.trace.len(), outcome.trace[0].short_rows), (1, 4));
    problem.suppression.rows = 3;
    let outcome = variants::search(&Settings::default(), &problem, &Run::new(0)).unwrap();
    assert_eq!(outcome.trace.len(), 2);
}

#[test]
fn without_a_target_lm_decides() {
    let mut problem = figure_1(3);
    problem.workload.targets.clear();
    let start = Start::new(&Settings::default(), &problem);
    assert_eq!(start.judge.measure, Measure::Lm);
    // f2 covers 2 of 4 leaves, a third each: 18 of 29 rows, in one of three columns.
    let (column, place) = to(&start, "f2");
    let lost = start.columns[column].moves[place].information;
    assert!((lost - 18.0 / 29.0 / 3.0 / 3.0).abs() < 1e-12, "{lost}");
}

#[test]
fn out_of_time_it_still_ends_in_a_release() {
    let problem = figure_1(6);
    let run = Run::new(0).with_budget(Some(std::time::Duration::ZERO));
    let outcome = variants::search(&Settings::default(), &problem, &run).unwrap();
    assert_eq!(outcome.stop, crate::search::Stop::Budget);
    assert!(outcome.trace.last().unwrap().tradeoff.unwrap().anonymity >= 6);
}

#[test]
fn settings_are_read_and_refused() {
    let read = |text: &str| {
        let table: toml::Value = toml::from_str(text).unwrap();
        build(Some(&table))
            .map(|_| ())
            .map_err(|error| error.message)
    };
    assert_eq!(
        read("mode = \"plain\"\ninformation = \"none\"\nwhole-levels = true"),
        Ok(())
    );
    assert!(read("mode = \"fast\"").unwrap_err().contains("fast"));
    assert!(
        read("temperature = -1.0")
            .unwrap_err()
            .contains("at least 0")
    );
    assert!(read("temprature = 1.0").is_err());
}
