//! The tables and plots, each from its searches.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::data::policy;
use super::plot::{Line, bars, plot};
use super::searches::{Asked, Found, Searches};
use super::{COLUMNS, SCHEMES, Settings};
use crate::speed::adult_folder;
use crate::{Done, Fallible};

const KS: [u64; 6] = [2, 3, 5, 10, 15, 20];
const WAYS: [&str; 3] = ["bottom-up", "top-down", "auto"];

/// The devices of which each is left out once, and all at last.
const DEVICES: [(&str, &[&str]); 14] = [
    ("all on", &[]),
    ("node pruning off", &["prune_nodes=false"]),
    ("no applicator tried", &["prune_useless=false"]),
    ("the same, deferred", &["prune_useless=false", "defer=true"]),
    ("useful applicators not known", &["prune_useful=false"]),
    ("no seeds", &["seeds=0", "heuristics=[]"]),
    ("seeds, no heuristic", &["heuristics=[]"]),
    ("oldest node first", &["order_nodes=false"]),
    ("applicators in the table's order", &["order_columns=false"]),
    ("smallest column solved", &["solve_column=false"]),
    ("classes not merged", &["merge_classes=false"]),
    ("columns not nested", &["nest_columns=false"]),
    ("ties not settled", &["settle_ties=false"]),
    (
        "none of ours",
        &[
            "solve_column=false",
            "merge_classes=false",
            "nest_columns=false",
        ],
    ),
];

/// What the parts share.
pub struct Figures<'a> {
    pub folder: &'a Path,
    pub table: PathBuf,
    pub searches: Searches,
    pub settings: &'a Settings<'a>,
}

/// A search over Adult's first columns; what a part changes, it says.
fn asked<'a>(policy: &'a Path, scheme: &'a str, columns: usize, loss: &'a str) -> Asked<'a> {
    Asked {
        policy,
        table: "intervals",
        scheme,
        columns,
        loss,
        k: 10,
        limit: 1.0,
        algorithm: "optimal",
        direction: "auto",
        devices: &[],
        runs: 1,
    }
}

