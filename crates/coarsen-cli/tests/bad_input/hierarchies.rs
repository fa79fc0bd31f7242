//! Hierarchies that do not cover the data.

use super::*;

#[test]
fn a_value_that_is_not_in_the_hierarchy() {
    let desk = sex_hierarchy("F;*\nX;*\n");
    refuses(&desk, &["sex.csv", "`sex`", "`M`", "not in the hierarchy"]);
}

#[test]
fn a_cycle() {
    let desk = sex_hierarchy("F;a;b;*\nM;b;a;*\n");
    refuses(&desk, &["sex.csv", "cycle", "`a`", "`b`"]);
}

#[test]
fn two_parents() {
    let desk = sex_hierarchy("F;a;b;*\nM;a;c;*\n");
    refuses(&desk, &["sex.csv", "`a` has two parents", "`b`", "`c`"]);
}

#[test]
fn listed_twice() {
    let desk = sex_hierarchy("F;a;*\nM;a;*\nF;a;*\n");
    refuses(&desk, &["sex.csv", "`F` is listed twice"]);
}

#[test]
fn every_problem_is_in_one_message() {
    let desk = sex_hierarchy("F;a;*\nF;b;*\nX;Y;*\nY;X;*\nZ;c;d;*\n");
    let words = [
        "`F` is listed twice",
        "`F` has two parents",
        "cycle",
        "`Z` has 4 levels",
        "`M` is in the data",
        "mend the file",
    ];
    refuses(&desk, &words);
}

#[test]
fn no_such_file_an_empty_one_and_one_that_is_no_text() {
    let desk = sex_hierarchy("");
    refuses(&desk, &["columns.sex.hierarchy", "is empty"]);
    desk.write("sex.csv", b"F;\xff;*");
    refuses(&desk, &["sex.csv", "UTF-8"]);
    std::fs::remove_file(desk.path("sex.csv")).unwrap();
    refuses(&desk, &["sex.csv", "no such hierarchy file"]);
}

#[test]
fn a_tree_in_the_policy() {
    let desk = policy_with(
        r#"sex = { role = "quasi-identifier" }"#,
        r#"sex = { role = "quasi-identifier", hierarchy = { tree = { a = ["F"] } } }"#,
    );
    let words = ["policy.toml", "columns.sex.hierarchy", "`M` is in the data"];
    refuses(&desk, &words);
}
