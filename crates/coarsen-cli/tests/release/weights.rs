//! Columns that matter more.

use super::*;

/// Datafly spares a column of great weight.
#[test]
fn a_heavy_column_is_generalized_later() {
    let kept = |weight: &str| {
        let release = released(&[(
            "mask = \"right\" }",
            &format!("mask = \"right\" }}{weight}"),
        )]);
        let zips: BTreeSet<String> = release
            .column("zip")
            .iter()
            .map(|zip| zip.to_string())
            .collect();
        zips.len()
    };
    let (plain, heavy) = (kept(""), kept(", weight = 1000.0"));
    assert!(
        heavy > plain,
        "{heavy} zips kept with weight, {plain} without"
    );
    assert_eq!(heavy, 240.min(heavy), "and none is made up");
}
