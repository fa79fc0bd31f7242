//! The proven optimum on Adult (seed 004, section 5, Figs. 10 to 13): age in 15 intervals of five
//! years, marital status, race and sex; then education, work-class and country, one at a time.
//!
//! Suppression is free, as in the paper, and its cost is the loss's own. Under `set` age is ordered, and
//! so are education and country, whose sets nobody can search. Seconds are those of the search alone.

mod plot;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use self::plot::{Line, bars, plot};
use crate::Done;
use crate::speed::{adult_folder, coarsen};

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
const KS: [u64; 6] = [2, 3, 5, 10, 15, 20];
const WAYS: [&str; 3] = ["bottom-up", "top-down", "auto"];

/// One search: its outcome in the loss's own figure, what it proved, how long it took.
struct Found {
    cost: f64,
    stop: String,
    bound: f64,
    seconds: f64,
    megabytes: f64,
}

impl Found {
    /// The seconds, or the gap where there is no proof.
    fn shown(&self) -> String {
        match self.stop.as_str() {
            "optimal" => format!("{:.3}", self.seconds),
            _ => format!("gap {:.1} %", self.gap()),
        }
    }

    fn gap(&self) -> f64 {
        100.0 * (self.cost - self.bound) / self.cost.max(f64::MIN_POSITIVE)
    }
}

/// Where things are.
struct Bench<'a> {
    folder: &'a Path,
    table: PathBuf,
    plots: Option<&'a Path>,
}

/// A part of the experiment, with its seconds for a search.
type Part<'a> = fn(&Bench<'a>, u64) -> Done;

