//! `meterhouse serve`

use std::path::Path;
use std::sync::Arc;

use meterhouse_catalogue::Catalogue;

use crate::cli::{DatabaseArgs, ServeArgs};
use crate::database::Database;
use crate::failure::Failure;
use crate::listen::Addresses;
use crate::program;
use crate::running::Running;
use crate::signal;

pub(crate) async fn run(args: &DatabaseArgs, serve: ServeArgs) -> Result<(), Failure> {
    let stop = signal::stop_asked()?;
    program::check(serve.program_hash)?;
    let catalogue = catalogue(serve.paytables.as_deref())?;
    let addresses = Addresses {
        http: serve.listen,
        grpc: Some(serve.grpc_listen),
    };
    let database = Database::open(args).await?;
    let running = match Running::start(database.store.clone(), catalogue, &addresses).await {
        Ok(running) => running,
        Err(failure) => {
            database.close().await;
            return Err(failure);
        }
    };
    println!("listening on http://{}", running.address());
    if let Some(address) = running.grpc_address() {
        println!("gRPC on http://{address}");
    }
    let died = tokio::select! {
        () = stop.cancelled() => false,
        () = database.died() => true,
    };
    tracing::info!("stopping");
    running.stop().await;
    database.close().await;
    if died {
        let what = "the private Postgres died: its log is in the data directory".to_owned();
        return Err(Failure::Database { what, source: None });
    }
    Ok(())
}

/// Our paytables and the operator's.
pub(crate) fn catalogue(folder: Option<&Path>) -> Result<Arc<Catalogue>, Failure> {
    let wrong = |errors: meterhouse_catalogue::CatalogueErrors| {
        Failure::Configuration(format!("a paytable can't be used:\n{errors}"))
    };
    let catalogue = Catalogue::compiled_in().map_err(wrong)?;
    let catalogue = match folder {
        Some(folder) => catalogue.with_folder(folder).map_err(wrong)?,
        None => catalogue,
    };
    Ok(Arc::new(catalogue))
}
