//! Times of day in a typed file: they are counted by their days, so that they may be released only as
//! days, and an audit sees them to the second.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use coarsen::policy::{Column, Policy, Role};
use coarsen_engine::{CheckRequest, Engine, EngineSettings, SourceSettings, check, release};
use datafusion::arrow::array::{RecordBatch, StringArray, TimestampSecondArray};
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::prelude::SessionContext;

/// Four people who came on two days, each at another minute.
fn write_visits(path: &Path) {
    let day = 86_400;
    let times = [day + 60, day + 120, 2 * day + 60, 2 * day + 120];
    let batch = RecordBatch::try_from_iter([
        (
            "came",
            Arc::new(TimestampSecondArray::from(times.to_vec())) as _,
        ),
        (
            "illness",
            Arc::new(StringArray::from(vec!["flu", "cold", "flu", "cold"])) as _,
        ),
    ])
    .unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let rows = SessionContext::new().read_batch(batch).unwrap();
        let options = DataFrameWriteOptions::new().with_single_file_output(true);
        rows.write_parquet(path.to_str().unwrap(), options, None)
            .await
            .unwrap();
    });
}

/// A folder that is gone at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("coarsen-times-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_time_is_released_as_its_day_and_audited_to_the_second() {
    let folder = Folder::new();
    write_visits(&folder.0.join("visits.parquet"));
    let engine = Engine::new(EngineSettings::default()).unwrap();
    let column = |role| Column {
        role,
        ..Default::default()
    };
    let mut policy = Policy::default();
    policy.input.path = "visits.parquet".into();
    policy.output.path = "release.csv".into();
    policy
        .columns
        .insert("came".into(), column(Role::QuasiIdentifier));
    policy
        .columns
        .insert("illness".into(), column(Role::Sensitive));
    policy.privacy.k = 2;
    let made = release(&engine, &policy, &folder.0, &|_| {}).unwrap();
    assert_eq!(made.classes, 2);
    let text = std::fs::read_to_string(folder.0.join("release.csv")).unwrap();
    assert_eq!(
        text,
        "came,illness\n1970-01-02,cold\n1970-01-02,flu\n1970-01-03,cold\n1970-01-03,flu\n"
    );

    let request = CheckRequest {
        policy,
        quasi_identifiers: vec!["came".into()],
        population: None,
        subset_size: 0,
        source: SourceSettings::default(),
    };
    let raw = folder.0.join("visits.parquet");
    let audit = check(&engine, &raw, &folder.0, &request).unwrap().audit;
    assert!(!audit.holds, "the raw file has a time a person");
    assert_eq!(audit.k, 1);
}
