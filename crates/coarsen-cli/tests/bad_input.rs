//! What cannot be done is refused with status 2, a message that names the place and says what to do,
//! and not a byte written.
#![allow(clippy::unwrap_used)]

mod common;

use common::Folder;

const PATIENTS: &str = "\
name,age,zip,sex,illness
Ann,30,02138,F,flu
Bob,31,02139,M,cold
Cyd,32,02138,M,flu
Dee,33,02139,F,cold
";

const POLICY: &str = r#"version = 1
input = { path = "patients.csv" }
output = { path = "release.csv", recoding = "recoding.json" }

[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", hierarchy = { intervals = [5, 10] } }
zip = { role = "quasi-identifier", hierarchy = { mask = "right" } }
sex = { role = "quasi-identifier" }
illness = { role = "sensitive" }

[privacy]
k = 2

[suppression]
limit = 0.0

[search]
algorithm = "datafly"
"#;

const RUN: &[&str] = &["run", "policy.toml"];

/// A policy, its table, and a release of yesterday that must stay as it is.
fn desk() -> Folder {
    Folder::with(&[
        ("patients.csv", PATIENTS),
        ("policy.toml", POLICY),
        ("release.csv", "yesterday's release\n"),
        ("recoding.json", "yesterday's recoding\n"),
    ])
}

/// A desk whose policy differs in one place.
fn policy_with(from: &str, to: &str) -> Folder {
    let desk = desk();
    desk.edit("policy.toml", from, to);
    desk
}

/// A desk with another table.
fn patients_with(bytes: impl AsRef<[u8]>) -> Folder {
    let desk = desk();
    desk.write("patients.csv", bytes);
    desk
}

/// A desk where sex has a hierarchy in a file.
fn sex_hierarchy(text: &str) -> Folder {
    let desk = policy_with(
        r#"sex = { role = "quasi-identifier" }"#,
        r#"sex = { role = "quasi-identifier", hierarchy = { file = "sex.csv" } }"#,
    );
    desk.write("sex.csv", text);
    desk
}

fn refuses(desk: &Folder, words: &[&str]) {
    desk.refuses(2, RUN, words);
}

/// The desk as it stands would do: what the other tests see refused is what they changed.
#[test]
fn the_desk_itself_is_in_order() {
    desk().run(RUN).expect(0);
}

mod files {
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
    fn an_input_that_is_a_folder_or_of_no_known_format() {
        let desk = policy_with("patients.csv", "old");
        desk.write("old/patients.csv", PATIENTS);
        refuses(&desk, &["old", "this is a folder"]);
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
}

mod columns {
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
        let table =
            "name,age,zip,sex,illness\nAnn,1/2/1980,02138,F,flu\nBob,Februember,02139,M,cold\n";
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
}

mod keys {
    use super::*;

    #[test]
    fn an_unknown_key() {
        let desk = policy_with("hierarchy = { mask", "hierachy = { mask");
        refuses(
            &desk,
            &[
                "policy.toml",
                "columns.zip.hierachy",
                "not a key",
                "`hierarchy`",
            ],
        );
        let desk = policy_with("[suppression]", "[supression]");
        refuses(&desk, &["supression", "`suppression`"]);
    }

    #[test]
    fn k_of_zero_and_k_above_the_rows() {
        let desk = policy_with("k = 2", "k = 0");
        refuses(&desk, &["policy.toml", "privacy.k", "k is 0", "2 or more"]);
        let desk = policy_with("k = 2", "k = 5");
        refuses(&desk, &["policy.toml", "privacy.k", "4 rows", "at most 4"]);
        let desk = policy_with("k = 2", "k = \"two\"");
        refuses(&desk, &["privacy.k", "whole number"]);
    }

    #[test]
    fn limits_outside_zero_and_one() {
        let desk = policy_with("limit = 0.0", "limit = -0.1");
        refuses(&desk, &["suppression.limit", "-0.1", "from 0 to 1"]);
        let desk = policy_with("limit = 0.0", "limit = 5");
        refuses(&desk, &["suppression.limit", "percentage", "0.05"]);
    }

    #[test]
    fn a_target_that_is_sensitive_too() {
        let desk = desk();
        let text = format!("{POLICY}\n[workload]\ntargets = [{{ column = \"illness\" }}]\n");
        desk.write("policy.toml", text);
        let words = [
            "workload.targets.0.column",
            "`illness`",
            "both",
            "section 2.1",
        ];
        refuses(&desk, &words);
    }

    #[test]
    fn an_unknown_algorithm_or_loss() {
        let desk = policy_with("\"datafly\"", "\"dataflie\"");
        refuses(&desk, &["search.algorithm", "dataflie", "`datafly`"]);
        let desk = policy_with("\"datafly\"", "\"datafly\"\nloss = \"imprecission\"");
        refuses(&desk, &["search.loss", "imprecission", "`imprecision`"]);
    }

    #[test]
    fn a_setting_that_an_algorithm_does_not_have() {
        let desk = policy_with("\"datafly\"", "\"datafly\"\ndatafly = { speed = 9 }");
        refuses(&desk, &["search.datafly.speed", "`speed`", "eligible"]);
        let desk = policy_with("\"datafly\"", "\"datafly\"\ndatafli = { speed = 9 }");
        refuses(&desk, &["search.datafli", "`datafly`"]);
    }

    #[test]
    fn a_loss_that_needs_what_is_not_there() {
        let desk = policy_with("\"datafly\"", "\"datafly\"\nloss = \"cm\"");
        refuses(&desk, &["search.loss", "`cm`", "target"]);
    }

    #[test]
    fn a_selection_that_is_none() {
        let desk = desk();
        let text = format!("{POLICY}\n[workload]\nselections = [\"age >> 40\"]\n");
        desk.write("policy.toml", text);
        refuses(&desk, &["workload.selections.0", "age >> 40", "^"]);
    }

    #[test]
    fn overrides_that_are_none() {
        let run = |set: &str, words: &[&str]| {
            desk().refuses(2, &["run", "policy.toml", "--set", set], words);
        };
        run("privacy.k", &["--set privacy.k", "--set privacy.k=5"]);
        run("=5", &["--set =5", "--set privacy.k=5"]);
        run(
            "privacy.q=5",
            &["privacy.q", "not a key", "--set privacy.q=5"],
        );
        run("privacy.k.x=5", &["`privacy.k` is a value"]);
        run(
            "search.algorithm=dataflie",
            &["dataflie`. This came from --set"],
        );
        run(
            "privacy.k=9",
            &["4 rows. This came from --set privacy.k=9."],
        );
    }

    #[test]
    fn amounts_that_are_none() {
        let run = |flag: &str, value: &str, words: &[&str]| {
            desk().refuses(2, &["run", "policy.toml", flag, value], words);
        };
        run("--memory", "plenty", &["--memory", "plenty", "2GB"]);
        run("--memory", "12", &["--memory", "12", "2GB"]);
        run("--threads", "0", &["--threads", "0"]);
        run("--budget", "soon", &["search.budget", "soon", "30s"]);
        let desk = policy_with("[search]", "[engine]\nmemory = \"plenty\"\n[search]");
        refuses(&desk, &["engine.memory", "plenty", "2GB"]);
    }

    #[test]
    fn memory_that_is_not_enough_says_so() {
        let run = ["run", "policy.toml", "--memory", "1KB"];
        desk().refuses(3, &run, &["Resources exhausted", "--memory"]);
    }
}

mod hierarchies {
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
}

mod outputs {
    use super::*;

    /// A desk whose release goes elsewhere.
    fn output_to(path: &str) -> Folder {
        policy_with("path = \"release.csv\"", &format!("path = \"{path}\""))
    }

    #[test]
    fn onto_the_input() {
        let words = ["patients.csv", "overwrit", "help: "];
        refuses(&output_to("patients.csv"), &words);
        refuses(&output_to("./patients.csv"), &words);
        let desk = output_to("link.csv");
        std::os::unix::fs::symlink("patients.csv", desk.path("link.csv")).unwrap();
        refuses(&desk, &["link.csv", "overwritten"]);
        let desk = policy_with("recoding.json", "./patients.csv");
        refuses(&desk, &words);
    }

    #[test]
    fn onto_a_hierarchy_the_policy_or_a_key() {
        let desk = sex_hierarchy("F;*\nM;*\n");
        desk.edit("policy.toml", "release.csv", "sex.csv");
        refuses(&desk, &["sex.csv", "overwritten", "another output path"]);
        refuses(&output_to("policy.toml"), &["policy.toml", "overwritten"]);
        let desk = policy_with("recoding.json", "./policy.toml");
        refuses(&desk, &["policy.toml", "overwritten"]);
        let desk = output_to("secret.key");
        let keyed =
            r#"role = "identifier", treatment = "keyed-hash", key = { file = "secret.key" }"#;
        desk.edit("policy.toml", r#"role = "identifier""#, keyed);
        desk.write("secret.key", "0123456789abcdef0123456789abcdef");
        refuses(&desk, &["secret.key", "overwritten"]);
    }

    #[test]
    fn the_release_onto_the_recoding() {
        for path in ["recoding.json", "./recoding.json"] {
            refuses(&output_to(path), &["recoding.json", "file of its own"]);
        }
    }

    #[test]
    fn below_a_file_into_no_folder_or_onto_one() {
        refuses(
            &output_to("patients.csv/release.csv"),
            &["patients.csv", "is a file"],
        );
        refuses(
            &output_to("nowhere/release.csv"),
            &["nowhere", "no such folder"],
        );
        let desk = output_to("old");
        desk.write("old/release.csv", "older");
        refuses(&desk, &["old", "this is a folder"]);
        let desk = policy_with("recoding.json", "nowhere/recoding.json");
        refuses(&desk, &["nowhere", "no such folder"]);
    }

    /// Even root cannot make a file there.
    #[test]
    fn where_nothing_can_be_written() {
        refuses(
            &output_to("/proc/release.csv"),
            &["/proc", "cannot be written"],
        );
    }
}

mod secrets {
    use super::*;

    fn keyed(key: &str) -> Folder {
        policy_with(
            r#"name = { role = "identifier" }"#,
            &format!(r#"name = {{ role = "identifier", treatment = "keyed-hash"{key} }}"#),
        )
    }

    #[test]
    fn a_hash_without_a_key() {
        refuses(
            &keyed(""),
            &["columns.name.key", "needs a key", "COARSEN_KEY"],
        );
        let desk = keyed(r#", key = { env = "COARSEN_TEST_NO_SUCH_KEY" }"#);
        let words = [
            "columns.name.key",
            "COARSEN_TEST_NO_SUCH_KEY",
            "`name`",
            "openssl rand",
        ];
        refuses(&desk, &words);
        let desk = keyed(r#", key = { file = "secret.key" }"#);
        refuses(&desk, &["secret.key", "no such key file", "openssl rand"]);
    }

    #[test]
    fn a_key_that_can_be_guessed_is_not_repeated() {
        let desk = keyed(r#", key = { env = "COARSEN_TEST_SHORT_KEY" }"#);
        let mut command = desk.command(RUN);
        command.env("COARSEN_TEST_SHORT_KEY", "swordfish");
        let words = ["columns.name.key", "shorter than 16", "32 random bytes"];
        let done = desk.refuses_command(2, &mut command, &words);
        assert!(!done.stderr.contains("swordfish"), "{}", done.stderr);
    }
}

mod recodings {
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
}

mod usage {
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
}
