//! The script of one round, drawn from the physical table's generator alone before the first command is sent.
//!
//! # Shape
//! Each round of a physical table has one [`RoundScript`], with one [`TableScript`] for each of its tables. Tables share
//! the cards, the folds and the badge. Each has its own wagers, hits and mistakes.
//!
//! # Order
//! [`TableScript::winning_hands`] is in turn order: descending seats. The dealer's hand is at the turn of the first seat
//! that wagered on the dealer's hand, after that seat's own hand (RULES §1.3).

use meterhouse_domain::hand::{Hand, Ranking};
use rand::RngExt;
use rand::rngs::StdRng;

use crate::deal::{Deal, StagedHand, cards_for_hand, deal, hand_of};
use crate::game::GamePlan;
use crate::plan::{LinkPlan, PaysPlan, PhysicalTablePlan, Plan};
use crate::probabilities::{
    COUNT, DEALER_WAGER, MISCOUNT, MISTAKEN_KEY, MISTAKEN_PERCENT, NO_WAGER, SETTLE,
    SUPERVISOR_DEALS, VOID, VOID_AFTER_HIT, WEAK_HAND_PLAYED,
};
use crate::seating::Seating;

mod script_types;

pub(crate) use script_types::{
    COUNT_MISMATCH, Holder, KeyedHand, RoundScript, TableScript, VoidWhen, Wager, WagerTarget,
};

/// Number of dealers who take turns at a physical table.
const DEALERS: usize = 3;
/// Void reasons of simulated tables (58 Pa. Code § 657a.13).
const VOID_REASONS: [&str; 4] = [
    "misdeal",
    "cards_face_up",
    "wrong_number_of_cards",
    "dealer_cards_exposed",
];

/// Draws the next round of a physical table. `staged` is a hand that is dealt on purpose. The `dealing_supervisors` may
/// deal instead of the dealer. Returns `None` if one deck is not enough.
pub(crate) fn next_round(
    rng: &mut StdRng,
    plan: &Plan,
    physical_table: &PhysicalTablePlan,
    seating: &Seating,
    staged: Option<Hand>,
    dealing_supervisors: &[String],
) -> Option<RoundScript> {
    let played: Vec<(&LinkPlan, GamePlan)> = physical_table
        .tables
        .iter()
        .filter_map(|(link, table)| Some((plan.links.get(*link)?, table.game)))
        .collect();
    let (first, game) = played.first()?;
    let dealt = seating.seats();
    let wagers: Vec<Vec<Wager>> = played
        .iter()
        .map(|(link, _)| wagers(rng, link, seating))
        .collect();
    let staged = match staged {
        Some(hand) => Some(stage(rng, first.ranking, wagers.first()?, hand)?),
        None => None,
    };
    let deal = deal(rng, game.hand_rule, &dealt, staged.as_ref())?;
    let folds = folds(rng, &deal, staged.as_ref());
    let void = (VOID.happens(rng) && staged.is_none()).then(|| {
        let reason = VOID_REASONS.get(rng.random_range(0..VOID_REASONS.len()));
        (VoidWhen::Dealt, reason.copied().unwrap_or("misdeal"))
    });
    let dealt_round = DealtRound {
        seating,
        deal: &deal,
        folds: &folds,
        is_staged: staged.is_some(),
    };
    let tables = played
        .iter()
        .zip(wagers)
        .map(|((link, game), wagers)| dealt_round.table_script(rng, link, *game, wagers, void))
        .collect();
    let dealer = format!(
        "d-{}",
        physical_table.index * 10 + 1 + rng.random_range(0..DEALERS)
    );
    let by = match dealing_supervisors.get(rng.random_range(0..dealing_supervisors.len().max(1))) {
        Some(supervisor) if SUPERVISOR_DEALS.happens(rng) => supervisor.clone(),
        Some(_) | None => dealer,
    };
    Some(RoundScript {
        dealt,
        folds,
        deal,
        staged,
        by,
        tables,
    })
}

/// Draws the wagers of a table, at least one.
fn wagers(rng: &mut StdRng, link: &LinkPlan, seating: &Seating) -> Vec<Wager> {
    let seats = seating.seats();
    let wager = |seat: u8, on| Wager {
        seat,
        on,
        player: seating.name(seat).map(str::to_owned),
    };
    let mut wagers = Vec::new();
    for seat in &seats {
        if !NO_WAGER.happens(rng) {
            wagers.push(wager(*seat, WagerTarget::OwnHand));
        }
        if link.bet_on_dealer && DEALER_WAGER.happens(rng) {
            wagers.push(wager(*seat, WagerTarget::DealerHand));
        }
    }
    let fallback = seats.get(rng.random_range(0..seats.len().max(1)));
    if let (true, Some(seat)) = (wagers.is_empty(), fallback) {
        wagers.push(wager(*seat, WagerTarget::OwnHand));
    }
    wagers
}

/// Chooses a seat with a wager for the staged hand, and the cards.
fn stage(rng: &mut StdRng, ranking: Ranking, wagers: &[Wager], hand: Hand) -> Option<StagedHand> {
    let seats: Vec<u8> = wagers
        .iter()
        .filter(|wager| wager.on == WagerTarget::OwnHand)
        .map(|wager| wager.seat)
        .collect();
    let seat = *seats.get(rng.random_range(0..seats.len().max(1)))?;
    Some(StagedHand {
        seat,
        hand,
        cards: cards_for_hand(rng, ranking, hand)?,
    })
}

/// Returns the seats that fold: most hands without a pair in the best four cards, and never the staged hand.
fn folds(rng: &mut StdRng, deal: &Deal, staged: Option<&StagedHand>) -> Vec<u8> {
    let mut folds = Vec::new();
    for (seat, cards) in &deal.hands {
        let is_weak = hand_of(Ranking::FourCard, *cards) == Hand::HighCard;
        let is_staged = staged.is_some_and(|staged| staged.seat == *seat);
        if is_weak && !is_staged && !WEAK_HAND_PLAYED.happens(rng) {
            folds.push(*seat);
        }
    }
    folds
}

