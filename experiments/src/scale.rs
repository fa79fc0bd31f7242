//! Time and memory over the number of rows: Datafly, and Mondrian in passes, under a memory limit, beside
//! DataFusion's own scan, group and write of the same file in the same run.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Done;
use crate::baseline::QUASI_IDENTIFIERS;
use crate::measure::{run, sibling};
use crate::report::{Findings, Plot, Table};
use crate::speed::coarsen;

/// What is asked for.
pub struct Asked {
    /// How many rows, one table after another.
    pub rows: Vec<u64>,
    /// The most rows that Mondrian is run on.
    pub mondrian: u64,
    /// The memory limit.
    pub memory: String,
    /// Where tables are made, and removed again.
    pub scratch: Option<PathBuf>,
    /// Where tables and plots go.
    pub out: Option<PathBuf>,
}

/// A way that was measured.
struct Way {
    name: String,
    seconds: Vec<(f64, f64)>,
    megabytes: Vec<(f64, f64)>,
}

/// Measures every size, and prints what it found as it goes.
pub fn measure(asked: &Asked) -> Done {
    let temporary = tempfile::tempdir()?;
    let folder = asked.scratch.as_deref().unwrap_or(temporary.path());
    std::fs::create_dir_all(folder)?;
    let columns = [
        "rows",
        "way",
        "read s",
        "count s",
        "search s",
        "write s",
        "audit s",
        "whole process s",
        "processor s",
        "peak MB",
        "classes",
        "times DataFusion",
    ];
    let title = format!("k = 25, memory = {}, Parquet", asked.memory);
    let mut table = Table::new("scale", title, columns.map(String::from).to_vec());
    let way = |name: &str| Way {
        name: name.to_string(),
        seconds: Vec::new(),
        megabytes: Vec::new(),
    };
    let mut ways = [
        way("DataFusion alone"),
        way("Datafly"),
        way("Mondrian in passes"),
    ];
    for rows in &asked.rows {
        let input = folder.join(format!("rows-{rows}.parquet"));
        let mut generate = Command::new(sibling("coarsen")?);
        generate.args([
            "generate",
            "agrawal",
            "--function",
            "2",
            "--force",
            "--rows",
        ]);
        let made = run(generate.arg(rows.to_string()).arg("-o").arg(&input))?;
        let megabytes = std::fs::metadata(&input)?.len() as f64 / 1e6;
        table.notes.push(format!(
            "{rows} rows: {megabytes:.0} MB of Parquet, made in {:.0} s.",
            made.seconds
        ));

        let output = folder.join("alone.parquet");
        let mut alone = Command::new(std::env::current_exe()?);
        let taken = run(alone.arg("baseline").arg(&input).arg(&output))?;
        std::fs::remove_file(&output)?;
        let parts: Value = serde_json::from_str(&taken.stdout)?;
        let figure = |name: &str| format!("{:.1}", parts[name].as_f64().unwrap_or(f64::NAN));
        let alone = taken.seconds;
        table.rows.push(vec![
            rows.to_string(),
            ways[0].name.clone(),
            figure("read"),
            figure("group"),
            String::new(),
            figure("write"),
            String::new(),
            format!("{:.1}", taken.seconds),
            format!("{:.1}", taken.cpu),
            format!("{:.0}", taken.megabytes),
            String::new(),
            "1.00".into(),
        ]);
        ways[0].note(*rows, taken.seconds, taken.megabytes);
        print_last(&table);

        for (place, policy) in [(1, datafly(&input)), (2, mondrian(&input))] {
            if place == 2 && *rows > asked.mondrian {
                continue;
            }
            let path = folder.join("policy.toml");
            std::fs::write(&path, policy)?;
            let taken = coarsen(&path, &[format!("engine.memory=\"{}\"", asked.memory)])?;
            std::fs::remove_file(folder.join("release.parquet"))?;
            let made: Value = serde_json::from_str(&taken.stdout)?;
            let figure = |name: &str| {
                let seconds = made["seconds"][name].as_f64().unwrap_or(f64::NAN);
                format!("{seconds:.1}")
            };
            table.rows.push(vec![
                rows.to_string(),
                ways[place].name.clone(),
                figure("read"),
                figure("count"),
                figure("search"),
                figure("write"),
                figure("audit"),
                format!("{:.1}", taken.seconds),
                format!("{:.1}", taken.cpu),
                format!("{:.0}", taken.megabytes),
                made["classes"].to_string(),
                format!("{:.2}", taken.seconds / alone),
            ]);
            ways[place].note(*rows, taken.seconds, taken.megabytes);
            print_last(&table);
        }
        std::fs::remove_file(&input)?;
    }
    let Some(out) = &asked.out else {
        return Ok(());
    };
    let plot = |name: &'static str, title: &str, of: fn(&Way) -> &Vec<(f64, f64)>| Plot {
        title: title.to_string(),
        name,
        across: "rows",
        lines: ways
            .iter()
            .map(|way| (way.name.clone(), of(way).clone()))
            .collect(),
    };
    let plots = [
        plot("seconds", "seconds, whole process", |way| &way.seconds),
        plot("memory", "peak resident memory, MB", |way| &way.megabytes),
    ];
    let mut findings = Findings::default();
    findings.table(table);
    plots.iter().for_each(|plot| findings.plot(plot));
    findings.write(out, HEAD)
}

