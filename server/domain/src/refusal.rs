//! Refusals: a stable code, the fields concerned, and a sentence that helps.
//!
//! A refusal is not a failure: it is journaled and uses the table's number up, so that a pipeline never
//! stalls and a repeat gets the same refusal again.

use core::fmt;

use crate::paytable::words;

words! {
    /// The reason of a refusal; the words are the codes on the wire.
    RefusalCode {
        /// A wager is not exactly the link's.
        WrongAmount = 1 "wrong_amount",
        /// The layout has no such seat.
        SeatNotOnLayout = 2 "seat_not_on_layout",
        /// The same seat and hand twice.
        SeatTwice = 3 "seat_twice",
        /// The seat got no cards.
        SeatNotDealt = 4 "seat_not_dealt",
        /// The round has no wager.
        NoWagers = 5 "no_wagers",
        /// A round is open already.
        RoundOpen = 6 "round_open",
        /// No round is open.
        NoRound = 7 "no_round",
        /// The seat has no accepted wager on that hand.
        NoWager = 8 "no_wager",
        /// The seat has folded.
        Folded = 9 "folded",
        /// The cards make another hand than the button says.
        WrongHand = 10 "wrong_hand",
        /// The paytable pays nothing for the hand.
        NotAWinner = 11 "not_a_winner",
        /// A wrong number of cards, or others than the hand is known to have.
        ImpossibleCards = 12 "impossible_cards",
        /// A card appears more often than there are decks in play.
        CardTwice = 13 "card_twice",
        /// A hit on this seat and hand stands.
        AlreadyHit = 14 "already_hit",
        /// Its turn precedes a hit already entered.
        OutOfTurn = 15 "out_of_turn",
        /// The hit is not in a state that allows it.
        HitNotPending = 16 "hit_not_pending",
        /// A level was hit again since.
        LaterHits = 17 "later_hits",
        /// A hit of the round is not settled.
        HitUnsettled = 18 "hit_unsettled",
        /// The hit is paid.
        HitPaid = 19 "hit_paid",
        /// The person who keyed a hit may not validate it.
        KeyedByValidator = 20 "keyed_by_validator",
        /// The table's properties differ from the link's.
        TableDiffers = 21 "table_differs",
        /// The round of the hit is closed.
        RoundClosed = 22 "round_closed",
        /// Two wagers of one seat name different players.
        PlayerDiffers = 23 "player_differs",
        /// No envy schedule is printed for this wager.
        EnvyNotFiled = 24 "envy_not_filed",
        /// The paytable takes no wager on the dealer's hand.
        HandNotOffered = 25 "hand_not_offered",
        /// A count comes before any fold or hit.
        CountTooLate = 26 "count_too_late",
        /// The holder made a wager, so the hand is a hit.
        HasWager = 27 "has_wager",
        /// A share of the wager is no whole number of micro-dollars.
        ShareNotExact = 28 "share_not_exact",
        /// The reserve policy needs a reseed.
        PolicyNeedsReseed = 29 "policy_needs_reseed",
        /// The payout needs no document.
        NotPaidBySlip = 30 "not_paid_by_slip",
        /// The hit has no payout of this number.
        NoSuchPayout = 31 "no_such_payout",
        /// A number of decks, seats or dollars is out of its range.
        OutOfRange = 32 "out_of_range",
        /// No hit that a person could mean; nothing is used up.
        UnknownHit = 33 "unknown_hit",
        /// The link takes no coin-in.
        LinkSuspended = 34 "link_suspended",
        /// The link takes no coin-in, and nothing of it is open.
        LinkClosed = 35 "link_closed",
        /// A level that the paytable needs is off.
        LevelDisabled = 36 "level_disabled",
        /// More rounds a minute than the link allows.
        UnreasonableRate = 37 "unreasonable_rate",
        /// The table was lost and has not resumed.
        TableLost = 38 "table_lost",
        /// The draw of the round gave nothing to this hand.
        NotDrawn = 39 "not_drawn",
        /// Both of two people are the same person.
        SamePerson = 40 "same_person",
        /// Both of two people are in the same department.
        SameDepartment = 41 "same_department",
        /// The proposal can't be approved any more.
        ProposalExpired = 42 "proposal_expired",
        /// A ceiling below what the level opens with.
        CeilingTooLow = 43 "ceiling_too_low",
        /// The hit is no longer among those that can be corrected.
        TooOld = 44 "too_old",
        /// The link is not faulted.
        NotFaulted = 45 "not_faulted",
        /// The balance is lower than the amount to take.
        BalanceTooLow = 46 "balance_too_low",
        /// The proposal was approved or declined before.
        ProposalClosed = 47 "proposal_closed",
        /// Too many proposals wait.
        TooManyProposals = 48 "too_many_proposals",
        /// A settle needs the cards of every hand that can win.
        CardsMissing = 49 "cards_missing",
        /// The round is open: its hits are keyed at the table.
        RoundStillOpen = 50 "round_still_open",
        /// The paytable doesn't offer this bonus.
        BonusNotOffered = 51 "bonus_not_offered",
        /// No such proposal; nothing is used up.
        UnknownProposal = 52 "unknown_proposal",
        /// The hit can be rejected: no two people are needed.
        NotValidated = 53 "not_validated",
        /// The paytable has no level of this name.
        NoSuchLevel = 54 "no_such_level",
        /// The paytable returns more than the wager, and two people have not acknowledged it.
        ReturnsNotAcknowledged = 55 "returns_not_acknowledged",
        /// Nothing of the link has to be acknowledged.
        NothingToAcknowledge = 56 "nothing_to_acknowledge",
        /// The table's open round has no such hit to take back.
        NoSuchHit = 57 "no_such_hit",
        /// A manager disabled the table.
        TableDisabled = 58 "table_disabled",
        /// The table left its link.
        TableLeft = 59 "table_left",
        /// More decks than the law permits in one round.
        TooManyDecks = 60 "too_many_decks",
        /// One player wagers on more boxes than he may, or on boxes that are too far apart.
        TooManyBoxes = 61 "too_many_boxes",
        /// The badge of the person who keyed a hit is missing.
        BadgeMissing = 62 "badge_missing",
        /// No manager has accepted the link's first values.
        ValuesNotAccepted = 63 "values_not_accepted",
        /// The values are not those that the link opened with.
        ValuesDiffer = 64 "values_differ",
        /// The fixed wagers of a round contradict what the link knows of it.
        WagersDiffer = 65 "wagers_differ",
        /// The fixed wagers of a round have mistakes.
        WagersRefused = 66 "wagers_refused",
        /// The table pays already as it should be adopted.
        NothingToAdopt = 67 "nothing_to_adopt",
        /// Too many tables are adopted.
        TooManyAdopted = 68 "too_many_adopted",
        /// A round is open, and its wagers were placed on the table as it was.
        RoundsOpen = 69 "rounds_open",
        /// Two people have to adopt the table of a fixed wager first.
        TableNotAdopted = 70 "table_not_adopted",
    }
}

