//! The commands of a table. The server can read every value of these types. The rules on the server accept or refuse
//! the command.

use std::time::{SystemTime, UNIX_EPOCH};

use meterhouse_proto::table::command::Command as WireCommand;
use meterhouse_proto::table::{self as wire, holder};

use crate::error::TooLong;
use crate::limits::LIST_MAX;
use crate::money::Money;
use crate::round_wagers::{self, RoundWagers};
use crate::values::{
    Badge, BonusKind, Cards, Hand, HitName, PlayerName, Seat, Sequence, TableName, VoidReason,
};

/// The last microsecond of the year 9999. The server reads no later time.
const MICROS_MAX: i64 = 253_402_300_799_999_999;

/// A command with its badge and time, ready to be stored.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a command does nothing until it is sent"]
pub struct Command {
    content: WireCommand,
    badge: Option<Badge>,
    device_time: Option<SystemTime>,
    traceparent: String,
}

impl Command {
    /// Adds the badge of the dealer.
    pub fn by(mut self, badge: Badge) -> Self {
        self.badge = Some(badge);
        self
    }

    /// Adds the controller's own time. By default, it is the time at which the command is stored. The time is evidence
    /// and never orders anything.
    pub fn at(mut self, time: SystemTime) -> Self {
        self.device_time = Some(time);
        self
    }

    /// Adds the trace to which the command belongs, in the form of the W3C header `traceparent`. The server continues a
    /// trace that is sampled, and ignores a text of another form.
    pub fn traced(mut self, traceparent: impl Into<String>) -> Self {
        self.traceparent = traceparent.into();
        self
    }

    /// Returns the message for a raw stream, with the table's handle on the stream and the command's number. The
    /// message has a time only if the command has one.
    ///
    /// # Errors
    /// A list is too long.
    pub fn numbered(self, handle: u32, sequence: Sequence) -> Result<wire::Command, TooLong> {
        self.into_wire(handle, sequence.get())
    }

    /// Returns the message without handle and number.
    pub(crate) fn message(self, now: SystemTime) -> Result<wire::Command, TooLong> {
        let unnumbered = wire::Command {
            device_time_micros: micros(self.device_time.unwrap_or(now)),
            ..self.into_wire(0, 0)?
        };
        Ok(unnumbered)
    }

    fn into_wire(self, handle: u32, sequence: u64) -> Result<wire::Command, TooLong> {
        check_lists(&self.content)?;
        Ok(wire::Command {
            handle,
            sequence,
            device_time_micros: self.device_time.and_then(micros),
            badge: self
                .badge
                .map_or_else(String::new, |badge| badge.to_string()),
            traceparent: self.traceparent,
            command: Some(self.content),
        })
    }
}

/// Returns `None` for a time before 1970 or after the year 9999. A wrong clock then can't make a command that the
/// server can't read.
fn micros(time: SystemTime) -> Option<i64> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    let micros = i64::try_from(since.as_micros()).ok()?;
    (micros <= MICROS_MAX).then_some(micros)
}

fn check_lists(content: &WireCommand) -> Result<(), TooLong> {
    let lists: &[(&'static str, usize)] = match content {
        WireCommand::CoinIn(coin_in) => &[
            ("wagers", coin_in.wagers.len()),
            ("seats dealt in", coin_in.dealt.len()),
        ],
        WireCommand::Fold(fold) => &[("seats that fold", fold.seats.len())],
        WireCommand::Settle(settle) => &[("seats with cards", settle.seats.len())],
        WireCommand::Count(_)
        | WireCommand::Hit(_)
        | WireCommand::Envy(_)
        | WireCommand::Bonus(_)
        | WireCommand::CancelHit(_)
        | WireCommand::Close(_)
        | WireCommand::Void(_) => &[],
    };
    let long = lists.iter().find(|(_, count)| *count > LIST_MAX);
    long.map_or(Ok(()), |&(what, count)| {
        let most = LIST_MAX;
        Err(TooLong { what, count, most })
    })?;
    match content {
        WireCommand::Settle(wire::Settle {
            wagers: Some(wagers),
            ..
        }) => round_wagers::check_lists(wagers),
        _ => Ok(()),
    }
}

/// A coin-in: the accepted progressive wagers of one round, and the seats that get cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinIn {
    /// The accepted progressive wagers.
    pub wagers: Vec<Wager>,
    /// Every seat that gets cards, with a progressive wager or without.
    pub dealt: Vec<Seat>,
}