/// All tables, printed; all plots, into a folder.
pub fn run(
    budget: u64,
    long_budget: u64,
    quick: bool,
    only: Option<&str>,
    plots: Option<&Path>,
) -> Done {
    let folder = tempfile::tempdir()?;
    let bench = Bench {
        table: intervals(folder.path())?,
        folder: folder.path(),
        plots,
    };
    let parts: [(&str, Part<'_>, u64); 6] = [
        ("schemes", Bench::schemes, budget),
        ("directions", Bench::directions, budget),
        ("devices", Bench::devices, budget),
        ("levels", Bench::levels, budget),
        ("ages", Bench::ages, budget),
        ("columns", Bench::columns, long_budget),
    ];
    for (name, part, budget) in parts {
        let is_wanted = only.map_or(!quick || name != "columns", |only| only == name);
        if is_wanted {
            part(&bench, budget)?;
        }
    }
    Ok(())
}

impl Bench<'_> {
    fn draw(&self, name: &str, svg: String) -> Done {
        if let Some(plots) = self.plots {
            std::fs::create_dir_all(plots)?;
            std::fs::write(plots.join(name), svg)?;
        }
        Ok(())
    }

    fn policy(&self, scheme: &str, columns: usize) -> Result<PathBuf, Box<dyn std::error::Error>> {
        policy(self.folder, &self.table, scheme, &COLUMNS[..columns])
    }

    /// Figs. 11b and 12: seconds and cost by scheme and k.
    fn schemes(&self, budget: u64) -> Done {
        for loss in ["dm", "hdm"] {
            let upper = loss.to_uppercase();
            println!("\n## {upper} by scheme and k, four columns\n");
            println!("| scheme | k | cost | stop | seconds | peak MB |");
            println!("| --- | --- | --- | --- | --- | --- |");
            let (mut costs, mut times): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
            for scheme in SCHEMES {
                let policy = self.policy(scheme, 4)?;
                let (mut cost, mut time) = (Vec::new(), Vec::new());
                for k in KS {
                    let found = search(&policy, loss, k, "auto", budget, &[])?;
                    println!(
                        "| {scheme} | {k} | {} | {} | {:.3} | {:.0} |",
                        found.cost, found.stop, found.seconds, found.megabytes
                    );
                    cost.push((k as f64, found.cost));
                    time.push((k as f64, found.seconds));
                }
                costs.push((scheme.to_string(), cost));
                times.push((scheme.to_string(), time));
            }
            let title = format!("{upper} by scheme and k, four columns");
            self.draw(&format!("li-cost-{loss}.svg"), plot(&title, &costs))?;
            let title = format!("Seconds to the proof by scheme and k, {upper}, four columns");
            self.draw(&format!("li-scheme-k-{loss}.svg"), plot(&title, &times))?;
        }
        Ok(())
    }

    /// Fig. 10: seconds by direction and k, and by direction and number of columns.
    fn directions(&self, budget: u64) -> Done {
        let row = |policy: &Path,
                   k,
                   lines: &mut [Line],
                   x: f64|
         -> Result<String, Box<dyn std::error::Error>> {
            let mut row = String::new();
            for (way, line) in WAYS.iter().zip(lines) {
                let found = search(policy, "hdm", k, way, budget, &[])?;
                write!(row, " {} |", found.shown())?;
                line.1.push((x, found.seconds));
            }
            Ok(row)
        };
        let (mut by_k, mut by_columns): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
        println!("\n## Direction, HDM, {budget} s at most\n");
        println!("| scheme | columns | k | bottom-up s | top-down s | auto (both ways) s |");
        println!("| --- | --- | --- | --- | --- | --- |");
        for scheme in ["ordered", "set"] {
            let empty = || {
                WAYS.map(|way| (format!("{scheme} {way}"), Vec::new()))
                    .to_vec()
            };
            let mut lines = empty();
            for k in KS {
                let row = row(&self.policy(scheme, 4)?, k, &mut lines, k as f64)?;
                println!("| {scheme} | 4 | {k} |{row}");
            }
            by_k.append(&mut lines);
            let mut lines = empty();
            for columns in 2..=5 {
                let row = row(
                    &self.policy(scheme, columns)?,
                    10,
                    &mut lines,
                    columns as f64,
                )?;
                println!("| {scheme} | {columns} | 10 |{row}");
            }
            by_columns.append(&mut lines);
        }
        let title = "Seconds by direction and k, HDM, four columns";
        self.draw("li-direction-k.svg", plot(title, &by_k))?;
        let title = "Seconds by direction and number of columns, HDM, k = 10";
        self.draw("li-direction-columns.svg", plot(title, &by_columns))
    }

    /// Fig. 13: the time with each device off, k = 10.
    fn devices(&self, budget: u64) -> Done {
        let policies = [self.policy("set", 4)?, self.policy("guided-ordered", 5)?];
        println!("\n## Time with each device off, k = 10, {budget} s at most\n");
        println!(
            "| device | DM, set, 4 columns s | HDM, set, 4 columns s | DM, guided-ordered, 5 columns s | HDM, guided-ordered, 5 columns s |"
        );
        println!("| --- | --- | --- | --- | --- |");
        let mut drawn = Vec::new();
        for (name, set) in [
            ("all on", &[][..]),
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
        ] {
            let mut line = format!("| {name} |");
            let mut sum = 0.0;
            for policy in &policies {
                for loss in ["dm", "hdm"] {
                    let found = search(policy, loss, 10, "auto", budget, set)?;
                    write!(line, " {} |", found.shown())?;
                    sum += found.seconds;
                }
            }
            println!("{line}");
            drawn.push((name.to_string(), sum));
        }
        let title = format!(
            "Seconds of the four searches together with a device off (each {budget} at most)"
        );
        self.draw("li-devices.svg", bars(&title, &drawn))
    }

    /// The level scheme beside MinGen, in one run.
    fn levels(&self, budget: u64) -> Done {
        println!("\n## Level: beside MinGen, seven columns, least of five runs\n");
        println!("| loss | k | suppression | cost | MinGen's cost | seconds | MinGen's |");
        println!("| --- | --- | --- | --- | --- | --- | --- |");
        let policy = self.policy("level", COLUMNS.len())?;
        for loss in ["dm", "hdm", "lm", "prec"] {
            for (k, limit) in [(2, 1.0), (10, 1.0), (100, 1.0), (10, 0.05), (10, 0.0)] {
                let mut best = [f64::INFINITY; 2];
                let mut costs = [f64::NAN; 2];
                for _ in 0..5 {
                    for (place, algorithm) in ["optimal", "mingen"].iter().enumerate() {
                        let set = [
                            format!("search.algorithm={algorithm}"),
                            format!("search.loss={loss}"),
                            format!("search.budget={budget}s"),
                            format!("privacy.k={k}"),
                            format!("suppression.limit={limit:?}"),
                        ];
                        let made: Value = serde_json::from_str(&coarsen(&policy, &set)?.stdout)?;
                        let seconds = made["seconds"]["search"].as_f64().unwrap_or(f64::NAN);
                        best[place] = best[place].min(seconds);
                        costs[place] = made["loss"][loss].as_f64().unwrap_or(f64::NAN);
                    }
                }
                println!(
                    "| {loss} | {k} | {limit} | {} | {} | {:.4} | {:.4} |",
                    costs[0], costs[1], best[0], best[1]
                );
            }
        }
        Ok(())
    }

    /// Age with each of its values: far more releases, and a proof all the same.
    fn ages(&self, budget: u64) -> Done {
        println!("\n## Age with each of its values, ordered, four columns, k = 10\n");
        println!("| loss | cost | seconds | peak MB |");
        println!("| --- | --- | --- | --- |");
        let table = adult_folder()?.join("train.csv");
        let policy = policy(self.folder, &table, "ordered", &COLUMNS[..4])?;
        for loss in ["dm", "hdm", "lm"] {
            let found = search(&policy, loss, 10, "auto", budget, &[])?;
            println!(
                "| {loss} | {} | {} | {:.0} |",
                found.cost,
                found.shown(),
                found.megabytes
            );
        }
        Ok(())
    }

    /// Fig. 11a and beyond: how far the proof reaches.
    fn columns(&self, budget: u64) -> Done {
        let mut times = Vec::new();
        println!("\n## More columns, k = 10, {budget} s at most\n");
        println!("| scheme | loss | columns | cost | stop | gap | seconds | peak MB |");
        println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for (scheme, loss) in SCHEMES.iter().flat_map(|s| [(s, "dm"), (s, "hdm")]) {
            let mut time = Vec::new();
            for count in 4..=COLUMNS.len() {
                let found = search(&self.policy(scheme, count)?, loss, 10, "auto", budget, &[])?;
                println!(
                    "| {scheme} | {loss} | {count} | {} | {} | {:.1} % | {:.2} | {:.0} |",
                    found.cost,
                    found.stop,
                    found.gap(),
                    found.seconds,
                    found.megabytes
                );
                time.push((count as f64, found.seconds));
            }
            times.push((format!("{scheme} {loss}"), time));
        }
        let title = format!("Seconds by scheme and number of columns, k = 10, {budget} at most");
        self.draw("li-columns.svg", plot(&title, &times))
    }
}

