//! The JSON of the HTTP API, as far as a controller and a supervisor need it: what is sent complete, what is
//! answered without the fields that nobody here reads.

use serde::{Deserialize, Serialize};

use crate::deal::Five;
use crate::script::{Holder, Keyed, On, Wager};

/// How a payout is handed over that needs a document.
const SLIP: &str = "slip";

/// A numbered command with the badge of the dealer.
#[derive(Debug, Serialize)]
pub(crate) struct Message<'a> {
    /// What the table asks for.
    #[serde(flatten)]
    pub(crate) command: &'a Command,
    /// Who is at the table.
    pub(crate) by: &'a str,
}

/// What a table asks for.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Command {
    /// The dealer locks the bets.
    CoinIn {
        /// The wagers.
        wagers: Vec<WagerSent>,
        /// The seats that get cards.
        dealt: Vec<u8>,
    },
    /// The dealer counted the chips.
    Count {
        /// How many.
        chips: u32,
    },
    /// Players gave up their hands.
    Fold {
        /// Their seats.
        seats: Vec<u8>,
    },
    /// A winning hand.
    Hit(HitSent),
    /// A hand without a wager that gives envy.
    Envy(HitSent),
    /// The button pressed again.
    CancelHit {
        /// The hit.
        hit: String,
    },
    /// GAME OVER.
    Close {},
    /// All wagers of the round go back.
    Void {
        /// Why.
        reason: &'static str,
    },
}

/// One wager.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WagerSent {
    seat: u8,
    amount: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
}

/// A hand with its button.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HitSent {
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealer: Option<bool>,
    hand: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<String>>,
}

impl WagerSent {
    /// A wager of this amount.
    pub(crate) fn new(wager: &Wager, amount: &str) -> Self {
        Self {
            seat: wager.seat,
            amount: amount.to_owned(),
            on: (wager.on == On::Dealer).then_some("dealer"),
            player: wager.player.clone(),
        }
    }
}

impl Command {
    /// The command of a keyed hand.
    pub(crate) fn keyed(keyed: &Keyed) -> Self {
        let pressed = |seat, dealer| HitSent {
            seat,
            dealer,
            hand: keyed.hand.name(),
            cards: keyed
                .cards
                .map(|cards: Five| cards.map(|card| card.to_string()).to_vec()),
        };
        match keyed.holder {
            Holder::Seat(seat) => Self::Hit(pressed(Some(seat), None)),
            Holder::Dealer => Self::Hit(pressed(None, Some(true))),
            Holder::Envy(seat) => Self::Envy(pressed(Some(seat), None)),
        }
    }
}

/// A hit as the floor sees it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Hit {
    /// Its name: `C4P-07.4713`.
    #[serde(rename = "hit")]
    pub(crate) name: String,
    /// The table.
    pub(crate) table: String,
    /// The badge that keyed it.
    pub(crate) keyed_by: Option<String>,
    /// The cards that the dealer sent.
    pub(crate) cards: Option<Vec<String>>,
    /// Its payouts.
    pub(crate) payouts: Vec<Payout>,
}

/// One payout of a hit as the floor sees it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Payout {
    /// Its number, from 1.
    #[serde(rename = "payout")]
    pub(crate) number: u32,
    /// `slip`, `rack` or `game_account`.
    handed_over: String,
    /// Whether and how it was paid.
    paid: Paid,
}

/// Whether and how a payout was paid.
#[derive(Clone, Debug, Deserialize)]
struct Paid {
    /// When; nothing while it waits.
    at: Option<String>,
}

/// A page of hits.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Hits {
    /// The hits.
    pub(crate) hits: Vec<Hit>,
}

impl Hit {
    /// The payouts that wait for a document.
    pub(crate) fn undocumented(&self) -> impl Iterator<Item = &Payout> {
        self.payouts
            .iter()
            .filter(|it| it.handed_over == SLIP && it.paid.at.is_none())
    }
}

/// Where a hit stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HitState {
    /// Waits for a supervisor.
    Pending,
    /// Needs none.
    ValidatedByRule,
    /// A supervisor validated it.
    Validated,
    /// Every payout reached its player.
    Paid,
    /// The button was pressed again.
    Cancelled,
    /// A supervisor rejected it.
    Rejected,
    /// Its round is void.
    Void,
}

/// A table as it stands: what a controller needs to resume.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Table {
    /// The last number it used.
    pub(crate) last_sequence: u64,
    /// The open round, if there is one.
    pub(crate) round: Option<OpenRound>,
}

/// A round that is open.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct OpenRound {
    /// Its hits, in the order in which they were keyed.
    pub(crate) hits: Vec<RoundHit>,
}

/// A hit as its dealer sees it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RoundHit {
    /// Its name.
    #[serde(rename = "hit")]
    pub(crate) name: String,
    /// Where it stands.
    pub(crate) state: HitState,
    /// Its payouts.
    pub(crate) payouts: Vec<RoundPayout>,
}

/// One payout of a hit as its dealer sees it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RoundPayout {
    /// How much, in dollars.
    pub(crate) amount: String,
    /// `slip`, `rack` or `game_account`.
    handed_over: String,
    /// The document with which it was paid.
    document: Option<String>,
}

impl RoundHit {
    /// Whether nothing of it is in the way of GAME OVER.
    pub(crate) fn is_settled(&self) -> bool {
        let documented = |it: &RoundPayout| it.handed_over != SLIP || it.document.is_some();
        match self.state {
            HitState::Pending => false,
            HitState::ValidatedByRule | HitState::Validated => self.payouts.iter().all(documented),
            HitState::Paid | HitState::Cancelled | HitState::Rejected | HitState::Void => true,
        }
    }

    /// Whether it is to be paid or was.
    pub(crate) const fn is_standing(&self) -> bool {
        match self.state {
            HitState::Pending
            | HitState::ValidatedByRule
            | HitState::Validated
            | HitState::Paid => true,
            HitState::Cancelled | HitState::Rejected | HitState::Void => false,
        }
    }
}
