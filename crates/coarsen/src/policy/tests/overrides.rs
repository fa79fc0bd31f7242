//! `--set`, dotted keys and their places.

use super::super::*;
use super::{says, text, with_columns};

fn set(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect()
}

#[test]
fn overrides_lie_over_the_text() {
    let source = with_columns("\"native country\" = { role = \"other\" }");
    let overrides = set(&[
        ("privacy.k", "7"),
        ("search.algorithm", "datafly"),
        ("search.budget", "30s"),
        ("search.genetic.population", "100"),
        ("suppression.limit", "0.1"),
        ("columns.\"native country\".role", "quasi-identifier"),
        ("columns.zip", "{ role = \"sensitive\" }"),
        ("columns.age.role", "\"other\""),
        ("input.delimiter", ";"),
        ("privacy.closeness", "[{ column = \"zip\", t = 0.2 }]"),
        ("privacy.closeness.0.t", "0.3"),
    ]);
    let policy = Policy::parse(&source, &overrides).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(policy.privacy.k, 7);
    assert_eq!(policy.search.algorithm, "datafly");
    assert_eq!(
        policy.search.settings["genetic"]["population"].as_integer(),
        Some(100)
    );
    assert_eq!(policy.columns["native country"].role, Role::QuasiIdentifier);
    assert_eq!(policy.columns["zip"].role, Role::Sensitive);
    assert_eq!(policy.columns["age"].role, Role::Other);
    assert_eq!(policy.input.delimiter, Some(';'));
    assert_eq!(policy.privacy.closeness[0].t, 0.3);
}

#[test]
fn an_override_can_mend_the_text() {
    assert!(Policy::parse(&text("", "k = 0", ""), &set(&[("privacy.k", "2")])).is_ok());
}

#[test]
fn errors_say_that_they_came_from_set() {
    let source = with_columns("age = { role = \"other\" }");
    for (pair, key, message) in [
        (("privacy.k", "0"), "privacy.k", "k is 0"),
        (("privacy.k", "many"), "privacy.k", "the text \"many\""),
        (("version", "3"), "version", "version 3"),
        (("privcy.k", "5"), "privcy", "not a key"),
        (
            ("columns.age.role", "qi"),
            "columns.age.role",
            "does not know",
        ),
        (
            ("columns.new.type", "text"),
            "columns.new.role",
            "`new` has no role",
        ),
        (
            ("search.algoritm", "datafly"),
            "search.algoritm",
            "not a key",
        ),
        (
            ("privacy.closeness", "[{ column = \"sex\", t = 1 }]"),
            "privacy.closeness.0.column",
            "must be sensitive",
        ),
    ] {
        let error = Policy::parse(&source, &set(&[pair])).expect_err(key);
        assert_eq!(error.key.as_deref(), Some(key), "{error:?}");
        assert_eq!(error.span, None, "{error:?}");
        let origin = format!("This came from --set {}={}.", pair.0, pair.1);
        says(&error, &[message, &origin], "");
    }
}

#[test]
fn errors_beside_an_override_keep_their_place() {
    let source = with_columns("age = { type = \"integer\" }");
    let error = Policy::parse(
        &source,
        &set(&[("columns.age.weight", "2"), ("privacy.k", "9")]),
    )
    .expect_err("no role");
    assert_eq!(error.span.map(|span| &source[span]), Some("age"));
    assert!(!error.message.contains("--set"));
}

#[test]
fn overrides_that_cannot_be_done() {
    let source = text(
        "d = { role = \"sensitive\" }",
        "k = 5\ncloseness = [{ column = \"d\", t = 1 }]",
        "",
    );
    let fails = |key: &str, message: &str, help: &str| {
        let error = Policy::parse(&source, &set(&[(key, "1")])).expect_err(key);
        assert_eq!(error.span, None);
        says(&error, &["--set", message], help);
    };
    fails(
        "privacy.k.x",
        "`privacy.k` is a value, not a table",
        "Set `privacy.k` itself",
    );
    fails("privacy.closeness.1.t", "has no entry `1`", "from 0 to 0");
    fails(
        "privacy.closeness.t",
        "is a list and has no entry `t`",
        "as a whole",
    );
    fails("", "does not begin with a key", "--set privacy.k=5");
    fails(
        "privacy..k",
        "does not begin with a key",
        "--set privacy.k=5",
    );
    fails(
        "columns.\"a",
        "does not begin with a key",
        "--set privacy.k=5",
    );
}

#[test]
fn splitting_and_writing_keys() {
    let split = |text: &str| split_override(text).expect(text);
    assert_eq!(split("privacy.k=5"), ("privacy.k".into(), "5".into()));
    assert_eq!(
        split("columns.\"a=\\\"b\".role=x=y"),
        ("columns.\"a=\\\"b\".role".into(), "x=y".into())
    );
    assert_eq!(split("columns.l'age.role=other").0, "columns.l'age.role");
    assert!(split_override("privacy.k").is_err());
    assert!(split_override("=5").is_err());

    for (text, steps) in [
        (
            "columns.\"native country\".role",
            &["columns", "native country", "role"][..],
        ),
        ("columns.'a.b'", &["columns", "a.b"]),
        (
            "columns.native country.role",
            &["columns", "native country", "role"],
        ),
        ("columns.\"a\\\"\\\\b\"", &["columns", "a\"\\b"]),
        ("columns.Größe", &["columns", "Größe"]),
    ] {
        let key = Key::parse(text).expect(text);
        assert_eq!(key.steps(), steps);
        assert_eq!(Key::parse(&key.to_string()), Some(key));
    }
    assert_eq!(
        Key::of(["columns", "a b", "x"]).to_string(),
        "columns.\"a b\".x"
    );
}

#[test]
fn places() {
    let source = "a = 1\n[b]\nc = { d = [10, 20] }\n[b.\"e f\"]\ng = 2\n[[h]]\ni = 3\n";
    let at = |key: &str| locate(source, &Key::parse(key).expect(key)).map(|span| &source[span]);
    assert_eq!(at("a"), Some("1"));
    assert_eq!(at("b"), Some("[b]"));
    assert_eq!(at("b.c.d"), Some("[10, 20]"));
    assert_eq!(at("b.c.d.1"), Some("20"));
    assert_eq!(at("b.\"e f\""), Some("[b.\"e f\"]"));
    assert_eq!(at("h.0.i"), Some("3"));
    assert_eq!(at("b.c.x.y"), Some("c"), "the nearest table around");
    assert_eq!(at("b.c.d.7"), Some("d"));
    assert_eq!(at("z.a"), None);
    assert_eq!(locate("a = ", &Key::of(["a"])), None);
    let name = locate_key(source, &Key::of(["b", "c", "d"])).map(|span| &source[span]);
    assert_eq!(name, Some("d"));
}
