//! The heads that a data folder knew, compared with the database's, and kept from then on.
//!
//! # Shape
//! Before a private Postgres is made: a folder that held one gets no empty one in its place unasked. Before the server
//! listens: the database must be the one that the folder knew, with all its links; a link whose journal ends earlier,
//! or differs, is faulted until two people accept its values. While it serves, [`Keeper`] writes the heads.
//!
//! # What bounds it
//! The heads are written every [`KEEP_EVERY`], beside the commits: what was acknowledged within the last second before
//! a loss may be missing in the file, and a journal that lost only that is not recognised.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::LinkName;
use meterhouse_engine::Engine;
use meterhouse_engine::error_chain::ErrorChain;
use meterhouse_engine::readiness::{AddedCheck, Check};
use meterhouse_store::{HeadCheck, KnownHead, Store};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::failure::Failure;
use crate::heads::{self, Heads};

/// How often the heads are written.
const KEEP_EVERY: Duration = Duration::from_secs(1);
/// Microseconds of a second.
const MICROS: i64 = 1_000_000;
/// How a log of Postgres says that its cluster took connections.
const SERVED: &str = "database system is ready to accept connections";

/// A link whose journal is not the one that was acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    /// The link.
    pub(crate) link: String,
    /// The difference, as the end of a sentence.
    pub(crate) why: String,
    /// Whether the database has such a link at all.
    is_there: bool,
}

/// Refuses a data folder whose cluster is gone, unless that is on purpose.
pub(crate) fn refuse_missing_cluster(folder: &Path, is_restored: bool) -> Result<(), Failure> {
    let cluster = folder.join("postgres");
    if is_restored || cluster.join("PG_VERSION").exists() || !has_served(folder) {
        return Ok(());
    }
    let (cluster, folder) = (cluster.display(), folder.display());
    Err(Failure::Database {
        what: format!(
            "the private Postgres of {folder} is gone: mount or restore {cluster} and start again; nothing was made. To \
             begin with an empty database on purpose, run `meterhouse serve --restored`"
        ),
        source: None,
    })
}

/// Checks if a private Postgres took connections in this data folder before.
fn has_served(folder: &Path) -> bool {
    let logs = ["postgres.log", "postgres.log.1"];
    heads::are_kept(folder)
        || logs.iter().any(|log| {
            let log = fs::read(folder.join(log)).unwrap_or_default();
            String::from_utf8_lossy(&log).contains(SERVED)
        })
}

/// Compares what a folder knew with the database.
pub(crate) async fn compare(store: &Store, known: &Heads) -> Result<Vec<Lost>, Failure> {
    let mut lost = Vec::new();
    for (link, head) in &known.links {
        let held = store.check_head(link, *head).await;
        let held = held.map_err(|error| Failure::database("the heads can't be compared", error))?;
        let batch = head.batch;
        let why = match held {
            HeadCheck::Found => continue,
            HeadCheck::NoLink => format!("the link is missing, its batch {batch} was acknowledged"),
            HeadCheck::EndsAt(end) => {
                format!("it ends at batch {end}, batch {batch} was acknowledged")
            }
            HeadCheck::Differs => format!("its batch {batch} is another one"),
        };
        lost.push(Lost {
            link: link.clone(),
            why,
            is_there: held != HeadCheck::NoLink,
        });
    }
    Ok(lost)
}

/// Says what a folder knew and the database lacks: one sentence each, of one link or of all.
pub(crate) async fn differences(
    store: &Store,
    known: &Heads,
    link: Option<&LinkName>,
) -> Result<Vec<String>, Failure> {
    let mut differences = Vec::new();
    if known.identity != identity(store).await? {
        differences.push("the database is not the one that the data folder knew".to_owned());
    }
    for Lost {
        link: name, why, ..
    } in compare(store, known).await?
    {
        if link.is_none_or(|link| link.as_str() == name) {
            differences.push(format!(
                "link {name}: the journal is not the one that was acknowledged: {why}"
            ));
        }
    }
    Ok(differences)
}

/// Returns the identity of the database.
async fn identity(store: &Store) -> Result<String, Failure> {
    let identity = store.identity().await;
    identity.map_err(|error| Failure::database("the database's identity can't be read", error))
}