const HEAD: &str = "# Time and memory over the number of rows\n\n\
    `cargo run --release -p experiments -- scale --out experiments/scale`: seed 001's synthetic table; Datafly on\n\
    age, elevel, car, zipcode and hyears, Mondrian in passes on these and salary. DataFusion alone groups by\n\
    the five (count), writes all rows, and reads them back (read). Processor seconds are those of all threads\n\
    together, which others on the machine do not lengthen as they do the rest.\n";

impl Way {
    fn note(&mut self, rows: u64, seconds: f64, megabytes: f64) {
        self.seconds.push((rows as f64, seconds));
        self.megabytes.push((rows as f64, megabytes));
    }
}

fn print_last(table: &Table) {
    if table.rows.len() == 1 {
        println!("| {} |", table.columns.join(" | "));
        println!("| {} |", vec!["---"; table.columns.len()].join(" | "));
    }
    let last = table.rows.last().map(|row| row.join(" | "));
    println!("| {} |", last.unwrap_or_default());
}

fn policy(input: &Path, quasi: &[(&str, &str)], others: &[&str], search: &str) -> String {
    let quasi = quasi
        .iter()
        .map(|(name, more)| format!("{name} = {{ role = \"quasi-identifier\"{more} }}\n"));
    let others = others
        .iter()
        .map(|name| format!("{name} = {{ role = \"other\" }}\n"));
    let columns: String = quasi.chain(others).collect();
    format!(
        "version = 1\ninput = {{ path = {input:?} }}\noutput = {{ path = \"release.parquet\" }}\n\n\
         [columns]\n{columns}\n[privacy]\nk = 25\n\n{search}"
    )
}

fn datafly(input: &Path) -> String {
    let levels = |name: &str| match name {
        "age" => ", hierarchy = { intervals = [5, 10, 20] }",
        "car" | "hyears" => ", hierarchy = { intervals = [5, 10] }",
        "zipcode" => ", hierarchy = { intervals = [5] }",
        _ => "",
    };
    let quasi = QUASI_IDENTIFIERS.map(|name| (name, levels(name)));
    let others = ["salary", "commission", "hvalue", "loan", "group"];
    policy(
        input,
        &quasi,
        &others,
        "[search]\nalgorithm = \"datafly\"\n",
    )
}

fn mondrian(input: &Path) -> String {
    let mut quasi: Vec<(&str, &str)> = QUASI_IDENTIFIERS.map(|name| (name, "")).to_vec();
    quasi.push(("salary", ""));
    let others = ["commission", "hvalue", "loan", "group"];
    let search = "[search]\nalgorithm = \"mondrian\"\nmondrian = { split = \"median\" }\n\n[engine]\npasses = true\n";
    policy(input, &quasi, &others, search)
}
