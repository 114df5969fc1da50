//! The outbox: one file that stores every command until its outcome was taken.
//!
//! # Shape
//! A redb database with three tables: the identity of the file with the newest seal, the number of the next command, and
//! the commands by number. One thread (`outbox_writer`) writes it. A number is assigned in the transaction that stores the command.
//!
//! # Durability
//! Every commit is synced to the disk in two phases. One phase would save one sync. But after a crash, a damaged newest
//! state would silently be replaced by the state before it. A stored command and its number would be lost.
//!
//! # Limits
//! At most [`OUTBOX_COMMANDS_MAX`](crate::limits::OUTBOX_COMMANDS_MAX) commands. Pages of deleted commands are reused,
//! so the file does not grow.
//!
//! # Refused files
//! A file of another table, a file in use and a damaged file are refused. None is ever replaced by a new file. A new
//! file is made under another name, and is linked to its own name when it is complete.

mod create;
mod format;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use meterhouse_proto::table as wire;
use prost::Message as _;
use redb::{Database, ReadableDatabase as _, ReadableTable as _};

use self::format::{
    COMMANDS, FORMAT, FORMAT_NUMBER, IDENTITY, NEXT, NUMBERS, SEAL, TABLE, builder, damaged_error,
    disk_error, open_error,
};
use crate::error::OutboxError;
use crate::values::{Sequence, TableName};

/// The content of a file.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The number that the next command gets.
    pub(crate) next: Option<Sequence>,
    /// The commands whose outcome was not taken.
    pub(crate) commands: BTreeMap<Sequence, wire::Command>,
    /// The newest seal that the server sent; empty if there is none.
    pub(crate) seal: String,
}

/// An open outbox.
#[derive(Debug)]
pub(crate) struct Outbox {
    database: Database,
    path: PathBuf,
}

impl Outbox {
    /// Opens the file of this table. Creates it if there is none.
    pub(crate) fn open(path: &Path, table: &TableName) -> Result<(Self, Contents), OutboxError> {
        if !path.try_exists().map_err(|error| disk_error(path, error))? {
            create::create(path, table)?;
        }
        let length = path
            .metadata()
            .map_err(|error| disk_error(path, error))?
            .len();
        if length == 0 {
            return Err(damaged_error(path, "it is empty"));
        }
        let opened = builder().set_check_integrity_on_open(true).open(path);
        let database = opened.map_err(|error| open_error(path, error))?;
        let outbox = Self {
            database,
            path: path.to_owned(),
        };
        let contents = outbox.read(table)?;
        create::sync_folder(path).map_err(|error| disk_error(path, error))?;
        Ok((outbox, contents))
    }

