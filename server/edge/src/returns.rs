//! The return of a paytable, for the API and the command line.
//!
//! # Shape
//! [`view`] turns a [`Question`] of texts into a [`ReturnsView`]. Every share of the wager has two
//! forms: in percent, rounded to two decimals, and as the exact fraction.

use std::fmt::Display;
use std::num::NonZeroU32;

use meterhouse_api::paytable::NotInSource;
use meterhouse_domain::command::Bonus;
use meterhouse_domain::link::WAGER_MAX;
use meterhouse_domain::money::{MICROS_PER_DOLLAR, Money};
use meterhouse_domain::paytable::Content;
use meterhouse_domain::returns::{
    Asked, DISPLAYED_MAX, Fraction, LevelReturn, LineReturn, LinkReturns, Returns, hundredths,
    percent, returns,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::amount;
use crate::codes::EdgeCode;
use crate::link_returns::LinkReturnsView;
use crate::offer::OfferView;
use crate::paytables::{Found, not_in_source};
use crate::share::Share;
use crate::value::shown;
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

/// What a paytable is worth to the player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReturnsView {
    /// Its id.
    pub paytable: String,
    /// What people call it.
    pub title: String,
    /// Where it stands.
    pub citation: String,
    /// What the source doesn't print, and where it was taken from.
    pub not_in_source: Vec<NotInSource>,
    /// The wager that is looked at.
    pub wager: String,
    /// The lines.
    pub lines: Vec<LineView>,
    /// The levels.
    pub levels: Vec<LevelView>,
    /// Fixed odds that the house pays.
    pub fixed: Share,
    /// Fixed odds that come off a level first; the long run has them among what the levels take.
    pub fixed_of_levels: Share,
    /// What the displayed balances take.
    pub primary: Share,
    /// What the reserves take.
    pub reserve: Share,
    /// What the house adds when a level restarts.
    pub reseed: Share,
    /// What the house pays, at least, where fixed odds off a level are more than comes in to it on the average.
    pub shortfall: Share,
    /// What the next wager gets back at the displayed amounts, without envy and draws.
    pub at_displayed: Share,
    /// What all wagers get back in the end, without envy and draws.
    pub long_run: Share,
    /// What the house keeps of all wagers in the end; negative where it pays more than it takes.
    pub hold: Share,
    /// What envy adds, by the number of players who wager at the table.
    pub envy: Vec<EnvyView>,
    /// What the draws add.
    pub draws: Vec<DrawView>,
    /// What all wagers get back in the end with the draws as often as asked, without envy.
    pub with_draws: Share,
    /// What a link with this paytable and these draws would return, each part at the layout where it is the most.
    pub on_a_link: LinkReturnsView,
    /// What somebody who opens a link with this has to know; null where there is nothing.
    pub warning: Option<String>,
    /// A paytable of the operator's own that returns no more than the wager on the average; null where this one doesn't
    /// return more without draws, and where no level can bear enough fixed pays.
    pub offer: Option<OfferView>,
}

/// A line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LineView {
    /// The hand.
    #[schema(value_type = String, examples("royal-flush"))]
    pub hand: &'static str,
    /// So many of all hands are this one.
    pub hands: u32,
    /// All hands that are dealt.
    pub of: u32,
    /// One hand in so many is this one, rounded to two decimals.
    #[schema(examples("649740.00"))]
    pub one_in: String,
    /// What it is worth at the displayed amounts.
    pub at_displayed: Share,
}

/// A level.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LevelView {
    /// Its name.
    pub level: String,
    /// What it displays here.
    pub displayed: String,
    /// What it has to display for the next wager to be worth itself, the others as they are; null where no amount
    /// makes it so.
    pub break_even: Option<String>,
    /// What it pays on the average when it is won, its reserve added at each restart; null where it can't last.
    pub mean_jackpot: Option<String>,
}

/// Envy at a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EnvyView {
    /// Players who wager.
    pub players: u8,
    /// What it adds for each of them.
    pub adds: Share,
}

/// A draw.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DrawView {
    /// `magic_card` or `lucky_bonus`.
    #[schema(value_type = String)]
    pub draw: &'static str,
    /// What it would add if it were drawn every round.
    pub every_round: Share,
    /// In one of how many rounds it is drawn; null: never.
    pub one_in: Option<u32>,
    /// What it adds.
    pub adds: Share,
}

