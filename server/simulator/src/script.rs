//! What will happen in one round: drawn from the felt's generator alone, before anything is sent.
//!
//! # Shape
//! One [`RoundScript`] a felt and round, with one [`TableScript`] for each of its tables: the same cards, folds
//! and badge, but wagers, hits and mishaps of their own.
//!
//! # What order holds
//! [`TableScript::keyed`] is in turn order: descending seats, the dealer's hand at the turn of the first seat
//! that wagered on it, after that seat's own hand (RULES §1.3).

use meterhouse_domain::hand::{Hand, Ranking};
use rand::RngExt;
use rand::rngs::StdRng;

use crate::chances::{
    ACCIDENT, ACCIDENT_ON_PERCENT, COUNT, COUNT_WRONG, DEALER_WAGER, NO_WAGER, RELIEVED, SETTLED,
    STUBBORN, VOID, VOID_AFTER_HIT,
};
use crate::deal::{Deal, Staged, cards_of, deal, hand_of};
use crate::game::GamePlan;
use crate::plan::{FeltPlan, LinkPlan, PaysPlan, Plan};
use crate::seating::Seating;

mod told;

pub(crate) use told::{
    COUNT_MISMATCH, Holder, Keyed, On, RoundScript, TableScript, VoidWhen, Wager,
};

/// Dealers that take turns at a felt.
const DEALERS: usize = 3;
/// Reasons for which the simulated tables void a round (58 Pa. Code § 657a.13).
const VOID_REASONS: [&str; 4] = [
    "misdeal",
    "cards_face_up",
    "wrong_number_of_cards",
    "dealer_cards_exposed",
];

/// Draws the next round of a felt, with a hand in it that is dealt on purpose; `relief` are supervisors who may
/// stand in for the dealer. Nothing if one deck is not enough.
pub(crate) fn next_round(
    rng: &mut StdRng,
    plan: &Plan,
    felt: &FeltPlan,
    seating: &Seating,
    staged: Option<Hand>,
    relief: &[String],
) -> Option<RoundScript> {
    let played: Vec<(&LinkPlan, GamePlan)> = felt
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
    let found = Found {
        seating,
        deal: &deal,
        folds: &folds,
        staged: staged.is_some(),
    };
    let tables = played
        .iter()
        .zip(wagers)
        .map(|((link, game), wagers)| found.table(rng, link, *game, wagers, void))
        .collect();
    let dealer = format!("d-{}", felt.place * 10 + 1 + rng.random_range(0..DEALERS));
    let by = match relief.get(rng.random_range(0..relief.len().max(1))) {
        Some(supervisor) if RELIEVED.happens(rng) => supervisor.clone(),
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

/// The wagers of a table: at least one.
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
            wagers.push(wager(*seat, On::Own));
        }
        if link.bet_on_dealer && DEALER_WAGER.happens(rng) {
            wagers.push(wager(*seat, On::Dealer));
        }
    }
    let sure = seats.get(rng.random_range(0..seats.len().max(1)));
    if let (true, Some(seat)) = (wagers.is_empty(), sure) {
        wagers.push(wager(*seat, On::Own));
    }
    wagers
}

/// Chooses a seat with a wager for a staged hand, and its cards.
fn stage(rng: &mut StdRng, ranking: Ranking, wagers: &[Wager], hand: Hand) -> Option<Staged> {
    let seats: Vec<u8> = wagers
        .iter()
        .filter(|wager| wager.on == On::Own)
        .map(|wager| wager.seat)
        .collect();
    let seat = *seats.get(rng.random_range(0..seats.len().max(1)))?;
    Some(Staged {
        seat,
        hand,
        cards: cards_of(rng, ranking, hand)?,
    })
}

/// Who folds: mostly those without even a pair among their best four cards; never a staged hand.
fn folds(rng: &mut StdRng, deal: &Deal, staged: Option<&Staged>) -> Vec<u8> {
    let mut folds = Vec::new();
    for (seat, cards) in &deal.hands {
        let weak = hand_of(Ranking::FourCard, *cards) == Hand::HighCard;
        let on_purpose = staged.is_some_and(|staged| staged.seat == *seat);
        if weak && !on_purpose && !STUBBORN.happens(rng) {
            folds.push(*seat);
        }
    }
    folds
}

/// What lies on the felt when hands are looked at.
struct Found<'a> {
    seating: &'a Seating,
    deal: &'a Deal,
    folds: &'a [u8],
    staged: bool,
}

