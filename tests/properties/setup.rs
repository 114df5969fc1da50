//! What a link of these tests is opened with, in words of its own: the auditor and the world each make of
//! it what they need.

/// Seats on every layout.
pub(crate) const SEATS: u8 = 6;
/// In one of so many rounds each bonus is drawn that is drawn at all.
pub(crate) const DRAWN_ONE_IN: u32 = 2;

/// The paytable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Game {
    /// § 657a.12(e), Paytable C: three levels, envy.
    FiveCardC,
    /// § 657a.12(f): one meter with a reserve and no reseed, the dealer's hand, Magic Card and Lucky Bonus,
    /// no envy.
    HandBonus,
    /// § 657a.12(d), Paytable B: one meter with a reserve and a reseed, envy.
    FourCardB,
    /// Fixed pays off the meter as Caribbean Stud has them, folded cards that stay on the table, and a
    /// second level that no line wins.
    Stud,
    /// No regulation's: four levels with a reserve each, eight shares of a wager, which is the most there can be.
    FourLevels,
}

/// What a level with a reserve restarts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restart {
    /// Reseed and reserve.
    Add,
    /// The larger of both.
    GreaterOf,
    /// The reseed, from the reserve first.
    FundKeep,
}

/// Whether the first values of a link have to be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// They are, before anything else.
    Accepted,
    /// They are not yet.
    Waiting,
    /// They need not be: a link that was opened before.
    OfThen,
}

/// What a link is opened with.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// The paytable.
    pub(crate) game: Game,
    /// The wager in cents.
    pub(crate) cents: u16,
    /// Decks in play.
    pub(crate) decks: u8,
    /// The reserve policy.
    pub(crate) restart: Restart,
    /// Whether seeds and reseeds are next to nothing, so that small meters are played with.
    pub(crate) small: bool,
    /// How many tables.
    pub(crate) tables: u8,
    /// What the settings of the link say.
    pub(crate) limits: Limits,
    /// Its first values.
    pub(crate) values: Values,
}

/// What the operator chose for the link.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Of every level, how many cents its ceiling is above the larger of what it opens and restarts with.
    pub(crate) ceiling: Option<u16>,
    /// Rounds that a table may lock in a minute.
    pub(crate) rounds_a_minute: Option<u32>,
    /// Whether a Magic Card is drawn, in every other round or so; where the paytable pays one.
    pub(crate) magic_card: bool,
    /// Whether a lucky position is drawn, likewise.
    pub(crate) lucky_bonus: bool,
    /// Whether a hit that a person has to validate needs a badge; nothing on a link of then.
    pub(crate) badge: Option<bool>,
}
