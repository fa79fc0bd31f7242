//! Selections: what they ask for, and what they say when they are wrong.

use super::*;
use crate::counts::{Counts, Entries, TallyColumn};
use crate::domain::hierarchy::{Built, Description, RawColumn, build};
use crate::domain::{AttributeSettings, Domain, Kind, Value};
use crate::policy::{Column, HierarchySpec};

fn attribute(name: &str, cells: &[&str], description: Description<'_>) -> Attribute {
    let cells: Vec<Option<Value>> = cells
        .iter()
        .map(|cell| (!cell.is_empty()).then(|| Value::Text(cell.to_string())))
        .collect();
    let rows = vec![1; cells.len()];
    let column = RawColumn {
        name,
        cells: &cells,
        rows: &rows,
    };
    let Built {
        domain, hierarchy, ..
    } = build(column, description).unwrap();
    Attribute {
        name: name.into(),
        domain,
        hierarchy,
        settings: AttributeSettings::default(),
    }
}

fn attributes() -> Vec<Attribute> {
    let plain = Description::default();
    let degrees = ["School", "Bachelors", "Masters"].map(String::from);
    let bins = HierarchySpec::Quantiles { limit: 3 };
    vec![
        attribute("age", &["20", "30", "40", "50", ""], plain),
        attribute("sex", &["Female", "Male"], plain),
        attribute("native-country", &["Chad", "Peru", "Côte d'Ivoire"], plain),
        attribute(
            "birth date",
            &["1/2/1965", "3/4/1970"],
            Description {
                format: Some("%m/%d/%Y"),
                ..plain
            },
        ),
        attribute(
            "degree",
            &["Masters", "School"],
            Description {
                order: Some(&degrees),
                ..plain
            },
        ),
        attribute("smoker", &["true", "false"], plain),
        attribute(
            "pay",
            &["1", "2", "3", "4", "5", "6"],
            Description {
                hierarchy: Some(&bins),
                ..plain
            },
        ),
    ]
}

/// The codes inside, shown, of the one column that a selection constrains.
fn asked(text: &str) -> Vec<String> {
    let attributes = attributes();
    let selection = bind(text, &attributes).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut all = Vec::new();
    for (place, attribute) in attributes.iter().enumerate() {
        let inside = selection.inside(place).unwrap_or_default();
        let codes = (0..).zip(inside).filter(|(_, inside)| **inside);
        all.extend(codes.map(|(code, _)| attribute.domain.text(code)));
    }
    all
}

/// The text that an error points at, its message and its help.
fn fault(text: &str) -> (String, String, String) {
    let error = bind(text, &attributes()).expect_err(text);
    (
        text[error.at.clone()].to_string(),
        error.message,
        error.help,
    )
}

#[test]
fn comparisons_ask_for_codes() {
    assert_eq!(asked("age > 30"), ["40", "50"]);
    assert_eq!(asked("age>=30 AND age<50"), ["30", "40"]);
    assert_eq!(asked("age between 30 and 40"), ["30", "40"]);
    assert_eq!(asked("age != 30"), ["20", "40", "50"]);
    assert_eq!(asked("age <> 30 and age > -5"), ["20", "40", "50"]);
    assert_eq!(asked("age > 39.5"), ["40", "50"]);
    assert_eq!(asked("age in (20, 50, 99)"), ["20", "50"]);
    assert_eq!(asked("age == 2e1"), ["20"]);
    assert_eq!(asked("sex = 'Male'"), ["Male"]);
    assert_eq!(asked("smoker = true"), ["true"]);
    assert_eq!(asked("smoker != 'yes'"), ["false"]);
    assert_eq!(asked("age = 20 and sex = 'Male'"), ["20", "Male"]);
}

#[test]
fn names_and_texts_take_their_quotes() {
    assert_eq!(asked("native-country = 'Peru'"), ["Peru"]);
    assert_eq!(
        asked("\"native-country\" = 'Côte d''Ivoire'"),
        ["Côte d'Ivoire"]
    );
    assert_eq!(asked("`birth date` < '01/01/1970'"), ["01/02/1965"]);
    assert_eq!(
        asked("\"birth date\" between '1/2/1965' and '12/31/1969'"),
        ["01/02/1965"]
    );
}

#[test]
fn texts_compare_in_the_order_of_their_column() {
    assert_eq!(asked("degree >= 'Bachelors'"), ["Bachelors", "Masters"]);
    assert_eq!(asked("sex < 'G'"), ["Female"]);
    let (at, message, _) = fault("degree > 'Doctorate'");
    assert_eq!(at, "'Doctorate'");
    assert_eq!(
        message,
        "This is no value of `degree`, so it has no place in their order."
    );
}

#[test]
fn a_missing_value_satisfies_no_comparison() {
    let attributes = attributes();
    let missing = attributes[0].domain.missing().unwrap() as usize;
    for text in ["age != 30", "age < 99", "age in (20, 30)"] {
        let selection = bind(text, &attributes).unwrap();
        assert!(!selection.inside(0).unwrap()[missing]);
        assert!(!selection.touched(0).unwrap()[missing]);
    }
}

