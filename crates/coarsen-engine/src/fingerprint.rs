//! SHA-256 of files and texts, read in pieces so that a file of any size passes.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use coarsen_report::manifest::FileProof;
use sha2::{Digest, Sha256};

use crate::EngineError;
use crate::identifiers::hex;
use crate::source::{Parts, Source};

/// A fingerprint that grows with what is written to it.
#[derive(Default)]
pub(crate) struct Fingerprint {
    hash: Sha256,
    bytes: u64,
}

impl Fingerprint {
    /// Of all that was written, under the name (without folders, which are of one machine) that it has
    /// in a policy.
    pub fn proof(self, name: &str) -> FileProof {
        FileProof {
            name: last(name),
            bytes: self.bytes,
            sha256: hex(&self.hash.finalize()),
            parts: Vec::new(),
        }
    }
}

impl Write for Fingerprint {
    fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        self.hash.update(piece);
        self.bytes += piece.len() as u64;
        Ok(piece.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The fingerprint of a file.
pub(crate) fn of_file(path: &Path, name: &str) -> Result<FileProof, EngineError> {
    let mut taken = Fingerprint::default();
    let mut read = || {
        let mut file = File::open(path)?;
        let mut piece = vec![0; 1 << 18];
        loop {
            let length = file.read(&mut piece)?;
            if length == 0 {
                return Ok(());
            }
            taken.write_all(&piece[..length])?;
        }
    };
    read().map_err(|error| EngineError::io(path, error))?;
    Ok(taken.proof(name))
}

/// The fingerprint of a table: of its file, or of the list of its parts as `sha256sum` prints it, a line
/// each of a part's own SHA-256, two blanks and its name, in the order of the names.
pub(crate) fn of_table(path: &Path, name: &str) -> Result<FileProof, EngineError> {
    let found = Parts::find(path)?;
    if found.base.is_none() {
        return of_file(&found.files[0], name);
    }
    let part = |file: &PathBuf| {
        Ok(FileProof {
            name: found.name(file),
            ..of_file(file, "")?
        })
    };
    let parts = found
        .files
        .iter()
        .map(part)
        .collect::<Result<Vec<_>, EngineError>>()?;
    let lines = parts
        .iter()
        .map(|part| format!("{}  {}\n", part.sha256, part.name));
    let list: String = lines.collect();
    Ok(FileProof {
        bytes: parts.iter().map(|part| part.bytes).sum(),
        parts,
        ..of_text(&list, name)
    })
}

/// The same of an opened table; of one that is a database's, that of its rows as they were taken over.
pub(crate) fn of_source(source: &Source, name: &str) -> Result<FileProof, EngineError> {
    match source.spool() {
        Some(spooled) => of_file(spooled.path(), name),
        None => of_table(&source.path, name),
    }
}

/// The fingerprint of a text.
pub(crate) fn of_text(text: &str, name: &str) -> FileProof {
    let mut taken = Fingerprint::default();
    taken.hash.update(text.as_bytes());
    taken.bytes = text.len() as u64;
    taken.proof(name)
}

/// The last step of a path.
fn last(name: &str) -> String {
    let name = Path::new(name)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(name);
    name.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fips_180_examples() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(of_text("", "x").sha256, empty);
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of_text("abc", "x").sha256, abc);
    }
}
