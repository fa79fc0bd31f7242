//! Files as they come: every delimiter, quote and line end, and every format in and out.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, Table};
use serde_json::{Value, json};

/// A policy over town and sex, which are two of a kind in every table here, and a note.
const POLICY: &str = r#"version = 1
input = { path = "in.csv" }
output = { path = "out.csv" }

[columns]
town = { role = "quasi-identifier", type = "text" }
sex = { role = "quasi-identifier" }
note = { role = "other" }

[privacy]
k = 2
"#;

const TABLE: &str = "\
town,sex,note
Bath,F,first
York,M,second
Bath,F,third
York,M,fourth
";

/// The release of a table under the policy: two classes, sorted.
const RELEASE: &str = "\
town,sex,note
Bath,F,first
Bath,F,third
York,M,fourth
York,M,second
";

fn desk(table: impl AsRef<[u8]>) -> Folder {
    let desk = Folder::with(&[("policy.toml", POLICY)]);
    desk.write("in.csv", table);
    desk
}

fn release(table: impl AsRef<[u8]>) -> String {
    let desk = desk(table);
    desk.json(&["run", "policy.toml", "--json"]);
    desk.read("out.csv")
}

mod csv {
    use super::*;

    #[test]
    fn plain() {
        assert_eq!(release(TABLE), RELEASE);
    }

    #[test]
    fn every_delimiter_is_found_and_kept() {
        for delimiter in [";", "\t", "|"] {
            let table = TABLE.replace(',', delimiter);
            assert_eq!(release(&table), RELEASE.replace(',', delimiter));
            let desk = desk(&table);
            let check = ["check", "in.csv", "--qi", "town,sex", "--k", "2", "--json"];
            assert_eq!(desk.json(&check)["holds"], true);
        }
    }

    #[test]
    fn a_delimiter_that_is_given() {
        // By the commas alone this would be cut into three.
        let table = "town:sex:note\nBath:F:a,b,c\nBath:F:d,e,f\n";
        let desk = desk(table);
        let path = "path = \"in.csv\"";
        desk.edit("policy.toml", path, &format!("{path}, delimiter = \":\""));
        desk.json(&["run", "policy.toml", "--json"]);
        assert_eq!(desk.read("out.csv"), table);
    }

    #[test]
    fn line_ends_marks_and_a_last_line_without_one() {
        for table in [
            TABLE.replace('\n', "\r\n"),
            format!("\u{feff}{TABLE}"),
            format!("\u{feff}{}", TABLE.replace('\n', "\r\n")),
            TABLE.trim_end().to_string(),
            TABLE.replace('\n', "\r\n").trim_end().to_string(),
            format!("{TABLE}\n"),
            TABLE.replace("York,M,second", "\"York\",\"M\",\"second\""),
            TABLE.replace("town,sex", "\"town\", sex "),
        ] {
            assert_eq!(release(&table), RELEASE, "of {table:?}");
        }
    }

    #[test]
    fn quoted_cells_hold_anything() {
        let table = "\
town,sex,note
\"Bath, Somerset\",F,\"a \"\"quoted\"\" word\"
\"Bath, Somerset\",F,\"two
lines\"
\"King's
Lynn\",M,\"comma, semicolon; tab\t\"
\"King's
Lynn\",M,' single
";
        let desk = desk(table);
        desk.json(&["run", "policy.toml", "--json"]);
        let (before, after) = (desk.table("in.csv"), desk.table("out.csv"));
        assert_eq!(before.multiset(), after.multiset());
        // A line break and its carriage return stay what they were.
        let table = table.replace("two\nlines", "two\r\nlines");
        assert!(release(table).contains("two\r\nlines"));
    }

