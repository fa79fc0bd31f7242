//! Hierarchies in the layout that ARX reads and writes: one line a leaf, `;` between a leaf and its
//! ancestors, `*` last, no header.

use std::fmt::Write;

use super::Hierarchy;

/// The rows of a hierarchy file: each a leaf and its ancestors.
///
/// The separator is `;`; a file without any may use tabs or commas. A byte-order mark, empty lines
/// and quoted cells are taken as spreadsheets write them.
pub fn parse_layout(text: &str) -> Result<Vec<Vec<String>>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let delimiter = [b';', b'\t', b',']
        .into_iter()
        .find(|d| text.as_bytes().contains(d));
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter.unwrap_or(b';'))
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record =
            record.map_err(|error| format!("the hierarchy file cannot be read: {error}"))?;
        rows.push(record.iter().map(str::to_string).collect());
    }
    if rows.is_empty() {
        return Err(
            "the hierarchy file is empty; it needs one line a leaf, such as `Masters;Graduate;*`"
                .into(),
        );
    }
    Ok(rows)
}

/// Writes a hierarchy in the same layout.
pub fn write_layout(hierarchy: &Hierarchy) -> String {
    let mut text = String::new();
    let missing = hierarchy
        .level(0)
        .nodes
        .last()
        .filter(|node| node.bounds.is_none());
    for node in &hierarchy.level(0).nodes {
        // The missing value is not a leaf of the user's tree.
        if Some(node) == missing {
            continue;
        }
        for (height, level) in hierarchy.levels().iter().enumerate() {
            let label = &level.nodes[level.node_of[node.first as usize] as usize].label;
            if height > 0 {
                text.push(';');
            }
            if label.contains([';', '"', '\n', '\r']) {
                write!(text, "\"{}\"", label.replace('"', "\"\"")).expect("a string takes all");
            } else {
                text.push_str(label);
            }
        }
        text.push('\n');
    }
    text
}
