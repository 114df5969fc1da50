//! A round as it was played: cards, wagers and decisions.

use crate::card::Card;
use crate::fixed::limit::LimitReading;
use crate::fixed::wager::FixedWager;
use crate::ids::{GameName, PlayerName};
use crate::money::Money;
use crate::paytable::words;
use crate::seat::Seat;

/// A round to settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// Game, such as `cajun-stud`.
    pub game: GameName,
    /// Code of the jurisdiction: `PA` or `MA`.
    pub jurisdiction: String,
    /// Terms of the table.
    pub terms: TableTerms,
    /// Dealer's cards, in the order of dealing; empty if the game has none.
    pub dealer: Vec<Card>,
    /// Community cards, in the order of dealing; empty if the game has none.
    pub community: Vec<Card>,
    /// Cards of the Six Card Bonus or the All-Six Bonus; empty if that wager was not placed.
    pub bonus: Vec<Card>,
    /// Hands dealt, in any order.
    pub seats: Vec<SeatPlayed>,
    /// Irregularity that made the round void, if any.
    pub void: Option<Irregularity>,
}

/// The terms that a certificate holder sets at a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TableTerms {
    /// Least amount of a required wager.
    pub minimum: Money,
    /// Smallest chip: every wager is a multiple of it.
    pub step: Money,
    /// Payout limit of the Rules Submission, if any.
    pub limit: Option<Money>,
    /// Reading of a limit whose clause has two.
    pub reading: Option<LimitReading>,
    /// Most that one patron can win in a round at the minimum wager, where the tables don't give it.
    pub most_at_minimum: Option<Money>,
}

/// The cards, wagers and decisions of one betting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatPlayed {
    /// Betting position.
    pub seat: Seat,
    /// Player, if known: seats with one name are one player, seats without a name are different players.
    pub player: Option<PlayerName>,
    /// Player's own cards, in the order of dealing.
    pub cards: Vec<Card>,
    /// Wagers placed, in any order.
    pub wagers: Vec<PlacedWager>,
    /// End of the player's part in the round.
    pub end: SeatEnd,
}

/// A wager with its amount.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlacedWager {
    /// Wager.
    pub wager: FixedWager,
    /// Amount.
    pub amount: Money,
}

words! {
    /// The end of a player's part in a round.
    SeatEnd {
        /// The player placed every wager that keeps the hand in the round.
        Stayed = 1 "stayed",
        /// The player folded.
        Folded = 2 "folded",
        /// The player left the table, and the certificate holder treats the wagers as losing (§ 657a.7(b)).
        Left = 3 "left",
    }

    /// An irregularity that makes a round void.
    Irregularity {
        /// More than one card was found face up in the shoe or the deck (§ 657a.13(a)).
        CardsFaceUp = 1 "cards-face-up",
        /// A hand, or the community's area, was dealt a wrong number of cards (§ 657a.13(c)).
        WrongNumberOfCards = 2 "wrong-number-of-cards",
        /// A card of the dealer or of the community was exposed too early (§ 657a.13(d)).
        ExposedEarly = 3 "exposed-early",
        /// The automated dealing shoe jammed (§ 657a.13(f)).
        ShoeJammed = 4 "shoe-jammed",
        /// The count of the stub was wrong (§ 657a.8(h)).
        WrongStub = 5 "wrong-stub",
    }
}