    #[test]
    fn a_table_without_a_header() {
        let desk = desk(TABLE.split_once('\n').unwrap().1);
        let path = "path = \"in.csv\"";
        desk.edit("policy.toml", path, &format!("{path}, header = false"));
        for (name, place) in [("town", 1), ("sex", 2), ("note", 3)] {
            desk.edit(
                "policy.toml",
                &format!("{name} ="),
                &format!("column_{place} ="),
            );
        }
        let made = desk.json(&["run", "policy.toml", "--json"]);
        assert_eq!(made["rows_in"], 4);
        let expected = RELEASE.replace("town,sex,note", "column_1,column_2,column_3");
        assert_eq!(desk.read("out.csv"), expected);
    }

    /// Cells go through as they were written, whatever they look like.
    #[test]
    fn nothing_is_rewritten_on_the_way() {
        let notes = [
            "02138",
            "1.50",
            "1e3",
            "+7",
            "00012345678901234567890123",
            "NaN",
            "true",
            "2020-01-01T00:00:00",
            " blank around ",
            "naïve ☃",
        ];
        let mut table = String::from("town,sex,note\n");
        for note in notes {
            table += &format!("007,F,{note}\n");
        }
        let out = Table::parse(&release(&table), ',');
        assert_eq!(out.multiset(), Table::parse(&table, ',').multiset());
    }

    #[test]
    fn names_that_are_no_identifiers() {
        let names = [
            "Native Country",
            "a.b",
            "Größe",
            "say \"x\"",
            "SELECT",
            "rank",
        ];
        let header: Vec<String> = names
            .iter()
            .map(|name| format!("\"{}\"", name.replace('"', "\"\"")))
            .collect();
        let row = "u,v,w,x,y,z\n";
        let desk = desk(format!("{}\n{row}{row}", header.join(",")));
        let mut policy = POLICY.split_once("[columns]").unwrap().0.to_string();
        policy += "[columns]\n";
        for (place, name) in names.iter().enumerate() {
            let role = ["quasi-identifier", "other"][place % 2];
            policy += &format!("{name:?} = {{ role = \"{role}\" }}\n");
        }
        desk.write("policy.toml", policy + "[privacy]\nk = 2\n");
        desk.json(&["run", "policy.toml", "--json"]);
        let out = desk.table("out.csv");
        assert_eq!(out.names, names);
        assert_eq!(out.rows, vec![["u", "v", "w", "x", "y", "z"]; 2]);
    }

    /// Names that the engine might use itself.
    #[test]
    fn names_that_could_clash() {
        let names = [
            "rank", "rows", "q0", "key0", "raw0", "cell0", "cell1", "out0", "shown0_0", "name",
            "cell",
        ];
        for quasi in 0..names.len() {
            let table = format!(
                "{}\n{}",
                names.join(","),
                "1,2,3,4,5,6,7,8,9,10,11\n".repeat(3)
            );
            let desk = desk(&table);
            let mut policy = POLICY.split_once("[columns]").unwrap().0.to_string();
            policy += "[columns]\n";
            for (place, name) in names.iter().enumerate() {
                let role = ["other", "quasi-identifier"][usize::from(place == quasi)];
                policy += &format!("{name} = {{ role = \"{role}\" }}\n");
            }
            desk.write("policy.toml", policy + "[privacy]\nk = 2\n");
            desk.json(&["run", "policy.toml", "--json"]);
            assert_eq!(desk.read("out.csv"), table);
        }
    }

    /// Beyond ten megabytes a file is read in parts by several threads; a line break in quotes must
    /// not be taken for the end of a row.
    #[test]
    fn a_file_that_is_read_in_parts() {
        let filling = "x".repeat(180);
        let mut table = String::from("town,sex,note\n");
        for row in 0..60_000 {
            let town = ["Bath", "York"][row % 2];
            table += &format!("{town},F,\"{row}\n{town},F,{filling}\"\n");
        }
        assert!(table.len() > 12_000_000);
        let desk = desk(&table);
        let made = desk.json(&["run", "policy.toml", "--threads", "2", "--json"]);
        assert_eq!(made["rows_in"], 60_000);
        assert_eq!(made["classes"], 2);
        let two = desk.bytes("out.csv");
        desk.json(&["run", "policy.toml", "--threads", "1", "--json"]);
        assert!(two == desk.bytes("out.csv"));
    }
}