#[test]
fn bins_are_inside_whole_or_touched() {
    let attributes = attributes();
    let masks = |text: &str| {
        let selection = bind(text, &attributes).unwrap();
        (
            selection.inside(6).unwrap().to_vec(),
            selection.touched(6).unwrap().to_vec(),
        )
    };
    // The bins are 1..2, 3..4 and 5..6.
    assert_eq!(
        masks("pay >= 4"),
        (vec![false, false, true], vec![false, true, true])
    );
    assert_eq!(
        masks("pay = 3"),
        (vec![false, false, false], vec![false, true, false])
    );
    assert_eq!(
        masks("pay != 3"),
        (vec![true, false, true], vec![true, true, true])
    );
    assert_eq!(
        masks("pay between 2 and 4"),
        (vec![false, true, false], vec![true, true, false])
    );
    assert_eq!(
        masks("pay < 5"),
        (vec![true, true, false], vec![true, true, false])
    );
}

#[test]
fn a_fault_points_at_its_place() {
    let cases = [
        (
            "age > 40 or sex = 'Male'",
            "or",
            "cannot say `or`",
            "selection of its own",
        ),
        (
            "not age > 40",
            "not",
            "cannot say `not`",
            "Turn the comparison round",
        ),
        (
            "age not in (20)",
            "not",
            "not compared",
            "There is no `not`",
        ),
        (
            "income > 3",
            "income",
            "`income` is not a quasi-identifier",
            "`age`, `sex`",
        ),
        ("sex = Male", "Male", "this is a name", "'Male'"),
        ("sex = \"Male\"", "\"Male\"", "this is a name", "'Male'"),
        ("sex = 1", "1", "`sex` is of type text", "'1'"),
        (
            "sex = 'male'",
            "sex = 'male'",
            "No value of `sex`",
            "with their case",
        ),
        (
            "age > 30 and age < 20",
            "age < 20",
            "No value of `age`",
            "exclude each other",
        ),
        ("age > 'old'", "'old'", "`age` is of type integer", "number"),
        (
            "`birth date` > '1970-01-01'",
            "'1970-01-01'",
            "of type date",
            "%m/%d/%Y",
        ),
        (
            "smoker = 'perhaps'",
            "'perhaps'",
            "of type boolean",
            "true or false",
        ),
        ("40 < age", "40", "begins with its column", "column first"),
        ("(age > 40)", "(", "without parentheses", "none are needed"),
        ("age >", "", "A value should stand here", "single quotes"),
        ("", "", "should begin here", "age > 40"),
        ("age > 30 and", "", "should begin here", "age > 40"),
        (
            "age between 20 or 30",
            "or",
            "needs `and`",
            "between 20 and 39",
        ),
        ("age in 20", "20", "list in parentheses", "in ("),
        ("age in (20", "", "not closed", "in ("),
        ("sex = 'Male", "'Male", "never closed", "''"),
        ("age > 30 sex = 'Male'", "sex", "go on with `and`", "Join"),
        (
            "age > 30 ; sex = 'Male'",
            ";",
            "has no meaning",
            "double quotes",
        ),
        ("age ! 30", "!", "has no meaning", "quotes"),
        ("age is 30", "is", "not compared", "missing value"),
    ];
    for (text, at, message, help) in cases {
        let found = fault(text);
        assert_eq!(found.0, at, "{text}");
        assert!(found.1.contains(message), "{text}: {}", found.1);
        assert!(found.2.contains(help), "{text}: {}", found.2);
    }
}

#[test]
fn the_policy_s_targets_and_selections_are_tied_to_the_table() {
    let target = Column {
        role: Role::Target,
        ..Column::default()
    };
    let mut policy = Policy::default();
    policy.columns.insert("income".into(), target.clone());
    policy.columns.insert("class".into(), target);
    policy.workload.targets = vec![crate::policy::Target {
        column: "income".into(),
        weight: 2.5,
        ..Default::default()
    }];
    policy.workload.selections = vec!["age > 30".into()];
    let column = |name: &str, value| TallyColumn {
        name: name.into(),
        domain: Domain::new(Value::kind(&value), None, vec![value], false),
        hierarchy: None,
    };
    let columns = vec![
        column("income", Value::Integer(1)),
        column("class", Value::Text("x".into())),
    ];
    assert_eq!(columns[0].domain.kind(), Kind::Integer);
    let entries = Entries {
        codes: vec![vec![0]],
        tallied: vec![vec![0], vec![0]],
        rows: vec![1],
    };
    let (counts, _) = Counts::build(entries, columns);

    let workload = Workload::build(&policy, &attributes(), counts.tallies()).unwrap();
    let found: Vec<_> = workload
        .targets
        .iter()
        .map(|t| (t.tally, t.weight, t.numeric))
        .collect();
    assert_eq!(found, [(1, 1.0, false), (0, 2.5, true)]);
    assert_eq!(workload.categories().count(), 1);
    assert_eq!(workload.quantities().count(), 1);
    assert_eq!(workload.selections[0].text(), "age > 30");

    policy
        .workload
        .selections
        .push("age > 30 or age < 20".into());
    let error = Workload::build(&policy, &attributes(), counts.tallies()).expect_err("an `or`");
    assert!(
        error
            .to_string()
            .starts_with("workload.selections[1]: A selection cannot say `or`")
    );
    let error = Workload::build(&policy, &attributes(), &[]).expect_err("nothing is tallied");
    assert_eq!(
        error,
        WorkloadError::NotTallied {
            column: "class".into()
        }
    );
}
