//! Columns that do not fit the policy.

use super::*;

#[test]
fn a_column_that_the_input_does_not_have() {
    let desk = policy_with("illness =", "ilness =");
    let words = [
        "policy.toml",
        "columns.ilness",
        "patients.csv",
        "no column",
        "`illness`",
    ];
    refuses(&desk, &words);
}

#[test]
fn a_column_without_a_role() {
    let desk = policy_with("illness = { role = \"sensitive\" }\n", "");
    refuses(
        &desk,
        &["policy.toml", "`illness`", "no role", "quasi-identifier"],
    );
    let desk = policy_with("illness = { role = \"sensitive\" }", "illness = {}");
    refuses(&desk, &["columns.illness", "no role"]);
}

#[test]
fn a_column_that_stands_twice_or_has_no_name() {
    let twice = PATIENTS.replace("name,age", "age,age");
    refuses(
        &patients_with(twice),
        &["patients.csv", "`age`", "twice", "column 2"],
    );
    let nameless = PATIENTS.replace("zip,sex", ",sex");
    refuses(
        &patients_with(nameless),
        &["patients.csv", "column 3", "no name"],
    );
}

#[test]
fn bounds_under_a_name_that_is_taken() {
    let desk = policy_with(
        "intervals = [5, 10] }",
        "intervals = [5, 10] }, represent = \"bounds\"",
    );
    desk.edit("policy.toml", "illness =", "age_low =");
    desk.edit("patients.csv", "illness", "age_low");
    refuses(&desk, &["policy.toml", "two columns `age_low`", "bounds"]);
}

#[test]
fn a_value_that_is_missing_where_none_may_be() {
    let desk = policy_with(
        "path = \"patients.csv\"",
        "path = \"patients.csv\", missing_values = \"refuse\"",
    );
    desk.edit("patients.csv", "Cyd,32", "Cyd,NA");
    refuses(
        &desk,
        &["patients.csv", "row 3", "`age`", "missing", "category"],
    );
}

#[test]
fn a_date_that_does_not_parse_is_not_repeated() {
    let desk = policy_with(
        "hierarchy = { intervals = [5, 10] }",
        "type = \"date\", format = \"%m/%d/%Y\", hierarchy = { dates = [\"year\"] }",
    );
    let table = "name,age,zip,sex,illness\nAnn,1/2/1980,02138,F,flu\nBob,Februember,02139,M,cold\n";
    desk.write("patients.csv", table);
    let done = desk.refuses(
        2,
        RUN,
        &["patients.csv", "row 2", "`age`", "date", "%m/%d/%Y"],
    );
    assert!(!done.stderr.contains("Februember"), "{}", done.stderr);
}

#[test]
fn a_number_that_is_none_is_not_repeated() {
    let desk = policy_with(
        "identifier\", hierarchy = { intervals",
        "identifier\", type = \"integer\", hierarchy = { intervals",
    );
    desk.edit("patients.csv", "Dee,33", "Dee,thirtyish");
    let done = desk.refuses(2, RUN, &["row 4", "`age`", "integer", "input.missing"]);
    assert!(!done.stderr.contains("thirtyish"), "{}", done.stderr);
}
