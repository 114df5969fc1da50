//! What became of a command: durable on the server, told to the controller.

pub(crate) mod read;

use std::collections::BTreeMap;
use std::time::SystemTime;

use crate::command::Holder;
use crate::money::Money;
use crate::values::{Card, HitName, Seat, Sequence, VoidReason};
use crate::words::heard;

/// What became of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The command's number.
    pub sequence: Sequence,
    /// Whether the server had told it before: the command was sent again.
    pub is_replayed: bool,
    /// The server's time.
    pub at: SystemTime,
    /// Where it stands in the link's journal.
    pub place: Place,
    /// What the levels show right after it, in the link's order; empty for a refusal.
    pub displayed: Vec<Money>,
    /// What the command did.
    pub effect: Effect,
}

impl Outcome {
    /// Whether the rules accepted the command.
    pub const fn is_accepted(&self) -> bool {
        !matches!(self.effect, Effect::Refused { .. })
    }
}

/// A place in a link's journal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The batch.
    pub batch: u64,
    /// The place in the batch, from 0.
    pub position: u32,
}

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The rules said no; the number is used up all the same.
    Refused {
        /// The stable code.
        code: String,
        /// What it says, for people.
        detail: String,
        /// What it is about: field and value.
        fields: BTreeMap<String, String>,
    },
    /// The round is locked.
    CoinIn(CoinInDone),
    /// The chips were counted.
    Count {
        /// The chips.
        chips: u32,
        /// The wagers that the coin-in accepted. Where the two differ, the floor has to look.
        accepted: u32,
    },
    /// Seats gave up their hands.
    Fold {
        /// Which.
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
        /// Its hits in turn order, each as if it had been keyed by itself; none where nobody won.
        hits: Vec<HitDone>,
    },
    /// A hit was taken back.
    CancelHit {
        /// Which.
        hit: HitName,
    },
    /// The round is over.
    Close {
        /// Hits whose remaining payouts were paid with it.
        hits: Vec<HitName>,
    },
    /// The round is void.
    Void {
        /// Why.
        reason: VoidReason,
        /// The round's own hits that were reversed first, newest first.
        hits: Vec<HitName>,
    },
}

/// The round is locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinInDone {
    /// The seats that are lit: an accepted wager on the own hand.
    pub seats: Vec<Seat>,
    /// Seats with an accepted wager on the dealer's hand.
    pub dealer_seats: Vec<Seat>,
    /// What the wagers added to each level's meter.
    pub contribution: Vec<Money>,
    /// What of each meter the level's ceiling then kept out; empty where nothing was.
    pub over_ceiling: Vec<Money>,
    /// The Magic Card of the round, where one was drawn.
    pub magic_card: Option<Card>,
    /// The lucky position of the round, where one was drawn.
    pub lucky_position: Option<Holder>,
}

/// A hit was keyed, its amount is locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitDone {
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
    /// Whether a person has to decide.
    pub state: HitState,
    /// What it took from a level; nothing where a fixed pay was not charged to one.
    pub taken: Option<Taken>,
    /// What the line or the bonus pays.
    pub due: Money,
    /// What the others get as envy bonus.
    pub envy_due: Money,
    /// What has to be paid to whom, numbered from 1.
    pub payouts: Vec<Payout>,
}

/// What a hit took from a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The level's name.
    pub level: String,
    /// The percentage; none where fixed odds were taken from the level.
    pub percent: Option<u32>,
    /// The level's exact balance before.
    pub before: Money,
    /// And after, restarted where it was won.
    pub after: Money,
}

/// One payout of a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payout {
    /// What for.
    pub kind: PayoutKind,
    /// The seat it is recorded on: a player's first in turn order.
    pub seat: Seat,
    /// Who sits there, where the table said so.
    pub player: Option<String>,
    /// How much.
    pub amount: Money,
    /// Who bears it.
    pub charged_to: ChargedTo,
    /// How it is handed over.
    pub handed_over: HandedOver,
}

heard! {
    /// What kind of hit it is.
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
        /// Until a person decides.
        Pending = "pending",
        /// No person has to look.
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

    /// What a payout is for.
    PayoutKind {
        /// A line of the paytable.
        Line = "line",
        /// An envy bonus.
        Envy = "envy",
        /// A bonus of the draw.
        Bonus = "bonus",
        /// What a correction adds.
        Supplement = "supplement",
    }

    /// Who bears a payout.
    ChargedTo {
        /// The level's meter.
        Meter = "meter",
        /// The house.
        House = "house",
    }

    /// How a payout is handed over.
    HandedOver {
        /// With the documentation of a jackpot payout.
        Slip = "slip",
        /// From the table's tray.
        Rack = "rack",
        /// To the player's account of the electronic wagering system.
        GameAccount = "game_account",
    }
}
