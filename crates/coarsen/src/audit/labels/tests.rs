//! Labels of every notation, each with values inside and outside.

use super::*;
use crate::domain::{Kind, Measure};

/// Label, values it covers, values it does not; commas part values.
const CASES: &[(&str, &[&str], &[&str])] = &[
    // Ours.
    ("*", &["", "anything", "*"], &[]),
    ("*****", &["02138", ""], &[]),
    ("", &["", " "], &["0", "missing"]),
    (
        "20..39",
        &["20", "39", "20.0", "39.00", "20..39"],
        &["19", "40", "", "abc"],
    ),
    ("-5..-1", &["-5", "-1"], &["-6", "0", "1"]),
    ("0..0.5", &["0", "0.25", "5e-1"], &["0.51"]),
    ("{a|b}", &["a", "b", " a "], &["c", "a|b", ""]),
    ("{a|missing}", &["a", "", "missing"], &["b"]),
    ("{Smith, J|Doe, A}", &["Smith, J"], &["Smith"]),
    ("{20..29|40}", &["25", "40"], &["30", "41"]),
    (
        "0213*",
        &["02138", "02139", "0213", "0213*"],
        &["02141", "021389", "", "2138"],
    ),
    ("7****", &["7", "71", "71234"], &["712345", "8"]),
    ("**138", &["02138", "138", "2138"], &["102138", "02139"]),
    ("0*1*8", &["02138", "09198"], &["0138", "021*9"]),
    ("é*", &["é", "éa"], &["e", "éab"]),
    // Periods.
    (
        "1965",
        &["1965", "1965-09-20", "1965-09", "1965.0"],
        &["1966-01-01", "01965"],
    ),
    (
        "1965-09",
        &["1965-09-01", "1965-09-30"],
        &["1965-10-01", "1965"],
    ),
    ("1965-Q3", &["1965-07-01", "1965-08"], &["1965-10-01"]),
    (
        "1960..1969",
        &["1965", "1960-01-01", "1969-12-31"],
        &["1970-01-01", "1959"],
    ),
    (
        "1965-02-01..1965-03-31",
        &["1965-02-01", "1965-03"],
        &["1965-01-31", "1965"],
    ),
    // Other tools'.
    (
        "[1965-01-01, 1966-01-01[",
        &["1965-12-31"],
        &["1966-01-01", "1964-12-31"],
    ),
    (">1965-06-30", &["1965-07-01"], &["1965-06-30", "1965"]),
    ("<1966", &["1965-12-31", "1965"], &["1966-01-01", "1966"]),
    ("[20-40]", &["20", "40"], &["41"]),
    ("[20, 40[", &["20", "39.9"], &["40", "19"]),
    ("]20, 40]", &["20.1", "40"], &["20"]),
    ("[20-40)", &["20", "39"], &["40"]),
    ("(20-40]", &["21", "40"], &["20"]),
    ("[-10, -5[", &["-10", "-6"], &["-5", "10"]),
    ("(-inf, 20.0]", &["-1e9", "20"], &["21"]),
    ("(60.0, inf]", &["61"], &["60"]),
    ("20-40", &["30", "20-40"], &["41"]),
    ("20–40", &["30"], &["41"]),
    ("-5--1", &["-3"], &["3"]),
    ("[1965-01-01-1965-06-30]", &["1965-05-05"], &["1965-07-01"]),
    ("1960-69", &["1960", "1969", "1964-10-23"], &["1970", "69"]),
    ("<=40", &["40", "-3"], &["41", ""]),
    ("<40", &["39"], &["40"]),
    ("≥ 65", &["65"], &["64"]),
    (">=65", &["65", "120"], &["64"]),
    (">65", &["66"], &["65"]),
    ("90+", &["90", "101"], &["89"]),
    ("{a, b}", &["a", "b"], &["c"]),
    // Themselves.
    (
        "Private",
        &["Private", " Private"],
        &["private", "Private-sector", ""],
    ),
    ("5", &["5", "5.0"], &["05", "6", "5-6"]),
    ("02138", &["02138"], &["2138", "02138.0"]),
    ("40..20", &["40..20"], &["30"]),
    ("617-555", &["617-555"], &["600"]),
    ("A+", &["A+"], &["A"]),
    ("NaN", &["NaN"], &["inf"]),
];

#[test]
fn each_notation_covers_what_it_says() {
    for (text, inside, outside) in CASES {
        let label = Label::parse(text);
        for value in *inside {
            assert!(label.covers(value), "`{text}` covers `{value}`: {label:?}");
        }
        for value in *outside {
            assert!(
                !label.covers(value),
                "`{text}` does not cover `{value}`: {label:?}"
            );
        }
    }
}

