//! `meterhouse migrate`

use meterhouse_domain::ids::LinkName;
use meterhouse_engine::integrity::checkpoints::{CheckpointOptions, FirstCheckpoint, add_first};
use meterhouse_store::{MigrationPlan, MigrationState, PlannedMigration, Store, reach};
use serde::Serialize;

use crate::database::{Access, Database, connect};
use crate::database_url::unreachable;
use crate::failure::Failure;
use crate::output::{self, outln};
use crate::schema::{UNREADABLE, refused};
use crate::settings::DatabaseSettings;

/// Number of batches between two lines about a link's first checkpoint.
const BATCHES_PER_LINE: u64 = 500_000;

/// The action of the command.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Action {
    /// Brings the schema up to date.
    Apply,
    /// Compares the schema.
    Check,
    /// Shows the pending migrations.
    Plan {
        /// As JSON.
        json: bool,
    },
    /// Makes all links compact.
    Compact,
}

pub(crate) async fn run(args: &DatabaseSettings, action: Action) -> Result<(), Failure> {
    match action {
        Action::Apply => {
            outln!("{}", migrate(args).await?);
            Ok(())
        }
        Action::Check => check(args).await,
        Action::Plan { json } => plan(args, json).await,
        Action::Compact => compact(args).await,
    }
}

/// Checks that this program runs on the schema.
async fn check(args: &DatabaseSettings) -> Result<(), Failure> {
    let database = Database::open(args, Access::Existing).await?;
    let state = database.store.migration_state().await;
    database.close().await;
    match state.map_err(|error| Failure::database(UNREADABLE, error))? {
        MigrationState::Expanded { versions } => outln!(
            "the schema has {} migrations of a newer release, and this program runs on it",
            versions.len()
        ),
        _ => outln!("the schema is current"),
    }
    Ok(())
}

/// Makes all links compact. Nodes go on with their next batch.
async fn compact(args: &DatabaseSettings) -> Result<(), Failure> {
    let database = Database::open(args, Access::Existing).await?;
    let made = database.store.compact_links().await;
    database.close().await;
    match made.map_err(|error| Failure::database("could not make the links compact", error))? {
        0 => outln!("all links were compact"),
        1 => outln!("1 link was made compact"),
        links => outln!("{links} links were made compact"),
    }
    Ok(())
}

/// Prints the pending migrations, and changes nothing.
async fn plan(args: &DatabaseSettings, json: bool) -> Result<(), Failure> {
    let database = Database::open(args, Access::Plan).await?;
    let plan = database.store.migration_plan().await;
    database.close().await;
    let plan = plan.map_err(|error| Failure::database(UNREADABLE, error))?;
    if let Some(refused) = refused(&plan.state) {
        return Err(refused);
    }
    if json {
        return output::json(&PlanForm::of(&plan));
    }
    outln!("{plan}");
    if !plan.pending.is_empty() {
        outln!("\nNothing was changed. `meterhouse migrate` applies them.");
    }
    Ok(())
}

/// The plan as JSON.
#[derive(Serialize)]
struct PlanForm<'a> {
    /// `true` if no migration was ever applied.
    is_new: bool,
    /// Newer versions on which this program runs.
    newer: &'a [i64],
    pending: Vec<MigrationForm<'a>>,
}

/// A pending migration as JSON.
#[derive(Serialize)]
struct MigrationForm<'a> {
    version: i64,
    purpose: &'a str,
    takes: &'static str,
    measured: &'static str,
    blocks: &'static str,
    tables: Vec<TableForm>,
    /// Oldest schema whose programs run on the result.
    compatible_from: i64,
}

/// A table as JSON.
#[derive(Serialize)]
struct TableForm {
    name: &'static str,
    rows: i64,
    bytes: i64,
}

impl<'a> PlanForm<'a> {
    fn of(plan: &'a MigrationPlan) -> Self {
        let newer: &[i64] = match &plan.state {
            MigrationState::Expanded { versions } => versions,
            _ => &[],
        };
        Self {
            is_new: plan.is_new,
            newer,
            pending: plan.pending.iter().map(MigrationForm::of).collect(),
        }
    }
}

impl<'a> MigrationForm<'a> {
    fn of(migration: &'a PlannedMigration) -> Self {
        let tables = migration.tables.iter().map(|table| TableForm {
            name: table.name,
            rows: table.rows,
            bytes: table.bytes,
        });
        Self {
            version: migration.version,
            purpose: &migration.purpose,
            takes: migration.work.word(),
            measured: migration.measured,
            blocks: migration.blocks.word(),
            tables: tables.collect(),
            compatible_from: migration.compatible_from,
        }
    }
}

/// Brings the schema up to date and adds the first checkpoints of long links.
async fn migrate(args: &DatabaseSettings) -> Result<String, Failure> {
    let Some(servers) = &args.url else {
        let database = Database::open(args, Access::Migrate).await?;
        let added = add_checkpoints(&database.store).await;
        database.close().await;
        return added.map(|()| "the private database's schema is current".into());
    };
    let options = reach(servers)
        .await
        .map_err(|error| unreachable(servers, &error))?;
    let report = meterhouse_store::migrate(&options)
        .await
        .map_err(|error| Failure::database("could not bring the schema up to date", error))?;
    let store = connect(options).await?;
    let added = add_checkpoints(&store).await;
    let dense = store.dense_links().await;
    store.close().await;
    added?;
    let dense = dense.map_err(|error| Failure::database(UNREADABLE, error))?;
    let remark = match dense.len() {
        0 => String::new(),
        links => format!(
            "\n{links} of the links are not compact: run `meterhouse migrate --compact` once the last server of 0.1.0 has stopped"
        ),
    };
    Ok(format!("{report}{remark}"))
}

/// Adds the first checkpoint of each long link that has none, and prints the progress.
async fn add_checkpoints(store: &Store) -> Result<(), Failure> {
    let mut differs = false;
    let mut said = 0;
    let mut progress = |link: &LinkName, step| match step {
        FirstCheckpoint::Summed { batches, of } => {
            if batches >= said + BATCHES_PER_LINE || batches < said {
                eprintln!("link {link}: {batches} of {of} batches are summed");
                said = batches;
            }
        }
        FirstCheckpoint::Added { batch } => {
            eprintln!("link {link}: the first checkpoint of its sums is at batch {batch}");
        }
        FirstCheckpoint::Differs { what } => {
            differs = true;
            eprintln!("link {link}: no checkpoint was added, run `meterhouse verify`: {what}");
        }
    };
    add_first(store, CheckpointOptions::default(), &mut progress)
        .await
        .map_err(|error| Failure::database("could not add the checkpoints", error))?;
    if differs {
        return Err(Failure::Difference);
    }
    Ok(())
}
