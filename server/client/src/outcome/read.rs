//! The conversion from wire messages to typed outcomes. A part that can't be read is an error, never a guess.

use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use meterhouse_proto::round;
use meterhouse_proto::table::outcome::Outcome as WireEffect;
use meterhouse_proto::table::{self as wire, holder};

use super::{CoinInDone, Effect, HitDone, JournalPosition, Outcome, Payout, Taken};
use crate::command::Holder;
use crate::error::Unreadable;
use crate::money::Money;
use crate::round_wagers::{LinePaid, RoundSettlement, SettledSeat, SettledWager};
use crate::values::{Seat, Sequence};

pub(crate) type ReadResult<T> = Result<T, Unreadable>;

impl TryFrom<wire::Outcome> for Outcome {
    type Error = Unreadable;

    fn try_from(message: wire::Outcome) -> ReadResult<Self> {
        let effect = message
            .outcome
            .ok_or(Unreadable("the effect of the command"))?;
        Ok(Self {
            sequence: sequence(message.sequence)?,
            is_replayed: message.replayed,
            at: time(message.at_micros)?,
            journal_position: JournalPosition {
                batch: message.batch,
                position: message.position,
            },
            displayed: amounts(&message.displayed_micros)?,
            effect: self::effect(effect)?,
        })
    }
}

fn effect(message: WireEffect) -> ReadResult<Effect> {
    Ok(match message {
        WireEffect::Refused(message) => Effect::Refused {
            code: message.code,
            detail: message.detail,
            fields: message.fields.into_iter().collect(),
        },
        WireEffect::CoinIn(message) => Effect::CoinIn(coin_in(message)?),
        WireEffect::Count(message) => Effect::Count {
            chips: message.chips,
            accepted: message.accepted,
        },
        WireEffect::Fold(message) => Effect::Fold {
            seats: all(message.seats, seat)?,
        },
        WireEffect::Hit(message) => Effect::Hit(hit(message)?),
        WireEffect::Envy(message) => Effect::Envy(hit(message)?),
        WireEffect::Bonus(message) => Effect::Bonus(hit(message)?),
        WireEffect::Settle(message) => Effect::Settle {
            hits: all(message.hits, hit)?,
            settlement: message
                .settlement
                .map(settlement)
                .transpose()?
                .map(Box::new),
        },
        WireEffect::CancelHit(message) => Effect::CancelHit {
            hit: text(&message.hit)?,
        },
        WireEffect::Close(message) => Effect::Close {
            hits: all(message.hits, |name| text(&name))?,
        },
        WireEffect::Void(message) => Effect::Void {
            reason: text(&message.reason)?,
            hits: all(message.hits, |name| text(&name))?,
        },
    })
}

fn coin_in(message: wire::CoinInDone) -> ReadResult<CoinInDone> {
    let magic_card = Some(message.magic_card).filter(|text| !text.is_empty());
    Ok(CoinInDone {
        seats: all(message.seats, seat)?,
        dealer_seats: all(message.dealer_seats, seat)?,
        contribution: amounts(&message.contribution_micros)?,
        over_ceiling: amounts(&message.over_ceiling_micros)?,
        magic_card: magic_card.as_deref().map(text).transpose()?,
        lucky_position: message
            .lucky_position
            .map(|position| holder(Some(position)))
            .transpose()?,
    })
}

fn hit(message: wire::HitDone) -> ReadResult<HitDone> {
    Ok(HitDone {
        hit: text(&message.hit)?,
        round: sequence(message.round)?,
        order: message.order,
        kind: message.kind.into(),
        holder: holder(message.holder)?,
        hand: Some(message.hand).filter(|text| !text.is_empty()),
        state: message.state.into(),
        taken: message.taken.map(taken).transpose()?,
        due: amount(message.due_micros)?,
        envy_due: amount(message.envy_due_micros)?,
        payouts: all(message.payouts, payout)?,
    })
}

