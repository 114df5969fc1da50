//! The sheet: the content of a paytable file, complete or not.

use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::ids::{LevelName, PaytableId};
use meterhouse_domain::paytable::{
    Content, Game, GameRules, Level, Line, Pays, Paytable, Settlement, TableLimits, Validation,
    WagerKind,
};
use meterhouse_domain::rate::Rate;

use crate::draws::Draws;
use crate::gaps::{Gap, Part};

/// The content of one file; see [`Sheet::paytable`].
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Id, which is also the file's name.
    pub id: PaytableId,
    /// Title for people.
    pub title: String,
    /// Code of the jurisdiction, such as `PA`.
    pub jurisdiction: String,
    /// Clause that prints the paytable.
    pub citation: String,
    /// First day in force, as `2019-08-31`.
    pub effective: Option<String>,
    /// Kind of wager that the paytable pays.
    pub wager_kind: WagerKind,
    /// Games that offer the wager.
    pub games: Vec<Game>,
    /// Rules by which its games form and forfeit hands.
    pub rules: GameRules,
    /// Set if several games may share its meters.
    pub linkable: bool,
    /// Limits of the jurisdiction for a table.
    pub limits: TableLimits,
    /// Content that all tables of a link share.
    pub outline: Outline,
    /// Values that the source omits.
    pub gaps: Vec<Gap>,
}

/// A paytable's content, as far as the file has it.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Ranking of the hands.
    pub ranking: Ranking,
    /// Set if the dealer's hand can be wagered on.
    pub bet_on_dealer: bool,
    /// Hits that a person has to validate.
    pub validation: Validation,
    /// Levels, highest first.
    pub levels: Vec<LevelOutline>,
    /// Lines, highest hand first.
    pub lines: Vec<LineOutline>,
    /// Pays of the drawn bonuses.
    pub(crate) draws: Draws,
    /// Payer of each pay, and the way of payment.
    pub settlement: Settlement,
    /// Wagers for which an envy schedule is printed, in whole dollars.
    pub envy_printed_for: Vec<u32>,
}

/// A level, as far as the file has it.
#[derive(Clone, Debug)]
pub struct LevelOutline {
    /// Name of the level, such as `meter` or `mega`.
    pub name: LevelName,
    /// Seed and reseed, for 1.
    pub seeds: Option<(u32, u32)>,
    /// Minimum dollars for opening and restarting, at every wager.
    pub seed_least: Option<u32>,
    /// Primary and reserve rate.
    pub rates: Option<(Rate, Rate)>,
}

/// A line, as far as the file has it.
#[derive(Copy, Clone, Debug)]
pub struct LineOutline {
    /// Hand that wins the line.
    pub hand: Hand,
    /// Pay of the line; `None` if it is missing.
    pub pays: Option<Pays>,
    /// Envy of the line, for 1.
    pub envy: Option<u32>,
}

impl Sheet {
    /// Returns the paytable, if nothing is missing.
    pub fn paytable(&self) -> Option<Paytable> {
        if self.missing().next().is_some() {
            return None;
        }
        Some(Paytable {
            id: self.id.clone(),
            title: self.title.clone(),
            jurisdiction: self.jurisdiction.clone(),
            citation: self.citation.clone(),
            effective: self.effective.clone()?,
            wager_kind: self.wager_kind,
            games: self.games.clone(),
            rules: self.rules,
            linkable: self.linkable,
            content: self.outline.content()?,
        })
    }

    /// Returns the values that an operator's file has to supply.
    pub fn missing(&self) -> impl Iterator<Item = &Gap> {
        let decided_later = |gap: &&Gap| gap.what == Part::RoyalFlush;
        let gaps = self.gaps.iter().filter(|gap| gap.inferred_from.is_none());
        gaps.filter(move |gap| !decided_later(gap))
    }

    /// Returns the decision that the operator makes when a link opens: the pay of a royal flush, if neither the
    /// source nor the file has a line for it.
    pub fn undecided(&self) -> Option<&Gap> {
        let mut lines = self.outline.lines.iter();
        let has_line = lines.any(|line| line.hand == Hand::RoyalFlush);
        let mut gaps = self.gaps.iter().filter(|_| !has_line);
        gaps.find(|gap| gap.what == Part::RoyalFlush)
    }

    /// Returns the values that the operator confirms before a table plays by them.
    pub fn inferred(&self) -> impl Iterator<Item = &Gap> {
        self.gaps.iter().filter(|gap| gap.inferred_from.is_some())
    }
}

impl Outline {
    fn content(&self) -> Option<Content> {
        Some(Content {
            ranking: self.ranking,
            bet_on_dealer: self.bet_on_dealer,
            validation: self.validation,
            levels: self
                .levels
                .iter()
                .map(LevelOutline::level)
                .collect::<Option<_>>()?,
            lines: self
                .lines
                .iter()
                .map(LineOutline::line)
                .collect::<Option<_>>()?,
            magic_card: self.draws.magic_card,
            lucky_bonus: self.draws.lucky_bonus,
            settlement: self.settlement,
            envy_printed_for: self.envy_printed_for.clone(),
        })
    }

    /// Returns the pays of a Magic Card and a Lucky Bonus, for 1, if they are offered.
    pub const fn bonuses(&self) -> (Option<u32>, Option<u32>) {
        (self.draws.magic_card, self.draws.lucky_bonus)
    }
}

impl LevelOutline {
    fn level(&self) -> Option<Level> {
        let ((seed, reseed), (primary, reserve)) = (self.seeds?, self.rates?);
        Some(Level {
            name: self.name.clone(),
            seed,
            reseed,
            primary,
            reserve,
        })
    }
}

impl LineOutline {
    /// Returns the line, if its pay isn't missing.
    pub fn line(&self) -> Option<Line> {
        Some(Line {
            hand: self.hand,
            pays: self.pays?,
            envy: self.envy,
        })
    }
}
