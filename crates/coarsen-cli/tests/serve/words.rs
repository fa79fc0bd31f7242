//! What goes wrong at the page is said in words, and nothing is lost by it.

use std::time::{Duration, Instant};

use crate::steps::{opened, protection};

#[test]
fn a_bad_selection_is_marked_as_it_is_typed_and_not_kept() {
    let (_folder, page) = opened();
    page.post("/protection/check", &[("selections", "sex = 'F'\nsex >")])
        .expect(200)
        .says(&["✓", "rows", "✗", "<mark>"]);
    page.post("/protection/check", &[("selections", "size = 3")])
        .says(&["`size` is not a quasi-identifier", "birth_date"]);
    let typed = "sex = 'F'\nzip = ";
    page.post("/protection", &protection("selections", typed))
        .expect(422)
        .says(&["The selection `zip =` does not hold", "zip = </textarea>"]);
    page.get("/policy").expect(200);
    assert!(!page.get("/policy").text().contains("selections"));
}

#[test]
fn a_value_that_a_hierarchy_lacks_is_named() {
    let (folder, page) = opened();
    let tree = folder
        .read("diagnosis.csv")
        .lines()
        .skip(2)
        .collect::<Vec<_>>()
        .join("\n");
    let fields = [
        ("role", "sensitive"),
        ("how", "tree"),
        ("tree", tree.as_str()),
    ];
    for path in ["/columns/diagnosis/preview", "/columns/diagnosis"] {
        page.post(path, &fields).says(&[
            "not in the hierarchy",
            "`Heart failure`",
            "`Myocardial infarction`",
        ]);
    }
    page.post("/columns/diagnosis", &fields).expect(422);
    // What was there before is there still.
    page.get("/policy")
        .says(&["file = &quot;diagnosis.csv&quot;"]);
    // The tree as text begins with what is there, and is kept whole.
    let text = page.post(
        "/columns/diagnosis",
        &[
            ("role", "sensitive"),
            ("how", "file"),
            ("file", "diagnosis.csv"),
            ("as-text", "1"),
        ],
    );
    text.expect(200)
        .says(&["Heart failure;Heart disease;Circulatory system;*"]);
}

#[test]
fn an_impossible_k_is_refused_at_once_and_by_the_search() {
    let (_folder, page) = opened();
    page.post("/protection", &protection("privacy.k", "5000"))
        .expect(422)
        .says(&[
            "k is 5000, but the table has only 2000 rows",
            "value=\"5000\"",
        ]);
    page.post("/protection", &protection("privacy.k", "none"))
        .expect(422)
        .says(&["not a whole number"]);
    page.post("/protection", &protection("row.0.distinct", "500"))
        .expect(303);
    page.search(&[("algorithm", "datafly"), ("loss", "lm"), ("seed", "1")]);
    page.get("/search")
        .expect(200)
        .says(&["role=\"alert\"", "500"]);
}

#[test]
fn a_search_goes_on_without_us_tells_how_far_it_is_and_can_be_cancelled() {
    let (folder, page) = opened();
    let long = [
        ("algorithm", "genetic"),
        ("loss", "lm"),
        ("seed", "1"),
        ("budget", "10m"),
        ("set.genetic.iterations", "900000000"),
        ("go", "1"),
    ];
    page.post("/search", &long).expect(303);
    // A reload in the middle finds it still there.
    page.get("/search")
        .expect(200)
        .says(&["data-events=", "Cancel"]);
    page.get("/columns").expect(200).says(&["running"]);
    page.post("/search", &long)
        .expect(422)
        .says(&["goes on already"]);
    let before = folder.names();
    let start = Instant::now();
    let cancelled = std::thread::scope(|scope| {
        let events = scope.spawn(|| page.get("/search/events"));
        std::thread::sleep(Duration::from_millis(700));
        page.post("/search/cancel", &[("after", "/search")])
            .expect(303);
        events.join().unwrap()
    });
    assert!(start.elapsed() < Duration::from_secs(20));
    let told = cancelled.text();
    assert!(
        told.contains("\"stage\":\"Searching\"") && told.contains("\"ended\":true"),
        "{told}"
    );
    page.get("/search")
        .says(&["The search was cancelled; nothing was written"]);
    assert_eq!(folder.names(), before);
    // And another can begin.
    page.search(&[("algorithm", "datafly"), ("loss", "lm"), ("seed", "1")]);
    page.get("/search").says(&["Holds"]);
}

#[test]
fn settings_that_do_not_fit_are_said_and_not_kept() {
    let (_folder, page) = opened();
    page.post(
        "/search",
        &[
            ("algorithm", "genetic"),
            ("seed", "1"),
            ("set.genetic.population", "many"),
        ],
    )
    .expect(422)
    .says(&["population", "`many`"]);
    page.post(
        "/search",
        &[("algorithm", "datafly"), ("seed", "1"), ("budget", "soon")],
    )
    .expect(422)
    .says(&["search.budget"]);
    page.post("/policy", &[("text", "version = 1\n")])
        .expect(422)
        .says(&["The policy has no"]);
    page.post("/columns", &[("role.4", "other")])
        .expect(422)
        .says(&["diagnosis"]);
    page.get("/policy").says(&[
        "algorithm = &quot;datafly&quot;",
        "role = &quot;sensitive&quot;",
    ]);
}

#[test]
fn a_release_of_another_policy_is_not_written() {
    let (folder, page) = opened();
    page.search(&[("algorithm", "datafly"), ("loss", "lm"), ("seed", "1")]);
    page.post("/protection", &protection("privacy.k", "8"))
        .expect(303);
    page.get("/release")
        .expect(200)
        .says(&["The policy has changed since"]);
    page.post("/release/write", &[])
        .expect(422)
        .says(&["Search again"]);
    assert!(!folder.path("release.csv").exists());
}
