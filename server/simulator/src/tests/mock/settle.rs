//! The settle command: a second, simple implementation.

use std::cmp::Reverse;

use meterhouse_api::command::Settle;
use meterhouse_api::hit::Hit;
use meterhouse_api::text::Text;
use meterhouse_api::values::{Badge, Card};
use meterhouse_domain::command::WageredHand;
use meterhouse_domain::event::HitKind;

use super::round::NewHit;
use super::{Misbehavior, Mock};
use crate::deal::hand_of;
use crate::defaults::default_links;

/// A wager on the dealer's hand.
const ON_DEALER: Option<Text<WageredHand>> = Some(Text(WageredHand::Dealer));

impl Mock {
    pub(super) fn settle(
        &mut self,
        table: &str,
        sequence: u64,
        settle: &Settle,
        by: Option<&Badge>,
    ) -> Result<Vec<Hit>, &'static str> {
        self.observed.insert("settle");
        let round = self.open_round(table);
        if !round.hits.is_empty() {
            return Err("already_hit");
        }
        let on_dealer = round.wagers.iter().filter(|wager| wager.on == ON_DEALER);
        let dealer_turn = on_dealer.map(|wager| 2 * wager.seat - 1).max();
        let seats = settle.seats.iter();
        let seats = seats.map(|shown| (2 * shown.seat, Some(shown.seat), shown.cards.to_vec()));
        let dealer = settle.dealer.as_deref().unwrap_or_default();
        let dealer = dealer_turn.map(|turn| (turn, None, dealer.to_vec()));
        let mut hands: Vec<(u8, Option<u8>, Vec<Card>)> = seats.chain(dealer).collect();
        hands.sort_by_key(|(turn, ..)| Reverse(*turn));
        let mut hits = Vec::new();
        for (_, seat, mut cards) in hands {
            cards.extend_from_slice(settle.community.as_deref().unwrap_or_default());
            for new in self.wins(table, seat, &cards, by) {
                let name = format!("{table}.{sequence}.{}", hits.len() + 1);
                hits.push(self.record_hit(table, &name, new));
            }
        }
        if self.misbehavior == Misbehavior::SettleWithoutHits {
            hits.clear();
        }
        Ok(hits)
    }

    /// Returns the lines and bonuses that a hand wins.
    fn wins(
        &mut self,
        table: &str,
        seat: Option<u8>,
        cards: &[Card],
        by: Option<&Badge>,
    ) -> Vec<NewHit> {
        let name = self.tables[table].request.link.to_string();
        let link = default_links().into_iter().find(|link| link.link == name);
        let link = link.expect("a link of the demo");
        let round = self.open_round(table);
        let is_folded = seat.is_some_and(|seat| round.folded.contains(&seat));
        let has_wager = round.wagers.iter().any(|wager| match seat {
            Some(seat) => wager.seat == seat && wager.on.is_none(),
            None => wager.on == ON_DEALER,
        });
        let mut tables = link.tables.iter();
        let table = tables.find(|listed| listed.table == table);
        let game = table.expect("a table of the demo").game;
        if !has_wager || (is_folded && game.forfeited_by_fold) {
            return Vec::new();
        }
        let win = |kind| NewHit::new(kind, seat, Some(cards), by);
        let five: Vec<_> = cards.iter().map(|card| **card).collect();
        let hand = hand_of(link.ranking, five.try_into().expect("five cards"));
        let mut wins = Vec::new();
        if link.line(hand).is_some() {
            wins.push(win(HitKind::Line).of(Text(hand)));
        }
        let draw = round.draw;
        if draw.magic_card.is_some_and(|card| cards.contains(&card)) {
            wins.push(win(HitKind::MagicCard));
        }
        let lucky = draw.lucky_position;
        if lucky.is_some_and(|position| position.seat == seat) {
            wins.push(win(HitKind::LuckyBonus));
        }
        wins
    }
}