/// Checks before a server listens that its database is the one that the folder knew; returns the keeper of the heads
/// and the links to fault.
pub(crate) async fn check(
    store: &Store,
    folder: &Path,
    is_restored: bool,
) -> Result<(Keeper, Vec<Lost>), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::internal("the data folder can't be made", error))?;
    let mut keeper = Keeper::new(folder, identity(store).await?);
    let Some(known) = Heads::read(folder)? else {
        return Ok((keeper, Vec::new()));
    };
    let lost = compare(store, &known).await?;
    let is_other = known.identity != keeper.identity;
    let missing: Vec<&str> = lost
        .iter()
        .filter(|lost| !lost.is_there)
        .map(|lost| lost.link.as_str())
        .collect();
    if (is_other || !missing.is_empty()) && !is_restored {
        let folder = folder.display();
        let what = if is_other {
            format!("the database is not the one that {folder} knew")
        } else {
            format!(
                "links that {folder} knew are missing: {}",
                missing.join(", ")
            )
        };
        return Err(Failure::Database {
            what: format!(
                "{what}: put the right one in place and start again. To serve this one on purpose, run `meterhouse serve \
                 --restored`"
            ),
            source: None,
        });
    }
    for Lost { link, why, .. } in &lost {
        tracing::error!(
            link,
            why,
            "the journal is not the one that was acknowledged"
        );
    }
    keeper.replaces_others = is_other || !lost.is_empty();
    let there = lost.into_iter().filter(|lost| lost.is_there).collect();
    Ok((keeper, there))
}

/// Faults links whose journal is not the one that was acknowledged, before anything else of them is served.
pub(crate) async fn fault(engine: &Engine, lost: &[Lost]) -> Result<(), Failure> {
    for Lost { link, why, .. } in lost {
        let name: Result<LinkName, _> = link.parse();
        let name =
            name.map_err(|error| Failure::internal("the known heads name no link", error))?;
        let faulted = engine.fault_restored(&name, why).await;
        faulted.map_err(|denied| {
            Failure::database(
                format!("the link {link} could not be taken out of play"),
                denied,
            )
        })?;
    }
    Ok(())
}

/// Writes the heads of all links into the data folder, off the commits' way.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    folder: PathBuf,
    identity: String,
    /// Whether the file in the folder is of a journal that is gone: it is kept under another name.
    replaces_others: bool,
    /// Why the last write failed.
    failed: Arc<Mutex<Option<String>>>,
}

impl Keeper {
    fn new(folder: &Path, identity: String) -> Self {
        Self {
            folder: folder.to_owned(),
            identity,
            replaces_others: false,
            failed: Arc::default(),
        }
    }

    /// The readiness check of the file.
    pub(crate) fn check(&self) -> AddedCheck {
        let failed = Arc::clone(&self.failed);
        AddedCheck::new(move || {
            let failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            match &*failed {
                None => Check::ok("heads", "kept in the data folder"),
                Some(why) => Check::degraded(
                    "heads",
                    format!("not kept in the data folder, so a lost journal would not show: {why}"),
                ),
            }
        })
    }

    /// Keeps the heads until told to stop. To be started once the links that lost something are faulted in the journal:
    /// from then on the file no longer says it.
    pub(crate) fn start(&self, store: Store) -> Keeping {
        let stop = CancellationToken::new();
        let task = tokio::spawn(self.clone().run(store, stop.clone()));
        Keeping { stop, task }
    }

    async fn run(self, store: Store, stop: CancellationToken) {
        if self.replaces_others {
            let seconds = meterhouse_engine::clock::now().0 / MICROS;
            match Heads::set_aside(&self.folder, seconds) {
                Ok(aside) => {
                    tracing::warn!(file = %aside.display(), "what was known before is kept there");
                }
                Err(error) => return self.note(Some(ErrorChain(&error).to_string())),
            }
        }
        let mut ticks = interval(KEEP_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut written = None;
        loop {
            let is_last = tokio::select! {
                _ = ticks.tick() => false,
                () = stop.cancelled() => true,
            };
            self.write(&store, &mut written).await;
            if is_last {
                return;
            }
        }
    }

    /// Writes the heads if they moved. While the database is away there is nothing new.
    async fn write(&self, store: &Store, written: &mut Option<Heads>) {
        let Ok(links) = store.known_heads().await else {
            return;
        };
        let next = self.next(written.as_ref(), links);
        if written.as_ref() == Some(&next) {
            return;
        }
        let (folder, heads) = (self.folder.clone(), next.clone());
        let done = spawn_blocking(move || heads.write(&folder)).await;
        let done = done.unwrap_or_else(|error| Err(error.into()));
        let failed = done.err().map(|error| ErrorChain(&error).to_string());
        if failed.is_none() {
            *written = Some(next);
        }
        self.note(failed);
    }

    /// Notes how the last write ended, for readiness.
    fn note(&self, failed: Option<String>) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }

    /// Returns what to write next. A head that goes back under a running server is not taken over: the next start
    /// finds what is missing.
    fn next(&self, written: Option<&Heads>, links: BTreeMap<String, KnownHead>) -> Heads {
        let mut next = Heads {
            identity: self.identity.clone(),
            links,
        };
        for (link, before) in written.iter().flat_map(|written| &written.links) {
            let head = next.links.entry(link.clone()).or_insert(*before);
            if head.batch < before.batch {
                *head = *before;
            }
        }
        next
    }
}

/// The keeping of heads under way.
#[derive(Debug)]
pub(crate) struct Keeping {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Keeping {
    /// Writes the heads a last time and ends.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        // A task that failed has said so in the log.
        drop(self.task.await);
    }
}
