//! Short forms of amounts, cards, terms and commands for the tests.

#![expect(
    clippy::unwrap_used,
    reason = "a text of these tests that is wrong fails them"
)]

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    CoinIn, Command, Envelope, HitCommand, Holder, LevelValue, PersonCommand, TableCommand, Wager,
    WageredHand,
};
use meterhouse_domain::event::{HitRecorded, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{ActorId, Badge, HitId};
use meterhouse_domain::link::{LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Level, Paytable, TableLimits};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::Seat;

use super::SEATS;

/// Reads an amount as the figures write it.
pub(crate) fn dollars(text: &str) -> Money {
    text.replace(',', "").parse().unwrap()
}

/// Reads cards in a text such as `"As Kd"`.
pub(crate) fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace()
        .map(|card| card.parse().unwrap())
        .collect()
}

/// Returns terms that a link is opened with.
pub(crate) fn terms(paytable: Paytable, wager: &str) -> LinkTerms {
    LinkTerms {
        name: "main".parse().unwrap(),
        paytable,
        wager: dollars(wager),
        decks: 1,
        reserve_policy: ReservePolicy::Add,
        settings: LinkSettings::default(),
        limits: TableLimits::default(),
        counts_draws_and_envy: true,
        must_accept_values: true,
    }
}

/// Returns the opening amount of each level of a link.
pub(crate) fn first_values(terms: &LinkTerms) -> Vec<LevelValue> {
    let levels = (0_u8..).zip(&terms.content().levels);
    let value = |(index, level): (u8, &Level)| LevelValue {
        level: index,
        amount: terms.wager.for_one(level.seed).unwrap(),
    };
    levels.map(value).collect()
}

/// Returns a manager's acceptance of these first values.
pub(crate) const fn accept(values: Vec<LevelValue>) -> PersonCommand {
    PersonCommand::AcceptValues { values }
}

/// Returns a wager on the own hand of a nameless player.
pub(crate) fn own(seat: u8, amount: Money) -> Wager {
    Wager {
        seat: Seat(seat),
        on: WageredHand::Own,
        amount,
        player: None,
    }
}

/// Returns a coin-in of nameless players on their own hands, the whole layout dealt in.
pub(crate) fn coin_in_of(seats: &[u8], amount: Money) -> TableCommand {
    TableCommand::CoinIn(CoinIn {
        wagers: seats.iter().map(|seat| own(*seat, amount)).collect(),
        dealt: (1..=SEATS).map(Seat).collect(),
    })
}

/// Returns a hit on a seat's own hand, without cards.
pub(crate) fn hit_of(seat: u8, hand: Hand) -> TableCommand {
    TableCommand::Hit(HitCommand {
        holder: Holder::Seat(Seat(seat)),
        hand,
        cards: None,
    })
}

/// A hit with the event's data.
pub(crate) struct Keyed {
    /// Id of the hit.
    pub(crate) id: HitId,
    /// Data of the event.
    pub(crate) recorded: HitRecorded,
}

impl Keyed {
    /// Returns seat and amount of every payout of the line.
    pub(crate) fn paid(&self) -> Vec<(u8, String)> {
        self.payouts(PayoutKind::Line)
    }

    /// Returns seat and amount of every envy bonus.
    pub(crate) fn envy(&self) -> Vec<(u8, String)> {
        self.payouts(PayoutKind::Envy)
    }

    fn payouts(&self, kind: PayoutKind) -> Vec<(u8, String)> {
        let payouts = self
            .recorded
            .payouts
            .iter()
            .filter(|payout| payout.kind == kind);
        payouts
            .map(|payout| (payout.seat.0, payout.amount.to_string()))
            .collect()
    }
}

/// Asserts code and fields of a refusal.
#[track_caller]
pub(crate) fn is(refusal: &Refusal, code: RefusalCode, fields: &[(&str, &str)]) {
    let found = refusal.fields.iter();
    let found: Vec<(&str, &str)> = found
        .map(|(field, value)| (field.as_str(), value.as_str()))
        .collect();
    assert_eq!((refusal.code, found.as_slice()), (code, fields));
}

/// Returns a command with its sender.
pub(super) const fn envelope(actor: ActorId, by: Option<Badge>, command: Command) -> Envelope {
    Envelope {
        actor,
        by,
        device_time: None,
        command,
    }
}

/// Returns a validation without cards or note.
pub(crate) const fn validate(hit: HitId) -> PersonCommand {
    PersonCommand::ValidateHit {
        hit,
        cards: None,
        note: None,
    }
}

/// Returns a supervisor's reject without a note.
pub(crate) const fn reject(hit: HitId, resettle: bool) -> PersonCommand {
    PersonCommand::RejectHit {
        hit,
        note: None,
        resettle,
    }
}

/// Returns the command of the hand button pressed again.
pub(crate) const fn cancel(hit: HitId) -> TableCommand {
    TableCommand::CancelHit {
        hit: hit.sequence,
        number: hit.number,
    }
}

/// Returns the command with a payout's document.
pub(crate) fn pay(hit: HitId, number: u32, document: &str) -> PersonCommand {
    PersonCommand::PayPayout {
        hit,
        number,
        document: document.parse().unwrap(),
    }
}
