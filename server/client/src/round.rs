//! The table's round and hits, as the server has them. A keypad is drawn from them.

use meterhouse_proto::table as wire;

use crate::command::Holder;
use crate::error::Unreadable;
use crate::money::Money;
use crate::outcome::read::{ReadResult, all, amount, holder, payout, seat, sequence, text};
use crate::outcome::{HitKind, HitState, Payout};
use crate::values::{Card, HitName, Seat, Sequence};

/// An open round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of its coin-in.
    pub sequence: Sequence,
    /// The seats that are lit: the server accepted a wager on their own hand.
    pub seats: Vec<Seat>,
    /// Seats with an accepted wager on the dealer's hand.
    pub dealer_seats: Vec<Seat>,
    /// Seats that got cards.
    pub dealt: Vec<Seat>,
    /// Seats that folded.
    pub folded: Vec<Seat>,
    /// The Magic Card of the round, if one was drawn.
    pub magic_card: Option<Card>,
    /// The lucky position of the round, if one was drawn.
    pub lucky_position: Option<Holder>,
    /// Named players by seat.
    pub players: Vec<(Seat, String)>,
    /// The hits in the order in which they were keyed, including those that were taken back.
    pub hits: Vec<RoundHit>,
}

/// A hit of the open round, or of a closed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundHit {
    /// The name of the hit.
    pub hit: HitName,
    /// The round: its coin-in's number.
    pub round: Sequence,
    /// The number of the hit among all hits of the link, from 1.
    pub order: u64,
    /// The kind of hit.
    pub kind: HitKind,
    /// The holder of the hand.
    pub holder: Holder,
    /// The hand. A bonus of the draw has none.
    pub hand: Option<String>,
    /// The state of the hit.
    pub state: HitState,
    /// The level that the amount was taken from, if any.
    pub level: Option<String>,
    /// The percentage. `None` if fixed odds were taken from the level.
    pub percent: Option<u32>,
    /// The current pay of the line or the bonus.
    pub due: Money,
    /// The envy bonus of the other players.
    pub envy_due: Money,
    /// The payouts, numbered from 1.
    pub payouts: Vec<RoundPayout>,
}

/// A payout of a hit, paid or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundPayout {
    /// The payout.
    pub payout: Payout,
    /// `true` if the payout was paid.
    pub is_paid: bool,
    /// The document with which the payout was paid, if there is one.
    pub document: Option<String>,
}

impl Round {
    pub(crate) fn read(message: wire::Round) -> ReadResult<Self> {
        let magic_card = Some(message.magic_card).filter(|card| !card.is_empty());
        let lucky = message.lucky_position;
        Ok(Self {
            sequence: sequence(message.round)?,
            seats: all(message.seats, seat)?,
            dealer_seats: all(message.dealer_seats, seat)?,
            dealt: all(message.dealt, seat)?,
            folded: all(message.folded, seat)?,
            magic_card: magic_card.as_deref().map(text).transpose()?,
            lucky_position: lucky.map(|position| holder(Some(position))).transpose()?,
            players: all(message.players, |player| {
                Ok((seat(player.seat)?, player.player))
            })?,
            hits: all(message.hits, RoundHit::read)?,
        })
    }
}

impl RoundHit {
    pub(crate) fn read(message: wire::RoundHit) -> ReadResult<Self> {
        Ok(Self {
            hit: text(&message.hit)?,
            round: sequence(message.round)?,
            order: message.order,
            kind: message.kind.into(),
            holder: holder(message.holder)?,
            hand: Some(message.hand).filter(|hand| !hand.is_empty()),
            state: message.state.into(),
            level: Some(message.level).filter(|level| !level.is_empty()),
            percent: message.percent,
            due: amount(message.due_micros)?,
            envy_due: amount(message.envy_due_micros)?,
            payouts: all(message.payouts, RoundPayout::read)?,
        })
    }
}

impl RoundPayout {
    fn read(message: wire::RoundPayout) -> ReadResult<Self> {
        let content = message.payout.ok_or(Unreadable("the payout"))?;
        Ok(Self {
            payout: payout(content)?,
            is_paid: message.paid,
            document: Some(message.document).filter(|document| !document.is_empty()),
        })
    }
}
