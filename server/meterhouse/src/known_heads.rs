//! The comparison of the heads that a data folder knew with the database's, and their writing.
//!
//! # Shape
//! - Before a private Postgres is created: a folder that had one gets no empty one in its place
//!   without confirmation.
//! - Before the server listens: the database must be the one that the folder knew, with all its
//!   links. A link whose journal ends earlier or differs is faulted until two people accept its
//!   values.
//! - While the server runs: [`HeadWriter`] writes the heads.
//!
//! # Limits
//! The heads are written every [`KEEP_EVERY`], concurrently with the commits. The file may miss
//! commands that were acknowledged in the last second before a loss. If a journal lost only those,
//! the loss is not detected.

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
use crate::heads_file::{self, Heads};

/// Interval between two writes of the heads.
const KEEP_EVERY: Duration = Duration::from_secs(1);
/// Number of microseconds in a second.
const MICROS: i64 = 1_000_000;
/// Line in Postgres' log after which its cluster took connections.
const SERVED: &str = "database system is ready to accept connections";

/// A link whose journal is not the acknowledged one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LostLink {
    /// Name of the link.
    pub(crate) link: String,
    /// The difference, as the end of a sentence.
    pub(crate) why: String,
    /// `true` if the database has the link.
    is_there: bool,
}

/// Refuses a data folder whose cluster is gone, unless a restore is confirmed.
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
    heads_file::are_kept(folder)
        || logs.iter().any(|log| {
            let log = fs::read(folder.join(log)).unwrap_or_default();
            String::from_utf8_lossy(&log).contains(SERVED)
        })
}

/// Compares the heads that a folder knew with the database.
pub(crate) async fn compare(store: &Store, known: &Heads) -> Result<Vec<LostLink>, Failure> {
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
        lost.push(LostLink {
            link: link.clone(),
            why,
            is_there: held != HeadCheck::NoLink,
        });
    }
    Ok(lost)
}

/// Returns a sentence per difference between the heads that a folder knew and the database, for one
/// link or all.
pub(crate) async fn differences(
    store: &Store,
    known: &Heads,
    link: Option<&LinkName>,
) -> Result<Vec<String>, Failure> {
    let mut differences = Vec::new();
    if known.identity != identity(store).await? {
        differences.push("the database is not the one that the data folder knew".to_owned());
    }
    for LostLink {
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

/// Checks before a server listens that its database is the one that the folder knew. Returns the
/// writer of the heads and the links to fault.
pub(crate) async fn check(
    store: &Store,
    folder: &Path,
    is_restored: bool,
) -> Result<(HeadWriter, Vec<LostLink>), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::internal("the data folder can't be made", error))?;
    let mut head_writer = HeadWriter::new(folder, identity(store).await?);
    let Some(known) = Heads::read(folder)? else {
        return Ok((head_writer, Vec::new()));
    };
    let lost = compare(store, &known).await?;
    let is_other = known.identity != head_writer.identity;
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
    for LostLink { link, why, .. } in &lost {
        tracing::error!(
            link,
            why,
            "the journal is not the one that was acknowledged"
        );
    }
    head_writer.replaces_others = is_other || !lost.is_empty();
    let there = lost.into_iter().filter(|lost| lost.is_there).collect();
    Ok((head_writer, there))
}

/// Faults links whose journal is not the acknowledged one, before they are served.
pub(crate) async fn fault(engine: &Engine, lost: &[LostLink]) -> Result<(), Failure> {
    for LostLink { link, why, .. } in lost {
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

/// The writer of all links' heads into the data folder, concurrent with the commits.
#[derive(Clone, Debug)]
pub(crate) struct HeadWriter {
    folder: PathBuf,
    identity: String,
    /// `true` if the folder's file belongs to a lost journal. The file is then kept under another
    /// name.
    replaces_others: bool,
    /// Error of the last write, if it failed.
    failed: Arc<Mutex<Option<String>>>,
}

impl HeadWriter {
    fn new(folder: &Path, identity: String) -> Self {
        Self {
            folder: folder.to_owned(),
            identity,
            replaces_others: false,
            failed: Arc::default(),
        }
    }

    /// Returns the readiness check of the file.
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

    /// Starts writing the heads until it is stopped. The links that lost something must already be
    /// faulted in the journal, because the file no longer shows the loss afterwards.
    pub(crate) fn start(&self, store: Store) -> RunningHeadWriter {
        let stop = CancellationToken::new();
        let task = tokio::spawn(self.clone().run(store, stop.clone()));
        RunningHeadWriter { stop, task }
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

    /// Writes the heads if they moved. Skips the write while the database is away.
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

    /// Records the result of the last write, for readiness.
    fn note(&self, failed: Option<String>) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }

    /// Returns the next heads to write. A head that goes back under a running server is not taken
    /// over, so that the next start detects the loss.
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

/// A running writer of heads.
#[derive(Debug)]
pub(crate) struct RunningHeadWriter {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl RunningHeadWriter {
    /// Writes the heads a last time and ends.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        // A failed task has logged its error.
        drop(self.task.await);
    }
}
