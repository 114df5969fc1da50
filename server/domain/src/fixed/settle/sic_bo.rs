//! Sic Bo: a throw of three dice, 58 Pa. Code § 625a.6.

use crate::fixed::dice::DiceWager;
use crate::fixed::seen::Seen;
use crate::fixed::settle::chosen::ChosenTables;
use crate::fixed::settle::decided::Decided;
use crate::fixed::settle::finding::{Finding, Mistake};
use crate::fixed::settle::one_by_one::RolledRules;
use crate::fixed::settle::rolled::ChosenWager;
use crate::fixed::settle::settled::SettledWager;
use crate::fixed::wager::{FixedWager, RoundWager};

/// A throw with the tables that pay it.
pub(super) struct Throw<'a> {
    /// Dice of the throw; none unless there are three from 1 to 6.
    dice: Option<[u8; 3]>,
    chosen: ChosenTables<'a>,
}

impl<'a> Throw<'a> {
    /// Returns the throw of these dice.
    pub(super) fn new(dice: &[u8], chosen: ChosenTables<'a>) -> Self {
        let dice = dice.try_into().ok();
        let is_thrown = |dice: &[u8; 3]| Seen::dice(*dice).is_some();
        Self {
            dice: dice.filter(is_thrown),
            chosen,
        }
    }
}

impl RolledRules for Throw<'_> {
    fn rolled_wrong(&self) -> Option<Finding> {
        let is_wrong = self.dice.is_none();
        is_wrong.then(|| Finding::new("dice", Mistake::NoDice))
    }

    fn chosen_wrong(&self, placed: &ChosenWager) -> Option<(&'static str, Mistake)> {
        let RoundWager::Dice(wager) = placed.wager else {
            return None;
        };
        let chosen = wager.chosen();
        let is_wrong = !wager.takes(&placed.numbers);
        is_wrong.then_some(("numbers", Mistake::NumbersChosen { wager, chosen }))
    }

    fn settle(&self, placed: &ChosenWager) -> Result<SettledWager, Mistake> {
        let RoundWager::Dice(on_dice) = placed.wager else {
            return Err(Mistake::WagerUnknown {
                wager: placed.wager,
                known: DiceWager::WORDS.to_owned(),
            });
        };
        let wager = placed.wager.fixed();
        let clause = match wager {
            FixedWager::OneOfAKind => "§ 625a.6(b)",
            _ => "§ 625a.6(a)",
        };
        let table = self.chosen.table(wager.name())?;
        // "If the certificate holder selected Paytable A in subsection (a)", (b)(3).
        if let Ok(other) = self.chosen.table(FixedWager::SicBo.name())
            && other.letter != table.letter
        {
            return Err(Mistake::LettersDiffer);
        }
        let dice = self.dice.ok_or(Mistake::NoDice)?;
        let line = table.line_on(on_dice, &placed.numbers, dice);
        let decided = Decided::by_line(table, line, clause, placed.amount)?;
        Ok(decided.of(wager, placed.amount))
    }
}
