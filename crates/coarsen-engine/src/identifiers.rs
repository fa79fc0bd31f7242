//! What becomes of identifiers that are neither dropped nor released: a keyed hash of each.
//!
//! `keyed-hash` uses a key from a file or the environment, so that deliveries made with the same key
//! can be linked by whoever holds it. `token` uses a key made from the seed and the [content](crate::content)
//! of the whole input, which nobody can guess who does not already have it, and which is then forgotten;
//! the same rows and seed give the same tokens, from a file or from memory.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use coarsen::policy::{Key, KeySource, Policy, PolicyError, Role, Treatment};
use datafusion::arrow::array::{ArrayRef, AsArray, StringViewArray};
use datafusion::arrow::compute::cast as cast_cells;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use datafusion::logical_expr::{ColumnarValue, Expr, ScalarUDF, Volatility, cast, create_udf};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::EngineError;
use crate::content::content;
use crate::engine::Engine;
use crate::source::Source;

/// A key shorter than this could be guessed.
const SHORTEST_KEY: usize = 16;
/// Hexadecimal digits of a hash that are released: 128 bits, far beyond any chance of two alike.
const DIGITS: usize = 32;

/// A hash under a key.
type KeyedHash = Hmac<Sha256>;

/// The keyed hash of every identifier column that has one.
#[derive(Default)]
pub(crate) struct Secrets {
    hash_of: HashMap<String, KeyedHash>,
}

impl Secrets {
    /// Reads or makes the keys that a policy asks for.
    pub fn read(
        engine: &Engine,
        policy: &Policy,
        folder: &Path,
        source: &Source,
    ) -> Result<Self, EngineError> {
        let mut secrets = Secrets::default();
        let mut known: Option<[u8; 32]> = None;
        for (name, column) in &policy.columns {
            if column.role != Role::Identifier {
                continue;
            }
            let key = match column.treatment {
                Some(Treatment::KeyedHash) => read_key(name, column.key.as_ref(), folder)?,
                Some(Treatment::Token) => {
                    let content = match known {
                        Some(content) => content,
                        None => *known.insert(content(engine, source, policy)?),
                    };
                    token_key(name, policy.search.seed, content)
                }
                _ => continue,
            };
            let keyed = KeyedHash::new_from_slice(&key).expect("HMAC takes a key of any length");
            secrets.hash_of.insert(name.clone(), keyed);
        }
        Ok(secrets)
    }

    /// The hash of a column's cells; `None` for a column that is dropped.
    pub fn hashed(&self, name: &str, cells: Expr) -> Option<Expr> {
        let hash = hash_function(name, self.hash_of.get(name)?.clone());
        Some(hash.call(vec![cast(cells, DataType::Utf8View)]))
    }

    /// The hashes of cells that are in memory; `None` for a column that is dropped.
    pub fn hash_cells(&self, name: &str, cells: &ArrayRef) -> Option<Result<ArrayRef, ArrowError>> {
        let keyed = self.hash_of.get(name)?;
        let texts = cast_cells(cells, &DataType::Utf8View);
        Some(texts.map(|texts| Arc::new(hashes(keyed, texts.as_string_view())) as ArrayRef))
    }
}

fn read_key(name: &str, source: Option<&KeySource>, folder: &Path) -> Result<Vec<u8>, EngineError> {
    let key = Key::of(["columns", name, "key"]);
    let bytes = match source {
        Some(KeySource::Env { name: variable }) => match std::env::var(variable) {
            Ok(text) => text.into_bytes(),
            Err(_) => {
                let message = format!(
                    "The environment has no variable `{variable}` with the key of column `{name}`."
                );
                return Err(PolicyError::new(&key, message)
                    .with_help(format!(
                        "Set it, such as: export {variable}=\"$(openssl rand -hex 32)\""
                    ))
                    .into());
            }
        },
        Some(KeySource::File { path }) => {
            let path = folder.join(path);
            let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => EngineError::input(
                    &path,
                    "there is no such key file",
                    "make one with at least 16 random bytes, such as: openssl rand -hex 32 > FILE",
                ),
                _ => EngineError::io(&path, error),
            })?;
            bytes.trim_ascii().to_vec()
        }
        None => {
            return Err(PolicyError::new(
                &key,
                format!("Column `{name}` is to be hashed, but there is no key."),
            )
            .with_help(
                "Add `key = { file = \"secret.key\" }` or `key = { env = \"COARSEN_KEY\" }`.",
            )
            .into());
        }
    };
    if bytes.len() < SHORTEST_KEY {
        return Err(PolicyError::new(
            &key,
            format!("The key of column `{name}` is shorter than {SHORTEST_KEY} bytes."),
        )
        .with_help(
            "A short key can be guessed, and then every hash be undone: use 32 random bytes.",
        )
        .into());
    }
    Ok(bytes)
}

fn token_key(name: &str, seed: u64, content: [u8; 32]) -> Vec<u8> {
    let mut digest = Sha256::new();
    digest.update(b"coarsen token\0");
    digest.update(seed.to_le_bytes());
    digest.update((name.len() as u64).to_le_bytes());
    digest.update(name.as_bytes());
    digest.update(content);
    digest.finalize().to_vec()
}

fn hash_function(name: &str, keyed: KeyedHash) -> ScalarUDF {
    let hash = move |arguments: &[ColumnarValue]| {
        let cells = ColumnarValue::values_to_arrays(arguments)?.remove(0);
        let hashes = hashes(&keyed, cells.as_string_view());
        Ok(ColumnarValue::Array(Arc::new(hashes)))
    };
    create_udf(
        &format!("keyed_hash_of_{name}"),
        vec![DataType::Utf8View],
        DataType::Utf8View,
        Volatility::Immutable,
        Arc::new(hash),
    )
}

fn hashes(keyed: &KeyedHash, cells: &StringViewArray) -> StringViewArray {
    let hash = |cell: Option<&str>| {
        let mut mac = keyed.clone();
        mac.update(cell?.as_bytes());
        Some(hex(&mac.finalize().into_bytes()[..DIGITS / 2]))
    };
    cells.iter().map(hash).collect()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    let digits = |byte: &u8| [digit(byte >> 4), digit(byte & 15)];
    bytes.iter().flat_map(digits).collect()
}
