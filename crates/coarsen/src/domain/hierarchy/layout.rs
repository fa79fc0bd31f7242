//! Hierarchies in the layout that ARX reads and writes: one line a leaf, `;` between a leaf and its
//! ancestors, `*` last, no header.

use super::Hierarchy;
use crate::domain::{Code, Domain, Value};

/// The rows of a hierarchy file: each a leaf and its ancestors.
///
/// The separator is `;`; a file without any may use tabs or commas. A byte-order mark, empty lines,
/// quoted cells and empty cells at the end of a line are taken as spreadsheets write them.
pub fn parse_layout(text: &str) -> Result<Vec<Vec<String>>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record =
            record.map_err(|error| format!("the hierarchy file cannot be read: {error}"))?;
        let mut row: Vec<String> = record.iter().map(str::to_string).collect();
        // Spreadsheets fill short lines up with empty cells; a line of nothing else is no leaf.
        let filled = row.iter().rposition(|cell| !cell.is_empty());
        if filled.is_none() && row.len() > 1 {
            continue;
        }
        row.truncate(filled.unwrap_or(0) + 1);
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(
            "the hierarchy file is empty; it needs one line a leaf, such as `Masters;Graduate;*`"
                .into(),
        );
    }
    Ok(rows)
}

/// What parts the cells: `;`, a tab or a comma, whichever is first in this list and outside quotes.
fn delimiter(text: &str) -> u8 {
    let mut seen = [false; 3];
    let mut quoted = false;
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b';' => seen[0] |= !quoted,
            b'\t' => seen[1] |= !quoted,
            b',' => seen[2] |= !quoted,
            _ => {}
        }
    }
    let found = seen.iter().position(|seen| *seen);
    [b';', b'\t', b','][found.unwrap_or(0)]
}

/// Writes a hierarchy in the same layout. The missing value is no leaf of a tree, and is left out.
pub fn write_layout(hierarchy: &Hierarchy) -> String {
    let leaves = &hierarchy.level(0).nodes;
    // Only the missing value has no bounds among the leaves.
    let present = leaves.iter().filter(|leaf| leaf.bounds.is_some());
    let mut text = String::new();
    for leaf in present {
        line(&mut text, names(hierarchy, leaf.first));
    }
    text
}

/// Writes a hierarchy whose leaves are bins in the same layout: one line a value, with its bin as the
/// nearest ancestor, for a reader of the file meets values, not bins. `values` are in rising order.
pub fn write_layout_of_bins(domain: &Domain, hierarchy: &Hierarchy, values: &[Value]) -> String {
    let index = domain.index();
    let mut text = String::new();
    for value in values {
        if let Some(code) = index.code(value) {
            let own = domain.write(value);
            line(
                &mut text,
                std::iter::once(own.as_str()).chain(names(hierarchy, code)),
            );
        }
    }
    text
}

/// The names of a code's nodes, from the leaf to the top.
fn names(hierarchy: &Hierarchy, code: Code) -> impl Iterator<Item = &str> {
    hierarchy.levels().iter().map(move |level| {
        let node = level.node_of[code as usize];
        level.nodes[node as usize].label.as_str()
    })
}

fn line<'a>(text: &mut String, names: impl Iterator<Item = &'a str>) {
    for (place, name) in names.enumerate() {
        if place > 0 {
            text.push(';');
        }
        if name.contains([';', '"', '\n', '\r', '\u{feff}']) {
            text.push('"');
            text.push_str(&name.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(name);
        }
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Kind;
    use crate::domain::hierarchy::{Built, Description, RawColumn, build};
    use crate::policy::HierarchySpec;

    fn built(cells: &[Option<Value>], description: Description<'_>) -> Built {
        let rows = vec![1; cells.len()];
        let column = RawColumn {
            name: "c",
            cells,
            rows: &rows,
        };
        build(column, description).expect("a sound column")
    }

    fn from_file(cells: &[Option<Value>], layout: &str, kind: Option<Kind>) -> Built {
        let file = HierarchySpec::File {
            path: "c.csv".into(),
        };
        let description = Description {
            kind,
            hierarchy: Some(&file),
            layout: Some(layout),
            ..Description::default()
        };
        built(cells, description)
    }

    #[test]
    fn spreadsheets_and_arx_are_both_read() {
        let expected = vec![vec!["a;b", "x", "*"], vec!["c", "x", "*"]];
        for text in [
            "\"a;b\";x;*\nc;x;*\n",
            "\u{feff}\"a;b\",x,*\r\nc,x,*\r\n",
            "\"a;b\"\tx\t*\t\t\n\n\t\t\nc\tx\t*",
        ] {
            assert_eq!(parse_layout(text).expect("sound"), expected, "{text:?}");
        }
        assert_eq!(parse_layout("a\nb").expect("leaves alone"), [["a"], ["b"]]);
        assert!(parse_layout("\n\n").is_err_and(|why| why.contains("empty")));
    }

    #[test]
    fn what_is_written_reads_back_to_the_same_levels() {
        let names = [
            "a;b",
            "say \"x\"",
            "two\nlines",
            " padded ",
            "tab\there",
            "a,b",
        ];
        let mut cells: Vec<Option<Value>> = names
            .iter()
            .map(|name| Some(Value::Text(name.to_string())))
            .collect();
        cells.push(None);
        let flat = Description {
            flat: true,
            ..Description::default()
        };
        let first = built(&cells, flat);
        let text = write_layout(&first.hierarchy);
        assert!(!text.contains("missing"), "{text}");
        let again = from_file(&cells, &text, None);
        assert_eq!(first.hierarchy.levels(), again.hierarchy.levels());
    }

    #[test]
    fn intervals_read_back_as_numbers() {
        let cells: Vec<Option<Value>> = (7..60).map(|n| Some(Value::Integer(n))).collect();
        let intervals = HierarchySpec::Intervals {
            widths: vec![5.0, 10.0],
            origin: 2.0,
        };
        let description = Description {
            hierarchy: Some(&intervals),
            ..Description::default()
        };
        let first = built(&cells, description);
        let text = write_layout(&first.hierarchy);
        assert!(
            text.starts_with("7;7..11;2..11;*\n8;7..11;2..11;*\n"),
            "{text}"
        );
        let again = from_file(&cells, &text, Some(Kind::Integer));
        for (one, other) in first
            .hierarchy
            .levels()
            .iter()
            .zip(again.hierarchy.levels())
        {
            let labels = |level: &super::super::Level| -> Vec<String> {
                level.nodes.iter().map(|node| node.label.clone()).collect()
            };
            assert_eq!(labels(one), labels(other));
            assert_eq!(one.node_of, other.node_of);
        }
    }

    #[test]
    fn bins_are_written_above_their_values() {
        let cells: Vec<Option<Value>> = (0..8).map(|n| Some(Value::Integer(n))).collect();
        let quantiles = HierarchySpec::Quantiles { limit: 2 };
        let description = Description {
            hierarchy: Some(&quantiles),
            ..Description::default()
        };
        let Built {
            domain, hierarchy, ..
        } = built(&cells, description);
        let values: Vec<Value> = cells.iter().flatten().cloned().collect();
        let text = write_layout_of_bins(&domain, &hierarchy, &values);
        assert!(text.starts_with("0;0..3;*\n"), "{text}");
        let again = from_file(&cells, &text, Some(Kind::Integer));
        assert_eq!(again.hierarchy.height(), hierarchy.height() + 1);
        assert_eq!(again.hierarchy.level(1).nodes.len(), 2);
    }
}
