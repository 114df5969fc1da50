//! Rounds with hits: bets are locked, hands are keyed, a supervisor decides, slips are documented, and GAME OVER ends the
//! round.
//!
//! # Shape
//! [`round`] chooses each command from the outcome of the previous one. A [`TableDriver`] sends a command with as many
//! retries as needed.

use std::sync::Arc;

use meterhouse_domain::command::{HitCommand, Holder, PersonCommand, TableCommand, VoidReason};
use meterhouse_domain::event::{Event, HitRecorded, Recorded};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, Sequence};
use meterhouse_domain::seat::Seat;
use rand::RngExt as _;
use rand::rngs::StdRng;

use crate::script::{SEATS, coin_in};

/// Hands that the paytable pays.
const HANDS: [Hand; 4] = [
    Hand::RoyalFlush,
    Hand::StraightFlush,
    Hand::FourOfAKind,
    Hand::Flush,
];

/// The driver of one table.
pub(crate) trait TableDriver {
    /// Sends a command with the next sequence until it is acknowledged. Returns the sequence and the event.
    async fn command(&mut self, command: TableCommand) -> (u64, Arc<Recorded>);

    /// Sends a supervisor's command until it is acknowledged.
    async fn decide(&mut self, command: PersonCommand);

    /// Returns the id of the hit that a command keyed.
    fn hit(&self, sequence: u64) -> HitId;
}

/// Plays one round until its end.
pub(crate) async fn round(rng: &mut StdRng, table: &mut impl TableDriver) {
    table.command(coin_in(rng)).await;
    for seat in (1..=SEATS).rev() {
        if rng.random_ratio(1, 4) {
            let hand = HANDS[rng.random_range(0..HANDS.len())];
            let hit = HitCommand {
                holder: Holder::Seat(Seat(seat)),
                hand,
                cards: None,
            };
            let (sequence, recorded) = table.command(TableCommand::Hit(hit)).await;
            if let Event::HitRecorded(hit) = &recorded.event {
                settle(rng, table, sequence, hit).await;
            }
        }
    }
    if rng.random_ratio(2, 3) {
        let (_, recorded) = table.command(TableCommand::Close).await;
        if matches!(recorded.event, Event::RoundClosed { .. }) {
            return;
        }
    }
    let void = TableCommand::Void {
        reason: VoidReason::Misdeal,
    };
    let (_, recorded) = table.command(void).await;
    if !matches!(recorded.event, Event::RoundVoided { .. }) {
        // A round with a paid hit can't be void, so it ends with GAME OVER.
        let (_, recorded) = table.command(TableCommand::Close).await;
        assert!(
            matches!(recorded.event, Event::RoundClosed { .. }),
            "{:?}",
            recorded.event
        );
    }
}

/// Cancels, rejects or validates a hit, and pays a validated hit.
async fn settle(
    rng: &mut StdRng,
    table: &mut impl TableDriver,
    sequence: u64,
    recorded: &HitRecorded,
) {
    let hit = table.hit(sequence);
    match rng.random_range(0..4) {
        0 => {
            let cancel = TableCommand::CancelHit {
                hit: Sequence(sequence),
                number: 0,
            };
            let (_, cancelled) = table.command(cancel).await;
            if matches!(cancelled.event, Event::HitCancelled { .. }) {
                return;
            }
        }
        1 => {
            // If a later hit depends on this hit, the rejection is refused, and the hit is validated below.
            table
                .decide(PersonCommand::RejectHit {
                    hit,
                    note: None,
                    resettle: false,
                })
                .await;
        }
        _ => {}
    }
    table
        .decide(PersonCommand::ValidateHit {
            hit,
            cards: None,
            note: None,
        })
        .await;
    for number in (1..).take(recorded.payouts.len()) {
        let document = format!("slip {}-{sequence}-{number}", hit.table)
            .parse()
            .expect("a document");
        table
            .decide(PersonCommand::PayPayout {
                hit,
                number,
                document,
            })
            .await;
    }
}
