//! What a progressive wager is worth to the player: exact fractions of the wager, from how often each hand is dealt.
//!
//! # Shape
//! [`returns`] looks at a paytable's content and at what its levels display. *Static* is what the next wager is worth
//! at these amounts; *long-run* is what all wagers get back in the end: fixed odds, everything that the meters take
//! (it is won some day), and what the house adds at each reset. [`LinkReturns`] adds draws and envy, each at the layout
//! where it adds the most, so that no table that joins later returns more.
//!
//! # What bounds it
//! [`WAGER_MAX`] and [`DISPLAYED_MAX`]: with them no fraction leaves an `i128`. Payouts are taken as they are before
//! cutting to the cent; ceilings are not looked at; the reserve is taken to go into the meter (policy `add`).

use num_rational::Ratio;

use crate::card::Card;
use crate::hand::{Hand, frequency, hands_dealt};
use crate::link::{LinkTerms, WAGER_MAX};
use crate::money::Money;
use crate::paytable::{Content, Line, Pays, Paytable};
use crate::rate::{PPM, Rate};

/// A part of the wager, or of one: exact.
pub type Fraction = Ratio<i128>;

/// The most that a level may display here: ten billion dollars.
pub const DISPLAYED_MAX: Money = Money::from_micros(10_000_000_000_000_000);

/// What a paytable is asked.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The link's wager.
    pub wager: Money,
    /// What each level displays, in the order of the paytable.
    pub displayed: &'a [Money],
    /// Betting positions of the layout: among them, and the dealer where he can be wagered on, the Lucky Bonus is drawn.
    pub seats: u8,
}

/// Whether a paytable returns more than the whole wager in the long run, without envy and draws.
pub fn exceeds_wager(content: &Content) -> bool {
    let nothing = vec![Money::ZERO; content.levels.len()];
    let asked = Asked {
        wager: Money::DOLLAR,
        displayed: &nothing,
        seats: 1,
    };
    returns(content, &asked).is_some_and(|it| it.long_run > Fraction::from_integer(1))
}

/// What all wagers on a link get back in the end, in parts of the wager: each part at the layout where it is the most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkReturns {
    /// The long run of the paytable: meters and fixed pays.
    pub long_run: Fraction,
    /// Magic Cards, as often as the link draws them.
    pub magic_card: Fraction,
    /// Lucky Bonuses, as often as the link draws them, on a layout of one position.
    pub lucky_bonus: Fraction,
    /// Envy at a full table.
    pub envy: Fraction,
    /// Players of that table: the seats of the largest layout that a game of the paytable has.
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
        // No part depends on what the levels display.
        let worth = Worth {
            content,
            asked: &asked,
        };
        let full_table = paytable.full_table();
        let others = whole(full_table.saturating_sub(1).into());
        // The dealer's position counts only at games where it can be wagered on, and a game without it may join.
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

    /// Returns true if all of it is more than the whole wager.
    pub fn exceeds_wager(&self) -> bool {
        self.total() > whole(1)
    }
}

/// Returns true if two people have to acknowledge what a link with these terms returns before it plays.
pub fn needs_two_people(terms: &LinkTerms) -> bool {
    if terms.counts_draws_and_envy {
        LinkReturns::of(terms).exceeds_wager()
    } else {
        exceeds_wager(terms.content())
    }
}

/// Returns what a draw adds that would add so much in every round.
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
    // The whole part goes its own way: a hundred times a fraction with large terms may not fit.
    let count = number.trunc() * whole(100) + (number.fract() * whole(100)).round();
    let count = count.to_integer();
    let sign = if count < 0 { "-" } else { "" };
    let count = count.unsigned_abs();
    format!("{sign}{}.{:02}", count / 100, count % 100)
}

/// What a wager is worth, in parts of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returns {
    /// The lines, in the order of the paytable.
    pub lines: Vec<LineReturn>,
    /// Fixed odds that the house pays.
    pub fixed: Fraction,
    /// Fixed odds that come off a level first: contributions pay them, so the long run has them already.
    pub fixed_of_levels: Fraction,
    /// What the displayed balances take.
    pub primary: Fraction,
    /// What the reserves take.
    pub reserve: Fraction,
    /// What the house adds at each reset.
    pub reseed: Fraction,
    /// What the house pays of fixed odds off a level that are more than comes in to it, at least.
    pub shortfall: Fraction,
    /// What the next wager is worth at the displayed amounts.
    pub at_displayed: Fraction,
    /// What all wagers get back in the end.
    pub long_run: Fraction,
    /// The levels, in the order of the paytable.
    pub levels: Vec<LevelReturn>,
    /// Envy for each other player of the table.
    pub envy_each: Fraction,
    /// A Magic Card, if one were drawn every round; nothing where it isn't offered.
    pub magic_card: Option<Fraction>,
    /// A Lucky Bonus, if one were drawn every round; nothing where it isn't offered.
    pub lucky_bonus: Option<Fraction>,
}

/// What a line is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineReturn {
    /// The hand.
    pub hand: Hand,
    /// How many of all hands it is.
    pub hands: u32,
    /// Of so many.
    pub of: u32,
    /// Its part of [`Returns::at_displayed`].
    pub at_displayed: Fraction,
}

/// What a level is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelReturn {
    /// What it pays on the average when it is won, in micro-dollars. Nothing where fixed odds take more than comes in.
    pub mean_jackpot: Option<Fraction>,
    /// What it has to display for the next wager to be worth itself, in micro-dollars, while the others stay as they
    /// are. Nothing where no amount makes it so: without this level the wager is worth more already.
    pub break_even: Option<Fraction>,
}

