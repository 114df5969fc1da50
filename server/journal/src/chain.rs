//! The hash chain: a batch as bytes, every column covered, and SHA-256 over them.
//!
//! # Shape
//! A head (the batch's own columns), then the events in their order. `docs/JOURNAL.md` lists the fields.
//!
//! # Bounds
//! [`chain_hash`] holds at most one row and `HASHED_AT_ONCE` bytes of the form at a time.
//!
//! # Order
//! Each hash covers its predecessor's, so a journal's last hash covers the whole journal.

use meterhouse_domain::ids::{LinkId, Timestamp};
use sha2::{Digest, Sha256};

use crate::batch::{Batch, ChainHash, EventRow};
use crate::codec::{Canonical, DecodeError, Problem, Reader, Writer};

/// Version byte at the beginning of a batch's bytes.
pub const CHAIN_VERSION: u8 = 1;
/// Bytes gathered before they are hashed: few enough to stay in the cache.
const HASHED_AT_ONCE: usize = 8_192;
/// Space for one more row, so that the buffer is not reallocated.
const ROW_ROOM: usize = 1_024;

/// Appends a batch's canonical bytes.
pub fn canonical_bytes(batch: &Batch, out: &mut Vec<u8>) {
    head(batch, out);
    batch.events.iter().for_each(|event| row(event, out));
}

/// Returns SHA-256 over the predecessor's hash and the batch's canonical bytes.
pub fn chain_hash(previous: ChainHash, batch: &Batch) -> ChainHash {
    let mut bytes = Vec::with_capacity(HASHED_AT_ONCE + ROW_ROOM);
    let mut hasher = Sha256::new_with_prefix(previous.0);
    head(batch, &mut bytes);
    for event in &batch.events {
        row(event, &mut bytes);
        if bytes.len() >= HASHED_AT_ONCE {
            hasher.update(&bytes);
            bytes.clear();
        }
    }
    hasher.update(&bytes);
    ChainHash(hasher.finalize().into())
}

fn head(batch: &Batch, bytes: &mut Vec<u8>) {
    let Batch {
        link,
        number,
        at,
        node,
        epoch,
        rule_version,
        period,
        events,
        deltas,
        after,
    } = batch;
    let mut out = Writer::new(bytes);
    out.u8(CHAIN_VERSION);
    out.i32(link.0);
    out.u64(*number);
    out.i64(at.0);
    out.bytes(node.as_bytes());
    out.i64(*epoch);
    out.u16(*rule_version);
    out.i32(*period);
    out.list(deltas);
    out.list(after);
    out.length(events.len());
}

fn row(event: &EventRow, bytes: &mut Vec<u8>) {
    let EventRow {
        table,
        sequence,
        actor,
        kind,
        refusal,
        own_seats,
        dealer_seats,
        numbers,
        record,
    } = event;
    let mut out = Writer::new(bytes);
    table.write(&mut out);
    sequence.write(&mut out);
    out.i32(*actor);
    out.u8(*kind);
    refusal.write(&mut out);
    own_seats.write(&mut out);
    dealer_seats.write(&mut out);
    for number in numbers {
        number.write(&mut out);
    }
    out.optional_bytes(record.as_deref());
}

/// Returns the batch with these canonical bytes.
///
/// # Errors
/// [`DecodeError`] if the bytes are not the canonical form of a batch.
pub fn read_batch(bytes: &[u8]) -> Result<Batch, DecodeError> {
    let mut input = Reader::new(bytes);
    let version = input.u8()?;
    if version != CHAIN_VERSION {
        let what = "version of a batch";
        let code = version;
        return Err(Reader::refuse(0, Problem::UnknownCode { what, code }));
    }
    let mut batch = Batch {
        link: LinkId(i32::read(&mut input)?),
        number: u64::read(&mut input)?,
        at: Timestamp(i64::read(&mut input)?),
        node: input.present(Reader::optional_text)?.to_owned(),
        epoch: i64::read(&mut input)?,
        rule_version: u16::read(&mut input)?,
        period: i32::read(&mut input)?,
        deltas: input.present(Reader::optional_list)?,
        after: input.present(Reader::optional_list)?,
        events: Vec::new(),
    };
    // The count is untrusted: the list grows as its events are read.
    for _ in 0..input.u32()? {
        batch.events.push(read_row(&mut input)?);
    }
    input.finish()?;
    Ok(batch)
}

fn read_row(input: &mut Reader<'_>) -> Result<EventRow, DecodeError> {
    Ok(EventRow {
        table: Canonical::read(input)?,
        sequence: Canonical::read(input)?,
        actor: Canonical::read(input)?,
        kind: input.u8()?,
        refusal: Canonical::read(input)?,
        own_seats: Canonical::read(input)?,
        dealer_seats: Canonical::read(input)?,
        numbers: [
            Canonical::read(input)?,
            Canonical::read(input)?,
            Canonical::read(input)?,
            Canonical::read(input)?,
        ],
        record: input.optional_bytes()?.map(<[u8]>::to_vec),
    })
}
