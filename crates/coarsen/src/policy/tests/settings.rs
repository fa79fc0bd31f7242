//! The checks of files, search, workload and engine, and the amounts with a unit.

use std::time::Duration;

use super::super::*;
use super::{accepted, refused, text, with_columns, with_sections};

#[test]
fn files() {
    let input = |value: &str| with_columns("").replace("{ path = \"in.csv\" }", value);
    refused(
        &input("{ path = \"\" }"),
        "input.path",
        "\"\"",
        &["empty"],
        "name of a file",
    );
    refused(
        &input("{ path = \"out.csv\" }"),
        "output.path",
        "\"out.csv\"",
        &["same file, out.csv"],
        "overwrite",
    );
    refused(
        &input("{ path = \"a\", delimiter = \"ab\" }"),
        "input.delimiter",
        "\"ab\"",
        &["a single character"],
        "single",
    );
    refused(
        &input("{ path = \"a\", delimiter = \"→\" }"),
        "input.delimiter",
        "\"→\"",
        &["cannot separate"],
        "semicolon",
    );
    refused(
        &input("{ path = \"a\", format = \"xls\" }"),
        "input.format",
        "\"xls\"",
        &["`xls`"],
        "`parquet`",
    );
    refused(
        &input("{ path = \"a\", missing_values = \"ignore\" }"),
        "input.missing_values",
        "\"ignore\"",
        &["`ignore`"],
        "`category`, `refuse` and `drop`",
    );
    refused(
        &input("{ path = \"a\", missing = \"NA\" }"),
        "input.missing",
        "\"NA\"",
        &["a list"],
        "[\"NA\"]",
    );
}

#[test]
fn parts() {
    let output = |value: &str| with_columns("").replace("{ path = \"out.csv\" }", value);
    let parts = |value: &str| {
        let policy = accepted(&output(&format!("{{ path = \"out\", parts = {value} }}")));
        policy.output.parts.unwrap()
    };
    assert_eq!(parts("8"), OutputParts::Files(8));
    assert_eq!(
        parts("{ rows = 5 }"),
        OutputParts::Rows(PartRows { rows: 5 })
    );
    // Ten rows in four files are three, three, three and one.
    assert_eq!(OutputParts::Files(4).rows_of_part(10), 3);
    assert_eq!(OutputParts::Rows(PartRows { rows: 4 }).rows_of_part(10), 4);
    for none in ["0", "{ rows = 0 }"] {
        refused(
            &output(&format!("{{ path = \"out\", parts = {none} }}")),
            "output.parts",
            none,
            &["parts of nothing"],
            "1000000",
        );
    }
    refused(
        &output("{ path = \"out\", parts = \"many\" }"),
        "output.parts",
        "\"many\"",
        &["a number of files such as 8"],
        "",
    );
}

#[test]
fn search() {
    let search = |line: &str| with_sections(&format!("[search]\n{line}"));
    refused(
        &search("threads = 0"),
        "search.threads",
        "0",
        &["0 threads"],
        "all cores",
    );
    refused(
        &search("budget = \"soon\""),
        "search.budget",
        "\"soon\"",
        &["a time with its unit", "\"soon\""],
        "30s",
    );
    refused(
        &search("budget = 30"),
        "search.budget",
        "30",
        &["a time with its unit", "30"],
        "30s",
    );
    refused(
        &search("budget = \"0s\""),
        "search.budget",
        "\"0s\"",
        &["a time"],
        "30s",
    );
    refused(
        &search("seed = \"x\""),
        "search.seed",
        "\"x\"",
        &["whole number"],
        "whole number",
    );
    assert_eq!(accepted(&search("")).search, Search::default());
}

#[test]
fn the_keys_of_search_are_its_fields() {
    let search = Search {
        budget: Some(Duration::from_secs(1)),
        threads: Some(1),
        sample: Some(0.1),
        sampling: Sampling::Stratified,
        ..Search::default()
    };
    let json = serde_json::to_value(&search).expect("JSON");
    let fields: Vec<&str> = json
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(fields, Search::KEYS);
}

#[test]
fn a_sample_is_a_share_above_nothing() {
    let search = |keys: &str| with_sections(&format!("[search]\n{keys}"));
    let taken = accepted(&search("sample = 0.1\nsampling = \"stratified\""));
    assert_eq!(
        (taken.search.sample, taken.search.sampling),
        (Some(0.1), Sampling::Stratified)
    );
    for (value, says) in [
        ("0.0", "share such as 0.1"),
        ("10.0", "write 0.1"),
        ("-0.1", "from 0 to 1"),
    ] {
        refused(
            &search(&format!("sample = {value}")),
            "search.sample",
            value,
            &[],
            says,
        );
    }
    refused(
        &search("sampling = \"odd\""),
        "search.sampling",
        "\"odd\"",
        &[],
        "",
    );
}

#[test]
fn costs_are_numbers_from_0_and_nothing_for_the_same() {
    let costs = |text: &str| {
        with_columns("salary = { role = \"target\" }")
            + &format!(
                "\n[workload]\ntargets = [{{ column = \"salary\", costs = {{ {text} }} }}]\n"
            )
    };
    let taken = accepted(&costs("high = { low = 5 }"));
    assert_eq!(taken.workload.targets[0].costs["high"]["low"], 5.0);
    for (text, key) in [
        ("high = { low = -1.0 }", "workload.targets.0.costs.high.low"),
        (
            "high = { high = 1.0 }",
            "workload.targets.0.costs.high.high",
        ),
    ] {
        let value = &text[text.rfind('=').unwrap() + 2..text.len() - 2];
        refused(&costs(text), key, value, &["cost"], "");
    }
}

