//! The file of an archived month: the canonical bytes of its batches, link by link, each with its chain hash.
//!
//! # Shape
//! A header, then each link with its batches in their order, then an end with counts and SHA-256 over all bytes before.
//! [`MonthWriter`] writes a file, [`MonthReader`](crate::month_reader::MonthReader) reads it and accepts no other bytes.
//! `docs/JOURNAL.md` lists the fields.
//!
//! # Bounds
//! One batch is in memory at a time.

use std::io::{self, Write};

use crate::batch::{Batch, ChainHash, HASH_BYTES};
use crate::file_parts::{END, LinkPart, PartWriter};

/// First bytes of every file. A transfer that changes line ends changes them.
pub const MAGIC: [u8; 8] = *b"MHARCH\r\n";
/// Version of the form, behind the magic bytes.
pub const MONTH_VERSION: u16 = 1;
/// Bytes of a database's identity, a UUID.
pub const IDENTITY_BYTES: usize = 16;

/// The beginning of a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MonthHeader {
    /// Identity of the database.
    pub identity: [u8; IDENTITY_BYTES],
    /// Month: 12 × year + (month - 1).
    pub period: i32,
}

/// The counts of a whole file, and its hash.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MonthTotals {
    /// Number of links.
    pub links: u32,
    /// Number of batches.
    pub batches: u64,
    /// Number of events.
    pub events: u64,
    /// Number of bytes of the file.
    pub bytes: u64,
    /// SHA-256 of the whole file, as `sha256sum` prints it.
    pub file_hash: [u8; HASH_BYTES],
}

/// A writer of one file.
pub struct MonthWriter<W> {
    parts: PartWriter<W>,
    totals: MonthTotals,
}

impl<W: Write> MonthWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(out: W, header: &MonthHeader) -> io::Result<Self> {
        let mut parts = PartWriter::new(out);
        parts.part(|out| {
            out.fixed(&MAGIC);
            out.u16(MONTH_VERSION);
            out.fixed(&header.identity);
            out.i32(header.period);
        })?;
        Ok(Self {
            parts,
            totals: MonthTotals::default(),
        })
    }

    /// Begins a link.
    ///
    /// # Errors
    /// Those of the output.
    pub fn link(&mut self, link: &LinkPart) -> io::Result<()> {
        self.totals.links += 1;
        self.parts.link(link)
    }

    /// Adds the next batch of the link.
    ///
    /// # Errors
    /// Those of the output, and for a batch of 4 GiB or more.
    pub fn batch(&mut self, batch: &Batch, chain_hash: ChainHash) -> io::Result<()> {
        self.totals.batches += 1;
        self.totals.events += batch.events.len() as u64;
        self.parts.batch(batch, chain_hash)
    }

    /// Writes the end. Returns the output and the counts.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<(W, MonthTotals)> {
        let mut totals = self.totals;
        self.parts.part(|out| {
            out.u8(END);
            out.u32(totals.links);
            out.u64(totals.batches);
            out.u64(totals.events);
        })?;
        let out;
        (out, totals.bytes, totals.file_hash) = self.parts.finish()?;
        Ok((out, totals))
    }
}
