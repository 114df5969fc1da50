//! `meterhouse archive`
//!
//! # Order
//! A month is written, then detached, then dropped: three commands, each of which proves the file. Until the last one
//! the events are in the database too. A command that was killed is run again and goes on.

use std::path::Path;

use meterhouse_engine::archive::{ArchiveError, copy_month, why_not, why_not_detach};
use meterhouse_engine::clock::now;
use meterhouse_journal::month::MonthTotals;
use meterhouse_store::{
    ArchiveRecord, Archiver, KnownMonth, Month, MonthPlace, RecordedState, StoreError,
};

use crate::archive_files::{Identity, path_of, prove_file, unread, write};
use crate::cli::ArchiveCommand;
use crate::database::{Access, Database};
use crate::failure::Failure;
use crate::output::outln;
use crate::settings::DatabaseSettings;
use crate::space;

mod list;

pub(crate) async fn run(args: &DatabaseSettings, command: ArchiveCommand) -> Result<(), Failure> {
    let database = Database::open(args, Access::Existing).await?;
    let done = match command {
        ArchiveCommand::List { json } => list::list(&database.store, json).await,
        ArchiveCommand::Write { month, to } => {
            as_owner(&database, args, month, Step::Write(&to)).await
        }
        ArchiveCommand::Detach { month, from } => {
            as_owner(&database, args, month, Step::Detach(&from)).await
        }
        ArchiveCommand::Attach { month } => as_owner(&database, args, month, Step::Attach).await,
        ArchiveCommand::Drop { month, from } => {
            as_owner(&database, args, month, Step::Drop(&from)).await
        }
    };
    database.close().await;
    done
}

