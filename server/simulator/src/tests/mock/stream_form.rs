//! Commands and outcomes of a stream, from and to their forms over HTTP.

use std::str::FromStr;

use meterhouse_api::command::{
    BonusEntered, CancelHit, Close, CoinIn, Command, CommandRequest, Count, EnvyEntered, Fold,
    HitEntered, SeatCards, Settle, Void, Wager,
};
use meterhouse_api::forms::Unsigned;
use meterhouse_api::hit::{Hit, Payout};
use meterhouse_api::outcome::Outcome;
use meterhouse_api::request::List;
use meterhouse_api::text::Text;
use meterhouse_api::values::Card;
use meterhouse_domain::command::WageredHand;
use meterhouse_domain::money::Money;
use meterhouse_proto::table as proto;
use meterhouse_proto::table::command::Command as CommandKind;
use meterhouse_proto::table::holder::Holder as HolderKind;
use meterhouse_proto::table::outcome::Outcome as OutcomeKind;

/// Returns a command as over HTTP.
pub(super) fn request_of(table: &str, command: &proto::Command) -> CommandRequest {
    let by = &command.badge;
    CommandRequest {
        command: command_of(table, command.command.as_ref().expect("a command")),
        by: (!by.is_empty()).then(|| parsed(by)),
        at: None,
    }
}

fn command_of(table: &str, command: &CommandKind) -> Command {
    match command {
        CommandKind::CoinIn(coin_in) => Command::CoinIn(CoinIn {
            wagers: list(&coin_in.wagers, wager_of),
            dealt: list(&coin_in.dealt, |seat| seat_of(*seat)),
        }),
        CommandKind::Count(count) => Command::Count(Count { chips: count.chips }),
        CommandKind::Fold(fold) => Command::Fold(Fold {
            seats: list(&fold.seats, |seat| seat_of(*seat)),
        }),
        CommandKind::Hit(hit) => {
            let seat = seat_of_holder(hit.holder);
            Command::Hit(HitEntered {
                seat,
                dealer: seat.is_none().then_some(true),
                hand: parsed(&hit.hand),
                cards: hit.cards.as_ref().map(cards_of),
            })
        }
        CommandKind::Envy(envy) => Command::Envy(EnvyEntered {
            seat: seat_of(envy.seat),
            hand: parsed(&envy.hand),
            cards: envy.cards.as_ref().map(cards_of),
        }),
        CommandKind::Bonus(bonus) => {
            let seat = seat_of_holder(bonus.holder);
            Command::Bonus(BonusEntered {
                kind: parsed(&bonus.kind),
                seat,
                dealer: seat.is_none().then_some(true),
                cards: bonus.cards.as_ref().map(cards_of),
            })
        }
        CommandKind::Settle(settle) => Command::Settle(Settle {
            dealer: Some(list(&settle.dealer, |card| parsed(card))),
            community: Some(list(&settle.community, |card| parsed(card))),
            seats: list(&settle.seats, |shown| SeatCards {
                seat: seat_of(shown.seat),
                cards: list(&shown.cards, |card| parsed(card)),
            }),
            wagers: None,
        }),
        CommandKind::CancelHit(cancel) => Command::CancelHit(CancelHit {
            hit: parsed(&format!("{table}.{}", cancel.sequence)),
        }),
        CommandKind::Close(_) => Command::Close(Close {}),
        CommandKind::Void(void) => Command::Void(Void {
            reason: parsed(&void.reason),
        }),
    }
}

fn wager_of(wager: &proto::Wager) -> Wager {
    let player = &wager.player;
    Wager {
        seat: seat_of(wager.seat),
        amount: Text(Unsigned(Money::from_micros(wager.amount_micros))),
        on: wager.on_dealer.then_some(Text(WageredHand::Dealer)),
        player: (!player.is_empty()).then(|| parsed(player)),
    }
}

fn cards_of(cards: &proto::Cards) -> List<Card> {
    list(&cards.cards, |card| parsed(card))
}

fn list<T, U>(all: &[T], form: impl Fn(&T) -> U) -> List<U> {
    all.iter().map(form).collect::<Vec<_>>().into()
}

