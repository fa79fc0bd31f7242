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
use crate::speed::adult_folder;
use adult::Trees;

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

/// All tables, printed; the plot, into a folder.
pub fn run(quick: bool, plots: Option<&Path>) -> Done {
    let folder = adult_folder()?;
    println!("## Adult, our taxonomies of the paper's sizes\n");
    let ours = adult::read(&folder, Trees::Paper)?;
    adult::over_k(&ours)?;
    println!("\n## Adult, the hierarchies that come with the data\n");
    adult::over_k(&adult::read(&folder, Trees::Shipped)?)?;
    println!("\n## Adult, whole processes\n");
    process::run(&folder)?;
    println!("\n## Synthetic functions\n");
    synthetic::run()?;
    if !quick {
        println!("\n## Adult enlarged\n");
        let curves = enlarged::run(&ours)?;
        if let Some(plots) = plots {
            std::fs::create_dir_all(plots)?;
            std::fs::write(plots.join("enlarged.svg"), curves::plot(&curves))?;
        }
    }
    Ok(())
}
