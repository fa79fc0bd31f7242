//! The report: what stands in it, that it needs nothing else, that the public one tells nothing beyond the
//! release, and that `coarsen report` makes the same of a finished run.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;

use common::{Folder, Table, data, of_repository, people};

/// A report is asked for, of a release with diversity and selections.
const CHANGES: [(&str, &str); 3] = [
    (
        "recoding = \"recoding.json\"",
        "recoding = \"recoding.json\", report = \"report.html\"",
    ),
    (
        "k = 5\n",
        "k = 5\ndiversity = [{ column = \"illness\", distinct = 2 }]\n",
    ),
    (
        "algorithm = \"datafly\"\n",
        "algorithm = \"datafly\"\n\n[workload]\nselections = [\"age > 40 and sex = 'M'\", \"age < 30\"]\n",
    ),
];

fn desk() -> Folder {
    common::desk::desk(400, &CHANGES)
}

/// The words of a page, tags and their attributes left out.
fn words(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => {
                inside = true;
                text.push(' ');
            }
            '>' => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text
}

#[test]
fn it_stands_beside_the_release_and_says_everything_in_order() {
    let desk = desk();
    let made = desk.json(&["run", "policy.toml", "--json"]);
    assert!(made["report"].as_str().unwrap().ends_with("report.html"));
    assert!(
        made["manifest"]
            .as_str()
            .unwrap()
            .ends_with("manifest.json")
    );
    assert_eq!(made["warnings"].as_array().unwrap().len(), 0);
    let html = desk.read("report.html");
    let places: Vec<usize> = [
        "Data and roles",
        "Threat",
        "Method",
        "Thresholds",
        "Result",
        "Residual risk",
        "Utility",
    ]
    .iter()
    .enumerate()
    .map(|(i, name)| html.find(&format!("{}. {name}</h2>", i + 1)).unwrap())
    .collect();
    assert!(places.is_sorted());

    let text = words(&html);
    let number = |key: &str| made[key].as_u64().unwrap();
    for said in [
        "Holds:",
        "5-anonymity",
        "unique rows",
        "rows at risk",
        "expected hits (marketer)",
        "missing value is a value of its own",
        "sorted by what is released",
        "datafly",
        "age &gt; 40 and sex = 'M'",
        "What can still be learned",
        "salary (weight 1)",
        "error of a model",
        "Cramér's V",
        "Suppression",
        "SHA-256",
    ] {
        assert!(text.contains(said), "no `{said}`");
    }
    assert!(text.contains(&format!("{} of 400", number("suppressed_rows"))));
    for name in ["age", "zip", "sex", "illness", "salary"] {
        assert!(
            html.contains(&format!("<title>{name}</title>")),
            "no chart of {name}"
        );
    }
    // The explanation of each column stands beside it.
    for reason in made["explanation"]["columns"].as_array().unwrap() {
        let told = reason["text"].as_str().unwrap().replace('&', "&amp;");
        assert!(html.contains(&told), "{told}");
    }
}

#[test]
fn it_needs_no_script_and_no_network() {
    let desk = desk();
    desk.run(&["run", "policy.toml"]).expect(0);
    let html = desk.read("report.html");
    for bad in [
        "<script", "http://", "https://", "src=", "<link", "@import", "url(",
    ] {
        assert!(!html.contains(bad), "{bad}");
    }
    assert!(html.contains("default-src 'none'"));
    assert!(html.contains("prefers-color-scheme:dark") && html.contains("@media print"));
}

#[test]
fn names_and_cells_cannot_bring_markup_along() {
    let nasty = "<img src=x onerror=alert(1)>";
    let desk = desk();
    let table = people(400).replace(",sex,", &format!(",{nasty},"));
    let table = table
        .replace("asthma", "<b>asthma</b>")
        .replace(",F,", ",<i>F</i>,");
    desk.write("people.csv", table);
    desk.edit(
        "policy.toml",
        "sex = { role",
        &format!("{nasty:?} = {{ role"),
    );
    desk.edit(
        "policy.toml",
        "selections = [\"age > 40 and sex = 'M'\", \"age < 30\"]",
        "",
    );
    for kind in ["internal", "public"] {
        let set = format!("output.report_kind={kind}");
        desk.run(&["run", "policy.toml", "--set", &set]).expect(0);
        let html = desk.read("report.html");
        assert!(!html.contains("<img") && !html.contains("<b>") && !html.contains("<i>"));
        assert!(html.contains("&lt;img src=x onerror=alert(1)&gt;"));
    }
}