#[test]
fn apply() {
    refused(
        &with_sections("[apply]\nunseen = \"roots\""),
        "apply.unseen",
        "\"roots\"",
        &["`roots`"],
        "Did you mean `root`?",
    );
    refused(
        &with_sections("[apply]\nshortfall = \"stop\""),
        "apply.shortfall",
        "\"stop\"",
        &["`stop`"],
        "`suppress` and `fail`",
    );
}

#[test]
fn workload() {
    let workload = |targets: &str| {
        text(
            "salary = { role = \"target\" }\ndisease = { role = \"sensitive\" }",
            "k = 5",
            &format!("[workload]\ntargets = [{targets}]"),
        )
    };
    let key = "workload.targets.0.column";
    assert_eq!(
        accepted(&workload("{ column = \"salary\" }"))
            .workload
            .targets[0]
            .weight,
        1.0
    );
    refused(
        &workload("{ column = \"salry\" }"),
        key,
        "\"salry\"",
        &["not in [columns]"],
        "Did you mean `salary`?",
    );
    refused(
        &workload("{ column = \"sex\" }"),
        key,
        "\"sex\"",
        &["role is quasi-identifier", "must be target"],
        "the role \"target\"",
    );
    refused(
        &workload("{ column = \"disease\" }"),
        key,
        "\"disease\"",
        &["both a target and sensitive", "cannot be both"],
        "Decide which",
    );
    refused(
        &workload("{ column = \"salary\", weight = 0 }"),
        "workload.targets.0.weight",
        "0",
        &["above 0"],
        "remove the target",
    );
    refused(
        &workload("{ column = \"salary\" }, { column = \"salary\" }"),
        "workload.targets.1.column",
        "\"salary\"",
        &["twice"],
        "Keep one",
    );
    refused(
        &with_sections("[workload]\nselections = [\" \"]"),
        "workload.selections.0",
        "\" \"",
        &["empty"],
        "age > 40",
    );
}

#[test]
fn engine() {
    let memory = |size: &str| with_sections(&format!("[engine]\nmemory = {size}"));
    refused(
        &memory("\"lots\""),
        "engine.memory",
        "\"lots\"",
        &["a size with its unit"],
        "2GB",
    );
    refused(
        &memory("\"0GB\""),
        "engine.memory",
        "\"0GB\"",
        &["a size"],
        "1GiB",
    );
    let none = Policy {
        engine: Engine {
            passes: None,
            memory: Some(0),
            url: None,
        },
        ..accepted(&with_columns(""))
    };
    assert_eq!(
        none.check().expect_err("no memory").key.as_deref(),
        Some("engine.memory")
    );
}

#[test]
fn a_default_policy_is_not_a_good_one() {
    assert!(Policy::default().check().is_err());
}

#[test]
fn amounts() {
    for (text, millis) in [
        ("500ms", 500),
        ("30s", 30_000),
        ("2m", 120_000),
        ("1h", 3_600_000),
        ("1.5 s", 1500),
    ] {
        let time = parse_duration(text).expect(text);
        assert_eq!(time, Duration::from_millis(millis));
        assert_eq!(parse_duration(&format_duration(time)), Some(time));
    }
    for text in [
        "",
        "s",
        "5",
        "-5s",
        "5 parsecs",
        "1.2.3s",
        "0s",
        "99999999999999999999h",
    ] {
        assert_eq!(parse_duration(text), None, "{text}");
    }
    for (text, bytes) in [
        ("2GB", 2_000_000_000),
        ("512 MB", 512_000_000),
        ("1GiB", 1 << 30),
        ("1.5kb", 1500),
        ("7B", 7),
    ] {
        assert_eq!(parse_bytes(text), Some(bytes), "{text}");
        assert_eq!(parse_bytes(&format_bytes(bytes)), Some(bytes));
    }
    assert_eq!(parse_bytes("2G"), None);
    assert_eq!(format_bytes(2_000_000_000), "2GB");
    assert_eq!(format_duration(Duration::from_secs(90)), "90s");
}

#[test]
fn a_report_has_a_kind_and_a_manifest_beside_it() {
    let of = |overrides: &[(&str, &str)]| {
        let overrides: Vec<(String, String)> = overrides
            .iter()
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
        Policy::parse(&with_columns(""), &overrides)
    };
    let plain = of(&[]).unwrap().output;
    assert_eq!(plain.report_kind, ReportKind::Internal);
    assert_eq!(plain.manifest_path(), None);
    let beside = of(&[("output.report", "out/report.html")]).unwrap().output;
    assert_eq!(beside.manifest_path().as_deref(), Some("out/manifest.json"));
    let named = of(&[
        ("output.report", "report.html"),
        ("output.report_kind", "public"),
        ("output.manifest", "proof.json"),
    ]);
    let named = named.unwrap().output;
    assert_eq!(named.report_kind, ReportKind::Public);
    assert_eq!(named.manifest_path().as_deref(), Some("proof.json"));
    let secret = of(&[("output.report_kind", "secret")]).unwrap_err();
    assert!(secret.help.unwrap().contains("internal"));
    let same = of(&[
        ("output.report", "report.html"),
        ("output.recoding", "manifest.json"),
    ]);
    assert!(same.unwrap_err().message.contains("the same file"));
}
