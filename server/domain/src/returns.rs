//! The return of a progressive wager to the player: exact fractions of the wager, from the frequency of each hand.
//!
//! # Shape
//! [`returns`] evaluates a paytable's content at its levels' displayed amounts. *Static* is the value of the next
//! wager at these amounts. *Long-run* is the return of all wagers in the end. Its parts are fixed odds, everything
//! that the meters take (it is won some day), and the house's addition at each reset. [`LinkReturns`] adds draws and
//! envy, each at the layout with the largest addition, so that no table that joins later returns more.
//!
//! # Bounds
//! [`WAGER_MAX`] and [`DISPLAYED_MAX`]: with them no fraction leaves an `i128`. Payouts are not truncated to the
//! cent, ceilings are ignored, and the reserve is assumed to go into the meter (policy `add`).

use num_rational::Ratio;

use crate::card::Card;
use crate::hand::{Hand, frequency, hands_dealt};
use crate::link::{LinkTerms, WAGER_MAX};
use crate::money::Money;
use crate::paytable::{Content, Line, Pays, Paytable};
use crate::rate::{PPM, Rate};

/// An exact part of a wager.
pub type Fraction = Ratio<i128>;

/// The largest displayed amount of a level here: ten billion dollars.
pub const DISPLAYED_MAX: Money = Money::from_micros(10_000_000_000_000_000);

/// The input of a calculation.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Wager of the link.
    pub wager: Money,
    /// Displayed amount of each level, in the order of the paytable.
    pub displayed: &'a [Money],
    /// Betting positions of the layout. The Lucky Bonus is drawn among them, and the dealer if the dealer's hand can
    /// be wagered on.
    pub seats: u8,
}

/// Checks if a paytable returns more than the whole wager in the long run, without envy and draws.
pub fn exceeds_wager(content: &Content) -> bool {
    let nothing = vec![Money::ZERO; content.levels.len()];
    let asked = Asked {
        wager: Money::DOLLAR,
        displayed: &nothing,
        seats: 1,
    };
    returns(content, &asked).is_some_and(|returns| returns.long_run > Fraction::from_integer(1))
}

/// The return of all wagers on a link, in parts of the wager: each part at the layout with the largest value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkReturns {
    /// Long-run return of the paytable: meters and fixed pays.
    pub long_run: Fraction,
    /// Return of Magic Cards, at the link's frequency.
    pub magic_card: Fraction,
    /// Return of Lucky Bonuses, at the link's frequency, on a layout of one position.
    pub lucky_bonus: Fraction,
    /// Return of envy at a full table.
    pub envy: Fraction,
    /// Players of a full table: the seats of the largest layout of the paytable's games.
    pub full_table: u8,
}

impl LinkReturns {
    /// Returns the parts for a link with this paytable, which draws each bonus in one of so many rounds.
    pub fn new(paytable: &Paytable, magic_card: Option<u32>, lucky_bonus: Option<u32>) -> Self {
        let content = &paytable.content;
        let asked = Asked {
            wager: Money::DOLLAR,
            displayed: &[],
            seats: 1,
        };
        // No part depends on the displayed amounts.
        let worth = Worth {
            content,
            asked: &asked,
        };
        let full_table = paytable.full_table();
        let others = whole(full_table.saturating_sub(1).into());
        // The dealer's position counts only in games with wagers on it, and a game without them may join.
        let lucky = content.lucky_bonus.map(whole);
        Self {
            long_run: worth.long_run(),
            magic_card: drawn(worth.magic_card(), magic_card),
            lucky_bonus: drawn(lucky, lucky_bonus),
            envy: worth.envy_each() * others,
            full_table,
        }
    }

    /// Returns the parts for a link with these terms.
    pub fn of(terms: &LinkTerms) -> Self {
        let settings = &terms.settings;
        let (magic_card, lucky_bonus) = (settings.magic_card_one_in, settings.lucky_bonus_one_in);
        Self::new(&terms.paytable, magic_card, lucky_bonus)
    }

    /// Returns the sum of all parts.
    pub fn total(&self) -> Fraction {
        self.long_run + self.magic_card + self.lucky_bonus + self.envy
    }

    /// Returns true if the sum is more than the whole wager.
    pub fn exceeds_wager(&self) -> bool {
        self.total() > whole(1)
    }
}

/// Returns true if two people have to acknowledge the return of a link with these terms before it plays.
pub fn needs_two_people(terms: &LinkTerms) -> bool {
    if terms.counts_draws_and_envy {
        LinkReturns::of(terms).exceeds_wager()
    } else {
        exceeds_wager(terms.content())
    }
}

/// Returns the addition of a draw, from its addition if it were made in every round.
fn drawn(every_round: Option<Fraction>, one_in: Option<u32>) -> Fraction {
    let both = every_round.zip(one_in.filter(|rounds| *rounds > 0));
    both.map_or_else(whole_zero, |(share, rounds)| share / whole(rounds))
}

