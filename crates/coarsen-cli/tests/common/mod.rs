//! What the end-to-end tests share: a folder of their own, the binary, and a plain reader of CSV that
//! owes nothing to the program.
#![allow(dead_code, clippy::unwrap_used)] // every test file uses a part of it

pub mod desk;
pub mod sweeney;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_coarsen");

/// A folder that is gone when the test is over; commands run in it.
pub struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    /// An empty one.
    pub fn new() -> Self {
        Folder {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// One with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Folder::new();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// Where a file of it is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Replaces a part of a file, which must be there.
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no `{from}`:\n{text}");
        self.write(name, text.replace(from, to));
    }

    /// Reads a file as text.
    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// Reads a file.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let path = self.path(name);
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Reads a CSV file with a header.
    pub fn table(&self, name: &str) -> Table {
        Table::parse(&self.read(name), ',')
    }

    /// Every file in it, hidden ones and those in folders too, with its bytes.
    pub fn all(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.dir.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => {
                        let bytes = std::fs::read(&path).unwrap();
                        files.insert(path, bytes);
                    }
                }
            }
        }
        files
    }

    /// The names of the files in it.
    pub fn names(&self) -> Vec<String> {
        let name = |path: &PathBuf| {
            let below = path.strip_prefix(self.dir.path()).unwrap();
            below.to_string_lossy().into_owned()
        };
        self.all().keys().map(name).collect()
    }

    /// The binary with these arguments, in this folder, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command.args(arguments).current_dir(self.dir.path());
        command
    }

    /// Runs the binary.
    pub fn run(&self, arguments: &[&str]) -> Done {
        Done::of(self.command(arguments).output().unwrap())
    }

    /// Runs the binary, which must do its work, and takes its JSON.
    pub fn json(&self, arguments: &[&str]) -> Value {
        self.run(arguments).expect(0).json()
    }

    /// Runs the binary, which must refuse: with this status, with all of these words and with advice,
    /// and without a byte changed in the folder.
    pub fn refuses(&self, status: i32, arguments: &[&str], words: &[&str]) -> Done {
        self.refuses_command(status, &mut self.command(arguments), words)
    }

    /// The same of a command that was made ready.
    pub fn refuses_command(&self, status: i32, command: &mut Command, words: &[&str]) -> Done {
        let before = self.all();
        let done = Done::of(command.output().unwrap()).expect(status);
        for word in words {
            let message = &done.stderr;
            assert!(
                message.contains(word),
                "the message has no `{word}`:\n{message}"
            );
        }
        let advises = [
            "help: ",
            "; choose",
            "; make it anew",
            "For more information",
        ];
        assert!(
            advises.iter().any(|mark| done.stderr.contains(mark)),
            "the message has no advice:\n{}",
            done.stderr
        );
        assert_eq!(done.stdout, "", "results go to stdout, and there are none");
        let after = self.all();
        let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&before), names(&after), "files came or went");
        assert!(before == after, "a file was overwritten");
        done
    }
}

/// What a command came to.
#[derive(Debug)]
pub struct Done {
    /// Its exit status.
    pub status: i32,
    /// What it printed.
    pub stdout: String,
    /// What it said.
    pub stderr: String,
}

impl Done {
    /// Of a finished process.
    pub fn of(output: Output) -> Self {
        Done {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Demands an exit status.
    #[track_caller]
    pub fn expect(self, status: i32) -> Self {
        assert_eq!(
            self.status, status,
            "stdout:\n{}\nstderr:\n{}",
            self.stdout, self.stderr
        );
        self
    }

    /// What it printed, as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}

/// A table as text, read by the rules of RFC 4180.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The column names.
    pub names: Vec<String>,
    /// The rows below them.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a text whose first line names the columns.
    pub fn parse(text: &str, delimiter: char) -> Self {
        let mut rows = Vec::new();
        let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '"' if quoted && rest.peek() == Some(&'"') => {
                    rest.next();
                    cell.push('"');
                }
                '"' => quoted = !quoted,
                '\r' if !quoted => {}
                '\n' if !quoted => {
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                c if c == delimiter && !quoted => row.push(std::mem::take(&mut cell)),
                c => cell.push(c),
            }
        }
        assert!(!quoted, "a quote is never closed");
        if !cell.is_empty() || !row.is_empty() {
            row.push(cell);
            rows.push(row);
        }
        let names = rows.remove(0);
        for row in &rows {
            assert_eq!(row.len(), names.len(), "a ragged row: {row:?}");
        }
        Table { names, rows }
    }

    /// The place of a column.
    #[track_caller]
    pub fn place(&self, name: &str) -> usize {
        let place = self.names.iter().position(|each| each == name);
        place.unwrap_or_else(|| panic!("no column `{name}` among {:?}", self.names))
    }

    /// The cells of a column.
    #[track_caller]
    pub fn column(&self, name: &str) -> Vec<&str> {
        let place = self.place(name);
        self.rows.iter().map(|row| row[place].as_str()).collect()
    }

    /// The rows, whatever their order.
    pub fn multiset(&self) -> Vec<Vec<String>> {
        let mut rows = self.rows.clone();
        rows.sort();
        rows
    }

    /// A plain group-by: the places of the rows of every class.
    #[track_caller]
    pub fn classes(&self, columns: &[&str]) -> BTreeMap<Vec<&str>, Vec<usize>> {
        let places: Vec<usize> = columns.iter().map(|name| self.place(name)).collect();
        let mut classes: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        for (at, row) in self.rows.iter().enumerate() {
            let key = places.iter().map(|place| row[*place].as_str()).collect();
            classes.entry(key).or_default().push(at);
        }
        classes
    }

    /// The rows of the smallest class.
    #[track_caller]
    pub fn smallest_class(&self, columns: &[&str]) -> usize {
        let classes = self.classes(columns);
        classes.values().map(Vec::len).min().unwrap_or(0)
    }

    /// How often each value of a column stands in each class.
    #[track_caller]
    pub fn tallies(&self, columns: &[&str], of: &str) -> Vec<BTreeMap<&str, usize>> {
        let values = self.column(of);
        let tally = |rows: &Vec<usize>| {
            let mut tally = BTreeMap::new();
            for row in rows {
                *tally.entry(values[*row]).or_insert(0) += 1;
            }
            tally
        };
        self.classes(columns).values().map(tally).collect()
    }
}

/// The folder of public research data, where the environment names one; says so where it does not.
pub fn data() -> Option<PathBuf> {
    let found = std::env::var_os("COARSEN_DATA").map(PathBuf::from);
    if found.is_none() {
        eprintln!("skipped: set COARSEN_DATA to the folder of the research data to run this test");
    }
    found
}

/// A file of the repository.
pub fn of_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// A table of invented people, the same for the same number. No cell of a column is a cell of another.
pub fn people(rows: usize) -> String {
    let mut state = 7u64;
    let mut draw = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let illnesses = ["asthma", "burn", "cold", "flu", "gout", "ulcer"];
    let mut text = String::from("name,age,zip,sex,illness,salary,visit\n");
    for row in 0..rows {
        // Every tenth person comes twice.
        let person = row - row % 10 / 9;
        let age = 18 + draw(40) + draw(30);
        let zip = 52_000 + draw(6) * 100 + draw(40);
        let sex = ["F", "M"][draw(2) as usize];
        let illness = illnesses[draw(3) as usize + draw(4) as usize];
        let salary = 200 + draw(10) * 10 + draw(10) * 20;
        text += &format!("Person-{person},{age},{zip},{sex},{illness},{salary}k,v{row}\n");
    }
    text.replace("k,v", ",v")
}
