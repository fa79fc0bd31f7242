//! In which order rows are written.

use super::*;

/// The rows of a table in another order.
fn shuffled(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let rows = &lines[1..];
    // A step without a common divisor goes through all rows.
    let step = (rows.len() / 3..)
        .find(|s| gcd(*s, rows.len()) == 1)
        .unwrap();
    let mut text = format!("{}\n", lines[0]);
    for place in 0..rows.len() {
        text += rows[(place * step + 5) % rows.len()];
        text += "\n";
    }
    text
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The order is a function of what is released: the order of the input leaves no trace.
#[test]
fn sorted_is_the_default_and_forgets_the_inputs_order() {
    for changes in [
        &[][..],
        &[("limit = 0.05", "limit = 0.05\nmode = \"mask\"")],
    ] {
        let one = desk(changes);
        run(&one);
        let other = desk(changes);
        other.write("people.csv", shuffled(&people(400)));
        assert_ne!(one.read("people.csv"), other.read("people.csv"));
        run(&other);
        assert_eq!(one.read("release.csv"), other.read("release.csv"));
        assert_eq!(one.read("recoding.json"), other.read("recoding.json"));
    }
    // Classes stand together, and within one the rows are sorted by what else is released.
    let release = released(&[]);
    let key = |row: &Vec<String>| row[..3].to_vec();
    let mut seen = BTreeSet::new();
    for pair in release.rows.windows(2) {
        if key(&pair[0]) == key(&pair[1]) {
            assert!(pair[0][3..] <= pair[1][3..], "a class is sorted: {pair:?}");
        } else {
            assert!(seen.insert(key(&pair[0])), "a class stands in two places");
        }
    }
}

#[test]
fn keep_keeps_the_inputs_order_and_warns() {
    let desk = desk(&[(
        "path = \"release.csv\"",
        "path = \"release.csv\", order = \"keep\"",
    )]);
    let made = run(&desk);
    let warnings = made["warnings"].to_string();
    assert!(warnings.contains("order of the input"), "{warnings}");
    let visits = |table: &Table| -> Vec<String> {
        table
            .column("visit")
            .iter()
            .map(|v| v.to_string())
            .collect()
    };
    let release = visits(&desk.table("release.csv"));
    let kept: Vec<String> = visits(&desk.table("people.csv"))
        .into_iter()
        .filter(|visit| release.contains(visit))
        .collect();
    assert_eq!(release, kept);
    assert!(release.len() < 400, "some rows are suppressed");
    let text = desk.run(&["run", "policy.toml"]).expect(0).stdout;
    assert!(text.contains("order of the input"), "{text}");
    assert_eq!(run(&super::desk(&[]))["warnings"], serde_json::json!([]));
}

#[test]
fn one_thread_or_two_write_the_same_bytes() {
    for output in ["release.csv", "release.parquet"] {
        let desk = desk(&[("release.csv", output), ("k = 5", "k = 20")]);
        desk.write("people.csv", people(30_000));
        let with = |threads: &str| {
            desk.run(&["run", "policy.toml", "--threads", threads])
                .expect(0);
            (desk.bytes(output), desk.bytes("recoding.json"))
        };
        let (one, two) = (with("1"), with("2"));
        assert!(one == two, "{output} differs between 1 thread and 2");
        assert!(one == with("2"), "{output} differs between two runs");
    }
}