/// Writes a part of the wager in percent, rounded to two decimals.
pub fn percent(share: Fraction) -> String {
    format!("{}%", hundredths(share * whole(100)))
}

/// Writes a number with two decimals, rounded to the nearest.
pub fn hundredths(number: Fraction) -> String {
    // The whole part is written separately: a hundred times a fraction with large terms may not fit.
    let count = number.trunc() * whole(100) + (number.fract() * whole(100)).round();
    let count = count.to_integer();
    let sign = if count < 0 { "-" } else { "" };
    let count = count.unsigned_abs();
    format!("{sign}{}.{:02}", count / 100, count % 100)
}

/// The return of a wager, in parts of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returns {
    /// Lines, in the order of the paytable.
    pub lines: Vec<LineReturn>,
    /// Fixed odds that the house pays.
    pub fixed: Fraction,
    /// Fixed odds that come off a level first: contributions pay them, so the long run already includes them.
    pub fixed_of_levels: Fraction,
    /// Shares of the displayed balances.
    pub primary: Fraction,
    /// Shares of the reserves.
    pub reserve: Fraction,
    /// Addition of the house at each reset.
    pub reseed: Fraction,
    /// Least cover by the house for fixed odds off a level beyond its income.
    pub shortfall: Fraction,
    /// Value of the next wager at the displayed amounts.
    pub at_displayed: Fraction,
    /// Return of all wagers in the end.
    pub long_run: Fraction,
    /// Levels, in the order of the paytable.
    pub levels: Vec<LevelReturn>,
    /// Envy for each other player of the table.
    pub envy_each: Fraction,
    /// A Magic Card, if one were drawn every round; `None` if it isn't offered.
    pub magic_card: Option<Fraction>,
    /// A Lucky Bonus, if one were drawn every round; `None` if it isn't offered.
    pub lucky_bonus: Option<Fraction>,
}

/// The return of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineReturn {
    /// Hand that wins the line.
    pub hand: Hand,
    /// Number of dealt hands that are this hand.
    pub hands: u32,
    /// Number of all dealt hands.
    pub of: u32,
    /// Part of [`Returns::at_displayed`].
    pub at_displayed: Fraction,
}

/// The return of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelReturn {
    /// Mean pay when the level is won, in micro-dollars. `None` if fixed odds take more than its income.
    pub mean_jackpot: Option<Fraction>,
    /// Displayed amount at which the next wager returns its whole value, in micro-dollars, while the other levels
    /// stay. `None` if no amount does: without this level the wager is worth more already.
    pub break_even: Option<Fraction>,
}

/// Returns the return of a wager on this paytable. Returns nothing for amounts above [`WAGER_MAX`] and
/// [`DISPLAYED_MAX`], for a wager of zero, and if a level has no amount.
pub fn returns(content: &Content, asked: &Asked<'_>) -> Option<Returns> {
    let in_range = asked.wager > Money::ZERO
        && asked.wager <= WAGER_MAX
        && asked.displayed.len() == content.levels.len()
        && asked
            .displayed
            .iter()
            .all(|amount| (Money::ZERO..=DISPLAYED_MAX).contains(amount));
    in_range.then(|| Worth { content, asked }.returns())
}

/// A paytable at given amounts.
struct Worth<'a> {
    content: &'a Content,
    asked: &'a Asked<'a>,
}

