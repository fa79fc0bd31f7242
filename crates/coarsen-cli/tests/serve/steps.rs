//! The way through the steps, and that what the page makes is what `coarsen run` makes.

use crate::client::Page;
use crate::common::{Folder, of_repository};

/// A folder with the clinic's table and tree, and no policy.
pub fn clinic() -> Folder {
    let folder = Folder::new();
    for name in ["patients.csv", "diagnosis.csv"] {
        folder.write(
            name,
            std::fs::read(of_repository(&format!("examples/clinic/{name}"))).unwrap(),
        );
    }
    folder
}

/// The clinic with its policy, and a page that has it open.
pub fn opened() -> (Folder, Page) {
    let folder = clinic();
    folder.write(
        "policy.toml",
        std::fs::read(of_repository("examples/clinic/policy.toml")).unwrap(),
    );
    let page = Page::open(&folder, &[]);
    page.post("/data/open", &[("path", "policy.toml")])
        .expect(303);
    (folder, page)
}

/// The form of the step Protection as that policy fills it, with one field changed.
pub fn protection<'a>(name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    let usual = [
        ("privacy.k", "5"),
        ("row.0.is", "distinct"),
        ("row.0.column", "diagnosis"),
        ("row.0.distinct", "3"),
        ("limit", "5"),
        ("mode", "drop"),
        ("missing", "category"),
        ("weight.length_of_stay", "1"),
        ("selections", ""),
    ];
    usual
        .into_iter()
        .map(|(known, usual)| {
            if known == name {
                (name, value)
            } else {
                (known, usual)
            }
        })
        .collect()
}

#[test]
fn from_a_table_to_files_that_coarsen_run_makes_too() {
    let folder = clinic();
    let page = Page::open(&folder, &[]);
    page.get("/data")
        .expect(200)
        .says(&["patients.csv", "Open"]);
    page.post("/data/open", &[("path", "patients.csv")])
        .expect(303);
    page.get("/columns").expect(200).says(&[
        "birth_date",
        "quasi-identifier",
        "as suggested",
        "2,000",
    ]);
    page.post("/columns", &[("role.4", "sensitive"), ("role.6", "target")])
        .expect(303);
    page.post(
        "/columns/diagnosis",
        &[
            ("role", "sensitive"),
            ("how", "file"),
            ("file", "diagnosis.csv"),
        ],
    )
    .expect(303);
    let preview = page.post(
        "/columns/zip/preview",
        &[
            ("role", "quasi-identifier"),
            ("type", "text"),
            ("how", "mask"),
            ("side", "right"),
        ],
    );
    preview
        .expect(200)
        .says(&["Every value of the data is covered", "568**"]);
    let fields = protection("selections", "sex = 'F'\n");
    page.post("/protection", &fields).expect(303);
    page.search(&[
        ("algorithm", "datafly"),
        ("loss", "lm"),
        ("budget", ""),
        ("seed", "1"),
    ]);
    page.get("/search")
        .expect(200)
        .says(&["Holds", "5-anonymity", "distinct 3-diversity"]);
    page.get("/utility")
        .expect(200)
        .says(&["birth_date", "<svg", "rows asked for"]);
    page.get("/risk")
        .expect(200)
        .says(&["highest risk", "<svg"]);
    page.get("/explore/classes")
        .expect(200)
        .says(&["classes", "rows"]);
    page.get("/explore/classes/0")
        .expect(200)
        .says(&["different values behind it", "diagnosis"]);

    let get = |what: &str| page.get(&format!("/release/get/{what}")).expect(200).body;
    let files = ["release", "recoding", "report", "manifest", "policy"].map(get);
    page.post("/release/write", &[]).expect(303);
    let names = [
        "patients-release.csv",
        "patients-recoding.json",
        "patients-report.html",
        "patients-manifest.json",
        "policy.toml",
    ];
    for (name, downloaded) in names.iter().zip(&files) {
        assert_eq!(&folder.bytes(name), downloaded, "{name}");
    }
    for name in &names[..4] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    folder.run(&["run", "policy.toml"]).expect(0);
    for (name, downloaded) in names.iter().zip(&files) {
        assert_eq!(
            &folder.bytes(name),
            downloaded,
            "{name} differs from what coarsen run writes"
        );
    }
    assert_eq!(page.stop().code(), Some(0));
}

