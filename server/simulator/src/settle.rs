//! A round that is settled from all its cards: whether the answer is what the dealer sees.

use meterhouse_client::{HitDone, Holder as HandHolder};

use crate::bonus::BonusWon;
use crate::script::{Holder, TableScript};

/// What a hit is: its kind, its holder's seat, its hand.
type Made<'a> = (&'a str, Option<u8>, Option<&'a str>);

/// Tells whether these are the hands and bonuses that the dealer would have keyed, in his order.
pub(crate) fn is_what_was_dealt(
    hits: &[HitDone],
    table: &TableScript,
    bonuses: &[BonusWon],
) -> bool {
    let keyed = table.keyed.iter().map(|keyed| {
        let kind = match keyed.holder {
            Holder::Seat(_) | Holder::Dealer => "line",
            Holder::Envy(_) => "envy",
        };
        (0, (kind, keyed.seat(), Some(keyed.hand.name())))
    });
    let drawn = bonuses
        .iter()
        .map(|won| (1, (won.kind.name(), won.seat, None)));
    let mut expected: Vec<(u8, Made<'_>)> = keyed.chain(drawn).collect();
    expected.sort_by_key(|(way, (_, seat, _))| (table.turn(*seat), *way));
    let expected = expected.iter().map(|(_, made)| *made);
    expected.eq(hits.iter().map(made))
}

fn made(hit: &HitDone) -> Made<'_> {
    let seat = match hit.holder {
        HandHolder::Seat(seat) => Some(seat.0),
        HandHolder::Dealer => None,
    };
    (hit.kind.name(), seat, hit.hand.as_deref())
}

#[cfg(test)]
mod tests {
    use meterhouse_client::{
        BonusKind, HitDone, HitKind, HitState, Holder as HandHolder, Money, Seat, Sequence,
    };
    use meterhouse_domain::hand::Hand;

    use super::is_what_was_dealt;
    use crate::bonus::BonusWon;
    use crate::game::GamePlan;
    use crate::script::{Keyed, On, TableScript, Wager};

    /// What the server makes has to be what the dealer would key: the same hits in the same order.
    #[test]
    fn another_order_is_noticed() {
        let wager = |seat, on| Wager {
            seat,
            on,
            player: None,
        };
        let keyed = |holder, hand| Keyed {
            holder,
            hand,
            cards: None,
        };
        let table = TableScript {
            game: GamePlan::CRAZY_4,
            wagers: vec![wager(4, On::Own), wager(3, On::Dealer)],
            count: None,
            accident: None,
            keyed: vec![
                keyed(super::Holder::Seat(4), Hand::Flush),
                keyed(super::Holder::Dealer, Hand::FullHouse),
            ],
            settles: true,
            void: None,
        };
        let bonus = BonusWon {
            kind: BonusKind::LuckyBonus,
            seat: Some(4),
            cards: None,
        };
        let first = Sequence::new(1).expect("a number");
        let hit = |holder, kind, hand: Option<&str>| HitDone {
            hit: "T.2.1".parse().expect("a name"),
            round: first,
            order: 1,
            kind,
            holder,
            hand: hand.map(str::to_owned),
            state: HitState::Pending,
            taken: None,
            due: Money::ZERO,
            envy_due: Money::ZERO,
            payouts: Vec::new(),
        };
        let seat = HandHolder::Seat(Seat(4));
        let flush = hit(seat, HitKind::Line, Some("flush"));
        let lucky = hit(seat, HitKind::LuckyBonus, None);
        let dealer = hit(HandHolder::Dealer, HitKind::Line, Some("full-house"));
        let agrees = |hits: [&HitDone; 3]| {
            let hits = hits.map(Clone::clone);
            is_what_was_dealt(&hits, &table, std::slice::from_ref(&bonus))
        };
        assert!(agrees([&flush, &lucky, &dealer]));
        assert!(!agrees([&lucky, &flush, &dealer]));
        assert!(!agrees([&flush, &dealer, &lucky]));
        assert!(!agrees([&flush, &lucky, &lucky]));
    }
}
