//! Sic Bo: a throw of three dice, 58 Pa. Code § 625a.6.

use crate::fixed::dice::DiceWager;
use crate::fixed::seen::Seen;
use crate::fixed::settle::chosen::ChosenTables;
use crate::fixed::settle::decided::Decided;
use crate::fixed::settle::finding::{Finding, Mistake};
use crate::fixed::settle::one_by_one::{Placed, one_by_one};
use crate::fixed::settle::settled::SettledWager;
use crate::fixed::table::FixedTable;
use crate::fixed::wager::FixedWager;
use crate::money::Money;

/// A throw to settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Throw {
    /// Numbers that the dice show, in any order.
    pub dice: [u8; 3],
    /// Smallest chip: every wager is a multiple of it.
    pub step: Money,
    /// Wagers of all players.
    pub wagers: Vec<DicePlaced>,
}

/// A wager on dice with its amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DicePlaced {
    /// Wager.
    pub wager: DiceWager,
    /// Numbers chosen with it: none, one or two.
    pub numbers: Vec<u8>,
    /// Amount.
    pub amount: Money,
}

/// Settles a throw by the chosen tables of Pennsylvania: one result for each wager, in the same order.
///
/// # Errors
/// All mistakes in the throw, if there are any.
pub fn settle_throw(
    throw: &Throw,
    tables: &[&FixedTable],
) -> Result<Vec<SettledWager>, Vec<Finding>> {
    let chosen = ChosenTables {
        tables,
        game: "sic-bo",
        jurisdiction: "PA",
        players: 0,
    };
    let mut findings = Vec::new();
    if Seen::dice(throw.dice).is_none() {
        findings.push(Finding::new("dice", Mistake::NoDice));
    }
    one_by_one(&throw.wagers, throw.step, findings, |placed| {
        decide(&chosen, throw.dice, placed)
    })
}

impl Placed for DicePlaced {
    fn amount(&self) -> Money {
        self.amount
    }

    fn chosen_wrong(&self) -> Option<(&'static str, Mistake)> {
        let (wager, chosen) = (self.wager, self.wager.chosen());
        let is_wrong = !wager.takes(&self.numbers);
        is_wrong.then_some(("numbers", Mistake::NumbersChosen { wager, chosen }))
    }
}

fn decide(
    chosen: &ChosenTables<'_>,
    dice: [u8; 3],
    placed: &DicePlaced,
) -> Result<SettledWager, Mistake> {
    let (wager, clause) = match placed.wager {
        DiceWager::OneOfAKind => (FixedWager::OneOfAKind, "§ 625a.6(b)"),
        _ => (FixedWager::SicBo, "§ 625a.6(a)"),
    };
    let table = chosen.table(wager.name())?;
    // "If the certificate holder selected Paytable A in subsection (a)", (b)(3).
    if let Ok(other) = chosen.table(FixedWager::SicBo.name())
        && other.letter != table.letter
    {
        return Err(Mistake::LettersDiffer);
    }
    let line = table.line_on(placed.wager, &placed.numbers, dice);
    let decided = Decided::by_line(table, line, clause, placed.amount)?;
    Ok(decided.of(wager, placed.amount))
}
