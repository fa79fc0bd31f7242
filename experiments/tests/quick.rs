//! Every paper's command on small settings: it ends, and leaves behind what it promises.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

/// Runs an experiment, which must do its work; what it printed.
fn run(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_experiments"))
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(
        done.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&done.stderr)
    );
    text
}

fn cells(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

#[test]
fn lefevre() {
    let folder = tempfile::tempdir().unwrap();
    let text = run(&[
        "lefevre",
        "--quick",
        "--out",
        folder.path().to_str().unwrap(),
    ]);
    for figure in ["Figure 8", "Figure 10", "Figure 11"] {
        assert!(text.contains(figure), "{figure}");
    }
    let has_data = std::env::var_os("COARSEN_DATA").is_some();
    if !has_data {
        println!("COARSEN_DATA is not set: Figure 9 is skipped");
    }
    assert_eq!(text.contains("Figure 9 (h)"), has_data);
    for name in [
        "README.md",
        "figure-8.csv",
        "figure-10.csv",
        "figure-11.csv",
        "figure-11.svg",
    ] {
        let file = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(file.len() > 100, "{name}");
    }
    // Selection Mondrian is more precise than both of the others at every k.
    let csv = std::fs::read_to_string(folder.path().join("figure-11.csv")).unwrap();
    for line in csv.lines().skip(1) {
        let rows: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        assert!(rows[3] < rows[1] && rows[3] < rows[2], "{line}");
    }
    // InfoGain Mondrian tells more of the label than Median Mondrian, whatever the function.
    let entropies = text
        .lines()
        .skip_while(|line| !line.starts_with("### Conditional entropy"));
    let lines: Vec<&str> = entropies
        .skip(4)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(lines.len(), 4);
    for line in lines {
        let number = |place: usize| cells(line)[place].parse::<f64>().unwrap();
        assert!(number(2) < number(3), "{line}");
    }
    // The same command, the same figures.
    let again = run(&["lefevre", "--quick", "--figure", "11"]);
    assert!(text.contains(again.trim()));
}

fn has_data() -> bool {
    let has_data = std::env::var_os("COARSEN_DATA").is_some();
    if !has_data {
        println!("COARSEN_DATA is not set: skipped");
    }
    has_data
}

/// The rows of a table that was written, its header left out.
fn table(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let line = |line: &str| {
        line.replace("\"", "")
            .split(',')
            .map(String::from)
            .collect()
    };
    text.lines().skip(1).map(line).collect()
}

#[test]
fn wang() {
    if !has_data() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    run(&["wang", "--quick", "--out", out]);
    let rows = table(folder.path(), "adult.csv");
    assert_eq!(rows.len(), 36);
    // Refined over the table, a tree learns what is asked for at every K.
    for row in rows
        .iter()
        .filter(|row| row.iter().any(|cell| cell.ends_with("refined")))
    {
        let error: f64 = row[row.len() - 2].parse().unwrap();
        assert!(error <= 18.5, "{row:?}");
    }
}

#[test]
fn iyengar() {
    if !has_data() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    run(&["iyengar", "--quick", "--out", out]);
    let rows = table(folder.path(), "metrics.csv");
    let of = |loss: &str| {
        let mut rows = rows.iter();
        let row = rows
            .find(|row| row[1] == "genetic" && row[2] == loss)
            .unwrap();
        [row[3].parse::<f64>().unwrap(), row[4].parse().unwrap()]
    };
    // Each optimization wins on its own metric.
    let (lm, cm) = (of("lm"), of("cm"));
    assert!(lm[0] < cm[0] && cm[1] < lm[1]);
    for name in [
        "reuse-lm.svg",
        "reuse-cm.svg",
        "errors.csv",
        "rows.csv",
        "README.md",
    ] {
        assert!(
            folder.path().join(name).metadata().unwrap().len() > 60,
            "{name}"
        );
    }
}

#[test]
fn sweeney() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    run(&["sweeney", "--quick", "--out", out]);
    let text = std::fs::read_to_string(folder.path().join("README.md")).unwrap();
    for said in [
        "Fig. 7",
        "Fig. 15",
        "| t12 | `white 1967 male 02138` | `white 1967 male 02138` |",
    ] {
        assert!(text.contains(said), "{said}");
    }
}

#[test]
fn li() {
    if !has_data() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    run(&["li", "--only", "schemes", "--out", out]);
    let rows = table(folder.path(), "searches.csv");
    assert_eq!(rows.len(), 6 * 2 * 6);
    assert!(rows.iter().all(|row| row[12] == "optimal"));
    let cost = |scheme: &str, loss: &str, k: &str| -> f64 {
        let mut rows = rows.iter();
        let row = rows.find(|row| row[1] == scheme && row[3] == loss && row[4] == k);
        row.unwrap()[11].parse().unwrap()
    };
    // The more partitions are legal, the less the best of them costs.
    let nested = [
        ["level", "cut"],
        ["cut", "guided-ordered"],
        ["guided-ordered", "ordered"],
        ["ordered", "set"],
        ["guided-ordered", "guided-set"],
        ["guided-set", "set"],
    ];
    for row in rows.iter().filter(|row| row[1] == "level") {
        let (loss, k) = (&row[3], &row[4]);
        for [narrow, wide] in nested {
            let (narrow, wide) = (cost(narrow, loss, k), cost(wide, loss, k));
            assert!(
                wide <= narrow * (1.0 + 1e-9),
                "{loss} {k}: {wide} for {narrow}"
            );
        }
    }
    for name in ["schemes.md", "li-cost-dm.svg", "li-scheme-k-hdm.svg"] {
        assert!(
            folder.path().join(name).metadata().unwrap().len() > 300,
            "{name}"
        );
    }
}
