//! The cells of a plain CSV file, for experiments that look at data themselves.

use std::path::Path;

use crate::Fallible;

/// The columns of a file that are asked for, cell by cell.
pub fn cells(path: &Path, names: &[&str]) -> Fallible<Vec<Vec<String>>> {
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