/// A step that changes something, with the folder of the file.
#[derive(Copy, Clone)]
enum Step<'a> {
    Write(&'a Path),
    Detach(&'a Path),
    Attach,
    Drop(&'a Path),
}

/// Runs a step as the owner of the tables.
async fn as_owner(
    database: &Database,
    args: &DatabaseSettings,
    month: Month,
    step: Step<'_>,
) -> Result<(), Failure> {
    let owner = Archiver::connect(&database.owner(args)?).await;
    let mut work = Work {
        database,
        month,
        identity: identity(database).await?,
        known: known(database).await?,
        owner: owner.map_err(|error| Failure::database("could not become the owner", error))?,
    };
    let done = match step {
        Step::Write(folder) => work.write(folder).await,
        Step::Detach(folder) => work.detach(folder).await,
        Step::Attach => work.attach().await,
        Step::Drop(folder) => work.drop(folder).await,
    };
    // The lock ends with the process at the latest.
    drop(work.owner.close().await);
    done
}

async fn identity(database: &Database) -> Result<Identity, Failure> {
    database.store.identity_bytes().await.map_err(unread)
}

async fn known(database: &Database) -> Result<Vec<KnownMonth>, Failure> {
    database.store.known_months().await.map_err(unread)
}

/// A command on one month.
struct Work<'a> {
    database: &'a Database,
    month: Month,
    identity: Identity,
    known: Vec<KnownMonth>,
    owner: Archiver,
}

impl Work<'_> {
    async fn write(&mut self, folder: &Path) -> Result<(), Failure> {
        let (month, path) = (self.month, path_of(folder, self.month));
        let is_there = path
            .try_exists()
            .map_err(|error| unreadable(&path, &error))?;
        if let Some(record) = self.found().and_then(|found| found.record) {
            if !is_there {
                self.write_again(&path, &record).await?;
            }
            self.prove(folder).await?;
            outln!(
                "{month} was archived before, and {} is its file",
                path.display()
            );
            return Ok(());
        }
        refuse(why_not(&self.database.store, month, &self.known).await)?;
        let states = if is_there {
            // A command was killed behind the renaming.
            let mut nothing = |_| Ok(());
            let copied = copy_month(&self.database.store, month, &mut nothing).await;
            copied.map_err(|error| failed(&path, error))?
        } else {
            self.write_file(&path).await?
        };
        let proven = prove_file(&self.database.store, month, self.identity, &path).await;
        let totals = proven.map_err(|error| failed(&path, error))?;
        let record = record_of(&totals);
        let recorded = self.owner.record(month, &record, &states).await;
        recorded.map_err(|error| Failure::database("could not record the month", error))?;
        let (file, hash) = (path.display(), hex::encode(totals.file_hash));
        let MonthTotals {
            links,
            batches,
            events,
            bytes,
            ..
        } = totals;
        outln!("{month}: {links} links, {batches} batches, {events} events in {file}");
        outln!("{bytes} bytes, SHA-256 {hash}");
        outln!(
            "every batch was read back and has the hash in the database; the events are still in the database too"
        );
        Ok(())
    }

    async fn write_file(&self, path: &Path) -> Result<Vec<RecordedState>, Failure> {
        let size = self.found().map_or(0, |found| found.size);
        let folder = path.parent().unwrap_or(Path::new("."));
        let free = space::free(folder).map_err(|error| unreadable(folder, &error.into()))?;
        if free < size {
            let (free, size, folder) = (free, size, folder.display());
            return Err(Failure::Configuration(format!(
                "{free} bytes are free on the disk of {folder}, and the month has {size} in the database: make room, or \
                 name another folder"
            )));
        }
        let written = write(&self.database.store, self.month, self.identity, path);
        written.await.map_err(|error| failed(path, error))
    }

    /// Writes a recorded month's file again, for a file that was lost while the events are in the database.
    async fn write_again(&self, path: &Path, record: &ArchiveRecord) -> Result<(), Failure> {
        if self.place() != MonthPlace::Live {
            let (month, path, hash) = (self.month, path.display(), hex::encode(record.file_hash));
            return Err(Failure::Configuration(format!(
                "{path} is not there, and the events of {month} are no longer read from the database: name the folder of \
                 the file with the SHA-256 {hash}, or attach the month again"
            )));
        }
        self.write_file(path).await.map(drop)
    }

    async fn detach(&mut self, folder: &Path) -> Result<(), Failure> {
        let month = self.month;
        refuse(Ok(why_not_detach(month, &self.known)))?;
        if self.place() == MonthPlace::Dropped {
            outln!("{month} was dropped before");
            return Ok(());
        }
        let record = self.prove(folder).await?;
        if self.place() == MonthPlace::Live {
            refuse(why_not(&self.database.store, month, &self.known).await)?;
        }
        let detached = self.owner.detach(month, self.place()).await;
        detached.map_err(|error| waited(error, "detach"))?;
        let count = self.owner.count_set_aside(month).await.map_err(unread)?;
        if count != record.events {
            let events = record.events;
            return Err(Failure::Configuration(format!(
                "the detached table has {count} events and the file {events}: attach the month again with `meterhouse \
                 archive attach --month {month}`, and report this"
            )));
        }
        outln!("{month} is detached: its {count} events are read from the file alone");
        outln!(
            "its table is kept as archived_event_{} until `meterhouse archive drop`",
            month.0
        );
        Ok(())
    }

    async fn attach(&mut self) -> Result<(), Failure> {
        let attached = self.owner.attach(self.month, self.place()).await;
        attached.map_err(|error| waited(error, "attach"))?;
        outln!(
            "{} is attached: its events are read from the database",
            self.month
        );
        Ok(())
    }

    async fn drop(&mut self, folder: &Path) -> Result<(), Failure> {
        let month = self.month;
        refuse(Ok(why_not_detach(month, &self.known)))?;
        match self.place() {
            MonthPlace::SetAside => {}
            MonthPlace::Dropped => {
                outln!("{month} was dropped before");
                return Ok(());
            }
            MonthPlace::Live | MonthPlace::Detaching | MonthPlace::Detached => {
                return Err(Failure::Configuration(format!(
                    "{month} is not detached: detach it first, and drop it once the file has copies in two places"
                )));
            }
        }
        self.prove(folder).await?;
        let dropped = self.owner.drop_set_aside(month).await;
        dropped.map_err(|error| waited(error, "drop"))?;
        outln!("{month} is dropped: its file is all that is left of its events");
        Ok(())
    }

    /// Proves the recorded file.
    async fn prove(&self, folder: &Path) -> Result<ArchiveRecord, Failure> {
        let path = path_of(folder, self.month);
        let Some(record) = self.found().and_then(|found| found.record) else {
            return Err(Failure::Configuration(format!(
                "{} is not archived",
                self.month
            )));
        };
        let proven = prove_file(&self.database.store, self.month, self.identity, &path).await;
        let totals = proven.map_err(|error| failed(&path, error))?;
        if totals.file_hash == record.file_hash {
            return Ok(record);
        }
        let (path, hash) = (path.display(), hex::encode(record.file_hash));
        Err(Failure::Configuration(format!(
            "{path} is another file than was recorded: name the folder of the file with the SHA-256 {hash}"
        )))
    }

    fn found(&self) -> Option<&KnownMonth> {
        self.known.iter().find(|one| one.month == self.month)
    }

    fn place(&self) -> MonthPlace {
        self.found()
            .map_or(MonthPlace::Dropped, |found| found.place)
    }
}

/// Returns the failure of a step that may not be done.
fn refuse(why: Result<Option<String>, StoreError>) -> Result<(), Failure> {
    match why.map_err(unread)? {
        Some(why) => Err(Failure::Configuration(why)),
        None => Ok(()),
    }
}

fn record_of(totals: &MonthTotals) -> ArchiveRecord {
    ArchiveRecord {
        at: now(),
        file_hash: totals.file_hash,
        bytes: totals.bytes,
        links: totals.links,
        batches: totals.batches,
        events: totals.events,
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Configuration(format!("{} can't be read: {error}", path.display()))
}

/// Returns the failure of a step that waits for other transactions.
fn waited(error: StoreError, what: &str) -> Failure {
    if error.is_lock_timeout() {
        return Failure::InUse(format!(
            "a transaction still reads the journal (verify, a backup), so that the month could not be {what}ed in time: \
             nothing is lost, run the same command again"
        ));
    }
    Failure::database(format!("could not {what} the month"), error)
}

fn failed(path: &Path, error: ArchiveError) -> Failure {
    let path = path.display();
    match error {
        ArchiveError::Store(error) => unread(error),
        ArchiveError::File(error) => Failure::Configuration(format!("{path}: {error}")),
        ArchiveError::Damaged(error) => Failure::Configuration(format!(
            "{path} is short or changed, {error}: use another copy of it"
        )),
        ArchiveError::Differs(what) => {
            Failure::Configuration(format!("{path}: {what}; run `meterhouse verify`"))
        }
    }
}
