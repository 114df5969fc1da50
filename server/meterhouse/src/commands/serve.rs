//! `meterhouse serve`

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use meterhouse_catalogue::{Catalogue, CatalogueErrors, Refused};
use meterhouse_domain::ids::{LinkId, PaytableId};
use meterhouse_engine::readiness::{AddedCheck, Check};
use meterhouse_openid::Provider;
use meterhouse_store::{LIST_MAX, Store};

use crate::announcer::announcements;
use crate::certificates::Certificates;
use crate::database::{Access, Database, served};
use crate::failure::Failure;
use crate::listen::{Addresses, BoundAddresses, Socket};
use crate::output::outln;
use crate::program;
use crate::running::{Front, Outward, Running};
use crate::settings::Settings;
use crate::telemetry::{Gauges, Page, Telemetry};
use crate::witness::Witnesses;
use crate::{privileges, pusher, service_manager, signal, signing_key};

pub(crate) async fn run(
    settings: &Settings,
    telemetry: &Telemetry,
    is_restored: bool,
) -> Result<(), Failure> {
    let stop = signal::stop_requested()?;
    program::check(settings.program_hash)?;
    let (catalogue, refused) = usable(settings.paytables.as_deref())?;
    let (bound, metrics) = bind(settings).await?;
    let args = privileges::drop_root(&settings.database, Access::Serve, is_restored)?;
    // The user who serves has to be able to read the files again.
    let certificates = Certificates::load(settings.tls.clone())?;
    let database = Database::open_to_serve(&args, is_restored).await?;
    let started = async {
        let other = links_with_outdated_paytables(&database.store, &catalogue, &refused).await?;
        let mut checks = vec![printed(&other)];
        checks.extend(certificates.as_ref().map(Certificates::check));
        let front = Front {
            tls: certificates
                .as_ref()
                .map(|certificates| certificates.tls.clone()),
            trusted_proxies: settings.trusted_proxies.clone(),
            openid: provider(settings)?,
            allowed_origins: settings.allowed_origins.clone(),
            pages: Router::new(),
        };
        let signing = signing_key::of_server(&settings.signing, &database)?;
        let outward = outward(settings, &database)?;
        let running = Running::start(
            &database,
            Arc::new(catalogue),
            bound,
            front,
            checks,
            signing,
            outward,
        );
        with_witnesses(running.await?, settings, &database.store).await
    };
    let (running, witnesses) = match started.await {
        Ok(started) => started,
        Err(failure) => {
            database.close().await;
            return Err(failure);
        }
    };
    let page = match metrics {
        Some(bound) => {
            let registry = telemetry.registry.clone();
            Some(Page::start(bound, registry, running.engine.clone())?)
        }
        None => None,
    };
    let gauges = Gauges::register();
    print_addresses(&running, certificates.is_some(), page.as_ref());
    service_manager::ready();
    let ended = tokio::select! {
        () = stop.cancelled() => Ok(()),
        failure = database.given_up() => Err(failure),
        failure = Certificates::keep(certificates.as_ref()) => Err(failure),
        () = gauges.keep(&running.engine) => Ok(()),
        () = service_manager::keep(&running.engine) => Ok(()),
    };
    tracing::info!("stopping");
    service_manager::stopping();
    if let Some(page) = page {
        page.stop();
    }
    witnesses.stop().await;
    running.stop().await;
    database.close().await;
    ended
}

/// Returns the ways to other programs.
fn outward(settings: &Settings, database: &Database) -> Result<Outward, Failure> {
    Ok(Outward {
        announcements: announcements(&settings.announcement)?,
        push: pusher::of_server(&settings.push, database)?,
    })
}

/// Returns the provider by which people log in. Nothing is asked of it before the first login.
fn provider(settings: &Settings) -> Result<Option<Arc<Provider>>, Failure> {
    let provider = settings.openid.as_ref().map(Provider::new).transpose();
    let provider = provider.map_err(|error| Failure::Configuration(error.to_string()))?;
    Ok(provider.map(Arc::new))
}

/// Starts to send heads to the witnesses of a running server, which is stopped if one of them can't be used.
async fn with_witnesses(
    running: Running,
    settings: &Settings,
    store: &Store,
) -> Result<(Running, Witnesses), Failure> {
    match Witnesses::start(&settings.witness, store).await {
        Ok(witnesses) => Ok((running, witnesses)),
        Err(failure) => {
            running.stop().await;
            Err(failure)
        }
    }
}

