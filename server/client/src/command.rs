//! What a table asks for. A value of one of these types is a command that the server can read; whether the rules
//! allow it is for the rules to say.

use std::time::{SystemTime, UNIX_EPOCH};

use meterhouse_proto::table::command::Command as Asked;
use meterhouse_proto::table::{self as wire, holder};

use crate::error::TooLong;
use crate::limits::LIST_MAX;
use crate::money::Money;
use crate::values::{
    Badge, BonusKind, Cards, Hand, HitName, PlayerName, Seat, Sequence, TableName, VoidReason,
};

/// The last microsecond of the year 9999: the server reads no time after it.
const MICROS_MAX: i64 = 253_402_300_799_999_999;

/// A command with what stands beside it, ready to be kept.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a command does nothing until it is sent"]
pub struct Command {
    asked: Asked,
    badge: Option<Badge>,
    device_time: Option<SystemTime>,
}

impl Command {
    /// The same with the badge of the dealer.
    pub fn by(mut self, badge: Badge) -> Self {
        self.badge = Some(badge);
        self
    }

    /// The same with the controller's own time; without, it is the time at which the command is sent. It is evidence
    /// and never orders anything.
    pub fn at(mut self, time: SystemTime) -> Self {
        self.device_time = Some(time);
        self
    }

    /// Returns the message for a raw stream, with the table's handle on that stream and the command's number. It says
    /// no time unless the command has one.
    ///
    /// # Errors
    /// A list that is too long.
    pub fn numbered(self, handle: u32, sequence: Sequence) -> Result<wire::Command, TooLong> {
        self.addressed(handle, sequence.get())
    }

    /// The message, without handle and number.
    pub(crate) fn message(self, now: SystemTime) -> Result<wire::Command, TooLong> {
        let unnumbered = wire::Command {
            device_time_micros: micros(self.device_time.unwrap_or(now)),
            ..self.addressed(0, 0)?
        };
        Ok(unnumbered)
    }

    fn addressed(self, handle: u32, sequence: u64) -> Result<wire::Command, TooLong> {
        bounded(&self.asked)?;
        Ok(wire::Command {
            handle,
            sequence,
            device_time_micros: self.device_time.and_then(micros),
            badge: self.badge.map_or_else(String::new, |it| it.to_string()),
            command: Some(self.asked),
        })
    }
}

/// A time before 1970 or after the year 9999 is none: a wrong clock makes no command that the server can't read.
fn micros(time: SystemTime) -> Option<i64> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    let micros = i64::try_from(since.as_micros()).ok()?;
    (micros <= MICROS_MAX).then_some(micros)
}

fn bounded(asked: &Asked) -> Result<(), TooLong> {
    let lists: &[(&'static str, usize)] = match asked {
        Asked::CoinIn(it) => &[
            ("wagers", it.wagers.len()),
            ("seats dealt in", it.dealt.len()),
        ],
        Asked::Fold(it) => &[("seats that fold", it.seats.len())],
        Asked::Settle(it) => &[("seats with cards", it.seats.len())],
        Asked::Count(_)
        | Asked::Hit(_)
        | Asked::Envy(_)
        | Asked::Bonus(_)
        | Asked::CancelHit(_)
        | Asked::Close(_)
        | Asked::Void(_) => &[],
    };
    let long = lists.iter().find(|it| it.1 > LIST_MAX);
    long.map_or(Ok(()), |&(what, count)| Err(TooLong { what, count }))
}

/// The dealer locks the bets: the accepted progressive wagers of one round, and the seats that get cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinIn {
    /// The accepted progressive wagers.
    pub wagers: Vec<Wager>,
    /// Every seat that gets cards, with a progressive wager or without.
    pub dealt: Vec<Seat>,
}

/// One progressive wager, of exactly the link's amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wager {
    seat: Seat,
    amount: Money,
    on_dealer: bool,
    player: Option<PlayerName>,
}

impl Wager {
    /// A wager on the seat's own hand.
    pub const fn own(seat: Seat, amount: Money) -> Self {
        Self {
            seat,
            amount,
            on_dealer: false,
            player: None,
        }
    }

    /// A wager of a seat on the dealer's hand.
    pub const fn on_dealer(seat: Seat, amount: Money) -> Self {
        Self {
            seat,
            amount,
            on_dealer: true,
            player: None,
        }
    }

    /// The same with who sits there; seats without are different players.
    #[must_use]
    pub fn of(mut self, player: PlayerName) -> Self {
        self.player = Some(player);
        self
    }
}

/// The dealer counted the chips.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub chips: u32,
}

/// Players gave up their hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Their seats.
    pub seats: Vec<Seat>,
}

