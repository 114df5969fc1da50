//! Evaluation of a hand without a table: the regulation's result, with its citation.
//!
//! # Shape
//! [`evaluation`] turns a [`HandAsked`] into an [`Evaluation`]. Nothing is counted and no meter is
//! read. A percentage becomes an amount only if the caller states the displayed amount of the
//! level.

use meterhouse_api::evaluation::{Evaluation, Pay};
use meterhouse_api::text::Text;
use meterhouse_api::values::Amount;
use meterhouse_api::words::ValidatedBy;
use meterhouse_catalogue::{LineOutline, Outline, Part, Sheet};
use meterhouse_domain::card::{Card, repeated};
use meterhouse_domain::command::WageredHand;
use meterhouse_domain::hand::{Evaluated, Hand, Ranking, evaluate};
use meterhouse_domain::link::WAGER_MAX;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{ChargedTo, HandedOver, Line, Pays, envy_is_printed};

use crate::codes::EdgeCode;
use crate::paytables::{incomplete, not_in_source};
use crate::wire_error::EdgeError;

/// Number of decks in a round (§ 657a.3(a)).
const DECKS: u8 = 1;

/// A hand to evaluate.
#[derive(Clone, Debug)]
pub struct HandAsked<'a> {
    /// Cards of the hand.
    pub cards: &'a [Card],
    /// Wager on the hand.
    pub wager: Money,
    /// Owner of the wagered hand.
    pub on: WageredHand,
    /// Displayed amount of the level of which the line pays a percentage.
    pub displayed: Option<Money>,
}

/// Returns the evaluation of this hand by this paytable.
///
/// # Errors
/// - `invalid_card` for a wrong number of cards or a repeated card.
/// - `invalid_value` for a hand that can't be wagered on.
/// - `invalid_amount` for a wager of zero or beyond the maximum.
/// - `incomplete_paytable` if pays or envy are missing.
pub fn evaluation(sheet: &Sheet, asked: &HandAsked<'_>) -> Result<Evaluation, EdgeError> {
    let outline = &sheet.outline;
    if asked.on == WageredHand::Dealer && !outline.bet_on_dealer {
        let detail = "on is \"own\": the dealer's hand can't be wagered on here";
        return Err(EdgeError::because(EdgeCode::InvalidValue, detail).with("on", "dealer"));
    }
    if asked.wager <= Money::ZERO || asked.wager > WAGER_MAX {
        let detail = format!("write a wager of more than 0.00 and at most {WAGER_MAX}");
        return Err(EdgeError::because(EdgeCode::InvalidAmount, detail).with("wager", asked.wager));
    }
    // Rates and seeds say nothing about a hand.
    let mut missing = sheet.missing();
    if missing.any(|gap| matches!(gap.what, Part::Pays | Part::Envy)) {
        return Err(incomplete(sheet));
    }
    let hand = hand(outline.ranking, asked.cards)?;
    let line = outline.lines.iter().find(|line| line.hand == hand);
    let line = line.and_then(LineOutline::line);
    let pay = line.map(|line| pay(outline, &line, asked)).transpose()?;
    let envy = line.map(|line| envy(outline, &line, asked)).transpose()?;
    let envy = envy.flatten();
    let gives = line.is_some_and(|line| line.envy.is_some()) && asked.on == WageredHand::Own;
    // The hand gives envy, but not at this wager.
    let unprinted = (gives && envy.is_none()).then_some(outline.envy_printed_for.as_slice());
    Ok(Evaluation {
        paytable: Text(sheet.id.clone()),
        title: sheet.title.clone(),
        citation: sheet.citation.clone(),
        not_in_source: not_in_source(sheet),
        hand_rule: Text(sheet.rules.hand_rule),
        ranking: Text(outline.ranking),
        cards: asked.cards.iter().copied().map(Text).collect(),
        hand: Text(hand),
        answer: answer(asked.on, hand, pay.as_ref(), envy)
            + &unprinted.map(unprinted_envy).unwrap_or_default(),
        pay,
        envy,
    })
}

fn hand(ranking: Ranking, cards: &[Card]) -> Result<Hand, EdgeError> {
    let count = usize::from(ranking.cards());
    let twice = repeated(cards.iter().copied(), DECKS);
    let twice = twice.map(|card| format!("{card} comes twice: a round has one deck"));
    let dealt = cards.len();
    let number =
        (dealt != count).then(|| format!("write the {count} cards of the hand; these are {dealt}"));
    let wrong: Vec<String> = twice.into_iter().chain(number).collect();
    let found = evaluate(ranking, cards).filter(|_| wrong.is_empty());
    found.map(Evaluated::hand).ok_or_else(|| {
        let text: Vec<String> = cards.iter().map(Card::to_string).collect();
        let error = EdgeError::because(EdgeCode::InvalidCard, wrong.join("; "));
        error.with("cards", text.join(" "))
    })
}

