//! What the report costs on Adult, and how long a grid of candidates takes (issue 9: under 1 s and under
//! 1.5 MB; four algorithms by six k in one command).

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Done;
use crate::measure::{run, sibling};
use crate::speed::{adult_folder, adult_policy, coarsen};

/// Adult, with a report and without, and the grid.
pub fn adult(runs: usize) -> Done {
    let folder = tempfile::tempdir()?;
    let mut policy = adult_policy(&adult_folder()?, "intervals = [5, 10, 20]");
    policy = policy.replace(
        "salary-class = { role = \"other\" }",
        "salary-class = { role = \"target\" }",
    );
    policy += "\n[suppression]\nlimit = 0.05\n\n[workload]\nselections = [\"age > 40 and sex = 'Male'\", \"age < 30\"]\n";
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, policy)?;

    println!("Adult, k = 10, 5 % may be suppressed; the least of {runs} runs\n");
    println!(
        "| algorithm | kind | whole process s | without a report s | report s | KB | peak MB |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for algorithm in ["datafly", "mondrian"] {
        for kind in ["internal", "public"] {
            let plain = [format!("search.algorithm={algorithm}")];
            let mut with = plain.to_vec();
            with.push("output.report=report.html".into());
            with.push(format!("output.report_kind={kind}"));
            let (mut whole, mut without, mut report, mut peak) =
                (f64::INFINITY, f64::INFINITY, f64::INFINITY, 0.0f64);
            for _ in 0..runs.max(1) {
                without = without.min(coarsen(&path, &plain)?.seconds);
                let taken = coarsen(&path, &with)?;
                let made: Value = serde_json::from_str(&taken.stdout)?;
                whole = whole.min(taken.seconds);
                report = report.min(made["seconds"]["report"].as_f64().unwrap_or(f64::NAN));
                peak = peak.max(taken.megabytes);
            }
            let size = std::fs::metadata(folder.path().join("report.html"))?.len();
            println!(
                "| {algorithm} | {kind} | {whole:.3} | {without:.3} | {report:.3} | {} | {peak:.0} |",
                size / 1000
            );
        }
    }
    grid(&path)
}

/// Four algorithms by six k, in one command.
fn grid(policy: &Path) -> Done {
    let mut command = Command::new(sibling("coarsen")?);
    command.arg("compare").arg(policy).args([
        "--algorithm",
        "datafly,mondrian,mingen,bottom-up",
        "--k",
        "2,5,10,25,50,100",
        "--json",
    ]);
    let taken = run(&mut command)?;
    let found: Value = serde_json::from_str(&taken.stdout)?;
    let candidates = found["candidates"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let count = |key: &str| {
        let has = |candidate: &&Value| candidate[key] == true || candidate[key].is_object();
        candidates.iter().filter(has).count()
    };
    println!(
        "\n`compare`, 4 algorithms by 6 k: {} points, {} with a release, {} undominated, in {:.1} s and {:.0} MB",
        candidates.len(),
        count("measured"),
        count("undominated"),
        taken.seconds,
        taken.megabytes
    );
    Ok(())
}
