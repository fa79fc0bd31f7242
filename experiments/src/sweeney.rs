//! MinGen on Adult: the proven optimum of all 6,480 combinations of levels, beside what ARX's optimal
//! search needed for the same (loss LM, every hierarchy from the file that comes with the data).

use serde_json::Value;

use crate::Done;
use crate::speed::{adult_folder, adult_policy, coarsen};

/// The limit, and the least and most seconds that ARX's search took over these k, warmed up.
const LIMITS: [(&str, f64, f64); 3] = [("0.0", 0.02, 0.06), ("0.05", 0.05, 0.9), ("1.0", 1.7, 3.9)];

/// Every k and limit; of several runs the median, each a cold process.
pub fn adult(runs: usize) -> Done {
    let data = adult_folder()?;
    let age = format!("file = {:?}", data.join("adult_hierarchy_age.csv"));
    let policy = adult_policy(&data, &age) + "\n[search]\nalgorithm = \"mingen\"\nloss = \"lm\"\n";
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, policy)?;
    println!(
        "| limit | k | LM | levels | suppressed | search s (median of {runs}) | whole process s | ARX search s |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (limit, least, most) in LIMITS {
        for k in [2, 5, 10, 25, 50, 100, 500] {
            let mut taken = Vec::new();
            for _ in 0..runs.max(1) {
                let set = [
                    format!("privacy.k={k}"),
                    format!("suppression.limit={limit}"),
                ];
                let done = coarsen(&path, &set)?;
                let made: Value = serde_json::from_str(&done.stdout)?;
                let search = made["seconds"]["search"].as_f64().unwrap_or(f64::NAN);
                taken.push((search, done.seconds, made));
            }
            taken.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (search, _, made) = &taken[taken.len() / 2];
            let mut whole: Vec<f64> = taken.iter().map(|(_, whole, _)| *whole).collect();
            whole.sort_by(f64::total_cmp);
            let what = made["trace"][0]["what"].as_str().unwrap_or_default();
            let levels = what.rsplit_once(": ").map_or(what, |(_, levels)| levels);
            if made["stop"] != "optimal" {
                return Err(format!("k = {k}, limit {limit} was not proven").into());
            }
            println!(
                "| {limit} | {k} | {:.4} | {levels} | {} | {search:.4} | {:.3} | {least}–{most} |",
                made["loss"]["lm"].as_f64().unwrap_or(f64::NAN),
                made["suppressed_rows"],
                whole[whole.len() / 2],
            );
        }
    }
    Ok(())
}