/// A table in which one person stands out by everything: a rare place, a rare illness, a name.
fn with_a_hermit() -> Folder {
    let desk = desk();
    let mut table = people(400);
    table.push_str("Hermit-Zebulon,91,99999,M,leprosy,777777,v-hermit\n");
    desk.write("people.csv", table);
    desk.edit("policy.toml", "k = 5", "k = 5\n");
    desk
}

#[test]
fn a_public_report_tells_nothing_beyond_the_release() {
    let desk = with_a_hermit();
    let made = desk.json(&[
        "run",
        "policy.toml",
        "--json",
        "--set",
        "output.report_kind=public",
    ]);
    let release = desk.read("release.csv");
    let hidden = [
        "Hermit",
        "Zebulon",
        "99999",
        "leprosy",
        "777777",
        "v-hermit",
        "people.csv",
        "policy.toml",
        "Person-",
        "age &gt; 40",
        "datafly",
    ];
    for word in &hidden[..6] {
        assert!(
            !release.contains(word),
            "the test is about what is not released: {word}"
        );
    }
    let suppressed = made["suppressed_rows"].as_u64().unwrap();
    assert!(suppressed > 0);
    for file in ["report.html", "manifest.json"] {
        let text = desk.read(file);
        for word in hidden {
            assert!(!text.contains(word), "{file} tells `{word}`");
        }
        // The dropped identifier's column, the rows that are no longer there, the input's size.
        let text = words(&text);
        let tokens: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let size = desk.bytes("people.csv").len().to_string();
        for token in ["name", "401", &size] {
            let is_key = file == "manifest.json" && token == "name";
            assert!(is_key || !tokens.contains(token), "{file} tells `{token}`");
        }
    }
    assert!(!desk.read("manifest.json").contains("suppressed"));
    // The internal one does tell of the input.
    desk.run(&["run", "policy.toml"]).expect(0);
    let internal = desk.read("report.html");
    assert!(internal.contains("people.csv") && internal.contains(">401<"));
}

#[test]
fn a_public_report_follows_from_the_release_and_the_thresholds_alone() {
    // The same release from another input: what was suppressed differs, and so do dropped columns.
    let desk = with_a_hermit();
    let public = ["run", "policy.toml", "--set", "output.report_kind=public"];
    desk.run(&public).expect(0);
    let (release, report) = (desk.bytes("release.csv"), desk.bytes("report.html"));
    let manifest = desk.bytes("manifest.json");
    let table = desk.read("people.csv");
    let table = table.replace(
        "Hermit-Zebulon,91,99999,M,leprosy,777777",
        "Hermit-Other,90,99998,M,plague,666666",
    );
    desk.write("people.csv", table.replace("Person-", "Nobody-"));
    desk.run(&public).expect(0);
    assert!(
        desk.bytes("release.csv") == release,
        "the test needs the same release"
    );
    assert!(desk.bytes("report.html") == report);
    assert!(desk.bytes("manifest.json") == manifest);
}

#[test]
fn figures_are_those_of_the_file() {
    let desk = desk();
    desk.run(&["run", "policy.toml"]).expect(0);
    let html = desk.read("report.html");
    let figures = |name: &str| -> Vec<String> {
        let rest = html
            .split(&format!("<summary>{name}</summary>"))
            .nth(1)
            .unwrap();
        let row = rest.split("</tr>").next().unwrap();
        let cells = row.split("<td").skip(1);
        cells
            .map(|cell| words(&format!("<td{cell}")).trim().to_string())
            .collect()
    };
    let quasi = ["age", "zip", "sex"];
    let (before, after) = (desk.table("people.csv"), desk.table("release.csv"));
    let of = |table: &Table| {
        let classes = table.classes(&quasi);
        let sizes: Vec<usize> = classes.values().map(Vec::len).collect();
        let uniques = sizes.iter().filter(|size| **size == 1).count();
        (
            sizes.iter().min().unwrap().to_string(),
            uniques.to_string(),
            sizes.len().to_string(),
        )
    };
    let (was, is) = (of(&before), of(&after));
    assert_eq!(figures("smallest class (k)"), [was.0, is.0]);
    assert_eq!(figures("unique rows"), [was.1, is.1]);
    assert_eq!(figures("classes"), [was.2, is.2]);
    let rows = |table: &Table| table.rows.len().to_string();
    assert_eq!(figures("rows"), [rows(&before), rows(&after)]);
    let fewest = |table: &Table| {
        let tallies = table.tallies(&quasi, "illness");
        tallies
            .iter()
            .map(|tally| tally.len())
            .min()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        figures("illness: distinct values (l)"),
        [fewest(&before), fewest(&after)]
    );
    // What a selection asks for, counted by hand.
    let wanted = before
        .rows
        .iter()
        .filter(|row| {
            let age: u32 = row[before.place("age")].parse().unwrap();
            age > 40 && row[before.place("sex")] == "M"
        })
        .count();
    let line = html.split("age &gt; 40 and sex = 'M'").nth(1).unwrap();
    assert!(words(line).trim_start().starts_with(&wanted.to_string()));
}

