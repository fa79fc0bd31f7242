//! A newcomer's whole way in a real browser, and what goes wrong on it.

use std::time::Duration;

use crate::client::Page;
use crate::driver::Browser;
use crate::steps::clinic;

#[test]
fn a_newcomer_comes_from_the_clinics_table_to_a_release() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let folder = clinic();
    let page = Page::start(&folder, &[]);
    browser.go(&page.address());
    browser.until("Choose your data");
    assert!(
        !browser
            .script("return location.href")
            .as_str()
            .unwrap()
            .contains("token")
    );
    browser.press("Open patients.csv");

    // Columns: roles, and the tree of the diagnoses with its preview.
    browser.until("What each column is");
    browser.choose("diagnosis", "sensitive");
    browser.choose("length_of_stay", "target");
    browser.choose("insurance", "other");
    browser.press("Keep these roles");
    browser.until("What each column is");
    browser.press("Change how diagnosis is treated");
    browser.choose("Steps", "a tree from a file");
    browser.choose("File", "diagnosis.csv");
    browser.until("Circulatory system");
    browser.press("Keep, and back to all columns");
    browser.until("What each column is");

    // Protection: one more requirement, and a selection that is checked as it is typed.
    browser.press("Keep, and on to Protection →");
    browser.until("What the release must meet");
    browser.fill("k", "5");
    browser.choose("Ask for more", "distinct");
    browser.press("Add");
    browser.until("Remove");
    browser.choose("column", "diagnosis");
    browser.fill("distinct", "3");
    browser.fill("Selections that queries will make, one a line", "sex = ");
    browser.until("✗");
    browser.press("Keep");
    browser.until("does not hold");
    browser.fill("Selections that queries will make, one a line", "sex = 'F'");
    browser.until("✓");
    browser.press("Keep, and on to Search →");

    // A long search: a reload in the middle, then cancelled, in words.
    browser.until("Search for a release");
    browser.tick("genetic");
    browser.fill("Time at most", "10m");
    browser
        .script("document.querySelector('[name=\"set.genetic.iterations\"]').value = '900000000'");
    browser.press("Search");
    browser.until("You may leave this page");
    browser.reload();
    browser.until("You may leave this page");
    browser.until("step ");
    browser.press("Cancel");
    browser.until("The search was cancelled; nothing was written");

    // A short one: the page comes back by itself when it is done.
    browser.tick("datafly");
    browser.fill("Time at most", "");
    browser.press("Search");
    browser.until("The last release");
    browser.until("Holds");
    browser.press("What it is good for");
    browser.until("What was done to each column");
    browser.step("Risk");
    browser.until("How many others a row is like");
    browser.step("Release");
    browser.until("coarsen run policy.toml");
    for what in ["release", "recoding", "report", "manifest", "policy"] {
        browser.click(&format!("Download the {what}"));
    }
    let names = [
        "patients-release.csv",
        "patients-recoding.json",
        "patients-report.html",
        "patients-manifest.json",
    ];
    let made = names.map(|name| browser.downloaded(name));
    let policy = browser.downloaded("policy.toml");
    browser.press("Save policy");
    browser.until("The policy is saved as policy.toml");
    assert_eq!(browser.complaints(), Vec::<String>::new());

    assert_eq!(folder.bytes("policy.toml"), policy);
    folder.run(&["run", "policy.toml"]).expect(0);
    for (name, made) in names.iter().zip(&made) {
        assert_eq!(
            &folder.bytes(name),
            made,
            "{name} differs from what coarsen run writes"
        );
    }
}

#[test]
fn what_goes_wrong_is_said_in_the_browser() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let folder = clinic();
    let page = Page::start(&folder, &[]);
    browser.go(&page.address());
    browser.press("Open patients.csv");
    browser.until("What each column is");

    // A value that the tree lacks is named while one types.
    browser.press("Change how sex is treated");
    browser.choose("Steps", "a tree, written here");
    browser.fill("The tree", "F;anybody;*");
    browser.until("is in the data but not in the hierarchy");
    browser.press("Keep");
    browser.until("`M` is in the data but not in the hierarchy");

    // A k that no release can meet, refused with what was typed still there.
    browser.step("Protection");
    browser.until("What the release must meet");
    browser.fill("k", "5000");
    browser.press("Keep");
    browser.until("the table has only 2000 rows");
    assert_eq!(
        browser.script("return document.getElementById('privacy-k').value"),
        "5000"
    );

    // Whoever comes without the token is turned away.
    let other = Browser::open().unwrap();
    other.go(&format!("http://127.0.0.1:{}/data", page.port));
    other.until("Who is there?");
    drop(other);
    // By keyboard alone: the first stop is the way past the steps. A key that comes before the window has
    // the focus is lost, so a fresh page is tried again.
    let is_skip = "return document.activeElement.className === 'skip'";
    let reached = (0..10).any(|_| {
        browser.go(&format!("http://127.0.0.1:{}/search", page.port));
        browser.until("Search for a release");
        browser.keys("\u{e004}");
        std::thread::sleep(Duration::from_millis(200));
        browser.script(is_skip) == true
    });
    assert!(reached, "the first stop is not the way past the steps");
    browser.keys("\u{e007}");
    browser.until_it_is("return location.hash", "#main");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
