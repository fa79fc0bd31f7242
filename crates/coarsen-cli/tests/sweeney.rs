//! Seed 002's systems by the binary: MinGen by columns and by cells, Datafly and μ-Argus on Fig. 7.
#![allow(clippy::unwrap_used)]

mod common;

use common::sweeney::figure_7;
use common::{Folder, data};
use serde_json::json;

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn mingen_by_columns_and_by_cells() {
    let desk = figure_7();
    let whole = desk.json(&["run", "policy.toml", "--json"]);
    assert_eq!(whole["stop"], "optimal");
    assert_eq!(
        whole["bound"],
        json!(1.0 - whole["loss"]["prec"].as_f64().unwrap())
    );
    let cell = desk.json(&[
        "run",
        "policy.toml",
        "--json",
        "--set",
        "search.mingen.level=cell",
    ]);
    assert_eq!(
        (&cell["stop"], &cell["smallest_class"]),
        (&json!("optimal"), &json!(2))
    );
    let prec = |made: &serde_json::Value| made["loss"]["prec"].as_f64().unwrap();
    // 1 − 11/72: five pairs keep all but the day; t7 and t8 meet in a decade, without gender, in 0213*.
    assert!((prec(&cell) - 61.0 / 72.0).abs() < 1e-9);
    assert!(prec(&whole) < prec(&cell));
    let release = desk.read("release.csv");
    assert!(
        sorted(&release).contains(&"white,1960..1969,*,0213*,hypertension"),
        "{release}"
    );
}

#[test]
fn figure_10_datafly() {
    let desk = figure_7();
    let sets = ["search.algorithm=datafly", "suppression.limit=0.17"];
    let made = desk.json(&[
        "run",
        "policy.toml",
        "--json",
        "--set",
        sets[0],
        "--set",
        sets[1],
    ]);
    assert_eq!(
        (&made["rows_out"], &made["suppressed_rows"]),
        (&json!(10), &json!(2))
    );
    let release = desk.read("release.csv");
    assert!(
        !release.contains("hypertension") && release.contains("white,1967,male,02138,vomiting")
    );
    // A setting that it has, and one that it has not.
    let narrow = "search.datafly.eligible=[\"race\", \"gender\"]";
    desk.run(&["run", "policy.toml", "--set", sets[0], "--set", narrow])
        .expect(0);
    desk.refuses(
        2,
        &[
            "run",
            "policy.toml",
            "--set",
            sets[0],
            "--set",
            "search.datafly.wieghts=1",
        ],
        &["wieghts"],
    );
}

#[test]
fn figure_15_mu_argus_is_written_only_where_it_is_accepted() {
    let desk = figure_7();
    desk.edit("policy.toml", "algorithm = \"mingen\"", "algorithm = \"mu-argus\"\nmu-argus = { identifying = [\"race\"], more = [\"gender\", \"zip\"], most = [\"birth\"] }");
    let refused = desk.run(&["run", "policy.toml"]).expect(1);
    let said = format!("{refused:?}");
    for words in ["leaves 2 rows", "2 of them unique", "--accept-unproven"] {
        assert!(said.contains(words), "{said}");
    }
    assert!(!desk.names().contains(&"release.csv".to_string()));
    let done = desk
        .command(&["run", "policy.toml", "--accept-unproven"])
        .output()
        .unwrap();
    assert!(done.status.success());
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(text.lines().next().unwrap().contains("UNPROVEN"), "{text}");
    let release = desk.read("release.csv");
    let lines = sorted(&release);
    assert!(
        lines.contains(&"white,*,male,02138,short of breath"),
        "{release}"
    );
    assert!(lines.contains(&"white,*,*,02139,hypertension"), "{release}");
    // With two rows to suppress whole it protects, and is proven like any other.
    let made = desk.json(&[
        "run",
        "policy.toml",
        "--json",
        "--set",
        "suppression.limit=0.17",
    ]);
    assert_eq!(
        (&made["suppressed_rows"], &made["smallest_class"]),
        (&json!(2), &json!(2))
    );
}

