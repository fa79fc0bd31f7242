//! Seed 000, section 5, beside ours: the genetic search on Adult for LM and for CM over k, what the other
//! single-dimensional searches lose, and what a recoding found on the training rows loses on the test rows
//! (Figs. 11 and 12). Then a million synthetic rows.
//!
//! Age and education are ordered numbers, the other six columns have our taxonomies of the sizes that seed
//! 003 gives. The paper's own figures cannot be read from the seed, but for the time: 18 hours.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Done;
use crate::measure::{Taken, run as measured, sibling};
use crate::speed::{adult_folder, coarsen};
use crate::taxonomies;

const KS: [u64; 6] = [10, 25, 50, 100, 250, 500];
const LOSSES: [&str; 2] = ["lm", "cm"];

/// What is to be measured.
pub struct Asked {
    pub iterations: u64,
    pub limit: f64,
    pub rows: u64,
    pub adult: bool,
    pub others: bool,
    pub plots: Option<PathBuf>,
}

/// One release in figures.
struct Made {
    losses: [f64; 2],
    suppressed: u64,
    search: f64,
    taken: Taken,
}

/// A loss on the test rows: of what was found there, and of what was found on the training rows.
struct Reused {
    k: u64,
    fresh: f64,
    again: f64,
    suppressed: [u64; 2],
}

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// All tables, printed; the plots, into a folder.
pub fn run(asked: &Asked) -> Done {
    let folder = tempfile::tempdir()?;
    if asked.adult {
        adult(asked, folder.path())?;
    }
    if asked.rows > 0 {
        rows(asked, folder.path())?;
    }
    Ok(())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn losses_of(made: &Value) -> [f64; 2] {
    LOSSES.map(|name| number(&made["loss"][name]))
}

fn search(policy: &Path, set: &[String]) -> Fallible<Made> {
    let taken = coarsen(policy, set)?;
    let made: Value = serde_json::from_str(&taken.stdout)?;
    Ok(Made {
        losses: losses_of(&made),
        suppressed: made["suppressed_rows"].as_u64().unwrap_or_default(),
        search: number(&made["seconds"]["search"]),
        taken,
    })
}

/// Adult's eight quasi-identifiers as the paper has them.
fn policy(folder: &Path, limit: f64) -> Fallible<PathBuf> {
    let ordered = |hierarchy: &str| {
        format!(
            "role = \"quasi-identifier\", type = \"integer\", scheme = \"ordered\", hierarchy = {{ {hierarchy} }}"
        )
    };
    let (age, education) = (
        ordered("intervals = [5, 10, 20, 40], origin = 15"),
        ordered("intervals = [2, 4, 8], origin = 1"),
    );
    let own = [
        ("age", age.as_str()),
        ("education-num", education.as_str()),
        ("education", "role = \"other\""),
    ];
    let mut text = taxonomies::policy(&adult_folder()?.join("train.csv"), &own);
    write!(
        text,
        "\n[privacy]\nk = 10\n\n[suppression]\nlimit = {limit}\n\n[search]\nalgorithm = \"genetic\"\n"
    )?;
    let path = folder.join("policy.toml");
    std::fs::write(&path, text)?;
    Ok(path)
}

fn adult(asked: &Asked, folder: &Path) -> Done {
    let Asked {
        iterations, limit, ..
    } = asked;
    let policy = policy(folder, *limit)?;
    println!(
        "\n## Adult, {iterations} iterations, {limit} of the rows may be suppressed\n\nThe paper: 18 hours for 500,000 iterations. CPU s are of all threads together.\n"
    );
    println!("| k | search | for | LM | CM | suppressed | search s | CPU s | peak MB |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut reused: [Vec<Reused>; 2] = Default::default();
    for k in KS {
        let tell = |name: &str, loss: &str, made: &Made| {
            println!(
                "| {k} | {name} | {loss} | {:.4} | {:.4} | {} | {:.2} | {:.1} | {:.0} |",
                made.losses[0],
                made.losses[1],
                made.suppressed,
                made.search,
                made.taken.cpu,
                made.taken.megabytes
            );
        };
        let set = |algorithm: &str, loss: &str| {
            vec![
                format!("privacy.k={k}"),
                format!("search.algorithm={algorithm}"),
                format!("search.loss={loss}"),
            ]
        };
        for (place, loss) in LOSSES.iter().enumerate() {
            let mut genetic = set("genetic", loss);
            genetic.push(format!("search.genetic.iterations={iterations}"));
            genetic.push("search.genetic.stagnation=0".into());
            tell("genetic", loss, &search(&policy, &genetic)?);
            reused[place].push(reuse(folder, place, k)?);
            if asked.others {
                tell("mingen", loss, &search(&policy, &set("mingen", loss))?);
            }
        }
        if !asked.others {
            continue;
        }
        for (name, more) in [
            ("bottom-up", ""),
            ("bottom-up", "refine=true"),
            ("top-down", ""),
            ("datafly", ""),
        ] {
            let mut others = set(name, "lm");
            if !more.is_empty() {
                others.push(format!("search.{name}.{more}"));
            }
            let told = format!("{name}{}", if more.is_empty() { "" } else { ", refined" });
            tell(&told, "–", &search(&policy, &others)?);
        }
    }
    for (place, loss) in LOSSES.iter().enumerate() {
        let name = loss.to_uppercase();
        println!("\n## {name} on the test rows: found there, and found on the training rows\n");
        println!(
            "| k | found on test | found on train | worse by | suppressed, found on test | on train |"
        );
        println!("| --- | --- | --- | --- | --- | --- |");
        for Reused {
            k,
            fresh,
            again,
            suppressed: [few, many],
        } in &reused[place]
        {
            println!(
                "| {k} | {fresh:.4} | {again:.4} | {:.1} % | {few} | {many} |",
                100.0 * (again / fresh - 1.0)
            );
        }
        if let Some(plots) = &asked.plots {
            std::fs::create_dir_all(plots)?;
            let file = plots.join(format!("iyengar-reuse-{loss}.svg"));
            std::fs::write(file, plot(&name, &reused[place]))?;
        }
    }
    Ok(())
}

/// Applies the recoding of the last release to the test rows: its loss, and that of a fresh search.
fn reuse(folder: &Path, place: usize, k: u64) -> Fallible<Reused> {
    let mut apply = Command::new(sibling("coarsen")?);
    apply
        .arg("apply")
        .arg(folder.join("recoding.json"))
        .arg(adult_folder()?.join("test.csv"))
        .arg("-o")
        .arg(folder.join("test-release.csv"))
        .args(["--unseen", "suppress", "--beside", "--json"]);
    let made: Value = serde_json::from_str(&measured(&mut apply)?.stdout)?;
    let suppressed = |made: &Value| made["suppressed_rows"].as_u64().unwrap_or_default();
    Ok(Reused {
        k,
        fresh: losses_of(&made["fresh"])[place],
        again: losses_of(&made)[place],
        suppressed: [suppressed(&made["fresh"]), suppressed(&made)],
    })
}

/// Reused against fresh, as in the paper's Figs. 11 and 12: on the line both are equal.
fn plot(name: &str, points: &[Reused]) -> String {
    let figures = || points.iter().flat_map(|point| [point.fresh, point.again]);
    let (least, most) = (
        figures().fold(f64::INFINITY, f64::min),
        figures().fold(f64::NEG_INFINITY, f64::max),
    );
    let margin = ((most - least) * 0.08).max(1e-6);
    let (low, high) = (least - margin, most + margin);
    let x = |figure: f64| 70.0 + 360.0 * (figure - low) / (high - low);
    let y = |figure: f64| 400.0 - 360.0 * (figure - low) / (high - low);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"470\" height=\"460\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"470\" height=\"460\" fill=\"white\"/>\n<text x=\"70\" y=\"22\" font-size=\"14\">{name} on Adult's test rows, by k</text>\n<path d=\"M70 40V400H430\" fill=\"none\" stroke=\"#888\"/>\n<path d=\"M70 400L430 40\" stroke=\"#bbb\"/>\n<text x=\"250\" y=\"440\" text-anchor=\"middle\">found on the test rows</text>\n<text x=\"16\" y=\"220\" text-anchor=\"middle\" transform=\"rotate(-90 16 220)\">found on the training rows</text>\n"
    );
    for figure in [least, most] {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"416\" text-anchor=\"middle\">{figure:.3}</text>\n<text x=\"64\" y=\"{:.1}\" text-anchor=\"end\">{figure:.3}</text>\n",
            x(figure),
            y(figure) + 4.0
        );
    }
    for Reused {
        k, fresh, again, ..
    } in points
    {
        let (x, y) = (x(*fresh), y(*again));
        svg += &format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#1b6ca8\"/>\n<text x=\"{:.1}\" y=\"{:.1}\">{k}</text>\n",
            x + 7.0,
            y - 5.0
        );
    }
    svg + "</svg>\n"
}

/// Many distinct rows: how long an iteration takes, and how much memory, all rows and a sample.
fn rows(asked: &Asked, folder: &Path) -> Done {
    const ITERATIONS: [u64; 2] = [0, 2000];
    let rows = asked.rows;
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
    println!(
        "\n## {rows} synthetic rows, quasi-identifiers {}\n",
        columns.join(", ")
    );
    println!("| rows searched | loss | LM | CM | search s | CPU s | s an iteration | peak MB |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
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
        println!(
            "| {:.0} | {loss} | {:.4} | {:.4} | {:.1} | {:.1} | {:.4} | {:.0} |",
            rows as f64 * sample,
            all.losses[0],
            all.losses[1],
            all.search,
            all.taken.cpu,
            (all.search - none.search) / ITERATIONS[1] as f64,
            all.taken.megabytes
        );
    }
    Ok(())
}
