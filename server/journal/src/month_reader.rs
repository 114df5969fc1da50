//! The reader of an archived month's file. It accepts the bytes that [`MonthWriter`](crate::month::MonthWriter) writes,
//! and no others.
//!
//! # Order
//! Links in the order of their numbers, batches without a gap, each with the chain hash of its bytes. The end's counts
//! and SHA-256 fit, and nothing follows.
//!
//! # Bounds
//! One batch is in memory at a time, and no more of it than the input has.

use std::io::{self, Read};

use meterhouse_domain::ids::LinkId;
use sha2::{Digest, Sha256};

use crate::batch::{Batch, ChainHash, HASH_BYTES};
use crate::chain::{chain_hash, read_batch};
use crate::month::{
    BATCH, END, IDENTITY_BYTES, LINK, MAGIC, MONTH_VERSION, MonthHeader, MonthLink, MonthTotals,
};

/// Maximum number of bytes of a link's name.
const NAME_BYTES_MAX: u32 = 1_024;

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MonthItem {
    /// The beginning of a link, with its offset in the file.
    Link(MonthLink, u64),
    /// The next batch of the link, with its chain hash.
    Batch(Batch, ChainHash),
    /// The end of the file.
    End(MonthTotals),
}

/// The first defect of a file.
#[derive(Debug, thiserror::Error)]
#[error("{}at byte {offset}: {what}", place(*.batch))]
pub struct MonthError {
    /// Offset of the refused part, in bytes from the beginning.
    pub offset: u64,
    /// Link and number of the batch that was expected there.
    pub batch: Option<(LinkId, u64)>,
    /// Description of the defect.
    pub what: String,
}

fn place(batch: Option<(LinkId, u64)>) -> String {
    batch.map_or_else(String::new, |(link, number)| {
        format!("link {link}, batch {number}, ")
    })
}

/// A reader of one file.
pub struct MonthReader<R> {
    input: R,
    header: MonthHeader,
    hasher: Sha256,
    offset: u64,
    /// Offset of the part that is being read.
    begin: u64,
    totals: MonthTotals,
    /// Link, number and chain hash of the last batch.
    last: Option<(LinkId, u64, ChainHash)>,
    /// `true` if a link has begun and no batch of it was read.
    is_new_link: bool,
}

