//! Fixed wagers of a round, which a table sends with the cards of [`Settle`](crate::Settle), and their settlement.

use meterhouse_proto::round;
use meterhouse_proto::table as wire;

use crate::error::TooLong;
use crate::limits::{HAND_CARDS_MAX, ROUND_SEATS_MAX, ROUND_TABLES_MAX, SEAT_WAGERS_MAX};
use crate::money::Money;
use crate::values::{Cards, PaytableId, PlayerName, Seat};
use crate::wire_words::{request_words, response_words};

/// The fixed wagers of a round. They are settled from the cards beside them, and move no account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundWagers {
    /// The jurisdiction of the link's paytable.
    pub jurisdiction: Jurisdiction,
    /// The terms of the table.
    pub terms: TableTerms,
    /// The tables that pay the wagers. Tables of other games and for other numbers of players are left aside.
    pub tables: Vec<PaytableId>,
    /// The cards of the Six Card Bonus or the All-Six Bonus, if that wager was placed.
    pub bonus: Cards,
    /// Every seat that was dealt in.
    pub seats: Vec<SeatWagers>,
}

/// The terms that the operator sets at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableTerms {
    /// The least amount of a required wager.
    pub minimum: Money,
    /// The smallest chip: every wager is a multiple of it.
    pub step: Money,
    /// The payout limit of the Rules Submission.
    pub limit: Option<Money>,
    /// The reading of the limit, if its clause has two.
    pub reading: Option<LimitReading>,
    /// The most that one patron can win in a round at the minimum wager, if the tables don't give it.
    pub most_at_minimum: Option<Money>,
}

/// The fixed wagers and decisions of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatWagers {
    /// The seat.
    pub seat: Seat,
    /// The player: the coin-in's, if it named one.
    pub player: Option<PlayerName>,
    /// The end of the player's part in the round.
    pub end: SeatEnd,
    /// The wagers with their amounts.
    pub wagers: Vec<(FixedWager, Money)>,
}

request_words! {
    /// A jurisdiction whose chapters settle rounds.
    Jurisdiction {
        /// Pennsylvania.
        Pennsylvania = "PA",
        /// Massachusetts.
        Massachusetts = "MA",
    }

    /// A reading of a payout limit whose clause has two.
    LimitReading {
        /// The wagers that the clause names.
        Named = "named",
        /// All wagers of the subsections that the clause names.
        Subsections = "subsections",
    }

    /// The end of a player's part in a round.
    SeatEnd {
        /// The player placed every wager that keeps the hand in the round.
        Stayed = "stayed",
        /// The player folded, and the table sent a fold of the seat.
        Folded = "folded",
        /// The player left the table.
        Left = "left",
    }

    /// A wager at fixed odds.
    FixedWager {
        /// The Ante Wager.
        Ante = "ante",
        /// The Play Wager.
        Play = "play",
        /// The Super Bonus Wager.
        SuperBonus = "super-bonus",
        /// The Queens Up Wager.
        QueensUp = "queens-up",
        /// The Six Card Bonus Wager.
        SixCardBonus = "six-card-bonus",
        /// The Cover All Bonus Wager.
        CoverAll = "cover-all",
        /// The Raise Wager of Four Card Frenzy.
        Raise = "raise",
        /// Cajun Stud's Raise Wager after two cards.
        FirstRaise = "raise-1",
        /// Cajun Stud's Raise Wager after the first community card.
        SecondRaise = "raise-2",
        /// Cajun Stud's Raise Wager after the second community card.
        ThirdRaise = "raise-3",
        /// The Pocket Bonus Wager.
        PocketBonus = "pocket-bonus",
        /// The Board Bonus Wager.
        BoardBonus = "board-bonus",
        /// The Lo Ball Wager.
        LoBall = "lo-ball",
        /// The All-Six Bonus Wager.
        AllSix = "all-six",
        /// The Odds Wager.
        Odds = "odds",
        /// The Prime Wager.
        Prime = "prime",
        /// The Four Card Bonus Wager.
        FourCardBonus = "four-card-bonus",
        /// The Blind Wager.
        Blind = "blind",
        /// The Trips Wager.
        Trips = "trips",
        /// The Bad Beat Bonus Wager.
        BadBeatBonus = "bad-beat",
        /// The Flop Wager.
        Flop = "flop",
        /// The Turn Wager.
        Turn = "turn",
        /// The River Wager.
        River = "river",
        /// The Texas Hold 'Em Bonus Wager.
        TexasHoldEmBonus = "texas-hold-em-bonus",
        /// The first of the three Let It Ride Poker Wagers.
        FirstLetItRide = "let-it-ride-1",
        /// The second of the three Let It Ride Poker Wagers.
        SecondLetItRide = "let-it-ride-2",
        /// The third of the three Let It Ride Poker Wagers.
        ThirdLetItRide = "let-it-ride-3",
        /// The Five Card Bonus Wager.
        FiveCardBonus = "five-card-bonus",
        /// The Three Card Bonus Wager.
        ThreeCardBonus = "three-card-bonus",
        /// The 3rd Street Wager.
        ThirdStreet = "third-street",
        /// The 4th Street Wager.
        FourthStreet = "fourth-street",
        /// The 5th Street Wager.
        FifthStreet = "fifth-street",
        /// The Aces Up Wager.
        AcesUp = "aces-up",
        /// The Pair Bonus Wager.
        PairBonus = "pair-bonus",
        /// The Trips Plus Wager.
        TripsPlus = "trips-plus",
        /// A wager on three dice, other than One of a Kind.
        SicBo = "sic-bo",
        /// The One of a Kind Wager on three dice.
        OneOfAKind = "one-of-a-kind",
        /// The Touchdown Roulette Wager.
        Touchdown = "touchdown",
    }
}

