//! What a paytable file says: a paytable, or one that still lacks something.

use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::ids::{LevelName, PaytableId};
use meterhouse_domain::paytable::{
    Content, Game, GameRules, Level, Line, Pays, Paytable, Settlement, TableLimits, Validation,
    WagerKind,
};
use meterhouse_domain::rate::Rate;

use crate::draws::Draws;
use crate::gaps::{Gap, Part};

/// What one file says; see [`Sheet::paytable`].
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The id, which is also the file's name.
    pub id: PaytableId,
    /// What people call it.
    pub title: String,
    /// Whose law it is.
    pub jurisdiction: String,
    /// Where it stands.
    pub citation: String,
    /// Since when, as `2019-08-31`.
    pub effective: Option<String>,
    /// The wager that it pays.
    pub wager_kind: WagerKind,
    /// Games that offer it.
    pub games: Vec<Game>,
    /// How its games form and forfeit.
    pub rules: GameRules,
    /// Whether several games may share its meters.
    pub linkable: bool,
    /// What the jurisdiction limits at a table.
    pub limits: TableLimits,
    /// What all tables of a link have to agree on.
    pub outline: Outline,
    /// What its source doesn't print.
    pub gaps: Vec<Gap>,
}

/// A paytable's content, as far as the file has it.
#[derive(Clone, Debug)]
pub struct Outline {
    /// How hands are ranked.
    pub ranking: Ranking,
    /// Whether the dealer's hand can be wagered on.
    pub bet_on_dealer: bool,
    /// Who has to validate which hits.
    pub validation: Validation,
    /// The levels, highest first.
    pub levels: Vec<LevelOutline>,
    /// The lines, highest hand first.
    pub lines: Vec<LineOutline>,
    /// What is drawn.
    pub(crate) draws: Draws,
    /// Where pays come from and how they are handed over.
    pub settlement: Settlement,
    /// Wagers for which an envy schedule is printed, in whole dollars.
    pub envy_printed_for: Vec<u32>,
}

/// A level, as far as the file has it.
#[derive(Clone, Debug)]
pub struct LevelOutline {
    /// Its name.
    pub name: LevelName,
    /// Seed and reseed, for 1.
    pub seeds: Option<(u32, u32)>,
    /// The least dollars that it may open and restart with, whatever the wager is.
    pub seed_least: Option<u32>,
    /// Primary and reserve rate.
    pub rates: Option<(Rate, Rate)>,
}

/// A line, as far as the file has it.
#[derive(Copy, Clone, Debug)]
pub struct LineOutline {
    /// The hand.
    pub hand: Hand,
    /// What it pays.
    pub pays: Option<Pays>,
    /// Its envy, for 1.
    pub envy: Option<u32>,
}

impl Sheet {
    /// The paytable, if nothing is lacking.
    pub fn paytable(&self) -> Option<Paytable> {
        if self.lacking().next().is_some() {
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

    /// What an operator's file has to add.
    pub fn lacking(&self) -> impl Iterator<Item = &Gap> {
        let decided_later = |gap: &&Gap| gap.what == Part::RoyalFlush;
        let gaps = self.gaps.iter().filter(|gap| gap.inferred_from.is_none());
        gaps.filter(move |gap| !decided_later(gap))
    }

    /// Returns what the operator has to decide when a link opens: the royal flush, where the source has no line for it and
    /// neither has the file.
    pub fn undecided(&self) -> Option<&Gap> {
        let mut lines = self.outline.lines.iter();
        let has_line = lines.any(|line| line.hand == Hand::RoyalFlush);
        let mut gaps = self.gaps.iter().filter(|_| !has_line);
        gaps.find(|gap| gap.what == Part::RoyalFlush)
    }

    /// What the operator has to confirm before a table plays by it.
    pub fn inferred(&self) -> impl Iterator<Item = &Gap> {
        self.gaps.iter().filter(|it| it.inferred_from.is_some())
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

    /// What a Magic Card and a Lucky Bonus pay, for 1, where they are offered.
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
    /// The line, if its pay isn't lacking.
    pub fn line(&self) -> Option<Line> {
        Some(Line {
            hand: self.hand,
            pays: self.pays?,
            envy: self.envy,
        })
    }
}
