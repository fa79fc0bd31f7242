//! The models beside scikit-learn's on fixed rows. `scikit/make.py` made the rows and what is expected
//! of them. Tolerances: the regression tree, naive Bayes and linear regression to rounding; the tree of
//! labels 4 of 150 rows, for equally good splits are chosen at random there (two seeds of theirs differ
//! by up to 9); the support vector machine's scores to 0.001; logistic regression one row; the forest,
//! which draws other columns and rows, three points of accuracy.
#![allow(clippy::unwrap_used)]

use coarsen_learn::features::{Column, Features, Target};
use coarsen_learn::models::bayes::Bayes;
use coarsen_learn::models::svm::Svm;
use coarsen_learn::models::tree::{Tree, TreeSettings};
use coarsen_learn::models::{Fitted, find};

const TRAIN: usize = 300;

struct Table {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Table {
    fn read(text: &str) -> Table {
        let mut lines = text.lines();
        let names: Vec<String> = lines
            .next()
            .unwrap()
            .split(',')
            .map(str::to_string)
            .collect();
        let mut columns = vec![Vec::new(); names.len()];
        for line in lines {
            for (column, cell) in columns.iter_mut().zip(line.split(',')) {
                column.push(cell.parse().unwrap());
            }
        }
        Table { names, columns }
    }

    fn column(&self, name: &str) -> &[f64] {
        &self.columns[self.names.iter().position(|n| n == name).unwrap()]
    }
}

struct Fixture {
    rows: Table,
    expected: Table,
}

impl Fixture {
    fn read() -> Fixture {
        Fixture {
            rows: Table::read(include_str!("scikit/rows.csv")),
            expected: Table::read(include_str!("scikit/expected.csv")),
        }
    }

    /// The named columns, numbers as such and `p`, `q` as categories: training and test rows.
    fn features(&self, names: &[&str]) -> (Features, Features) {
        let columns = names.iter().map(|name| {
            let column = self.rows.column(name);
            match *name {
                "p" | "q" => Column::Categories {
                    codes: column.iter().map(|code| *code as u32).collect(),
                    size: if *name == "p" { 4 } else { 3 },
                },
                _ => Column::Numbers(column.to_vec()),
            }
        });
        let all = Features::new(columns.collect());
        let part = |range: std::ops::Range<u32>| all.pick(&range.collect::<Vec<u32>>());
        (part(0..TRAIN as u32), part(TRAIN as u32..all.rows as u32))
    }

    fn labels(&self) -> (Target, Vec<u32>) {
        let labels: Vec<u32> = self
            .rows
            .column("label")
            .iter()
            .map(|l| *l as u32)
            .collect();
        let train = Target::Labels {
            codes: labels[..TRAIN].to_vec(),
            size: 3,
        };
        (train, labels[TRAIN..].to_vec())
    }

    fn numbers(&self) -> Target {
        Target::Numbers(self.rows.column("number")[..TRAIN].to_vec())
    }