#[test]
fn a_plain_label_covers_its_own_text_alone() {
    for (text, inside, _) in CASES {
        if Label::parse(text).is_plain() {
            assert!(
                inside.iter().all(|value| value.trim() == text.trim()),
                "`{text}`"
            );
        }
    }
    assert!(Label::parse("Private").is_plain());
    assert!(!Label::parse("5").is_plain());
}

#[test]
fn only_stars_are_suppressed() {
    assert!(Label::parse("*").is_suppressed());
    assert!(Label::parse(" *** ").is_suppressed());
    for shown in ["", "0***", "{*|a}", "any"] {
        assert!(!Label::parse(shown).is_suppressed(), "{shown}");
    }
}

/// A tree of two groups over three leaves and a missing value.
fn tree(kind: Kind, texts: [&str; 3], groups: [&str; 2]) -> (Domain, Hierarchy) {
    let values: Vec<Value> = texts
        .iter()
        .map(|text| Value::read(text, kind, None).unwrap())
        .collect();
    let domain = Domain::new(kind, None, values.clone(), true);
    let node = |label: &str, first: u32, end: u32| hierarchy::Node {
        label: label.into(),
        first,
        end,
        bounds: None,
    };
    let leaves = (0..3).map(|i| hierarchy::Node {
        bounds: Some((values[i].clone(), values[i].clone())),
        ..node(texts[i], i as u32, i as u32 + 1)
    });
    let missing = || node(MISSING, 3, 4);
    let levels = vec![
        hierarchy::Level {
            node_of: vec![0, 1, 2, 3],
            nodes: leaves.chain([missing()]).collect(),
        },
        hierarchy::Level {
            node_of: vec![0, 0, 1, 2],
            nodes: vec![node(groups[0], 0, 2), node(groups[1], 2, 3), missing()],
        },
        hierarchy::Level {
            node_of: vec![0; 4],
            nodes: vec![node("*", 0, 4)],
        },
    ];
    (domain, Hierarchy::new(levels, Measure::Leaves))
}

#[test]
fn a_node_covers_its_leaves() {
    let (domain, hierarchy) = tree(
        Kind::Text,
        ["Local-gov", "State-gov", "Private"],
        ["Government", "Business"],
    );
    let label = |text| Label::parse_in(text, &domain, &hierarchy);
    assert!(label("Government").covers("State-gov"));
    assert!(label("Government").covers("Government"));
    assert!(!label("Government").covers("Private"));
    assert!(!label("Government").covers(""));
    assert!(label("{Government|Private}").covers("Local-gov"));
    assert!(label("*").is_suppressed());
    assert!(label("").covers(""));
    assert!(!label("").covers("Private"));
    assert!(!label("Unknown").covers("Private"));
}

#[test]
fn a_notation_covers_what_the_tree_has_not_seen() {
    let (domain, hierarchy) = tree(Kind::Text, ["02138", "02139", "02141"], ["0213*", "0214*"]);
    let label = Label::parse_in("0213*", &domain, &hierarchy);
    assert!(label.covers("02139") && label.covers("02130"));
    assert!(!label.covers("02141"));
}

#[test]
fn columns_are_read_code_by_code() {
    let texts = ["*", "Government"].map(|text| Value::Text(text.into()));
    let released = Domain::new(Kind::Text, None, texts.to_vec(), true);
    let (domain, hierarchy) = tree(
        Kind::Text,
        ["Local-gov", "State-gov", "Private"],
        ["Government", "Business"],
    );
    let labels = Label::of_column(&released, Some((&domain, &hierarchy)));
    assert_eq!(
        labels.iter().map(Label::text).collect::<Vec<_>>(),
        ["*", "Government", ""]
    );
    assert!(labels[1].covers("Local-gov"));
    assert!(labels[2].covers("") && !labels[2].covers("Local-gov"));
    assert!(!Label::of_column(&released, None)[1].covers("Local-gov"));
}

#[test]
fn a_node_of_dates_reads_their_own_format() {
    let day = |text| Value::read(text, Kind::Date, None).unwrap();
    let format = Some("%m/%d/%Y".to_string());
    let domain = Domain::new(Kind::Date, format, vec![day("1965-09-20")], false);
    let node = hierarchy::Node {
        label: "1965".into(),
        first: 0,
        end: 1,
        bounds: Some((day("1965-01-01"), day("1965-12-31"))),
    };
    let level = hierarchy::Level {
        node_of: vec![0],
        nodes: vec![node],
    };
    let hierarchy = Hierarchy::new(vec![level], Measure::Span);
    let label = Label::parse_in("1965", &domain, &hierarchy);
    // The second is not in the domain; the node's bounds still hold it.
    assert!(label.covers("09/20/1965") && label.covers("01/02/1965"));
    assert!(!label.covers("01/02/1966") && !label.covers(""));
    assert!(!Label::parse("1965").covers("09/20/1965"));
}
