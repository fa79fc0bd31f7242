//! What others may try: each is refused, and nothing is told or done.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::client::Page;
use crate::common::{Folder, of_repository};
use crate::steps::clinic;

#[test]
fn a_foreign_host_gets_nothing() {
    let folder = clinic();
    let page = Page::open(&folder, &[]);
    for host in [
        "evil.example",
        &format!("evil.example:{}", page.port),
        "127.0.0.1",
        "",
        &format!("127.0.0.1:{}.evil.example", page.port),
    ] {
        for path in [
            format!("/?token={}", page.token),
            "/data".into(),
            "/style.css".into(),
        ] {
            let answer = page.raw(
                "GET",
                &path,
                &[("Host", host), ("Cookie", &page.cookie)],
                |_| Ok(()),
            );
            assert!(
                matches!(answer.status, 400 | 421),
                "{host} {path}: {}",
                answer.head
            );
            assert!(answer.header("set-cookie").is_none() && !answer.text().contains("patients"));
        }
    }
    let two = [("Host", page.host()), ("Host", "evil.example".to_string())];
    let two: Vec<(&str, &str)> = two.iter().map(|(n, v)| (*n, v.as_str())).collect();
    let answer = page.raw("GET", "/data", &two, |_| Ok(()));
    assert!(matches!(answer.status, 400 | 421), "{}", answer.head);
    page.raw(
        "GET",
        "/data",
        &[
            ("Host", &format!("LocalHost:{}", page.port)),
            ("Cookie", &page.cookie),
        ],
        |_| Ok(()),
    )
    .expect(200);
}

#[test]
fn a_foreign_origin_changes_nothing() {
    let folder = clinic();
    let page = Page::open(&folder, &[]);
    let (form, own) = (
        "application/x-www-form-urlencoded",
        format!("http://{}", page.host()),
    );
    let foreign = [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
        "file://",
    ];
    for origin in foreign {
        let headers = [
            ("Cookie", page.cookie.as_str()),
            ("Origin", origin),
            ("Content-Type", form),
        ];
        page.send("POST", "/data/open", &headers, b"path=patients.csv")
            .expect(403);
    }
    // No Origin at all, and a browser that tells on whoever asks.
    page.send(
        "POST",
        "/data/open",
        &[("Cookie", &page.cookie), ("Content-Type", form)],
        b"path=patients.csv",
    )
    .expect(403);
    let cross = [
        ("Cookie", page.cookie.as_str()),
        ("Origin", &own),
        ("Sec-Fetch-Site", "cross-site"),
        ("Content-Type", form),
    ];
    page.send("POST", "/data/open", &cross, b"path=patients.csv")
        .expect(403);
    page.get("/columns").expect(422).says(&["No file is open"]);
    let same = [
        ("Cookie", page.cookie.as_str()),
        ("Origin", &own),
        ("Sec-Fetch-Site", "same-origin"),
        ("Content-Type", form),
    ];
    page.send("POST", "/data/open", &same, b"path=patients.csv")
        .expect(303);
    // Nothing is changed by a mere link.
    for path in [
        "/data/open",
        "/search/cancel",
        "/policy/save",
        "/release/write",
        "/explore/choose",
        "/data/upload",
    ] {
        page.get(path).expect(405);
    }
}

#[test]
fn without_the_token_nobody_enters() {
    let folder = clinic();
    let page = Page::start(&folder, &[]);
    let wrong = "0".repeat(64);
    for path in [
        "/",
        "/data",
        "/policy.toml",
        "/release/get/release",
        "/search/events",
        "/no-such-page",
        "/?token=",
        &format!("/?token={wrong}"),
        &format!("/?token={}", &page.token[..63]),
    ] {
        let answer = page.send("GET", path, &[], b"").expect(401);
        assert!(
            answer.header("set-cookie").is_none() && !answer.text().contains("patients"),
            "{path}"
        );
    }
    let origin = format!("http://{}", page.host());
    page.send(
        "POST",
        "/data/open",
        &[
            ("Origin", &origin),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ],
        b"path=patients.csv",
    )
    .expect(401);
    page.send(
        "GET",
        "/data",
        &[("Cookie", &format!("coarsen-{}={}", page.port, page.token))],
        b"",
    )
    .expect(401);
    page.send("GET", "/style.css", &[], b"").expect(200);
}

