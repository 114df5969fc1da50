//! The reader of an export's file. It accepts the bytes that [`ExportWriter`](crate::export::ExportWriter) writes, and no
//! others.
//!
//! # Order
//! The house's entries without a gap, each with the hash of its bytes; then one link, its state if it has to have one,
//! and its batches without a gap, each with the chain hash of its bytes. The end's counts and SHA-256 fit, and nothing
//! follows. What a signed head states is not checked here.
//!
//! # Bounds
//! One part is in memory at a time, and no more of it than the input has.

use std::io::Read;

use meterhouse_domain::ids::Timestamp;

use crate::batch::ChainHash;
use crate::export::{
    EXPORT_MAGIC, EXPORT_VERSION, ExportHeader, ExportItem, ExportStart, ExportTotals, HEAD,
    HOUSE_ENTRY, START,
};
use crate::file_parts::{BATCH, END, FileError, LINK, PartReader};
use crate::house::HouseEntry;
use crate::tree::{PATH_MAX, TreeHash};
use crate::tree_head::{PublicKey, SignedHead, TreeHead};

/// Maximum number of bytes of the program's name.
const PROGRAM_BYTES_MAX: u32 = 1_024;

/// The part of a file that comes next.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Stage {
    /// Entries of the house, and then the link.
    House,
    /// The state before the first batch.
    Start,
    /// Batches, and then the end.
    Batches,
}

/// A reader of one file.
pub struct ExportReader<R> {
    parts: PartReader<R>,
    header: ExportHeader,
    totals: ExportTotals,
    stage: Stage,
    /// Hash of the last entry of the house's chain.
    house: ChainHash,
}

impl<R: Read> ExportReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`FileError`] if the bytes are no file of this form.
    pub fn open(input: R) -> Result<Self, FileError> {
        let mut parts = PartReader::new(input, 0);
        if parts.array()? != EXPORT_MAGIC {
            return Err(parts.refuse("it does not begin as the file of an export"));
        }
        parts.begin();
        let version = u16::from_be_bytes(parts.array()?);
        if version != EXPORT_VERSION {
            let what =
                format!("it has the form {version}, and this program reads {EXPORT_VERSION}");
            return Err(parts.refuse(&what));
        }
        let header = ExportHeader {
            identity: parts.array()?,
            at: Timestamp(i64::from_be_bytes(parts.array()?)),
            until: match parts.array()? {
                [0] => None,
                [1] => Some(Timestamp(i64::from_be_bytes(parts.array()?))),
                [_] => return Err(parts.refuse("the end of its day is neither there nor not")),
            },
            program: parts.text(PROGRAM_BYTES_MAX, "the name of the program")?,
        };
        Ok(Self {
            parts,
            header,
            totals: ExportTotals::default(),
            stage: Stage::House,
            house: ChainHash::GENESIS,
        })
    }

    /// Returns the header.
    pub const fn header(&self) -> &ExportHeader {
        &self.header
    }

    /// Reads the next part. Nothing is read behind the end.
    ///
    /// # Errors
    /// [`FileError`] for the first byte that is not as it was written.
    pub fn next_item(&mut self) -> Result<ExportItem, FileError> {
        self.parts.begin();
        match (self.parts.array::<1>()?, self.stage) {
            ([HOUSE_ENTRY], Stage::House) => self.house_entry(),
            ([HEAD], Stage::House | Stage::Batches) => self.head(),
            ([LINK], Stage::House) => self.link(),
            ([START], Stage::Start) => self.start(),
            ([BATCH], Stage::Batches) => self.batch(),
            ([END], Stage::Batches) => self.end(),
            ([other], _) => {
                let what = format!("no part of a file begins with {other} here");
                Err(self.parts.refuse(&what))
            }
        }
    }

    fn house_entry(&mut self) -> Result<ExportItem, FileError> {
        let parts = &mut self.parts;
        let entry = HouseEntry {
            number: u64::from_be_bytes(parts.array()?),
            at: Timestamp(i64::from_be_bytes(parts.array()?)),
            kind: u8::from_be_bytes(parts.array()?),
            body: parts.length_and_bytes()?,
        };
        let hash = ChainHash(parts.array()?);
        let number = self.totals.house_entries + 1;
        if entry.number != number || entry.hash(self.house) != hash {
            let what = format!(
                "entry {number} of the house's chain: its content or its predecessor differs from its hash"
            );
            return Err(parts.refuse(&what));
        }
        self.house = hash;
        self.totals.house_entries = number;
        Ok(ExportItem::HouseEntry(entry, hash))
    }

    fn head(&mut self) -> Result<ExportItem, FileError> {
        let bytes = self.parts.length_and_bytes()?;
        let head = TreeHead::from_bytes(&bytes);
        let head = head.map_err(|error| self.parts.refuse(&error.to_string()))?;
        let signed = SignedHead {
            head,
            key: PublicKey(self.parts.array()?),
            signature: self.parts.array()?,
        };
        self.totals.heads += 1;
        Ok(ExportItem::Head(signed))
    }

    fn link(&mut self) -> Result<ExportItem, FileError> {
        let link = self.parts.link()?;
        self.stage = if link.before == 0 {
            Stage::Batches
        } else {
            Stage::Start
        };
        Ok(ExportItem::Link(link))
    }

    fn start(&mut self) -> Result<ExportItem, FileError> {
        let snapshot = self.parts.length_and_bytes()?;
        let count = u32::from_be_bytes(self.parts.array()?);
        if usize::try_from(count).is_ok_and(|count| count > PATH_MAX) {
            return Err(self.parts.refuse("its tree has too many nodes"));
        }
        let mut peaks = Vec::new();
        for _ in 0..count {
            peaks.push(TreeHash(self.parts.array()?));
        }
        self.stage = Stage::Batches;
        Ok(ExportItem::Start(ExportStart { snapshot, peaks }))
    }

    fn batch(&mut self) -> Result<ExportItem, FileError> {
        let (batch, hash) = self.parts.batch()?;
        self.totals.batches += 1;
        self.totals.events += batch.events.len() as u64;
        Ok(ExportItem::Batch(batch, hash))
    }

    fn end(&mut self) -> Result<ExportItem, FileError> {
        let parts = &mut self.parts;
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = u64::from_be_bytes(parts.array()?);
        }
        let read = &self.totals;
        if counts != [read.house_entries, read.heads, read.batches, read.events] {
            return Err(
                parts.refuse("it counts other entries, heads, batches or events than it has")
            );
        }
        self.totals.file_hash = parts.finish()?;
        self.totals.bytes = parts.offset;
        Ok(ExportItem::End(self.totals))
    }
}
