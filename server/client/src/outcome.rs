//! The outcome of a command: durable on the server, and sent to the controller.

pub(crate) mod read;

use std::collections::BTreeMap;
use std::time::SystemTime;

use crate::command::Holder;
use crate::money::Money;
use crate::round_wagers::RoundSettlement;
use crate::values::{Card, HitName, Seat, Sequence, VoidReason};
use crate::wire_words::response_words;

/// The outcome of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The command's number.
    pub sequence: Sequence,
    /// `true` if the server sent the outcome before, because the command was sent again.
    pub is_replayed: bool,
    /// The server's time.
    pub at: SystemTime,
    /// The position in the link's journal.
    pub journal_position: JournalPosition,
    /// The amounts displayed after the command, in the link's order of levels. Empty for a refusal.
    pub displayed: Vec<Money>,
    /// The effect of the command.
    pub effect: Effect,
}

impl Outcome {
    /// Returns `true` if the rules accepted the command.
    pub const fn is_accepted(&self) -> bool {
        !matches!(self.effect, Effect::Refused { .. })
    }
}

/// A position in a link's journal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JournalPosition {
    /// The number of the batch.
    pub batch: u64,
    /// The index in the batch, from 0.
    pub position: u32,
}

/// The effect of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A refusal by the rules. The number is used up nevertheless.
    Refused {
        /// The stable code.
        code: String,
        /// The server's explanation, for people.
        detail: String,
        /// The details of the refusal: field and value.
        fields: BTreeMap<String, String>,
    },
    /// The round is locked.
    CoinIn(CoinInDone),
    /// The chips were counted.
    Count {
        /// The chips.
        chips: u32,
        /// The wagers that the coin-in accepted. If the two numbers differ, the floor has to check.
        accepted: u32,
    },
    /// Seats gave up their hands.
    Fold {
        /// The seats that folded.
        seats: Vec<Seat>,
    },
    /// A hit was keyed.
    Hit(HitDone),
    /// A hand without a wager was keyed.
    Envy(HitDone),
    /// A bonus of the draw was keyed.
    Bonus(HitDone),
    /// The round was settled from its cards.
    Settle {
        /// The hits in turn order, each as if it had been keyed alone. Empty if there was no winner.
        hits: Vec<HitDone>,
        /// The settled fixed wagers, if the command had any.
        settlement: Option<Box<RoundSettlement>>,
    },
    /// A hit was taken back.
    CancelHit {
        /// The name of the hit.
        hit: HitName,
    },
    /// The round is over.
    Close {
        /// Hits whose remaining payouts were paid with it.
        hits: Vec<HitName>,
    },
    /// The round is void.
    Void {
        /// The reason.
        reason: VoidReason,
        /// The round's own hits that were reversed first, newest first.
        hits: Vec<HitName>,
    },
}

/// The result of an accepted coin-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinInDone {
    /// The seats to light: those with an accepted wager on the own hand.
    pub seats: Vec<Seat>,
    /// Seats with an accepted wager on the dealer's hand.
    pub dealer_seats: Vec<Seat>,
    /// The contribution of the wagers to each level's meter.
    pub contribution: Vec<Money>,
    /// The part of each meter that the level's ceiling then kept out. Empty if there was none.
    pub over_ceiling: Vec<Money>,
    /// The Magic Card of the round, if one was drawn.
    pub magic_card: Option<Card>,
    /// The lucky position of the round, if one was drawn.
    pub lucky_position: Option<Holder>,
}

/// A hit that was keyed. Its amount is locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitDone {
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
    /// The state: pending if a person has to decide.
    pub state: HitState,
    /// The amount taken from a level. `None` if a fixed pay was not charged to a level.
    pub taken: Option<Taken>,
    /// The pay of the line or the bonus.
    pub due: Money,
    /// The envy bonus of the other players.
    pub envy_due: Money,
    /// The payouts, numbered from 1.
    pub payouts: Vec<Payout>,
}

/// An amount that a hit took from a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The name of the level.
    pub level: String,
    /// The percentage. `None` if fixed odds were taken from the level.
    pub percent: Option<u32>,
    /// The exact balance of the level before the hit.
    pub before: Money,
    /// The exact balance after the hit, restarted if the level was won.
    pub after: Money,
}

/// A payout of a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payout {
    /// The reason for the payout.
    pub kind: PayoutKind,
    /// The seat that the payout is recorded on: a player's first in turn order.
    pub seat: Seat,
    /// The player's name, if the table sent it.
    pub player: Option<String>,
    /// The amount.
    pub amount: Money,
    /// The account that bears the payout.
    pub charged_to: ChargedTo,
    /// The way the payout is handed over.
    pub handed_over: HandedOver,
}

response_words! {
    /// The kind of a hit.
    HitKind {
        /// A line of the paytable.
        Line = "line",
        /// A hand without a wager, for the others' envy bonus.
        Envy = "envy",
        /// The drawn card.
        MagicCard = "magic_card",
        /// The drawn position.
        LuckyBonus = "lucky_bonus",
    }

    /// The state of a hit.
    HitState {
        /// A person has to decide.
        Pending = "pending",
        /// No person has to decide.
        ValidatedByRule = "validated_by_rule",
        /// A person validated it.
        Validated = "validated",
        /// Every payout was paid.
        Paid = "paid",
        /// The table took it back.
        Cancelled = "cancelled",
        /// A person rejected it.
        Rejected = "rejected",
        /// Its round is void.
        Void = "void",
        /// Two people withdrew it.
        Withdrawn = "withdrawn",
    }

    /// The reason for a payout.
    PayoutKind {
        /// A line of the paytable.
        Line = "line",
        /// An envy bonus.
        Envy = "envy",
        /// A bonus of the draw.
        Bonus = "bonus",
        /// The addition of a correction.
        Supplement = "supplement",
    }

    /// The account that bears a payout.
    ChargedTo {
        /// The level's meter.
        Meter = "meter",
        /// The house.
        House = "house",
    }

    /// The way a payout is handed over.
    HandedOver {
        /// With the documentation of a jackpot payout.
        Slip = "slip",
        /// From the table's tray.
        Rack = "rack",
        /// To the player's account of the electronic wagering system.
        GameAccount = "game_account",
    }
}
