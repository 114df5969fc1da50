//! Compares the hits of a settle command with the hands that were dealt.

use meterhouse_client::{HitDone, Holder as HandHolder};

use crate::bonus::BonusWon;
use crate::script::{Holder, TableScript};

/// A hit's kind, its holder's seat, and its hand.
type ComparedHit<'a> = (&'a str, Option<u8>, Option<&'a str>);

/// Returns `true` if the hits are the hands and bonuses that the dealer would have keyed, in turn order.
pub(crate) fn matches_dealt_hands(
    hits: &[HitDone],
    table: &TableScript,
    bonuses: &[BonusWon],
) -> bool {
    let lines = table.winning_hands.iter().map(|keyed| {
        let kind = match keyed.holder {
            Holder::Seat(_) | Holder::Dealer => "line",
            Holder::Envy(_) => "envy",
        };
        (0, (kind, keyed.seat(), Some(keyed.hand.name())))
    });
    let bonuses = bonuses
        .iter()
        .map(|won| (1, (won.kind.name(), won.seat, None)));
    let mut expected: Vec<(u8, ComparedHit<'_>)> = lines.chain(bonuses).collect();
    expected.sort_by_key(|(order, (_, seat, _))| (table.turn(*seat), *order));
    let expected = expected.iter().map(|(_, hit)| *hit);
    expected.eq(hits.iter().map(compared_hit))
}

fn compared_hit(hit: &HitDone) -> ComparedHit<'_> {
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

    use super::matches_dealt_hands;
    use crate::bonus::BonusWon;
    use crate::game::GamePlan;
    use crate::script::{KeyedHand, TableScript, Wager, WagerTarget};

    /// The server's hits must equal the hits that the dealer would key, in the same order.
    #[test]
    fn hits_in_another_order_do_not_match() {
        let wager = |seat, on| Wager {
            seat,
            on,
            player: None,
        };
        let keyed = |holder, hand| KeyedHand {
            holder,
            hand,
            cards: None,
        };
        let table = TableScript {
            game: GamePlan::CRAZY_4,
            wagers: vec![
                wager(4, WagerTarget::OwnHand),
                wager(3, WagerTarget::DealerHand),
            ],
            count: None,
            mistaken_key: None,
            winning_hands: vec![
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
        let matches = |hits: [&HitDone; 3]| {
            let hits = hits.map(Clone::clone);
            matches_dealt_hands(&hits, &table, std::slice::from_ref(&bonus))
        };
        assert!(matches([&flush, &lucky, &dealer]));
        assert!(!matches([&lucky, &flush, &dealer]));
        assert!(!matches([&flush, &dealer, &lucky]));
        assert!(!matches([&flush, &lucky, &lucky]));
    }
}