impl RefusalCode {
    /// Returns the remedy, for a dealer or supervisor to read.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::WrongAmount => {
                "every wager must be exactly the link's amount; no wager of this round was counted"
            }
            Self::SeatNotOnLayout => "the layout of this table has no such seat",
            Self::SeatTwice => "a seat is named twice for the same hand; name it once",
            Self::SeatNotDealt => {
                "the seat is not among the seats that were dealt in; name it in dealt"
            }
            Self::NoWagers => {
                "no seat made a progressive wager; a round without one needs no coin-in"
            }
            Self::RoundOpen => "a round is open at this table; close or void it first",
            Self::NoRound => "no round is open at this table; it begins with a coin-in",
            Self::NoWager => {
                "the seat has no accepted progressive wager on that hand: its light is off"
            }
            Self::Folded => "the seat has folded, and this wager is forfeited with the hand",
            Self::WrongHand => {
                "the cards make another hand than the button says; press the right one"
            }
            Self::NotAWinner => "the paytable pays nothing for this hand",
            Self::ImpossibleCards => {
                "the game deals another number of cards, or this hand or the community was keyed with others, or lacks the Magic Card that it was paid for"
            }
            Self::CardTwice => "a card appears more often in this round than decks are in play",
            Self::AlreadyHit => "a hit on this seat and hand stands; cancel it first",
            Self::OutOfTurn => {
                "its turn comes before a hit already entered; cancel those and enter them in turn"
            }
            Self::HitNotPending => {
                "a hit in this state can't take this: a pending one has to be validated first, a decided one stays as it is"
            }
            Self::LaterHits => {
                "the level was hit again since, and those amounts depend on this one; ask a supervisor"
            }
            Self::HitUnsettled => {
                "a hit of this round waits for validation or for its payout's document"
            }
            Self::HitPaid => {
                "the hit, or this payout of it, is paid; only two people can correct it"
            }
            Self::KeyedByValidator => {
                "whoever keyed a hit may not validate it; ask another supervisor"
            }
            Self::TableDiffers => {
                "a table joins only with the paytable content, wager and decks of the link"
            }
            Self::RoundClosed => "the round of this hit is closed",
            Self::PlayerDiffers => "two wagers of one seat name different players",
            Self::EnvyNotFiled => "the source prints envy bonuses only for wagers of $1 and $5",
            Self::HandNotOffered => "this paytable takes no wager on the dealer's hand",
            Self::CountTooLate => "the chips are counted before any fold or hit of the round",
            Self::HasWager => "the holder has an accepted wager: key the hand as a hit",
            Self::ShareNotExact => {
                "with this wager a level's share is no whole number of micro-dollars; choose another wager"
            }
            Self::PolicyNeedsReseed => {
                "fund_keep would restart a level without reseed at zero for ever; choose add or greater_of"
            }
            Self::NotPaidBySlip => {
                "this payout is handed over without a document; GAME OVER marks it paid"
            }
            Self::NoSuchPayout => "the hit has no payout of this number",
            Self::OutOfRange => "the number is out of its range",
            Self::UnknownHit => "there is no such hit",
            other => other.later_sentence(),
        }
    }

    /// Returns the sentences about links, levels, draws and two people.
    const fn later_sentence(self) -> &'static str {
        match self {
            Self::LinkSuspended => "the link is suspended: no coin-in until a manager resumes it",
            Self::LinkClosed => "the link is closed: no coin-in until a manager resumes it",
            Self::LevelDisabled => {
                "a level that the paytable needs is off: no coin-in until it is enabled"
            }
            Self::UnreasonableRate => {
                "this table locks more rounds a minute than its link allows; nothing was counted"
            }
            Self::TableLost => {
                "this table was silent for too long; send a heartbeat, then go on with the sequence it names"
            }
            Self::NotDrawn => "the draw of this round gave nothing to this hand",
            Self::SamePerson => "whoever proposed a change may not approve it; ask another person",
            Self::SameDepartment => {
                "both people are of one department; ask somebody of another department"
            }
            Self::ProposalExpired => "the proposal has expired; propose it again",
            Self::CeilingTooLow => {
                "a ceiling may not be below what the level opens or restarts with"
            }
            Self::TooOld => {
                "the hit is no longer among those that can be corrected; adjust the meter instead"
            }
            Self::NotFaulted => "the link is not faulted; there is nothing to clear",
            Self::BalanceTooLow => "the balance is lower than what should be taken from it",
            Self::ProposalClosed => "the proposal was approved or declined before",
            Self::TooManyProposals => {
                "too many proposals wait on this link; approve or decline some of them first"
            }
            Self::CardsMissing => "settle needs the cards of every hand that can win",
            Self::RoundStillOpen => {
                "the round is open: key the hit at the table, late hits are for closed rounds"
            }
            Self::BonusNotOffered => "this paytable, or this link, does not offer the bonus",
            Self::UnknownProposal => "there is no such proposal on this link",
            Self::NotValidated => {
                "the hit is not validated: one supervisor validates or rejects it, two people are not needed"
            }
            Self::NoSuchLevel => "the paytable has no level of this name",
            Self::ReturnsNotAcknowledged => {
                "this link returns more than the whole wager; two people have to acknowledge it first: \
                 one proposes acknowledge_returns, a second one of another department approves it"
            }
            Self::NothingToAcknowledge => {
                "this link returns no more than the whole wager, or two people have acknowledged it"
            }
            Self::TableDisabled => {
                "the table is disabled: no coin-in there until a manager enables it"
            }
            Self::TableLeft => {
                "the table left its link for good; let the felt join under another table id"
            }
            other => other.newest_sentence(),
        }
    }

    /// Returns the sentences about missing cards of an open round, limits of the law, badges and first values.
    const fn newest_sentence(self) -> &'static str {
        match self {
            Self::NoSuchHit => "no command of the table's open round keyed this hit",
            Self::TooManyDecks => {
                "the paytable's law lets fewer decks be in play in one round; two that alternate count as one"
            }
            Self::TooManyBoxes => {
                "one player wagers on more adjacent boxes than this link allows; no wager of this round was counted"
            }
            Self::BadgeMissing => {
                "a person has to validate this hit; key it again under the next number with by, the badge of who keys it"
            }
            Self::ValuesNotAccepted => {
                "a manager has to accept the first values of this link before it plays; then try again under the next number"
            }
            Self::ValuesDiffer => {
                "name every level of the link once, with exactly the amount that it opened with"
            }
            Self::WagersDiffer => {
                "the fixed wagers contradict what the link knows of this round; nothing was settled"
            }
            Self::WagersRefused => {
                "the fixed wagers have mistakes; nothing was settled: correct them, and settle under the next number"
            }
            Self::NothingToAdopt => {
                "the table pays so already: a print that returns no more than the wager needs no adoption"
            }
            Self::TooManyAdopted => {
                "the link has adopted as many tables as it can; let one that is not used pay its print again"
            }
            Self::RoundsOpen => {
                "a round is open on this link, with wagers on the table as it was; suspend the link, let the rounds end, then approve"
            }
            Self::TableNotAdopted => {
                "a table returns more than the wager, or otherwise than when it was adopted; nothing was settled. \
                 Settle the cards without its wagers; then two people adopt it: one proposes adopt_table, a second one of another department approves it"
            }
            _ => "the rules refuse this",
        }
    }
}

/// A refusal with the fields concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Stable code.
    pub code: RefusalCode,
    /// Fields with their values, in the order they were found.
    pub fields: Vec<(String, String)>,
}

impl Refusal {
    /// Returns a refusal without fields.
    pub const fn new(code: RefusalCode) -> Self {
        Self {
            code,
            fields: Vec::new(),
        }
    }

    /// Adds one more field to the refusal.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl fmt::Display) -> Self {
        self.fields.push((field.to_owned(), value.to_string()));
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code.sentence())
    }
}

impl std::error::Error for Refusal {}