mod others {
    use super::*;

    const FORMATS: [&str; 3] = ["parquet", "jsonl", "arrow"];

    /// The policy with other files.
    fn between(desk: &Folder, name: &str, input: &str, output: &str) {
        let policy = POLICY.replace("in.csv", input).replace("out.csv", output);
        desk.write(name, policy);
        desk.json(&["run", name, "--json"]);
    }

    /// From CSV into every format, checked there, and back.
    #[test]
    fn out_and_in_again() {
        let table = TABLE.replace("fourth", "\"fourth, \"\"and\"\"\nlast\"");
        let expected = Table::parse(&table, ',').multiset();
        for format in FORMATS {
            let desk = desk(&table);
            let file = format!("mid.{format}");
            between(&desk, "there.toml", "in.csv", &file);
            let check = ["check", &file, "--qi", "town,sex", "--k", "2", "--json"];
            let checked = desk.json(&check);
            assert_eq!(checked["k"], 2, "{format}");
            assert_eq!(checked["classes"], 2, "{format}");
            between(&desk, "back.toml", &file, "out.csv");
            assert_eq!(desk.table("out.csv").multiset(), expected, "{format}");
        }
    }

    #[test]
    fn a_format_that_is_stated_wins_over_the_ending() {
        let desk = desk(TABLE);
        let policy = POLICY
            .replace("path = \"in.csv\"", "path = \"in.dat\", format = \"csv\"")
            .replace(
                "path = \"out.csv\"",
                "path = \"out.dat\", format = \"jsonl\"",
            );
        desk.write("policy.toml", policy);
        desk.write("in.dat", TABLE);
        desk.json(&["run", "policy.toml", "--json"]);
        assert_eq!(rows(&desk.read("out.dat"))[0]["note"], "first");
        // Where neither says, the output is as the input.
        desk.edit("policy.toml", ", format = \"jsonl\"", "");
        desk.json(&["run", "policy.toml", "--json"]);
        assert_eq!(desk.read("out.dat"), RELEASE);
    }

    fn rows(text: &str) -> Vec<Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    const TYPED: &str = r#"{"town": "Bath", "sex": "F", "whole": 7, "part": 1.5, "yes": true, "code": "007"}
{"town": "Bath", "sex": "F", "whole": -3, "part": 2.0, "yes": false, "code": "1e3"}
{"town": "Bath", "sex": "F", "whole": 9007199254740993, "part": 0.25, "yes": true, "code": "x"}
"#;

    fn typed(desk: &Folder, name: &str, input: &str, output: &str, roles: &str) {
        let policy = format!(
            "version = 1\ninput = {{ path = \"{input}\" }}\noutput = {{ path = \"{output}\" }}\n\
             [columns]\ntown = {{ role = \"quasi-identifier\" }}\n\
             sex = {{ role = \"quasi-identifier\" }}\n{roles}\n[privacy]\nk = 3\n\
             [search]\nalgorithm = \"datafly\"\n"
        );
        desk.write(name, policy);
        desk.json(&["run", name, "--json"]);
    }

    /// Numbers stay numbers and truth stays truth, by way of every typed format.
    #[test]
    fn untouched_columns_keep_their_types() {
        let roles = "whole = { role = \"other\" }\npart = { role = \"target\" }\n\
                     yes = { role = \"sensitive\" }\ncode = { role = \"other\" }";
        for format in ["parquet", "arrow"] {
            let desk = Folder::with(&[("in.jsonl", TYPED)]);
            let file = format!("mid.{format}");
            typed(&desk, "there.toml", "in.jsonl", &file, roles);
            typed(&desk, "back.toml", &file, "out.jsonl", roles);
            let mut expected = rows(TYPED);
            let mut found = rows(&desk.read("out.jsonl"));
            let by_whole = |row: &Value| row["whole"].as_i64();
            expected.sort_by_key(by_whole);
            found.sort_by_key(by_whole);
            assert_eq!(found, expected, "{format}");
        }
    }

