//! Magic Card and Lucky Bonus (§ 657a.11(f), § 657a.12(f)(3)): what the draw of the round gives to whoever wagered on a
//! hand. It is credited to the game account at once, touches no meter and has no turn.

use crate::card::Card;
use crate::command::{Bonus, BonusCommand, Holder};
use crate::event::{Event, HitKind, HitRecorded};
use crate::paytable::{Charge, ChargedTo, HandedOver};
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{LinkState, Round, Table};

use super::cards::{check_dealt, community_keyed, elsewhere, keyed, none_twice, settled};
use super::decision::Stop;
use super::eligible::has_wager;
use super::hit::{blank, completed};
use super::open_round::open_round;
use super::payouts;
use super::turn::none_stands;

/// How every bonus is paid, whatever the lines of the paytable are charged to.
const CHARGE: Charge = Charge {
    charged_to: ChargedTo::House,
    handed_over: HandedOver::GameAccount,
};

/// A bonus that the round's draw gives a hand.
pub(super) fn bonus(
    state: &LinkState,
    table: &Table,
    command: &BonusCommand,
) -> Result<Event, Stop> {
    let round = open_round(table)?;
    let cards = command.cards.as_deref();
    let recorded = bonus_hit(state, table, round, command.kind, command.holder, cards)?;
    Ok(Event::HitRecorded(Box::new(recorded)))
}

/// The hit that a bonus makes: validated by rule, one payout for each wager on the hand.
pub(super) fn bonus_hit(
    state: &LinkState,
    table: &Table,
    round: &Round,
    kind: Bonus,
    holder: Holder,
    cards: Option<&[Card]>,
) -> Result<HitRecorded, Stop> {
    let odds = offered(state, kind)?;
    has_wager(state, table, round, holder)?;
    drawn(state, table, round, kind, holder, cards)?;
    if let Some(cards) = cards {
        check_dealt(state, table, round, holder, cards)?;
    }
    let hit_kind = match kind {
        Bonus::MagicCard => HitKind::MagicCard,
        Bonus::LuckyBonus => HitKind::LuckyBonus,
    };
    none_stands(state, table, round, holder, hit_kind)?;
    let mut recorded = HitRecorded {
        cards: cards.map(<[Card]>::to_vec),
        ..blank(state, round, hit_kind, holder)
    };
    payouts::bonus(state, round, &mut recorded, odds, CHARGE)?;
    completed(state, recorded)
}

/// What the bonus pays, for 1, where both the paytable and the link offer it.
fn offered(state: &LinkState, kind: Bonus) -> Result<u32, Stop> {
    let (content, settings) = (state.terms.content(), &state.terms.settings);
    let (odds, one_in) = match kind {
        Bonus::MagicCard => (content.magic_card, settings.magic_card_one_in),
        Bonus::LuckyBonus => (content.lucky_bonus, settings.lucky_bonus_one_in),
    };
    odds.filter(|_| one_in.is_some()).ok_or_else(|| {
        Refusal::new(RefusalCode::BonusNotOffered)
            .with("kind", kind)
            .into()
    })
}

/// Refuses a hand that the draw of the round gave nothing: no draw, another position, known cards without the drawn one.
/// And the drawn card once other hands have as many of it as there are decks: whose cards are not known has it, or not.
/// Where it is one of the community, every hand has it.
fn drawn(
    state: &LinkState,
    table: &Table,
    round: &Round,
    kind: Bonus,
    holder: Holder,
    cards: Option<&[Card]>,
) -> Result<(), Stop> {
    let refusal = Refusal::new(RefusalCode::NotDrawn).with("kind", kind);
    match kind {
        Bonus::MagicCard => {
            let Some(card) = round.draws.magic_card else {
                return Err(refusal.into());
            };
            let known = cards.or_else(|| keyed(round, holder));
            if known.map_or_else(|| settled(round), |known| !known.contains(&card)) {
                return Err(refusal.with("drawn", card).into());
            }
            let community = match cards {
                Some(cards) => Some(table.rules.hand_rule.parts(cards).1),
                None => community_keyed(table, round),
            };
            // A card of the community is every hand's.
            if community.is_some_and(|it| it.contains(&card)) {
                return Ok(());
            }
            let elsewhere = elsewhere(table, round, holder, community);
            none_twice(state, elsewhere.into_iter().chain([card]))
        }
        Bonus::LuckyBonus => match round.draws.lucky_position {
            Some(position) if position == holder => Ok(()),
            Some(Holder::Seat(seat)) => Err(refusal.with("drawn", seat).into()),
            Some(Holder::Dealer) => Err(refusal.with("drawn", "dealer").into()),
            None => Err(refusal.into()),
        },
    }
}
