//! What tables send: commands that follow from the seed, the table and the number alone, so that every process
//! knows them and what they add up to.
//!
//! # Shape
//! Three numbers a round: the bets are locked; something happens, of which some is refused by the rules; the round
//! ends, sometimes void. No hits: what the meters show is then the sum of the wagers.

use meterhouse_domain::command::{CoinIn, TableCommand, VoidReason, Wager, WageredHand};
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;
use rand::RngExt as _;
use rand::rngs::StdRng;

use crate::chance::Seed;

/// Seats on every layout.
pub(crate) const SEATS: u8 = 6;
/// Numbers of one round.
const ROUND: u64 = 3;

/// The command of a table under this number, from 1.
pub(crate) fn command(seed: Seed, table: &str, sequence: u64) -> TableCommand {
    let mut rng = seed.rng((table, sequence));
    match sequence % ROUND {
        1 => coin_in(&mut rng),
        2 => meanwhile(&mut rng),
        _ if is_void(seed, table, sequence) => TableCommand::Void {
            reason: VoidReason::Misdeal,
        },
        _ => TableCommand::Close,
    }
}

/// The wagers that the first `count` commands of a table leave on the meters.
pub(crate) fn wagers(seed: Seed, table: &str, count: u64) -> u64 {
    let rounds = (1..=count).filter(|it| it % ROUND == 1);
    let standing = rounds.filter(|it| {
        let end = it + ROUND - 1;
        end > count || !is_void(seed, table, end)
    });
    let wagers = standing.map(|it| match command(seed, table, it) {
        TableCommand::CoinIn(coin_in) => coin_in.wagers.len(),
        other => panic!("{other:?} locks no bets"),
    });
    wagers.map(|it| u64::try_from(it).expect("few")).sum()
}

fn is_void(seed: Seed, table: &str, sequence: u64) -> bool {
    seed.rng((table, sequence, "void")).random_ratio(1, 5)
}

/// Wagers on some seats.
pub(crate) fn coin_in(rng: &mut StdRng) -> TableCommand {
    let first = rng.random_range(1..=SEATS);
    let last = rng.random_range(first..=SEATS);
    let wager = |seat| Wager {
        seat,
        on: WageredHand::Own,
        amount: Money::DOLLAR,
        player: None,
    };
    TableCommand::CoinIn(CoinIn {
        wagers: (first..=last).map(|it| wager(Seat(it))).collect(),
        dealt: (1..=SEATS).map(Seat).collect(),
    })
}

/// Something between coin-in and GAME OVER that moves no money.
fn meanwhile(rng: &mut StdRng) -> TableCommand {
    match rng.random_range(0..6) {
        0 => TableCommand::Count {
            chips: rng.random_range(0..7),
        },
        // Refused: the round is open.
        1 => coin_in(rng),
        _ => TableCommand::Fold {
            seats: vec![Seat(rng.random_range(1..=SEATS))],
        },
    }
}
