//! Rows in memory are released as rows of a file are: the same rows, in the same order, with the same
//! losses, whichever way they are recoded, and however they are cut into batches.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use coarsen::policy::Policy;
use coarsen_engine::{
    Batches, Engine, EngineSettings, ReleasedTable, Source, SourceSettings, apply, apply_table,
    recode_rows, release, release_table,
};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::csv::WriterBuilder;

/// A folder that is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("coarsen-in-memory-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// People with missing ages, repeated rows, and two spellings of one number.
fn write_people(path: &Path, count: u32) {
    let mut text = String::from("name,age,zip,sex,illness,stay\n");
    for i in 0..count {
        let age = match i % 11 {
            0 => String::new(),
            1 => format!("0{}", 20 + i * 7 % 50),
            _ => (20 + i * 7 % 50).to_string(),
        };
        let (zip, sex) = (57000 + i * i % 5, if i % 3 == 0 { "F" } else { "M" });
        let illness = ["flu", "cold", "asthma"][(i * 5 % 7 % 3) as usize];
        text += &format!("person {i},{age},{zip},{sex},{illness},{}\n", i % 4);
    }
    std::fs::write(path, text).unwrap();
}

fn policy(rest: &str) -> String {
    format!(
        "version = 1\ninput = {{ path = \"people.csv\" }}\n\
         [columns]\nname = {{ role = \"identifier\" }}\n\
         age = {{ role = \"quasi-identifier\", type = \"integer\", scheme = \"ordered\", hierarchy = {{ intervals = [5, 10] }} }}\n\
         zip = {{ role = \"quasi-identifier\", type = \"text\", hierarchy = {{ mask = \"right\" }} }}\n\
         sex = {{ role = \"quasi-identifier\" }}\n\
         illness = {{ role = \"other\" }}\nstay = {{ role = \"target\", type = \"integer\" }}\n{rest}"
    )
}

/// The policy for files, whose output is `release.csv`.
fn with_output(policy: &str, order: &str) -> Policy {
    let output = format!("\noutput = {{ path = \"release.csv\", order = \"{order}\" }}\n");
    Policy::parse(
        &policy.replacen("\n[columns]", &(output + "[columns]"), 1),
        &[],
    )
    .unwrap()
}

/// The rows as CSV, written by Arrow alone.
fn as_csv(rows: &Batches) -> String {
    let mut text = Vec::new();
    let mut writer = WriterBuilder::new().with_header(true).build(&mut text);
    for batch in rows.batches() {
        writer.write(batch).unwrap();
    }
    drop(writer);
    String::from_utf8(text).unwrap()
}

fn loaded(engine: &Engine, path: &Path) -> Batches {
    let source = Source::open(engine, path, &SourceSettings::default()).unwrap();
    match source.load(engine).unwrap().medium {
        coarsen_engine::Medium::Memory(batches) => batches,
        coarsen_engine::Medium::File { .. } => panic!("it was loaded"),
    }
}

/// The same rows, three to a batch.
fn cut(whole: &Batches) -> Batches {
    let one = concat_batches(whole.schema(), whole.batches()).unwrap();
    let rows = one.num_rows();
    let piece = |start: usize| one.slice(start, 3.min(rows - start));
    let pieces = (0..rows).step_by(3).map(piece).collect();
    Batches::new(whole.schema().clone(), pieces).unwrap()
}

#[test]
fn memory_and_files_give_the_same_release() {
    let folder = Folder::new("release");
    let engine = Engine::new(EngineSettings::default()).unwrap();
    let cases = [
        (90, "[privacy]\nk = 4\n[search]\nalgorithm = \"mondrian\""),
        // Combinations are not counted, and rows find their regions by the tree alone.
        (
            90,
            "[privacy]\nk = 4\n[search]\nalgorithm = \"mondrian\"\n[engine]\npasses = true",
        ),
        (
            90,
            "[privacy]\nk = 3\n[suppression]\nlimit = 0.1\n[search]\nalgorithm = \"datafly\"",
        ),
        (
            90,
            "[privacy]\nk = 3\n[suppression]\nlimit = 0.3\nmode = \"mask\"\n[search]\nalgorithm = \"datafly\"",
        ),
        // Every cell by itself: equal rows may be released differently.
        (
            9,
            "[privacy]\nk = 2\n[suppression]\nlimit = 0.2\n[search]\nalgorithm = \"mingen\"\nmingen = { level = \"cell\" }",
        ),
    ];
    for (count, rest) in cases {
        write_people(&folder.0.join("people.csv"), count);
        let mut text = policy(rest);
        if rest.contains("cell") {
            text = text.replace("role = \"target\"", "role = \"other\"");
        }
        for order in ["sorted", "keep"] {
            let policy = with_output(&text, order);
            let to_file = release(&engine, &policy, &folder.0, &|_| {}).unwrap();
            let written = std::fs::read_to_string(folder.0.join("release.csv")).unwrap();
            let whole = loaded(&engine, &folder.0.join("people.csv"));
            for rows in [whole.clone(), cut(&whole)] {
                let source = Source::of_batches("people", rows).unwrap();
                let ReleasedTable { release, rows, .. } =
                    release_table(&engine, source, &policy, &folder.0, &|_| {}).unwrap();
                assert_eq!(as_csv(&rows), written, "{rest} {order}");
                assert_eq!(release.loss, to_file.loss);
                assert_eq!(release.audit, to_file.audit);
                assert_eq!(release.output, None);
            }
        }
    }
}

