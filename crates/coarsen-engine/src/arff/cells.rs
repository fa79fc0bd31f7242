//! Cells as ARFF writes them: in single quotes where they hold anything but plain characters, with a
//! backslash before what would end them.

use std::io::Write;

/// A name or value as it stands in the file.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !",'\"{}%\\?".contains(c);
    if !text.is_empty() && !text.starts_with('@') && text.chars().all(is_plain) {
        return text.to_string();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for c in text.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

/// Writes a cell of a row; an empty one is a missing value.
pub(super) fn write_cell(out: &mut impl Write, cell: &str) -> std::io::Result<()> {
    match cell.is_empty() {
        true => out.write_all(b"?"),
        false => out.write_all(quoted(cell).as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn what_could_be_misread_is_quoted() {
        for plain in [
            "20..39",
            "*",
            "<=50K",
            "Self-emp-not-inc",
            "-1.5",
            "{a|b".trim_start_matches('{'),
        ] {
            assert_eq!(quoted(plain), plain);
        }
        assert_eq!(quoted("two words"), "'two words'");
        assert_eq!(quoted("it's"), "'it\\'s'");
        assert_eq!(quoted("{a|b}"), "'{a|b}'");
        assert_eq!(quoted("?"), "'?'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a\\b\n"), "'a\\\\b\\n'");
        assert_eq!(quoted("100%"), "'100%'");
    }
}
