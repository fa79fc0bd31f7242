//! Commands called in a way that makes no sense.

use super::*;

#[test]
fn nothing_asked_or_nothing_known() {
    let desk = desk();
    let done = desk.run(&[]).expect(2);
    assert!(done.stderr.contains("coarsen init"), "{}", done.stderr);
    desk.refuses(2, &["rum"], &["rum"]);
    let check = ["check", "patients.csv", "--k", "2"];
    desk.refuses(2, &check, &["--policy", "--qi"]);
}

#[test]
fn a_check_of_columns_that_are_not_there() {
    let desk = desk();
    let check = |more: &[&str], words: &[&str]| {
        let all = [&["check", "patients.csv", "--k", "2"], more].concat();
        desk.refuses(2, &all, words);
    };
    check(&["--qi", "age,zipp"], &["patients.csv", "`zipp`", "`zip`"]);
    check(
        &["--qi", "age", "--sensitive", "ilness"],
        &["`ilness`", "`illness`"],
    );
    check(&["--qi", "age", "--sensitive", "age"], &["`age`", "both"]);
    check(&["--qi", "age", "--k", "0"], &["--k"]);
}
