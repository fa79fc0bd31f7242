//! Places that cannot be written to.

use super::*;

/// A desk whose release goes elsewhere.
fn output_to(path: &str) -> Folder {
    policy_with("path = \"release.csv\"", &format!("path = \"{path}\""))
}

#[test]
fn onto_the_input() {
    let words = ["patients.csv", "overwrit", "help: "];
    refuses(&output_to("patients.csv"), &words);
    refuses(&output_to("./patients.csv"), &words);
    let desk = output_to("link.csv");
    std::os::unix::fs::symlink("patients.csv", desk.path("link.csv")).unwrap();
    refuses(&desk, &["link.csv", "overwritten"]);
    let desk = policy_with("recoding.json", "./patients.csv");
    refuses(&desk, &words);
}

#[test]
fn onto_a_hierarchy_the_policy_or_a_key() {
    let desk = sex_hierarchy("F;*\nM;*\n");
    desk.edit("policy.toml", "release.csv", "sex.csv");
    refuses(&desk, &["sex.csv", "overwritten", "another output path"]);
    refuses(&output_to("policy.toml"), &["policy.toml", "overwritten"]);
    let desk = policy_with("recoding.json", "./policy.toml");
    refuses(&desk, &["policy.toml", "overwritten"]);
    let desk = output_to("secret.key");
    let keyed = r#"role = "identifier", treatment = "keyed-hash", key = { file = "secret.key" }"#;
    desk.edit("policy.toml", r#"role = "identifier""#, keyed);
    desk.write("secret.key", "0123456789abcdef0123456789abcdef");
    refuses(&desk, &["secret.key", "overwritten"]);
}

#[test]
fn the_release_onto_the_recoding() {
    for path in ["recoding.json", "./recoding.json"] {
        refuses(&output_to(path), &["recoding.json", "file of its own"]);
    }
}

#[test]
fn below_a_file_into_no_folder_or_onto_one() {
    refuses(
        &output_to("patients.csv/release.csv"),
        &["patients.csv", "is a file"],
    );
    refuses(
        &output_to("nowhere/release.csv"),
        &["nowhere", "no such folder"],
    );
    let desk = output_to("old");
    desk.write("old/release.csv", "older");
    refuses(&desk, &["old", "this is a folder"]);
    let desk = policy_with("recoding.json", "nowhere/recoding.json");
    refuses(&desk, &["nowhere", "no such folder"]);
}

/// Even root cannot make a file there.
#[test]
fn where_nothing_can_be_written() {
    refuses(
        &output_to("/proc/release.csv"),
        &["/proc", "cannot be written"],
    );
}
