//! The recoding that is saved with a release.

use super::*;

/// All texts in a JSON value.
fn texts<'a>(value: &'a Value, into: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(list) => list.iter().for_each(|each| texts(each, into)),
        Value::Object(table) => table.values().for_each(|each| texts(each, into)),
        _ => {}
    }
}

/// Blocks of one column at a time, and nothing of the columns that are not recoded: no two cells
/// of a row ever stand together.
#[test]
fn holds_no_row_of_the_input() {
    let desk = desk(&[]);
    run(&desk);
    let people = desk.table("people.csv");
    let saved: Value = serde_json::from_str(&desk.read("recoding.json")).unwrap();
    let columns = saved["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 3);
    for column in columns {
        let name = column["name"].as_str().unwrap();
        let mut own = Vec::new();
        texts(&column["blocks"], &mut own);
        let own: BTreeSet<&str> = own.into_iter().collect();
        for other in people.names.iter().filter(|other| *other != name) {
            let strange = people
                .column(other)
                .into_iter()
                .find(|cell| own.contains(cell));
            assert_eq!(strange, None, "a cell of {other} in the blocks of {name}");
        }
    }
    let mut of_policy = Vec::new();
    texts(&saved["policy"], &mut of_policy);
    for name in &people.names {
        for cell in people.column(name) {
            assert!(!of_policy.contains(&cell), "{cell} of {name} in the policy");
        }
    }
}

/// It names no path of the machine it was made on.
#[test]
fn names_no_path_and_no_hierarchy_file() {
    let desk = desk(&[(
        "sex = { role = \"quasi-identifier\" }",
        "sex = { role = \"quasi-identifier\", hierarchy = { file = \"sex.csv\" } }",
    )]);
    desk.write("sex.csv", "F;person;*\nM;person;*\n");
    run(&desk);
    let saved = desk.read("recoding.json");
    assert!(!saved.contains("people.csv") && !saved.contains("release.csv"));
    assert!(!saved.contains("sex.csv"), "{saved}");
    let folder = desk.path("").to_string_lossy().into_owned();
    assert!(!saved.contains(folder.trim_end_matches('/')));
}
