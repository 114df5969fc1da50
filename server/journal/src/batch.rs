//! Batches: what one commit writes, as the columns of the database hold it.

use meterhouse_domain::ids::{LinkId, Timestamp};

/// Numbers that an event row keeps in columns of their own, so that reports can sum them.
pub const NUMBERS: usize = 4;
/// Bytes of a chain hash (SHA-256).
pub const HASH_BYTES: usize = 32;

/// SHA-256 over the predecessor's hash and a batch's canonical bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct ChainHash(pub [u8; HASH_BYTES]);

impl ChainHash {
    /// What the first batch of every link follows.
    pub const GENESIS: Self = Self([0; HASH_BYTES]);
}

impl core::fmt::Display for ChainHash {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl core::fmt::Debug for ChainHash {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, out)
    }
}

/// The events of one commit of one link, with what they did to the balances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The link.
    pub link: LinkId,
    /// Its number on the link, from 1 without gaps.
    pub number: u64,
    /// The server's time, one for all events.
    pub at: Timestamp,
    /// Which process committed it, for people.
    pub node: String,
    /// The fence against lost statements that it was committed under.
    pub epoch: i64,
    /// The version of the rules that decided it.
    pub rule_version: u16,
    /// The month of the partition: 12 × year + (month - 1), never smaller than the predecessor's.
    pub period: i32,
    /// Its events; the one at index p has position p.
    pub events: Vec<EventRow>,
    /// What it added to each account of each book: book b, account a stands at 8 × b + a.
    pub deltas: Vec<i64>,
    /// The balances after it, in the same order.
    pub after: Vec<i64>,
}

/// One event as the columns of the database hold it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EventRow {
    /// The table whose command caused it.
    pub table: Option<u32>,
    /// That command's number.
    pub sequence: Option<u64>,
    /// Whose token it was.
    pub actor: i32,
    /// What happened; below 16 a table's routine.
    pub kind: u8,
    /// The code of a refusal.
    pub refusal: Option<u8>,
    /// A set of seats, bit n - 1 for seat n.
    pub own_seats: Option<u16>,
    /// Another one.
    pub dealer_seats: Option<u16>,
    /// Numbers that reports can sum; what they mean depends on the kind.
    pub numbers: [Option<i64>; NUMBERS],
    /// The canonical bytes of everything else.
    pub record: Option<Vec<u8>>,
}
