//! Snapshots: a link's whole state as of one batch, so that a start reads only the journal's tail.
//!
//! # Shape
//! Format, position, state, and SHA-256 over these three, so that a damaged snapshot is refused. A snapshot is a
//! cache: if it can't be read, the journal is read instead.
//!
//! # Bounds
//! The size of the state: one open round a table, each level's standing hits that still matter, and the hits of
//! closed rounds that can still be corrected or paid. The shares of a wager are not written; they follow from the
//! terms.

use std::sync::Arc;

use meterhouse_domain::change::Proposal;
use meterhouse_domain::lifetime::{BookCounts, Lifetime, LineCounts};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::meter_path::{MeterPath, Stretch};
use meterhouse_domain::state::{
    ClosedHit, Hit, HitStatus, LinkState, Lost, Minute, Payment, PayoutState, Round, StandingHit,
    Table,
};
use sha2::{Digest, Sha256};

use crate::batch::{ChainHash, HASH_BYTES};
use crate::codec::{Canonical, DecodeError, FORM_VERSION_OLDEST, Problem, Reader, Writer};
use crate::error::JournalError;
use crate::forms::{structs, variants};

/// The snapshot format that this release writes.
pub const SNAPSHOT_FORMAT: u16 = 5;
/// The oldest format that is still read: an upgraded link need not be replayed from its beginning.
pub const SNAPSHOT_FORMAT_OLDEST: u16 = 3;

/// The first version of the forms with the paths of meters and the acceptance of first values.
const FORM_VERSION_OF_PATHS: u8 = 3;
/// The first version of the forms with the adopted tables. Records have none of its own.
const FORM_VERSION_OF_ADOPTED: u8 = 4;

/// Returns the version of the forms in a format of snapshots, if that format is read.
const fn form_version(format: u16) -> Option<u8> {
    match format {
        SNAPSHOT_FORMAT => Some(FORM_VERSION_OF_ADOPTED),
        4 => Some(FORM_VERSION_OF_PATHS),
        SNAPSHOT_FORMAT_OLDEST => Some(FORM_VERSION_OLDEST),
        _ => None,
    }
}

/// A link's state as of one batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Format of the bytes; [`SNAPSHOT_FORMAT`] for a new snapshot.
    pub format: u16,
    /// Number of the last batch in the state.
    pub batch: u64,
    /// Chain hash of the batch [`batch`](Self::batch).
    pub chain_hash: ChainHash,
    /// Fencing epoch under which that batch was committed.
    pub epoch: i64,
    /// Period of that batch: 12 × year + (month - 1).
    pub period: i32,
    /// State after that batch.
    pub state: LinkState,
}

impl Snapshot {
    /// Returns the snapshot as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let Self {
            format,
            batch,
            chain_hash,
            epoch,
            period,
            state,
        } = self;
        let mut bytes = Vec::new();
        let version = form_version(*format).unwrap_or(FORM_VERSION_OF_ADOPTED);
        let mut out = Writer::of_version(&mut bytes, version);
        out.u16(*format);
        out.u64(*batch);
        out.fixed(&chain_hash.0);
        out.i64(*epoch);
        out.i32(*period);
        state.write(&mut out);
        let hash = Sha256::digest(&bytes);
        bytes.extend_from_slice(&hash);
        bytes
    }

    /// Returns the snapshot with these bytes.
    ///
    /// # Errors
    /// [`JournalError::SnapshotDamaged`], [`JournalError::SnapshotFormat`]; [`JournalError::Snapshot`] if the hash
    /// matches bytes that are not canonical.
    pub fn decode(bytes: &[u8]) -> Result<Self, JournalError> {
        let (body, hash) = bytes
            .split_last_chunk::<HASH_BYTES>()
            .ok_or(JournalError::SnapshotDamaged)?;
        if <[u8; HASH_BYTES]>::from(Sha256::digest(body)) != *hash {
            return Err(JournalError::SnapshotDamaged);
        }
        let mut input = Reader::new(body);
        let format = u16::read(&mut input).map_err(JournalError::Snapshot)?;
        let version = form_version(format).ok_or(JournalError::SnapshotFormat(format))?;
        Self::read(format, input.of_version(version)).map_err(JournalError::Snapshot)
    }

    /// Returns the snapshot, if it holds the whole state.
    ///
    /// # Errors
    /// [`JournalError::SnapshotFormat`] if a level has a ceiling and the format has no paths of meters. Only the
    /// journal holds these paths.
    pub fn whole(self) -> Result<Self, JournalError> {
        let has_paths = form_version(self.format) >= Some(FORM_VERSION_OF_PATHS);
        if has_paths || self.state.terms.settings.ceilings.is_empty() {
            Ok(self)
        } else {
            Err(JournalError::SnapshotFormat(self.format))
        }
    }

    fn read(format: u16, mut input: Reader<'_>) -> Result<Self, DecodeError> {
        let snapshot = Self {
            format,
            batch: u64::read(&mut input)?,
            chain_hash: ChainHash(input.array()?),
            epoch: i64::read(&mut input)?,
            period: i32::read(&mut input)?,
            state: LinkState::read(&mut input)?,
        };
        input.finish()?;
        Ok(snapshot)
    }
}

