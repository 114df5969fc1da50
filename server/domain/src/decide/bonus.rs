//! Magic Card and Lucky Bonus (§ 657a.11(f), § 657a.12(f)(3)): the bonuses that the draw of the round gives to
//! players who wagered on a hand. A bonus is credited to the game account immediately, touches no meter and has no
//! turn.

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

/// The charge of every bonus, for every settlement of the paytable's lines.
const CHARGE: Charge = Charge {
    charged_to: ChargedTo::House,
    handed_over: HandedOver::GameAccount,
};

/// Decides a bonus that the round's draw gives a hand.
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

/// Returns the hit of a bonus: validated by rule, one payout for each wager on the hand.
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

/// Returns the pay of the bonus, for 1, if both the paytable and the link offer it.
fn offered(state: &LinkState, kind: Bonus) -> Result<u32, Stop> {
    let odds = match kind {
        Bonus::MagicCard => state.terms.magic_card_odds(),
        Bonus::LuckyBonus => state.terms.lucky_bonus_odds(),
    };
    odds.ok_or_else(|| {
        Refusal::new(RefusalCode::BonusNotOffered)
            .with("kind", kind)
            .into()
    })
}

/// Refuses a hand that the draw of the round gave nothing: no draw, another position, known cards without the drawn
/// one. Also refuses the drawn card once other hands hold all its copies, one a deck; a hand with unknown cards may
/// hold one. If the drawn card is a community card, every hand has it.
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
            // A community card belongs to every hand.
            if community.is_some_and(|shared| shared.contains(&card)) {
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
