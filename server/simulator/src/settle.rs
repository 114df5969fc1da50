//! A round that is settled from all its cards: what is sent, and whether the answer is what the dealer sees.

use serde::Deserialize;

use crate::bonus::BonusWon;
use crate::plan::LinkPlan;
use crate::script::{Holder, RoundScript, TableScript};
use crate::sent::{Command, SettleSent};

/// What the server made of the cards.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Settled {
    /// The hits.
    pub(crate) hits: Vec<HitMade>,
}

/// A hit that the server made.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct HitMade {
    /// Its name.
    #[serde(rename = "hit")]
    pub(crate) name: String,
    kind: String,
    seat: Option<u8>,
    hand: Option<String>,
}

/// What a hit is: its kind, its holder's seat, its hand.
type Told<'a> = (&'a str, Option<u8>, Option<&'a str>);

/// All cards that are to be seen: not those of folded seats where a fold forfeits, they are collected; the dealer's
/// where he can be wagered on.
pub(crate) fn command(link: &LinkPlan, round: &RoundScript, table: &TableScript) -> Command {
    let gone = |seat: &u8| table.game.forfeited_by_fold && round.folds.contains(seat);
    let seats = round.deal.hands.iter().filter(|(seat, _)| !gone(seat));
    let dealer = link.bet_on_dealer.then_some(&round.deal.dealer);
    Command::Settle(SettleSent::new(&round.deal, dealer, seats))
}

impl Settled {
    /// Whether these are the hands and bonuses that the dealer would have keyed, in his order.
    pub(crate) fn is_what_was_dealt(&self, table: &TableScript, bonuses: &[BonusWon]) -> bool {
        let keyed = table.keyed.iter().map(|it| {
            let kind = match it.holder {
                Holder::Seat(_) | Holder::Dealer => "line",
                Holder::Envy(_) => "envy",
            };
            (0, (kind, it.seat(), Some(it.hand.name())))
        });
        let drawn = bonuses
            .iter()
            .map(|it| (1, (it.kind.name(), it.seat, None)));
        let mut expected: Vec<(u8, Told<'_>)> = keyed.chain(drawn).collect();
        expected.sort_by_key(|(way, (_, seat, _))| (table.turn(*seat), *way));
        let expected = expected.iter().map(|(_, told)| *told);
        expected.eq(self.hits.iter().map(HitMade::told))
    }
}

impl HitMade {
    /// The hand; a bonus has none.
    pub(crate) fn hand(&self) -> Option<&str> {
        self.hand.as_deref()
    }

    fn told(&self) -> Told<'_> {
        (&self.kind, self.seat, self.hand())
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::hand::Hand;
    use serde_json::json;

    use super::Settled;
    use crate::bonus::{BonusKind, BonusWon};
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
        let flush = json!({"hit": "T.2.1", "kind": "line", "seat": 4, "hand": "flush"});
        let lucky = json!({"hit": "T.2.2", "kind": "lucky_bonus", "seat": 4, "hand": null});
        let dealer = json!({"hit": "T.2.3", "kind": "line", "dealer": true, "hand": "full-house"});
        let agrees = |hits: [&serde_json::Value; 3]| {
            let settled: Settled = serde_json::from_value(json!({"hits": hits})).expect("hits");
            settled.is_what_was_dealt(&table, std::slice::from_ref(&bonus))
        };
        assert!(agrees([&flush, &lucky, &dealer]));
        assert!(!agrees([&lucky, &flush, &dealer]));
        assert!(!agrees([&flush, &dealer, &lucky]));
        assert!(!agrees([&flush, &lucky, &lucky]));
    }
}
