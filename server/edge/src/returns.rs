//! The return of a paytable, for the API and the command line.
//!
//! # Shape
//! [`paytable_returns`] turns a [`Question`] of texts into [`PaytableReturns`]. Every share of the wager has two
//! forms: in percent, rounded to two decimals, and as the exact fraction.

use std::num::NonZeroU32;

use meterhouse_api::forms::Unsigned;
use meterhouse_api::returns::{
    DrawReturn, EnvyReturn, LevelReturn, LineReturn, PaytableOffer, PaytableReturns,
};
use meterhouse_api::text::Text;
use meterhouse_domain::command::Bonus;
use meterhouse_domain::ids::LevelName;
use meterhouse_domain::link::WAGER_MAX;
use meterhouse_domain::money::{MICROS_PER_DOLLAR, Money};
use meterhouse_domain::paytable::Content;
use meterhouse_domain::returns::{
    self, Asked, DISPLAYED_MAX, Fraction, LinkReturns, Returns, hundredths, percent,
};

use crate::codes::EdgeCode;
use crate::link_returns::{self, share};
use crate::offer::offer;
use crate::paytables::{Found, not_in_source};
use crate::value::{read, shown};
use crate::wire_error::EdgeError;

/// The parameters of a return; a missing parameter has a default.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Wager of the link; default: one dollar.
    pub wager: Option<String>,
    /// Displayed amounts of levels: `mega:12345.67,major:1000.00`, or one amount if there is one
    /// level; default: the seeds.
    pub meter: Option<String>,
    /// Betting positions of the layout; default: the most that a game of the paytable has.
    pub seats: Option<u8>,
    /// Number of rounds per draw of a Magic Card; default: no draw.
    pub magic_card_one_in: Option<NonZeroU32>,
    /// Number of rounds per draw of a Lucky Bonus; default: no draw.
    pub lucky_bonus_one_in: Option<NonZeroU32>,
}

/// Returns the worth of a wager on a paytable.
///
/// # Errors
/// `invalid_amount` and `invalid_parameter` for parameters out of range.
pub fn paytable_returns(of: Found<'_>, question: &Question) -> Result<PaytableReturns, EdgeError> {
    let paytable = of.paytable;
    let content = &paytable.content;
    let wager = match &question.wager {
        Some(text) => read("wager", text).map(|Unsigned(wager)| wager)?,
        None => Money::DOLLAR,
    };
    let displayed = displayed(content, wager, question.meter.as_deref())?;
    let seats = question.seats.unwrap_or_else(|| paytable.full_table());
    let asked = Asked {
        wager,
        displayed: &displayed,
        seats,
    };
    let found = returns::returns(content, &asked).ok_or_else(|| {
        let detail = format!(
            "write a wager of more than 0.00 and at most {WAGER_MAX}, and meters of at most {DISPLAYED_MAX}"
        );
        EdgeError::because(EdgeCode::InvalidAmount, detail).with("wager", wager)
    })?;
    let offer = offer(of, &asked);
    let draws = draws(&found, question);
    let with_draws = found.long_run + adds(&found, question);
    let one_in = |rounds: Option<NonZeroU32>| rounds.map(NonZeroU32::get);
    let (magic_card, lucky_bonus) = (question.magic_card_one_in, question.lucky_bonus_one_in);
    let on_a_link = LinkReturns::new(paytable, one_in(magic_card), one_in(lucky_bonus));
    let levels = content.levels.iter().zip(&displayed).zip(&found.levels);
    let one = Fraction::from_integer(1);
    Ok(PaytableReturns {
        paytable: Text(paytable.id.clone()),
        title: paytable.title.clone(),
        citation: paytable.citation.clone(),
        not_in_source: not_in_source(of.sheet),
        wager: Text(wager),
        lines: found.lines.iter().map(line_return).collect(),
        levels: levels
            .map(|((level, displayed), worth)| level_return(&level.name, *displayed, worth))
            .collect(),
        fixed: share(found.fixed),
        fixed_of_levels: share(found.fixed_of_levels),
        primary: share(found.primary),
        reserve: share(found.reserve),
        reseed: share(found.reseed),
        shortfall: share(found.shortfall),
        at_displayed: share(found.at_displayed),
        long_run: share(found.long_run),
        hold: share(one - found.long_run),
        envy: envy(found.envy_each, seats),
        draws,
        with_draws: share(with_draws),
        on_a_link: link_returns::of_parts(&on_a_link),
        warning: warning(&found, with_draws, &on_a_link, offer.as_ref()),
        offer,
    })
}

/// Returns the displayed amounts of the levels: as given, or the seeds.
fn displayed(content: &Content, wager: Money, text: Option<&str>) -> Result<Vec<Money>, EdgeError> {
    let too_much = |_| EdgeError::new(EdgeCode::InvalidAmount).with("wager", wager);
    let seeds = content.levels.iter().map(|level| wager.for_one(level.seed));
    let mut displayed = seeds.collect::<Result<Vec<_>, _>>().map_err(too_much)?;
    for part in text.into_iter().flat_map(|text| text.split(',')) {
        let (name, text) = match (part.split_once(':'), content.levels.as_slice()) {
            (Some(pair), _) => pair,
            (None, [only]) => (only.name.as_str(), part),
            (None, _) => return Err(not_a_level(content, part)),
        };
        let index = content
            .levels
            .iter()
            .position(|level| level.name.as_str() == name);
        let amount = index.and_then(|index| displayed.get_mut(index));
        let amount = amount.ok_or_else(|| not_a_level(content, part))?;
        Unsigned(*amount) = read("meter", text)?;
    }
    Ok(displayed)
}