fn pay(outline: &Outline, line: &Line, asked: &HandAsked<'_>) -> Result<Pay, EdgeError> {
    let level = |index: usize| {
        let level = outline.levels.get(index);
        level.map(|level| Text(level.name.clone()))
    };
    let (percent, level, for_one) = match line.pays {
        Pays::Percent { percent, level: of } => (Some(percent), level(of), None),
        Pays::ForOne(odds) => (None, None, Some(odds)),
        Pays::ForOneOf { odds, level: of } => (None, level(of), Some(odds)),
    };
    let charge = outline.settlement.charge(line.pays);
    let of_level = percent.and_then(|percent| Some(asked.displayed?.percent_of_displayed(percent)));
    let fixed = for_one.map(|odds| times(asked.wager, odds)).transpose()?;
    // A floorperson or above validates a hit (§ 657a.11(e)(3)).
    let validated_by = if line.needs_validation(outline.validation) {
        ValidatedBy::Floorperson
    } else {
        ValidatedBy::Rule
    };
    Ok(Pay {
        percent,
        level,
        for_one,
        amount: of_level.or(fixed).map(Text),
        charged_to: Text(charge.charged_to),
        handed_over: Text(charge.handed_over),
        validated_by,
    })
}

/// Returns the envy of a line, if the source prints one for this wager. The dealer's hand gives
/// none.
fn envy(
    outline: &Outline,
    line: &Line,
    asked: &HandAsked<'_>,
) -> Result<Option<Amount>, EdgeError> {
    let gives =
        asked.on == WageredHand::Own && envy_is_printed(&outline.envy_printed_for, asked.wager);
    let odds = line.envy.filter(|_| gives);
    let amount = odds.map(|odds| times(asked.wager, odds)).transpose()?;
    Ok(amount.map(Text))
}

/// Returns the sentence for a hand that gives envy at other wagers than this one.
fn unprinted_envy(printed_for: &[u32]) -> String {
    let wagers: Vec<String> = printed_for
        .iter()
        .map(|wager| format!("${wager}.00"))
        .collect();
    let wagers = wagers.join(" and ");
    format!(
        " Its envy is printed for {wagers} only: another wager needs the operator's own schedule."
    )
}

fn times(wager: Money, odds: u32) -> Result<Money, EdgeError> {
    let too_much = |error| EdgeError::because(EdgeCode::InvalidAmount, error).with("wager", wager);
    wager.for_one(odds).map_err(too_much)
}

fn answer(on: WageredHand, hand: Hand, pay: Option<&Pay>, envy: Option<Amount>) -> String {
    let Some(pay) = pay else {
        return format!("{hand} wins nothing.");
    };
    let what = match (pay.percent, pay.for_one, &pay.level) {
        (Some(percent), _, Some(level)) if on == WageredHand::Dealer => {
            format!("{percent}% of {level}, shared equally by the players who wagered on it")
        }
        (Some(percent), _, Some(level)) => format!("{percent}% of {level}"),
        (_, Some(odds), Some(level)) => {
            format!("{odds} for 1 off {level}, what it lacks from the house")
        }
        (_, odds, _) => format!("{} for 1", odds.unwrap_or_default()),
    };
    let amount = pay.amount.as_ref().map(|amount| format!(", ${amount}"));
    let from = match *pay.charged_to {
        ChargedTo::Meter => "the meter",
        ChargedTo::House => "the house",
    };
    let over = match *pay.handed_over {
        HandedOver::Slip => "with the documentation of a jackpot payout, never from the rack",
        HandedOver::GameAccount => "to the player's game account",
        HandedOver::Rack => "from the rack",
    };
    let validated = match pay.validated_by {
        ValidatedBy::Floorperson => "A floorperson or above validates it first.",
        ValidatedBy::Rule => "Nobody has to validate it.",
    };
    let envy =
        envy.map(|amount| format!(" Each other player who made the wager gets ${amount} envy."));
    format!(
        "{hand} pays {what}{}, charged to {from}, handed over {over}. {validated}{}",
        amount.unwrap_or_default(),
        envy.unwrap_or_default()
    )
}
