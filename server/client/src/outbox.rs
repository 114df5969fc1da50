//! The outbox: one file that keeps every command until its outcome was taken.
//!
//! # Shape
//! A redb database with three tables: what the file is, the number of the next command, and the kept commands by
//! number. It is written by one thread (`outbox_writer`); a number is given in the transaction that stores the command.
//!
//! # What is durable
//! Every commit is synced to the disk in two phases. One phase would be one sync less, and after a crash a damaged
//! newest state would silently give way to the one before it: a kept command and its number would be gone.
//!
//! # What bounds it
//! At most [`KEPT_MAX`](crate::limits::KEPT_MAX) commands. Pages of forgotten commands are used again, so the file does not grow.
//!
//! # What is refused
//! A file of another table, one that is in use, one that is damaged: never is one begun anew over another. A new
//! one is made under another name and gets its own when it is whole.

mod create;
mod format;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use meterhouse_proto::table as wire;
use prost::Message as _;
use redb::{Database, ReadableDatabase as _, ReadableTable as _};

use self::format::{
    COMMANDS, FORMAT, FORMAT_NUMBER, IDENTITY, NEXT, NUMBERS, TABLE, builder, damaged, disk,
    opening,
};
use crate::error::OutboxError;
use crate::values::{Sequence, TableName};

/// What a file kept.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The number that the next command gets.
    pub(crate) next: Option<Sequence>,
    /// Every command whose outcome was not taken.
    pub(crate) commands: BTreeMap<Sequence, wire::Command>,
}

/// An open file.
#[derive(Debug)]
pub(crate) struct Outbox {
    database: Database,
    path: PathBuf,
}

impl Outbox {
    /// Opens the file of this table, or makes it where there is none.
    pub(crate) fn open(path: &Path, table: &TableName) -> Result<(Self, Contents), OutboxError> {
        if !path.try_exists().map_err(|error| disk(path, error))? {
            create::create(path, table)?;
        }
        let length = path.metadata().map_err(|error| disk(path, error))?.len();
        if length == 0 {
            return Err(damaged(path, "it is empty"));
        }
        let opened = builder().set_check_integrity_on_open(true).open(path);
        let database = opened.map_err(|error| opening(path, error))?;
        let outbox = Self {
            database,
            path: path.to_owned(),
        };
        let contents = outbox.read(table)?;
        create::sync(path).map_err(|error| disk(path, error))?;
        Ok((outbox, contents))
    }

    /// Returns the file's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn read(&self, table: &TableName) -> Result<Contents, OutboxError> {
        let read = self.database.begin_read();
        let read = read.map_err(|error| self.damaged(error))?;
        let numbers = read.open_table(NUMBERS);
        let numbers = numbers.map_err(|error| self.damaged(error))?;
        let number = |name: &str| -> Result<Option<u64>, OutboxError> {
            let found = numbers.get(name).map_err(|error| self.damaged(error))?;
            Ok(found.map(|it| it.value()))
        };
        let format = number(FORMAT_NUMBER)?.ok_or_else(|| self.damaged("it has no format"))?;
        if format != FORMAT {
            return Err(OutboxError::OtherFormat {
                path: self.path.clone(),
                found: format,
                known: FORMAT,
            });
        }
        let identity = read.open_table(IDENTITY);
        let identity = identity.map_err(|error| self.damaged(error))?;
        let found = identity.get(TABLE).map_err(|error| self.damaged(error))?;
        let found = found.ok_or_else(|| self.damaged("it names no table"))?;
        if found.value() != table.as_str() {
            return Err(OutboxError::OtherTable {
                path: self.path.clone(),
                found: found.value().to_owned(),
                table: table.clone(),
            });
        }
        let next = number(NEXT)?
            .map(|it| Sequence::new(it).ok_or_else(|| self.damaged("its next number is none")));
        let commands = read.open_table(COMMANDS);
        let commands = commands.map_err(|error| self.damaged(error))?;
        let mut contents = Contents {
            next: next.transpose()?,
            ..Contents::default()
        };
        for entry in commands.iter().map_err(|error| self.damaged(error))? {
            let (number, bytes) = entry.map_err(|error| self.damaged(error))?;
            let sequence = Sequence::new(number.value()).filter(|it| Some(*it) < contents.next);
            let sequence = sequence.ok_or_else(|| self.damaged("a command's number is wrong"))?;
            let command = wire::Command::decode(bytes.value());
            let command = command.map_err(|error| self.damaged(error))?;
            contents.commands.insert(sequence, command);
        }
        Ok(contents)
    }

    /// In one durable step: forgets commands whose outcomes were taken, and keeps new ones under the next numbers.
    /// Nothing is kept before the first number is known.
    pub(crate) fn change(
        &self,
        forget: &[Sequence],
        keep: Vec<wire::Command>,
    ) -> Result<Vec<(Sequence, wire::Command)>, OutboxError> {
        let fault = |error: redb::Error| self.fault(error);
        let mut write = self.database.begin_write().map_err(|it| fault(it.into()))?;
        write.set_two_phase_commit(true);
        let mut kept = Vec::with_capacity(keep.len());
        {
            let mut numbers = write.open_table(NUMBERS).map_err(|it| fault(it.into()))?;
            let mut commands = write.open_table(COMMANDS).map_err(|it| fault(it.into()))?;
            for sequence in forget {
                let removed = commands.remove(sequence.get());
                drop(removed.map_err(|it| fault(it.into()))?);
            }
            let next = numbers.get(NEXT).map_err(|it| fault(it.into()))?;
            let mut next = next.and_then(|it| Sequence::new(it.value()));
            for mut command in keep {
                let sequence = next.ok_or_else(|| self.damaged("it has no next number"))?;
                command.sequence = sequence.get();
                let bytes = command.encode_to_vec();
                let inserted = commands.insert(sequence.get(), bytes.as_slice());
                drop(inserted.map_err(|it| fault(it.into()))?);
                kept.push((sequence, command));
                next = sequence.next();
            }
            if let Some(next) = next {
                let inserted = numbers.insert(NEXT, next.get());
                drop(inserted.map_err(|it| fault(it.into()))?);
            }
        }
        write.commit().map_err(|it| fault(it.into()))?;
        Ok(kept)
    }

    /// Sets the number that the first command gets, in a file that has none yet.
    pub(crate) fn begin(&self, next: Sequence) -> Result<(), OutboxError> {
        let fault = |error: redb::Error| self.fault(error);
        let mut write = self.database.begin_write().map_err(|it| fault(it.into()))?;
        write.set_two_phase_commit(true);
        {
            let mut numbers = write.open_table(NUMBERS).map_err(|it| fault(it.into()))?;
            let inserted = numbers.insert(NEXT, next.get());
            drop(inserted.map_err(|it| fault(it.into()))?);
        }
        write.commit().map_err(|it| fault(it.into()))
    }

    /// Closes the file, which another process may then open.
    pub(crate) fn close(self) -> Result<(), OutboxError> {
        let Self { database, path } = self;
        database.close().map_err(|error| opening(&path, error))
    }

    fn damaged(&self, what: impl Display) -> OutboxError {
        damaged(&self.path, what)
    }

    fn fault(&self, error: redb::Error) -> OutboxError {
        match error {
            redb::Error::Corrupted(what) => self.damaged(what),
            error => disk(&self.path, error),
        }
    }
}

#[cfg(test)]
mod tests;
