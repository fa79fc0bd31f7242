//! The proven optimum on Adult (seed 004, section 5, Figs. 10 to 13): age in 15 intervals of five
//! years, marital status, race and sex; then education, work-class and country, one at a time.
//!
//! Suppression is free, as in the paper, and its cost is the loss's own. Under `set` age is ordered, and
//! so are education and country, whose sets nobody can search. Seconds are those of the search alone.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

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
const WAYS: [&str; 2] = ["bottom-up", "top-down"];

/// One search: its outcome in the loss's own figure, what it proved, how long it took.
struct Found {
    cost: f64,
    stop: String,
    bound: f64,
    seconds: f64,
    megabytes: f64,
}

/// A line of a plot.
type Line = (String, Vec<(f64, f64)>);

/// All tables, printed; all plots, into a folder.
pub fn run(budget: u64, long_budget: u64, quick: bool, plots: Option<&Path>) -> Done {
    let folder = tempfile::tempdir()?;
    let table = intervals(folder.path())?;
    let draw = |name: &str, title: &str, lines: &[Line]| -> Done {
        if let Some(plots) = plots {
            std::fs::create_dir_all(plots)?;
            std::fs::write(plots.join(name), plot(title, lines))?;
        }
        Ok(())
    };
    for loss in ["dm", "hdm"] {
        println!("\n## {} by scheme and k\n", loss.to_uppercase());
        println!("| scheme | k | cost | stop | bottom-up s | top-down s | peak MB |");
        println!("| --- | --- | --- | --- | --- | --- | --- |");
        let (mut costs, mut times): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
        for scheme in SCHEMES {
            let policy = policy(folder.path(), &table, scheme, &COLUMNS[..4])?;
            let mut cost = Vec::new();
            let mut time = [Vec::new(), Vec::new()];
            for k in KS {
                let found = [
                    search(&policy, loss, k, WAYS[0], budget, &[])?,
                    search(&policy, loss, k, WAYS[1], budget, &[])?,
                ];
                let [up, down] = &found;
                println!(
                    "| {scheme} | {k} | {} | {} | {:.3} | {:.3} | {:.0} |",
                    up.cost,
                    up.stop,
                    up.seconds,
                    down.seconds,
                    up.megabytes.max(down.megabytes)
                );
                cost.push((k as f64, up.cost));
                for (time, found) in time.iter_mut().zip(&found) {
                    time.push((k as f64, found.seconds));
                }
            }
            costs.push((scheme.to_string(), cost));
            for (time, way) in time.into_iter().zip(WAYS) {
                times.push((format!("{scheme} {way}"), time));
            }
        }
        let title = format!("{} by scheme and k", loss.to_uppercase());
        draw(&format!("li-cost-{loss}.svg"), &title, &costs)?;
        let title = format!("Seconds to the proof, {}", loss.to_uppercase());
        draw(&format!("li-seconds-{loss}.svg"), &title, &times)?;
    }
    devices(
        &policy(folder.path(), &table, "set", &COLUMNS[..4])?,
        budget,
    )?;
    if !quick {
        let mut times = Vec::new();
        println!("\n## More columns, k = 10, {long_budget} s at most\n");
        println!("| scheme | loss | columns | direction | cost | stop | gap | seconds | peak MB |");
        println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (scheme, loss) in SCHEMES.iter().flat_map(|s| [(s, "dm"), (s, "hdm")]) {
            let mut time = Vec::new();
            for count in 4..=COLUMNS.len() {
                let policy = policy(folder.path(), &table, scheme, &COLUMNS[..count])?;
                match search(&policy, loss, 10, "auto", long_budget, &[]) {
                    Ok(found) => {
                        println!(
                            "| {scheme} | {loss} | {count} | auto | {} | {} | {:.2} % | {:.2} | {:.0} |",
                            found.cost,
                            found.stop,
                            100.0 * (found.cost - found.bound) / found.cost.max(f64::MIN_POSITIVE),
                            found.seconds,
                            found.megabytes
                        );
                        time.push((count as f64, found.seconds));
                    }
                    Err(_) => {
                        println!(
                            "| {scheme} | {loss} | {count} | auto | | refused: too large | | | |"
                        );
                    }
                }
            }
            times.push((format!("{scheme} {loss}"), time));
        }
        draw(
            "li-columns.svg",
            "Seconds by number of columns, k = 10",
            &times,
        )?;
    }
    Ok(())
}

/// The time with each device off, k = 10.
fn devices(policy: &Path, budget: u64) -> Done {
    println!("\n## Time with each device off, scheme `set`, k = 10\n");
    println!("| device | DM bottom-up s | DM top-down s | HDM bottom-up s | HDM top-down s |");
    println!("| --- | --- | --- | --- | --- |");
    for (name, set) in [
        ("all on", &[][..]),
        ("node pruning off", &["prune_nodes=false"]),
        ("useless applicators kept", &["prune_useless=false"]),
        ("the same, deferred", &["prune_useless=false", "defer=true"]),
        ("useful applicators not known", &["prune_useful=false"]),
        ("no seeds", &["seeds=0"]),
        ("oldest node first", &["order_nodes=false"]),
        ("columns in the table's order", &["order_columns=false"]),
        ("smallest column solved", &["solve_column=false"]),
    ] {
        let mut line = format!("| {name} |");
        for loss in ["dm", "hdm"] {
            for way in WAYS {
                let found = search(policy, loss, 10, way, budget, set)?;
                let note = if found.stop == "optimal" {
                    ""
                } else {
                    " (not proven)"
                };
                write!(line, " {:.2}{note} |", found.seconds)?;
            }
        }
        println!("{line}");
    }
    Ok(())
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

/// Lines over k or over the number of columns, as an SVG.
fn plot(title: &str, lines: &[Line]) -> String {
    const COLOURS: [&str; 6] = [
        "#1b6ca8", "#d1495b", "#2e933c", "#8d6a9f", "#e08e1b", "#444444",
    ];
    let points = || lines.iter().flat_map(|(_, points)| points);
    let most = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(0.0, f64::max);
    let (widest, highest) = (most(|p| p.0).max(1.0), most(|p| p.1).max(f64::MIN_POSITIVE));
    let at = |(x, y): &(f64, f64)| (60.0 + 420.0 * x / widest, 300.0 - 250.0 * y / highest);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"340\" font-family=\"sans-serif\" font-size=\"11\">\n<text x=\"60\" y=\"24\" font-size=\"14\">{title}</text>\n<path d=\"M60 50V300H480\" fill=\"none\" stroke=\"#888\"/>\n<text x=\"4\" y=\"54\">{highest:.3}</text>\n<text x=\"40\" y=\"304\">0</text>\n"
    );
    let mut ticks: Vec<f64> = points().map(|p| p.0).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    for tick in ticks {
        let (x, _) = at(&(tick, 0.0));
        svg += &format!("<text x=\"{x:.1}\" y=\"318\" text-anchor=\"middle\">{tick}</text>\n");
    }
    for (place, (name, points)) in lines.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let dashes = ["", " stroke-dasharray=\"5 3\""][place / COLOURS.len() % 2];
        let path: Vec<String> = points
            .iter()
            .map(|point| format!("{:.1},{:.1}", at(point).0, at(point).1))
            .collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dashes}/>\n<text x=\"500\" y=\"{}\" fill=\"{colour}\">{name}</text>\n",
            path.join(" "),
            60 + place * 16
        );
    }
    svg + "</svg>\n"
}
