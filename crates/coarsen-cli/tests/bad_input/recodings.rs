//! Recodings that cannot be used.

use super::*;

/// A desk with a good recoding in `good.json`.
fn after_a_run() -> Folder {
    let desk = policy_with("recoding.json", "good.json");
    desk.run(RUN).expect(0);
    desk
}

fn apply(desk: &Folder, recoding: &str, words: &[&str]) {
    desk.refuses(
        2,
        &["apply", recoding, "patients.csv", "-o", "new.csv"],
        words,
    );
}

#[test]
fn none_no_json_or_another_json() {
    let desk = desk();
    apply(&desk, "nowhere.json", &["nowhere.json", "no such recoding"]);
    desk.write("text.json", "hello");
    let words = ["text.json", "not a saved recoding", "output.recoding"];
    apply(&desk, "text.json", &words);
    desk.write("other.json", "{\"a\": 1}");
    apply(&desk, "other.json", &["other.json", "not a saved recoding"]);
}

#[test]
fn of_another_version() {
    let desk = after_a_run();
    desk.edit(
        "good.json",
        "\"version\": 1,\n  \"tool\"",
        "\"version\": 7,\n  \"tool\"",
    );
    apply(
        &desk,
        "good.json",
        &["good.json", "version 7", "reads version 1"],
    );
}

#[test]
fn changed_by_hand() {
    let change = |from: &str, to: &str, words: &[&str]| {
        let desk = after_a_run();
        desk.edit("good.json", from, to);
        apply(&desk, "good.json", words);
    };
    change(
        "\"name\": \"sex\"",
        "\"name\": \"gender\"",
        &["good.json", "gender"],
    );
    change("\"k\": 2", "\"k\": 0", &["good.json", "k is 0"]);
    change(
        "\"k\": 2",
        "\"k\": 2, \"diversity\": [{\"column\": \"nothing\", \"distinct\": 2}]",
        &["good.json", "nothing"],
    );
    change(
        "\"low\": \"30\"",
        "\"low\": \"young\"",
        &["good.json", "30..34"],
    );
    change("\"policy\"", "\"polity\"", &["good.json", "polity"]);
}

#[test]
fn onto_itself_or_the_data() {
    let desk = after_a_run();
    let onto = |output: &str, words: &[&str]| {
        let apply = ["apply", "good.json", "patients.csv", "-o", output];
        desk.refuses(2, &apply, words);
    };
    onto("good.json", &["good.json", "overwritten"]);
    onto("./patients.csv", &["patients.csv", "overwrit"]);
}

#[test]
fn data_with_other_columns() {
    let desk = after_a_run();
    desk.edit("patients.csv", "zip", "zipcode");
    let words = ["patients.csv has no column `zip`", "`zipcode`"];
    apply(&desk, "good.json", &words);
}