#[test]
fn a_finished_run_is_reported_without_a_search() {
    let desk = desk();
    desk.run(&["run", "policy.toml"]).expect(0);
    let (report, manifest) = (desk.bytes("report.html"), desk.bytes("manifest.json"));
    let release = desk.bytes("release.csv");
    std::fs::remove_file(desk.path("report.html")).unwrap();
    // The manifest of the run still says how the recoding was found.
    desk.run(&["report", "policy.toml"]).expect(0);
    assert!(desk.bytes("report.html") == report, "the same report");
    assert!(desk.bytes("manifest.json") == manifest, "the same manifest");
    assert!(
        desk.bytes("release.csv") == release,
        "the release is not touched"
    );

    // A public one beside it, with a manifest of its own.
    let made = desk.json(&[
        "report",
        "policy.toml",
        "--kind",
        "public",
        "-o",
        "public.html",
        "--json",
    ]);
    assert_eq!(made["kind"], "public");
    assert!(desk.bytes("manifest.json") == manifest);
    let public = desk.bytes("public.html");
    desk.run(&["check", "release.csv", "--manifest", "public-manifest.json"])
        .expect(0);
    desk.run(&["run", "policy.toml", "--set", "output.report_kind=public"])
        .expect(0);
    assert!(
        desk.bytes("report.html") == public,
        "as the run itself would have written"
    );
}

#[test]
fn another_file_in_the_releases_place_is_refused() {
    let desk = desk();
    desk.run(&["run", "policy.toml"]).expect(0);
    let text = desk.read("release.csv");
    let shorter: Vec<&str> = text.lines().take(300).collect();
    desk.write("release.csv", shorter.join("\n") + "\n");
    let done = desk
        .run(&["report", "policy.toml", "-o", "again.html"])
        .expect(1);
    assert!(
        done.stderr.contains("not what the recoding makes"),
        "{}",
        done.stderr
    );
    assert!(!desk.path("again.html").exists());
    desk.edit("policy.toml", "recoding = \"recoding.json\", ", "");
    desk.refuses(2, &["report", "policy.toml"], &["output.recoding"]);
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_of_a_failed_run() {
    let desk = desk();
    desk.refuses(
        2,
        &["run", "policy.toml", "--set", "output.report=people.csv"],
        &["people.csv"],
    );
    desk.refuses(
        2,
        &["run", "policy.toml", "--set", "output.report=policy.toml"],
        &["policy"],
    );
    desk.refuses(
        2,
        &["run", "policy.toml", "--set", "output.manifest=people.csv"],
        &["people.csv"],
    );
    desk.refuses(
        2,
        &[
            "run",
            "policy.toml",
            "--set",
            "output.report=no/such/report.html",
        ],
        &["folder"],
    );
    desk.refuses(
        2,
        &["run", "policy.toml", "--set", "privacy.k=5000"],
        &["privacy.k"],
    );
    assert_eq!(desk.names(), ["people.csv", "policy.toml"]);
}

#[test]
fn the_same_bytes_again_and_on_one_thread() {
    let desk = desk();
    desk.run(&["run", "policy.toml"]).expect(0);
    let (report, manifest) = (desk.bytes("report.html"), desk.bytes("manifest.json"));
    desk.run(&["run", "policy.toml", "--threads", "1"])
        .expect(0);
    assert!(desk.bytes("report.html") == report);
    assert!(desk.bytes("manifest.json") == manifest);
}

#[test]
fn every_algorithm_has_its_report() {
    let desk = desk();
    let listed = desk.json(&["list", "algorithms", "--json"]);
    let names: BTreeSet<&str> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["name"].as_str().unwrap())
        .collect();
    assert!(names.len() > 4);
    for name in names {
        let set = format!("search.algorithm={name}");
        let done = desk.run(&["run", "policy.toml", "--set", &set, "--budget", "2s"]);
        match done.status {
            0 => assert!(desk.read("report.html").contains("Residual risk")),
            1 | 2 => {}
            other => panic!("{name}: {other}\n{}", done.stderr),
        }
    }
}

