//! Tables in parts and packed files, in and out: every command reads them, the release is the same
//! whatever it was read from, and an error names the part at fault.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod input;
mod output;

use std::io::{Read, Write};

use common::Folder;
use common::desk::desk;

/// The invented people in two parts, as text.
fn halves(desk: &Folder) -> [String; 2] {
    let text = desk.read("people.csv");
    let (header, rows) = text.split_once('\n').unwrap();
    let middle = rows.len() / 2;
    let middle = middle + rows[middle..].find('\n').unwrap() + 1;
    [&rows[..middle], &rows[middle..]].map(|rows| format!("{header}\n{rows}"))
}

fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes.as_ref()).unwrap();
    packed.finish().unwrap()
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut packed = flate2::read::MultiGzDecoder::new(bytes);
    packed.read_to_end(&mut plain).unwrap();
    plain
}

fn zstd(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    zstd::encode_all(bytes.as_ref(), 1).unwrap()
}

/// A desk whose people also stand in a folder of two parts.
fn desk_in_parts(rows: usize) -> Folder {
    let desk = desk(rows, &[]);
    for (name, text) in ["in/part-1.csv", "in/part-2.csv"].iter().zip(halves(&desk)) {
        desk.write(name, text);
    }
    desk
}

/// The release of the people read from somewhere else.
fn release_of(desk: &Folder, input: &str) -> Vec<u8> {
    desk.run(&[
        "run",
        "policy.toml",
        "--set",
        &format!("input.path={input}"),
    ])
    .expect(0);
    desk.bytes("release.csv")
}