impl Canonical for LinkState {
    fn write(&self, out: &mut Writer<'_>) {
        let Self {
            terms,
            shares: _,
            fault,
            balances,
            standing,
            last_order,
            tables,
            suspended,
            unacknowledged,
            disabled,
            closed,
            forgotten,
            resets,
            proposals,
            lifetime,
            paths,
            values_accepted,
            adopted,
        } = self;
        terms.write(out);
        out.optional_bytes(fault.as_deref().map(str::as_bytes));
        balances.write(out);
        standing.write(out);
        last_order.write(out);
        tables.write(out);
        suspended.write(out);
        unacknowledged.write(out);
        disabled.write(out);
        closed.write(out);
        forgotten.write(out);
        resets.write(out);
        proposals.write(out);
        lifetime.write(out);
        if out.version() >= FORM_VERSION_OF_PATHS {
            paths.write(out);
            values_accepted.write(out);
        }
        if out.version() >= FORM_VERSION_OF_ADOPTED {
            adopted.write(out);
        }
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let offset = input.offset();
        let has_paths = input.version() >= FORM_VERSION_OF_PATHS;
        let terms = LinkTerms::read(input)?;
        let what = "set of terms with exact shares";
        let shares = terms
            .shares()
            .ok_or(Reader::refuse(offset, Problem::Not { what }))?;
        Ok(Self {
            terms: Arc::new(terms),
            shares: shares.into(),
            fault: input.optional_text()?.map(Arc::from),
            balances: Canonical::read(input)?,
            standing: Canonical::read(input)?,
            last_order: Canonical::read(input)?,
            tables: Canonical::read(input)?,
            suspended: Canonical::read(input)?,
            unacknowledged: Canonical::read(input)?,
            disabled: Canonical::read(input)?,
            closed: Canonical::read(input)?,
            forgotten: Canonical::read(input)?,
            resets: Canonical::read(input)?,
            proposals: Canonical::read(input)?,
            lifetime: Canonical::read(input)?,
            paths: if has_paths {
                Canonical::read(input)?
            } else {
                Vec::new()
            },
            // A link of the older format has no first values to accept.
            values_accepted: !has_paths || bool::read(input)?,
            adopted: if input.version() >= FORM_VERSION_OF_ADOPTED {
                Canonical::read(input)?
            } else {
                Arc::default()
            },
        })
    }
}

structs! {
    StandingHit { order, hit, took_reserve, took_overflow }
    Table { name, game, seats, rules, last_sequence, round, lost, minute; since 3: disabled, left, bet_on_dealer }
    Lost { heard_at, must_resume }
    Minute { since, rounds }
    Round {
        sequence, own, dealer, dealt, players, folded, order_at_coin_in, added, over_ceiling, draws, hits,
    }
    ClosedHit { id, round, hit }
    Hit {
        sequence, number, order, keyed_by_actor, keyed_by, kind, holder, hand, cards, taken, payouts, status,
        moves; since 3: path,
    }
    MeterPath { begun, added, kept_out }
    Stretch { from, to, owner }
    PayoutState { payout, paid }
    Payment { actor, document }
    Proposal { propose, actor, by, proposed_at, expires_at }
    Lifetime {
        rounds, wagers, wagers_voided, contributions, contributions_voided, books, lines,
    }
    BookCounts { attendant_paid, house_funded, overflow, adjusted_up, adjusted_down, resets }
    LineCounts { hits, due }
}

variants! {
    HitStatus "status of a hit" {
        1 Pending,
        2 ValidatedByRule,
        3 Validated { actor, by },
        4 Cancelled,
        5 Rejected { actor },
        6 Withdrawn,
    }
}
