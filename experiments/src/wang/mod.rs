//! Seed 003, section 6, beside ours: Adult over K, both directions on the synthetic functions of seed
//! 001, and Adult enlarged over K, σ and ρ, as tables and as an SVG plot. The searches run in this
//! process, so that their time is all that is measured: index, generalization and trace, without
//! reading a file; one table has whole processes too.

mod adult;
mod curves;
mod data;
mod enlarged;
mod process;
mod synthetic;

use std::path::Path;

use crate::Done;
use crate::report::Findings;
use crate::speed::adult_folder;
use crate::taxonomies::Trees;

/// The searches that are compared: what they are called here, the algorithm, its settings.
const SEARCHES: [(&str, &str, &str); 4] = [
    ("bottom-up, as in the paper", "bottom-up", ""),
    ("bottom-up, over the table", "bottom-up", "over = \"table\""),
    (
        "bottom-up, over the table, refined",
        "bottom-up",
        "over = \"table\"\nrefine = true",
    ),
    ("top-down", "top-down", ""),
];

const HEAD: &str = "# Bottom-up and top-down (seed 003, section 6)

Made by `COARSEN_DATA=… cargo run --release -p experiments -- wang --out experiments/wang`. What the tables say
is told in [docs/bottom-up.md](../../docs/bottom-up.md).
";

/// All tables, printed, and written with the plot to a folder where one is given.
pub fn run(quick: bool, out: Option<&Path>) -> Done {
    let folder = adult_folder()?;
    let mut findings = Findings::default();
    let ours = adult::read(&folder, Trees::Paper)?;
    let trees = "our taxonomies of the paper's sizes";
    findings.table(adult::over_k(&ours, "adult", trees)?);
    let shipped = adult::read(&folder, Trees::Shipped)?;
    let trees = "the hierarchies that come with the data";
    findings.table(adult::over_k(&shipped, "adult-shipped", trees)?);
    findings.table(process::run(&folder)?);
    let functions: &[u8] = if quick { &[1] } else { &[1, 2, 3, 4, 5, 6, 7] };
    findings.table(synthetic::run(functions)?);
    if !quick {
        let (table, panels) = enlarged::run(&ours)?;
        findings.table(table);
        let title = "the seconds over K, σ and ρ";
        findings.drawing(title, "enlarged", curves::plot(&panels));
    }
    match out {
        Some(out) => findings.write(out, HEAD),
        None => Ok(()),
    }
}