    /// A quasi-identifier that is not generalized keeps its type, and one that is becomes a text.
    #[test]
    fn quasi_identifiers_keep_their_types_where_they_can() {
        let desk = Folder::new();
        let mut text = String::new();
        for row in 0..8 {
            let (year, age) = (1990 + row % 2, 30 + row);
            text += &format!(
                "{{\"town\": \"Bath\", \"sex\": \"F\", \"year\": {year}, \"age\": {age}}}\n"
            );
        }
        desk.write("in.jsonl", text);
        let roles = "year = { role = \"quasi-identifier\" }\n\
                     age = { role = \"quasi-identifier\", hierarchy = { intervals = [10] } }";
        typed(&desk, "there.toml", "in.jsonl", "mid.parquet", roles);
        let as_it_is =
            "year = { role = \"quasi-identifier\" }\nage = { role = \"quasi-identifier\" }";
        typed(&desk, "back.toml", "mid.parquet", "out.jsonl", as_it_is);
        let found = rows(&desk.read("out.jsonl"));
        assert_eq!(found.len(), 8);
        for row in found {
            assert!(row["year"].is_i64(), "{row}");
            assert_eq!(row["age"], "30..39");
        }
    }

    /// A value that JSON leaves out is a missing one.
    #[test]
    fn what_json_leaves_out_is_missing() {
        let desk = Folder::new();
        let line = |sex: &str| format!("{{\"town\": \"Bath\"{sex}, \"note\": \"n\"}}\n");
        let all = [
            ", \"sex\": \"F\"",
            "",
            ", \"sex\": null",
            ", \"sex\": \"F\"",
        ];
        desk.write("in.jsonl", all.map(line).concat());
        between(&desk, "policy.toml", "in.jsonl", "out.csv");
        let out = desk.table("out.csv");
        assert_eq!(out.multiset()[0], ["Bath", "", "n"]);
        assert_eq!(out.smallest_class(&["town", "sex"]), 2);
    }

    /// A column without a single value is no stumbling block.
    #[test]
    fn a_column_of_missing_values() {
        for format in ["csv", "parquet", "jsonl", "arrow"] {
            for empty in ["sex", "note"] {
                let desk = desk(match empty {
                    "sex" => "town,sex,note\nBath,,a\nBath,,b\n",
                    _ => "town,sex,note\nBath,F,\nBath,F,\n",
                });
                let file = format!("mid.{format}");
                between(&desk, "there.toml", "in.csv", &file);
                if format == "jsonl" {
                    // JSON leaves out what is missing, so that the file no longer tells of it.
                    assert_eq!(desk.read(&file).lines().count(), 2);
                    continue;
                }
                between(&desk, "back.toml", &file, "out.csv");
                let found = desk.table("out.csv").multiset();
                assert_eq!(
                    found,
                    desk.table("in.csv").multiset(),
                    "{empty} in {format}"
                );
            }
        }
    }

    #[test]
    fn nested_values_are_refused() {
        let desk = Folder::new();
        let line = "{\"town\": \"Bath\", \"sex\": {\"secret\": \"F\"}, \"note\": \"n\"}\n";
        desk.write("in.jsonl", line.repeat(2));
        desk.write("policy.toml", POLICY.replace("in.csv", "in.jsonl"));
        let done = desk.refuses(2, &["run", "policy.toml"], &["in.jsonl", "`sex`"]);
        assert!(!done.stderr.contains("\"F\""), "{}", done.stderr);
    }

    #[test]
    fn json_of_a_release_is_one_object_a_row() {
        let desk = desk(TABLE);
        between(&desk, "policy.toml", "in.csv", "out.jsonl");
        let expected: Vec<Value> = Table::parse(RELEASE, ',')
            .rows
            .iter()
            .map(|row| json!({"town": row[0], "sex": row[1], "note": row[2]}))
            .collect();
        assert_eq!(rows(&desk.read("out.jsonl")), expected);
    }
}
