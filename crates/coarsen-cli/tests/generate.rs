//! `coarsen generate` through the binary: what is written, in which formats, and the same bytes again.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, of_repository};

const AGRAWAL: [&str; 9] = [
    "salary",
    "commission",
    "age",
    "elevel",
    "car",
    "zipcode",
    "hvalue",
    "hyears",
    "loan",
];

#[test]
fn agrawal_has_nine_attributes_and_a_label() {
    let folder = Folder::new();
    let done = folder
        .run(&[
            "generate",
            "agrawal",
            "--rows",
            "1000",
            "--function",
            "1",
            "-o",
            "a.csv",
        ])
        .expect(0);
    assert!(done.stdout.contains("1,000 rows"), "{}", done.stdout);
    assert!(
        done.stdout
            .contains("group is A where age < 40 or age >= 60"),
        "{}",
        done.stdout
    );
    assert_eq!(done.stderr, "", "no bar without a terminal");
    let table = folder.table("a.csv");
    assert_eq!(table.names, [&AGRAWAL[..], &["group"]].concat());
    assert_eq!(table.rows.len(), 1000);
    for row in &table.rows {
        let age: u32 = row[2].parse().unwrap();
        assert_eq!(row[9], if !(40..60).contains(&age) { "A" } else { "B" });
        let (salary, commission): (f64, f64) = (row[0].parse().unwrap(), row[1].parse().unwrap());
        assert!((20e3..=150e3).contains(&salary));
        assert_eq!(commission == 0.0, salary >= 75e3, "{row:?}");
        // The shortest form, with a decimal point and at most two decimals.
        let (_, cents) = row[0].split_once('.').unwrap();
        assert!((1..=2).contains(&cents.len()), "{}", row[0]);
    }
}

#[test]
fn several_functions_have_columns_of_their_own() {
    let folder = Folder::new();
    let told = folder.json(&[
        "generate",
        "agrawal",
        "--rows",
        "10",
        "--function",
        "2,7",
        "--seed",
        "5",
        "-o",
        "a.tsv",
        "--json",
    ]);
    assert_eq!((&told["rows"], &told["seed"]), (&10.into(), &5.into()));
    assert_eq!(told["columns"][10], "group_7");
    assert_eq!(told["labels"][0]["column"], "group_2");
    let table = common::Table::parse(&folder.read("a.tsv"), '\t');
    assert_eq!(table.names[9..], ["group_2", "group_7"]);
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::new();
    // More rows than one part, and not a whole number of parts.
    let make = |name: &str, more: &[&str]| {
        let rest = ["generate", "agrawal", "--rows", "200001", "-o", name];
        folder.run(&[&rest[..], more].concat()).expect(0);
        folder.bytes(name)
    };
    for format in ["csv", "parquet", "jsonl", "arrow"] {
        let one = make(&format!("one.{format}"), &["--threads", "1"]);
        let three = make(&format!("three.{format}"), &["--threads", "3"]);
        assert!(one == three, "{format} differs by threads");
    }
    let lines = |bytes: &[u8]| bytes.iter().filter(|b| **b == b'\n').count();
    let first = folder.bytes("one.csv");
    assert_eq!(
        (lines(&first), lines(&folder.bytes("one.jsonl"))),
        (200_002, 200_001)
    );
    assert!(
        first != make("other.csv", &["--seed", "2"]),
        "another seed, another table"
    );
    let noisy = make("noisy.csv", &["--noise", "0.05"]);
    assert!(first != noisy && lines(&noisy) == lines(&first));
    let drawn = make("drawn.csv", &["--random-constants"]);
    let less_label = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        text.lines()
            .map(|line| line.rsplit_once(',').unwrap().0.to_string())
            .collect()
    };
    assert!(
        first != drawn && less_label(&first) == less_label(&drawn),
        "only labels differ"
    );
}

#[test]
fn every_format_holds_the_same_rows() {
    let folder = Folder::new();
    let mut found = Vec::new();
    for format in ["csv", "parquet", "jsonl", "arrow"] {
        let file = format!("a.{format}");
        folder
            .run(&["generate", "agrawal", "--rows", "70000", "-o", &file])
            .expect(0);
        let qi = "age,elevel,car,zipcode,hyears,group";
        let checked = folder.json(&["check", &file, "--qi", qi, "--k", "1", "--json"]);
        assert_eq!(checked["rows"], 70_000, "{format}");
        found.push(checked["classes"].clone());
    }
    assert!(
        found.iter().all(|classes| *classes == found[0]),
        "{found:?}"
    );
}

