//! Missing values.

use super::*;

/// People some of whom do not tell their age, written in two ways, and some not their illness.
fn with_gaps(changes: &[(&str, &str)]) -> Folder {
    let desk = desk(changes);
    let mut text = String::new();
    for (place, line) in people(400).lines().enumerate() {
        let mut cells: Vec<&str> = line.split(',').collect();
        match place {
            0 => {}
            _ if place % 20 == 0 => cells[1] = "?",
            _ if place % 20 == 7 => cells[1] = "",
            _ if place % 20 == 9 => cells[4] = "NA",
            _ => {}
        }
        text += &(cells.join(",") + "\n");
    }
    desk.write("people.csv", text);
    desk
}

#[test]
fn are_a_category_of_their_own() {
    let desk = with_gaps(&[("k = 5", "k = 2"), ("limit = 0.05", "limit = 0.2")]);
    let made = run(&desk);
    assert_eq!(made["rows_in"], 400);
    let release = desk.table("release.csv");
    assert!(release.smallest_class(&QUASI) >= 2);
    let people = desk.table("people.csv");
    let before = by_visit(&people);
    let mut gaps = 0;
    for (visit, row) in by_visit(&release) {
        let was = &before[visit][1];
        let is_gap = was.is_empty() || was == "?";
        // Two ways to write it are one value, and no number ever joins it but under the top.
        assert_eq!(is_gap, row[0].is_empty(), "{was} became {}", row[0]);
        gaps += usize::from(is_gap);
    }
    assert!(gaps >= 20, "{gaps}");
}

#[test]
fn are_dropped_first_where_the_policy_says_so() {
    let desk = with_gaps(&[(
        "path = \"people.csv\"",
        "path = \"people.csv\", missing_values = \"drop\"",
    )]);
    let made = run(&desk);
    assert_eq!(made["rows_in"], 400 - 60);
    let release = desk.table("release.csv");
    assert_eq!(made["rows_out"], release.rows.len());
    for row in &release.rows {
        assert!(
            row.iter()
                .all(|cell| !["", "?", "NA"].contains(&cell.as_str()))
        );
    }
}

#[test]
fn are_refused_where_the_policy_says_so() {
    let desk = with_gaps(&[(
        "path = \"people.csv\"",
        "path = \"people.csv\", missing_values = \"refuse\"",
    )]);
    desk.refuses(2, &["run", "policy.toml"], &["row 7", "`age`", "missing"]);
}