#[test]
fn rows_with_missing_cells_are_dropped_alike() {
    let folder = Folder::new("missing");
    let engine = Engine::new(EngineSettings::default()).unwrap();
    write_people(&folder.0.join("people.csv"), 60);
    let text = policy("[privacy]\nk = 3\n[search]\nalgorithm = \"mondrian\"").replace(
        "path = \"people.csv\"",
        "path = \"people.csv\", missing = [\"\", \"M\", \"0\"], missing_values = \"drop\"",
    );
    let policy = with_output(&text, "keep");
    let made = release(&engine, &policy, &folder.0, &|_| {}).unwrap();
    let written = std::fs::read_to_string(folder.0.join("release.csv")).unwrap();
    let rows = loaded(&engine, &folder.0.join("people.csv"));
    let source = Source::of_batches("people", rows).unwrap();
    let table = release_table(&engine, source, &policy, &folder.0, &|_| {}).unwrap();
    assert!(
        made.rows_in < 20,
        "rows of men, without age or stay are left out"
    );
    assert_eq!(table.release.rows_in, made.rows_in);
    assert_eq!(as_csv(&table.rows), written);
}

#[test]
fn a_recoding_is_applied_alike_and_shows_rows_one_by_one() {
    let folder = Folder::new("apply");
    let engine = Engine::new(EngineSettings::default()).unwrap();
    let people = folder.0.join("people.csv");
    write_people(&people, 90);
    let text = policy(
        "[privacy]\nk = 4\n[search]\nalgorithm = \"mondrian\"\n[apply]\nunseen = \"suppress\"",
    );
    let policy = with_output(&text, "sorted");
    let rows = loaded(&engine, &people);
    let source = |rows: &Batches| Source::of_batches("people", rows.clone()).unwrap();
    let made = release_table(&engine, source(&rows), &policy, &folder.0, &|_| {}).unwrap();
    let next = folder.0.join("next.csv");
    write_people(&next, 40);
    let output = folder.0.join("next-release.csv");
    apply(
        &engine,
        &made.recoding,
        &folder.0,
        &next,
        &output,
        false,
        &|_| {},
    )
    .unwrap();
    let new = loaded(&engine, &next);
    let table = apply_table(&engine, &made.recoding, &folder.0, source(&new), &|_| {}).unwrap();
    assert_eq!(
        as_csv(&table.rows),
        std::fs::read_to_string(&output).unwrap()
    );

    // One by one, what a row shows does not depend on the others, and every row is there.
    let all = recode_rows(&engine, &made.recoding, source(&new));
    // Targets are not asked for, so a table without them will do; one with them has a column too many.
    assert!(all.unwrap_err().to_string().contains("`stay`"));
    let stay = new.schema().index_of("stay").unwrap();
    let features = |rows: &Batches| {
        let keep: Vec<usize> = (0..rows.schema().fields().len())
            .filter(|i| *i != stay)
            .collect();
        let batches = rows
            .batches()
            .iter()
            .map(|batch| batch.project(&keep).unwrap());
        Batches::new(
            rows.schema().project(&keep).unwrap().into(),
            batches.collect(),
        )
        .unwrap()
    };
    let all = recode_rows(&engine, &made.recoding, source(&features(&new))).unwrap();
    let lines: Vec<String> = as_csv(&all).lines().skip(1).map(str::to_string).collect();
    assert_eq!(lines.len(), 40);
    let one = concat_batches(new.schema(), new.batches()).unwrap();
    for row in [0, 7, 39] {
        let single = Batches::new(new.schema().clone(), vec![one.slice(row, 1)]).unwrap();
        let shown = recode_rows(&engine, &made.recoding, source(&features(&single))).unwrap();
        assert_eq!(as_csv(&shown).lines().nth(1).unwrap(), lines[row]);
    }
}