fn search(
    policy: &Path,
    loss: &str,
    k: u64,
    way: &str,
    budget: u64,
    devices: &[&str],
) -> Result<Found, Box<dyn std::error::Error>> {
    let mut set = vec![
        format!("search.loss={loss}"),
        format!("privacy.k={k}"),
        format!("search.budget={budget}s"),
        format!("search.optimal.direction={way}"),
    ];
    set.extend(
        devices
            .iter()
            .map(|device| format!("search.optimal.{device}")),
    );
    let taken = coarsen(policy, &set)?;
    let made: Value = serde_json::from_str(&taken.stdout)?;
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    Ok(Found {
        cost: number(&made["loss"][loss]),
        stop: made["stop"].as_str().unwrap_or_default().to_string(),
        bound: number(&made["bound"]),
        seconds: number(&made["seconds"]["search"]),
        megabytes: taken.megabytes,
    })
}

/// Adult with each age at the lower end of its interval: 17, 22, …, 87.
fn intervals(folder: &Path) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(adult_folder()?.join("train.csv"))?;
    let mut lines = text.lines();
    let mut table = format!("{}\n", lines.next().unwrap_or_default());
    for line in lines.filter(|line| !line.is_empty()) {
        let (age, rest) = line
            .split_once(',')
            .ok_or("a row of Adult begins with the age")?;
        let age: i64 = age.trim().parse()?;
        writeln!(table, "{},{rest}", 17 + (age - 17) / 5 * 5)?;
    }
    let path = folder.join("adult.csv");
    std::fs::write(&path, table)?;
    Ok(path)
}

fn policy(
    folder: &Path,
    table: &Path,
    scheme: &str,
    columns: &[&str],
) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let data = adult_folder()?;
    let header = std::fs::read_to_string(table)?;
    let header = header.lines().next().unwrap_or_default();
    let mut policy = format!(
        "version = 1\ninput = {{ path = {table:?} }}\noutput = {{ path = \"release.csv\" }}\n\n[columns]\n"
    );
    for name in header.split(',') {
        if !columns.contains(&name) {
            writeln!(policy, "{name} = {{ role = \"other\" }}")?;
            continue;
        }
        let large = ["age", "education", "native-country"].contains(&name);
        let scheme = if large && scheme == "set" {
            "ordered"
        } else {
            scheme
        };
        let hierarchy = match name {
            "age" => "intervals = [10, 20, 40], origin = 17".to_string(),
            _ => format!(
                "file = {:?}",
                data.join(format!("adult_hierarchy_{name}.csv"))
            ),
        };
        let kind = if name == "age" {
            ", type = \"integer\""
        } else {
            ""
        };
        writeln!(
            policy,
            "{name} = {{ role = \"quasi-identifier\"{kind}, scheme = \"{scheme}\", hierarchy = {{ {hierarchy} }} }}"
        )?;
    }
    policy +=
        "\n[privacy]\nk = 2\n\n[suppression]\nlimit = 1.0\n\n[search]\nalgorithm = \"optimal\"\n";
    let path = folder.join(format!("{scheme}-{}.toml", columns.len()));
    std::fs::write(&path, policy)?;
    Ok(path)
}
