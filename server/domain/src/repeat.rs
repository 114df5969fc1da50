//! Whether a command under a number already used is the same one again.
//!
//! Answers are not stored and neither are accepted commands: an event holds all that its command said, so the
//! comparison is made with it. The controller's time and the badge don't count: the first ones stay.

use crate::command::{CoinIn, Command, HitCommand, Holder, TableCommand, WageredHand};
use crate::event::{CoinInAccepted, Event, HitKind, HitRecorded};
use crate::link::LinkTerms;
use crate::seat::{Seat, SeatSet};

/// Whether `event`, caused under the same table and number, came from a command with this content.
pub fn is_repeat(terms: &LinkTerms, event: &Event, command: &TableCommand) -> bool {
    match (event, command) {
        (Event::Refused { command: first, .. }, _) => match first.as_ref() {
            Command::Table { command: first, .. } => normal(first) == normal(command),
            Command::Person(_) => false,
        },
        (Event::CoinInAccepted(event), TableCommand::CoinIn(command)) => {
            same_coin_in(terms, event, command)
        }
        (Event::ChipsCounted { chips: first, .. }, TableCommand::Count { chips }) => first == chips,
        (Event::SeatsFolded { seats: first }, TableCommand::Fold { seats }) => {
            same_seats(*first, seats)
        }
        (Event::HitRecorded(event), command) => same_hit(event, command),
        (Event::HitCancelled { hit: first, .. }, TableCommand::CancelHit { hit }) => {
            first.sequence == *hit
        }
        (Event::RoundClosed { .. }, TableCommand::Close) => true,
        (Event::RoundVoided { reason: first, .. }, TableCommand::Void { reason }) => {
            first == reason
        }
        (
            Event::LinkOpened { .. }
            | Event::TableJoined(_)
            | Event::CoinInAccepted(_)
            | Event::ChipsCounted { .. }
            | Event::SeatsFolded { .. }
            | Event::HitCancelled { .. }
            | Event::HitValidated { .. }
            | Event::HitRejected { .. }
            | Event::PayoutPaid { .. }
            | Event::RoundClosed { .. }
            | Event::RoundVoided { .. }
            | Event::LinkFaulted { .. },
            _,
        ) => false,
    }
}

/// The order in which seats and wagers are listed means nothing.
fn normal(command: &TableCommand) -> TableCommand {
    let mut command = command.clone();
    match &mut command {
        TableCommand::CoinIn(coin_in) => {
            coin_in.wagers.sort();
            coin_in.dealt.sort();
        }
        TableCommand::Fold { seats } => seats.sort(),
        TableCommand::Count { .. }
        | TableCommand::Hit(_)
        | TableCommand::Envy { .. }
        | TableCommand::CancelHit { .. }
        | TableCommand::Close
        | TableCommand::Void { .. } => {}
    }
    command
}

fn same_seats(first: SeatSet, seats: &[Seat]) -> bool {
    usize::try_from(first.len()) == Ok(seats.len())
        && first == seats.iter().copied().collect::<SeatSet>()
}

fn same_coin_in(terms: &LinkTerms, event: &CoinInAccepted, command: &CoinIn) -> bool {
    let on = |hand: WageredHand| {
        let wagers = command.wagers.iter().filter(move |wager| wager.on == hand);
        wagers.map(|wager| wager.seat).collect::<Vec<Seat>>()
    };
    let named = |seat: Seat| {
        event
            .players
            .iter()
            .find(|(it, _)| *it == seat)
            .map(|(_, it)| it)
    };
    let said = |seat: &Seat| {
        command
            .wagers
            .iter()
            .any(|wager| wager.seat == *seat && wager.player.is_some())
    };
    same_seats(event.own, &on(WageredHand::Own))
        && same_seats(event.dealer, &on(WageredHand::Dealer))
        && same_seats(event.dealt, &command.dealt)
        && event.players.iter().all(|(seat, _)| said(seat))
        && command.wagers.iter().all(|wager| {
            wager.amount == terms.wager
                && (wager.player.is_none() || wager.player.as_ref() == named(wager.seat))
        })
}

fn same_hit(event: &HitRecorded, command: &TableCommand) -> bool {
    match (event.kind, command) {
        (HitKind::Line, TableCommand::Hit(command)) => {
            let first = HitCommand {
                holder: event.holder,
                hand: event.hand,
                cards: event.cards.clone(),
            };
            first == *command
        }
        (HitKind::Envy, TableCommand::Envy { seat, hand, cards }) => {
            event.holder == Holder::Seat(*seat) && event.hand == *hand && event.cards == *cards
        }
        (HitKind::Line | HitKind::Envy, _) => false,
    }
}
