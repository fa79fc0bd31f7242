//! Reading: packed files, patterns and folders.

use serde_json::json;

use super::*;

/// CSV as JSON lines, every cell a text.
fn objects(text: &str) -> String {
    let table = common::Table::parse(text, ',');
    let object = |row: &Vec<String>| {
        let cells = table
            .names
            .iter()
            .cloned()
            .zip(row.iter().map(|cell| json!(cell)));
        let object: serde_json::Map<_, _> = cells.collect();
        format!("{}\n", serde_json::Value::Object(object))
    };
    table.rows.iter().map(object).collect()
}

#[test]
fn the_same_release_from_whatever_holds_the_rows() {
    let desk = desk_in_parts(600);
    let expected = release_of(&desk, "people.csv");
    let text = desk.read("people.csv");
    let [one, two] = halves(&desk);
    desk.write("people.csv.gz", gzip(&text));
    // Several members are one file.
    let (start, end) = text.split_at(text.len() / 3);
    desk.write("members.csv.gz", [gzip(start), gzip(end)].concat());
    desk.write("people.csv.zst", zstd(&text));
    // What it is packed by is told by its bytes, not by its name.
    desk.write("plain-name.csv", zstd(&text));
    desk.write("packed/a.csv.gz", gzip(&one));
    desk.write("packed/b.csv.gz", gzip(&two));
    desk.write("packed/_SUCCESS", "");
    desk.write("packed/.a.csv.gz.crc", "x");
    desk.write("deep/2024/a.csv", &one);
    desk.write("deep/2025/b.csv", &two);
    // Neither order nor the end of the last line matter.
    desk.write("other/1.csv", &two);
    desk.write("other/2.csv", one.trim_end());
    for input in [
        "people.csv.gz",
        "members.csv.gz",
        "people.csv.zst",
        "plain-name.csv",
        "in",
        "in/",
        "in/part-*.csv",
        "in/part-[0-9].csv",
        "i?/*",
        "packed",
        "deep/*/*.csv",
        "other",
    ] {
        assert!(release_of(&desk, input) == expected, "from {input}");
    }

    // JSON lines give a release of the same rows; of the packed and the cut alike.
    desk.write("people.jsonl", objects(&text));
    let expected = release_of(&desk, "people.jsonl");
    desk.write("people.jsonl.gz", gzip(objects(&text)));
    desk.write("people.jsonl.zst", zstd(objects(&text)));
    desk.write("lines/1.jsonl", objects(&one).trim_end());
    desk.write("lines/2.jsonl", objects(&two));
    for input in ["people.jsonl.gz", "people.jsonl.zst", "lines"] {
        assert!(release_of(&desk, input) == expected, "from {input}");
    }
}

/// A number in one part and a fraction in another make a column of numbers, as they would in one file.
#[test]
fn parts_of_json_lines_are_typed_as_one_file() {
    let lines = [
        "{\"a\":1}\n{\"a\":1}\n",
        "{\"a\":1.5}\n{\"a\":1.5,\"b\":\"x\"}\n",
    ];
    let folder = Folder::with(&[("whole.jsonl", &lines.concat())]);
    folder.write("in/1.jsonl", lines[0]);
    folder.write("in/2.jsonl", lines[1]);
    let check = |data: &str| folder.json(&["check", data, "--qi", "a", "--k", "2", "--json"]);
    assert_eq!(check("in"), check("whole.jsonl"));
    assert_eq!(check("in")["classes"], 2);
}

const NUMBERS: &str = r#"version = 1
input = { path = "numbers" }
output = { path = "release.csv" }
[columns]
salary = { role = "identifier" }
commission = { role = "identifier" }
age = { role = "quasi-identifier" }
elevel = { role = "quasi-identifier" }
car = { role = "other" }
zipcode = { role = "quasi-identifier" }
hvalue = { role = "identifier" }
hyears = { role = "other" }
loan = { role = "identifier" }
group = { role = "target" }
[privacy]
k = 5
[search]
algorithm = "mondrian"
"#;

