//! A link's terms and its books: accounts, moves, shares of a wager.

use crate::ids::LinkName;
use crate::money::{MICROS_PER_DOLLAR, Money, OutOfRange};
use crate::paytable::{Content, LEVELS_MAX, Level, Paytable, TableLimits, words};

/// Shares that one wager can feed: a meter and a reserve a level.
pub const SHARES_MAX: usize = 2 * LEVELS_MAX;
/// Decks that may be in play in one round.
pub const DECKS_MAX: u8 = 8;
/// The largest wager of a link: keeps every product of a seed and a wager in range.
pub const WAGER_MAX: Money = Money::from_micros(10_000 * MICROS_PER_DOLLAR);
/// Seconds of silence after which a table is lost, unless the link says otherwise.
pub const SILENCE_SECONDS_DEFAULT: u32 = 5;
/// Accounts of one level.
pub const ACCOUNTS: usize = 8;

words! {
    /// The amount that a level with both a reseed and a reserve restarts with (figure D).
    ReservePolicy {
        /// The reseed and the whole reserve.
        Add = 1 "add",
        /// The larger of both: the reserve first, the house the rest.
        GreaterOf = 2 "greater_of",
        /// The reseed, paid from the reserve first; the rest of the reserve stays. Refused if the reseed is 0.
        FundKeep = 3 "fund_keep",
    }

    /// One account of a level; money moves from one to another, so every event sums to zero.
    Account {
        /// The wagering players, outside of the link.
        Players = 0 "players",
        /// The operator's own money.
        House = 1 "house",
        /// The displayed balance.
        Meter = 2 "meter",
        /// The hidden balance.
        Reserve = 3 "reserve",
        /// Amounts that a ceiling kept out of the meter.
        Overflow = 4 "overflow",
        /// Won, not yet paid.
        Pending = 5 "pending",
        /// Paid.
        Paid = 6 "paid",
        /// Between two links.
        InTransit = 7 "in_transit",
    }
}

impl Account {
    /// Returns its index in [`Balances`].
    pub const fn index(self) -> usize {
        self.code() as usize
    }

    /// Checks if its balance may never be below zero (RULES §7.2).
    pub const fn never_negative(self) -> bool {
        match self {
            Self::Meter | Self::Reserve | Self::Overflow | Self::Pending => true,
            Self::Players | Self::House | Self::Paid | Self::InTransit => false,
        }
    }
}

/// The terms that a link was opened with; none of them changes while it is in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTerms {
    /// Name of the link, as on the wire.
    pub name: LinkName,
    /// Paytable of the link, whole.
    pub paytable: Paytable,
    /// The one progressive wager amount.
    pub wager: Money,
    /// Decks in play in one round; two that alternate count as one.
    pub decks: u8,
    /// Amount that a level with a reserve restarts with.
    pub reserve_policy: ReservePolicy,
    /// Operator's choices for this link.
    pub settings: LinkSettings,
    /// Limits of the jurisdiction for its tables; links that were opened before the field existed have none.
    pub limits: TableLimits,
    /// True if draws and envy count towards the return that two people have to acknowledge. False for links that were
    /// opened before this rule. [`open`](crate::decide::open) sets it.
    pub counts_draws_and_envy: bool,
    /// True if a manager has to accept the first values before play: [`open`](crate::decide::open) sets it for every
    /// link. Links that were opened before the field existed play without.
    pub must_accept_values: bool,
}

/// The operator's choices for a link; the defaults choose nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LinkSettings {
    /// Ceiling of each level, in the paytable's order; empty if no level has one.
    pub ceilings: Vec<Option<Money>>,
    /// Rounds that one table may lock in a minute; more are an unreasonable contribution (CONFORMANCE 6).
    pub rounds_a_minute_max: Option<u32>,
    /// Seconds of silence after which a table is lost; [`SILENCE_SECONDS_DEFAULT`] unless set.
    pub silence_seconds_max: Option<u32>,
    /// A Magic Card is drawn in one of so many rounds; never if not set (§ 657a.12(f)(3)).
    pub magic_card_one_in: Option<u32>,
    /// A lucky position is drawn in one of so many rounds; never if not set.
    pub lucky_bonus_one_in: Option<u32>,
    /// True if a hit that a person has to validate needs the badge of the person who keyed it. `None` counts as
    /// false: the link was opened before the field existed.
    pub badge_required: Option<bool>,
}

impl LinkSettings {
    /// Returns true if a hit that a person has to validate needs the badge of the person who keyed it.
    pub fn requires_badge(&self) -> bool {
        self.badge_required == Some(true)
    }

    /// Returns the ceiling of a level, if it has one.
    pub fn ceiling(&self, book: Book) -> Option<Money> {
        self.ceilings.get(book.index()).copied().flatten()
    }
}

/// A book is one set of accounts: a level's, or the last one, for pays that touch no meter (fixed odds and envy).
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Book(pub u8);