/// A progressive wager, of exactly the link's amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wager {
    seat: Seat,
    amount: Money,
    on_dealer: bool,
    player: Option<PlayerName>,
}

impl Wager {
    /// Creates a wager on the seat's own hand.
    pub const fn own(seat: Seat, amount: Money) -> Self {
        Self {
            seat,
            amount,
            on_dealer: false,
            player: None,
        }
    }

    /// Creates a wager of a seat on the dealer's hand.
    pub const fn on_dealer(seat: Seat, amount: Money) -> Self {
        Self {
            seat,
            amount,
            on_dealer: true,
            player: None,
        }
    }

    /// Adds the player's name. Seats without a name are different players.
    #[must_use]
    pub fn of(mut self, player: PlayerName) -> Self {
        self.player = Some(player);
        self
    }
}

/// A count of the chips by the dealer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number of chips.
    pub chips: u32,
}

/// A fold: players give up their hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The seats that fold.
    pub seats: Vec<Seat>,
}

/// The holder of a hand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The player on a seat.
    Seat(Seat),
    /// The dealer.
    Dealer,
}

/// A press of the hand button: a winning hand, in turn order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The holder of the hand.
    pub holder: Holder,
    /// The hand.
    pub hand: Hand,
    /// The cards, if the table knows them. The server then evaluates them itself.
    pub cards: Option<Cards>,
}

/// A qualifying hand whose holder made no progressive wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envy {
    /// The seat of the holder.
    pub seat: Seat,
    /// The hand.
    pub hand: Hand,
    /// The cards, if the table knows them.
    pub cards: Option<Cards>,
}

/// A Magic Card or Lucky Bonus of the round's draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bonus {
    /// The kind of bonus.
    pub kind: BonusKind,
    /// The holder of the drawn card, or the seat at the drawn position.
    pub holder: Holder,
    /// The cards of the holder's hand, if the table knows them.
    pub cards: Option<Cards>,
}

/// A settlement of the whole round from all cards. The server forms, orders and evaluates the hands itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settle {
    /// The dealer's cards. They are needed if a player wagered on the dealer's hand.
    pub dealer: Cards,
    /// The cards that all hands share, in games with community cards.
    pub community: Cards,
    /// The cards of each seat.
    pub seats: Vec<(Seat, Cards)>,
    /// The fixed wagers of the round. A server that does not know them ignores them and sends no settlement.
    pub wagers: Option<RoundWagers>,
}

/// A second press of the hand button: a hit of this table's open round is taken back.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CancelHit {
    /// The number of the command that keyed the hit.
    pub keyed_by: Sequence,
    /// The index among that command's hits, from 1. 0 if the command keyed one hit.
    pub number: u8,
}

impl CancelHit {
    /// Returns the cancellation of a hit of the own table. Returns `None` for a hit of another table, which alone can
    /// take it back. Under the same number, this table may have a hit of its own.
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

/// A void round: all wagers go back.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Void {
    /// The reason.
    pub reason: VoidReason,
}

fn seats(seats: &[Seat]) -> Vec<u32> {
    seats.iter().map(|seat| u32::from(seat.0)).collect()
}

fn cards(cards: Option<Cards>) -> Option<wire::Cards> {
    cards.map(|cards| wire::Cards {
        cards: cards.texts(),
    })
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
            player: wager
                .player
                .map_or_else(String::new, |player| player.to_string()),
        }
    }
}

macro_rules! commands {
    ($($name:ident($it:ident) => $message:expr;)+) => {$(
        impl From<$name> for Command {
            fn from($it: $name) -> Self {
                Self {
                    content: WireCommand::$name($message),
                    badge: None,
                    device_time: None,
                    traceparent: String::new(),
                }
            }
        }

        impl $name {
            /// Returns the command with the badge of the dealer.
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
        wagers: it.wagers.map(|wagers| Box::new(wagers.into())),
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
