//! Seed 003, section 6, beside ours: Adult with seven categorical quasi-identifiers over K, and the
//! enlarged data over K, σ and ρ, as tables and as an SVG plot. The search runs in this process, so
//! that its time is all that is measured: index, generalization and trace, without reading the file.

use std::path::Path;
use std::time::Instant;

use coarsen::counts::{Counts, Entries, TallyColumn};
use coarsen::domain::hierarchy::{Description, RawColumn, build};
use coarsen::domain::{Attribute, AttributeSettings, Code, Value};
use coarsen::loss;
use coarsen::policy::{HierarchySpec, Policy, Scheme, SuppressionMode};
use coarsen::privacy::{enforce, requirements};
use coarsen::problem::{Allowance, Problem};
use coarsen::recoding::Recoding;
use coarsen::search::{self, Outcome, Run};
use coarsen::synthetic::{EnlargeSettings, enlarge};
use coarsen::workload::{Target, Workload};

use crate::Done;
use crate::decision_tree::{Example, Tree};
use crate::taxonomies::{TABLE_1, Taxonomy};

const COLUMNS: [&str; 7] = [
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
];
const LABEL: &str = "salary-class";

/// Which hierarchies.
#[derive(Clone, Copy)]
enum Trees {
    /// Ours, of the paper's sizes.
    Paper,
    /// Those that come with the data, which are flatter.
    Shipped,
}

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// The columns of a file that are asked for, cell by cell.
fn read(path: &Path, names: &[&str]) -> Fallible<Vec<Vec<String>>> {
    let text = std::fs::read_to_string(path)?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let place = |name: &&str| header.iter().position(|cell| cell == name);
    let places: Option<Vec<usize>> = names.iter().map(place).collect();
    let places = places.ok_or("a column of Adult is missing")?;
    let mut columns = vec![Vec::new(); names.len()];
    for line in lines.filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split(',').collect();
        for (column, place) in columns.iter_mut().zip(&places) {
            column.push(cells.get(*place).copied().unwrap_or_default().to_string());
        }
    }
    Ok(columns)
}

/// Adult with its trees: the training rows first, then the test rows.
struct Adult {
    attributes: Vec<Attribute>,
    label: TallyColumn,
    /// The codes of each column, the label's last.
    codes: Vec<Vec<Code>>,
    training: usize,
}

impl Adult {
    fn read(folder: &Path, trees: Trees) -> Fallible<Self> {
        let names: Vec<&str> = COLUMNS.into_iter().chain([LABEL]).collect();
        let mut cells = read(&folder.join("train.csv"), &names)?;
        let training = cells[0].len();
        for (all, test) in cells
            .iter_mut()
            .zip(read(&folder.join("test.csv"), &names)?)
        {
            all.extend(test);
        }
        let mut adult = Adult {
            attributes: Vec::new(),
            label: TallyColumn {
                name: LABEL.into(),
                domain: Self::built(LABEL, &cells[7], None)?.domain,
                hierarchy: None,
            },
            codes: Vec::new(),
            training,
        };
        for (name, cells) in names.iter().zip(&cells) {
            let layout = match (*name, trees) {
                (LABEL, _) => None,
                (_, Trees::Paper) => TABLE_1
                    .iter()
                    .find(|t| t.column == *name)
                    .map(Taxonomy::path),
                (_, Trees::Shipped) => Some(folder.join(format!("adult_hierarchy_{name}.csv"))),
            };
            let layout = layout.map(std::fs::read_to_string).transpose()?;
            let built = Self::built(name, cells, layout.as_deref())?;
            adult.codes.push(built.code_of);
            if *name != LABEL {
                adult.attributes.push(Attribute {
                    name: name.to_string(),
                    domain: built.domain,
                    hierarchy: built.hierarchy,
                    settings: AttributeSettings {
                        scheme: Scheme::Cut,
                        ..AttributeSettings::default()
                    },
                });
            }
        }
        Ok(adult)
    }

    fn built(
        name: &str,
        cells: &[String],
        layout: Option<&str>,
    ) -> Fallible<coarsen::domain::hierarchy::Built> {
        let cells: Vec<Option<Value>> =
            cells.iter().map(|c| Some(Value::Text(c.clone()))).collect();
        let file = HierarchySpec::File {
            path: "hierarchy.csv".into(),
        };
        let description = Description {
            hierarchy: layout.map(|_| &file),
            layout,
            ..Description::default()
        };
        let column = RawColumn {
            name,
            cells: &cells,
            rows: &vec![1; cells.len()],
        };
        Ok(build(column, description)?)
    }

