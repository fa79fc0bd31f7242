//! Keys for hashing that are not there.

use super::*;

fn keyed(key: &str) -> Folder {
    policy_with(
        r#"name = { role = "identifier" }"#,
        &format!(r#"name = {{ role = "identifier", treatment = "keyed-hash"{key} }}"#),
    )
}

#[test]
fn a_hash_without_a_key() {
    refuses(
        &keyed(""),
        &["columns.name.key", "needs a key", "COARSEN_KEY"],
    );
    let desk = keyed(r#", key = { env = "COARSEN_TEST_NO_SUCH_KEY" }"#);
    let words = [
        "columns.name.key",
        "COARSEN_TEST_NO_SUCH_KEY",
        "`name`",
        "openssl rand",
    ];
    refuses(&desk, &words);
    let desk = keyed(r#", key = { file = "secret.key" }"#);
    refuses(&desk, &["secret.key", "no such key file", "openssl rand"]);
}

#[test]
fn a_key_that_can_be_guessed_is_not_repeated() {
    let desk = keyed(r#", key = { env = "COARSEN_TEST_SHORT_KEY" }"#);
    let mut command = desk.command(RUN);
    command.env("COARSEN_TEST_SHORT_KEY", "swordfish");
    let words = ["columns.name.key", "shorter than 16", "32 random bytes"];
    let done = desk.refuses_command(2, &mut command, &words);
    assert!(!done.stderr.contains("swordfish"), "{}", done.stderr);
}
