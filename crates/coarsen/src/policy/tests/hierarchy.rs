//! The checks of a column's hierarchy.

use super::{refused, with_columns};

/// Asserts what is said of a hierarchy; `at` is the key below it.
#[track_caller]
fn hierarchy(kind: &str, spec: &str, at: &str, covers: &str, message: &str, help: &str) {
    refused(
        &with_columns(&format!(
            "x = {{ role = \"quasi-identifier\"{kind}, hierarchy = {spec} }}"
        )),
        &format!("columns.x.hierarchy{at}"),
        covers,
        &[message],
        help,
    );
}

#[test]
fn a_hierarchy_is_of_one_kind() {
    hierarchy(
        "",
        "{}",
        "",
        "{}",
        "does not say of which kind",
        "`file`, `intervals`, `mask`",
    );
    let two = "{ file = \"a.csv\", mask = \"right\" }";
    hierarchy(
        "",
        two,
        "",
        two,
        "more than one kind: `file` and `mask`",
        "exactly one",
    );
    let origin = "{ mask = \"right\", origin = 2 }";
    hierarchy(
        "",
        origin,
        "",
        origin,
        "`origin` belongs to `intervals`",
        "remove `origin`",
    );
    let levels = "{ intervals = [5], levels = 2 }";
    hierarchy(
        "",
        levels,
        "",
        levels,
        "`levels` belongs to `mask`",
        "remove `levels`",
    );
}

#[test]
fn a_hierarchy_suits_its_type() {
    hierarchy(
        ", type = \"text\"",
        "{ intervals = [5] }",
        ".intervals",
        "[5]",
        "type text",
        "`tree`",
    );
    hierarchy(
        ", type = \"date\"",
        "{ intervals = [5] }",
        ".intervals",
        "[5]",
        "type date",
        "{ dates =",
    );
    hierarchy(
        ", type = \"integer\"",
        "{ dates = [\"year\"] }",
        ".dates",
        "[\"year\"]",
        "type integer",
        "{ intervals =",
    );
    hierarchy(
        ", type = \"boolean\"",
        "{ quantiles = 10 }",
        ".quantiles",
        "10",
        "type boolean",
        "`file`",
    );
}

#[test]
fn intervals_are_positive_and_nest() {
    hierarchy(
        "",
        "{ intervals = [] }",
        ".intervals",
        "[]",
        "No widths",
        "[5, 10, 20]",
    );
    hierarchy(
        "",
        "{ intervals = [0, 5] }",
        ".intervals.0",
        "0",
        "above 0",
        "above 0",
    );
    hierarchy(
        "",
        "{ intervals = [-5] }",
        ".intervals.0",
        "-5",
        "above 0",
        "above 0",
    );
    hierarchy(
        "",
        "{ intervals = [5, 12] }",
        ".intervals.1",
        "12",
        "12 does not hold whole intervals of 5",
        "multiple",
    );
    hierarchy(
        "",
        "{ intervals = [10, 5] }",
        ".intervals.1",
        "5",
        "5 does not hold",
        "multiple",
    );
    hierarchy(
        "",
        "{ intervals = [5, 5.0] }",
        ".intervals.1",
        "5.0",
        "does not hold",
        "multiple",
    );
    hierarchy(
        "",
        "{ intervals = [5], origin = nan }",
        ".intervals",
        "[5]",
        "origin is NaN",
        "number",
    );
}

#[test]
fn dates_get_coarser() {
    hierarchy(
        "",
        "{ dates = [] }",
        ".dates",
        "[]",
        "No units",
        "[\"month\", \"year\"]",
    );
    hierarchy(
        "",
        "{ dates = [\"year\", \"month\"] }",
        ".dates.1",
        "\"month\"",
        "`month` is not coarser than `year`",
        "day, month, quarter",
    );
    hierarchy(
        "",
        "{ dates = [\"year\", \"year\" ] }",
        ".dates.1",
        "\"year\"",
        "not coarser",
        "fine to coarse",
    );
}

#[test]
fn other_hierarchies_say_something() {
    hierarchy("", "{ file = \"\" }", ".file", "\"\"", "no name", "CSV");
    hierarchy(
        "",
        "{ mask = \"right\", levels = 0 }",
        ".mask",
        "\"right\"",
        "0 levels",
        "levels = 1",
    );
    hierarchy(
        "",
        "{ quantiles = 1 }",
        ".quantiles",
        "1",
        "at least 2",
        "100",
    );
    hierarchy(
        "",
        "{ tree = {} }",
        ".tree",
        "{}",
        "holds no values",
        "list",
    );
    hierarchy(
        "",
        "{ tree = { A = [\"a\"], B = [] } }",
        ".tree.B",
        "[]",
        "holds no values",
        "remove it",
    );
}
