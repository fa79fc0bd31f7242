//! Numbers and tables as a person enjoys reading them; colour only on a terminal.

pub mod audit;
pub mod evaluation;
pub mod frontier;
pub mod release;

pub use coarsen_report::text::{counted, cut, number, percent};

use anstyle::{AnsiColor, Style};

/// What holds.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// What does not.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// What heads a part.
pub const HEAD: Style = Style::new().bold();
/// What explains.
pub const FAINT: Style = Style::new().dimmed();
/// What the user should know.
pub const WARN: Style = AnsiColor::Yellow.on_default();

/// A text in a style.
pub fn in_style(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A bar of ten cells.
pub fn bar(share: f64) -> String {
    let full = (share.clamp(0.0, 1.0) * 10.0).round() as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(10 - full))
}

/// A time that a person can take in.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.0995 => format!("{:.0} ms", s * 1000.0),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{:.0} s", s),
    }
}

/// Lines of cells, each column as wide as its widest cell; the columns named in `right` end flush.
pub fn columns(rows: &[Vec<String>], right: &[usize]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width_of = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| width(cell))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width_of).collect();
    rows.iter()
        .map(|row| {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let fill = " ".repeat(widths[column] - width(cell));
                if column > 0 {
                    line.push_str("  ");
                }
                match right.contains(&column) {
                    true => line.push_str(&format!("{fill}{cell}")),
                    false => line.push_str(&format!("{cell}{fill}")),
                }
            }
            line.trim_end().to_string()
        })
        .collect()
}

/// The width of a cell on the screen, its colours not counted.
fn width(cell: &str) -> usize {
    let mut width = 0;
    let mut in_escape = false;
    for c in cell.chars() {
        match (in_escape, c) {
            (false, '\u{1b}') => in_escape = true,
            (true, 'm') => in_escape = false,
            (true, _) => {}
            (false, _) => width += 1,
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_whatever_their_colour() {
        let rows = vec![
            vec![in_style(GOOD, "a"), "1".into()],
            vec!["bcd".into(), "23".into()],
        ];
        let lines = columns(&rows, &[1]);
        assert!(lines[0].ends_with("   1"), "{lines:?}");
        assert_eq!(lines[1], "bcd  23");
    }
}
