//! How closely a server watches its links by itself.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_engine::EngineOptions;
use meterhouse_engine::integrity::checkpoints::CheckpointOptions;
use meterhouse_engine::signing::Signing;
use meterhouse_journal::tree_head::SigningKey;

/// How closely a server watches its links by itself.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Not within a test: no table is lost for a pause in it, and whoever tampers is found by whom the test asks.
    Idle,
    /// All the time: what the server finds by itself is found soon.
    Close,
}

impl Watch {
    /// Longer than any test.
    pub(crate) const NEVER: Duration = Duration::from_hours(24);
    /// Soon, and yet not in the way of anything else.
    pub(crate) const SOON: Duration = Duration::from_millis(50);
    /// Secret key of a server that signs.
    pub const SIGNING_KEY: [u8; 32] = [7; 32];
    /// Batches that a test plays in a moment.
    const FEW_BATCHES: u64 = 10;

    /// The options of a server that watches so.
    pub(crate) fn over(self, options: EngineOptions) -> EngineOptions {
        let every = match self {
            Self::Idle => Self::NEVER,
            Self::Close => Self::SOON,
        };
        let checkpoints = match self {
            Self::Idle => options.checkpoints,
            Self::Close => CheckpointOptions {
                every: Self::FEW_BATCHES,
                summed_whole: Self::FEW_BATCHES,
            },
        };
        let signing = (self == Self::Close).then(|| Signing {
            key: Arc::new(SigningKey::new(&Self::SIGNING_KEY)),
            every: Self::SOON,
        });
        EngineOptions {
            signing,
            check_every: every,
            contact_exchange_every: every,
            checkpoints,
            probe_every: Duration::ZERO,
            ..options
        }
    }
}
