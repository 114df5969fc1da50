//! The probabilities of events at a simulated table, and the random generators that decide them.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A probability: once in this many times.
#[derive(Copy, Clone, Debug)]
pub(crate) struct OneIn(pub(crate) u32);

/// A player takes an empty seat.
pub(crate) const SEAT_TAKEN: OneIn = OneIn(12);
/// A player leaves.
pub(crate) const PLAYER_LEAVES: OneIn = OneIn(40);
/// A new player takes the neighbouring box as well.
pub(crate) const SECOND_BOX: OneIn = OneIn(6);
/// A new player is not known by name.
pub(crate) const UNNAMED: OneIn = OneIn(4);
/// A player doesn't make a link's wager this round.
pub(crate) const NO_WAGER: OneIn = OneIn(4);
/// A player wagers on the dealer's hand, if the link offers the wager.
pub(crate) const DEALER_WAGER: OneIn = OneIn(4);
/// A player doesn't fold a weak hand.
pub(crate) const WEAK_HAND_PLAYED: OneIn = OneIn(4);
/// The dealer counts the chips.
pub(crate) const COUNT: OneIn = OneIn(10);
/// The count is wrong, and the wagers go back.
pub(crate) const MISCOUNT: OneIn = OneIn(800);
/// A round is void before any hand is looked at.
pub(crate) const VOID: OneIn = OneIn(250);
/// A round with a hit is found void after the first hit was keyed.
pub(crate) const VOID_AFTER_HIT: OneIn = OneIn(60);
/// The dealer presses a hand button by mistake, and presses the button again to cancel.
pub(crate) const MISTAKEN_KEY: OneIn = OneIn(100);
/// A hand keyed by mistake pays a percentage of a meter.
pub(crate) const MISTAKEN_PERCENT: OneIn = OneIn(3);
/// The table sends all cards in one settle command instead of keying the winning hands.
pub(crate) const SETTLE: OneIn = OneIn(8);
/// A supervisor deals for the dealer. The person who keyed a hit may not validate it.
pub(crate) const SUPERVISOR_DEALS: OneIn = OneIn(30);
/// A command is sent twice.
pub(crate) const REPLAY: OneIn = OneIn(50);
/// The connection is lost before the response is read.
pub(crate) const DROPPED_RESPONSE: OneIn = OneIn(80);
/// A supervisor rejects one hit in this many.
pub(crate) const REJECTED: u64 = 25;

impl OneIn {
    /// Draws the event: returns `true` if it happens this time.
    pub(crate) fn happens(self, rng: &mut StdRng) -> bool {
        rng.random_ratio(1, self.0.max(1))
    }
}

/// Returns the generator of one table or physical table. Each name has its own, equal in every run with this seed.
pub(crate) fn generator(seed: u64, name: &str) -> StdRng {
    StdRng::seed_from_u64(stable_hash(seed, name))
}

/// Returns the hash of a name, equal in every run with this seed (FNV-1a).
pub(crate) fn stable_hash(seed: u64, name: &str) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    seed.to_le_bytes()
        .into_iter()
        .chain(name.bytes())
        .fold(OFFSET, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(PRIME)
        })
}
