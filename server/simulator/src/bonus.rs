//! Magic Card and Lucky Bonus: what the draw of a round gives to whom (§ 657a.12(f)(3)).

use meterhouse_client::{BonusKind, Card, CoinInDone, Holder, Seat};

use crate::deal::Five;
use crate::script::{RoundScript, TableScript};

/// What the server drew for a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Drawn {
    magic_card: Option<Card>,
    lucky_position: Option<Holder>,
}

/// A bonus that somebody won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BonusWon {
    /// Which.
    pub(crate) kind: BonusKind,
    /// Whose: the dealer has no seat.
    pub(crate) seat: Option<u8>,
    /// The cards that show it; a position needs none.
    pub(crate) cards: Option<Five>,
}

impl Drawn {
    /// Returns what was drawn with a coin-in.
    pub(crate) const fn of(done: &CoinInDone) -> Self {
        Self {
            magic_card: done.magic_card,
            lucky_position: done.lucky_position,
        }
    }

    /// The bonuses of a round, in turn order, for every hand with a wager that no fold has forfeited.
    pub(crate) fn bonuses(&self, round: &RoundScript, table: &TableScript) -> Vec<BonusWon> {
        let folded = |seat: u8| table.game.forfeited_by_fold && round.folds.contains(&seat);
        let seats = round.deal.hands.iter();
        let seats = seats.map(|(seat, cards)| (Some(*seat), cards));
        let hands = seats.chain([(None, &round.deal.dealer)]);
        let may_win = |seat: Option<u8>| table.has_wager(seat) && !seat.is_some_and(folded);
        let mut won = Vec::new();
        for (seat, cards) in hands.filter(|(seat, _)| may_win(*seat)) {
            if self.has_card(*cards) {
                won.push(BonusWon {
                    kind: BonusKind::MagicCard,
                    seat,
                    cards: Some(*cards),
                });
            }
            if self.is_lucky(seat) {
                won.push(BonusWon {
                    kind: BonusKind::LuckyBonus,
                    seat,
                    cards: None,
                });
            }
        }
        // Of one hand the card stays before the position.
        won.sort_by_key(|bonus| table.turn(bonus.seat));
        won
    }

    fn has_card(&self, cards: Five) -> bool {
        let drawn = self.magic_card.map(|card| card.to_string());
        drawn.is_some_and(|drawn| cards.iter().any(|card| card.to_string() == drawn))
    }

    fn is_lucky(&self, seat: Option<u8>) -> bool {
        let holder = seat.map_or(Holder::Dealer, |seat| Holder::Seat(Seat(seat)));
        self.lucky_position == Some(holder)
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_client::{BonusKind, Holder, Seat};
    use meterhouse_domain::paytable::HandRule;

    use super::Drawn;
    use crate::chances::generator;
    use crate::deal::deal;
    use crate::game::GamePlan;
    use crate::script::{On, RoundScript, TableScript, Wager};

    fn drawn(card: Option<&str>, lucky_position: Option<Holder>) -> Drawn {
        Drawn {
            magic_card: card.map(|card| card.parse().expect("a card")),
            lucky_position,
        }
    }

    /// Wagers of seats 2 and 5 on their own hands and of seat 2 on the dealer's; seat 5 folded.
    fn round() -> (RoundScript, TableScript) {
        let deal = deal(
            &mut generator(3, "felt"),
            HandRule::OwnFive,
            &[1, 2, 5],
            None,
        )
        .expect("52 cards");
        let wager = |seat, on| Wager {
            seat,
            on,
            player: None,
        };
        let table = TableScript {
            game: GamePlan::CRAZY_4_HAND_BONUS,
            wagers: vec![wager(2, On::Own), wager(2, On::Dealer), wager(5, On::Own)],
            count: None,
            accident: None,
            keyed: Vec::new(),
            settles: false,
            void: None,
        };
        let round = RoundScript {
            dealt: vec![1, 2, 5],
            folds: vec![5],
            deal,
            staged: None,
            by: "d-1".to_owned(),
            tables: vec![table.clone()],
        };
        (round, table)
    }

    /// A card or position wins for who wagered on that hand; who didn't, or forfeited it, wins nothing.
    #[test]
    fn a_draw_wins_for_who_wagered() {
        let (round, table) = round();
        let (main, hand_bonus) = (GamePlan::CRAZY_4, GamePlan::CRAZY_4_HAND_BONUS);
        let card = |seat| round.deal.hands[&seat][0].to_string();
        let seats = |drawn: &Drawn, game| {
            let table = TableScript {
                game,
                ..table.clone()
            };
            let won = drawn.bonuses(&round, &table);
            won.iter().map(|it| it.seat).collect::<Vec<_>>()
        };
        let of_card = |card: String| drawn(Some(&card), None);
        assert_eq!(seats(&of_card(card(2)), hand_bonus), [Some(2)]);
        assert_eq!(
            seats(&of_card(card(5)), hand_bonus),
            [Some(5)],
            "a fold keeps it"
        );
        assert_eq!(seats(&of_card(card(5)), main), [], "a fold forfeits it");
        assert_eq!(seats(&of_card(card(1)), hand_bonus), [], "no wager");
        let of_dealer = round.deal.dealer[4].to_string();
        assert_eq!(seats(&of_card(of_dealer.clone()), hand_bonus), [None]);
        let lucky = |position| drawn(None, Some(position));
        assert_eq!(seats(&lucky(Holder::Seat(Seat(5))), hand_bonus), [Some(5)]);
        assert_eq!(seats(&lucky(Holder::Seat(Seat(1))), hand_bonus), []);
        assert_eq!(seats(&lucky(Holder::Dealer), hand_bonus), [None]);
        let both = drawn(Some(&of_dealer), Some(Holder::Dealer));
        let won = both.bonuses(&round, &table);
        let kinds: Vec<BonusKind> = won.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [BonusKind::MagicCard, BonusKind::LuckyBonus]);
    }
}