impl Found<'_> {
    /// The round as one table will tell it.
    fn table(
        &self,
        rng: &mut StdRng,
        link: &LinkPlan,
        game: GamePlan,
        wagers: Vec<Wager>,
        void: Option<(VoidWhen, &'static str)>,
    ) -> TableScript {
        let chips = u32::try_from(wagers.len()).unwrap_or(u32::MAX);
        let keyed = self.keyed(link, game, &wagers);
        let miscounted = COUNT_WRONG.happens(rng) && !self.staged;
        let too_late = VOID_AFTER_HIT.happens(rng) && !self.staged && !keyed.is_empty();
        let count = if miscounted {
            Some(chips.saturating_sub(1))
        } else {
            COUNT.happens(rng).then_some(chips)
        };
        let void = match void {
            _ if miscounted => Some((VoidWhen::Counted, COUNT_MISMATCH)),
            None if too_late => Some((VoidWhen::FirstKeyed, "stub_count")),
            from_felt => from_felt,
        };
        let mistaken = ACCIDENT.happens(rng) && !self.staged;
        let accident = mistaken
            .then(|| self.accident(rng, link, &wagers))
            .flatten();
        let settles = SETTLED.happens(rng)
            && !self.staged
            && accident.is_none()
            && !self.has_envy_without_wager(link, &wagers);
        TableScript {
            game,
            wagers,
            count,
            accident,
            keyed,
            settles,
            void,
        }
    }

    /// The winning hands in turn order.
    fn keyed(&self, link: &LinkPlan, game: GamePlan, wagers: &[Wager]) -> Vec<Keyed> {
        let dealer_turn = wagers
            .iter()
            .filter(|it| it.on == On::Dealer)
            .map(|wager| wager.seat)
            .max();
        let mut keyed = Vec::new();
        for (seat, cards) in self.deal.hands.iter().rev() {
            let hand = hand_of(link.ranking, *cards);
            let holder = self.holder(link, game, wagers, (*seat, hand));
            if let Some(holder) = holder {
                keyed.push(Keyed {
                    holder,
                    hand,
                    cards: Some(*cards),
                });
            }
            let dealer = hand_of(link.ranking, self.deal.dealer);
            if dealer_turn == Some(*seat) && link.line(dealer).is_some() {
                let cards = Some(self.deal.dealer);
                keyed.push(Keyed {
                    holder: Holder::Dealer,
                    hand: dealer,
                    cards,
                });
            }
        }
        keyed
    }

    /// As what a seat's hand is keyed, if at all.
    fn holder(
        &self,
        link: &LinkPlan,
        game: GamePlan,
        wagers: &[Wager],
        (seat, hand): (u8, Hand),
    ) -> Option<Holder> {
        let pays = link.line(hand)?;
        let folded = self.folds.contains(&seat);
        let mut own = wagers.iter().filter(|wager| wager.on == On::Own);
        if own.clone().any(|wager| wager.seat == seat) {
            return (!folded || !game.forfeited_by_fold).then_some(Holder::Seat(seat));
        }
        let others = own.any(|wager| !self.seating.same_player(wager.seat, seat));
        (pays.envy && !folded && others).then_some(Holder::Envy(seat))
    }

    /// Whether a hand gives envy whose seat made no wager. The server doesn't know who sits there, so that a settle
    /// would take a player's second box for a stranger's.
    fn has_envy_without_wager(&self, link: &LinkPlan, wagers: &[Wager]) -> bool {
        let wagered = |seat| wagers.iter().any(|it| it.on == On::Own && it.seat == seat);
        let gives = |cards| {
            link.line(hand_of(link.ranking, cards))
                .is_some_and(|it| it.envy)
        };
        let mut hands = self.deal.hands.iter();
        hands.any(|(seat, cards)| !wagered(*seat) && gives(*cards))
    }

    /// A button pressed by mistake: on the first seat in turn order that could have won, so that it is out of
    /// the way of everything that follows.
    fn accident(&self, rng: &mut StdRng, link: &LinkPlan, wagers: &[Wager]) -> Option<Keyed> {
        let pays = if ACCIDENT_ON_PERCENT.happens(rng) {
            PaysPlan::Percent
        } else {
            PaysPlan::Fixed
        };
        let buttons: Vec<Hand> = link
            .lines
            .iter()
            .filter(|line| line.pays == pays)
            .map(|line| line.hand)
            .collect();
        let hand = *buttons.get(rng.random_range(0..buttons.len().max(1)))?;
        let lit = wagers
            .iter()
            .filter(|wager| wager.on == On::Own)
            .map(|wager| wager.seat);
        let seat = lit.filter(|seat| !self.folds.contains(seat)).max()?;
        Some(Keyed {
            holder: Holder::Seat(seat),
            hand,
            cards: None,
        })
    }
}

#[cfg(test)]
mod tests;
