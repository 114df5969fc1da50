//! The witnesses of this house: a file and an address, to which every signed head is sent.
//!
//! # Shape
//! A task for each witness looks for new heads and sends them, chain by chain, in the order of their numbers. Signing does
//! not wait for it. The file itself says how far it has come. For an address, the database has the position. All nodes
//! send, so a witness may receive a head twice.
//!
//! # Limits
//! [`LOOK_EVERY`]; after a failure a pause from [`PAUSE_FIRST`] to [`PAUSE_MAX`], each twice as long as the one before.

mod file;
mod receipt;
mod sender;
mod url;
mod vouches;

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use meterhouse_engine::error_chain::ErrorChain;
use meterhouse_store::Store;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use self::file::FileWitness;
use self::receipt::SendError;
use self::sender::{Sender, Witness};
use self::url::UrlWitness;
use crate::failure::Failure;
use crate::settings::WitnessSettings;

/// Interval between two looks for new heads.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// First pause after a failure.
const PAUSE_FIRST: Duration = Duration::from_secs(1);
/// Longest pause after a failure.
const PAUSE_MAX: Duration = Duration::from_mins(1);

/// The tasks that send heads.
pub(crate) struct Witnesses {
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Witnesses {
    /// Starts the tasks. A witness that can never be one is a mistake of the settings. A file that can't be opened now is
    /// opened later.
    pub(crate) async fn start(settings: &WitnessSettings, store: &Store) -> Result<Self, Failure> {
        let mut witnesses = Vec::new();
        if let Some(path) = &settings.file {
            witnesses.push(Witness::File(of_file(path).await?));
        }
        if let Some(url) = &settings.url {
            let witness = UrlWitness::new(url, settings.token.clone())?;
            witnesses.push(Witness::Url(witness));
        }
        let stop = CancellationToken::new();
        let task = |witness| tokio::spawn(run(Sender::new(store.clone(), witness), stop.clone()));
        let tasks = witnesses.into_iter().map(task).collect();
        Ok(Self { stop, tasks })
    }

    /// Stops the tasks. What was not sent is sent after the next start.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        for task in self.tasks {
            drop(task.await);
        }
    }
}

/// Returns the witness in a file, unless the file is another program's.
async fn of_file(path: &Path) -> Result<FileWitness, Failure> {
    let witness = FileWitness::new(path.to_owned());
    let mut witness =
        witness.map_err(|error| Failure::internal("no thread for witness.file", error))?;
    match witness.open().await {
        Err(SendError::File(error)) if error.kind() == ErrorKind::InvalidData => {
            let shown = path.display();
            Err(Failure::Configuration(format!(
                "the witness's file {shown} can't be used ({error}): correct witness.file, or move the file away"
            )))
        }
        Err(error) => {
            let (path, error) = (path.display(), ErrorChain(&error));
            tracing::warn!(%path, %error, "started without the witness's file, which is tried again");
            Ok(witness)
        }
        Ok(()) => Ok(witness),
    }
}

/// Sends new heads until it is stopped.
async fn run(mut sender: Sender, stop: CancellationToken) {
    let mut pause = PAUSE_FIRST;
    let mut wait = Duration::ZERO;
    let mut is_failing = false;
    loop {
        tokio::select! {
            () = sleep(wait) => {}
            () = stop.cancelled() => return,
        }
        let sent = tokio::select! {
            sent = sender.send_new() => sent,
            () = stop.cancelled() => return,
        };
        match sent {
            Ok(()) => {
                if is_failing {
                    tracing::info!(
                        witness = sender.name(),
                        "the witness has all signed heads again"
                    );
                }
                (pause, wait, is_failing) = (PAUSE_FIRST, LOOK_EVERY, false);
            }
            Err(error) => {
                sender.record_failure();
                if !is_failing {
                    tracing::error!(witness = sender.name(), error = %ErrorChain(&error), "signed heads can't be sent to the witness; they are sent again and again");
                }
                (pause, wait, is_failing) = ((pause * 2).min(PAUSE_MAX), pause, true);
            }
        }
    }
}
