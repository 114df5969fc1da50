//! Magic Card and Lucky Bonus: the winners of a round's draw (§ 657a.12(f)(3)).

use meterhouse_client::{BonusKind, Card, CoinInDone, Holder, Seat};

use crate::deal::FiveCards;
use crate::script::{RoundScript, TableScript};

/// The card and the position that the server drew for a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RoundDraw {
    magic_card: Option<Card>,
    lucky_position: Option<Holder>,
}

/// A bonus that a hand won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BonusWon {
    /// The kind of the bonus.
    pub(crate) kind: BonusKind,
    /// The seat of the hand. The dealer has none.
    pub(crate) seat: Option<u8>,
    /// The cards that contain the Magic Card. A Lucky Bonus needs none.
    pub(crate) cards: Option<FiveCards>,
}

impl RoundDraw {
    /// Returns the draw of a coin-in.
    pub(crate) const fn of(done: &CoinInDone) -> Self {
        Self {
            magic_card: done.magic_card,
            lucky_position: done.lucky_position,
        }
    }

    /// Returns the bonuses of a round in turn order. Only hands with a wager that no fold forfeited can win.
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
        // The sort is stable: a hand's Magic Card stays before its Lucky Bonus.
        won.sort_by_key(|bonus| table.turn(bonus.seat));
        won
    }

    fn has_card(&self, cards: FiveCards) -> bool {
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

    use super::RoundDraw;
    use crate::deal::deal;
    use crate::game::GamePlan;
    use crate::probabilities::generator;
    use crate::script::{RoundScript, TableScript, Wager, WagerTarget};

    fn draw(card: Option<&str>, lucky_position: Option<Holder>) -> RoundDraw {
        RoundDraw {
            magic_card: card.map(|card| card.parse().expect("a card")),
            lucky_position,
        }
    }

    /// Returns a round: seats 2 and 5 wagered on their own hands, seat 2 also on the dealer's, and seat 5 folded.
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
            wagers: vec![
                wager(2, WagerTarget::OwnHand),
                wager(2, WagerTarget::DealerHand),
                wager(5, WagerTarget::OwnHand),
            ],
            count: None,
            mistaken_key: None,
            winning_hands: Vec::new(),
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

    /// A card or position wins for a hand with a wager. A hand without wager, or forfeited by a fold, wins nothing.
    #[test]
    fn a_draw_wins_for_hands_with_a_wager() {
        let (round, table) = round();
        let (main, hand_bonus) = (GamePlan::CRAZY_4, GamePlan::CRAZY_4_HAND_BONUS);
        let card = |seat| round.deal.hands[&seat][0].to_string();
        let seats = |draw: &RoundDraw, game| {
            let table = TableScript {
                game,
                ..table.clone()
            };
            let won = draw.bonuses(&round, &table);
            won.iter().map(|bonus| bonus.seat).collect::<Vec<_>>()
        };
        let of_card = |card: String| draw(Some(&card), None);
        assert_eq!(seats(&of_card(card(2)), hand_bonus), [Some(2)]);
        assert_eq!(
            seats(&of_card(card(5)), hand_bonus),
            [Some(5)],
            "this fold doesn't forfeit"
        );
        assert_eq!(seats(&of_card(card(5)), main), [], "this fold forfeits");
        assert_eq!(seats(&of_card(card(1)), hand_bonus), [], "no wager");
        let of_dealer = round.deal.dealer[4].to_string();
        assert_eq!(seats(&of_card(of_dealer.clone()), hand_bonus), [None]);
        let lucky = |position| draw(None, Some(position));
        assert_eq!(seats(&lucky(Holder::Seat(Seat(5))), hand_bonus), [Some(5)]);
        assert_eq!(seats(&lucky(Holder::Seat(Seat(1))), hand_bonus), []);
        assert_eq!(seats(&lucky(Holder::Dealer), hand_bonus), [None]);
        let both = draw(Some(&of_dealer), Some(Holder::Dealer));
        let won = both.bonuses(&round, &table);
        let kinds: Vec<BonusKind> = won.iter().map(|bonus| bonus.kind).collect();
        assert_eq!(kinds, [BonusKind::MagicCard, BonusKind::LuckyBonus]);
    }
}