#[test]
fn the_clinic_is_the_shipped_one() {
    let folder = Folder::new();
    let shipped = std::fs::read(of_repository("examples/clinic/patients.csv")).unwrap();
    folder
        .run(&["generate", "clinic", "--rows", "2000", "-o", "p.csv"])
        .expect(0);
    assert!(folder.bytes("p.csv") == shipped);
    for format in ["tsv", "parquet", "jsonl", "arrow"] {
        let file = format!("p.{format}");
        folder
            .run(&["generate", "clinic", "--rows", "2000", "-o", &file])
            .expect(0);
        let check = [
            "check",
            &file,
            "--qi",
            "zip,sex,insurance",
            "--k",
            "1",
            "--json",
        ];
        let mut csv = check;
        csv[1] = "p.csv";
        let (here, there) = (folder.json(&check), folder.json(&csv));
        assert_eq!(
            (&here["rows"], &here["classes"]),
            (&2000.into(), &there["classes"]),
            "{format}"
        );
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_is_written() {
    let folder = Folder::with(&[("a.csv", "mine\n")]);
    let agrawal = |more: &[&'static str]| {
        let rest = ["generate", "agrawal", "--rows", "10"];
        [&rest[..], more].concat()
    };
    folder.refuses(
        2,
        &agrawal(&["-o", "a.csv"]),
        &["a.csv", "exists already", "--force"],
    );
    folder.refuses(2, &agrawal(&["-o", "b.xls"]), &["b.xls", ".parquet"]);
    folder.refuses(2, &agrawal(&["-o", "no/b.csv"]), &["no such folder"]);
    folder.refuses(
        2,
        &agrawal(&["--function", "11", "-o", "b.csv"]),
        &["no label function 11"],
    );
    folder.refuses(
        2,
        &agrawal(&["--function", "2,2", "-o", "b.csv"]),
        &["listed twice"],
    );
    folder.refuses(2, &agrawal(&["--noise", "2", "-o", "b.csv"]), &["0 to 1"]);
    folder.refuses(
        2,
        &["generate", "agrawal", "--rows", "0", "-o", "b.csv"],
        &["--rows"],
    );
    folder.refuses(
        2,
        &["generate", "clinic", "--rows", "9", "-o", "a.csv"],
        &["exists already"],
    );
    folder.run(&agrawal(&["-o", "a.csv", "--force"])).expect(0);
    assert_eq!(folder.table("a.csv").rows.len(), 10);
    assert_eq!(folder.names(), ["a.csv"]);
}

#[test]
fn a_table_is_enlarged() {
    let policy = "version = 1\ninput = { path = \"small.csv\" }\noutput = { path = \"r.csv\" }\n[columns]\nname = { role = \"identifier\" }\ncolour = { role = \"quasi-identifier\", hierarchy = { tree = { warm = [\"red\", \"yellow\"], cold = [\"green\", \"blue\"] } } }\nsize = { role = \"quasi-identifier\", type = \"integer\" }\nclass = { role = \"target\" }\n[privacy]\nk = 2\n";
    let small = "name,colour,size,class\na,red,1,Y\nb,green,2,N\nc,red,3,N\n";
    let folder = Folder::with(&[("policy.toml", policy), ("small.csv", small)]);
    let arguments = [
        "generate",
        "enlarge",
        "policy.toml",
        "--scale",
        "40",
        "--novelty",
        "1",
        "-o",
    ];
    let json = folder.json(&[&arguments[..], &["large.csv", "--json"]].concat());
    assert_eq!(json["rows"], 120);
    let large = folder.table("large.csv");
    assert_eq!(large.names, ["colour", "size", "class"]);
    assert_eq!(large.rows.len(), 120);
    // The class is kept, one of the two others may be new, and leaves that the table lacks come up.
    assert_eq!(
        large
            .column("class")
            .iter()
            .filter(|class| **class == "Y")
            .count(),
        40
    );
    assert!(large.column("colour").contains(&"blue"));
    let originals = [["red", "1"], ["green", "2"], ["red", "3"]];
    for row in &large.rows {
        let differs = |original: &[&str; 2]| {
            (0..2)
                .filter(|place| row[*place] != original[*place])
                .count()
        };
        assert!(
            originals.iter().any(|original| differs(original) <= 1),
            "{row:?}"
        );
    }
    folder
        .run(&[&arguments[..], &["again.csv"]].concat())
        .expect(0);
    assert_eq!(folder.bytes("again.csv"), folder.bytes("large.csv"));
    folder
        .run(&[&arguments[..], &["large.parquet", "--seed", "2"]].concat())
        .expect(0);
    let novelty = [
        "generate",
        "enlarge",
        "policy.toml",
        "--novelty",
        "3",
        "-o",
        "x.csv",
    ];
    folder.refuses(2, &novelty, &["novelty factor is 3", "2 quasi-identifiers"]);
    folder.refuses(
        2,
        &[
            "generate",
            "enlarge",
            "policy.toml",
            "-o",
            "small.csv",
            "--force",
        ],
        &["overwritten"],
    );
}
