//! Seed 001, section 4, beside ours: what models learn from synthetic data (Fig. 8), from real data
//! (Fig. 9), for several targets at once (Fig. 10), and how precisely selections can be made (Fig. 11).
//! Everything runs in this process, through `coarsen-learn`, whose trees, naive Bayes and support
//! vector machine stand for Weka's.

mod data;
mod methods;
mod real;
mod selection;
mod synthetic;
mod targets;

use std::path::Path;

use crate::Done;
use crate::report::Findings;

/// What may go wrong on the way.
type Failure = Box<dyn std::error::Error + Send + Sync>;
type Fallible<T> = Result<T, Failure>;

/// How much is measured.
#[derive(Clone, Copy)]
struct Size {
    /// Independent synthetic tables.
    trials: usize,
    /// Rows of each, to train on and again to test on.
    rows: usize,
    /// The synthetic tables' k.
    k: u64,
    /// Orders in which targets are added (Fig. 10).
    permutations: usize,
}

const WHOLE: Size = Size {
    trials: 100,
    rows: 1000,
    k: 25,
    permutations: 25,
};

const QUICK: Size = Size {
    trials: 3,
    rows: 200,
    k: 10,
    permutations: 2,
};

/// Measures the figures named (all where none is), and writes them to a folder where one is given.
pub fn run(quick: bool, tables: Option<usize>, only: &[u8], folder: Option<&Path>) -> Done {
    let mut size = if quick { QUICK } else { WHOLE };
    size.trials = tables.unwrap_or(size.trials);
    let mut findings = Findings::default();
    let wanted = |figure: u8| only.is_empty() || only.contains(&figure);
    let measured = (|| -> Fallible<()> {
        if wanted(8) {
            synthetic::figure(size, &mut findings)?;
        }
        if wanted(9) {
            match std::env::var_os("COARSEN_DATA") {
                Some(data) => real::figures(quick, Path::new(&data), &mut findings)?,
                None => println!(
                    "Figure 9 needs COARSEN_DATA, the folder that holds adult/ and cmc/: skipped\n"
                ),
            }
        }
        if wanted(10) {
            targets::figure(size, &mut findings)?;
        }
        if wanted(11) {
            selection::figure(size, &mut findings)?;
        }
        Ok(())
    })();
    measured.map_err(|error| error.to_string())?;
    if let Some(folder) = folder {
        let head = format!(
            "# LeFevre, DeWitt and Ramakrishnan 2006, section 4, beside ours\n\nMade by `cargo run --release -p experiments -- lefevre{} --out …`: {} synthetic tables of {} rows to train on and {} to test on, k = {}. The same command gives the same figures.\n",
            if quick { " --quick" } else { "" },
            size.trials,
            size.rows,
            size.rows,
            size.k
        );
        findings.write(folder, &head)?;
    }
    Ok(())
}

/// A figure with four digits, as the paper has them.
fn four(value: f64) -> String {
    format!("{value:.4}")
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count.max(1))
}
