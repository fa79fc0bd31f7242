//! Every paper's command on small settings: it ends, and leaves behind what it promises.
#![allow(clippy::unwrap_used)]

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

#[test]
fn wang() {
    if std::env::var_os("COARSEN_DATA").is_none() {
        println!("COARSEN_DATA is not set: skipped");
        return;
    }
    let text = run(&["wang", "--quick"]);
    assert!(text.contains("bottom-up") && text.contains("top-down"));
}
