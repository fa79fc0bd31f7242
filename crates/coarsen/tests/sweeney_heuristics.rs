//! Datafly and μ-Argus with what the data holder may tell them (seed 002, sections 4.1 and 4.2), on
//! the paper's own table where it has one.
#![allow(clippy::unwrap_used)]

mod common;

use std::sync::Mutex;

use coarsen::policy::NarrowerSpec;
use coarsen::privacy::enforce;
use coarsen::problem::Problem;
use coarsen::recoding::{Partitions, Recoding};
use coarsen::search::{self, Outcome, Question, Run, SearchError, Step};
use common::sweeney::{fig_7, run};
use common::{Table, cells, shown};

fn refused(algorithm: &str, settings: &str) -> String {
    let settings: toml::Value = toml::from_str(settings).unwrap();
    let built = (search::find(algorithm).unwrap().build)(Some(&settings));
    built.err().unwrap().message
}

fn steps(trace: &[Step]) -> Vec<(&str, u64)> {
    trace
        .iter()
        .map(|s| (s.what.as_str(), s.short_rows))
        .collect()
}

const CLASSES: &str =
    "identifying = [\"race\"]\nmore = [\"gender\", \"zip\"]\nmost = [\"birth\"]\n";

#[test]
fn figures_13_to_15_mu_argus_on_the_twelve_rows() {
    let table = fig_7(0.0);
    let problem = table.problem("prec").unwrap();
    let made = run(
        "mu-argus",
        &format!("{CLASSES}accept_unproven = true"),
        &problem,
    )
    .unwrap();
    // Fig. 13 finds {birth, zip} for t8. Fig. 14: t7 has {birth,sex,zip} and {race,birth,zip}; t8 has
    // these, {birth,zip}, {sex,zip}, {race,sex}, {race,birth}, {race,birth,sex}, and {race,sex,zip},
    // which the figure leaves out. Step 6 takes birth from both and gender from t8.
    assert_eq!(
        steps(&made.trace),
        [
            ("generalize birth to level 1 of 3: each value has k rows", 0),
            ("too rare together: race, birth", 1),
            ("too rare together: race, gender", 1),
            ("too rare together: birth, zip", 1),
            ("too rare together: gender, zip", 1),
            ("too rare together: race, birth, gender", 1),
            ("too rare together: race, birth, zip", 2),
            ("too rare together: race, gender, zip", 1),
            ("too rare together: birth, gender, zip", 2),
            ("suppress birth", 2),
            ("suppress gender", 1),
        ]
    );
    // Fig. 15, MT.
    let classes = made.recoding.classes(&table.attributes, &table.counts);
    let released = shown(&table.released(&classes, table.policy.suppression.mode));
    assert_eq!(
        released,
        [
            "black 1965 male 02141",
            "black 1965 male 02141",
            "black 1965 female 02138",
            "black 1965 female 02138",
            "black 1964 female 02138",
            "black 1964 female 02138",
            "white * male 02138",
            "white * * 02139",
            "white 1964 male 02139",
            "white 1964 male 02139",
            "white 1967 male 02138",
            "white 1967 male 02138",
        ]
    );
}