impl Worth<'_> {
    fn returns(&self) -> Returns {
        let lines: Vec<LineReturn> = self
            .content
            .lines
            .iter()
            .map(|line| self.line(line))
            .collect();
        let levels = &self.content.levels;
        let primary = levels.iter().map(|level| rate(level.primary)).sum();
        let reserve = levels.iter().map(|level| rate(level.reserve)).sum();
        let at_displayed: Fraction = lines.iter().map(|line| line.at_displayed).sum();
        let positions = u32::from(self.asked.seats.max(1)) + u32::from(self.content.bet_on_dealer);
        Returns {
            fixed: self.fixed(),
            fixed_of_levels: self.sum(|pays| matches!(pays, Pays::ForOneOf { .. })),
            primary,
            reserve,
            reseed: self.reseeds(),
            shortfall: self.shortfall(),
            at_displayed,
            long_run: self.long_run(),
            levels: (0..levels.len())
                .map(|level| self.level(level, at_displayed))
                .collect(),
            lines,
            envy_each: self.envy_each(),
            magic_card: self.magic_card(),
            lucky_bonus: self
                .content
                .lucky_bonus
                .map(|odds| whole(odds) / whole(positions)),
        }
    }

    /// Returns the long-run return: fixed odds, the levels' shares, and the house's addition.
    fn long_run(&self) -> Fraction {
        let levels = self.content.levels.iter();
        let taken = levels.flat_map(|level| [rate(level.primary), rate(level.reserve)]);
        self.fixed() + taken.sum::<Fraction>() + self.reseeds() + self.shortfall()
    }

    /// Returns the fixed odds that the house pays.
    fn fixed(&self) -> Fraction {
        self.sum(|pays| matches!(pays, Pays::ForOne(_)))
    }

    /// Returns the house's addition to all levels at their resets.
    fn reseeds(&self) -> Fraction {
        let levels = 0..self.content.levels.len();
        levels.map(|level| self.reseed(level)).sum()
    }

    /// Returns the house's cover for fixed odds off a level beyond its income.
    fn shortfall(&self) -> Fraction {
        let levels = 0..self.content.levels.len();
        let short = levels.map(|level| self.comes_in(level).min(whole_zero()));
        -short.sum::<Fraction>()
    }

    /// Returns envy for each other player of the table.
    fn envy_each(&self) -> Fraction {
        let lines = self.content.lines.iter();
        let envy = lines.filter_map(|line| Some(self.chance(line.hand) * whole(line.envy?)));
        envy.sum()
    }

    /// Returns a Magic Card that is drawn every round, if it is offered.
    fn magic_card(&self) -> Option<Fraction> {
        let of_deck = Ratio::new(self.content.ranking.cards().into(), Card::COUNT.into());
        self.content.magic_card.map(|odds| whole(odds) * of_deck)
    }

    fn line(&self, line: &Line) -> LineReturn {
        let ranking = self.content.ranking;
        LineReturn {
            hand: line.hand,
            hands: frequency(ranking, line.hand),
            of: hands_dealt(ranking),
            at_displayed: self.worth(line),
        }
    }

    /// Returns the probability of a hand.
    fn chance(&self, hand: Hand) -> Fraction {
        let ranking = self.content.ranking;
        Ratio::new(frequency(ranking, hand).into(), hands_dealt(ranking).into())
    }

    /// Returns the value of a line at the displayed amounts.
    fn worth(&self, line: &Line) -> Fraction {
        let pays = match line.pays {
            Pays::ForOne(odds) | Pays::ForOneOf { odds, .. } => whole(odds),
            Pays::Percent { percent, level } => part(percent) * self.displayed(level),
        };
        self.chance(line.hand) * pays
    }

    /// Returns the value of the lines with such a pay.
    fn sum(&self, pays: impl Fn(&Pays) -> bool) -> Fraction {
        let lines = self.content.lines.iter().filter(|line| pays(&line.pays));
        lines.map(|line| self.worth(line)).sum()
    }

    /// Returns a level's displayed amount, in wagers.
    fn displayed(&self, level: usize) -> Fraction {
        let displayed = self.asked.displayed.get(level).copied().unwrap_or_default();
        Ratio::new(displayed.micros().into(), self.asked.wager.micros().into())
    }

    /// Returns the house's addition to a level at its resets.
    fn reseed(&self, level: usize) -> Fraction {
        let reseed = self
            .content
            .levels
            .get(level)
            .map_or(0, |level| level.reseed);
        self.won(level, |percent| percent == 100) * whole(reseed)
    }

    /// Returns a wager's average addition to a level, less the fixed odds that come off it. A negative amount is the
    /// least that the house covers.
    fn comes_in(&self, level: usize) -> Fraction {
        let taken = self.content.levels.get(level);
        let taken = taken.map_or_else(whole_zero, |level| {
            rate(level.primary) + rate(level.reserve)
        });
        taken + self.reseed(level) - self.fixed_off(level)
    }

    /// Returns the part of itself that a level pays a wager, by its lines of these percentages.
    fn won(&self, level: usize, counts: impl Fn(u8) -> bool) -> Fraction {
        let share = |line: &Line| match line.pays {
            Pays::Percent { percent, level: of } if of == level && counts(percent) => {
                Some(self.chance(line.hand) * part(percent))
            }
            _ => None,
        };
        self.content.lines.iter().filter_map(share).sum()
    }

    fn level(&self, level: usize, at_displayed: Fraction) -> LevelReturn {
        let wager = Ratio::from_integer(i128::from(self.asked.wager.micros()));
        let pays = self.won(level, |_| true);
        let rest = at_displayed - pays * self.displayed(level);
        let comes_in = self.comes_in(level);
        let zero = whole_zero();
        // The income leaves by percentages of the displayed amount, whenever a hand hits. The mean is the same for
        // all of them, since hands don't depend on the meter.
        let paid = pays > zero;
        LevelReturn {
            mean_jackpot: (paid && comes_in > zero).then(|| comes_in / pays * wager),
            break_even: (paid && rest <= whole(1)).then(|| (whole(1) - rest) / pays * wager),
        }
    }

    /// Returns the fixed odds that come off a level.
    fn fixed_off(&self, level: usize) -> Fraction {
        self.sum(|pays| matches!(pays, Pays::ForOneOf { level: of, .. } if *of == level))
    }
}

fn rate(rate: Rate) -> Fraction {
    Ratio::new(rate.ppm().into(), PPM.into())
}

fn part(percent: u8) -> Fraction {
    Ratio::new(percent.into(), 100)
}

fn whole(number: u32) -> Fraction {
    Ratio::from_integer(number.into())
}

fn whole_zero() -> Fraction {
    whole(0)
}
