//! Keys of a policy that make no sense.

use super::*;

#[test]
fn an_unknown_key() {
    let desk = policy_with("hierarchy = { mask", "hierachy = { mask");
    refuses(
        &desk,
        &[
            "policy.toml",
            "columns.zip.hierachy",
            "not a key",
            "`hierarchy`",
        ],
    );
    let desk = policy_with("[suppression]", "[supression]");
    refuses(&desk, &["supression", "`suppression`"]);
}

#[test]
fn k_of_zero_and_k_above_the_rows() {
    let desk = policy_with("k = 2", "k = 0");
    refuses(&desk, &["policy.toml", "privacy.k", "k is 0", "2 or more"]);
    let desk = policy_with("k = 2", "k = 5");
    refuses(&desk, &["policy.toml", "privacy.k", "4 rows", "at most 4"]);
    let desk = policy_with("k = 2", "k = \"two\"");
    refuses(&desk, &["privacy.k", "whole number"]);
}

#[test]
fn limits_outside_zero_and_one() {
    let desk = policy_with("limit = 0.0", "limit = -0.1");
    refuses(&desk, &["suppression.limit", "-0.1", "from 0 to 1"]);
    let desk = policy_with("limit = 0.0", "limit = 5");
    refuses(&desk, &["suppression.limit", "percentage", "0.05"]);
}

#[test]
fn a_target_that_is_sensitive_too() {
    let desk = desk();
    let text = format!("{POLICY}\n[workload]\ntargets = [{{ column = \"illness\" }}]\n");
    desk.write("policy.toml", text);
    let words = [
        "workload.targets.0.column",
        "`illness`",
        "both",
        "section 2.1",
    ];
    refuses(&desk, &words);
}

#[test]
fn an_unknown_algorithm_or_loss() {
    let desk = policy_with("\"datafly\"", "\"dataflie\"");
    refuses(&desk, &["search.algorithm", "dataflie", "`datafly`"]);
    let desk = policy_with("\"datafly\"", "\"datafly\"\nloss = \"imprecission\"");
    refuses(&desk, &["search.loss", "imprecission", "`imprecision`"]);
}

#[test]
fn a_setting_that_an_algorithm_does_not_have() {
    let desk = policy_with("\"datafly\"", "\"datafly\"\ndatafly = { speed = 9 }");
    refuses(&desk, &["search.datafly.speed", "`speed`", "eligible"]);
    let desk = policy_with("\"datafly\"", "\"datafly\"\ndatafli = { speed = 9 }");
    refuses(&desk, &["search.datafli", "`datafly`"]);
}

#[test]
fn a_loss_that_needs_what_is_not_there() {
    let desk = policy_with("\"datafly\"", "\"datafly\"\nloss = \"cm\"");
    refuses(&desk, &["search.loss", "`cm`", "target"]);
}

#[test]
fn a_selection_that_is_none() {
    let desk = desk();
    let text = format!("{POLICY}\n[workload]\nselections = [\"age >> 40\"]\n");
    desk.write("policy.toml", text);
    refuses(&desk, &["workload.selections.0", "age >> 40", "^"]);
}

#[test]
fn overrides_that_are_none() {
    let run = |set: &str, words: &[&str]| {
        desk().refuses(2, &["run", "policy.toml", "--set", set], words);
    };
    run("privacy.k", &["--set privacy.k", "--set privacy.k=5"]);
    run("=5", &["--set =5", "--set privacy.k=5"]);
    run(
        "privacy.q=5",
        &["privacy.q", "not a key", "--set privacy.q=5"],
    );
    run("privacy.k.x=5", &["`privacy.k` is a value"]);
    run(
        "search.algorithm=dataflie",
        &["dataflie`. This came from --set"],
    );
    run(
        "privacy.k=9",
        &["4 rows. This came from --set privacy.k=9."],
    );
}

#[test]
fn amounts_that_are_none() {
    let run = |flag: &str, value: &str, words: &[&str]| {
        desk().refuses(2, &["run", "policy.toml", flag, value], words);
    };
    run("--memory", "plenty", &["--memory", "plenty", "2GB"]);
    run("--memory", "12", &["--memory", "12", "2GB"]);
    run("--threads", "0", &["--threads", "0"]);
    run("--budget", "soon", &["search.budget", "soon", "30s"]);
    let desk = policy_with("[search]", "[engine]\nmemory = \"plenty\"\n[search]");
    refuses(&desk, &["engine.memory", "plenty", "2GB"]);
}

#[test]
fn memory_that_is_not_enough_says_so() {
    let run = ["run", "policy.toml", "--memory", "1KB"];
    desk().refuses(2, &run, &["engine.memory", "do not fit"]);
}
