//! The checks of one column.

use super::{accepted, refused, with_columns};

#[test]
fn a_column_needs_a_role() {
    refused(
        &with_columns("age = { type = \"integer\" }"),
        "columns.age.role",
        "age",
        &["The column `age` has no role"],
        "`quasi-identifier`",
    );
    refused(
        &with_columns("[columns.\"native country\"]\ntype = \"text\""),
        "columns.\"native country\".role",
        "\"native country\"",
        &["`native country` has no role"],
        "None is assumed",
    );
}

#[test]
fn unknown_words() {
    refused(
        &with_columns("age = { role = \"quasi\" }"),
        "columns.age.role",
        "\"quasi\"",
        &["does not know the word `quasi`"],
        "Did you mean `quasi-identifier`? Known are `identifier`, `quasi-identifier`",
    );
    refused(
        &with_columns("age = { role = \"quasi_identifier\" }"),
        "columns.age.role",
        "\"quasi_identifier\"",
        &["`quasi_identifier`"],
        "`quasi-identifier`?",
    );
    refused(
        &with_columns("age = { role = \"other\", type = \"interger\" }"),
        "columns.age.type",
        "\"interger\"",
        &["`interger`"],
        "Did you mean `integer`?",
    );
    refused(
        &with_columns("age = { role = \"quasi-identifier\", scheme = \"guided\" }"),
        "columns.age.scheme",
        "\"guided\"",
        &["`guided`"],
        "Did you mean `guided-set`?",
    );
    refused(
        &with_columns(
            "b = { role = \"quasi-identifier\", hierarchy = { dates = [\"month\", \"century\"] } }",
        ),
        "columns.b.hierarchy.dates.1",
        "\"century\"",
        &["`century`"],
        "Known are `day`, `month`",
    );
    refused(
        &with_columns("z = { role = \"quasi-identifier\", hierarchy = { mask = \"middle\" } }"),
        "columns.z.hierarchy.mask",
        "\"middle\"",
        &["`middle`"],
        "`right` and `left`",
    );
}

#[test]
fn there_are_columns_and_a_quasi_identifier() {
    let line = "sex = { role = \"quasi-identifier\" }\n";
    let none = with_columns("").replace(line, "");
    refused(
        &none,
        "columns",
        "[columns]",
        &["no columns"],
        "coarsen init",
    );
    let others = with_columns("name = { role = \"other\" }").replace(line, "");
    refused(
        &others,
        "columns",
        "[columns]",
        &["No column is a quasi-identifier"],
        "role = \"quasi-identifier\"",
    );
}

#[test]
fn keys_that_another_role_has() {
    for (role, part, value) in [
        ("quasi-identifier", "treatment", "\"drop\""),
        ("sensitive", "key", "{ env = \"K\" }"),
        ("sensitive", "represent", "\"mean\""),
        ("other", "scheme", "\"set\""),
        ("target", "weight", "2.0"),
        ("other", "hierarchy", "{ mask = \"right\" }"),
        ("quasi-identifier", "distance", "\"ordered\""),
    ] {
        refused(
            &with_columns(&format!("x = {{ role = \"{role}\", {part} = {value} }}")),
            &format!("columns.x.{part}"),
            value,
            &[
                &format!("`{part}` is for columns of the role"),
                &format!("is \"{role}\""),
            ],
            &format!("Remove `{part}`"),
        );
    }
}

#[test]
fn a_keyed_hash_and_its_key() {
    refused(
        &with_columns("n = { role = \"identifier\", treatment = \"keyed-hash\" }"),
        "columns.n.key",
        "n",
        &["needs a key"],
        "key = { file",
    );
    refused(
        &with_columns("n = { role = \"identifier\", key = { env = \"K\" } }"),
        "columns.n.key",
        "{ env = \"K\" }",
        &["not \"keyed-hash\""],
        "treatment = \"keyed-hash\"",
    );
    let hash = |key: &str| {
        with_columns(&format!(
            "n = {{ role = \"identifier\", treatment = \"keyed-hash\", key = {key} }}"
        ))
    };
    refused(
        &hash("{}"),
        "columns.n.key",
        "{}",
        &["not given"],
        "{ file =",
    );
    let two = "{ env = \"K\", file = \"k\" }";
    refused(&hash(two), "columns.n.key", two, &["twice"], "Keep one");
    let blank = "{ env = \"\" }";
    refused(
        &hash(blank),
        "columns.n.key",
        blank,
        &["empty"],
        "Name a file",
    );
    refused(
        &hash("\"hunter2\""),
        "columns.n.key",
        "\"hunter2\"",
        &["{ env ="],
        "{ file =",
    );
}

#[test]
fn weights_are_above_zero() {
    for weight in ["0", "-1.5", "nan", "inf"] {
        refused(
            &with_columns(&format!(
                "x = {{ role = \"quasi-identifier\", weight = {weight} }}"
            )),
            "columns.x.weight",
            weight,
            &["must be above 0"],
            "number above 0",
        );
    }
}

#[test]
fn values_suit_their_type() {
    let quasi =
        |rest: &str| with_columns(&format!("x = {{ role = \"quasi-identifier\", {rest} }}"));
    refused(
        &quasi("format = \"%Y\""),
        "columns.x.format",
        "\"%Y\"",
        &["not said to be a date"],
        "type = \"date\"",
    );
    accepted(&quasi(
        "format = \"%d.%m.%Y\", hierarchy = { dates = [\"year\"] }",
    ));
    refused(
        &quasi("type = \"integer\", order = [\"1\"]"),
        "columns.x.order",
        "[\"1\"]",
        &["type integer"],
        "Remove `order`",
    );
    refused(
        &quasi("order = []"),
        "columns.x.order",
        "[]",
        &["no values"],
        "List all",
    );
    refused(
        &quasi("order = [\"a\", \"b\", \"a\" ]"),
        "columns.x.order.2",
        "\"a\"",
        &["`a` twice"],
        "one place",
    );
    refused(
        &quasi("type = \"text\", represent = \"midpoint\""),
        "columns.x.represent",
        "\"midpoint\"",
        &["no midpoint"],
        "\"range\"",
    );
    let sensitive = |rest: &str| with_columns(&format!("x = {{ role = \"sensitive\", {rest} }}"));
    refused(
        &sensitive("distance = \"hierarchical\""),
        "columns.x.distance",
        "\"hierarchical\"",
        &["needs a hierarchy"],
        "hierarchy = {",
    );
    refused(
        &sensitive("type = \"text\", distance = \"ordered\""),
        "columns.x.distance",
        "\"ordered\"",
        &["needs an order"],
        "order = [",
    );
}

#[test]
fn a_date_format_writes_a_date_and_nothing_else() {
    for format in ["%Y-%m-%d %H:%M", "%Q", "%Y", "day"] {
        refused(
            &with_columns(&format!(
                "x = {{ role = \"quasi-identifier\", type = \"date\", format = \"{format}\" }}"
            )),
            "columns.x.format",
            &format!("\"{format}\""),
            &["is no format that a date alone can be written in"],
            "%m/%d/%Y",
        );
    }
    accepted(&with_columns(
        "x = { role = \"quasi-identifier\", type = \"date\", format = \"%d.%m.%Y\" }",
    ));
}
