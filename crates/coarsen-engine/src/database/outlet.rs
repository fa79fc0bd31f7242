//! A release that arrives as a new table: loaded, read back for its audit and given its name in one
//! transaction, which ends with the last of these.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use coarsen::policy::{Policy, Role};
use coarsen_database::{Place, Staging};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use datafusion::arrow::ipc::reader::FileReader;
use datafusion::execution::SpillFile;

use super::{Spooled, told};
use crate::EngineError;
use crate::engine::Engine;
use crate::source::Source;
use crate::stored::path_of;

/// A table that a release is to become.
pub(crate) struct TableOutlet {
    place: Place,
    /// The released rows on their way.
    file: Arc<dyn SpillFile>,
}

/// A table that waits for its audit.
pub(crate) struct LoadedTable {
    place: String,
    staging: Box<dyn Staging>,
    back: Arc<Spooled>,
}

impl TableOutlet {
    /// Sees whether the table could be made, before anything else is done.
    pub fn new(engine: &Engine, place: Place) -> Result<Self, EngineError> {
        coarsen_database::probe(&place).map_err(|error| told(&place.to_string(), error))?;
        let disk = &engine.context().runtime_env().disk_manager;
        let file = disk.create_tmp_file("a release on its way to a database")?;
        Ok(TableOutlet { place, file })
    }

    /// Where the rows are to be written first, as Arrow.
    pub fn path(&self) -> &Path {
        path_of(&self.file)
    }

    /// What it is called.
    pub fn target(&self) -> PathBuf {
        PathBuf::from(self.place.to_string())
    }

    /// Loads the rows into the database, and reads them back from there.
    pub fn load(
        &self,
        engine: &Engine,
        policy: &Policy,
        source: &Source,
    ) -> Result<LoadedTable, EngineError> {
        let failed = |error| told(&self.place.to_string(), error);
        let open = File::open(self.path()).map_err(|error| EngineError::io(self.path(), error))?;
        let reader = FileReader::try_new(BufReader::new(open), None)?;
        let schema = plain(&reader.schema());
        // A column that is released as it was has the type that it had; a label needs room.
        let mut types = source.types_in(self.place.kind());
        types.retain(|name, _| {
            let role = policy.columns.get(name).map(|column| column.role);
            matches!(role, Some(Role::Sensitive | Role::Target | Role::Other))
        });
        let mut staging = coarsen_database::stage(&self.place, &schema, &types).map_err(failed)?;
        for batch in reader {
            engine.check_cancel()?;
            let batch = batch?;
            let columns = batch.columns().iter().zip(schema.fields());
            let columns = columns.map(|(column, field)| cast(column, field.data_type()));
            let batch = RecordBatch::try_new(schema.clone(), columns.collect::<Result<_, _>>()?)?;
            staging.load(&batch).map_err(failed)?;
        }
        let (back, _) = Spooled::take(engine, &self.place, |sink| staging.read_back(sink))?;
        Ok(LoadedTable {
            place: self.place.to_string(),
            staging,
            back: Arc::new(back),
        })
    }
}

impl LoadedTable {
    /// Where the rows are that were read back, as Arrow.
    pub fn path(&self) -> &Path {
        self.back.path()
    }

    /// The rows that were read back.
    pub fn back(&self) -> Arc<Spooled> {
        self.back.clone()
    }

    /// Puts it in its place, and ends the transaction.
    pub fn publish(self) -> Result<(), EngineError> {
        self.staging
            .publish()
            .map_err(|error| told(&self.place, error))
    }
}

/// The types that a database takes.
fn plain(schema: &Schema) -> SchemaRef {
    let plain = |field: &FieldRef| {
        let kind = match field.data_type() {
            kind if kind.is_integer() => DataType::Int64,
            kind if kind.is_floating() => DataType::Float64,
            DataType::Boolean => DataType::Boolean,
            DataType::Date32 | DataType::Date64 => DataType::Date32,
            _ => DataType::Utf8,
        };
        Arc::new(Field::new(field.name(), kind, true))
    };
    Arc::new(Schema::new(
        schema.fields().iter().map(plain).collect::<Fields>(),
    ))
}
