//! The checks of the requirements and of suppression.

use super::{accepted, refused, text, with_sections};

/// A sensitive column, a target and one requirement.
fn required(requirement: &str) -> String {
    text(
        "disease = { role = \"sensitive\", type = \"text\" }\nsalary = { role = \"target\" }",
        &format!("k = 5\n{requirement}"),
        "",
    )
}

#[test]
fn k() {
    refused(
        &text("", "k = 0", ""),
        "privacy.k",
        "0",
        &["k is 0"],
        "2 or more",
    );
    refused(
        &text("", "k = 1", ""),
        "privacy.k",
        "1",
        &["protects nobody"],
        "`diversity`",
    );
    accepted(
        &required("closeness = [{ column = \"disease\", t = 0.2 }]").replace("k = 5", "k = 1"),
    );
}

#[test]
fn a_diversity_has_one_measure() {
    let none = "{ column = \"disease\" }";
    refused(
        &required(&format!("diversity = [{none}]")),
        "privacy.diversity.0",
        none,
        &["`disease` does not say how"],
        "`distinct`, `entropy`",
    );
    let two = "{ column = \"disease\", distinct = 2, entropy = 2 }";
    refused(
        &required(&format!("diversity = [{two}]")),
        "privacy.diversity.0",
        two,
        &["more than one way: `distinct` and `entropy`"],
        "an entry of its own",
    );
    refused(
        &required("diversity = [{ distinct = 2 }]"),
        "privacy.diversity.0.column",
        "{ distinct = 2 }",
        &["not given"],
        "column = ",
    );
    refused(
        &required("diversity = [{ column = \"disease\", recursive = { c = 2.0 } }]"),
        "privacy.diversity.0.recursive.l",
        "recursive",
        &["not given"],
        "l = ",
    );
}

#[test]
fn thresholds() {
    for (measure, at, covers, message) in [
        ("distinct = 0", "distinct", "0", "at least 1"),
        ("entropy = 0.5", "entropy", "0.5", "at least 1"),
        ("entropy = nan", "entropy", "nan", "at least 1"),
        (
            "recursive = { c = 2.0, l = 0 }",
            "recursive.l",
            "0",
            "at least 1",
        ),
        (
            "recursive = { c = -2.0, l = 2 }",
            "recursive.c",
            "-2.0",
            "above 0",
        ),
        ("squared_error = 0.0", "squared_error", "0.0", "above 0"),
        (
            "squared_error = 9.0",
            "squared_error",
            "9.0",
            "needs numbers",
        ),
    ] {
        refused(
            &required(&format!(
                "diversity = [{{ column = \"disease\", {measure} }}]"
            )),
            &format!("privacy.diversity.0.{at}"),
            covers,
            &[message],
            "",
        );
    }
    refused(
        &required("closeness = [{ column = \"disease\", t = -0.1 }]"),
        "privacy.closeness.0.t",
        "-0.1",
        &["from 0 to 1"],
        "from 0 to 1",
    );
}

#[test]
fn requirements_name_sensitive_columns() {
    for requirement in [
        "diversity = [{ column = NAME, distinct = 2 }]",
        "closeness = [{ column = NAME, t = 0.5 }]",
    ] {
        let named = |name: &str| required(&requirement.replace("NAME", name));
        let kind = &requirement[..9];
        let key = format!("privacy.{kind}.0.column");
        refused(
            &named("\"diseas\""),
            &key,
            "\"diseas\"",
            &["`diseas`", "not in [columns]"],
            "Did you mean `disease`?",
        );
        refused(
            &named("\"sex\""),
            &key,
            "\"sex\"",
            &["role is quasi-identifier", "must be sensitive"],
            "the role \"sensitive\"",
        );
        refused(
            &named("\"salary\""),
            &key,
            "\"salary\"",
            &["both a target and sensitive", "section 2.1"],
            "Decide which",
        );
    }
}

#[test]
fn suppression() {
    refused(
        &with_sections("[suppression]\nlimit = -0.1"),
        "suppression.limit",
        "-0.1",
        &["from 0 to 1"],
        "0.05",
    );
    refused(
        &with_sections("[suppression]\nlimit = 5"),
        "suppression.limit",
        "5",
        &["is 5"],
        "not a percentage: write 0.05",
    );
    refused(
        &with_sections("[suppression]\nlimit = nan"),
        "suppression.limit",
        "nan",
        &["from 0 to 1"],
        "a share",
    );
    refused(
        &with_sections("[suppression]\nmode = \"hide\""),
        "suppression.mode",
        "\"hide\"",
        &["`hide`"],
        "`drop` and `mask`",
    );
}