/// Returns the return of a paytable.
///
/// # Errors
/// `invalid_amount` and `invalid_parameter` for parameters out of range.
pub fn view(of: Found<'_>, question: &Question) -> Result<ReturnsView, EdgeError> {
    let paytable = of.paytable;
    let content = &paytable.content;
    let wager = match &question.wager {
        Some(text) => amount::parse("wager", text)?,
        None => Money::DOLLAR,
    };
    let displayed = displayed(content, wager, question.meter.as_deref())?;
    let seats = question.seats.unwrap_or_else(|| paytable.full_table());
    let asked = Asked {
        wager,
        displayed: &displayed,
        seats,
    };
    let found = returns(content, &asked).ok_or_else(|| {
        let detail = format!(
            "write a wager of more than 0.00 and at most {WAGER_MAX}, and meters of at most {DISPLAYED_MAX}"
        );
        EdgeError::because(EdgeCode::InvalidAmount, detail).with("wager", wager)
    })?;
    let offer = OfferView::of(of, &asked);
    let draws = draws(&found, question);
    let with_draws = found.long_run + adds(&found, question);
    let one_in = |rounds: Option<NonZeroU32>| rounds.map(NonZeroU32::get);
    let (magic_card, lucky_bonus) = (question.magic_card_one_in, question.lucky_bonus_one_in);
    let on_a_link = LinkReturns::new(paytable, one_in(magic_card), one_in(lucky_bonus));
    let levels = content.levels.iter().zip(&displayed).zip(&found.levels);
    let one = Fraction::from_integer(1);
    Ok(ReturnsView {
        paytable: paytable.id.to_string(),
        title: paytable.title.clone(),
        citation: paytable.citation.clone(),
        not_in_source: not_in_source(of.sheet),
        wager: wager.to_string(),
        lines: found.lines.iter().map(LineView::from).collect(),
        levels: levels
            .map(|((level, displayed), worth)| LevelView::of(&level.name, *displayed, worth))
            .collect(),
        fixed: found.fixed.into(),
        fixed_of_levels: found.fixed_of_levels.into(),
        primary: found.primary.into(),
        reserve: found.reserve.into(),
        reseed: found.reseed.into(),
        shortfall: found.shortfall.into(),
        at_displayed: found.at_displayed.into(),
        long_run: found.long_run.into(),
        hold: (one - found.long_run).into(),
        envy: envy(found.envy_each, seats),
        draws,
        with_draws: with_draws.into(),
        on_a_link: LinkReturnsView::from(&on_a_link),
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
        *amount.ok_or_else(|| not_a_level(content, part))? = amount::parse("meter", text)?;
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

fn envy(each: Fraction, seats: u8) -> Vec<EnvyView> {
    if each == Fraction::from_integer(0) {
        return Vec::new();
    }
    let players = 1..=seats;
    let at_table = players.map(|players| EnvyView {
        players,
        adds: (each * i128::from(players - 1)).into(),
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

fn draws(found: &Returns, question: &Question) -> Vec<DrawView> {
    let view = |(bonus, every_round, one_in): (Bonus, Option<Fraction>, Option<NonZeroU32>)| {
        let every_round = every_round?;
        Some(DrawView {
            draw: bonus.name(),
            every_round: every_round.into(),
            one_in: one_in.map(NonZeroU32::get),
            adds: adds_one(every_round, one_in).into(),
        })
    };
    offered(found, question)
        .into_iter()
        .filter_map(view)
        .collect()
}

/// Returns the warning for an operator who opens a link with this paytable.
fn warning(
    found: &Returns,
    with_draws: Fraction,
    on_a_link: &LinkReturns,
    offer: Option<&OfferView>,
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
            let OfferView { level, hands, .. } = offer;
            let (hands, long_run) = (hands.join(", "), &offer.long_run.percent);
            format!(
                "{says}. With the pays of {hands} off the {level} (of = \"{level}\" at these lines) it returns {long_run}: \
                 meterhouse paytable charge prints such a file"
            )
        },
    ))
}

impl From<&LineReturn> for LineView {
    fn from(line: &LineReturn) -> Self {
        let one_in = Fraction::new(line.of.into(), line.hands.max(1).into());
        Self {
            hand: line.hand.name(),
            hands: line.hands,
            of: line.of,
            one_in: hundredths(one_in),
            at_displayed: line.at_displayed.into(),
        }
    }
}

impl LevelView {
    fn of(name: &impl Display, displayed: Money, worth: &LevelReturn) -> Self {
        let dollars = |micros: Fraction| hundredths(micros / i128::from(MICROS_PER_DOLLAR));
        Self {
            level: name.to_string(),
            displayed: displayed.to_string(),
            break_even: worth.break_even.map(dollars),
            mean_jackpot: worth.mean_jackpot.map(dollars),
        }
    }
}
