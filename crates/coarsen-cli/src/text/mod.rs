//! Numbers and tables as a person enjoys reading them; colour only on a terminal.

pub mod audit;
pub mod evaluation;
pub mod release;

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

/// A whole number with its thousands apart.
pub fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in percent, with as many decimals as it takes to tell it from 0 and 100.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        p if p == 0.0 || p >= 99.95 || p >= 0.5 && (p - p.round()).abs() < 0.005 => {
            format!("{p:.0} %")
        }
        p if p < 0.1 => format!("{p:.3} %"),
        p => format!("{p:.1} %"),
    }
}

/// A count with its noun.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
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

/// A text cut to a width, with a mark where it was cut.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    text.chars()
        .take(width.saturating_sub(1))
        .chain(['…'])
        .collect()
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
    fn numbers_read_well() {
        assert_eq!(number(0), "0");
        assert_eq!(number(1234567), "1,234,567");
        assert_eq!(percent(0.5), "50 %");
        assert_eq!(percent(0.0004), "0.040 %");
        assert_eq!(percent(1.0 / 32561.0), "0.003 %");
        assert_eq!(percent(0.123), "12.3 %");
        assert_eq!(cut("abcdef", 4), "abc…");
    }

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
