//! Snapshots come back whole or not at all.

use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::error::JournalError;
use meterhouse_journal::snapshot::{SNAPSHOT_FORMAT, Snapshot};
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
    fn a_snapshot_comes_back(snapshot in snapshot()) {
        prop_assert_eq!(Snapshot::decode(&snapshot.encode()), Ok(snapshot));
    }

    #[test]
    fn a_damaged_one_is_refused(
        snapshot in snapshot(),
        place in any::<proptest::sample::Index>(),
        bit in 0_u8..8,
    ) {
        let mut bytes = snapshot.encode();
        let place = place.index(bytes.len());
        bytes[place] ^= 1_u8 << bit;
        prop_assert_eq!(Snapshot::decode(&bytes), Err(JournalError::SnapshotDamaged));
        bytes[place] ^= 1_u8 << bit;
        prop_assert_eq!(Snapshot::decode(&bytes[..place]), Err(JournalError::SnapshotDamaged));
    }

    /// A byte behind the state, under a hash that fits: still not what we write.
    #[test]
    fn one_with_more_behind_it_is_refused(snapshot in snapshot()) {
        let mut bytes = snapshot.encode();
        bytes.truncate(bytes.len() - 32);
        bytes.push(0);
        let hash = Sha256::digest(&bytes);
        bytes.extend_from_slice(&hash);
        prop_assert!(matches!(Snapshot::decode(&bytes), Err(JournalError::Snapshot(_))));
    }

    #[test]
    fn another_format_is_refused(snapshot in snapshot(), format in any::<u16>()) {
        prop_assume!(!(SNAPSHOT_FORMAT - 1..=SNAPSHOT_FORMAT).contains(&format));
        let bytes = Snapshot { format, ..snapshot }.encode();
        prop_assert_eq!(Snapshot::decode(&bytes), Err(JournalError::SnapshotFormat(format)));
    }
}
