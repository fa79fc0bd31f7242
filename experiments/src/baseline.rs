//! What DataFusion alone takes for the same data: group by the quasi-identifiers, write the rows, read
//! them back. It is what no tool that goes through this engine can be faster than by much.

use std::path::Path;
use std::time::Instant;

use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{ident, lit};
use datafusion::prelude::{CsvReadOptions, DataFrame, ParquetReadOptions, SessionContext};

use futures::StreamExt;

use crate::Done;

/// The columns that are grouped by.
pub const QUASI_IDENTIFIERS: [&str; 5] = ["age", "elevel", "car", "zipcode", "hyears"];

async fn table(context: &SessionContext, path: &str) -> datafusion::error::Result<DataFrame> {
    match path.ends_with(".parquet") {
        true => {
            context
                .read_parquet(path, ParquetReadOptions::default())
                .await
        }
        false => context.read_csv(path, CsvReadOptions::default()).await,
    }
}

/// Groups, writes and reads back; prints the seconds of each.
pub fn run(input: &Path, output: &Path) -> Done {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()?;
    let (input, output) = (input.to_string_lossy(), output.to_string_lossy());
    runtime.block_on(async {
        let context = SessionContext::new();
        let start = Instant::now();
        let by = QUASI_IDENTIFIERS.iter().map(|name| ident(*name)).collect();
        let groups = table(&context, &input)
            .await?
            .aggregate(by, vec![count(lit(1)).alias("rows")])?
            .collect()
            .await?;
        let combinations: usize = groups.iter().map(|batch| batch.num_rows()).sum();
        drop(groups);
        let grouped = start.elapsed().as_secs_f64();
        let options = DataFrameWriteOptions::new().with_single_file_output(true);
        let rows = table(&context, &input).await?;
        match output.ends_with(".parquet") {
            true => rows.write_parquet(&output, options, None).await?,
            false => rows.write_csv(&output, options, None).await?,
        };
        let written = start.elapsed().as_secs_f64();
        // Every cell is read: an aggregate such as a count could be answered from a file's footer.
        let mut back = table(&context, &output).await?.execute_stream().await?;
        let mut rows_back = 0;
        while let Some(batch) = back.next().await {
            rows_back += batch?.num_rows();
        }
        let read = start.elapsed().as_secs_f64();
        println!(
            "{}",
            serde_json::json!({
                "combinations": combinations, "rows": rows_back,
                "group": grouped, "write": written - grouped, "read": read - written,
            })
        );
        Ok(())
    })
}
