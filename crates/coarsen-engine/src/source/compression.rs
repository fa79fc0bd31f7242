//! Compressed text files. What a file is packed by is told by its first bytes, for no CSV or JSON file
//! can begin with them; what a file is to be packed by is told by its ending.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use datafusion::common::parsers::CompressionTypeVariant;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;

use crate::EngineError;

/// What a text file is packed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Nothing.
    #[default]
    None,
    /// gzip, one member or several.
    Gzip,
    /// Zstandard, one frame or several.
    Zstd,
}

impl Compression {
    /// What a file's ending says.
    pub fn of_name(path: &Path) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("gz" | "gzip") => Compression::Gzip,
            Some("zst" | "zstd") => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// What a file's first bytes say.
    pub(crate) fn of_content(path: &Path) -> Result<Self, EngineError> {
        let mut start = Vec::new();
        let file = File::open(path).map_err(|error| EngineError::io(path, error))?;
        let read = file.take(4).read_to_end(&mut start);
        read.map_err(|error| EngineError::io(path, error))?;
        Ok(match start.as_slice() {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd] => Compression::Zstd,
            _ => Compression::None,
        })
    }

    /// Its name, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Compression::None => "no compression",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }

    /// Its ending with the dot; nothing without compression.
    pub fn ending(self) -> &'static str {
        match self {
            Compression::None => "",
            Compression::Gzip => ".gz",
            Compression::Zstd => ".zst",
        }
    }

    /// The engine's word for it.
    pub(crate) fn variant(self) -> CompressionTypeVariant {
        match self {
            Compression::None => CompressionTypeVariant::UNCOMPRESSED,
            Compression::Gzip => CompressionTypeVariant::GZIP,
            Compression::Zstd => CompressionTypeVariant::ZSTD,
        }
    }

    /// Reads a file unpacked.
    pub(crate) fn open(self, path: &Path) -> Result<Box<dyn Read + Send>, EngineError> {
        let file = File::open(path).map_err(|error| EngineError::io(path, error))?;
        Ok(FileCompressionType::from(self.variant()).convert_read(file)?)
    }

    /// A failure to read a file that [`Compression::open`] opened.
    pub(crate) fn blame(self, path: &Path, error: std::io::Error) -> EngineError {
        match self {
            Compression::None => EngineError::io(path, error),
            packed => EngineError::input(
                path,
                format!(
                    "it cannot be unpacked as {}: it is damaged or cut short",
                    packed.name()
                ),
                "fetch it or pack it again",
            ),
        }
    }
}

/// A path less the ending that tells a compression.
pub(crate) fn unpacked_name(path: &Path) -> PathBuf {
    match Compression::of_name(path) {
        Compression::None => path.to_path_buf(),
        _ => path.with_extension(""),
    }
}
