//! The parts that the journal's files share: links, batches with their chain hashes, and an end with SHA-256.
//!
//! # Bounds
//! One part is in memory at a time, and no more of it than the input has.

use std::io::{self, Read, Write};

use meterhouse_domain::ids::LinkId;
use sha2::{Digest as _, Sha256};

use crate::batch::{Batch, ChainHash, HASH_BYTES};
use crate::chain::{canonical_bytes, chain_hash, read_batch};
use crate::codec::Writer;

/// First byte of a link.
pub(crate) const LINK: u8 = 1;
/// First byte of a batch.
pub(crate) const BATCH: u8 = 2;
/// First byte of the end.
pub(crate) const END: u8 = 3;
/// Maximum number of bytes of a link's name.
const NAME_BYTES_MAX: u32 = 1_024;

/// The beginning of a link's batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPart {
    /// Number of the link.
    pub link: LinkId,
    /// Name of the link.
    pub name: String,
    /// Number of the batch before the first one here; 0 if the file has the link's first batch.
    pub before: u64,
    /// Chain hash of that batch.
    pub hash_before: ChainHash,
}

/// The first defect of a file.
#[derive(Debug, thiserror::Error)]
#[error("{}at byte {offset}: {what}", place(*.batch))]
pub struct FileError {
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

/// A writer of parts, which hashes what it writes.
pub(crate) struct PartWriter<W> {
    out: W,
    hasher: Sha256,
    /// Number of bytes written.
    pub(crate) bytes: u64,
    buffer: Vec<u8>,
}

impl<W: Write> PartWriter<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            hasher: Sha256::new(),
            bytes: 0,
            buffer: Vec::new(),
        }
    }

    /// Writes what `fill` writes.
    pub(crate) fn part(&mut self, fill: impl FnOnce(&mut Writer<'_>)) -> io::Result<()> {
        fill(&mut Writer::new(&mut self.buffer));
        self.flush()
    }

    pub(crate) fn link(&mut self, link: &LinkPart) -> io::Result<()> {
        self.part(|out| {
            out.u8(LINK);
            out.i32(link.link.0);
            out.bytes(link.name.as_bytes());
            out.u64(link.before);
            out.fixed(&link.hash_before.0);
        })
    }

    pub(crate) fn batch(&mut self, batch: &Batch, chain_hash: ChainHash) -> io::Result<()> {
        Writer::new(&mut self.buffer).u8(BATCH);
        let begin = self.buffer.len();
        Writer::new(&mut self.buffer).u32(0);
        let content = self.buffer.len();
        canonical_bytes(batch, &mut self.buffer);
        let length = u32::try_from(self.buffer.len() - content)
            .map_err(|_| io::Error::other("a batch has more bytes than a file can hold"))?;
        self.buffer[begin..content].copy_from_slice(&length.to_be_bytes());
        Writer::new(&mut self.buffer).fixed(&chain_hash.0);
        self.flush()
    }

    /// Writes SHA-256 over all bytes before. Returns the output and the hash of the whole file.
    pub(crate) fn finish(mut self) -> io::Result<(W, u64, [u8; HASH_BYTES])> {
        let hash: [u8; HASH_BYTES] = self.hasher.clone().finalize().into();
        self.part(|out| out.fixed(&hash))?;
        self.out.flush()?;
        Ok((self.out, self.bytes, self.hasher.finalize().into()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.hasher.update(&self.buffer);
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// A reader of parts, which hashes what it reads.
pub(crate) struct PartReader<R> {
    input: R,
    hasher: Sha256,
    /// Number of bytes read, with those before the input.
    pub(crate) offset: u64,
    /// Offset of the part that is being read.
    begin: u64,
    /// Link, number and chain hash of the last batch.
    last: Option<(LinkId, u64, ChainHash)>,
}

impl<R: Read> PartReader<R> {
    pub(crate) fn new(input: R, offset: u64) -> Self {
        Self {
            input,
            hasher: Sha256::new(),
            offset,
            begin: offset,
            last: None,
        }
    }

    /// Begins the next part.
    pub(crate) fn begin(&mut self) {
        self.begin = self.offset;
    }

    /// Returns the offset of the part that is being read.
    pub(crate) const fn begun(&self) -> u64 {
        self.begin
    }

    /// Reads a link behind its first byte.
    pub(crate) fn link(&mut self) -> Result<LinkPart, FileError> {
        let link = LinkId(i32::from_be_bytes(self.array()?));
        if self.last.is_some_and(|(last, _, _)| link.0 <= last.0) {
            return Err(self.refuse("the links are not in the order of their numbers"));
        }
        let name = self.text(NAME_BYTES_MAX, "the name of a link")?;
        let before = u64::from_be_bytes(self.array()?);
        let hash_before = ChainHash(self.array()?);
        if (before == 0) != (hash_before == ChainHash::GENESIS) {
            return Err(self.refuse("the hash before a link's first batch is 32 zero bytes"));
        }
        self.last = Some((link, before, hash_before));
        Ok(LinkPart {
            link,
            name,
            before,
            hash_before,
        })
    }

    /// Reads a batch behind its first byte, and checks its number and its hash.
    pub(crate) fn batch(&mut self) -> Result<(Batch, ChainHash), FileError> {
        let Some((link, before, previous)) = self.last else {
            return Err(self.refuse("a batch belongs to no link"));
        };
        let bytes = self.length_and_bytes()?;
        let batch = read_batch(&bytes).map_err(|error| self.refuse(&error.to_string()))?;
        let hash = ChainHash(self.array()?);
        if batch.link != link || batch.number != before + 1 {
            return Err(self.refuse("another link or number than its place"));
        }
        if chain_hash(previous, &batch) != hash {
            return Err(self.refuse("its content or its predecessor differs from its hash"));
        }
        self.last = Some((link, batch.number, hash));
        Ok((batch, hash))
    }

    /// Reads SHA-256 over all bytes before, and checks that nothing follows. Returns the hash of the whole file.
    pub(crate) fn finish(&mut self) -> Result<[u8; HASH_BYTES], FileError> {
        let hash: [u8; HASH_BYTES] = self.hasher.clone().finalize().into();
        if self.array()? != hash {
            return Err(self.refuse("its SHA-256 differs from its bytes"));
        }
        self.begin();
        let mut more = Vec::new();
        let read = self.input.by_ref().take(1).read_to_end(&mut more);
        match read {
            Ok(0) => Ok(self.hasher.clone().finalize().into()),
            Ok(_) => Err(self.refuse("bytes follow its end")),
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut bytes = [0; N];
        let read = self.input.read_exact(&mut bytes);
        read.map_err(|error| self.unreadable(&error))?;
        self.hasher.update(bytes);
        self.offset += N as u64;
        Ok(bytes)
    }

    /// Reads a text of a limited length.
    pub(crate) fn text(&mut self, length_max: u32, what: &str) -> Result<String, FileError> {
        let length = u32::from_be_bytes(self.array()?);
        if length > length_max {
            return Err(self.refuse(&format!("{what} is too long")));
        }
        let text = String::from_utf8(self.bytes(length)?);
        text.map_err(|_| self.refuse(&format!("{what} is not UTF-8")))
    }

    /// Reads a length and as many bytes. The buffer grows with what the input has.
    pub(crate) fn length_and_bytes(&mut self) -> Result<Vec<u8>, FileError> {
        let length = u32::from_be_bytes(self.array()?);
        self.bytes(length)
    }

    fn bytes(&mut self, length: u32) -> Result<Vec<u8>, FileError> {
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

    fn unreadable(&self, error: &io::Error) -> FileError {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return self.refuse("the file ends inside this part");
        }
        self.refuse(&format!("it can't be read: {error}"))
    }

    pub(crate) fn refuse(&self, what: &str) -> FileError {
        FileError {
            offset: self.begin,
            batch: self.last.map(|(link, number, _)| (link, number + 1)),
            what: what.to_owned(),
        }
    }
}