#[test]
fn every_answer_has_its_guards() {
    let folder = clinic();
    let page = Page::open(&folder, &[]);
    page.post("/data/open", &[("path", "patients.csv")])
        .expect(303);
    for path in [
        "/data",
        "/columns",
        "/protection",
        "/search",
        "/explore",
        "/policy",
        "/style.css",
        "/page.js",
        "/nowhere",
    ] {
        let answer = page.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'none'")
                && policy.contains("frame-ancestors 'none'")
                && !policy.contains("unsafe"),
            "{path}: {policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let text = answer.text();
        if path.starts_with("/s") || path.starts_with("/page") {
            continue;
        }
        // The policy forbids what stands in the page itself, so there is none.
        assert!(
            !text.contains("<script>") && !text.contains(" style=") && !text.contains(" onclick"),
            "{path}"
        );
        assert!(
            !text.contains("http://") && !text.contains("https://"),
            "{path} names another place"
        );
    }
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let outer = Folder::new();
    outer.write("secret.csv", "name,age\nMallory,61\n");
    outer.write(
        "inner/patients.csv",
        std::fs::read(of_repository("examples/clinic/patients.csv")).unwrap(),
    );
    let link = |to: &str, from: &str| {
        #[cfg(unix)]
        std::os::unix::fs::symlink(outer.path(to), outer.path(from)).unwrap();
    };
    link("secret.csv", "inner/link.csv");
    link("", "inner/up");
    let inner = outer.path("inner").to_string_lossy().into_owned();
    let page = Page::open(&outer, &["--folder", &inner]);
    let outside = outer.path("secret.csv").to_string_lossy().into_owned();
    for path in [
        "../secret.csv",
        "x/../../secret.csv",
        "link.csv",
        "up/secret.csv",
        "..%2Fsecret.csv",
        &outside,
        "/etc/passwd",
        "../inner/../secret.csv",
    ] {
        let answer = page.post("/data/open", &[("path", path)]).expect(422);
        assert!(!answer.text().contains("Mallory"), "{path}");
    }
    for folder in ["..", "up", "../", "/"] {
        let answer = page.get(&format!("/data?folder={}", crate::client::encoded(folder)));
        assert!(
            !answer.text().contains("secret.csv"),
            "{folder}: {}",
            answer.text()
        );
    }
    for path in [
        "/../secret.csv",
        "/release/get/..%2f..%2fsecret.csv",
        "/%2e%2e/secret.csv",
    ] {
        assert_eq!(
            page.get(path).status / 100,
            4 - u16::from(path.contains("get")),
            "{path}"
        );
    }
    // Nor does a policy lead out: not by what it reads, not by what it writes.
    page.post("/data/open", &[("path", "patients.csv")])
        .expect(303);
    let text = page.get("/policy.toml").text();
    for (from, to) in [
        (
            "path = \"patients.csv\"",
            "path = \"../secret.csv\"".to_string(),
        ),
        ("path = \"patients.csv\"", "path = \"link.csv\"".into()),
        ("patients-release.csv", "../stolen.csv".into()),
        (
            "patients-release.csv",
            outer.path("stolen.csv").to_string_lossy().into_owned(),
        ),
        ("patients-report.html", "up/stolen.html".into()),
        ("patients-recoding.json", "link.csv".into()),
        (
            "hierarchy = { mask = \"right\" }",
            "hierarchy = { file = \"../secret.csv\" }".into(),
        ),
    ] {
        assert!(text.contains(from), "{from}: {text}");
        page.post("/policy", &[("text", &text.replace(from, &to))])
            .expect(422)
            .says(&["leads out of the folder"]);
    }
    page.post(
        "/columns/zip/preview",
        &[
            ("role", "quasi-identifier"),
            ("how", "file"),
            ("file", "../secret.csv"),
        ],
    )
    .says(&["leads out of the folder"]);
    page.post("/policy/save", &[("file", "../stolen.toml")])
        .expect(422);
    assert!(!outer.path("stolen.csv").exists() && !outer.path("stolen.toml").exists());
}

#[test]
fn a_large_upload_is_refused_by_its_word_and_by_its_bytes() {
    let (folder, temporary) = (Folder::new(), Folder::new());
    let room = temporary.path("").to_string_lossy().into_owned();
    let page = Page::open_in(&folder, &["--upload-limit", "1MB"], &room);
    let origin = format!("http://{}", page.host());
    let host = page.host();
    let base = [
        ("Host", host.as_str()),
        ("Cookie", &page.cookie),
        ("Origin", &origin),
        ("Content-Type", "multipart/form-data; boundary=cut"),
    ];
    // Five gigabytes by its own word: refused before a byte of it is read.
    let start = Instant::now();
    let declared = [&base[..], &[("Content-Length", "5000000000")]].concat();
    page.raw("POST", "/data/upload", &declared, |_| Ok(()))
        .expect(413)
        .says(&["1 MB at most"]);
    assert!(start.elapsed() < Duration::from_secs(5));
    // Without a word, in chunks without end.
    let chunked = [&base[..], &[("Transfer-Encoding", "chunked")]].concat();
    let mut sent = 0u64;
    let answer = page.raw("POST", "/data/upload", &chunked, |stream| {
        let part =
            "--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"big.csv\"\r\n\r\n";
        write!(stream, "{:x}\r\n{part}\r\n", part.len())?;
        let chunk = [b'x'; 65536];
        while sent < 5_000_000_000 {
            write!(stream, "{:x}\r\n", chunk.len())?;
            stream.write_all(&chunk)?;
            stream.write_all(b"\r\n")?;
            sent += chunk.len() as u64;
        }
        Ok(())
    });
    answer.expect(413);
    assert!(sent < 100_000_000, "it took {sent} bytes before it refused");
    assert_eq!(
        temporary.names(),
        Vec::<String>::new(),
        "nothing of it is kept"
    );
    // A form is no way around it either.
    let large = "x".repeat(9 << 20);
    page.post("/policy", &[("text", &large)]).expect(413);
    page.upload(&[("a.csv", "age,zip\n1,2\n3,4\n")]).expect(303);
}

