//! Numbers as a person reads them, the same on the command line, in charts and in the report.

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

/// A figure of any size: whole ones with their thousands apart, others with four digits that count.
pub fn figure(value: f64) -> String {
    match value.abs() {
        _ if value == value.round() && value.abs() < 1e15 => {
            let sign = if value < 0.0 { "−" } else { "" };
            format!("{sign}{}", number(value.abs() as u64))
        }
        size if size >= 1000.0 => number(value.round().abs() as u64),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 10.0 => format!("{value:.2}"),
        size if size >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.6}"),
    }
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
        assert_eq!(figure(29103.0), "29,103");
        assert_eq!(figure(0.34159), "0.3416");
        assert_eq!(figure(12.345), "12.35");
        assert_eq!(figure(0.0), "0");
    }
}