    /// The problem of some rows: codes column by column, and how many rows each entry stands for.
    fn problem(&self, codes: &[Vec<Code>], rows: Vec<u64>, k: u64) -> Fallible<Problem> {
        let entries = Entries {
            codes: codes[..7].to_vec(),
            tallied: vec![codes[7].clone()],
            rows,
        };
        let counts = Counts::build(entries, vec![self.label.clone()]).0;
        let mut policy = Policy::default();
        policy.privacy.k = k;
        let target = Target {
            tally: 0,
            weight: 1.0,
            numeric: false,
            costs: None,
        };
        let workload = Workload {
            targets: vec![target],
            ..Workload::default()
        };
        let demands = requirements(&policy, counts.tallies())?;
        let allowance = Allowance {
            rows: 0,
            mode: SuppressionMode::Drop,
        };
        let entropy = loss::find("conditional-entropy").ok_or("there is no such loss")?;
        let attributes = self.attributes.clone();
        Ok(Problem::new(
            attributes, counts, demands, allowance, entropy, workload,
        )?)
    }

    fn part(&self, training: bool) -> Vec<Vec<Code>> {
        let range = match training {
            true => 0..self.training,
            false => self.training..self.codes[0].len(),
        };
        self.codes
            .iter()
            .map(|codes| codes[range.clone()].to_vec())
            .collect()
    }

    /// Rows as examples, each code replaced by its block.
    fn examples(&self, codes: &[Vec<Code>], blocks: &dyn Fn(usize, Code) -> u32) -> Vec<Example> {
        let mut sums = std::collections::BTreeMap::new();
        for row in 0..codes[0].len() {
            let values: Vec<u32> = (0..7)
                .map(|column| blocks(column, codes[column][row]))
                .collect();
            let labels = sums
                .entry(values)
                .or_insert(vec![0u64; self.label.domain.size()]);
            labels[codes[7][row] as usize] += 1;
        }
        sums.into_iter().collect()
    }

    /// The test error of a tree that is learned and tested on recoded rows.
    fn error(&self, blocks: &dyn Fn(usize, Code) -> u32) -> f64 {
        let tree = Tree::learn(&self.examples(&self.part(true), blocks), 7);
        tree.error(&self.examples(&self.part(false), blocks))
    }
}

fn solve(name: &str, settings: &str, problem: &Problem) -> Fallible<(Outcome, f64)> {
    let algorithm = search::find(name).ok_or("no such algorithm")?;
    let search = (algorithm.build)(Some(&toml::from_str(settings)?))?;
    let start = Instant::now();
    let outcome = search.search(problem, &Run::new(1))?;
    Ok((outcome, start.elapsed().as_secs_f64()))
}

/// Adult and the enlarged data; the plot goes to `svg`.
pub fn run(quick: bool, svg: Option<&Path>) -> Done {
    let data = std::env::var_os("COARSEN_DATA")
        .ok_or("set COARSEN_DATA to the folder that holds adult/train.csv")?;
    let folder = Path::new(&data).join("adult");
    over_k(&Adult::read(&folder, Trees::Shipped)?)?;
    let adult = Adult::read(&folder, Trees::Paper)?;
    over_k(&adult)?;
    if !quick {
        let curves = enlarged(&adult)?;
        if let Some(path) = svg {
            std::fs::write(path, plot(&curves))?;
        }
    }
    Ok(())
}

