//! A batch: everything that one commit writes, as the columns of the database hold it.

use meterhouse_domain::ids::{LinkId, Timestamp};

/// Number of integers that an event row keeps in columns of their own, so that reports can sum them.
pub const NUMBERS: usize = 4;
/// Bytes of a chain hash (SHA-256).
pub const HASH_BYTES: usize = 32;

/// SHA-256 over the predecessor's hash and a batch's canonical bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct ChainHash(pub [u8; HASH_BYTES]);

impl ChainHash {
    /// The hash before the first batch of every link: 32 zero bytes.
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

/// The events of one commit of one link, with their effect on the balances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Link that the events belong to; a batch never spans two.
    pub link: LinkId,
    /// Batch number on the link, from 1 without gaps.
    pub number: u64,
    /// Server time of the commit, shared by all events.
    pub at: Timestamp,
    /// Name of the node that committed the batch; informative only.
    pub node: String,
    /// Fencing epoch under which the batch was committed.
    pub epoch: i64,
    /// Version of the rules that decided the batch.
    pub rule_version: u16,
    /// Month of the partition: 12 × year + (month - 1), never smaller than the predecessor's.
    pub period: i32,
    /// Events in their order; the event at index p has position p.
    pub events: Vec<EventRow>,
    /// Micro-dollars added to each account of each book: book b, account a is at 8 × b + a.
    pub deltas: Vec<i64>,
    /// Micro-dollars on each account after the batch, in the order of `deltas`.
    pub after: Vec<i64>,
}

/// One event as the columns of the database hold it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EventRow {
    /// Number of the table whose command caused the event.
    pub table: Option<u32>,
    /// That command's number.
    pub sequence: Option<u64>,
    /// Database number of the token's holder.
    pub actor: i32,
    /// Kind of the event, see [`kind`](crate::kind); a table's routine is below 16.
    pub kind: u8,
    /// Code of the refusal.
    pub refusal: Option<u8>,
    /// Set of seats, bit n - 1 for seat n; of a coin-in the seats with an own wager.
    pub own_seats: Option<u16>,
    /// Set of seats with a wager on the dealer's hand, bit n - 1 for seat n.
    pub dealer_seats: Option<u16>,
    /// Numbers that reports can sum; their meaning depends on the kind.
    pub numbers: [Option<i64>; NUMBERS],
    /// Canonical bytes of everything that the columns can't hold.
    pub record: Option<Vec<u8>>,
}
