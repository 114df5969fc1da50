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

use meterhouse_domain::ids::LinkId;
use sha2::{Digest, Sha256};

use crate::batch::{Batch, ChainHash, HASH_BYTES};
use crate::chain::canonical_bytes;
use crate::codec::Writer;

/// First bytes of every file. A transfer that changes line ends changes them.
pub const MAGIC: [u8; 8] = *b"MHARCH\r\n";
/// Version of the form, behind the magic bytes.
pub const MONTH_VERSION: u16 = 1;
/// Bytes of a database's identity, a UUID.
pub const IDENTITY_BYTES: usize = 16;

/// First byte of a link.
pub(crate) const LINK: u8 = 1;
/// First byte of a batch.
pub(crate) const BATCH: u8 = 2;
/// First byte of the end.
pub(crate) const END: u8 = 3;

/// The beginning of a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MonthHeader {
    /// Identity of the database.
    pub identity: [u8; IDENTITY_BYTES],
    /// Month: 12 × year + (month - 1).
    pub period: i32,
}

/// The beginning of a link's batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthLink {
    /// Number of the link.
    pub link: LinkId,
    /// Name of the link.
    pub name: String,
    /// Number of the batch before the first one here; 0 for a link that was opened in the month.
    pub before: u64,
    /// Chain hash of that batch.
    pub hash_before: ChainHash,
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
    out: W,
    hasher: Sha256,
    totals: MonthTotals,
    buffer: Vec<u8>,
}

impl<W: Write> MonthWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(out: W, header: &MonthHeader) -> io::Result<Self> {
        let mut month = Self {
            out,
            hasher: Sha256::new(),
            totals: MonthTotals::default(),
            buffer: Vec::new(),
        };
        let mut out = Writer::new(&mut month.buffer);
        out.fixed(&MAGIC);
        out.u16(MONTH_VERSION);
        out.fixed(&header.identity);
        out.i32(header.period);
        month.flush()?;
        Ok(month)
    }

    /// Begins a link.
    ///
    /// # Errors
    /// Those of the output.
    pub fn link(&mut self, link: &MonthLink) -> io::Result<()> {
        let mut out = Writer::new(&mut self.buffer);
        out.u8(LINK);
        out.i32(link.link.0);
        out.bytes(link.name.as_bytes());
        out.u64(link.before);
        out.fixed(&link.hash_before.0);
        self.totals.links += 1;
        self.flush()
    }

    /// Adds the next batch of the link.
    ///
    /// # Errors
    /// Those of the output, and for a batch of 4 GiB or more.
    pub fn batch(&mut self, batch: &Batch, chain_hash: ChainHash) -> io::Result<()> {
        Writer::new(&mut self.buffer).u8(BATCH);
        let begin = self.buffer.len();
        Writer::new(&mut self.buffer).u32(0);
        let content = self.buffer.len();
        canonical_bytes(batch, &mut self.buffer);
        let length = u32::try_from(self.buffer.len() - content)
            .map_err(|_| io::Error::other("a batch has more bytes than a file can hold"))?;
        self.buffer[begin..content].copy_from_slice(&length.to_be_bytes());
        Writer::new(&mut self.buffer).fixed(&chain_hash.0);
        self.totals.batches += 1;
        self.totals.events += batch.events.len() as u64;
        self.flush()
    }

    /// Writes the end. Returns the output and the counts.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<(W, MonthTotals)> {
        let mut out = Writer::new(&mut self.buffer);
        out.u8(END);
        out.u32(self.totals.links);
        out.u64(self.totals.batches);
        out.u64(self.totals.events);
        self.flush()?;
        let hash: [u8; HASH_BYTES] = self.hasher.clone().finalize().into();
        self.buffer.extend_from_slice(&hash);
        self.flush()?;
        self.out.flush()?;
        self.totals.file_hash = self.hasher.finalize().into();
        Ok((self.out, self.totals))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.hasher.update(&self.buffer);
        self.totals.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}
