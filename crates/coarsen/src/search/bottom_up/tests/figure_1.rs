//! Figure 1 and Example 2 of the paper to the number.

use super::super::index::Index;
use super::super::*;
use super::{problem, settings, tree};
use crate::recoding::Recoding;

/// Fig. 1. Work class has e3 and the others without a group, so they are groups of their own here.
pub(super) fn figure_1(k: u64) -> Problem {
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

/// The column and place of the move to a node.
pub(super) fn to(start: &Start<'_>, label: &str) -> (usize, usize) {
    let columns = start.columns.iter().enumerate();
    let mut moves = columns.flat_map(|(column, held)| {
        let moves = held.moves.iter().enumerate();
        moves.map(move |(place, made)| ((column, place), made))
    });
    let is_it = |made: &moves::Move| made.groups[0].into.block.label == label;
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