impl Book {
    /// Returns the book of the level with this index.
    pub fn level(index: usize) -> Self {
        // A paytable has at most LEVELS_MAX levels, asserted to fit below.
        Self(u8::try_from(index).unwrap_or(u8::MAX))
    }

    /// Returns its index among the balances of a link.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

const _: () = assert!(LEVELS_MAX < u8::MAX as usize);

/// Money that moves between two accounts of one book.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Book of both accounts.
    pub book: Book,
    /// Account that the money leaves.
    pub from: Account,
    /// Account that the money enters.
    pub to: Account,
    /// Amount; never negative.
    pub amount: Money,
}

impl Move {
    /// Returns the move that undoes this one.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            book: self.book,
            from: self.to,
            to: self.from,
            amount: self.amount,
        }
    }
}

/// The balances of one book, in the order of [`Account::index`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Balances(pub [Money; ACCOUNTS]);

impl Balances {
    /// Returns one account's balance.
    pub const fn of(&self, account: Account) -> Money {
        self.0[account.index()]
    }

    /// Returns the balances after a move.
    ///
    /// # Errors
    /// [`OutOfRange`] if a balance leaves its range.
    pub fn moved(mut self, entry: Move) -> Result<Self, OutOfRange> {
        let from = &mut self.0[entry.from.index()];
        *from = from.minus(entry.amount)?;
        let to = &mut self.0[entry.to.index()];
        *to = to.plus(entry.amount)?;
        Ok(self)
    }

    /// Checks that no account is forbiddenly below zero.
    pub fn stand(&self) -> bool {
        Account::ALL
            .iter()
            .all(|account| !account.never_negative() || self.of(*account) >= Money::ZERO)
    }
}

/// The amount that one accepted wager adds to one balance.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Book of the level.
    pub book: Book,
    /// `Meter` or `Reserve`.
    pub account: Account,
    /// Amount that each wager adds.
    pub amount: Money,
}

/// The amounts that a coin-in added, share by share, in the order of [`LinkTerms::shares`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Added {
    amounts: [Money; SHARES_MAX],
    len: u8,
}

impl Added {
    /// Holds these amounts; `None` if there are more than [`SHARES_MAX`].
    pub fn new(amounts: &[Money]) -> Option<Self> {
        let mut added = Self {
            amounts: [Money::ZERO; SHARES_MAX],
            len: 0,
        };
        added
            .amounts
            .get_mut(..amounts.len())?
            .copy_from_slice(amounts);
        added.len = u8::try_from(amounts.len()).ok()?;
        Some(added)
    }

    /// Returns the sum of both, share by share; an amount that would leave the range of money stays unchanged.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = *self;
        sum.len = sum.len.max(other.len);
        for (amount, more) in sum.amounts.iter_mut().zip(other.amounts) {
            *amount = amount.plus(more).unwrap_or(*amount);
        }
        sum
    }

    /// Returns the amounts.
    pub fn amounts(&self) -> &[Money] {
        &self.amounts[..usize::from(self.len)]
    }
}

impl LinkTerms {
    /// Returns the pay of a Magic Card, for 1, if the paytable offers it and the link draws it.
    pub fn magic_card_odds(&self) -> Option<u32> {
        let odds = self.content().magic_card;
        odds.filter(|_| self.settings.magic_card_one_in.is_some())
    }

    /// Returns the pay of a Lucky Bonus, for 1, if the paytable offers it and the link draws it.
    pub fn lucky_bonus_odds(&self) -> Option<u32> {
        let odds = self.content().lucky_bonus;
        odds.filter(|_| self.settings.lucky_bonus_one_in.is_some())
    }

    /// Returns the content that has to be equal at all tables.
    pub const fn content(&self) -> &Content {
        &self.paytable.content
    }

    /// Returns the book for pays that touch no meter.
    pub fn fixed_book(&self) -> Book {
        Book::level(self.content().levels.len())
    }

    /// Returns the amount that a level opened with.
    ///
    /// # Errors
    /// [`OutOfRange`] if the amount leaves its range; no link opens with such terms.
    pub fn opened_with(&self, level: &Level) -> Result<Money, OutOfRange> {
        self.wager.for_one(level.seed)
    }

    /// Returns the amounts that each accepted wager adds, meters and reserves of the levels in their order. Returns
    /// `None` if a share is no whole number of micro-dollars; no link opens with such terms.
    pub fn shares(&self) -> Option<Vec<Share>> {
        let mut shares = Vec::new();
        for (index, level) in self.content().levels.iter().enumerate() {
            for (account, rate) in [
                (Account::Meter, level.primary),
                (Account::Reserve, level.reserve),
            ] {
                let amount = rate.exact_share_of(self.wager)?;
                if !rate.is_zero() {
                    shares.push(Share {
                        book: Book::level(index),
                        account,
                        amount,
                    });
                }
            }
        }
        Some(shares)
    }
}