/// The dealt round when hands are shown.
struct DealtRound<'a> {
    seating: &'a Seating,
    deal: &'a Deal,
    folds: &'a [u8],
    is_staged: bool,
}

impl DealtRound<'_> {
    /// Draws the script of one table.
    fn table_script(
        &self,
        rng: &mut StdRng,
        link: &LinkPlan,
        game: GamePlan,
        wagers: Vec<Wager>,
        void: Option<(VoidWhen, &'static str)>,
    ) -> TableScript {
        let chips = u32::try_from(wagers.len()).unwrap_or(u32::MAX);
        let winning_hands = self.winning_hands(link, game, &wagers);
        let miscounted = MISCOUNT.happens(rng) && !self.is_staged;
        let too_late = VOID_AFTER_HIT.happens(rng) && !self.is_staged && !winning_hands.is_empty();
        let count = if miscounted {
            Some(chips.saturating_sub(1))
        } else {
            COUNT.happens(rng).then_some(chips)
        };
        let void = match void {
            _ if miscounted => Some((VoidWhen::Counted, COUNT_MISMATCH)),
            None if too_late => Some((VoidWhen::FirstKeyed, "stub_count")),
            of_round => of_round,
        };
        let is_mistaken = MISTAKEN_KEY.happens(rng) && !self.is_staged;
        let mistaken_key = is_mistaken
            .then(|| self.mistaken_key(rng, link, &wagers))
            .flatten();
        let settles = SETTLE.happens(rng)
            && !self.is_staged
            && mistaken_key.is_none()
            && !self.has_envy_without_wager(link, &wagers);
        TableScript {
            game,
            wagers,
            count,
            mistaken_key,
            winning_hands,
            settles,
            void,
        }
    }

    /// Returns the winning hands in turn order.
    fn winning_hands(&self, link: &LinkPlan, game: GamePlan, wagers: &[Wager]) -> Vec<KeyedHand> {
        let dealer_turn = wagers
            .iter()
            .filter(|wager| wager.on == WagerTarget::DealerHand)
            .map(|wager| wager.seat)
            .max();
        let mut keyed = Vec::new();
        for (seat, cards) in self.deal.hands.iter().rev() {
            let hand = hand_of(link.ranking, *cards);
            let holder = self.holder(link, game, wagers, (*seat, hand));
            if let Some(holder) = holder {
                keyed.push(KeyedHand {
                    holder,
                    hand,
                    cards: Some(*cards),
                });
            }
            let dealer = hand_of(link.ranking, self.deal.dealer);
            if dealer_turn == Some(*seat) && link.line(dealer).is_some() {
                let cards = Some(self.deal.dealer);
                keyed.push(KeyedHand {
                    holder: Holder::Dealer,
                    hand: dealer,
                    cards,
                });
            }
        }
        keyed
    }

    /// Returns the holder if a seat's hand is keyed: as a line, or as envy.
    fn holder(
        &self,
        link: &LinkPlan,
        game: GamePlan,
        wagers: &[Wager],
        (seat, hand): (u8, Hand),
    ) -> Option<Holder> {
        let pays = link.line(hand)?;
        let is_folded = self.folds.contains(&seat);
        let mut own = wagers
            .iter()
            .filter(|wager| wager.on == WagerTarget::OwnHand);
        if own.clone().any(|wager| wager.seat == seat) {
            return (!is_folded || !game.forfeited_by_fold).then_some(Holder::Seat(seat));
        }
        let has_others = own.any(|wager| !self.seating.same_player(wager.seat, seat));
        (pays.envy && !is_folded && has_others).then_some(Holder::Envy(seat))
    }

    /// Returns `true` if a seat without a wager has a hand that gives envy. The server has no player for such a seat, so
    /// a settle command could pay envy to the same player's other box.
    fn has_envy_without_wager(&self, link: &LinkPlan, wagers: &[Wager]) -> bool {
        let has_wager = |seat| {
            let mut own = wagers
                .iter()
                .filter(|wager| wager.on == WagerTarget::OwnHand);
            own.any(|wager| wager.seat == seat)
        };
        let gives_envy = |cards| {
            let pays = link.line(hand_of(link.ranking, cards));
            pays.is_some_and(|pays| pays.envy)
        };
        let mut hands = self.deal.hands.iter();
        hands.any(|(seat, cards)| !has_wager(*seat) && gives_envy(*cards))
    }

    /// Draws a hand that is keyed by mistake, on the first seat in turn order that may win. An uncancelled hit on that
    /// seat comes before all others in turn order.
    fn mistaken_key(
        &self,
        rng: &mut StdRng,
        link: &LinkPlan,
        wagers: &[Wager],
    ) -> Option<KeyedHand> {
        let pays = if MISTAKEN_PERCENT.happens(rng) {
            PaysPlan::Percent
        } else {
            PaysPlan::Fixed
        };
        let hands: Vec<Hand> = link
            .lines
            .iter()
            .filter(|line| line.pays == pays)
            .map(|line| line.hand)
            .collect();
        let hand = *hands.get(rng.random_range(0..hands.len().max(1)))?;
        let seats = wagers
            .iter()
            .filter(|wager| wager.on == WagerTarget::OwnHand)
            .map(|wager| wager.seat);
        let seat = seats.filter(|seat| !self.folds.contains(seat)).max()?;
        Some(KeyedHand {
            holder: Holder::Seat(seat),
            hand,
            cards: None,
        })
    }
}

#[cfg(test)]
mod tests;