fn taken(message: wire::Taken) -> ReadResult<Taken> {
    Ok(Taken {
        level: message.level,
        percent: message.percent,
        before: amount(message.before_micros)?,
        after: amount(message.after_micros)?,
    })
}

pub(crate) fn payout(message: wire::Payout) -> ReadResult<Payout> {
    Ok(Payout {
        kind: message.kind.into(),
        seat: seat(message.seat)?,
        player: Some(message.player).filter(|text| !text.is_empty()),
        amount: amount(message.amount_micros)?,
        charged_to: message.charged_to.into(),
        handed_over: message.handed_over.into(),
    })
}

pub(crate) fn holder(message: Option<wire::Holder>) -> ReadResult<Holder> {
    match message.and_then(|holder| holder.holder) {
        Some(holder::Holder::Seat(number)) => seat(number).map(Holder::Seat),
        Some(holder::Holder::Dealer(wire::Dealer {})) => Ok(Holder::Dealer),
        None => Err(Unreadable("the holder of the hand")),
    }
}

pub(crate) fn all<T, U>(
    message: Vec<T>,
    read: impl FnMut(T) -> ReadResult<U>,
) -> ReadResult<Vec<U>> {
    message.into_iter().map(read).collect()
}

pub(crate) fn text<T: FromStr>(message: &str) -> ReadResult<T> {
    message.parse().map_err(|_| Unreadable("a name or a card"))
}

pub(crate) fn seat(message: u32) -> ReadResult<Seat> {
    u8::try_from(message)
        .map(Seat)
        .map_err(|_| Unreadable("a seat"))
}

pub(crate) fn sequence(message: u64) -> ReadResult<Sequence> {
    Sequence::new(message).ok_or(Unreadable("a number of a command"))
}

pub(crate) fn amount(message: i64) -> ReadResult<Money> {
    Money::from_micros(message).ok_or(Unreadable("an amount"))
}

/// Reads amounts, one for each level.
pub(crate) fn amounts(message: &[i64]) -> ReadResult<Vec<Money>> {
    message.iter().map(|micros| amount(*micros)).collect()
}

fn time(micros: i64) -> ReadResult<SystemTime> {
    let since = u64::try_from(micros).map_err(|_| Unreadable("a time"))?;
    let at = UNIX_EPOCH.checked_add(Duration::from_micros(since));
    at.ok_or(Unreadable("a time"))
}

/// Reads the settlement of an outcome.
fn settlement(message: round::Settlement) -> ReadResult<RoundSettlement> {
    let totals = message.totals.ok_or(Unreadable("the sums of a round"))?;
    let limit = message.limit;
    let limit = limit.map(|limit| Ok((amount(limit.amount_micros)?, limit.clause)));
    Ok(RoundSettlement {
        limit: limit.transpose()?,
        seats: all(message.seats, settled_seat)?,
        wagered: amount(totals.wagered_micros)?,
        collected: amount(totals.collected_micros)?,
        returned: amount(totals.returned_micros)?,
        paid: amount(totals.paid_micros)?,
    })
}

fn settled_seat(message: round::SettledSeat) -> ReadResult<SettledSeat> {
    Ok(SettledSeat {
        seat: seat(message.seat)?,
        wagers: all(message.wagers, settled_wager)?,
        chips: amount(message.chips_micros)?,
    })
}

fn settled_wager(message: round::SettledWager) -> ReadResult<SettledWager> {
    Ok(SettledWager {
        wager: message.wager,
        amount: amount(message.amount_micros)?,
        result: message.result.into(),
        clause: message.clause,
        line: message.line.map(line),
        payout: amount(message.payout_micros)?,
        paid: amount(message.paid_micros)?,
        returned: amount(message.returned_micros)?,
        collected: amount(message.collected_micros)?,
        chips: amount(message.chips_micros)?,
    })
}

fn line(message: round::LinePaid) -> LinePaid {
    LinePaid {
        table: message.table,
        citation: message.citation,
        index: message.index,
        prints: message.prints,
        pays: message.pays,
    }
}

#[cfg(test)]
mod tests;