fn seat_of(seat: u32) -> u8 {
    u8::try_from(seat).expect("a seat")
}

fn seat_of_holder(holder: Option<proto::Holder>) -> Option<u8> {
    match holder.and_then(|holder| holder.holder) {
        Some(HolderKind::Seat(seat)) => Some(seat_of(seat)),
        Some(HolderKind::Dealer(_)) | None => None,
    }
}

fn parsed<T: FromStr>(text: &str) -> T {
    let value = text.parse().ok();
    value.unwrap_or_else(|| panic!("{text:?} is no value of its field"))
}

/// Returns the effect of an accepted command.
pub(super) fn effect(outcome: &Outcome) -> OutcomeKind {
    match outcome {
        Outcome::CoinIn(done) => OutcomeKind::CoinIn(proto::CoinInDone {
            magic_card: text(done.magic_card.as_ref()),
            lucky_position: done.lucky_position.map(|position| holder(position.seat)),
            ..proto::CoinInDone::default()
        }),
        Outcome::Count(_) => OutcomeKind::Count(proto::CountDone::default()),
        Outcome::Fold(_) => OutcomeKind::Fold(proto::FoldDone::default()),
        Outcome::Hit(done) => OutcomeKind::Hit(hit_done(&done.hit)),
        Outcome::Envy(done) => OutcomeKind::Envy(hit_done(&done.hit)),
        Outcome::Bonus(done) => OutcomeKind::Bonus(hit_done(&done.hit)),
        Outcome::Settle(done) => OutcomeKind::Settle(proto::SettleDone {
            hits: done.hits.iter().map(hit_done).collect(),
            settlement: None,
        }),
        Outcome::CancelHit(done) => OutcomeKind::CancelHit(proto::CancelHitDone {
            hit: done.hit.to_string(),
        }),
        Outcome::Close(_) => OutcomeKind::Close(proto::CloseDone::default()),
        Outcome::Void(done) => OutcomeKind::Void(proto::VoidDone {
            reason: done.reason.to_string(),
            ..proto::VoidDone::default()
        }),
    }
}

fn hit_done(hit: &Hit) -> proto::HitDone {
    let summary = &hit.summary;
    proto::HitDone {
        hit: summary.hit.to_string(),
        round: 1,
        kind: summary.kind.to_string(),
        holder: Some(holder(summary.seat)),
        hand: text(summary.hand.as_ref()),
        state: summary.state.to_string(),
        due_micros: summary.due.micros(),
        payouts: hit.payouts.iter().map(payout).collect(),
        ..proto::HitDone::default()
    }
}

/// Returns a hit of the round that this coin-in opened.
pub(super) fn round_hit(round: u64, hit: &Hit) -> proto::RoundHit {
    let summary = &hit.summary;
    let payouts = hit.payouts.iter().map(|row| {
        let payment = row.payment.as_ref();
        proto::RoundPayout {
            payout: Some(payout(row)),
            paid: payment.is_some_and(|payment| payment.paid),
            document: text(payment.and_then(|payment| payment.document.as_ref())),
        }
    });
    proto::RoundHit {
        hit: summary.hit.to_string(),
        round,
        kind: summary.kind.to_string(),
        holder: Some(holder(summary.seat)),
        hand: text(summary.hand.as_ref()),
        state: summary.state.to_string(),
        due_micros: summary.due.micros(),
        payouts: payouts.collect(),
        ..proto::RoundHit::default()
    }
}

fn payout(payout: &Payout) -> proto::Payout {
    proto::Payout {
        kind: payout.kind.to_string(),
        amount_micros: payout.amount.micros(),
        handed_over: payout.handed_over.to_string(),
        ..proto::Payout::default()
    }
}

/// Returns the holder of a hand: the dealer if the hand has no seat.
fn holder(seat: Option<u8>) -> proto::Holder {
    let holder = seat.map_or(HolderKind::Dealer(proto::Dealer {}), |seat| {
        HolderKind::Seat(seat.into())
    });
    proto::Holder {
        holder: Some(holder),
    }
}

fn text<T: ToString>(value: Option<&T>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
}
