//! Adult made larger by a scale σ and a novelty ρ (seed 003, section 6.2): the seconds of the index alone,
//! of the index with pruning, and of top-down, over K, σ and ρ. The plot has the seconds on a processor.

use coarsen::domain::Code;
use coarsen::synthetic::{EnlargeSettings, enlarge};

use super::curves::Panel;
use super::data::{Data, solve};
use crate::Fallible;

/// The curves: what is printed, in seconds; each time is the least of `RUNS`.
const LINES: [(&str, &str, &str); 3] = [
    ("index", "bottom-up", "mode = \"index\""),
    ("pruned", "bottom-up", "mode = \"pruned\""),
    ("top-down", "top-down", ""),
];
const RUNS: usize = 3;

fn measure(adult: &Data, scale: u64, novelty: usize, k: u64) -> Fallible<Vec<f64>> {
    let (rows, width) = (adult.codes[0].len(), adult.codes.len());
    let flat: Vec<u32> = (0..rows)
        .flat_map(|row| adult.codes.iter().map(move |column| column[row]))
        .collect();
    let sizes = adult.attributes.iter().map(|a| a.domain.size() as u32);
    let domains: Vec<u32> = sizes.collect();
    let settings = EnlargeSettings {
        scale,
        novelty,
        seed: 1,
    };
    let (codes, counts) = enlarge(&flat, &vec![1; rows], width, &domains, &settings)?;
    let columns: Vec<Vec<Code>> = (0..width)
        .map(|column| codes.chunks_exact(width).map(|row| row[column]).collect())
        .collect();
    let problem = adult.problem(&columns, counts, k)?;
    let (mut seconds, mut told, mut traces) = (Vec::new(), Vec::new(), Vec::new());
    for (_, name, settings) in LINES {
        let (mut least, mut processor) = (f64::INFINITY, f64::INFINITY);
        for run in 0..RUNS {
            let (outcome, taken) = solve(name, settings, &problem)?;
            least = least.min(taken.gone_by);
            processor = processor.min(taken.on_processor);
            if run == 0 {
                traces.push(outcome.trace);
            }
        }
        seconds.push(processor);
        told.push(format!("{least:.2} ({processor:.2})"));
    }
    if traces[0] != traces[1] {
        return Err("index and pruned took different steps".into());
    }
    println!(
        "| {scale} | {novelty} | {k} | {} | {} | {} |",
        problem.counts.total(),
        problem.counts.combinations(),
        told.join(" | ")
    );
    Ok(seconds)
}

/// The three panels of the paper's Fig. 4; the table is printed.
pub fn run(adult: &Data) -> Fallible<Vec<Panel>> {
    println!("Seconds of the search, and of these on a processor; the least of {RUNS} runs.\n");
    println!("| σ | ρ | K | rows | distinct | index | pruned | top-down |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let panel = |title: &str, points: Vec<(f64, Vec<f64>)>| {
        let line = |(place, (name, ..)): (usize, &(&'static str, &str, &str))| {
            let points = points.iter().map(|(x, seconds)| (*x, seconds[place]));
            (*name, points.collect())
        };
        Panel {
            title: title.into(),
            lines: LINES.iter().enumerate().map(line).collect(),
        }
    };
    let over_k = [50, 150, 300, 500].map(|k| Ok((k as f64, measure(adult, 30, 3, k)?)));
    let over_k: Fallible<Vec<_>> = over_k.into_iter().collect();
    let scales = [2, 10, 20, 30].map(|scale| Ok((scale as f64, measure(adult, scale, 3, 150)?)));
    let scales: Fallible<Vec<_>> = scales.into_iter().collect();
    let novelties = [1, 2, 3, 4].map(|n| Ok((n as f64, measure(adult, 30, n, 150)?)));
    let novelties: Fallible<Vec<_>> = novelties.into_iter().collect();
    Ok(vec![
        panel("K (σ = 30, ρ = 3)", over_k?),
        panel("σ (ρ = 3, K = 150)", scales?),
        panel("ρ (σ = 30, K = 150)", novelties?),
    ])
}
