//! Many distinct rows: how long an iteration takes, and how much memory, on all rows and on a sample.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::search;
use crate::Fallible;
use crate::measure::{run as measured, sibling};
use crate::report::Table;

/// What two lengths of run take.
pub fn many(rows: u64, folder: &Path) -> Fallible<Table> {
    const ITERATIONS: [u64; 2] = [0, 2000];
    let input = folder.join("agrawal.parquet");
    let mut generate = Command::new(sibling("coarsen")?);
    generate.args(["generate", "agrawal", "--function", "2", "--seed", "1"]);
    measured(
        generate
            .args(["--rows", &rows.to_string(), "-o"])
            .arg(&input),
    )?;
    let mut policy = format!(
        "version = 1\ninput = {{ path = {input:?} }}\noutput = {{ path = \"release.parquet\" }}\n\n[columns]\n"
    );
    let columns = [
        "salary", "age", "elevel", "car", "zipcode", "hvalue", "hyears", "loan",
    ];
    for name in columns {
        writeln!(
            policy,
            "{name} = {{ role = \"quasi-identifier\", scheme = \"ordered\" }}"
        )?;
    }
    policy += "commission = { role = \"other\" }\ngroup = { role = \"target\" }\n\n[privacy]\nk = 10\n\n[suppression]\nlimit = 0.05\n\n[search]\nalgorithm = \"genetic\"\n";
    let path = folder.join("rows.toml");
    std::fs::write(&path, policy)?;
    let mut table = Table::new(
        "rows",
        format!(
            "{rows} synthetic rows, quasi-identifiers {}",
            columns.join(", ")
        ),
        [
            "rows searched",
            "loss",
            "LM",
            "CM",
            "search s",
            "CPU s",
            "s an iteration",
            "peak MB",
        ],
    );
    table.notes.push(format!(
        "Nearly every row is distinct: nothing to collapse. Population 100, {} iterations; an iteration's time is the difference to a run of none. Asked for: under 2 GB.",
        ITERATIONS[1]
    ));
    for (loss, sample) in [("lm", 1.0), ("lm", 0.1), ("cm", 0.1)] {
        let mut of_iterations = Vec::new();
        for iterations in ITERATIONS {
            let set = [
                format!("search.loss={loss}"),
                format!("search.sample={sample:?}"),
                "search.genetic.population=100".into(),
                format!("search.genetic.iterations={iterations}"),
                "search.genetic.polish=false".into(),
                "search.genetic.stagnation=0".into(),
            ];
            of_iterations.push(search(&path, &set)?);
        }
        let [none, all] = of_iterations.as_slice() else {
            return Err("two runs were made".into());
        };
        table.rows.push(vec![
            format!("{:.0}", rows as f64 * sample),
            loss.into(),
            format!("{:.4}", all.losses[0]),
            format!("{:.4}", all.losses[1]),
            format!("{:.1}", all.search),
            format!("{:.1}", all.taken.cpu),
            format!("{:.4}", (all.search - none.search) / ITERATIONS[1] as f64),
            format!("{:.0}", all.taken.megabytes),
        ]);
    }
    Ok(table)
}
