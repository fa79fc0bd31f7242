//! Names that are dropped, replaced by tokens or hashed.

use super::*;

const KEY: &str = "a-key-that-nobody-should-guess-7f";

fn treated(treatment: &str) -> Folder {
    desk(&[(
        "name = { role = \"identifier\" }",
        &format!("name = {{ role = \"identifier\", {treatment} }}"),
    )])
}

/// Each person's replacement: one for each name, and no name among them.
fn replacements(desk: &Folder) -> BTreeMap<String, String> {
    let (release, people) = (desk.table("release.csv"), desk.table("people.csv"));
    let (name, before) = (release.place("name"), by_visit(&people));
    let mut of = BTreeMap::new();
    for (visit, row) in by_visit(&release) {
        let known = of
            .entry(before[visit][0].clone())
            .or_insert_with(|| row[name].clone());
        assert_eq!(*known, row[name], "one person, one replacement");
    }
    let distinct: BTreeSet<&String> = of.values().collect();
    assert_eq!(distinct.len(), of.len(), "two persons, two replacements");
    assert!(!desk.read("release.csv").contains("Person"));
    assert!(!desk.read("recoding.json").contains("Person"));
    of
}

#[test]
fn dropped_by_default() {
    for desk in [desk(&[]), treated("treatment = \"drop\"")] {
        run(&desk);
        let release = desk.table("release.csv");
        assert!(!release.names.contains(&"name".to_string()));
        assert!(!desk.read("release.csv").contains("Person"));
    }
}

#[test]
fn tokens_are_of_the_seed() {
    let desk = treated("treatment = \"token\"");
    run(&desk);
    let one = replacements(&desk);
    run(&desk);
    assert_eq!(one, replacements(&desk), "the same seed, the same tokens");
    desk.json(&["run", "policy.toml", "--seed", "2", "--json"]);
    let two = replacements(&desk);
    let common = two
        .values()
        .filter(|token| one.values().any(|t| t == *token));
    assert_eq!(common.count(), 0);
    // Another table has other tokens: whoever knows seed and name cannot work a token out.
    desk.write("people.csv", people(401));
    run(&desk);
    assert_ne!(one["Person-0"], replacements(&desk)["Person-0"]);
}

#[test]
fn a_keyed_hash_is_the_same_from_a_file_and_the_environment() {
    let by_env = treated("treatment = \"keyed-hash\", key = { env = \"COARSEN_TEST_KEY\" }");
    let mut command = by_env.command(&["run", "policy.toml"]);
    let done = command.env("COARSEN_TEST_KEY", KEY).output().unwrap();
    let done = common::Done::of(done).expect(0);
    let by_file = treated("treatment = \"keyed-hash\", key = { file = \"secret.key\" }");
    by_file.write("secret.key", format!("{KEY}\n"));
    run(&by_file);
    let hashes = replacements(&by_env);
    assert_eq!(hashes, replacements(&by_file));
    assert!(hashes.values().all(|hash| hash.len() == 32));
    // The key is nowhere but where it was.
    assert!(!done.stdout.contains(KEY));
    for name in ["release.csv", "recoding.json"] {
        assert!(!by_env.read(name).contains(KEY), "{name}");
    }
    // Another key, other hashes; another seed or table, the same.
    by_file.write("secret.key", "another-key-that-nobody-guesses");
    run(&by_file);
    assert_ne!(hashes["Person-0"], replacements(&by_file)["Person-0"]);
    by_file.write("secret.key", KEY);
    by_file.write("people.csv", people(401));
    by_file.json(&["run", "policy.toml", "--seed", "9", "--json"]);
    assert_eq!(hashes["Person-0"], replacements(&by_file)["Person-0"]);
}
