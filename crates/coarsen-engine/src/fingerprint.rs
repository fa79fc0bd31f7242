//! SHA-256 of files and texts, read in pieces so that a file of any size passes.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use coarsen_report::manifest::FileProof;
use sha2::{Digest, Sha256};

use crate::EngineError;
use crate::identifiers::hex;

/// The fingerprint of a file, under the name (without folders, which are of one machine) that it has in
/// a policy.
pub(crate) fn of_file(path: &Path, name: &str) -> Result<FileProof, EngineError> {
    let mut hash = Sha256::new();
    let mut bytes = 0;
    let mut read = || {
        let mut file = File::open(path)?;
        let mut piece = vec![0; 1 << 18];
        loop {
            let length = file.read(&mut piece)?;
            if length == 0 {
                return Ok(());
            }
            hash.update(&piece[..length]);
            bytes += length as u64;
        }
    };
    read().map_err(|error| EngineError::io(path, error))?;
    Ok(FileProof {
        name: last(name),
        bytes,
        sha256: hex(&hash.finalize()),
    })
}

/// The fingerprint of a text.
pub(crate) fn of_text(text: &str, name: &str) -> FileProof {
    FileProof {
        name: last(name),
        bytes: text.len() as u64,
        sha256: hex(&Sha256::digest(text.as_bytes())),
    }
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