#[test]
fn script_in_names_and_cells_stays_text() {
    let folder = Folder::new();
    let evil = "<script>alert(1)</script>";
    let mut rows = format!("\"{evil}\",\"a\"\"><img src=x onerror=alert(2)>\",zip\n");
    for row in 0..60 {
        rows += &format!(
            "\"<b>{}</b>\",\"</textarea><script>alert({})</script>\",{}\n",
            row % 3,
            row % 4,
            100 + row % 5
        );
    }
    folder.write("<i>evil.csv", rows);
    let page = Page::open(&folder, &[]);
    page.post("/data/open", &[("path", "<i>evil.csv")])
        .expect(303);
    page.post(
        "/columns",
        &[
            ("role.0", "quasi-identifier"),
            ("role.1", "sensitive"),
            ("role.2", "quasi-identifier"),
        ],
    )
    .expect(303);
    page.post(
        "/columns/%3Cscript%3Ealert%281%29%3C%2Fscript%3E",
        &[("role", "quasi-identifier"), ("as-text", "1")],
    )
    .expect(200);
    page.search(&[("algorithm", "mondrian"), ("loss", "lm"), ("seed", "1")]);
    page.get("/search").says(&["Holds"]);
    let bad = [("privacy.k", evil), ("selections", "<script>x = 1")];
    let mut seen: Vec<String> = vec![
        page.post("/protection", &bad).text(),
        page.post("/protection/check", &bad).text(),
        page.get("/release/report").text(),
    ];
    for path in [
        "/data",
        "/columns",
        "/columns/%3Cscript%3Ealert%281%29%3C%2Fscript%3E",
        "/protection",
        "/search",
        "/explore",
        "/explore/classes",
        "/explore/classes/0",
        "/explore/classes?text=%3Cscript%3E",
        "/utility",
        "/risk",
        "/release",
        "/policy",
    ] {
        seen.push(page.get(path).expect(200).text());
    }
    for text in seen {
        for bad in ["<script>alert", "<img", "<b>0", "<i>evil", "<script>x"] {
            assert!(!text.contains(bad), "{bad} stands in a page:\n{text}");
        }
    }
}

#[test]
fn nothing_of_the_input_is_logged() {
    let folder = clinic();
    let (page, log) = Page::open_logged(&folder);
    page.post("/data/open", &[("path", "patients.csv")])
        .expect(303);
    page.post(
        "/columns/diagnosis/preview",
        &[("role", "sensitive"), ("how", "tree"), ("tree", "a;b;*")],
    );
    page.search(&[("algorithm", "mondrian"), ("loss", "lm"), ("seed", "1")]);
    page.post("/protection/check", &[("selections", "zip = 'nowhere'")]);
    assert_eq!(page.stop().code(), Some(0));
    let said = std::fs::read_to_string(log).unwrap();
    assert!(said.lines().count() <= 2, "{said}");
    for cell in ["Andre Ito", "56805", "Poisoning", "Heart failure"] {
        assert!(!said.contains(cell), "{said}");
    }
}

#[test]
fn other_machines_are_let_in_only_by_word() {
    let folder = clinic();
    let words = [
        "0.0.0.0 can be reached from other machines",
        "--open-to-network",
    ];
    folder.refuses(2, &["serve", "--host", "0.0.0.0"], &words);
    folder.refuses(
        2,
        &["serve", "--folder", "nowhere"],
        &["there is no such folder"],
    );
    // Under the names that were given, and under no other.
    let page = Page::open(&folder, &["--open-to-network", "stats.example"]);
    let named = |name: &str| {
        let host = format!("{name}:{}", page.port);
        page.raw(
            "GET",
            "/data",
            &[("Host", &host), ("Cookie", &page.cookie)],
            |_| Ok(()),
        )
    };
    named("stats.example").expect(200);
    named("other.example").expect(421);
}