response_words! {
    /// The result of a wager.
    WagerResult {
        /// The house pays the wager.
        Win = "win",
        /// The dealer collects the wager.
        Loss = "loss",
        /// The wager goes back to the player.
        Push = "push",
        /// The round is void, and the wager goes back to the player.
        Returned = "returned",
    }
}

/// The settled fixed wagers of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundSettlement {
    /// The payout limit in force with its clause, if there is one.
    pub limit: Option<(Money, String)>,
    /// The seats in turn order: from the dealer's right, counterclockwise.
    pub seats: Vec<SettledSeat>,
    /// The amounts placed.
    pub wagered: Money,
    /// The wagers that the dealer collects.
    pub collected: Money,
    /// The wagers that go back to the players.
    pub returned: Money,
    /// The winnings that the house pays.
    pub paid: Money,
}

/// The settled wagers of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledSeat {
    /// The seat.
    pub seat: Seat,
    /// The wagers in the order in which the chapter settles them.
    pub wagers: Vec<SettledWager>,
    /// The chips that the player has of all wagers afterwards.
    pub chips: Money,
}

/// A settled wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledWager {
    /// The wager's word, as it was sent.
    pub wager: String,
    /// The amount placed.
    pub amount: Money,
    /// The result.
    pub result: WagerResult,
    /// The clause that decides the result.
    pub clause: String,
    /// The line that decides, if a table does.
    pub line: Option<LinePaid>,
    /// The pay at the printed odds, without the wager.
    pub payout: Money,
    /// The part of the payout that the house pays: less than all of it only if the limit cut it.
    pub paid: Money,
    /// The part of the wager that goes back to the player.
    pub returned: Money,
    /// The part of the wager that the dealer collects.
    pub collected: Money,
    /// The chips that the player has of the wager afterwards.
    pub chips: Money,
}

/// A line of a table that decided a wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePaid {
    /// The id of the table.
    pub table: String,
    /// The clause that prints the table.
    pub citation: String,
    /// The index of the line, from 0.
    pub index: u32,
    /// The words of the line as printed.
    pub prints: String,
    /// The pay of the line, such as `3 to 2`.
    pub pays: String,
}

impl TableTerms {
    /// Returns terms without a payout limit.
    pub const fn new(minimum: Money, step: Money) -> Self {
        Self {
            minimum,
            step,
            limit: None,
            reading: None,
            most_at_minimum: None,
        }
    }
}

/// Checks the lengths of all lists.
pub(crate) fn check_lists(wagers: &wire::RoundWagers) -> Result<(), TooLong> {
    let of_seats = wagers.seats.iter();
    let of_seats = of_seats.map(|sent| ("wagers of a seat", sent.wagers.len(), SEAT_WAGERS_MAX));
    let lists = [
        ("tables of wagers", wagers.tables.len(), ROUND_TABLES_MAX),
        ("cards of a bonus", wagers.bonus.len(), HAND_CARDS_MAX),
        ("seats with wagers", wagers.seats.len(), ROUND_SEATS_MAX),
    ];
    let mut lists = lists.into_iter().chain(of_seats);
    let long = lists.find(|(_, count, most)| count > most);
    long.map_or(Ok(()), |(what, count, most)| {
        Err(TooLong { what, count, most })
    })
}

impl From<RoundWagers> for wire::RoundWagers {
    fn from(wagers: RoundWagers) -> Self {
        let terms = wagers.terms;
        Self {
            jurisdiction: wagers.jurisdiction.to_string(),
            terms: Some(round::TableTerms {
                minimum_micros: terms.minimum.micros(),
                step_micros: terms.step.micros(),
                limit_micros: terms.limit.map(Money::micros),
                reading: terms
                    .reading
                    .map_or_else(String::new, |reading| reading.to_string()),
                most_at_minimum_micros: terms.most_at_minimum.map(Money::micros),
                ..round::TableTerms::default()
            }),
            tables: wagers.tables.iter().map(ToString::to_string).collect(),
            bonus: wagers.bonus.texts(),
            seats: wagers.seats.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<SeatWagers> for wire::SeatWagers {
    fn from(sent: SeatWagers) -> Self {
        let placed = |(wager, amount): &(FixedWager, Money)| round::PlacedWager {
            wager: wager.to_string(),
            amount_micros: amount.micros(),
            ..round::PlacedWager::default()
        };
        Self {
            seat: sent.seat.0.into(),
            player: sent
                .player
                .map_or_else(String::new, |player| player.to_string()),
            end: sent.end.to_string(),
            wagers: sent.wagers.iter().map(placed).collect(),
        }
    }
}
