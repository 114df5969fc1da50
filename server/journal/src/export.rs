//! The file of an export: the house's chain and one link's journal, with the signed heads of both.
//!
//! # Shape
//! A header, the house's entries, the link, the state before its first batch here if that is not batch 1, the link's
//! batches, and an end with counts and SHA-256 over all bytes before. A signed head stands behind the entry or batch
//! that it is about. [`ExportWriter`] writes a file, [`ExportReader`](crate::export_reader::ExportReader) reads it.
//! `docs/JOURNAL.md` lists the fields.
//!
//! # Bounds
//! One part is in memory at a time.

use std::io::{self, Write};

use meterhouse_domain::ids::Timestamp;

use crate::batch::{Batch, ChainHash, HASH_BYTES};
use crate::codec::Canonical as _;
use crate::file_parts::{END, LinkPart, PartWriter};
use crate::house::HouseEntry;
use crate::month::IDENTITY_BYTES;
use crate::tree::TreeHash;
use crate::tree_head::SignedHead;

/// First bytes of every file. A transfer that changes line ends changes them.
pub const EXPORT_MAGIC: [u8; 8] = *b"MHXPRT\r\n";
/// Version of the form, behind the magic bytes.
pub const EXPORT_VERSION: u16 = 1;
/// First byte of an entry of the house's chain.
pub(crate) const HOUSE_ENTRY: u8 = 4;
/// First byte of a signed head.
pub(crate) const HEAD: u8 = 5;
/// First byte of the state before the first batch.
pub(crate) const START: u8 = 6;

/// The beginning of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportHeader {
    /// Identity of the database.
    pub identity: [u8; IDENTITY_BYTES],
    /// Server time of the export.
    pub at: Timestamp,
    /// End of the day that was exported; `None` for a file that ends with the link's newest batch.
    pub until: Option<Timestamp>,
    /// Name and version of the program that wrote the file.
    pub program: String,
}

/// The state before the first batch of a file that begins later than its link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportStart {
    /// State of the link, as the bytes of a snapshot.
    pub snapshot: Vec<u8>,
    /// Complete nodes of the tree over all earlier batches, from the largest to the smallest.
    pub peaks: Vec<TreeHash>,
}

/// The counts of a whole file, and its hash.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportTotals {
    /// Number of entries of the house's chain.
    pub house_entries: u64,
    /// Number of signed heads.
    pub heads: u64,
    /// Number of batches.
    pub batches: u64,
    /// Number of events.
    pub events: u64,
    /// Number of bytes of the file.
    pub bytes: u64,
    /// SHA-256 of the whole file, as `sha256sum` prints it.
    pub file_hash: [u8; HASH_BYTES],
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportItem {
    /// The next entry of the house's chain, with its hash.
    HouseEntry(HouseEntry, ChainHash),
    /// A signed head of the house's chain, or of the link behind its beginning.
    Head(SignedHead),
    /// The beginning of the link.
    Link(LinkPart),
    /// The state before the first batch.
    Start(ExportStart),
    /// The next batch of the link, with its chain hash.
    Batch(Batch, ChainHash),
    /// The end of the file.
    End(ExportTotals),
}

/// A writer of one file.
pub struct ExportWriter<W> {
    parts: PartWriter<W>,
    totals: ExportTotals,
}

impl<W: Write> ExportWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(out: W, header: &ExportHeader) -> io::Result<Self> {
        let mut parts = PartWriter::new(out);
        parts.part(|out| {
            out.fixed(&EXPORT_MAGIC);
            out.u16(EXPORT_VERSION);
            out.fixed(&header.identity);
            out.i64(header.at.0);
            header.until.map(|until| until.0).write(out);
            out.bytes(header.program.as_bytes());
        })?;
        Ok(Self {
            parts,
            totals: ExportTotals::default(),
        })
    }

    /// Adds the next entry of the house's chain.
    ///
    /// # Errors
    /// Those of the output.
    pub fn house_entry(&mut self, entry: &HouseEntry, hash: ChainHash) -> io::Result<()> {
        self.totals.house_entries += 1;
        self.parts.part(|out| {
            out.u8(HOUSE_ENTRY);
            out.u64(entry.number);
            out.i64(entry.at.0);
            out.u8(entry.kind);
            out.bytes(&entry.body);
            out.fixed(&hash.0);
        })
    }

    /// Adds a signed head behind the entry or batch that it is about.
    ///
    /// # Errors
    /// Those of the output.
    pub fn head(&mut self, signed: &SignedHead) -> io::Result<()> {
        self.totals.heads += 1;
        self.parts.part(|out| {
            out.u8(HEAD);
            out.bytes(&signed.head.bytes());
            out.fixed(&signed.key.0);
            out.fixed(&signed.signature);
        })
    }

    /// Begins the link.
    ///
    /// # Errors
    /// Those of the output.
    pub fn link(&mut self, link: &LinkPart) -> io::Result<()> {
        self.parts.link(link)
    }

    /// Adds the state before the first batch.
    ///
    /// # Errors
    /// Those of the output.
    pub fn start(&mut self, start: &ExportStart) -> io::Result<()> {
        self.parts.part(|out| {
            out.u8(START);
            out.bytes(&start.snapshot);
            out.length(start.peaks.len());
            for node in &start.peaks {
                out.fixed(&node.0);
            }
        })
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
    pub fn finish(mut self) -> io::Result<(W, ExportTotals)> {
        let mut totals = self.totals;
        self.parts.part(|out| {
            out.u8(END);
            out.u64(totals.house_entries);
            out.u64(totals.heads);
            out.u64(totals.batches);
            out.u64(totals.events);
        })?;
        let out;
        (out, totals.bytes, totals.file_hash) = self.parts.finish()?;
        Ok((out, totals))
    }
}