    /// Returns the file's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn read(&self, table: &TableName) -> Result<Contents, OutboxError> {
        let read = self.database.begin_read();
        let read = read.map_err(|error| self.damaged_error(error))?;
        let numbers = read.open_table(NUMBERS);
        let numbers = numbers.map_err(|error| self.damaged_error(error))?;
        let number = |name: &str| -> Result<Option<u64>, OutboxError> {
            let found = numbers
                .get(name)
                .map_err(|error| self.damaged_error(error))?;
            Ok(found.map(|number| number.value()))
        };
        let format =
            number(FORMAT_NUMBER)?.ok_or_else(|| self.damaged_error("it has no format"))?;
        if format != FORMAT {
            return Err(OutboxError::OtherFormat {
                path: self.path.clone(),
                found: format,
                known: FORMAT,
            });
        }
        let identity = read.open_table(IDENTITY);
        let identity = identity.map_err(|error| self.damaged_error(error))?;
        let found = identity
            .get(TABLE)
            .map_err(|error| self.damaged_error(error))?;
        let found = found.ok_or_else(|| self.damaged_error("it names no table"))?;
        if found.value() != table.as_str() {
            return Err(OutboxError::OtherTable {
                path: self.path.clone(),
                found: found.value().to_owned(),
                table: table.clone(),
            });
        }
        let seal = identity
            .get(SEAL)
            .map_err(|error| self.damaged_error(error))?;
        let seal = seal.map_or_else(String::new, |seal| seal.value().to_owned());
        let next = number(NEXT)?.map(|number| {
            Sequence::new(number).ok_or_else(|| self.damaged_error("its next number is invalid"))
        });
        let commands = read.open_table(COMMANDS);
        let commands = commands.map_err(|error| self.damaged_error(error))?;
        let mut contents = Contents {
            next: next.transpose()?,
            seal,
            ..Contents::default()
        };
        for entry in commands.iter().map_err(|error| self.damaged_error(error))? {
            let (number, bytes) = entry.map_err(|error| self.damaged_error(error))?;
            let sequence =
                Sequence::new(number.value()).filter(|sequence| Some(*sequence) < contents.next);
            let sequence =
                sequence.ok_or_else(|| self.damaged_error("a command's number is wrong"))?;
            let command = wire::Command::decode(bytes.value());
            let command = command.map_err(|error| self.damaged_error(error))?;
            contents.commands.insert(sequence, command);
        }
        Ok(contents)
    }

    /// Deletes commands whose outcomes were taken and stores new ones under the next numbers, in one durable step.
    /// Nothing is stored before the first number is known.
    pub(crate) fn commit(
        &self,
        forget: &[Sequence],
        store: Vec<wire::Command>,
    ) -> Result<Vec<(Sequence, wire::Command)>, OutboxError> {
        let write_error = |error: redb::Error| self.write_error(error);
        let mut write = self
            .database
            .begin_write()
            .map_err(|error| write_error(error.into()))?;
        write.set_two_phase_commit(true);
        let mut stored = Vec::with_capacity(store.len());
        {
            let mut numbers = write
                .open_table(NUMBERS)
                .map_err(|error| write_error(error.into()))?;
            let mut commands = write
                .open_table(COMMANDS)
                .map_err(|error| write_error(error.into()))?;
            for sequence in forget {
                let removed = commands.remove(sequence.get());
                drop(removed.map_err(|error| write_error(error.into()))?);
            }
            let next = numbers
                .get(NEXT)
                .map_err(|error| write_error(error.into()))?;
            let mut next = next.and_then(|number| Sequence::new(number.value()));
            for mut command in store {
                let sequence = next.ok_or_else(|| self.damaged_error("it has no next number"))?;
                command.sequence = sequence.get();
                let bytes = command.encode_to_vec();
                let inserted = commands.insert(sequence.get(), bytes.as_slice());
                drop(inserted.map_err(|error| write_error(error.into()))?);
                stored.push((sequence, command));
                next = sequence.next();
            }
            if let Some(next) = next {
                let inserted = numbers.insert(NEXT, next.get());
                drop(inserted.map_err(|error| write_error(error.into()))?);
            }
        }
        write.commit().map_err(|error| write_error(error.into()))?;
        Ok(stored)
    }

    /// Sets the number that the first command gets, in a file without one.
    pub(crate) fn set_next(&self, next: Sequence) -> Result<(), OutboxError> {
        self.write(|write| {
            let mut numbers = write.open_table(NUMBERS)?;
            drop(numbers.insert(NEXT, next.get())?);
            Ok(())
        })
    }

    /// Stores the seal of the last counted command.
    pub(crate) fn set_seal(&self, seal: &str) -> Result<(), OutboxError> {
        self.write(|write| {
            let mut identity = write.open_table(IDENTITY)?;
            drop(identity.insert(SEAL, seal)?);
            Ok(())
        })
    }

    /// Makes a change in a transaction of its own.
    fn write(
        &self,
        change: impl FnOnce(&redb::WriteTransaction) -> Result<(), redb::Error>,
    ) -> Result<(), OutboxError> {
        let written = || {
            let mut write = self.database.begin_write()?;
            write.set_two_phase_commit(true);
            change(&write)?;
            Ok(write.commit()?)
        };
        written().map_err(|error| self.write_error(error))
    }

    /// Closes the file, so that another process may open it.
    pub(crate) fn close(self) -> Result<(), OutboxError> {
        let Self { database, path } = self;
        database.close().map_err(|error| open_error(&path, error))
    }

    fn damaged_error(&self, what: impl Display) -> OutboxError {
        damaged_error(&self.path, what)
    }

    fn write_error(&self, error: redb::Error) -> OutboxError {
        match error {
            redb::Error::Corrupted(what) => self.damaged_error(what),
            error => disk_error(&self.path, error),
        }
    }
}

#[cfg(test)]
mod tests;