fn over_k(adult: &Adult) -> Done {
    let baseline = adult.error(&|_, code| code);
    let worst = adult.error(&|_, _| 0);
    println!(
        "test error without generalization {:.2} %, with everything suppressed {:.2} %\n",
        100.0 * baseline,
        100.0 * worst
    );
    println!(
        "| K | algorithm | seconds | steps | classes | LM | conditional entropy | test error % | above baseline |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let codes = adult.part(true);
    for k in [10, 20, 50, 100, 150, 200, 300, 400, 500] {
        let problem = adult.problem(&codes, vec![1; adult.training], k)?;
        for (name, settings) in [
            ("bottom-up", ""),
            ("bottom-up", "refine = true"),
            ("bottom-up", "refine = true\nvariant = \"annealed\""),
            ("top-down", ""),
        ] {
            let (outcome, seconds) = solve(name, settings, &problem)?;
            let mut classes = outcome
                .recoding
                .classes(&problem.attributes, &problem.counts);
            enforce(
                &problem.counts,
                &problem.requirements,
                SuppressionMode::Drop,
                &mut classes,
            );
            let cost = |name: &str| {
                let entry = loss::find(name);
                entry.and_then(|entry| entry.loss.cost(&problem, &classes))
            };
            let Recoding::Partitions(made) = &outcome.recoding else {
                return Err("not a partition".into());
            };
            let error = adult.error(&|column, code| made.columns[column].block_of[code as usize]);
            let shaken = match settings {
                "" => "",
                "refine = true" => ", refined",
                _ => ", refined and annealed",
            };
            println!(
                "| {k} | {name}{shaken} | {seconds:.3} | {} | {} | {:.4} | {:.4} | {:.2} | {:+.2} |",
                outcome.trace.len() - 1,
                classes.len(),
                cost("lm").unwrap_or(f64::NAN),
                cost("conditional-entropy").unwrap_or(f64::NAN),
                100.0 * error,
                100.0 * (error - baseline),
            );
        }
    }
    Ok(())
}

/// A panel's name, and for each point: what varies, seconds with the index alone, seconds pruned.
type Curve = (&'static str, Vec<(f64, f64, f64)>);

fn enlarged(adult: &Adult) -> Fallible<Vec<Curve>> {
    println!("\n| σ | ρ | K | rows | vids | index s | pruned s |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let measure = |scale: u64, novelty: usize, k: u64| -> Fallible<(f64, f64)> {
        let rows = adult.codes[0].len();
        let flat: Vec<u32> = (0..rows)
            .flat_map(|row| adult.codes.iter().map(move |column| column[row]))
            .collect();
        let domains: Vec<u32> = adult
            .attributes
            .iter()
            .map(|a| a.domain.size() as u32)
            .collect();
        let settings = EnlargeSettings {
            scale,
            novelty,
            seed: 1,
        };
        let (codes, counts) = enlarge(&flat, &vec![1; rows], 8, &domains, &settings)?;
        let columns: Vec<Vec<Code>> = (0..8)
            .map(|column| codes.chunks_exact(8).map(|row| row[column]).collect())
            .collect();
        let problem = adult.problem(&columns, counts, k)?;
        let (index, by_index) = solve("bottom-up", "mode = \"index\"", &problem)?;
        let (pruned, by_pruning) = solve("bottom-up", "mode = \"pruned\"", &problem)?;
        if index.trace != pruned.trace {
            return Err("index and pruned took different steps".into());
        }
        println!(
            "| {scale} | {novelty} | {k} | {} | {} | {by_index:.2} | {by_pruning:.2} |",
            problem.counts.total(),
            problem.counts.combinations()
        );
        Ok((by_index, by_pruning))
    };
    let mut curves = Vec::new();
    let mut points = Vec::new();
    for k in [50, 150, 300, 500] {
        let (index, pruned) = measure(30, 3, k)?;
        points.push((k as f64, index, pruned));
    }
    curves.push(("K (σ = 30, ρ = 3)", points));
    let mut points = Vec::new();
    for scale in [2, 10, 20, 30] {
        let (index, pruned) = measure(scale, 3, 150)?;
        points.push((scale as f64, index, pruned));
    }
    curves.push(("σ (ρ = 3, K = 150)", points));
    let mut points = Vec::new();
    for novelty in [1, 2, 3, 4] {
        let (index, pruned) = measure(30, novelty, 150)?;
        points.push((novelty as f64, index, pruned));
    }
    curves.push(("ρ (σ = 30, K = 150)", points));
    Ok(curves)
}

/// Three panels beside each other, as in the paper's Fig. 4.
fn plot(curves: &[Curve]) -> String {
    let (width, height, left, top) = (260.0, 180.0, 50.0, 30.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"11\">\n",
        curves.len() as f64 * (width + left) + 20.0,
        height + top + 50.0
    );
    for (panel, (name, points)) in curves.iter().enumerate() {
        let x0 = left + panel as f64 * (width + left);
        let most = points.iter().map(|p| p.1.max(p.2)).fold(0.1, f64::max);
        let last = points.iter().map(|p| p.0).fold(1.0, f64::max);
        let at = |x: f64, y: f64| {
            (
                x0 + x / last * (width - 20.0),
                top + height - y / most * height,
            )
        };
        svg += &format!(
            "<path d=\"M{x0} {top}V{}H{}\" fill=\"none\" stroke=\"#888\"/>\n<text x=\"{x0}\" y=\"{}\">{name}</text>\n<text x=\"{x0}\" y=\"{}\">{most:.1} s</text>\n",
            top + height,
            x0 + width - 20.0,
            top + height + 32.0,
            top - 6.0
        );
        for (colour, word, pick) in [("#c33", "index", 1), ("#36c", "pruned", 2)] {
            let place = |p: &(f64, f64, f64)| at(p.0, if pick == 1 { p.1 } else { p.2 });
            let line: Vec<String> = points
                .iter()
                .map(place)
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            svg += &format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
                line.join(" ")
            );
            if let Some((x, y)) = points.last().map(place) {
                svg += &format!(
                    "<text x=\"{x:.1}\" y=\"{:.1}\" fill=\"{colour}\" text-anchor=\"end\">{word}</text>\n",
                    y - 5.0
                );
            }
        }
        for point in points {
            let (x, _) = at(point.0, 0.0);
            svg += &format!(
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                top + height + 15.0,
                point.0
            );
        }
    }
    svg + "</svg>\n"
}
