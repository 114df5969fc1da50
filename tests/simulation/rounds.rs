//! Rounds with hits, as a floor plays them: bets are locked, hands are keyed, a supervisor decides, slips are
//! documented, GAME OVER.
//!
//! # Shape
//! [`round`] says what is done next and needs to know what became of it; [`Felt`] is whoever gets it done, however
//! often it has to be sent.

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

/// A table on which commands are carried out.
pub(crate) trait Felt {
    /// Sends the next number until it is answered; answers the number and what it caused.
    async fn command(&mut self, command: TableCommand) -> (u64, Arc<Recorded>);

    /// Sends what a supervisor wants until it is answered.
    async fn decide(&mut self, command: PersonCommand);

    /// A hit of this table.
    fn hit(&self, sequence: u64) -> HitId;
}

/// Plays one round to its end.
pub(crate) async fn round(rng: &mut StdRng, felt: &mut impl Felt) {
    felt.command(coin_in(rng)).await;
    for seat in (1..=SEATS).rev() {
        if rng.random_ratio(1, 4) {
            let hand = HANDS[rng.random_range(0..HANDS.len())];
            let hit = HitCommand {
                holder: Holder::Seat(Seat(seat)),
                hand,
                cards: None,
            };
            let (sequence, recorded) = felt.command(TableCommand::Hit(hit)).await;
            if let Event::HitRecorded(hit) = &recorded.event {
                settle(rng, felt, sequence, hit).await;
            }
        }
    }
    if rng.random_ratio(2, 3) {
        let (_, recorded) = felt.command(TableCommand::Close).await;
        if matches!(recorded.event, Event::RoundClosed { .. }) {
            return;
        }
    }
    let void = TableCommand::Void {
        reason: VoidReason::Misdeal,
    };
    let (_, recorded) = felt.command(void).await;
    if !matches!(recorded.event, Event::RoundVoided { .. }) {
        // What is paid stays paid: such a round ends with GAME OVER.
        let (_, recorded) = felt.command(TableCommand::Close).await;
        assert!(
            matches!(recorded.event, Event::RoundClosed { .. }),
            "{:?}",
            recorded.event
        );
    }
}

/// Decides a hit one way or the other.
async fn settle(rng: &mut StdRng, felt: &mut impl Felt, sequence: u64, recorded: &HitRecorded) {
    let hit = felt.hit(sequence);
    match rng.random_range(0..4) {
        0 => {
            let cancel = TableCommand::CancelHit {
                hit: Sequence(sequence),
                number: 0,
            };
            let (_, cancelled) = felt.command(cancel).await;
            if matches!(cancelled.event, Event::HitCancelled { .. }) {
                return;
            }
        }
        1 => {
            // Where a later hit needs this one it is refused, and validated below.
            felt.decide(PersonCommand::RejectHit {
                hit,
                note: None,
                resettle: false,
            })
            .await;
        }
        _ => {}
    }
    felt.decide(PersonCommand::ValidateHit {
        hit,
        cards: None,
        note: None,
    })
    .await;
    for number in (1..).take(recorded.payouts.len()) {
        let document = format!("slip {sequence}-{number}")
            .parse()
            .expect("a document");
        felt.decide(PersonCommand::PayPayout {
            hit,
            number,
            document,
        })
        .await;
    }
}
