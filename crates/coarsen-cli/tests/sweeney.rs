//! Seed 002's systems by the binary: MinGen by columns and by cells, Datafly and μ-Argus on Fig. 7.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, data};
use serde_json::json;

const PT: &str = "race,birth,gender,zip,problem
black,1965-09-20,male,02141,short of breath
black,1965-02-14,male,02141,chest pain
black,1965-10-23,female,02138,painful eye
black,1965-08-24,female,02138,wheezing
black,1964-11-07,female,02138,obesity
black,1964-12-01,female,02138,chest pain
white,1964-10-23,male,02138,short of breath
white,1965-03-15,female,02139,hypertension
white,1964-08-13,male,02139,obesity
white,1964-05-05,male,02139,fever
white,1967-02-13,male,02138,vomiting
white,1967-03-21,male,02138,back pain
";

const POLICY: &str = "version = 1
input = { path = \"pt.csv\" }
output = { path = \"release.csv\" }
[columns]
race = { role = \"quasi-identifier\", hierarchy = { tree = { person = [\"black\", \"white\"] } } }
birth = { role = \"quasi-identifier\", type = \"date\", hierarchy = { dates = [\"year\", \"decade\"] } }
gender = { role = \"quasi-identifier\" }
zip = { role = \"quasi-identifier\", type = \"text\", hierarchy = { mask = \"right\", levels = 2 } }
problem = { role = \"other\" }
[privacy]
k = 2
[suppression]
limit = 0.0
[search]
algorithm = \"mingen\"
loss = \"prec\"
";

fn figure_7() -> Folder {
    Folder::with(&[("pt.csv", PT), ("policy.toml", POLICY)])
}

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
