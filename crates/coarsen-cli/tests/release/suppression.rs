//! Rows that are left out or masked.

use super::*;

#[test]
fn dropped_rows_are_gone() {
    let desk = desk(&[]);
    let made = run(&desk);
    let release = desk.table("release.csv");
    assert!(release.rows.len() < 400, "some rows are suppressed");
    assert!(release.rows.len() >= 380, "no more than the limit");
    assert_eq!(made["suppressed_rows"], 400 - release.rows.len());
    assert!(release.rows.iter().flatten().all(|cell| cell != "*"));
    assert!(release.smallest_class(&QUASI) >= 5);
}

#[test]
fn masked_rows_stay_as_a_class_of_their_own() {
    let desk = desk(&[("limit = 0.05", "limit = 0.05\nmode = \"mask\"")]);
    let made = run(&desk);
    let release = desk.table("release.csv");
    assert_eq!(release.rows.len(), 400);
    let classes = release.classes(&QUASI);
    let masked = classes[&vec!["*", "*", "*"]].len();
    assert!((5..=20).contains(&masked), "{masked}");
    assert_eq!(made["suppressed_rows"], masked);
    assert_eq!(made["audit"]["suppressed_rows"], masked);
    assert!(release.smallest_class(&QUASI) >= 5);
    // What is not a quasi-identifier is as it was, masked or not.
    let (people, now) = (desk.table("people.csv"), by_visit(&release));
    for (visit, row) in by_visit(&people) {
        assert_eq!(row[4..], now[visit][3..]);
    }
    // Masked rows stand last, where their order tells nothing.
    let last = &release.rows[400 - masked..];
    assert!(last.iter().all(|row| row[..3] == ["*", "*", "*"]));
}

/// Every released label covers the value that stood there.
#[test]
fn labels_cover_their_values() {
    let desk = desk(&[]);
    run(&desk);
    let (release, people) = (desk.table("release.csv"), desk.table("people.csv"));
    let before = by_visit(&people);
    for (visit, row) in by_visit(&release) {
        let was = before[visit];
        let (low, high) = row[0].split_once("..").unwrap_or((&row[0], &row[0]));
        let age: u32 = was[1].parse().unwrap();
        assert!(low.parse::<u32>().unwrap() <= age && age <= high.parse::<u32>().unwrap());
        assert_eq!(row[1].len(), 5);
        assert!(was[2].starts_with(row[1].trim_end_matches('*')));
        assert!(row[2] == was[3] || row[2] == "*");
    }
}

#[test]
fn no_row_may_be_suppressed_where_the_limit_is_zero() {
    let desk = desk(&[("limit = 0.05", "limit = 0")]);
    assert_eq!(run(&desk)["rows_out"], 400);
    assert!(desk.table("release.csv").smallest_class(&QUASI) >= 5);
}

/// Where all is in vain, nothing is written, and the figure that stands against it is told.
#[test]
fn a_requirement_that_no_release_meets() {
    for (requirement, words) in [
        (
            "diversity = [{ column = \"illness\", entropy = 40.0 }]",
            ["40", "illness", "5."],
        ),
        (
            "diversity = [{ column = \"illness\", distinct = 7 }]",
            ["7", "illness", "6"],
        ),
    ] {
        let desk = desk(&[
            ("k = 5", &format!("k = 5\n{requirement}")),
            ("limit = 0.05", "limit = 0"),
        ]);
        desk.write("release.csv", "yesterday's");
        let before = desk.all();
        let done = desk.run(&["run", "policy.toml"]).expect(1);
        for word in words {
            assert!(done.stderr.contains(word), "no `{word}`: {}", done.stderr);
        }
        assert!(before == desk.all());
    }
}
