//! The proven optimum on Adult (seed 004, section 5, Figs. 10 to 13): age in 15 intervals of five
//! years, marital status, race and sex; then education, work-class and country, one at a time.
//!
//! Suppression is free, as in the paper, and its cost is the loss's own. Under `set` age is ordered, and
//! so are education and country, whose sets nobody can search. Seconds are those of the search alone.

mod data;
mod figures;
mod plot;
mod searches;

use std::path::{Path, PathBuf};

use self::figures::Figures;
use self::searches::Searches;
use crate::{Done, Fallible};

const COLUMNS: [&str; 7] = [
    "age",
    "marital-status",
    "race",
    "sex",
    "education",
    "workclass",
    "native-country",
];
const SCHEMES: [&str; 6] = [
    "level",
    "cut",
    "guided-ordered",
    "guided-set",
    "ordered",
    "set",
];

/// What is asked of the experiment.
pub struct Settings<'a> {
    /// Seconds for a search over four columns, and over more.
    pub budget: u64,
    pub long_budget: u64,
    /// Not the searches over more columns.
    pub quick: bool,
    /// One part only.
    pub only: Option<&'a str>,
    /// Over more columns: for these k, losses and schemes.
    pub ks: &'a [u64],
    pub losses: &'a [String],
    pub schemes: &'a [String],
    /// Threads of a search.
    pub threads: Option<usize>,
    /// Where searches are kept, tables and plots are written.
    pub out: Option<&'a Path>,
    /// Tables and plots of what is kept, without searching.
    pub tables: bool,
}

/// A part of the experiment, with its seconds for a search, as a table.
type Part<'a> = fn(&mut Figures<'a>, u64) -> Fallible<String>;

/// All tables, printed or written, and all plots.
pub fn run(settings: &Settings<'_>) -> Done {
    let folder = tempfile::tempdir()?;
    if let Some(out) = settings.out {
        std::fs::create_dir_all(out)?;
    }
    let file: Option<PathBuf> = settings.out.map(|out| out.join("searches.csv"));
    let mut figures = Figures {
        table: data::intervals(folder.path())?,
        folder: folder.path(),
        searches: Searches::new(file, settings.threads, !settings.tables)?,
        settings,
    };
    let parts: [(&str, Part<'_>, u64); 6] = [
        ("schemes", Figures::schemes, settings.budget),
        ("directions", Figures::directions, settings.budget),
        ("devices", Figures::devices, settings.budget),
        ("levels", Figures::levels, settings.budget),
        ("ages", Figures::ages, settings.budget),
        ("columns", Figures::columns, settings.long_budget),
    ];
    for (name, part, budget) in parts {
        let is_wanted = match settings.only {
            Some(only) => only == name,
            None => !settings.quick || name != "columns",
        };
        if is_wanted {
            let table = part(&mut figures, budget)?;
            match settings.out {
                Some(out) => std::fs::write(out.join(format!("{name}.md")), table)?,
                None => println!("{table}"),
            }
        }
    }
    Ok(())
}