/// Prints where the server listens.
fn print_addresses(running: &Running, is_tls: bool, page: Option<&Page>) {
    let scheme = if is_tls { "https" } else { "http" };
    outln!("listening on {scheme}://{}", running.address());
    if let Some(address) = running.grpc_address() {
        outln!("gRPC on {scheme}://{address}");
    }
    if let Some(page) = page {
        outln!("metrics on http://{}/metrics", page.at);
    }
}

/// Binds the addresses of the server and of its metrics.
async fn bind(settings: &Settings) -> Result<(BoundAddresses, Option<Socket>), Failure> {
    let addresses = Addresses {
        http: settings.http_listen.clone(),
        grpc: Some(settings.grpc_listen.clone()),
        is_remote_allowed: settings.tls.is_some() || settings.is_insecure,
    };
    let bound = match addresses.bind().await {
        Ok(bound) => bound,
        // A second server on a folder finds the first one's ports in use. Other ports would not
        // help.
        Err(failure) => return Err(served(&settings.database).unwrap_or(failure)),
    };
    let metrics = match &settings.metrics_listen {
        Some(address) => Some(Socket::take(address, "--metrics-listen").await?),
        None => None,
    };
    Ok((bound, metrics))
}

/// Returns the built-in paytables and the operator's, all of which must be valid.
pub(crate) fn catalogue(folder: Option<&Path>) -> Result<Arc<Catalogue>, Failure> {
    let ours = Catalogue::compiled_in();
    let all = ours.and_then(|ours| match folder {
        Some(folder) => ours.with_folder(folder),
        None => Ok(ours),
    });
    all.map(Arc::new).map_err(|errors| unusable(&errors))
}

/// Returns the built-in paytables and the valid ones of the operator's.
fn usable(folder: Option<&Path>) -> Result<(Catalogue, Vec<Refused>), Failure> {
    let ours = Catalogue::compiled_in();
    let all = ours.and_then(|ours| match folder {
        Some(folder) => ours.with_usable_of(folder),
        None => Ok((ours, Vec::new())),
    });
    all.map_err(|errors| unusable(&errors))
}

pub(crate) fn unusable(errors: &CatalogueErrors) -> Failure {
    Failure::Configuration(format!("a paytable can't be used:\n{errors}"))
}

/// Refuses to start if the file of a link's paytable is invalid, because a link keeps the paytable
/// that it was opened with. The operator thus sees the error before a table needs the file. A valid
/// file that differs from its jurisdiction, or whose seed is below its reseed, opens no new link.
/// Existing links with that file play on, and their names are returned.
async fn links_with_outdated_paytables(
    store: &Store,
    catalogue: &Catalogue,
    refused: &[Refused],
) -> Result<Vec<String>, Failure> {
    let mut other = Vec::new();
    if refused.is_empty() {
        return Ok(other);
    }
    let mut used: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut after = LinkId(0);
    loop {
        let page = store.list_links(after, LIST_MAX).await;
        let page = page.map_err(|error| Failure::database("the links can't be listed", error))?;
        let Some(last) = page.last() else { break };
        after = last.link;
        for link in page {
            used.entry(link.paytable_id).or_default().push(link.name);
        }
    }
    for file in refused {
        let errors = &file.errors;
        // A built-in paytable with the same id may still exist.
        let id = file.id.parse::<PaytableId>().ok();
        let is_there = id.is_some_and(|id| catalogue.find(&id).is_some());
        match used.get(&file.id).filter(|_| !is_there) {
            Some(links) if errors.are_of_law() => {
                let named = links.join(", ");
                tracing::warn!(
                    "{named}: plays on with a paytable that no link may open with any more; its file opens no other \
                     link, and no further table joins by it:\n{errors}"
                );
                other.extend(links.iter().map(|link| format!("{link} ({})", file.id)));
            }
            Some(links) => {
                let link = links.join(", ");
                return Err(Failure::Configuration(format!(
                    "link {link} was opened with a paytable whose file can't be used any more:\n{errors}"
                )));
            }
            None => tracing::warn!(
                "started without a paytable file that can't be used; no link depends on it:\n{errors}"
            ),
        }
    }
    Ok(other)
}

/// Returns the check that names the links whose paytable may open no new link.
fn printed(links: &[String]) -> AddedCheck {
    const NAME: &str = "paytables";
    let check = if links.is_empty() {
        Check::ok(NAME, "every link's file is as its jurisdiction prints it")
    } else {
        let links = links.join(", ");
        let detail = format!(
            "not what its jurisdiction prints, or a seed below its reseed: {links}; `meterhouse paytable check FILE` \
             says why"
        );
        Check::degraded(NAME, detail)
    };
    AddedCheck::new(move || check.clone())
}