#[test]
fn parquet_and_arrow_in_parts() {
    let desk = Folder::with(&[("policy.toml", NUMBERS)]);
    for format in ["csv", "parquet", "arrow"] {
        std::fs::create_dir(desk.path(format)).unwrap();
        for seed in ["1", "2", "3"] {
            let output = format!("{format}/{seed}.{format}");
            let make = ["generate", "agrawal", "--rows", "400", "--function", "2"];
            desk.run(&[&make[..], &["--seed", seed, "-o", &output]].concat())
                .expect(0);
        }
    }
    // Texts sort otherwise than numbers do, so only the rows are the same.
    let rows_of = |input: &str| {
        release_of(&desk, input);
        desk.table("release.csv").multiset()
    };
    let expected = rows_of("csv");
    assert_eq!(expected.len(), 1200);
    for input in ["parquet", "parquet/[1-3].parquet", "arrow", "arrow/*"] {
        assert!(rows_of(input) == expected, "from {input}");
    }
    // Another type in one part, columns of another order, and a file that is none.
    let run = |input: &'static str| ["run", "policy.toml", "--set", input];
    let make = [
        "generate",
        "agrawal",
        "--rows",
        "9",
        "--function",
        "2",
        "--seed",
        "9",
    ];
    desk.run(&[&make[..], &["-o", "parquet/4.csv"]].concat())
        .expect(0);
    desk.refuses(2, &run("input.path=parquet"), &["4.csv", "another format"]);
    std::fs::remove_file(desk.path("parquet/4.csv")).unwrap();
    let clinic = [
        "generate",
        "clinic",
        "--rows",
        "9",
        "-o",
        "parquet/4.parquet",
    ];
    desk.run(&clinic).expect(0);
    desk.refuses(
        2,
        &run("input.path=parquet"),
        &["4.parquet", "1.parquet", "column 1"],
    );
    desk.write("parquet/4.parquet", b"no Parquet at all");
    desk.refuses(2, &run("input.path=parquet"), &["4.parquet", "Parquet"]);
    // A page in the middle that is not what it was: found only when it is read.
    let mut bytes = desk.bytes("parquet/2.parquet");
    let middle = bytes.len() / 3;
    bytes[middle..middle + 400].fill(0xaa);
    desk.write("parquet/4.parquet", bytes);
    desk.refuses(2, &run("input.path=parquet"), &["4.parquet", "Parquet"]);
}

