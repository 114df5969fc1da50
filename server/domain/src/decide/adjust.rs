//! Adjustments of a meter or reserve by two people, such as the variance of a coin-in test or an amount carried over.

use crate::change::{AdjustedAccount, Effect};
use crate::link::{Account, Book, Move};
use crate::money::{MICROS_PER_DOLLAR, Money};
use crate::refusal::{Refusal, RefusalCode};
use crate::state::LinkState;

use super::balance::balanced;
use super::decision::Stop;
use super::held::Held;
use super::values;

/// The largest single adjustment: a larger one is probably a typing error.
const ADJUSTMENT_MAX: Money = Money::from_micros(100_000_000 * MICROS_PER_DOLLAR);

/// Moves money between the house and a balance; an amount over a ceiling goes to the overflow.
pub(super) fn adjust(
    state: &LinkState,
    level: u8,
    adjusted: AdjustedAccount,
    amount: Money,
) -> Result<(Effect, Vec<Move>), Stop> {
    values::accepted(state)?;
    if usize::from(level) >= state.terms.content().levels.len() {
        return Err(RefusalCode::NoSuchLevel.into());
    }
    let range = Money::ZERO.minus(ADJUSTMENT_MAX)?..=ADJUSTMENT_MAX;
    if amount == Money::ZERO || !range.contains(&amount) {
        return Err(Refusal::new(RefusalCode::OutOfRange)
            .with("amount", amount)
            .with("amount_max", ADJUSTMENT_MAX)
            .into());
    }
    let book = Book(level);
    let account = match adjusted {
        AdjustedAccount::Meter => Account::Meter,
        AdjustedAccount::Reserve => Account::Reserve,
    };
    let before = state.balance(book, account);
    if before.plus(amount)? < Money::ZERO {
        return Err(Refusal::new(RefusalCode::BalanceTooLow)
            .with("account", adjusted)
            .with("balance", before)
            .with("amount", amount)
            .into());
    }
    let up = amount > Money::ZERO;
    let entry = Move {
        book,
        from: if up { Account::House } else { account },
        to: if up { account } else { Account::House },
        amount: if up {
            amount
        } else {
            Money::ZERO.minus(amount)?
        },
    };
    let moves = balanced(state, vec![entry])?;
    let after = Held::now(state, book).after(&moves, book)?.balance(account);
    let effect = Effect::Adjusted {
        level,
        account: adjusted,
        before,
        after,
    };
    Ok((effect, moves))
}
