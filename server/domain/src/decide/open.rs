//! A link opens: its levels at their seeds, paid by the house (figures A, B).

use crate::event::Event;
use crate::link::{Account, Book, DECKS_MAX, LinkTerms, Move, ReservePolicy};
use crate::money::{MICROS_PER_DOLLAR, Money};
use crate::refusal::{Refusal, RefusalCode};

use super::Stop;

/// The largest wager of a link: keeps every product of a seed and a wager in range.
const WAGER_MAX: Money = Money::from_micros(10_000 * MICROS_PER_DOLLAR);

/// The event that opens a link with these terms.
///
/// # Errors
/// [`Stop::Refused`] where the terms can't be kept exactly or the source doesn't allow them (`rules` §4).
pub fn open(terms: LinkTerms) -> Result<Event, Stop> {
    if terms.wager <= Money::ZERO || terms.wager > WAGER_MAX || !terms.wager.is_whole_cents() {
        return Err(Refusal::new(RefusalCode::OutOfRange)
            .with("wager", terms.wager)
            .with("least", Money::from_micros(crate::money::MICROS_PER_CENT))
            .with("most", WAGER_MAX)
            .into());
    }
    if terms.decks == 0 || terms.decks > DECKS_MAX {
        return Err(Refusal::new(RefusalCode::OutOfRange)
            .with("decks", terms.decks)
            .with("most", DECKS_MAX)
            .into());
    }
    if terms.shares().is_none() {
        return Err(Refusal::new(RefusalCode::ShareNotExact)
            .with("wager", terms.wager)
            .into());
    }
    envy_filed(&terms)?;
    let mut moves = Vec::new();
    for (index, level) in terms.content().levels.iter().enumerate() {
        let lone_reserve = level.reseed == 0 && !level.reserve.is_zero();
        if terms.reserve_policy == ReservePolicy::FundKeep && lone_reserve {
            let refusal = Refusal::new(RefusalCode::PolicyNeedsReseed);
            return Err(refusal.with("level", &level.name).into());
        }
        moves.push(Move {
            book: Book::level(index),
            from: Account::House,
            to: Account::Meter,
            amount: terms.wager.for_one(level.seed)?,
        });
    }
    Ok(Event::LinkOpened {
        terms: Box::new(terms),
        moves,
    })
}

/// Envy is tabled for some wagers only: another needs the operator's filed table.
fn envy_filed(terms: &LinkTerms) -> Result<(), Stop> {
    let content = terms.content();
    let has_envy = content.lines.iter().any(|line| line.envy.is_some());
    let printed = content.envy_printed_for.iter();
    let mut amounts =
        printed.map(|dollars| Money::from_micros(i64::from(*dollars) * MICROS_PER_DOLLAR));
    if !has_envy || amounts.any(|amount| amount == terms.wager) {
        return Ok(());
    }
    Err(Refusal::new(RefusalCode::EnvyNotFiled)
        .with("wager", terms.wager)
        .into())
}
