//! Snapshots are read back whole or refused.

use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::error::JournalError;
use meterhouse_journal::snapshot::{SNAPSHOT_FORMAT, SNAPSHOT_FORMAT_OLDEST, Snapshot};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use crate::random_state;

fn snapshot() -> impl Strategy<Value = Snapshot> {
    (
        any::<u64>(),
        any::<[u8; 32]>(),
        any::<i64>(),
        any::<i32>(),
        random_state::state(),
    )
        .prop_map(|(batch, hash, epoch, period, state)| Snapshot {
            format: SNAPSHOT_FORMAT,
            batch,
            chain_hash: ChainHash(hash),
            epoch,
            period,
            state,
        })
}

proptest! {
    #[test]
    fn a_snapshot_is_read_back(snapshot in snapshot()) {
        prop_assert_eq!(Snapshot::decode(&snapshot.encode()), Ok(snapshot));
    }

    #[test]
    fn a_damaged_snapshot_is_refused(
        snapshot in snapshot(),
        index in any::<proptest::sample::Index>(),
        bit in 0_u8..8,
    ) {
        let mut bytes = snapshot.encode();
        let index = index.index(bytes.len());
        bytes[index] ^= 1_u8 << bit;
        prop_assert_eq!(Snapshot::decode(&bytes), Err(JournalError::SnapshotDamaged));
        bytes[index] ^= 1_u8 << bit;
        prop_assert_eq!(Snapshot::decode(&bytes[..index]), Err(JournalError::SnapshotDamaged));
    }

    /// A byte behind the state, under a hash that fits: still refused.
    #[test]
    fn a_snapshot_with_trailing_bytes_is_refused(snapshot in snapshot()) {
        let mut bytes = snapshot.encode();
        bytes.truncate(bytes.len() - 32);
        bytes.push(0);
        let hash = Sha256::digest(&bytes);
        bytes.extend_from_slice(&hash);
        prop_assert!(matches!(Snapshot::decode(&bytes), Err(JournalError::Snapshot(_))));
    }

    #[test]
    fn an_unsupported_format_is_refused(snapshot in snapshot(), format in any::<u16>()) {
        prop_assume!(!(SNAPSHOT_FORMAT_OLDEST..=SNAPSHOT_FORMAT).contains(&format));
        let bytes = Snapshot { format, ..snapshot }.encode();
        prop_assert_eq!(Snapshot::decode(&bytes), Err(JournalError::SnapshotFormat(format)));
    }
}