    fn expected_labels(&self, name: &str) -> Vec<u32> {
        self.expected
            .column(name)
            .iter()
            .map(|l| *l as u32)
            .collect()
    }
}

fn labels(target: Target) -> Vec<u32> {
    match target {
        Target::Labels { codes, .. } => codes,
        Target::Numbers(_) => panic!("labels were expected"),
    }
}

fn numbers(target: Target) -> Vec<f64> {
    match target {
        Target::Numbers(numbers) => numbers,
        Target::Labels { .. } => panic!("numbers were expected"),
    }
}

fn differing(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

fn by_gain() -> TreeSettings {
    TreeSettings {
        least_rows: 5.0,
        ..TreeSettings::grown_out(None)
    }
}

#[test]
fn a_tree_that_splits_by_gain() {
    let fixture = Fixture::read();
    let (train, test) = fixture.features(&["a", "b", "c"]);
    let tree = Tree::fit(&train, &fixture.labels().0, None, &by_gain(), 1);
    let expected = fixture.expected_labels("tree");
    assert!(differing(&labels(tree.predict(&test)), &expected) <= 4);
}

#[test]
fn a_regression_tree() {
    let fixture = Fixture::read();
    let (train, test) = fixture.features(&["a", "b", "c"]);
    let tree = Tree::fit(&train, &fixture.numbers(), None, &by_gain(), 1);
    let predicted = numbers(tree.predict(&test));
    for (ours, theirs) in predicted
        .iter()
        .zip(fixture.expected.column("regression_tree"))
    {
        assert!((ours - theirs).abs() < 1e-9, "{ours} {theirs}");
    }
}

#[test]
fn naive_bayes_over_categories() {
    let fixture = Fixture::read();
    let (train, test) = fixture.features(&["p", "q"]);
    let bayes = Bayes::fit(&train, &fixture.labels().0);
    for row in 0..test.rows {
        let scores = bayes.scores(&test, row);
        let total: f64 = scores.iter().map(|score| score.exp()).sum();
        for (label, score) in scores.iter().enumerate() {
            let expected = fixture.expected.column(&format!("bayes_{label}"))[row];
            assert!((score.exp() / total - expected).abs() < 1e-9);
        }
    }
}

#[test]
fn a_linear_support_vector_machine() {
    let fixture = Fixture::read();
    let (train, test) = fixture.features(&["a", "b", "c", "p", "q"]);
    let (Target::Labels { codes, .. }, _) = fixture.labels() else {
        unreachable!()
    };
    let two = Target::Labels {
        codes: codes.iter().map(|code| u32::from(*code > 0)).collect(),
        size: 2,
    };
    let exact = Svm::fit(&train, &two, 1, 20_000, 1e-9);
    let layout = coarsen_learn::models::table::Layout::of(&train);
    let rows = layout.apply(&test);
    let (label, plane) = &exact.planes()[0];
    assert_eq!(*label, 1);
    let expected = fixture.expected.column("svm_score");
    for (row, expected) in expected.iter().enumerate() {
        let score = rows.times(row, plane) + plane[rows.width];
        assert!((score - expected).abs() < 1e-3, "{score} {expected}");
    }
    // What the table offers stops earlier, and says the same of nearly every row.
    let usual = find("svm").unwrap().labels.unwrap()(&train, &two, 1);
    let sides: Vec<u32> = expected
        .iter()
        .map(|score| u32::from(*score > 0.0))
        .collect();
    assert!(differing(&labels(usual.predict(&test)), &sides) <= 1);
}

#[test]
fn logistic_regression() {
    let fixture = Fixture::read();
    let (train, test) = fixture.features(&["a", "b", "c", "p", "q"]);
    let model = find("logistic").unwrap().labels.unwrap()(&train, &fixture.labels().0, 1);
    let expected = fixture.expected_labels("logistic");
    assert!(differing(&labels(model.predict(&test)), &expected) <= 1);
}

#[test]
fn linear_regression() {
    let fixture = Fixture::read();
    let (train, test) = fixture.features(&["a", "b", "c", "p", "q"]);
    let model = find("linear").unwrap().numbers.unwrap()(&train, &fixture.numbers(), 1);
    let predicted = numbers(model.predict(&test));
    for (ours, theirs) in predicted.iter().zip(fixture.expected.column("linear")) {
        assert!((ours - theirs).abs() < 1e-5, "{ours} {theirs}");
    }
}

#[test]
fn a_random_forest() {
    let fixture = Fixture::read();
    let (train, test) = fixture.features(&["a", "b", "c", "p", "q"]);
    let (known, truth) = fixture.labels();
    let model = find("forest").unwrap().labels.unwrap()(&train, &known, 1);
    let right = |guesses: &[u32]| 1.0 - differing(guesses, &truth) as f64 / truth.len() as f64;
    let ours = right(&labels(model.predict(&test)));
    let theirs = right(&fixture.expected_labels("forest"));
    assert!((ours - theirs).abs() <= 0.03, "{ours} {theirs}");
}
