//! One search after the other, each kept in a file as soon as it is done: what is there is not searched
//! again, so that the experiment can be ended and gone on with, or done in parts by several processes.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Fallible;
use crate::speed::coarsen_on;

const HEAD: &str = "table,scheme,columns,loss,k,limit,algorithm,direction,devices,budget,threads,cost,stop,bound,seconds,cpu,megabytes,load";

/// What is searched for.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    pub policy: &'a Path,
    pub table: &'a str,
    pub scheme: &'a str,
    pub columns: usize,
    pub loss: &'a str,
    pub k: u64,
    pub limit: f64,
    pub algorithm: &'a str,
    pub direction: &'a str,
    /// Settings under `search.optimal`.
    pub devices: &'a [&'a str],
    /// How often; the least time counts.
    pub runs: usize,
}

/// One search: its outcome in the loss's own figure, what it proved, how long it took.
#[derive(Clone, Debug)]
pub struct Found {
    pub cost: f64,
    pub stop: String,
    pub bound: f64,
    pub seconds: f64,
    /// Seconds on a processor, of the whole process.
    pub cpu: f64,
    pub megabytes: f64,
    pub budget: u64,
    pub threads: usize,
    /// How many processes wanted a processor when it ended.
    pub load: f64,
}

impl Found {
    /// The seconds on a processor, or the gap where there is no proof.
    pub fn shown(&self) -> String {
        match self.is_proven() {
            true => format!("{:.2}", self.cpu),
            false => format!("gap {:.1} %", self.gap()),
        }
    }

    pub fn is_proven(&self) -> bool {
        self.stop == "optimal"
    }

    pub fn gap(&self) -> f64 {
        100.0 * (self.cost - self.bound) / self.cost.max(f64::MIN_POSITIVE)
    }
}

/// The searches so far.
pub struct Searches {
    file: Option<PathBuf>,
    known: HashMap<String, Found>,
    threads: usize,
    /// Whether what is not there is searched for.
    is_live: bool,
}

impl Asked<'_> {
    fn key(&self) -> String {
        let devices = self.devices.join(" ");
        format!(
            "{},{},{},{},{},{},{},{},{devices}",
            self.table,
            self.scheme,
            self.columns,
            self.loss,
            self.k,
            self.limit,
            self.algorithm,
            self.direction,
        )
    }
}

impl Searches {
    /// Those that a file holds; none without one. With no threads given, as many as there are cores.
    pub fn new(file: Option<PathBuf>, threads: Option<usize>, is_live: bool) -> Fallible<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut searches = Searches {
            known: HashMap::new(),
            threads: threads.unwrap_or(cores),
            is_live,
            file,
        };
        let text = match &searches.file {
            Some(file) if file.exists() => std::fs::read_to_string(file)?,
            Some(file) => {
                std::fs::write(file, format!("{HEAD}\n"))?;
                String::new()
            }
            None => String::new(),
        };
        for line in text.lines().skip(1) {
            let parts: Vec<&str> = line.split(',').collect();
            let [
                ..,
                budget,
                threads,
                cost,
                stop,
                bound,
                seconds,
                cpu,
                megabytes,
                load,
            ] = parts[..]
            else {
                continue;
            };
            let found = Found {
                cost: cost.parse()?,
                stop: stop.to_string(),
                bound: bound.parse()?,
                seconds: seconds.parse()?,
                cpu: cpu.parse()?,
                megabytes: megabytes.parse()?,
                budget: budget.parse()?,
                threads: threads.parse()?,
                load: load.parse()?,
            };
            let key = parts[..parts.len() - 9].join(",");
            searches.known.insert(key, found);
        }
        Ok(searches)
    }

    /// What was found, now or before; none where it is neither there nor searched for.
    pub fn find(&mut self, asked: &Asked<'_>, budget: u64) -> Fallible<Option<Found>> {
        let key = asked.key();
        if let Some(found) = self.known.get(&key)
            && (found.is_proven() || found.budget >= budget || !self.is_live)
        {
            return Ok(Some(found.clone()));
        }
        if !self.is_live {
            return Ok(None);
        }
        let mut best: Option<Found> = None;
        for _ in 0..asked.runs.max(1) {
            let found = search(asked, budget, self.threads)?;
            if best
                .as_ref()
                .is_none_or(|best| found.seconds < best.seconds)
            {
                best = Some(found);
            }
        }
        let Some(found) = best else { return Ok(None) };
        if let Some(file) = &self.file {
            let line = format!(
                "{key},{},{},{},{},{},{:.4},{:.2},{:.0},{:.1}\n",
                found.budget,
                found.threads,
                found.cost,
                found.stop,
                found.bound,
                found.seconds,
                found.cpu,
                found.megabytes,
                found.load
            );
            // A line at a time, so that several processes can write.
            OpenOptions::new()
                .append(true)
                .open(file)?
                .write_all(line.as_bytes())?;
        }
        self.known.insert(key, found.clone());
        Ok(Some(found))
    }
}

fn search(asked: &Asked<'_>, budget: u64, threads: usize) -> Fallible<Found> {
    let Asked { loss, k, limit, .. } = asked;
    let mut set = vec![
        format!("search.algorithm={}", asked.algorithm),
        format!("search.loss={loss}"),
        format!("search.budget={budget}s"),
        format!("privacy.k={k}"),
        format!("suppression.limit={limit:?}"),
    ];
    if asked.algorithm == "optimal" {
        set.push(format!("search.optimal.direction={}", asked.direction));
        let devices = asked.devices.iter();
        set.extend(devices.map(|device| format!("search.optimal.{device}")));
    }
    let taken = coarsen_on(asked.policy, &set, Some(threads))?;
    let made: Value = serde_json::from_str(&taken.stdout)?;
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().and_then(|load| load.parse().ok());
    Ok(Found {
        cost: number(&made["loss"][loss]),
        stop: made["stop"].as_str().unwrap_or_default().to_string(),
        bound: number(&made["bound"]),
        seconds: number(&made["seconds"]["search"]),
        cpu: taken.cpu,
        megabytes: taken.megabytes,
        budget,
        threads,
        load: load.unwrap_or(f64::NAN),
    })
}