fn not_a_level(content: &Content, part: &str) -> EdgeError {
    let names: Vec<&str> = content
        .levels
        .iter()
        .map(|level| level.name.as_str())
        .collect();
    let detail = format!(
        "write LEVEL:AMOUNT, several with commas between; the levels are {}",
        names.join(", ")
    );
    EdgeError::because(EdgeCode::InvalidParameter, detail).with("meter", shown(part))
}

fn envy(each: Fraction, seats: u8) -> Vec<EnvyReturn> {
    if each == Fraction::from_integer(0) {
        return Vec::new();
    }
    let players = 1..=seats;
    let at_table = players.map(|players| EnvyReturn {
        players,
        adds: share(each * i128::from(players - 1)),
    });
    at_table.collect()
}

/// Returns the draws that the paytable offers: the return of each if it were drawn every round, and
/// its number of rounds per draw.
fn offered(
    found: &Returns,
    question: &Question,
) -> [(Bonus, Option<Fraction>, Option<NonZeroU32>); 2] {
    let (magic_card, lucky_bonus) = (question.magic_card_one_in, question.lucky_bonus_one_in);
    [
        (Bonus::MagicCard, found.magic_card, magic_card),
        (Bonus::LuckyBonus, found.lucky_bonus, lucky_bonus),
    ]
}

/// Returns the return of a draw with this number of rounds per draw.
fn adds_one(every_round: Fraction, one_in: Option<NonZeroU32>) -> Fraction {
    let zero = Fraction::from_integer(0);
    one_in.map_or(zero, |rounds| every_round / i128::from(rounds.get()))
}

/// Returns the sum over all draws.
fn adds(found: &Returns, question: &Question) -> Fraction {
    let all = offered(found, question).into_iter();
    all.filter_map(|(_, every_round, one_in)| Some(adds_one(every_round?, one_in)))
        .sum()
}

fn draws(found: &Returns, question: &Question) -> Vec<DrawReturn> {
    let draw = |(bonus, every_round, one_in): (Bonus, Option<Fraction>, Option<NonZeroU32>)| {
        let every_round = every_round?;
        Some(DrawReturn {
            draw: Text(bonus),
            every_round: share(every_round),
            one_in: one_in.map(NonZeroU32::get),
            adds: share(adds_one(every_round, one_in)),
        })
    };
    offered(found, question)
        .into_iter()
        .filter_map(draw)
        .collect()
}

/// Returns the warning for an operator who opens a link with this paytable.
fn warning(
    found: &Returns,
    with_draws: Fraction,
    on_a_link: &LinkReturns,
    offer: Option<&PaytableOffer>,
) -> Option<String> {
    let one = Fraction::from_integer(1);
    let says = |share| {
        format!(
            "in the long run this returns {} of every wager: the house loses",
            percent(share)
        )
    };
    if found.long_run <= one {
        let drawn = || {
            format!(
                "with these draws {}. Let them come in fewer rounds",
                says(with_draws)
            )
        };
        let everything = || {
            format!(
                "on a link this returns up to {} of every wager, its draws on a layout of one position and envy at a full \
                 table among it: two people have to acknowledge that before a table plays",
                percent(on_a_link.total())
            )
        };
        let of_link = || on_a_link.exceeds_wager().then(everything);
        return (with_draws > one).then(drawn).or_else(of_link);
    }
    let says = says(found.long_run);
    Some(offer.map_or_else(
        || format!("{says}. No file with fixed pays off a level can be offered that would change that"),
        |offer| {
            let PaytableOffer { level, hands, .. } = offer;
            let hands: Vec<&str> = hands.iter().map(|hand| hand.name()).collect();
            let (hands, long_run) = (hands.join(", "), &offer.long_run.percent);
            format!(
                "{says}. With the pays of {hands} off the {level} (of = \"{level}\" at these lines) it returns {long_run}: \
                 meterhouse paytable charge prints such a file"
            )
        },
    ))
}

fn line_return(line: &returns::LineReturn) -> LineReturn {
    let one_in = Fraction::new(line.of.into(), line.hands.max(1).into());
    LineReturn {
        hand: Text(line.hand),
        hands: line.hands,
        of: line.of,
        one_in: hundredths(one_in),
        at_displayed: share(line.at_displayed),
    }
}

fn level_return(name: &LevelName, displayed: Money, worth: &returns::LevelReturn) -> LevelReturn {
    let dollars = |micros: Fraction| hundredths(micros / i128::from(MICROS_PER_DOLLAR));
    LevelReturn {
        level: Text(name.clone()),
        displayed: Text(displayed),
        break_even: worth.break_even.map(dollars),
        mean_jackpot: worth.mean_jackpot.map(dollars),
    }
}
