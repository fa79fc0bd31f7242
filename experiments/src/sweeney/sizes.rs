//! Up to what size MinGen by cells proves the optimum: samples of Adult over four columns, three for each
//! size.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use coarsen::search::{Run, Stop};

use super::adult::columns;
use super::table::{Table, run};
use crate::Fallible;

const COLUMNS: [&str; 4] = ["age", "education", "marital-status", "sex"];
const SAMPLES: usize = 3;

/// The table of sizes, as Markdown.
pub fn sizes(budget: f64) -> Fallible<String> {
    let mut text = String::new();
    writeln!(
        text,
        "\n## MinGen by cells: what is proven\n\nAdult, columns {}, {SAMPLES} samples a size, Prec, nothing dropped, {budget} s at most: the samples that are proven, \
         the longest proof, and the largest gap where one is left.\n",
        COLUMNS.join(", ")
    )?;
    writeln!(
        text,
        "| rows | k | proven | longest proof s | gap left |\n| --- | --- | --- | --- | --- |"
    )?;
    let all = columns(&COLUMNS)?;
    for rows in [12, 16, 20, 24, 28, 32, 40] {
        for k in [2, 3] {
            let (mut proven, mut longest, mut gap) = (0, 0.0f64, 0.0f64);
            for sample in 0..SAMPLES {
                // Every so manieth row, each sample from another start.
                let step = all[0].cells.len() / rows;
                let place = |i: usize| sample * step / SAMPLES + i * step;
                let mut columns = columns(&COLUMNS)?;
                for (column, whole) in columns.iter_mut().zip(&all) {
                    column.cells = (0..rows).map(|i| whole.cells[place(i)].clone()).collect();
                }
                let problem = Table::new(&columns)?.problem(k, 0.0, "prec")?;
                let start = Instant::now();
                let limit = Run::new(1).with_budget(Some(Duration::from_secs_f64(budget)));
                let found = run("mingen", "level = \"cell\"", &problem, &limit)?;
                if found.stop == Stop::Optimal {
                    proven += 1;
                    longest = longest.max(start.elapsed().as_secs_f64());
                } else {
                    let bound = found.bound.unwrap_or(0.0);
                    gap = gap.max((found.cost - bound) / found.cost.max(f64::MIN_POSITIVE));
                }
            }
            let gap = match proven {
                SAMPLES => String::new(),
                _ => format!("{:.0} %", 100.0 * gap),
            };
            let longest = match proven {
                0 => String::new(),
                _ => format!("{longest:.3}"),
            };
            writeln!(
                text,
                "| {rows} | {k} | {proven} of {SAMPLES} | {longest} | {gap} |"
            )?;
        }
    }
    Ok(text)
}