/// Whose hand it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A player's.
    Seat(Seat),
    /// The dealer's.
    Dealer,
}

/// The hand button: a winning hand, in turn order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Whose hand.
    pub holder: Holder,
    /// The hand.
    pub hand: Hand,
    /// The cards, where the table knows them: the server then evaluates them itself.
    pub cards: Option<Cards>,
}

/// A qualifying hand whose holder made no progressive wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envy {
    /// The holder.
    pub seat: Seat,
    /// The hand.
    pub hand: Hand,
    /// The cards, where the table knows them.
    pub cards: Option<Cards>,
}

/// A Magic Card or Lucky Bonus that the round's draw gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bonus {
    /// Which one.
    pub kind: BonusKind,
    /// Whose hand has the card, or sits at the position.
    pub holder: Holder,
    /// The cards of that hand, where the table knows them.
    pub cards: Option<Cards>,
}

/// The whole round from all cards: the server forms, orders and evaluates the hands itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settle {
    /// The dealer's; needed where somebody wagered on them.
    pub dealer: Cards,
    /// Those that all hands share, in games with such.
    pub community: Cards,
    /// Each seat's.
    pub seats: Vec<(Seat, Cards)>,
}

/// The hand button pressed again: the hit of this table's open round that is taken back.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CancelHit {
    /// The command that keyed it.
    pub keyed_by: Sequence,
    /// Which of that command's hits, from 1; 0 where it keyed one.
    pub number: u8,
}

impl CancelHit {
    /// The hit of this name, at our own table; nothing for a hit of another one, which alone can take it back: under
    /// the same number this table may have a hit of its own.
    pub fn named(hit: &HitName, own: &TableName) -> Option<Self> {
        (hit.table == *own).then_some(Self {
            keyed_by: hit.sequence,
            number: hit.number,
        })
    }
}

/// GAME OVER.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Close;

/// All wagers of the round go back.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Void {
    /// Why.
    pub reason: VoidReason,
}

fn seats(seats: &[Seat]) -> Vec<u32> {
    seats.iter().map(|it| u32::from(it.0)).collect()
}

fn cards(cards: Option<Cards>) -> Option<wire::Cards> {
    cards.map(|it| wire::Cards { cards: it.texts() })
}

impl From<Holder> for wire::Holder {
    fn from(holder: Holder) -> Self {
        let holder = match holder {
            Holder::Seat(seat) => holder::Holder::Seat(seat.0.into()),
            Holder::Dealer => holder::Holder::Dealer(wire::Dealer {}),
        };
        Self {
            holder: Some(holder),
        }
    }
}

impl From<Wager> for wire::Wager {
    fn from(wager: Wager) -> Self {
        Self {
            seat: wager.seat.0.into(),
            amount_micros: wager.amount.micros(),
            on_dealer: wager.on_dealer,
            player: wager.player.map_or_else(String::new, |it| it.to_string()),
        }
    }
}

macro_rules! commands {
    ($($name:ident($it:ident) => $message:expr;)+) => {$(
        impl From<$name> for Command {
            fn from($it: $name) -> Self {
                Self { asked: Asked::$name($message), badge: None, device_time: None }
            }
        }

        impl $name {
            /// The command with the badge of the dealer.
            pub fn by(self, badge: Badge) -> Command {
                Command::from(self).by(badge)
            }
        }
    )+};
}

commands! {
    CoinIn(it) => wire::CoinIn {
        wagers: it.wagers.into_iter().map(Into::into).collect(),
        dealt: seats(&it.dealt),
    };
    Count(it) => wire::Count { chips: it.chips };
    Fold(it) => wire::Fold { seats: seats(&it.seats) };
    Hit(it) => wire::Hit {
        holder: Some(it.holder.into()),
        hand: it.hand.to_string(),
        cards: cards(it.cards),
    };
    Envy(it) => wire::Envy {
        seat: it.seat.0.into(),
        hand: it.hand.to_string(),
        cards: cards(it.cards),
    };
    Bonus(it) => wire::Bonus {
        kind: it.kind.to_string(),
        holder: Some(it.holder.into()),
        cards: cards(it.cards),
    };
    Settle(it) => wire::Settle {
        dealer: it.dealer.texts(),
        community: it.community.texts(),
        seats: it
            .seats
            .into_iter()
            .map(|(seat, cards)| wire::SeatCards { seat: seat.0.into(), cards: cards.texts() })
            .collect(),
    };
    CancelHit(it) => wire::CancelHit {
        sequence: it.keyed_by.get(),
        number: it.number.into(),
    };
    Close(_it) => wire::Close {};
    Void(it) => wire::Void { reason: it.reason.to_string() };
}

#[cfg(test)]
mod tests;
