//! `meterhouse migrate`

use meterhouse_domain::ids::LinkName;
use meterhouse_engine::integrity::checkpoints::{CheckpointOptions, FirstCheckpoint, add_first};
use meterhouse_store::{Store, reach};

use crate::database::{Access, Database, connect};
use crate::database_url::unreachable;
use crate::failure::Failure;
use crate::output::outln;
use crate::settings::DatabaseSettings;

/// Number of batches between two lines about a link's first checkpoint.
const BATCHES_PER_LINE: u64 = 500_000;

pub(crate) async fn run(args: &DatabaseSettings, check: bool) -> Result<(), Failure> {
    outln!("{}", migrate(args, check).await?);
    Ok(())
}

/// Brings the schema up to date and adds the first checkpoints of long links; with `check`, only
/// compares the schema.
async fn migrate(args: &DatabaseSettings, check: bool) -> Result<String, Failure> {
    if check {
        let database = Database::open(args, Access::Existing).await?;
        database.close().await;
        return Ok("the schema is current".into());
    }
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
    store.close().await;
    added.map(|()| format!("{report}"))
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
