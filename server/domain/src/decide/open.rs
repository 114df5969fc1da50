//! A link opens: its levels at their seeds, paid by the house (figures A, B).

use crate::command::Bonus;
use crate::event::Event;
use crate::link::{Account, Book, DECKS_MAX, LinkTerms, Move, ReservePolicy, WAGER_MAX};
use crate::money::Money;
use crate::paytable::envy_is_printed;
use crate::refusal::{Refusal, RefusalCode};

use super::decision::Stop;

/// The longest silence of a table that a link may allow: an hour.
const SILENCE_SECONDS_MOST: u32 = 3_600;
/// The rarest draw.
const ONE_IN_MOST: u32 = 1_000_000;

/// Returns the event that opens a link with these terms.
///
/// # Errors
/// [`Stop::Refused`] if the terms can't be kept exactly or the source doesn't allow them (RULES §4).
pub fn open(mut terms: LinkTerms) -> Result<Event, Stop> {
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
    if let Some(most) = terms.limits.decks_max.filter(|most| terms.decks > *most) {
        return Err(Refusal::new(RefusalCode::TooManyDecks)
            .with("decks", terms.decks)
            .with("most", most)
            .into());
    }
    if terms.shares().is_none() {
        return Err(Refusal::new(RefusalCode::ShareNotExact)
            .with("wager", terms.wager)
            .into());
    }
    envy_filed(&terms)?;
    settings(&terms)?;
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
            amount: terms.opened_with(level)?,
        });
    }
    terms.counts_draws_and_envy = true;
    terms.must_accept_values = true;
    Ok(Event::LinkOpened {
        terms: Box::new(terms),
        moves,
    })
}

/// Refuses settings without meaning (zero rounds a minute), settings that the paytable doesn't offer, or amounts too
/// large for a meter.
fn settings(terms: &LinkTerms) -> Result<(), Stop> {
    let settings = &terms.settings;
    for (field, value, most) in [
        (
            "rounds_a_minute_max",
            settings.rounds_a_minute_max,
            u32::MAX,
        ),
        (
            "silence_seconds_max",
            settings.silence_seconds_max,
            SILENCE_SECONDS_MOST,
        ),
        ("magic_card_one_in", settings.magic_card_one_in, ONE_IN_MOST),
        (
            "lucky_bonus_one_in",
            settings.lucky_bonus_one_in,
            ONE_IN_MOST,
        ),
    ] {
        if value.is_some_and(|value| value == 0 || value > most) {
            let refusal = Refusal::new(RefusalCode::OutOfRange);
            return Err(refusal
                .with(field, value.unwrap_or_default())
                .with("least", 1)
                .with("most", most)
                .into());
        }
    }
    let content = terms.content();
    for (kind, one_in, odds) in [
        (
            Bonus::MagicCard,
            settings.magic_card_one_in,
            content.magic_card,
        ),
        (
            Bonus::LuckyBonus,
            settings.lucky_bonus_one_in,
            content.lucky_bonus,
        ),
    ] {
        if one_in.is_some() && odds.is_none() {
            let refusal = Refusal::new(RefusalCode::BonusNotOffered);
            return Err(refusal.with("kind", kind).into());
        }
    }
    ceilings(terms)
}

/// Refuses a ceiling that a sign could not show, or below the amount that the level opens or restarts with
/// (CONFORMANCE 37).
fn ceilings(terms: &LinkTerms) -> Result<(), Stop> {
    let (ceilings, levels) = (&terms.settings.ceilings, &terms.content().levels);
    if !ceilings.is_empty() && ceilings.len() != levels.len() {
        return Err(Refusal::new(RefusalCode::OutOfRange)
            .with("ceilings", ceilings.len())
            .with("levels", levels.len())
            .into());
    }
    for (level, ceiling) in levels.iter().zip(ceilings) {
        let Some(ceiling) = *ceiling else { continue };
        let least = terms.wager.for_one(level.seed.max(level.reseed))?;
        let code = if !ceiling.is_whole_cents() {
            RefusalCode::OutOfRange
        } else if ceiling < least || ceiling <= Money::ZERO {
            RefusalCode::CeilingTooLow
        } else {
            continue;
        };
        return Err(Refusal::new(code)
            .with("level", &level.name)
            .with("ceiling", ceiling)
            .with("least", least)
            .into());
    }
    Ok(())
}

/// Refuses a wager without an envy schedule: the source prints envy for some wagers only, any other needs the
/// operator's filed table.
fn envy_filed(terms: &LinkTerms) -> Result<(), Stop> {
    let content = terms.content();
    let has_envy = content.lines.iter().any(|line| line.envy.is_some());
    if !has_envy || envy_is_printed(&content.envy_printed_for, terms.wager) {
        return Ok(());
    }
    Err(Refusal::new(RefusalCode::EnvyNotFiled)
        .with("wager", terms.wager)
        .into())
}