impl Figures<'_> {
    fn draw(&self, name: &str, svg: &str) -> Done {
        if let Some(out) = self.settings.out {
            std::fs::write(out.join(name), svg)?;
        }
        Ok(())
    }

    fn policy(&self, scheme: &str, columns: usize) -> Fallible<PathBuf> {
        policy(self.folder, &self.table, scheme, &COLUMNS[..columns])
    }

    /// Figs. 11b and 12: seconds and cost by scheme and k.
    pub fn schemes(&mut self, budget: u64) -> Fallible<String> {
        let mut text = String::new();
        for loss in ["dm", "hdm"] {
            let upper = loss.to_uppercase();
            writeln!(text, "\n## {upper} by scheme and k, four columns\n")?;
            text += "| scheme | k | cost | stop | seconds | CPU s | peak MB |\n";
            text += "| --- | --- | --- | --- | --- | --- | --- |\n";
            let (mut costs, mut times): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
            for scheme in SCHEMES {
                let policy = self.policy(scheme, 4)?;
                let (mut cost, mut time) = (Vec::new(), Vec::new());
                for k in KS {
                    let asked = Asked {
                        k,
                        ..asked(&policy, scheme, 4, loss)
                    };
                    let Some(found) = self.searches.find(&asked, budget)? else {
                        continue;
                    };
                    writeln!(
                        text,
                        "| {scheme} | {k} | {} | {} | {:.3} | {:.2} | {:.0} |",
                        found.cost, found.stop, found.seconds, found.cpu, found.megabytes
                    )?;
                    cost.push((k as f64, found.cost));
                    time.push((k as f64, found.seconds));
                }
                costs.push((scheme.to_string(), cost));
                times.push((scheme.to_string(), time));
            }
            let title = format!("{upper} by scheme and k, four columns");
            self.draw(&format!("li-cost-{loss}.svg"), &plot(&title, &costs))?;
            let title = format!("Seconds to the proof by scheme and k, {upper}, four columns");
            self.draw(&format!("li-scheme-k-{loss}.svg"), &plot(&title, &times))?;
        }
        Ok(text)
    }

    /// One row of the table of directions, and its points.
    fn by_way(
        &mut self,
        asked: &Asked<'_>,
        budget: u64,
        lines: &mut [Line],
        x: f64,
    ) -> Fallible<String> {
        let mut row = format!("| {} | {} | {} |", asked.scheme, asked.columns, asked.k);
        for (direction, line) in WAYS.iter().zip(lines) {
            let asked = Asked {
                direction,
                ..asked.clone()
            };
            match self.searches.find(&asked, budget)? {
                Some(found) => {
                    write!(row, " {} |", found.shown())?;
                    line.1.push((x, found.cpu));
                }
                None => row += " not run |",
            }
        }
        Ok(row + "\n")
    }

    /// Fig. 10: seconds by direction and k, and by direction and number of columns.
    pub fn directions(&mut self, budget: u64) -> Fallible<String> {
        let (mut by_k, mut by_columns): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
        let mut text = format!("\n## Direction, HDM, {budget} s at most\n\n");
        text += "| scheme | columns | k | bottom-up CPU s | top-down CPU s | auto (both ways) CPU s |\n";
        text += "| --- | --- | --- | --- | --- | --- |\n";
        for scheme in ["ordered", "set"] {
            let empty = || {
                let line = |way| (format!("{scheme} {way}"), Vec::new());
                WAYS.map(line).to_vec()
            };
            let mut lines = empty();
            let policy = self.policy(scheme, 4)?;
            for k in KS {
                let asked = Asked {
                    k,
                    ..asked(&policy, scheme, 4, "hdm")
                };
                text += &self.by_way(&asked, budget, &mut lines, k as f64)?;
            }
            by_k.append(&mut lines);
            let mut lines = empty();
            for columns in 2..=5 {
                let policy = self.policy(scheme, columns)?;
                let asked = asked(&policy, scheme, columns, "hdm");
                text += &self.by_way(&asked, budget, &mut lines, columns as f64)?;
            }
            by_columns.append(&mut lines);
        }
        let title = "CPU seconds by direction and k, HDM, four columns";
        self.draw("li-direction-k.svg", &plot(title, &by_k))?;
        let title = "CPU seconds by direction and number of columns, HDM, k = 10";
        self.draw("li-direction-columns.svg", &plot(title, &by_columns))?;
        Ok(text)
    }

    /// Fig. 13: the time with each device off, k = 10; where there was no proof, the time until the end.
    pub fn devices(&mut self, budget: u64) -> Fallible<String> {
        let over = [("set", 4), ("guided-ordered", 5), ("ordered", 5)];
        let mut text = format!(
            "\n## CPU seconds with each device off, k = 10, {budget} s at most\n\n| device |"
        );
        for (scheme, columns) in over {
            for loss in ["DM", "HDM"] {
                write!(text, " {loss}, {scheme}, {columns} columns |")?;
            }
        }
        writeln!(text, "\n| --- |{}", " --- |".repeat(2 * over.len()))?;
        let mut drawn = Vec::new();
        for (name, devices) in DEVICES {
            write!(text, "| {name} |")?;
            let mut sum = 0.0;
            for (scheme, columns) in over {
                let policy = self.policy(scheme, columns)?;
                for loss in ["dm", "hdm"] {
                    let asked = Asked {
                        devices,
                        ..asked(&policy, scheme, columns, loss)
                    };
                    match self.searches.find(&asked, budget)? {
                        Some(found) => {
                            write!(text, " {} |", found.shown())?;
                            sum += found.cpu;
                        }
                        None => text += " not run |",
                    }
                }
            }
            text += "\n";
            drawn.push((name.to_string(), sum));
        }
        let title = format!(
            "CPU seconds of the {} searches together with a device off",
            2 * over.len()
        );
        self.draw("li-devices.svg", &bars(&title, &drawn))?;
        Ok(text)
    }

    /// The level scheme beside MinGen, in one run.
    pub fn levels(&mut self, budget: u64) -> Fallible<String> {
        let mut text =
            "\n## Level: beside MinGen, seven columns, least of five runs\n\n".to_string();
        text += "| loss | k | suppression | cost | MinGen's cost | seconds | MinGen's |\n";
        text += "| --- | --- | --- | --- | --- | --- | --- |\n";
        let policy = self.policy("level", COLUMNS.len())?;
        for loss in ["dm", "hdm", "lm", "prec"] {
            for (k, limit) in [(2, 1.0), (10, 1.0), (100, 1.0), (10, 0.05), (10, 0.0)] {
                let mut both: Vec<Found> = Vec::new();
                for algorithm in ["optimal", "mingen"] {
                    let asked = Asked {
                        k,
                        limit,
                        algorithm,
                        runs: 5,
                        ..asked(&policy, "level", COLUMNS.len(), loss)
                    };
                    both.extend(self.searches.find(&asked, budget)?);
                }
                let [ours, mingen] = &both[..] else { continue };
                writeln!(
                    text,
                    "| {loss} | {k} | {limit} | {} | {} | {:.4} | {:.4} |",
                    ours.cost, mingen.cost, ours.seconds, mingen.seconds
                )?;
            }
        }
        Ok(text)
    }

    /// Age with each of its values: far more releases, and a proof all the same.
    pub fn ages(&mut self, budget: u64) -> Fallible<String> {
        let mut text =
            "\n## Age with each of its values, ordered, four columns, k = 10\n\n".to_string();
        text += "| loss | cost | seconds | CPU s or gap | peak MB |\n";
        text += "| --- | --- | --- | --- | --- |\n";
        let table = adult_folder()?.join("train.csv");
        let policy = policy(self.folder, &table, "ordered", &COLUMNS[..4])?;
        for loss in ["dm", "hdm", "lm"] {
            let asked = Asked {
                table: "ages",
                ..asked(&policy, "ordered", 4, loss)
            };
            if let Some(found) = self.searches.find(&asked, budget)? {
                writeln!(
                    text,
                    "| {loss} | {} | {:.3} | {} | {:.0} |",
                    found.cost,
                    found.seconds,
                    found.shown(),
                    found.megabytes
                )?;
            }
        }
        Ok(text)
    }

    /// Fig. 11a and beyond: how far the proof reaches.
    pub fn columns(&mut self, budget: u64) -> Fallible<String> {
        let mut text = format!("\n## More columns, {budget} s at most\n\n");
        text += "| k | loss | scheme | columns | cost | stop | gap | seconds | CPU s | threads | load | peak MB |\n";
        text += "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
        let settings = self.settings;
        let wanted = |all: &[String], one: &str| all.is_empty() || all.iter().any(|w| w == one);
        let ks = if settings.ks.is_empty() {
            &[5, 10][..]
        } else {
            settings.ks
        };
        for k in ks {
            for loss in ["hdm", "dm"].iter().filter(|l| wanted(settings.losses, l)) {
                let mut times = Vec::new();
                for scheme in SCHEMES.iter().filter(|s| wanted(settings.schemes, s)) {
                    let mut time = Vec::new();
                    for columns in 4..=COLUMNS.len() {
                        let policy = self.policy(scheme, columns)?;
                        let asked = Asked {
                            k: *k,
                            ..asked(&policy, scheme, columns, loss)
                        };
                        let Some(found) = self.searches.find(&asked, budget)? else {
                            continue;
                        };
                        writeln!(
                            text,
                            "| {k} | {loss} | {scheme} | {columns} | {} | {} | {:.1} % | {:.2} | {:.2} | {} | {:.0} | {:.0} |",
                            found.cost,
                            found.stop,
                            found.gap(),
                            found.seconds,
                            found.cpu,
                            found.threads,
                            found.load,
                            found.megabytes
                        )?;
                        time.push((columns as f64, found.cpu));
                    }
                    times.push((scheme.to_string(), time));
                }
                let upper = loss.to_uppercase();
                let title =
                    format!("CPU seconds by scheme and number of columns, {upper}, k = {k}");
                self.draw(&format!("li-columns-{loss}-{k}.svg"), &plot(&title, &times))?;
            }
        }
        Ok(text)
    }
}
