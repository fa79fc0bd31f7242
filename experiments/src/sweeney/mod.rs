//! Seed 002 beside ours: its worked tables, up to what size MinGen by cells proves the optimum, and MinGen
//! on Adult beside ARX's optimal search.

mod adult;
mod figures;
mod sizes;
mod table;

use std::path::Path;

use crate::Done;

/// How much of it to run.
pub struct Settings<'a> {
    /// How often a search on Adult is run.
    pub runs: usize,
    /// Seconds for a proof by cells.
    pub budget: f64,
    /// The worked tables only.
    pub quick: bool,
    /// The folder for what is written.
    pub out: &'a Path,
}

/// Prints everything, and writes it as Markdown, and Adult's figures as CSV.
pub fn run(settings: &Settings<'_>) -> Done {
    let mut text = String::from(
        "# Seed 002: MinGen, Datafly, μ-Argus\n\nWritten by `cargo run --release -p experiments -- sweeney`.\n\n",
    );
    if !settings.quick {
        text += &format!("The machine meanwhile: {}.\n\n", busy());
    }
    text += &figures::figures()?;
    std::fs::create_dir_all(settings.out)?;
    if !settings.quick {
        text += &sizes::sizes(settings.budget)?;
        let (markdown, csv) = adult::adult(settings.runs)?;
        text += &markdown;
        std::fs::write(settings.out.join("adult.csv"), csv)?;
    }
    println!("{text}");
    std::fs::write(settings.out.join("README.md"), text)?;
    Ok(())
}

/// How busy the machine is, which times must be read with.
fn busy() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    match load.split(' ').next().filter(|load| !load.is_empty()) {
        Some(load) => format!("a load of {load} on {cores} cores"),
        None => format!("{cores} cores"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_tables_are_those_of_the_paper() {
        let folder = tempfile::tempdir().unwrap();
        run(&Settings {
            runs: 1,
            budget: 0.1,
            quick: true,
            out: folder.path(),
        })
        .unwrap();
        let text = std::fs::read_to_string(folder.path().join("README.md")).unwrap();
        for line in [
            "| GT[1,0] | 0.75 | 0.75 | 2 |",
            "| GT[1,1] | 0.58 | 0.58 | 4 |",
            "| GT[0,2] | 0.67 | 0.67 | 4 |",
            "| GT[0,1] | 0.83 | 0.83 | 2 |",
            "MinGen's is GT[0,1], proven",
            "| 2, 12, 2, 3 | 2, 12, 2, 3 | 12 | 12 |",
            "| 2, 3, 2, 3 | 2, 3, 2, 3 | 2 | 2 |",
            "| t8 | suppressed | suppressed |",
            "| race, gender, zip | left out (t8) | 1 |",
            "| t8 | `white * * 02139` | `white * * 02139` |",
        ] {
            assert!(text.contains(line), "no `{line}` in\n{text}");
        }
        // Figs. 10 and 15 agree row by row.
        let differ = |line: &&str| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            line.starts_with("| t") && cells[2] != cells[3]
        };
        let (_, after) = text.split_once("### Fig. 10").unwrap();
        assert_eq!(after.lines().filter(differ).count(), 0, "{text}");
    }
}
