//! A release as ARFF, read by a small reader of this test's own, holds what the same release holds as
//! CSV.
#![allow(clippy::unwrap_used)]

mod common;

use common::Folder;

const POLICY: &str = r#"version = 1
input = { path = "people.csv" }
output = { path = "release.csv" }

[columns]
age = { role = "quasi-identifier", type = "integer", hierarchy = { intervals = [10, 20] } }
town = { role = "quasi-identifier", scheme = "set" }
zip = { role = "other" }
score = { role = "other" }
"the label" = { role = "target" }

[privacy]
k = 2

[search]
algorithm = "mondrian"
mondrian = { split = "median" }
"#;

/// A name or a value, and what stands behind it.
fn take(text: &str) -> (Option<String>, &str) {
    if !text.starts_with('\'') {
        let end = text.find([',', ' ', '}']).unwrap_or(text.len());
        let word = text[..end].to_string();
        return ((word != "?").then_some(word), &text[end..]);
    }
    let (mut word, mut escaped) = (String::new(), false);
    for (at, c) in text.char_indices().skip(1) {
        match (escaped, c) {
            (true, 'n') => word.push('\n'),
            (true, c) => word.push(c),
            (false, '\\') => {
                escaped = true;
                continue;
            }
            (false, '\'') => return (Some(word), &text[at + 1..]),
            (false, c) => word.push(c),
        }
        escaped = false;
    }
    panic!("a quote is not closed: {text}");
}

fn list(mut text: &str) -> Vec<Option<String>> {
    let mut words = Vec::new();
    loop {
        let (word, rest) = take(text);
        words.push(word);
        match rest.strip_prefix(',') {
            Some(next) => text = next,
            None => {
                assert!(rest.is_empty(), "{rest}");
                return words;
            }
        }
    }
}

#[test]
fn holds_what_the_csv_holds() {
    let people = "age,town,zip,score,the label\n\
        21,Oslo,02138,1.5,it's fine\n23,Rio de Janeiro,02139,-2,100% sure\n25,\"Rome, Italy\",10001,,\"a \"\"quoted\"\" word\"\n\
        27,Oslo,10002,3e2,it's fine\n61,{odd},10003,4,?\n63,back\\slash,02138,5,100% sure\n65,Oslo,02138,6,\n67,Oslo,02138,7,it's fine\n";
    let folder = Folder::with(&[("policy.toml", POLICY), ("people.csv", people)]);
    folder.run(&["run", "policy.toml"]).expect(0);
    let json = folder.json(&[
        "run",
        "policy.toml",
        "--set",
        "output.path=\"release.arff\"",
        "--json",
    ]);
    assert_eq!(json["audit"]["holds"], true);
    assert_eq!(
        folder.names(),
        ["people.csv", "policy.toml", "release.arff", "release.csv"]
    );

    let csv = folder.table("release.csv");
    let arff = folder.read("release.arff");
    let (head, data) = arff.split_once("\n@data\n").unwrap();
    assert!(head.starts_with("@relation release\n"));
    let attributes: Vec<(String, &str)> = head
        .lines()
        .filter_map(|line| line.strip_prefix("@attribute "))
        .map(|line| {
            let (name, kind) = take(line);
            (name.unwrap(), kind.trim())
        })
        .collect();
    let names: Vec<&str> = attributes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, csv.names);
    let rows: Vec<Vec<String>> = data
        .lines()
        .map(|line| {
            list(line)
                .into_iter()
                .map(Option::unwrap_or_default)
                .collect()
        })
        .collect();
    assert_eq!(rows, csv.rows);
    for (place, (name, kind)) in attributes.iter().enumerate() {
        let held = || {
            csv.rows
                .iter()
                .map(|row| row[place].clone())
                .filter(|cell| !cell.is_empty())
        };
        match name.as_str() {
            "score" => assert_eq!(*kind, "numeric"),
            _ => {
                let inside = kind
                    .strip_prefix('{')
                    .and_then(|k| k.strip_suffix('}'))
                    .unwrap();
                let declared: Vec<String> = list(inside).into_iter().flatten().collect();
                assert!(
                    held().all(|cell| declared.contains(&cell)),
                    "{name}: {kind}"
                );
            }
        }
    }
    folder.refuses(
        2,
        &["check", "release.arff", "--qi", "age", "--k", "2"],
        &["release.arff", "not read from ARFF"],
    );
}