#[test]
fn a_table_searched_in_passes_has_a_report_without_figures_before() {
    let desk = desk();
    let made = desk.json(&[
        "run",
        "policy.toml",
        "--json",
        "--set",
        "search.algorithm=mondrian",
        "--set",
        "engine.passes=true",
    ]);
    let html = desk.read("report.html");
    assert!(html.contains("searched in passes"));
    // One column of figures: nobody counted the input's combinations.
    let row = html.split("<summary>unique rows</summary>").nth(1).unwrap();
    assert_eq!(row.split("</tr>").next().unwrap().matches("<td").count(), 1);
    // What a selection asks for was counted on the way.
    assert!(words(&html).contains("rows returned"));
    assert_eq!(made["audit"]["holds"], true);
    desk.run(&["check", "release.csv", "--manifest", "manifest.json"])
        .expect(0);
}

#[test]
fn the_clinic() {
    let clinic = of_repository("examples/clinic");
    let desk = Folder::new();
    for file in ["patients.csv", "diagnosis.csv", "policy.toml"] {
        desk.write(file, std::fs::read(clinic.join(file)).unwrap());
    }
    desk.run(&["run", "policy.toml", "--set", "output.report=report.html"])
        .expect(0);
    let html = desk.read("report.html");
    // Dates have a distribution along the years.
    assert!(html.contains("<title>birth_date</title>") && html.contains(">1960<"));
    desk.run(&["check", "release.csv", "--manifest", "manifest.json"])
        .expect(0);
}

#[test]
fn adult_is_small_enough_to_send() {
    let Some(folder) = data() else { return };
    let adult = folder.join("adult");
    let mut policy = format!(
        "version = 1\ninput = {{ path = {:?} }}\noutput = {{ path = \"release.csv\", report = \"report.html\" }}\n[columns]\nage = {{ role = \"quasi-identifier\", hierarchy = {{ intervals = [5, 10, 20] }} }}\n",
        adult.join("train.csv")
    );
    for name in [
        "workclass",
        "education",
        "marital-status",
        "occupation",
        "race",
        "sex",
        "native-country",
    ] {
        let file = adult.join(format!("adult_hierarchy_{name}.csv"));
        policy += &format!(
            "{name} = {{ role = \"quasi-identifier\", hierarchy = {{ file = {file:?} }} }}\n"
        );
    }
    for name in [
        "fnlwgt",
        "education-num",
        "relationship",
        "capital-gain",
        "capital-loss",
        "hours-per-week",
    ] {
        policy += &format!("{name} = {{ role = \"other\" }}\n");
    }
    policy +=
        "salary-class = { role = \"target\" }\n[privacy]\nk = 5\n[suppression]\nlimit = 0.05\n";
    let desk = Folder::with(&[("policy.toml", &policy)]);
    // Regions have thousands of blocks, levels have few: both stay small.
    for algorithm in ["mondrian", "datafly"] {
        let set = format!("search.algorithm={algorithm}");
        desk.run(&["run", "policy.toml", "--set", &set]).expect(0);
        let size = desk.bytes("report.html").len();
        assert!(size < 1_500_000, "{algorithm}: {size} bytes");
        // A tree's error before, after, and where nothing is known: a quarter earns more.
        let html = desk.read("report.html");
        let row = html.split("error of a model</summary>").nth(1).unwrap();
        let row = words(
            row.split("<tr>")
                .nth(1)
                .unwrap()
                .split("</tr>")
                .next()
                .unwrap(),
        );
        let errors: Vec<f64> = row
            .split_whitespace()
            .filter_map(|word| word.trim_end_matches('%').parse().ok())
            .collect();
        let [before, after, nothing] = errors[..] else {
            panic!("{row}");
        };
        assert!((16.5..18.5).contains(&before), "{row}");
        assert!(
            before - 1.0 < after && after < 21.0 && (24.0..25.5).contains(&nothing),
            "{row}"
        );
    }
}