#[test]
fn every_command_reads_them() {
    let desk = desk_in_parts(600);
    desk.edit("policy.toml", "people.csv", "in/part-*.csv");
    desk.run(&["run", "policy.toml"]).expect(0);
    let of_one = |arguments: &[&str]| {
        let mut found = desk.json(arguments);
        found.as_object_mut().unwrap().remove("seconds");
        found
    };
    let check = |data: &str| of_one(&["check", data, "--qi", "age,sex", "--k", "1", "--json"]);
    assert_eq!(check("in"), check("people.csv"));

    desk.run(&["apply", "recoding.json", "in", "-o", "applied.csv"])
        .expect(0);
    assert_eq!(desk.bytes("applied.csv"), desk.bytes("release.csv"));

    desk.run(&["init", "in", "-o", "folder.toml"]).expect(0);
    desk.run(&["init", "in/p*.csv", "-o", "pattern.toml"])
        .expect(0);
    assert!(desk.read("folder.toml").contains("path = \"in\""));
    assert!(desk.read("folder.toml").contains("\"in-release.csv\""));
    assert!(desk.read("pattern.toml").contains("path = \"in/p*.csv\""));
    assert!(desk.read("pattern.toml").contains("\"p-release.csv\""));
    desk.write("people.csv.gz", gzip(desk.read("people.csv")));
    desk.run(&["init", "people.csv.gz", "-o", "packed.toml"])
        .expect(0);
    assert!(
        desk.read("packed.toml")
            .contains("\"people-release.csv.gz\"")
    );
    desk.run(&["run", "packed.toml"]).expect(0);

    let grid = |input: &str| {
        let set = format!("input.path={input}");
        let found = desk.json(&[
            "compare",
            "policy.toml",
            "--k",
            "2,5",
            "--set",
            &set,
            "--json",
        ]);
        let points = found["candidates"].as_array().unwrap().clone();
        points
            .into_iter()
            .map(|point| point["measured"]["average_risk"].as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(grid("in"), grid("people.csv"));

    let score = |input: &str| {
        let set = format!("input.path={input}");
        let arguments = [
            "evaluate",
            "policy.toml",
            "--folds",
            "3",
            "--model",
            "linear",
            "--json",
            "--set",
        ];
        of_one(&[&arguments[..], &[&set]].concat())["results"].clone()
    };
    assert!(score("in").is_array());
    assert_eq!(score("in"), score("people.csv"));
}

#[test]
fn a_part_of_another_shape_is_named() {
    let desk = desk_in_parts(60);
    let set = ["run", "policy.toml", "--set", "input.path=in"];
    let [_, two] = halves(&desk);
    let refuses = |part: &[u8], words: &[&str]| {
        desk.write("in/part-2.csv", part);
        desk.refuses(2, &set, words);
    };
    let renamed = two.replace("age,zip", "zip,age");
    refuses(
        renamed.as_bytes(),
        &["part-2.csv", "column 2", "`zip`", "`age`"],
    );
    let short = two.replace(",visit\n", "\n");
    refuses(short.as_bytes(), &["part-2.csv", "6 columns", "7"]);
    refuses(&gzip(&two), &["part-2.csv", "part-1.csv", "gzip"]);
    refuses(b"", &["part-2.csv", "empty"]);
    // The third line of the part, not of the table.
    let mut lines: Vec<&str> = two.lines().collect();
    lines[2] = "one,two";
    refuses(
        lines.join("\n").as_bytes(),
        &["part-2.csv", "line 3", "2 cells"],
    );
    let mut latin = two.clone().into_bytes();
    latin[60] = 0xff;
    refuses(&latin, &["part-2.csv", "UTF-8"]);
    desk.edit("policy.toml", "age = {", "age = { type = \"integer\",");
    let mut lines: Vec<String> = two.lines().map(str::to_string).collect();
    let age = lines[4].split(',').nth(1).unwrap().to_string();
    lines[4] = lines[4].replacen(&format!(",{age},"), ",young,", 1);
    refuses(
        lines.join("\n").as_bytes(),
        &["part-2.csv", "row 4", "`age`"],
    );

    std::fs::remove_file(desk.path("in/part-2.csv")).unwrap();
    desk.write("in/part-2.jsonl", "{}\n");
    desk.refuses(2, &set, &["part-2.jsonl", "another format"]);
    std::fs::remove_file(desk.path("in/part-2.jsonl")).unwrap();
    desk.write("in/year/part.csv", &two);
    desk.refuses(2, &set, &["in/year", "folder", "pattern"]);
    desk.refuses(
        2,
        &["check", "nothing-*.csv", "--qi", "age"],
        &["nothing-*.csv", "no file"],
    );
    desk.write("none/.hidden", "");
    desk.refuses(2, &["check", "none", "--qi", "age"], &["none", "no files"]);
}

#[test]
fn what_is_packed_badly_is_named() {
    let desk = desk_in_parts(6000);
    let [one, two] = halves(&desk);
    for (ending, pack) in [("gz", gzip as fn(String) -> Vec<u8>), ("zst", zstd)] {
        let (first, second) = (
            format!("{ending}/a.csv.{ending}"),
            format!("{ending}/b.csv.{ending}"),
        );
        desk.write(&first, pack(one.clone()));
        let packed = pack(two.clone());
        let set = format!("input.path={ending}");
        let run = ["run", "policy.toml", "--set", &set];
        let name = format!("b.csv.{ending}");
        let words = [name.as_str(), "cannot be unpacked", "damaged or cut short"];
        // Cut short, and with a byte turned.
        desk.write(&second, &packed[..packed.len() - 100]);
        desk.refuses(2, &run, &words);
        let mut turned = packed.clone();
        let middle = turned.len() / 2;
        turned[middle..middle + 40].fill(0x55);
        desk.write(&second, turned);
        desk.refuses(2, &run, &[name.as_str()]);
    }
    desk.run(&[
        "generate",
        "agrawal",
        "--rows",
        "50",
        "--function",
        "1",
        "-o",
        "t.parquet",
    ])
    .expect(0);
    desk.write("t2.parquet", gzip(desk.bytes("t.parquet")));
    desk.refuses(
        2,
        &["check", "t2.parquet", "--qi", "age"],
        &["t2.parquet", "gzip", "unpack"],
    );
    desk.refuses(
        2,
        &[
            "generate",
            "agrawal",
            "--rows",
            "9",
            "--function",
            "1",
            "-o",
            "t.csv.gz",
        ],
        &["t.csv.gz", "ending"],
    );
}

/// What comes out must not be what goes in the next time.
#[test]
fn outputs_do_not_join_the_input() {
    let desk = desk_in_parts(60);
    let run = |input: &str, output: &str| {
        let settings = [
            format!("input.path={input}"),
            format!("output.path={output}"),
        ];
        let run = [
            "run",
            "policy.toml",
            "--set",
            &settings[0],
            "--set",
            &settings[1],
        ];
        desk.refuses(2, &run, &[output, "parts of the input"]);
    };
    run("in", "in/release.csv");
    run("in/*.csv", "in/release.csv");
    desk.refuses(
        2,
        &["init", "in", "-o", "in/policy.toml"],
        &["parts of the data"],
    );
    let run = [
        "run",
        "policy.toml",
        "--set",
        "input.path=in",
        "--set",
        "output.path=in/part-1.csv",
    ];
    desk.refuses(2, &run, &["part-1.csv", "input"]);
}