impl<R: Read> MonthReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`MonthError`] if the bytes are no file of this form.
    pub fn open(input: R) -> Result<Self, MonthError> {
        let identity = [0; IDENTITY_BYTES];
        let mut reader = Self::at_link(
            input,
            MonthHeader {
                identity,
                period: 0,
            },
            0,
        );
        if reader.array()? != MAGIC {
            return Err(reader.refuse("it does not begin as a file of an archived month"));
        }
        reader.begin = reader.offset;
        let version = u16::from_be_bytes(reader.array()?);
        if version != MONTH_VERSION {
            let what = format!("it has the form {version}, and this program reads {MONTH_VERSION}");
            return Err(reader.refuse(&what));
        }
        reader.header.identity = reader.array()?;
        reader.header.period = i32::from_be_bytes(reader.array()?);
        Ok(reader)
    }

    /// Creates a reader that goes on at a link, whose offset [`MonthItem::Link`] gave. It can't check the end.
    pub fn at_link(input: R, header: MonthHeader, offset: u64) -> Self {
        Self {
            input,
            header,
            hasher: Sha256::new(),
            offset,
            begin: offset,
            totals: MonthTotals::default(),
            last: None,
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
    /// [`MonthError`] for the first byte that is not as it was written.
    pub fn next_item(&mut self) -> Result<MonthItem, MonthError> {
        self.begin = self.offset;
        match self.array::<1>()? {
            [LINK] if !self.is_new_link => self.link(),
            [BATCH] => self.batch(),
            [END] if !self.is_new_link => self.end(),
            [other] => Err(self.refuse(&format!("no part of a file begins with {other} here"))),
        }
    }

    fn link(&mut self) -> Result<MonthItem, MonthError> {
        let link = LinkId(i32::from_be_bytes(self.array()?));
        if self.last.is_some_and(|(last, _, _)| link.0 <= last.0) {
            return Err(self.refuse("the links are not in the order of their numbers"));
        }
        let length = u32::from_be_bytes(self.array()?);
        if length > NAME_BYTES_MAX {
            return Err(self.refuse("the name of a link is too long"));
        }
        let name = String::from_utf8(self.bytes(length)?);
        let name = name.map_err(|_| self.refuse("the name of a link is not UTF-8"))?;
        let before = u64::from_be_bytes(self.array()?);
        let hash_before = ChainHash(self.array()?);
        if (before == 0) != (hash_before == ChainHash::GENESIS) {
            return Err(self.refuse("the hash before a link's first batch is 32 zero bytes"));
        }
        self.last = Some((link, before, hash_before));
        self.is_new_link = true;
        self.totals.links += 1;
        let found = MonthLink {
            link,
            name,
            before,
            hash_before,
        };
        Ok(MonthItem::Link(found, self.begin))
    }

    fn batch(&mut self) -> Result<MonthItem, MonthError> {
        let Some((link, before, previous)) = self.last else {
            return Err(self.refuse("a batch belongs to no link"));
        };
        let length = u32::from_be_bytes(self.array()?);
        let bytes = self.bytes(length)?;
        let batch = read_batch(&bytes).map_err(|error| self.refuse(&error.to_string()))?;
        let hash = ChainHash(self.array()?);
        if batch.link != link || batch.number != before + 1 || batch.period != self.header.period {
            return Err(self.refuse("another link, number or month than its place"));
        }
        if chain_hash(previous, &batch) != hash {
            return Err(self.refuse("its content or its predecessor differs from its hash"));
        }
        self.last = Some((link, batch.number, hash));
        self.is_new_link = false;
        self.totals.batches += 1;
        self.totals.events += batch.events.len() as u64;
        Ok(MonthItem::Batch(batch, hash))
    }

    fn end(&mut self) -> Result<MonthItem, MonthError> {
        let links = u32::from_be_bytes(self.array()?);
        let batches = u64::from_be_bytes(self.array()?);
        let events = u64::from_be_bytes(self.array()?);
        let MonthTotals {
            links: read,
            batches: read_batches,
            events: read_events,
            ..
        } = self.totals;
        if (links, batches, events) != (read, read_batches, read_events) {
            return Err(self.refuse("it counts other links, batches or events than it has"));
        }
        let hash: [u8; HASH_BYTES] = self.hasher.clone().finalize().into();
        if self.array()? != hash {
            return Err(self.refuse("its SHA-256 differs from its bytes"));
        }
        self.begin = self.offset;
        let mut more = Vec::new();
        let read = self.input.by_ref().take(1).read_to_end(&mut more);
        match read {
            Ok(0) => {}
            Ok(_) => return Err(self.refuse("bytes follow its end")),
            Err(error) => return Err(self.unreadable(&error)),
        }
        self.totals.bytes = self.offset;
        self.totals.file_hash = self.hasher.clone().finalize().into();
        Ok(MonthItem::End(self.totals))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], MonthError> {
        let mut bytes = [0; N];
        let read = self.input.read_exact(&mut bytes);
        read.map_err(|error| self.unreadable(&error))?;
        self.hasher.update(bytes);
        self.offset += N as u64;
        Ok(bytes)
    }

    /// Reads bytes of an untrusted length. The buffer grows with what the input has.
    fn bytes(&mut self, length: u32) -> Result<Vec<u8>, MonthError> {
        let mut bytes = Vec::new();
        let mut input = self.input.by_ref().take(u64::from(length));
        let read = input.read_to_end(&mut bytes);
        let read = read.map_err(|error| self.unreadable(&error))?;
        if read as u64 != u64::from(length) {
            return Err(self.refuse("the file ends inside this part"));
        }
        self.hasher.update(&bytes);
        self.offset += u64::from(length);
        Ok(bytes)
    }

    fn unreadable(&self, error: &io::Error) -> MonthError {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return self.refuse("the file ends inside this part");
        }
        self.refuse(&format!("it can't be read: {error}"))
    }

    fn refuse(&self, what: &str) -> MonthError {
        MonthError {
            offset: self.begin,
            batch: self.last.map(|(link, number, _)| (link, number + 1)),
            what: what.to_owned(),
        }
    }
}
