//! The decision of a wager, with its money.

use crate::fixed::odds::Settled;
use crate::fixed::settle::cite::Citation;
use crate::fixed::settle::finding::Mistake;
use crate::fixed::settle::settled::{LinePaid, SettledWager, WagerResult};
use crate::fixed::table::{FixedTable, Line};
use crate::fixed::wager::FixedWager;
use crate::money::Money;

/// A decided wager.
pub(super) struct Decided {
    result: WagerResult,
    clause: Citation,
    line: Option<LinePaid>,
    money: Settled,
}

impl Decided {
    /// Decides a wager by a line of a table; without a line it loses.
    pub(super) fn by_line(
        table: &FixedTable,
        line: Option<(usize, &Line)>,
        clause: Citation,
        amount: Money,
    ) -> Result<Self, Mistake> {
        let Some((index, line)) = line else {
            return Ok(Self::without_pay(WagerResult::Loss, clause, amount));
        };
        let settled = line.pays.settle(table.basis, amount);
        let money = settled.map_err(|_| Mistake::Unpayable)?;
        if !money.pay.is_whole_cents() {
            return Err(Mistake::Unpayable);
        }
        let result = match (money.pay > Money::ZERO, money.returned > Money::ZERO) {
            (true, _) => WagerResult::Win,
            (false, true) => WagerResult::Push,
            (false, false) => WagerResult::Loss,
        };
        Ok(Self {
            result,
            clause,
            line: Some(LinePaid {
                table: table.id.clone(),
                citation: table.citation.clone(),
                index,
                prints: line.prints.clone(),
                pays: line.pays.text(table.basis),
            }),
            money,
        })
    }

    /// Decides a wager that nothing is paid on: it is collected or goes back.
    pub(super) const fn without_pay(result: WagerResult, clause: Citation, amount: Money) -> Self {
        let returned = match result {
            WagerResult::Push | WagerResult::Returned => amount,
            WagerResult::Win | WagerResult::Loss => Money::ZERO,
        };
        Self {
            result,
            clause,
            line: None,
            money: Settled {
                pay: Money::ZERO,
                returned,
            },
        }
    }

    /// Returns the settled wager; a limit may still cut its pay.
    pub(super) fn of(self, wager: FixedWager, amount: Money) -> SettledWager {
        let Settled { pay, returned } = self.money;
        let is_returned = returned == amount;
        SettledWager {
            wager,
            amount,
            result: self.result,
            clause: self.clause.into(),
            line: self.line,
            payout: pay,
            paid: pay,
            returned,
            collected: if is_returned { Money::ZERO } else { amount },
        }
    }
}