#[test]
fn cells_that_send_equal_rows_different_ways_are_written() {
    // Five equal rows and an odd one: for k = 3 it takes two of the five with it.
    let policy = "version = 1
input = { path = \"in.csv\" }
output = { path = \"out.csv\" }
columns = { x = { role = \"quasi-identifier\" }, y = { role = \"quasi-identifier\" }, z = { role = \"other\" } }
privacy = { k = 3 }
suppression = { limit = 0.0 }
search = { algorithm = \"mingen\", loss = \"prec\", mingen = { level = \"cell\" } }
";
    let rows = "x,y,z\na,a,5\na,a,4\na,a,3\na,b,6\na,a,2\na,a,1\n";
    let desk = Folder::with(&[("in.csv", rows), ("policy.toml", policy)]);
    desk.run(&["run", "policy.toml"]).expect(0);
    let expected = "x,y,z\na,a,3\na,a,4\na,a,5\na,*,1\na,*,2\na,*,6\n";
    assert_eq!(desk.read("out.csv"), expected);
    for threads in ["1", "2"] {
        desk.run(&["run", "policy.toml", "--threads", threads])
            .expect(0);
        assert_eq!(desk.read("out.csv"), expected);
    }
    desk.run(&["run", "policy.toml", "--set", "output.order=keep"])
        .expect(0);
    assert_eq!(
        desk.read("out.csv"),
        "x,y,z\na,a,5\na,a,4\na,a,3\na,*,6\na,*,2\na,*,1\n"
    );
}

#[test]
fn a_release_explains_itself() {
    let desk = figure_7();
    let done = desk
        .command(&["run", "policy.toml", "--explain"])
        .output()
        .unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    for words in [
        "birth stands at level 1 of 3: at level 0 5 classes would break",
        "gender is released as it is",
        "no row was suppressed",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let made = desk.json(&[
        "run",
        "policy.toml",
        "--json",
        "--set",
        "suppression.limit=0.17",
        "--set",
        "search.algorithm=datafly",
    ]);
    let why = &made["explanation"];
    assert_eq!(why["suppression"]["unique_rows"], 2);
    assert_eq!(
        (
            &why["columns"][1]["level"],
            &why["columns"][1]["short_rows"]
        ),
        (&json!(1), &json!(10))
    );
}

#[test]
fn adult_has_the_optimum_that_arx_finds() {
    let Some(data) = data() else { return };
    let adult = data.join("adult");
    let names = [
        ("age", 4),
        ("workclass", 2),
        ("education", 3),
        ("marital-status", 2),
        ("occupation", 1),
        ("race", 0),
        ("sex", 0),
        ("native-country", 2),
    ];
    let mut policy = format!(
        "version = 1\ninput = {{ path = {:?} }}\noutput = {{ path = \"out.csv\" }}\n[columns]\n",
        adult.join("train.csv")
    );
    for (name, _) in names {
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
        "salary-class",
    ] {
        policy += &format!("{name} = {{ role = \"other\" }}\n");
    }
    policy += "[suppression]\nlimit = 0.0\n[search]\nalgorithm = \"mingen\"\nloss = \"lm\"\n[privacy]\nk = 5\n";
    let desk = Folder::with(&[("policy.toml", &policy)]);
    for k in ["privacy.k=5", "privacy.k=10"] {
        let made = desk.json(&["run", "policy.toml", "--json", "--set", k]);
        assert_eq!(made["stop"], "optimal");
        assert!((made["loss"]["lm"].as_f64().unwrap() - 0.6608).abs() < 5e-5);
        let reasons = made["explanation"]["columns"].as_array().unwrap();
        for (reason, (name, level)) in reasons.iter().zip(names) {
            assert_eq!(
                (&reason["column"], &reason["level"]),
                (&json!(name), &json!(level))
            );
        }
    }
}

/// What Fig. 7's policy says for μ-Argus, asked for on a terminal.
const ASK: (&str, &str) = (
    "algorithm = \"mingen\"",
    "algorithm = \"mu-argus\"\nmu-argus = { identifying = [\"race\"], more = [\"gender\", \"zip\"], most = [\"birth\"], ask = true }",
);

#[test]
fn step_4_is_asked_on_a_terminal() {
    let desk = figure_7();
    desk.edit("policy.toml", ASK.0, ASK.1);
    let mut command = std::process::Command::new("script");
    let run = format!("{} run policy.toml --steps", common::BINARY);
    command
        .args(["-qec", &run, "/dev/null"])
        .current_dir(desk.path(""))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        eprintln!("skipped: there is no `script` to make a terminal with");
        return;
    };
    // Race by name, birth by number, a name that is none, and the ZIP; then nothing stands out.
    let mut keys = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut keys, b"race\n2\nzap\nzip\n").unwrap();
    let done = child.wait_with_output().unwrap();
    drop(keys);
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}");
    for words in [
        "Generalize which one",
        "There is no such column",
        "generalize race to level 1 of 2: as chosen",
        "generalize birth to level 2 of 3: as chosen",
        "generalize zip to level 1 of 3: as chosen",
    ] {
        assert!(text.contains(words), "no `{words}` in\n{text}");
    }
    let quasi = ["race", "birth", "gender", "zip"];
    assert!(desk.table("release.csv").smallest_class(&quasi) >= 2);
}

#[test]
fn in_a_pipeline_nobody_is_asked_and_nothing_waits() {
    let desk = figure_7();
    desk.edit("policy.toml", ASK.0, ASK.1);
    let mut command = desk.command(&["run", "policy.toml"]);
    // An open pipe that nobody writes to.
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let held = child.stdin.take();
    let done = common::Done::of(child.wait_with_output().unwrap()).expect(2);
    drop(held);
    assert!(done.stderr.contains("nobody to ask"), "{}", done.stderr);
    assert!(
        done.stderr.contains("search.mu-argus.generalize"),
        "{}",
        done.stderr
    );
    assert!(!desk.names().contains(&"release.csv".to_string()));
}

#[test]
fn only_eligible_rows_are_released() {
    let desk = figure_7();
    desk.edit(
        "policy.toml",
        "path = \"pt.csv\"",
        "path = \"pt.csv\", eligible = \"problem != 'hypertension' and zip in ('02138', '02139')\"",
    );
    let made = desk.json(&["run", "policy.toml", "--json"]);
    assert_eq!(
        (&made["rows_in"], &made["rows_out"]),
        (&json!(9), &json!(9))
    );
    let release = desk.read("release.csv");
    assert!(
        !release.contains("hypertension") && !release.contains("0214"),
        "{release}"
    );
    // Numbers are compared as numbers, texts letter by letter; a date may be told from before it.
    for (asked, rows) in [
        ("zip >= 2139", 5),
        ("birth < '1965-01-01' and race = 'white'", 3),
        ("zip between 2138 and 2139", 10),
    ] {
        let set = format!("input.eligible={asked}");
        let made = desk.json(&["run", "policy.toml", "--json", "--set", &set]);
        assert_eq!(made["rows_in"], rows, "{asked}");
    }
    for (asked, words) in [
        ("zap = 1", "no column `zap`"),
        ("zip =", "input.eligible"),
        ("race = 'green'", "no row is eligible"),
    ] {
        let set = format!("input.eligible={asked}");
        desk.refuses(2, &["run", "policy.toml", "--set", &set], &[words]);
    }
}

#[test]
fn several_quasi_identifiers_are_proven_from_the_written_file() {
    let desk = figure_7();
    desk.edit(
        "policy.toml",
        "k = 2",
        "k = 2\nquasi_identifiers = [{ columns = [\"zip\"], k = 3 }, { columns = [\"gender\", \"race\"], k = 4 }]",
    );
    for algorithm in ["datafly", "mingen", "mondrian", "bottom-up", "top-down"] {
        for mode in ["drop", "mask"] {
            let sets = [
                format!("search.algorithm={algorithm}"),
                "suppression.limit=0.5".to_string(),
                format!("suppression.mode={mode}"),
            ];
            let mut arguments = vec!["run", "policy.toml", "--json"];
            sets.iter().for_each(|set| arguments.extend(["--set", set]));
            let made = desk.json(&arguments);
            let release = desk.table("release.csv");
            assert!(release.smallest_class(&["zip"]) >= 3, "{algorithm} {mode}");
            assert!(
                release.smallest_class(&["gender", "race"]) >= 4,
                "{algorithm} {mode}"
            );
            let asked = made["requirements"].as_array().unwrap();
            assert!(asked.contains(&json!("3-anonymity in zip")), "{asked:?}");
        }
    }
    // A file that does not keep it is found out.
    desk.run(&["check", "pt.csv", "--policy", "policy.toml"])
        .expect(1);
    let found = desk
        .run(&["check", "pt.csv", "--policy", "policy.toml"])
        .expect(1);
    assert!(
        found.stdout.contains("3-anonymity in zip"),
        "{}",
        found.stdout
    );
    // And what cannot prove it refuses, or says that it asks for too little.
    desk.refuses(
        2,
        &["run", "policy.toml", "--set", "search.algorithm=optimal"],
        &["3-anonymity in zip"],
    );
    desk.refuses(
        2,
        &["run", "policy.toml", "--set", "privacy.k=3"],
        &["privacy.quasi_identifiers.0.k"],
    );
}

#[test]
fn cells_under_diversity_keep_every_sensitive_value_with_its_row() {
    // Equal quasi-identifiers, and the odd row needs one of each illness with it.
    let policy = "version = 1
input = { path = \"in.csv\" }
output = { path = \"out.csv\" }
columns = { x = { role = \"quasi-identifier\" }, y = { role = \"quasi-identifier\" }, ill = { role = \"sensitive\" }, z = { role = \"other\" } }
privacy = { k = 2, diversity = [{ column = \"ill\", distinct = 2 }] }
suppression = { limit = 0.0 }
search = { algorithm = \"mingen\", loss = \"prec\", mingen = { level = \"cell\" } }
";
    let rows = "x,y,ill,z\na,a,flu,1\na,a,flu,2\na,a,gout,3\na,a,gout,4\na,b,flu,5\n";
    let desk = Folder::with(&[("in.csv", rows), ("policy.toml", policy)]);
    let made = desk.json(&["run", "policy.toml", "--json"]);
    assert_eq!(
        (&made["stop"], &made["audit"]["distinct_l"]),
        (&json!("optimal"), &json!(2))
    );
    let release = desk.table("out.csv");
    // The odd one takes one row with gout; three keep all they have, with both illnesses.
    let starred: Vec<_> = release.rows.iter().filter(|row| row[1] == "*").collect();
    assert_eq!(starred.len(), 2, "{release:?}");
    let input = common::Table::parse(rows, ',');
    for row in &release.rows {
        let own = input.rows.iter().find(|own| own[3] == row[3]).unwrap();
        assert_eq!(own[2], row[2], "a sensitive value moved to another row");
    }
    for threads in ["1", "2"] {
        desk.run(&["run", "policy.toml", "--threads", threads])
            .expect(0);
        assert_eq!(desk.table("out.csv"), release);
    }
}