/// What a wager on this paytable is worth; nothing for amounts above [`WAGER_MAX`] and [`DISPLAYED_MAX`], for a wager of
/// nothing, and where not every level has an amount.
pub fn returns(content: &Content, asked: &Asked<'_>) -> Option<Returns> {
    let in_range = asked.wager > Money::ZERO
        && asked.wager <= WAGER_MAX
        && asked.displayed.len() == content.levels.len()
        && asked
            .displayed
            .iter()
            .all(|it| (Money::ZERO..=DISPLAYED_MAX).contains(it));
    in_range.then(|| Worth { content, asked }.returns())
}

/// A paytable at some amounts.
struct Worth<'a> {
    content: &'a Content,
    asked: &'a Asked<'a>,
}

impl Worth<'_> {
    fn returns(&self) -> Returns {
        let lines: Vec<LineReturn> = self.content.lines.iter().map(|it| self.line(it)).collect();
        let levels = &self.content.levels;
        let primary = levels.iter().map(|it| rate(it.primary)).sum();
        let reserve = levels.iter().map(|it| rate(it.reserve)).sum();
        let at_displayed: Fraction = lines.iter().map(|it| it.at_displayed).sum();
        let positions = u32::from(self.asked.seats.max(1)) + u32::from(self.content.bet_on_dealer);
        Returns {
            fixed: self.fixed(),
            fixed_of_levels: self.sum(|it| matches!(it, Pays::ForOneOf { .. })),
            primary,
            reserve,
            reseed: self.reseeds(),
            shortfall: self.shortfall(),
            at_displayed,
            long_run: self.long_run(),
            levels: (0..levels.len())
                .map(|it| self.level(it, at_displayed))
                .collect(),
            lines,
            envy_each: self.envy_each(),
            magic_card: self.magic_card(),
            lucky_bonus: self
                .content
                .lucky_bonus
                .map(|it| whole(it) / whole(positions)),
        }
    }

    /// Returns what all wagers get back in the end: fixed odds, what the levels take, and what the house adds.
    fn long_run(&self) -> Fraction {
        let levels = self.content.levels.iter();
        let taken = levels.flat_map(|level| [rate(level.primary), rate(level.reserve)]);
        self.fixed() + taken.sum::<Fraction>() + self.reseeds() + self.shortfall()
    }

    /// Returns the fixed odds that the house pays.
    fn fixed(&self) -> Fraction {
        self.sum(|it| matches!(it, Pays::ForOne(_)))
    }

    /// Returns what the house adds to all levels at their resets.
    fn reseeds(&self) -> Fraction {
        let levels = 0..self.content.levels.len();
        levels.map(|level| self.reseed(level)).sum()
    }

    /// Returns what the house pays of fixed odds off a level that are more than comes in to it.
    fn shortfall(&self) -> Fraction {
        let levels = 0..self.content.levels.len();
        let short = levels.map(|level| self.comes_in(level).min(whole_zero()));
        -short.sum::<Fraction>()
    }

    /// Returns envy for each other player of the table.
    fn envy_each(&self) -> Fraction {
        let lines = self.content.lines.iter();
        let envy = lines.filter_map(|it| Some(self.chance(it.hand) * whole(it.envy?)));
        envy.sum()
    }

    /// Returns a Magic Card that is drawn every round, where one is offered.
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

    /// How often a hand is dealt.
    fn chance(&self, hand: Hand) -> Fraction {
        let ranking = self.content.ranking;
        Ratio::new(frequency(ranking, hand).into(), hands_dealt(ranking).into())
    }

    /// What a line is worth at the displayed amounts.
    fn worth(&self, line: &Line) -> Fraction {
        let pays = match line.pays {
            Pays::ForOne(odds) | Pays::ForOneOf { odds, .. } => whole(odds),
            Pays::Percent { percent, level } => part(percent) * self.displayed(level),
        };
        self.chance(line.hand) * pays
    }

    /// What the lines are worth that pay like this.
    fn sum(&self, pays: impl Fn(&Pays) -> bool) -> Fraction {
        let lines = self.content.lines.iter().filter(|it| pays(&it.pays));
        lines.map(|it| self.worth(it)).sum()
    }

    /// What a level displays, in wagers.
    fn displayed(&self, level: usize) -> Fraction {
        let displayed = self.asked.displayed.get(level).copied().unwrap_or_default();
        Ratio::new(displayed.micros().into(), self.asked.wager.micros().into())
    }

    /// What the house adds to a level at its resets.
    fn reseed(&self, level: usize) -> Fraction {
        let reseed = self.content.levels.get(level).map_or(0, |it| it.reseed);
        self.won(level, |percent| percent == 100) * whole(reseed)
    }

    /// What a wager adds to a level on the average, less the fixed odds that come off it: below nothing the house adds
    /// the rest, at least.
    fn comes_in(&self, level: usize) -> Fraction {
        let taken = self.content.levels.get(level);
        let taken = taken.map_or_else(whole_zero, |it| rate(it.primary) + rate(it.reserve));
        taken + self.reseed(level) - self.fixed_off(level)
    }

    /// How much of itself a level pays a wager, by its lines of these percentages.
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
        // What comes in goes out again by percentages of what is displayed, whenever a hand hits: the mean is the same
        // for all of them, since hands don't look at the meter.
        let paid = pays > zero;
        LevelReturn {
            mean_jackpot: (paid && comes_in > zero).then(|| comes_in / pays * wager),
            break_even: (paid && rest <= whole(1)).then(|| (whole(1) - rest) / pays * wager),
        }
    }

    /// Fixed odds that come off a level.
    fn fixed_off(&self, level: usize) -> Fraction {
        self.sum(|it| matches!(it, Pays::ForOneOf { level: of, .. } if *of == level))
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
