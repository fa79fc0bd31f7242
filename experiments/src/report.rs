//! What an experiment leaves behind: tables as Markdown and CSV, drawings as SVG, in one folder.

use std::fmt::Write;
use std::path::Path;

use crate::Done;

/// A table: a title, the names of its columns, and its rows. A cell that could not be measured is empty.
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The file's name, without its ending.
    pub name: &'static str,
    /// The columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl Table {
    /// An empty table.
    pub fn new<C: Into<String>>(
        name: &'static str,
        title: impl Into<String>,
        columns: impl IntoIterator<Item = C>,
    ) -> Self {
        Table {
            title: title.into(),
            name,
            columns: columns.into_iter().map(C::into).collect(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// As Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("### {}\n\n{}", self.title, line(&self.columns));
        text += &line(&vec!["---".to_string(); self.columns.len()]);
        for row in &self.rows {
            text += &line(row);
        }
        for note in &self.notes {
            let _ = write!(text, "\n{note}\n");
        }
        text
    }

    /// As CSV.
    pub fn csv(&self) -> String {
        let cell = |cell: &String| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let line = |cells: &Vec<String>| cells.iter().map(cell).collect::<Vec<_>>().join(",");
        let lines = std::iter::once(&self.columns).chain(&self.rows);
        lines
            .map(line)
            .fold(String::new(), |text, line| text + &line + "\n")
    }
}

/// Lines over a common axis.
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The file's name, without its ending.
    pub name: &'static str,
    /// What the horizontal axis is.
    pub across: &'static str,
    /// A name and its points.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl Plot {
    /// As SVG. Places across are evenly spaced, for k grows by leaps.
    pub fn svg(&self) -> String {
        const COLOURS: [&str; 6] = [
            "#1b6ca8", "#d1495b", "#2e933c", "#8d6a9f", "#e08e1b", "#444444",
        ];
        let points = || self.lines.iter().flat_map(|(_, points)| points);
        let mut ticks: Vec<f64> = points().map(|point| point.0).collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        let least = points().map(|p| p.1).fold(f64::INFINITY, f64::min);
        let most = points().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
        let span = if most > least { most - least } else { 1.0 };
        let x = |value: f64| {
            let place = ticks.iter().position(|tick| *tick == value).unwrap_or(0);
            70.0 + 400.0 * place as f64 / (ticks.len().max(2) - 1) as f64
        };
        let y = |value: f64| 290.0 - 230.0 * (value - least) / span;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"345\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"760\" height=\"345\" fill=\"#fff\"/>\n<text x=\"70\" y=\"24\" font-size=\"14\">{}</text>\n<path d=\"M70 50V300H480\" fill=\"none\" stroke=\"#888\"/>\n<text x=\"275\" y=\"336\" text-anchor=\"middle\">{}</text>\n",
            escaped(&self.title),
            self.across
        );
        for value in [least, least + span / 2.0, least + span] {
            let at = y(value) + 4.0;
            let _ = writeln!(
                svg,
                "<text x=\"64\" y=\"{at:.1}\" text-anchor=\"end\">{value:.3}</text>"
            );
        }
        for tick in &ticks {
            let at = x(*tick);
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"316\" text-anchor=\"middle\">{tick}</text>"
            );
        }
        for (place, (name, points)) in self.lines.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            let dashes = ["", " stroke-dasharray=\"5 3\""][place / COLOURS.len() % 2];
            let path: Vec<String> = points
                .iter()
                .map(|point| format!("{:.1},{:.1}", x(point.0), y(point.1)))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dashes}/>\n<text x=\"500\" y=\"{}\" fill=\"{colour}\">{}</text>",
                path.join(" "),
                60 + place * 16,
                escaped(name)
            );
        }
        svg + "</svg>\n"
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Tables and drawings so far.
#[derive(Default)]
pub struct Findings {
    tables: Vec<Table>,
    drawings: Vec<Drawing>,
}

struct Drawing {
    title: String,
    name: String,
    svg: String,
}

impl Findings {
    /// Prints a table, and keeps it.
    pub fn table(&mut self, table: Table) {
        println!("{}", table.markdown());
        self.tables.push(table);
    }

    /// Keeps a plot.
    pub fn plot(&mut self, plot: &Plot) {
        self.drawing(&plot.title, plot.name, plot.svg());
    }

    /// Keeps a drawing of another kind.
    pub fn drawing(&mut self, title: &str, name: &str, svg: String) {
        self.drawings.push(Drawing {
            title: title.into(),
            name: name.into(),
            svg,
        });
    }

    /// Writes all of it to a folder: README.md with all tables, a CSV a table, an SVG a drawing.
    pub fn write(&self, folder: &Path, head: &str) -> Done {
        std::fs::create_dir_all(folder)?;
        let mut text = head.to_string();
        for table in &self.tables {
            text += "\n";
            text += &table.markdown();
            std::fs::write(folder.join(format!("{}.csv", table.name)), table.csv())?;
        }
        if !self.drawings.is_empty() {
            text += "\n";
        }
        for Drawing { title, name, svg } in &self.drawings {
            let _ = writeln!(text, "![{title}]({name}.svg)");
            std::fs::write(folder.join(format!("{name}.svg")), svg)?;
        }
        std::fs::write(folder.join("README.md"), text)?;
        Ok(())
    }
}
