//! The commands of tables. The seed, the table and the sequence alone decide each, so every process can compute the
//! commands and the sum of their wagers.
//!
//! # Shape
//! A round has three commands: a coin-in, a command that the rules may refuse, and GAME OVER or a void. There are no
//! hits, so the meters show the sum of the wagers.

use meterhouse_domain::command::{CoinIn, TableCommand, VoidReason, Wager, WageredHand};
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;
use rand::RngExt as _;
use rand::rngs::StdRng;

use crate::seed::Seed;

/// Seats on every layout.
pub(crate) const SEATS: u8 = 6;
/// Commands of one round.
const ROUND: u64 = 3;

/// Returns the command of a table with this sequence, from 1.
pub(crate) fn command(seed: Seed, table: &str, sequence: u64) -> TableCommand {
    let mut rng = seed.rng((table, sequence));
    match sequence % ROUND {
        1 => coin_in(&mut rng),
        2 => mid_round_command(&mut rng),
        _ if is_void(seed, table, sequence) => TableCommand::Void {
            reason: VoidReason::Misdeal,
        },
        _ => TableCommand::Close,
    }
}

/// Returns the number of wagers on the meters after the first `count` commands of a table.
pub(crate) fn wagers(seed: Seed, table: &str, count: u64) -> u64 {
    let rounds = (1..=count).filter(|sequence| sequence % ROUND == 1);
    let not_void = rounds.filter(|sequence| {
        let end = sequence + ROUND - 1;
        end > count || !is_void(seed, table, end)
    });
    let wagers = not_void.map(|sequence| match command(seed, table, sequence) {
        TableCommand::CoinIn(coin_in) => coin_in.wagers.len(),
        other => panic!("{other:?} is no coin-in"),
    });
    wagers
        .map(|number| u64::try_from(number).expect("few"))
        .sum()
}

fn is_void(seed: Seed, table: &str, sequence: u64) -> bool {
    seed.rng((table, sequence, "void")).random_ratio(1, 5)
}

/// Returns a coin-in with wagers on some seats.
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
        wagers: (first..=last).map(|seat| wager(Seat(seat))).collect(),
        dealt: (1..=SEATS).map(Seat).collect(),
    })
}

/// Returns a command between coin-in and GAME OVER that moves no money.
fn mid_round_command(rng: &mut StdRng) -> TableCommand {
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
