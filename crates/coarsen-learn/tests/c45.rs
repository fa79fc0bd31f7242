//! C4.5 on the example of its books: fourteen days on which one did or did not play (Quinlan 1993;
//! Witten and Frank 2005, whose J48 makes the same tree of five leaves and eight nodes).
#![allow(clippy::unwrap_used)]

use coarsen_learn::features::{Column, Features, Target, UNKNOWN};
use coarsen_learn::models::Fitted;
use coarsen_learn::models::tree::{Tree, TreeSettings};

/// Outlook (sunny, overcast, rainy), temperature, humidity, windy, play.
const DAYS: [(u32, f64, f64, u32, u32); 14] = [
    (0, 85.0, 85.0, 0, 0),
    (0, 80.0, 90.0, 1, 0),
    (1, 83.0, 86.0, 0, 1),
    (2, 70.0, 96.0, 0, 1),
    (2, 68.0, 80.0, 0, 1),
    (2, 65.0, 70.0, 1, 0),
    (1, 64.0, 65.0, 1, 1),
    (0, 72.0, 95.0, 0, 0),
    (0, 69.0, 70.0, 0, 1),
    (2, 75.0, 80.0, 0, 1),
    (0, 75.0, 70.0, 1, 1),
    (1, 72.0, 90.0, 1, 1),
    (1, 81.0, 75.0, 0, 1),
    (2, 71.0, 91.0, 1, 0),
];

fn days() -> (Features, Target) {
    let features = Features::new(vec![
        Column::Categories {
            codes: DAYS.map(|day| day.0).to_vec(),
            size: 3,
        },
        Column::Numbers(DAYS.map(|day| day.1).to_vec()),
        Column::Numbers(DAYS.map(|day| day.2).to_vec()),
        Column::Categories {
            codes: DAYS.map(|day| day.3).to_vec(),
            size: 2,
        },
    ]);
    let target = Target::Labels {
        codes: DAYS.map(|day| day.4).to_vec(),
        size: 2,
    };
    (features, target)
}

fn row(outlook: u32, temperature: f64, humidity: f64, windy: u32) -> Features {
    let category = |code: u32, size: usize| Column::Categories {
        codes: vec![code],
        size,
    };
    Features::new(vec![
        category(outlook, 3),
        Column::Numbers(vec![temperature]),
        Column::Numbers(vec![humidity]),
        category(windy, 2),
    ])
}

#[test]
fn the_tree_of_the_books() {
    let (features, target) = days();
    let tree = Tree::fit(&features, &target, None, &TreeSettings::c45(), 1);
    assert_eq!((tree.leaves(), tree.size()), (5, 8));
    let plays = |row: Features| tree.predict(&row);
    let says = |label: u32| Target::Labels {
        codes: vec![label],
        size: 2,
    };
    // Sunny: by humidity; overcast: always; rainy: by wind.
    for windy in [0, 1] {
        assert_eq!(plays(row(0, 90.0, 70.0, windy)), says(1));
        assert_eq!(plays(row(0, 60.0, 95.0, windy)), says(0));
        assert_eq!(plays(row(1, 60.0, 95.0, windy)), says(1));
        assert_eq!(plays(row(2, 60.0, 60.0, windy)), says(1 - windy));
    }
    // What is unknown follows most rows: among five sunny and five rainy days the first branch.
    assert_eq!(plays(row(UNKNOWN, 70.0, 70.0, 0)), says(1));
    assert_eq!(plays(row(0, 70.0, f64::NAN, 0)), says(0));
}

#[test]
fn without_a_column_the_usual_label() {
    let (_, target) = days();
    let tree = Tree::fit(
        &Features::nothing(14),
        &target,
        None,
        &TreeSettings::c45(),
        1,
    );
    assert_eq!(tree.size(), 1);
    let Target::Labels { codes, .. } = tree.predict(&Features::nothing(3)) else {
        panic!("labels were expected");
    };
    assert_eq!(codes, [1, 1, 1]);
}