#[test]
fn an_opened_policy_comes_back_with_its_comments_and_a_reload_loses_nothing() {
    let folder = clinic();
    folder.write(
        "sub/policy.toml",
        std::fs::read_to_string(of_repository("examples/clinic/policy.toml"))
            .unwrap()
            .replace("patients.csv", "../patients.csv")
            .replace("diagnosis.csv", "../diagnosis.csv"),
    );
    let page = Page::open(&folder, &[]);
    page.post("/data/open", &[("path", "sub/policy.toml")])
        .expect(303);
    page.get("/protection").expect(200).says(&[
        "name=\"privacy.k\" value=\"5\"",
        "distinct",
        "value=\"diagnosis\" selected",
    ]);
    // Another browser knows nothing of it.
    let other = page
        .send("GET", &format!("/?token={}", page.token), &[], b"")
        .expect(303);
    let cookie = other
        .header("set-cookie")
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_string();
    page.send("GET", "/columns", &[("Cookie", &cookie)], b"")
        .expect(422)
        .says(&["No file is open"]);
    // The same one does, also after entering by the address again.
    let again = page
        .send(
            "GET",
            &format!("/?token={}", page.token),
            &[("Cookie", &page.cookie)],
            b"",
        )
        .expect(303);
    assert_eq!(again.header("set-cookie"), None);
    page.get("/columns").expect(200).says(&["birth_date"]);

    page.post("/protection", &protection("privacy.k", "7"))
        .expect(303);
    page.get("/search").says(&["not saved"]);
    page.search(&[("algorithm", "datafly"), ("loss", "lm"), ("seed", "1")]);
    page.post("/release/write", &[]).expect(303);
    let saved = folder.read("sub/policy.toml");
    assert!(saved.starts_with("# A clinic's patients"), "{saved}");
    assert!(saved.contains("k = 7\n"), "{saved}");
    let made = folder.bytes("sub/release.csv");
    folder.run(&["run", "sub/policy.toml"]).expect(0);
    assert_eq!(folder.bytes("sub/release.csv"), made);
}

#[test]
fn candidates_are_compared_and_one_is_made() {
    let (_folder, page) = opened();
    page.post(
        "/explore",
        &[
            ("algorithm", "datafly"),
            ("algorithm", "mondrian"),
            ("k", "3, 6"),
            ("loss", "lm"),
            ("limits", "5"),
            ("budget", ""),
        ],
    )
    .expect(303);
    page.wait();
    page.get("/explore")
        .expect(200)
        .says(&["<svg", "★", "Make the release of candidate 4"]);
    page.get("/explore/frontier.csv")
        .expect(200)
        .says(&["number,algorithm,k", "\n4,mondrian,6,"]);
    page.post("/explore/choose", &[("pin", "1"), ("pin", "4")])
        .expect(303);
    page.get("/explore")
        .says(&["Side by side", "4: mondrian, k 6"]);
    page.post("/explore/choose", &[("use", "2")]).expect(303);
    page.wait();
    page.get("/search").says(&["Holds", "6-anonymity"]);
    page.get("/policy").says(&["k = 6"]);
}

#[test]
fn uploaded_files_are_private_and_gone_at_the_end() {
    let (folder, data) = (Folder::new(), clinic());
    let temporary = Folder::new();
    let room = temporary.path("").to_string_lossy().into_owned();
    let page = Page::open_in(&folder, &[], &room);
    page.upload(&[
        ("patients.csv", &data.read("patients.csv")),
        ("diagnosis.csv", &data.read("diagnosis.csv")),
    ])
    .expect(303);
    page.search(&[("algorithm", "mondrian"), ("loss", "lm"), ("seed", "1")]);
    page.get("/release")
        .expect(200)
        .says(&["private folder", "Download"]);
    let released = page.get("/release/get/release").expect(200).body;
    let policy = page.get("/release/get/policy").expect(200).body;
    #[cfg(unix)]
    for (path, _) in temporary
        .all()
        .iter()
        .filter(|(path, _)| path.ends_with("patients.csv") && !path.is_symlink())
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(rights(path), 0o600, "{}", path.display());
        assert_eq!(rights(path.parent().unwrap()), 0o700);
    }
    // What is replaced by another upload goes at once.
    let uploads = || {
        let names = temporary.names();
        names
            .iter()
            .filter(|name| name.contains("/upload-"))
            .count()
    };
    assert_eq!(uploads(), 2);
    page.upload(&[("other.csv", "age,zip\n1,2\n3,4\n")])
        .expect(303);
    assert_eq!(uploads(), 1);
    assert_eq!(page.stop().code(), Some(0));
    assert_eq!(
        temporary.names(),
        Vec::<String>::new(),
        "private copies are removed"
    );
    assert_eq!(folder.names(), Vec::<String>::new());
    data.write("policy.toml", policy);
    data.run(&["run", "policy.toml"]).expect(0);
    assert_eq!(data.bytes("patients-release.csv"), released);
}

#[test]
fn other_formats_go_the_same_way() {
    let folder = Folder::new();
    for ending in ["parquet", "jsonl", "arrow", "tsv"] {
        let name = format!("people.{ending}");
        folder
            .run(&["generate", "clinic", "--rows", "300", "-o", &name])
            .expect(0);
        let page = Page::open(&folder, &[]);
        page.post("/data/open", &[("path", &name)]).expect(303);
        page.search(&[("algorithm", "mondrian"), ("loss", "lm"), ("seed", "1")]);
        let released = page.get("/release/get/release").expect(200).body;
        page.post("/release/write", &[]).expect(303);
        assert_eq!(folder.bytes(&format!("people-release.{ending}")), released);
        std::fs::remove_file(folder.path("policy.toml")).unwrap();
    }
}
