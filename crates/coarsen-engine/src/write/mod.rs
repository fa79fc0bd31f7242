//! Writing: rows into a file or into parts, beside their place first, and moved there only when
//! everything is proven.

mod parts;
mod staged;

use std::path::Path;
use std::sync::Arc;

use coarsen::policy::Format;
use datafusion::common::config::{CsvOptions, JsonOptions};
use datafusion::dataframe::DataFrame;
use datafusion::datasource::file_format::arrow::ArrowFormatFactory;
use datafusion::datasource::file_format::csv::CsvFormatFactory;
use datafusion::datasource::file_format::json::JsonFormatFactory;
use datafusion::datasource::file_format::parquet::ParquetFormatFactory;
use datafusion::datasource::file_format::{FileFormatFactory, format_as_file_type};
use datafusion::logical_expr::LogicalPlanBuilder;

pub(crate) use parts::{Cut, write_parts};
pub(crate) use staged::{Rooms, Staged, publish_together, publish_with};

use crate::EngineError;
use crate::source::Compression;

/// How rows are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The format.
    pub format: Format,
    /// What parts the cells of a CSV file.
    pub delimiter: u8,
    /// What text files are packed by.
    pub compression: Compression,
}

/// Writes rows into one file.
pub(crate) async fn write_rows(
    rows: DataFrame,
    path: &Path,
    layout: Layout,
) -> Result<(), EngineError> {
    let compression = layout.compression.variant();
    let factory: Arc<dyn FileFormatFactory> = match layout.format {
        // ARFF is made of CSV, once that is audited.
        Format::Csv | Format::Arff => Arc::new(CsvFormatFactory::new_with_options(
            CsvOptions::default()
                .with_has_header(true)
                .with_delimiter(layout.delimiter)
                .with_compression(compression),
        )),
        Format::Parquet => Arc::new(ParquetFormatFactory::new()),
        Format::Jsonl => Arc::new(JsonFormatFactory::new_with_options(JsonOptions {
            compression,
            ..Default::default()
        })),
        Format::Arrow => Arc::new(ArrowFormatFactory::new()),
    };
    let path = path.to_str().ok_or_else(|| {
        EngineError::input(
            path,
            "its path is not text",
            "choose an output path that is",
        )
    })?;
    let (state, plan) = rows.into_parts();
    let plan = LogicalPlanBuilder::copy_to(
        plan,
        path.to_string(),
        format_as_file_type(factory),
        Default::default(),
        Vec::new(),
    )?
    .build()?;
    DataFrame::new(state, plan).collect().await?;
    Ok(())
}
