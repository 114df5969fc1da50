//! The table's round and hits as they stand on the server: what a keypad is drawn from.

use meterhouse_proto::table as wire;

use crate::command::Holder;
use crate::error::Unreadable;
use crate::money::Money;
use crate::outcome::read::{Read, all, amount, holder, payout, seat, sequence, text};
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
    /// The Magic Card of the round, where one was drawn.
    pub magic_card: Option<Card>,
    /// The lucky position of the round, where one was drawn.
    pub lucky_position: Option<Holder>,
    /// Named players by seat.
    pub players: Vec<(Seat, String)>,
    /// Its hits in the order in which they were keyed, those that were taken back included.
    pub hits: Vec<RoundHit>,
}

/// A hit of the open round, or of a closed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundHit {
    /// The hit.
    pub hit: HitName,
    /// The round: its coin-in's number.
    pub round: Sequence,
    /// Its place among all hits of the link, from 1.
    pub order: u64,
    /// What kind it is.
    pub kind: HitKind,
    /// Whose hand.
    pub holder: Holder,
    /// The hand; a bonus of the draw has none.
    pub hand: Option<String>,
    /// Its state.
    pub state: HitState,
    /// The level that it was taken from, if any.
    pub level: Option<String>,
    /// The percentage; none where fixed odds were taken from the level.
    pub percent: Option<u32>,
    /// What the line or the bonus pays now.
    pub due: Money,
    /// What the others get as envy bonus.
    pub envy_due: Money,
    /// What has to be paid to whom, numbered from 1.
    pub payouts: Vec<RoundPayout>,
}

/// A payout of a hit, and whether it was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundPayout {
    /// What has to be paid to whom.
    pub payout: Payout,
    /// Whether it was paid.
    pub is_paid: bool,
    /// The document of a payout that was paid with one.
    pub document: Option<String>,
}

impl Round {
    pub(crate) fn read(told: wire::Round) -> Read<Self> {
        let magic_card = Some(told.magic_card).filter(|card| !card.is_empty());
        let lucky = told.lucky_position;
        Ok(Self {
            sequence: sequence(told.round)?,
            seats: all(told.seats, seat)?,
            dealer_seats: all(told.dealer_seats, seat)?,
            dealt: all(told.dealt, seat)?,
            folded: all(told.folded, seat)?,
            magic_card: magic_card.as_deref().map(text).transpose()?,
            lucky_position: lucky.map(|position| holder(Some(position))).transpose()?,
            players: all(told.players, |it| Ok((seat(it.seat)?, it.player)))?,
            hits: all(told.hits, RoundHit::read)?,
        })
    }
}

impl RoundHit {
    pub(crate) fn read(told: wire::RoundHit) -> Read<Self> {
        Ok(Self {
            hit: text(&told.hit)?,
            round: sequence(told.round)?,
            order: told.order,
            kind: told.kind.into(),
            holder: holder(told.holder)?,
            hand: Some(told.hand).filter(|hand| !hand.is_empty()),
            state: told.state.into(),
            level: Some(told.level).filter(|level| !level.is_empty()),
            percent: told.percent,
            due: amount(told.due_micros)?,
            envy_due: amount(told.envy_due_micros)?,
            payouts: all(told.payouts, RoundPayout::read)?,
        })
    }
}

impl RoundPayout {
    fn read(told: wire::RoundPayout) -> Read<Self> {
        let of = told.payout.ok_or(Unreadable("what has to be paid"))?;
        Ok(Self {
            payout: payout(of)?,
            is_paid: told.paid,
            document: Some(told.document).filter(|document| !document.is_empty()),
        })
    }
}