#[test]
fn mu_argus_does_not_pass_off_what_does_not_protect() {
    // t7 and t8 of MT are unique.
    let problem = fig_7(0.0).problem("prec").unwrap();
    let error = run("mu-argus", CLASSES, &problem).unwrap_err();
    let SearchError::Unproven {
        short,
        unique,
        allowed,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((short, unique, allowed), (2, 2, 0));
    assert!(error.to_string().contains("2 rows that fall short"));
    // Where two rows may be suppressed whole, they are, and the release is sound.
    let problem = fig_7(0.17).problem("prec").unwrap();
    assert!(run("mu-argus", CLASSES, &problem).is_ok());
}

#[test]
fn the_data_holder_may_generalize_in_step_4() {
    let problem = fig_7(0.0).problem("prec").unwrap();
    let chosen =
        format!("{CLASSES}generalize = [\"race\", \"birth\", \"zip\", \"race\", \"gender\"]");
    let made = run("mu-argus", &chosen, &problem).unwrap();
    // As persons of a decade: t8 is still the only woman in 02139. 0213*: none stands out, and the
    // last two choices are not needed.
    let lines = steps(&made.trace);
    assert_eq!(
        lines,
        [
            ("generalize birth to level 1 of 3: each value has k rows", 0),
            ("generalize race to level 1 of 2: as chosen", 0),
            ("generalize birth to level 2 of 3: as chosen", 0),
            ("generalize zip to level 1 of 3: as chosen", 0),
        ]
    );
}

#[test]
fn in_step_4_the_data_holder_may_be_asked() {
    let problem = fig_7(0.0).problem("prec").unwrap();
    let settings =
        toml::from_str(&format!("{CLASSES}generalize = [\"race\"]\nask = true")).unwrap();
    let search = (search::find("mu-argus").unwrap().build)(Some(&settings)).unwrap();
    let heard: Mutex<Vec<Question>> = Mutex::new(Vec::new());
    // Birth, then the ZIP, as the list of the test above has them; then nothing is left to ask.
    let answer = |question: &Question| {
        let mut heard = heard.lock().unwrap();
        heard.push(question.clone());
        let wanted = ["birth", "zip"][heard.len() - 1];
        question.columns.iter().position(|c| c.column == wanted)
    };
    let run_asking = Run::new(1).with_chooser(Some(&answer));
    let made = search.search(&problem, &run_asking).unwrap();
    let listed = format!("{CLASSES}generalize = [\"race\", \"birth\", \"zip\"]");
    let listed = run("mu-argus", &listed, &problem).unwrap();
    assert_eq!((made.recoding, made.trace), (listed.recoding, listed.trace));
    let heard = heard.into_inner().unwrap();
    assert_eq!(heard.len(), 2);
    // As persons: t7 is the only man of 1964 in 02138, t8 the only woman in 02139.
    assert_eq!(heard[0].rows, 2);
    let zip_and_birth = heard[0]
        .outlying
        .iter()
        .find(|o| o.columns == ["birth", "zip"])
        .unwrap();
    assert_eq!(zip_and_birth.rows, 1);
    let birth = &heard[0].columns[1];
    assert_eq!(
        (birth.column.as_str(), birth.level, birth.height),
        ("birth", 1, 3)
    );

    // Whoever does not answer has cells suppressed, as without the question.
    let silent = Run::new(1).with_chooser(Some(&|_| None));
    let problem = fig_7(0.17).problem("prec").unwrap();
    let settings = toml::from_str(&format!("{CLASSES}ask = true")).unwrap();
    let search = (search::find("mu-argus").unwrap().build)(Some(&settings)).unwrap();
    let made = search.search(&problem, &silent).unwrap();
    assert_eq!(
        made.recoding,
        run("mu-argus", CLASSES, &problem).unwrap().recoding
    );
    // Where there is nobody to ask, it says so.
    let refused = search
        .search(&problem, &Run::new(1))
        .unwrap_err()
        .to_string();
    assert!(refused.contains("nobody to ask"), "{refused}");
}

#[test]
fn figure_12_leaves_a_unique_row_that_all_combinations_find() {
    // Two identifying columns: the program never looks at them together, and the last row is alone.
    let mut table = Table::new(&[
        cells("x", &["a", "a", "b", "b", "a"]),
        cells("y", &["a", "a", "b", "b", "b"]),
    ]);
    table.policy.privacy.k = 2;
    table.policy.suppression.limit = 0.0;
    let problem = table.problem("prec").unwrap();
    let settings = |list: &str| {
        format!("identifying = [\"x\", \"y\"]\nlist = {list:?}\naccept_unproven = true")
    };
    let made = |list: &str| {
        let outcome = run("mu-argus", &settings(list), &problem).unwrap();
        let classes = outcome.recoding.classes(&table.attributes, &table.counts);
        shown(&table.released(&classes, table.policy.suppression.mode))[4].clone()
    };
    assert_eq!(made("figure-12"), "a b");
    assert_eq!(made("all"), "* b");
}

#[test]
fn mu_argus_settings_are_checked() {
    assert!(refused("mu-argus", "combinations = 1").contains("at least 2"));
    assert!(refused("mu-argus", "list = \"some\"").contains("some"));
    let problem = fig_7(0.0).problem("prec").unwrap();
    let twice = run("mu-argus", "more = [\"zip\"]\nmost = [\"zip\"]", &problem);
    assert!(twice.unwrap_err().to_string().contains("lists `zip` twice"));
    let unknown = run("mu-argus", "generalize = [\"zap\"]", &problem);
    assert!(unknown.unwrap_err().to_string().contains("names `zap`"));
}

fn levels_of(problem: &Problem, outcome: &Outcome) -> Vec<usize> {
    let Recoding::Partitions(found) = &outcome.recoding else {
        panic!("datafly makes partitions");
    };
    let level = |column: usize| {
        let heights = 0..=problem.attributes[column].hierarchy.height();
        let at = |level: &usize| {
            let mut levels = vec![0; problem.attributes.len()];
            levels[column] = *level;
            let there = Partitions::at_levels(&problem.attributes, &levels);
            there.columns[column] == found.columns[column]
        };
        heights.into_iter().find(at).unwrap()
    };
    (0..problem.attributes.len()).map(level).collect()
}

#[test]
fn datafly_meets_every_quasi_identifier_with_its_own_k() {
    // Together 2, in the ZIP alone 3: 02141 has two rows, and t7 and t8 stand out in the whole.
    let narrower = |limit: f64, k: u64| {
        let mut table = fig_7(limit);
        table.policy.privacy.quasi_identifiers = vec![NarrowerSpec {
            columns: vec!["zip".into()],
            k,
        }];
        table
    };
    let plain = fig_7(0.17).problem("prec").unwrap();
    let made = run("datafly", "", &plain).unwrap();
    assert_eq!(levels_of(&plain, &made), [0, 1, 0, 0]);
    // Two rows may go. In 0213* t7 finds company, but t8 and the two of 0214* do not; 021** holds all, and
    // t8 alone is suppressed.
    let problem = narrower(0.17, 3).problem("prec").unwrap();
    let made = run("datafly", "", &problem).unwrap();
    assert_eq!(levels_of(&problem, &made), [0, 1, 0, 2]);
    let lines = steps(&made.trace);
    assert_eq!(
        lines[1..],
        [
            ("generalize birth to level 1 of 3", 6),
            ("generalize zip to level 1 of 3", 3),
            ("generalize zip to level 2 of 3", 1),
        ]
    );
    // Six may go: those of 02141, those of 02139 whom t8 leaves alone, t7 and t8.
    let table = narrower(0.5, 3);
    let problem = table.problem("prec").unwrap();
    let made = run("datafly", "", &problem).unwrap();
    assert_eq!(levels_of(&problem, &made), [0, 1, 0, 0]);
    let mut classes = made.recoding.classes(&table.attributes, &table.counts);
    let mode = table.policy.suppression.mode;
    assert_eq!(
        enforce(&table.counts, &problem.requirements, mode, &mut classes),
        6
    );
    let released = table.released(&classes, mode);
    let zips: Vec<&str> = released
        .iter()
        .flatten()
        .map(|row| row[3].as_str())
        .collect();
    assert_eq!(zips, ["02138"; 6]);
    // More rows than there are cannot be asked for.
    let refused = narrower(0.0, 13).problem("prec").unwrap_err();
    assert!(refused.to_string().contains("only 12 rows"), "{refused}");
}

#[test]
fn datafly_weighs_linking_and_preference() {
    // Birth has the most values, but is to be left alone: the ZIP, three values, goes first.
    let problem = fig_7(0.17).problem("prec").unwrap();
    let first = |settings: &str| {
        let made = run("datafly", settings, &problem).unwrap();
        made.trace[1].what.split(' ').nth(1).unwrap().to_string()
    };
    let all = "columns = [\"race\", \"birth\", \"gender\", \"zip\"]";
    assert_eq!(first(""), "birth");
    assert_eq!(
        first(&format!(
            "quasi_identifiers = [{{ {all}, preference = {{ birth = 0 }} }}]"
        )),
        "zip"
    );
    // 12 · 0.1 is less than 3 · 0.5.
    let linking =
        format!("quasi_identifiers = [{{ {all}, linking = {{ birth = 0.1, zip = 0.5 }} }}]");
    assert_eq!(first(&linking), "race");
    assert!(
        refused(
            "datafly",
            "quasi_identifiers = [{ columns = [\"zip\"], linking = { zip = 2 } }]"
        )
        .contains("from 0 to 1")
    );
    assert!(
        refused(
            "datafly",
            "quasi_identifiers = [{ columns = [\"zip\"], linking = { race = 1 } }]"
        )
        .contains("does not list it")
    );
}

#[test]
fn datafly_releases_eligible_columns_only() {
    let problem = fig_7(0.17).problem("prec").unwrap();
    let made = run(
        "datafly",
        "eligible = [\"race\", \"gender\", \"zip\"]",
        &problem,
    )
    .unwrap();
    // Birth is `*` from the start; t8 alone falls short then, and one row may be suppressed.
    assert_eq!(levels_of(&problem, &made), [0, 3, 0, 0]);
    assert_eq!(made.trace.len(), 1);
}
