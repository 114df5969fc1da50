//! The reader of an archived month's file. It accepts the bytes that [`MonthWriter`](crate::month::MonthWriter) writes,
//! and no others.
//!
//! # Order
//! Links in the order of their numbers, batches without a gap, each with the chain hash of its bytes. The end's counts
//! and SHA-256 fit, and nothing follows.
//!
//! # Bounds
//! One batch is in memory at a time, and no more of it than the input has.

use std::io::Read;

use crate::batch::{Batch, ChainHash};
use crate::file_parts::{BATCH, END, FileError, LINK, LinkPart, PartReader};
use crate::month::{MAGIC, MONTH_VERSION, MonthHeader, MonthTotals};

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MonthItem {
    /// The beginning of a link, with its offset in the file.
    Link(LinkPart, u64),
    /// The next batch of the link, with its chain hash.
    Batch(Batch, ChainHash),
    /// The end of the file.
    End(MonthTotals),
}

/// A reader of one file.
pub struct MonthReader<R> {
    parts: PartReader<R>,
    header: MonthHeader,
    totals: MonthTotals,
    /// `true` if a link has begun and no batch of it was read.
    is_new_link: bool,
}

impl<R: Read> MonthReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`FileError`] if the bytes are no file of this form.
    pub fn open(input: R) -> Result<Self, FileError> {
        let mut parts = PartReader::new(input, 0);
        if parts.array()? != MAGIC {
            return Err(parts.refuse("it does not begin as a file of an archived month"));
        }
        parts.begin();
        let version = u16::from_be_bytes(parts.array()?);
        if version != MONTH_VERSION {
            let what = format!("it has the form {version}, and this program reads {MONTH_VERSION}");
            return Err(parts.refuse(&what));
        }
        let header = MonthHeader {
            identity: parts.array()?,
            period: i32::from_be_bytes(parts.array()?),
        };
        Ok(Self {
            parts,
            header,
            totals: MonthTotals::default(),
            is_new_link: false,
        })
    }

    /// Creates a reader that goes on at a link, whose offset [`MonthItem::Link`] gave. It can't check the end.
    pub fn at_link(input: R, header: MonthHeader, offset: u64) -> Self {
        Self {
            parts: PartReader::new(input, offset),
            header,
            totals: MonthTotals::default(),
            is_new_link: false,
        }
    }

    /// Returns the header.
    pub const fn header(&self) -> &MonthHeader {
        &self.header
    }

    /// Reads the next part. Nothing is read behind the end.
    ///
    /// # Errors
    /// [`FileError`] for the first byte that is not as it was written.
    pub fn next_item(&mut self) -> Result<MonthItem, FileError> {
        self.parts.begin();
        match self.parts.array::<1>()? {
            [LINK] if !self.is_new_link => self.link(),
            [BATCH] => self.batch(),
            [END] if !self.is_new_link => self.end(),
            [other] => {
                let what = format!("no part of a file begins with {other} here");
                Err(self.parts.refuse(&what))
            }
        }
    }

    fn link(&mut self) -> Result<MonthItem, FileError> {
        let link = self.parts.link()?;
        self.is_new_link = true;
        self.totals.links += 1;
        Ok(MonthItem::Link(link, self.parts.begun()))
    }

    fn batch(&mut self) -> Result<MonthItem, FileError> {
        let (batch, hash) = self.parts.batch()?;
        if batch.period != self.header.period {
            let error = self.parts.refuse("a batch of another month");
            let batch = Some((batch.link, batch.number));
            return Err(FileError { batch, ..error });
        }
        self.is_new_link = false;
        self.totals.batches += 1;
        self.totals.events += batch.events.len() as u64;
        Ok(MonthItem::Batch(batch, hash))
    }

    fn end(&mut self) -> Result<MonthItem, FileError> {
        let parts = &mut self.parts;
        let links = u32::from_be_bytes(parts.array()?);
        let batches = u64::from_be_bytes(parts.array()?);
        let events = u64::from_be_bytes(parts.array()?);
        let read = (self.totals.links, self.totals.batches, self.totals.events);
        if (links, batches, events) != read {
            return Err(parts.refuse("it counts other links, batches or events than it has"));
        }
        self.totals.file_hash = parts.finish()?;
        self.totals.bytes = parts.offset;
        Ok(MonthItem::End(self.totals))
    }
}
