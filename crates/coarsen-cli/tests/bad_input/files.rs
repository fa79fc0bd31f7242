//! Files that cannot be read.

use super::*;

#[test]
fn no_such_policy() {
    let words = ["nowhere.toml", "no such policy", "coarsen init"];
    desk().refuses(2, &["run", "nowhere.toml"], &words);
    let check = ["check", "patients.csv", "--policy", "nowhere.toml"];
    desk().refuses(2, &check, &words);
}

#[test]
fn a_policy_that_is_no_text_or_no_toml() {
    let desk = desk();
    desk.write("policy.toml", b"version = 1 # caf\xe9");
    refuses(&desk, &["policy.toml", "not UTF-8"]);
    desk.write("policy.toml", "version = 1\ninput = { path = \n");
    refuses(&desk, &["policy.toml", "not valid TOML"]);
    desk.write("policy.toml", "version = 9\nnonsense = 1");
    refuses(&desk, &["version 9", "reads version 1"]);
}

#[test]
fn no_such_input() {
    let desk = policy_with("patients.csv", "patience.csv");
    refuses(&desk, &["patience.csv", "no such file", "policy's folder"]);
    let check = ["check", "patience.csv", "--qi", "age", "--k", "2"];
    desk.refuses(2, &check, &["patience.csv", "no such file"]);
}

#[test]
fn an_input_that_is_an_empty_folder_or_of_no_known_format() {
    let desk = policy_with("patients.csv", "old");
    desk.write("old/.patients.csv", PATIENTS);
    refuses(&desk, &["old", "this folder has no files"]);
    let desk = policy_with("patients.csv", "patients.xls");
    desk.write("patients.xls", PATIENTS);
    refuses(&desk, &["patients.xls", "format", ".parquet"]);
}

#[test]
fn an_empty_file() {
    refuses(&patients_with(""), &["patients.csv", "is empty"]);
}

#[test]
fn a_header_and_nothing_more() {
    for text in ["name,age,zip,sex,illness\n", "name,age,zip,sex,illness"] {
        refuses(
            &patients_with(text),
            &["patients.csv", "no rows", "at least one row"],
        );
    }
}

#[test]
fn a_ragged_row() {
    let few = PATIENTS.replace("Cyd,32,02138,M,flu", "Cyd,32,02138,M");
    refuses(
        &patients_with(few),
        &["patients.csv", "line 4", "4 cells", "5"],
    );
    let many = PATIENTS.replace("Cyd,32,02138,M,flu", "Cyd,32,02138,M,flu,again");
    refuses(&patients_with(many), &["line 4", "6 cells", "quotes"]);
    let last = format!("{PATIENTS}Eve");
    refuses(&patients_with(last), &["line 6", "1 cells"]);
}

#[test]
fn bytes_that_are_no_text() {
    let bytes = PATIENTS.as_bytes().to_vec();
    let at = PATIENTS.find("02139,F").unwrap();
    let mut bad = bytes.clone();
    bad[at] = 0xff;
    refuses(
        &patients_with(bad),
        &["patients.csv", "line 5", "`zip`", "UTF-8"],
    );
    let mut bad = bytes;
    bad[1] = 0xff;
    refuses(
        &patients_with(bad),
        &["patients.csv", "line 1, column 1", "UTF-8"],
    );
}

#[test]
fn a_quote_that_is_never_closed() {
    let open = PATIENTS.replace("02139,M", "\"02139,M");
    refuses(&patients_with(open), &["patients.csv", "line 3"]);
}

#[test]
fn json_lines_that_are_none() {
    let desk = policy_with("patients.csv", "patients.jsonl");
    let whole = "{\"age\": 30}\n{\"age\": 31, \"name\": \"Secretly\"\n";
    desk.write("patients.jsonl", whole);
    let done = desk.refuses(2, RUN, &["patients.jsonl", "line 2", "not valid JSON"]);
    assert!(!done.stderr.contains("Secretly"), "{}", done.stderr);
    desk.write("patients.jsonl", "[{\"name\": \"Secretly\"}]\n");
    let done = desk.refuses(2, RUN, &["patients.jsonl", "line 1", "not a JSON object"]);
    assert!(!done.stderr.contains("Secretly"), "{}", done.stderr);
}

#[test]
fn files_that_are_not_what_their_ending_says() {
    for (name, what) in [("patients.parquet", "Parquet"), ("patients.arrow", "Arrow")] {
        let desk = policy_with("patients.csv", name);
        desk.write(name, PATIENTS);
        let done = desk.refuses(2, RUN, &[name, what, "input.format"]);
        assert!(!done.stderr.contains("Ann"), "{}", done.stderr);
    }
}
