//! How often things happen at a simulated table, and the generators they are drawn from.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Something that happens once in so many times.
#[derive(Copy, Clone, Debug)]
pub(crate) struct OneIn(pub(crate) u32);

/// An empty seat finds a player.
pub(crate) const SEAT_TAKEN: OneIn = OneIn(12);
/// A player leaves.
pub(crate) const PLAYER_LEAVES: OneIn = OneIn(40);
/// Who sits down takes the neighbouring box as well.
pub(crate) const SECOND_BOX: OneIn = OneIn(6);
/// Who sits down is not known by name.
pub(crate) const UNNAMED: OneIn = OneIn(4);
/// A player doesn't make a link's wager this round.
pub(crate) const NO_WAGER: OneIn = OneIn(4);
/// A player wagers on the dealer's hand, where that is offered.
pub(crate) const DEALER_WAGER: OneIn = OneIn(4);
/// A player with a weak hand plays on all the same.
pub(crate) const STUBBORN: OneIn = OneIn(4);
/// The dealer counts the chips.
pub(crate) const COUNT: OneIn = OneIn(10);
/// The count is wrong, and the wagers go back.
pub(crate) const COUNT_WRONG: OneIn = OneIn(800);
/// A round is void before anybody's hand is looked at.
pub(crate) const VOID: OneIn = OneIn(250);
/// A round with a hit is found void after the first hit was keyed.
pub(crate) const VOID_AFTER_HIT: OneIn = OneIn(60);
/// The dealer presses a hand button by accident, and presses it again to cancel.
pub(crate) const ACCIDENT: OneIn = OneIn(100);
/// Such an accident is on the button of a percentage.
pub(crate) const ACCIDENT_ON_PERCENT: OneIn = OneIn(3);
/// The table sends all cards at once instead of keying the winning hands.
pub(crate) const SETTLED: OneIn = OneIn(8);
/// A supervisor relieves the dealer: whoever keys a hit may not validate it.
pub(crate) const RELIEVED: OneIn = OneIn(30);
/// A message is sent twice.
pub(crate) const REPEAT: OneIn = OneIn(50);
/// The connection is lost before the answer is read.
pub(crate) const LOST_ANSWER: OneIn = OneIn(80);
/// A supervisor rejects a hit.
pub(crate) const REJECTED: u64 = 25;

impl OneIn {
    /// Whether it happens this time.
    pub(crate) fn happens(self, rng: &mut StdRng) -> bool {
        rng.random_ratio(1, self.0.max(1))
    }
}

/// The generator of one table or felt: its own for each name, the same in every run with this seed.
pub(crate) fn generator(seed: u64, name: &str) -> StdRng {
    StdRng::seed_from_u64(mark(seed, name))
}

/// A number for a name that stays the same in every run with this seed (FNV-1a).
pub(crate) fn mark(seed: u64, name: &str) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    seed.to_le_bytes()
        .into_iter()
        .chain(name.bytes())
        .fold(OFFSET, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(PRIME)
        })
}
