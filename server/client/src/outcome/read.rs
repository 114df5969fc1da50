//! From the messages of the wire to typed outcomes. What can't be read is an error, never a guess.

use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use meterhouse_proto::table::outcome::Outcome as Told;
use meterhouse_proto::table::{self as wire, holder};

use super::{CoinInDone, Effect, HitDone, Outcome, Payout, Place, Taken};
use crate::command::Holder;
use crate::error::Unreadable;
use crate::money::Money;
use crate::values::{Seat, Sequence};

pub(crate) type Read<T> = Result<T, Unreadable>;

impl TryFrom<wire::Outcome> for Outcome {
    type Error = Unreadable;

    fn try_from(told: wire::Outcome) -> Read<Self> {
        let effect = told.outcome.ok_or(Unreadable("what the command did"))?;
        Ok(Self {
            sequence: sequence(told.sequence)?,
            is_replayed: told.replayed,
            at: time(told.at_micros)?,
            place: Place {
                batch: told.batch,
                position: told.position,
            },
            displayed: amounts(&told.displayed_micros)?,
            effect: self::effect(effect)?,
        })
    }
}

fn effect(told: Told) -> Read<Effect> {
    Ok(match told {
        Told::Refused(it) => Effect::Refused {
            code: it.code,
            detail: it.detail,
            fields: it.fields.into_iter().collect(),
        },
        Told::CoinIn(it) => Effect::CoinIn(coin_in(it)?),
        Told::Count(it) => Effect::Count {
            chips: it.chips,
            accepted: it.accepted,
        },
        Told::Fold(it) => Effect::Fold {
            seats: all(it.seats, seat)?,
        },
        Told::Hit(it) => Effect::Hit(hit(it)?),
        Told::Envy(it) => Effect::Envy(hit(it)?),
        Told::Bonus(it) => Effect::Bonus(hit(it)?),
        Told::Settle(it) => Effect::Settle {
            hits: all(it.hits, hit)?,
        },
        Told::CancelHit(it) => Effect::CancelHit {
            hit: text(&it.hit)?,
        },
        Told::Close(it) => Effect::Close {
            hits: all(it.hits, |it| text(&it))?,
        },
        Told::Void(it) => Effect::Void {
            reason: text(&it.reason)?,
            hits: all(it.hits, |it| text(&it))?,
        },
    })
}

fn coin_in(told: wire::CoinInDone) -> Read<CoinInDone> {
    let magic_card = Some(told.magic_card).filter(|it| !it.is_empty());
    Ok(CoinInDone {
        seats: all(told.seats, seat)?,
        dealer_seats: all(told.dealer_seats, seat)?,
        contribution: amounts(&told.contribution_micros)?,
        over_ceiling: amounts(&told.over_ceiling_micros)?,
        magic_card: magic_card.as_deref().map(text).transpose()?,
        lucky_position: told.lucky_position.map(|it| holder(Some(it))).transpose()?,
    })
}

fn hit(told: wire::HitDone) -> Read<HitDone> {
    Ok(HitDone {
        hit: text(&told.hit)?,
        round: sequence(told.round)?,
        order: told.order,
        kind: told.kind.into(),
        holder: holder(told.holder)?,
        hand: Some(told.hand).filter(|it| !it.is_empty()),
        state: told.state.into(),
        taken: told.taken.map(taken).transpose()?,
        due: amount(told.due_micros)?,
        envy_due: amount(told.envy_due_micros)?,
        payouts: all(told.payouts, payout)?,
    })
}

fn taken(told: wire::Taken) -> Read<Taken> {
    Ok(Taken {
        level: told.level,
        percent: told.percent,
        before: amount(told.before_micros)?,
        after: amount(told.after_micros)?,
    })
}

pub(crate) fn payout(told: wire::Payout) -> Read<Payout> {
    Ok(Payout {
        kind: told.kind.into(),
        seat: seat(told.seat)?,
        player: Some(told.player).filter(|it| !it.is_empty()),
        amount: amount(told.amount_micros)?,
        charged_to: told.charged_to.into(),
        handed_over: told.handed_over.into(),
    })
}

pub(crate) fn holder(told: Option<wire::Holder>) -> Read<Holder> {
    match told.and_then(|it| it.holder) {
        Some(holder::Holder::Seat(number)) => seat(number).map(Holder::Seat),
        Some(holder::Holder::Dealer(wire::Dealer {})) => Ok(Holder::Dealer),
        None => Err(Unreadable("whose hand it is")),
    }
}

pub(crate) fn all<T, U>(told: Vec<T>, read: impl FnMut(T) -> Read<U>) -> Read<Vec<U>> {
    told.into_iter().map(read).collect()
}

pub(crate) fn text<T: FromStr>(told: &str) -> Read<T> {
    told.parse().map_err(|_| Unreadable("a name or a card"))
}

pub(crate) fn seat(told: u32) -> Read<Seat> {
    u8::try_from(told)
        .map(Seat)
        .map_err(|_| Unreadable("a seat"))
}

pub(crate) fn sequence(told: u64) -> Read<Sequence> {
    Sequence::new(told).ok_or(Unreadable("a number of a command"))
}

pub(crate) fn amount(told: i64) -> Read<Money> {
    Money::from_micros(told).ok_or(Unreadable("an amount"))
}

/// Amounts, one a level.
pub(crate) fn amounts(told: &[i64]) -> Read<Vec<Money>> {
    told.iter().map(|it| amount(*it)).collect()
}

fn time(micros: i64) -> Read<SystemTime> {
    let since = u64::try_from(micros).map_err(|_| Unreadable("a time"))?;
    let at = UNIX_EPOCH.checked_add(Duration::from_micros(since));
    at.ok_or(Unreadable("a time"))
}

#[cfg(test)]
mod tests;
