//! The draws of a round and their bonuses: Magic Card and Lucky Bonus (58 Pa. Code § 657a.11(f), § 657a.12(f)(3)).

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    Bonus, BonusCommand, HitCommand, Holder, TableCommand, VoidReason, WageredHand,
};
use meterhouse_domain::decide::Stop;
use meterhouse_domain::draw::{draw, draws_anything};
use meterhouse_domain::event::{CoinInAccepted, Draws, Event, HitKind, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::{LinkSettings, LinkTerms};
use meterhouse_domain::paytable::{ChargedTo, FoldAward, HandedOver};
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::HitStatus;

#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

#[path = "draws/chance.rs"]
mod chance;
#[path = "draws/known.rs"]
mod known;
#[path = "draws/refusals.rs"]
mod refusals;

use support::{Keyed, Link, SEATS, cards, coin_in_of, paytables, terms};

const DEALER: Holder = Holder::Dealer;

const fn seat(number: u8) -> Holder {
    Holder::Seat(Seat(number))
}

/// Returns terms of the Five Card Hand Bonus at $1 with both draws, in one of so many rounds.
fn drawing(one_in: u32) -> LinkTerms {
    LinkTerms {
        settings: LinkSettings {
            magic_card_one_in: Some(one_in),
            lucky_bonus_one_in: Some(one_in),
            ..LinkSettings::default()
        },
        ..terms(paytables::hand_bonus(), "1.00")
    }
}

/// The draws of a round.
fn drawn(card: Option<&str>, position: Option<Holder>) -> Draws {
    Draws {
        magic_card: card.and_then(|text| cards(text).first().copied()),
        lucky_position: position,
    }
}

/// Returns a table with these draws, wagers on the own hands of seats 1 to 3 and on the dealer's of 2, 4 and 5.
fn round(draws: Draws) -> (Link, TableNo) {
    let mut link = Link::open_with(drawing(10));
    let table = link.table();
    link.draws = draws;
    let own = [1, 2, 3].map(|seat| (seat, WageredHand::Own, None));
    let dealer = [2, 4, 5].map(|seat| (seat, WageredHand::Dealer, None));
    link.coin_in_of(table, &[own, dealer].concat());
    (link, table)
}

/// Returns a bonus as the dealer keys it.
fn bonus(kind: Bonus, holder: Holder, text: Option<&str>) -> TableCommand {
    TableCommand::Bonus(BonusCommand {
        kind,
        holder,
        cards: text.map(cards),
    })
}

/// Returns seat and amount of every payout of a bonus.
fn paid(keyed: &Keyed) -> Vec<(u8, String)> {
    let payouts = keyed.recorded.payouts.iter();
    let bonuses = payouts.filter(|payout| payout.kind == PayoutKind::Bonus);
    bonuses
        .map(|payout| (payout.seat.0, payout.amount.to_string()))
        .collect()
}

fn each(payouts: &[(u8, &str)]) -> Vec<(u8, String)> {
    let owned = |(seat, amount): &(u8, &str)| (*seat, (*amount).to_owned());
    payouts.iter().map(owned).collect()
}

/// The draws are in the event and stay in the round, so that a replay needs no random numbers.
#[test]
fn a_coin_in_records_its_draws() {
    let mut link = Link::open_with(drawing(10));
    let table = link.table();
    link.draws = drawn(Some("Qh"), Some(DEALER));
    let event = link.play(table, &coin_in_of(&[1], link.state.terms.wager));
    let Event::CoinInAccepted(CoinInAccepted { draws, .. }) = event else {
        unreachable!("a coin-in is accepted");
    };
    assert_eq!(draws, link.draws);
    let round = link
        .state
        .table(table)
        .and_then(|table| table.round.as_ref());
    assert_eq!(round.map(|round| round.draws), Some(link.draws));
}

/// Draws that the link does not offer are no one's mistake to refuse: the server itself is broken.
#[test]
fn draws_that_the_link_does_not_offer_break_the_rules() {
    let none = terms(paytables::hand_bonus(), "1.00");
    let both = drawing(10);
    for (terms, draws) in [
        (&none, drawn(Some("Qh"), None)),
        (&none, drawn(None, Some(seat(1)))),
        (&none, drawn(None, Some(DEALER))),
        (&both, drawn(None, Some(seat(0)))),
        (&both, drawn(None, Some(seat(SEATS + 1)))),
    ] {
        let mut link = Link::open_with(terms.clone());
        let table = link.table();
        link.draws = draws;
        let answer = link.ask(table, &coin_in_of(&[1], link.state.terms.wager));
        assert!(matches!(answer, Err(Stop::Broken(_))), "{draws:?}");
    }
}

/// § 657a.12(f)(3): 20 for 1 to the hand with the card, 5 for 1 at the position. Credited to the game account by the
/// house, validated by rule, and no meter moves.
#[test]
fn a_bonus_pays_the_hand() {
    let (mut link, table) = round(drawn(Some("Qh"), Some(seat(1))));
    let meters = link.meters();
    let card = link.keyed(
        table,
        &bonus(Bonus::MagicCard, seat(3), Some("Qh 2c 3d 4s 9h")),
    );
    assert_eq!(paid(&card), each(&[(3, "20.00")]));
    let lucky = link.keyed(table, &bonus(Bonus::LuckyBonus, seat(1), None));
    assert_eq!(paid(&lucky), each(&[(1, "5.00")]));
    for (keyed, kind) in [(&card, HitKind::MagicCard), (&lucky, HitKind::LuckyBonus)] {
        let hit = &keyed.recorded;
        assert_eq!((hit.kind, hit.hand, hit.taken), (kind, None, None));
        let charges = hit
            .payouts
            .iter()
            .map(|payout| (payout.charged_to, payout.handed_over));
        let credited = (ChargedTo::House, HandedOver::GameAccount);
        assert_eq!(charges.collect::<Vec<_>>(), [credited]);
        assert_eq!(link.hit_state(keyed.id).status, HitStatus::ValidatedByRule);
    }
    assert_eq!(link.meters(), meters);
    let Event::RoundClosed { hits, .. } = link.play(table, &TableCommand::Close) else {
        unreachable!("nothing of the round is open");
    };
    assert_eq!(hits, [card.id, lucky.id]);
    let due = link.state.lifetime.lines.iter().rev().take(2);
    let due: Vec<String> = due.map(|counts| counts.due.to_string()).collect();
    assert_eq!(due, ["5.00", "20.00"], "counted after the lines");
}

/// On the dealer's hand every wager is paid, in turn order.
#[test]
fn a_bonus_on_the_dealers_hand_pays_every_wager_on_it() {
    let (mut link, table) = round(drawn(Some("Qh"), Some(DEALER)));
    let card = link.keyed(table, &bonus(Bonus::MagicCard, DEALER, None));
    assert_eq!(
        paid(&card),
        each(&[(5, "20.00"), (4, "20.00"), (2, "20.00")])
    );
    let lucky = link.keyed(table, &bonus(Bonus::LuckyBonus, DEALER, None));
    assert_eq!(paid(&lucky), each(&[(5, "5.00"), (4, "5.00"), (2, "5.00")]));
}

/// The wager may be more than a dollar.
#[test]
fn a_bonus_at_five_dollars() {
    let mut link = Link::open_with(LinkTerms {
        wager: support::dollars("5.00"),
        ..drawing(10)
    });
    let table = link.table();
    link.draws = drawn(Some("Qh"), None);
    link.coin_in(table, &[4]);
    let card = link.keyed(table, &bonus(Bonus::MagicCard, seat(4), None));
    assert_eq!(paid(&card), each(&[(4, "100.00")]));
}

/// A bonus has no turn and is its own kind: it comes before, between and after the lines of the same hands and cards.
#[test]
fn a_bonus_and_a_line_may_stand_on_one_hand() {
    let (mut link, table) = round(drawn(Some("Qh"), Some(seat(1))));
    let five = "Qh Th 8h 4h 2h";
    link.keyed(table, &bonus(Bonus::LuckyBonus, seat(1), None));
    let flush = TableCommand::Hit(HitCommand {
        holder: seat(3),
        hand: Hand::Flush,
        cards: Some(cards(five)),
    });
    let flush = link.keyed(table, &flush);
    assert_eq!(flush.paid(), each(&[(3, "50.00")]));
    link.keyed(table, &bonus(Bonus::MagicCard, seat(3), Some(five)));
    link.hit(table, 1, Hand::Flush);
    link.play(table, &TableCommand::Close);
}

/// The button pressed again takes a bonus back; the bonus may be keyed again.
#[test]
fn a_cancelled_bonus_may_be_keyed_again() {
    let (mut link, table) = round(drawn(Some("Qh"), None));
    let before = link.state.balances.clone();
    for _ in 0..2 {
        let card = link.keyed(table, &bonus(Bonus::MagicCard, DEALER, None));
        link.cancel(card.id);
        assert_eq!(link.state.balances, before);
    }
}

/// A void round's draw lapses: its bonuses are reversed and no more are given (RULES §6).
#[test]
fn a_bonus_of_a_void_round_lapses() {
    let (mut link, table) = round(drawn(Some("Qh"), Some(seat(1))));
    link.keyed(table, &bonus(Bonus::MagicCard, seat(2), None));
    link.keyed(table, &bonus(Bonus::LuckyBonus, seat(1), None));
    let reason = VoidReason::CardsFaceUp;
    link.play(table, &TableCommand::Void { reason });
    assert_eq!(link.of(meterhouse_domain::link::Account::Players), "0.00");
    let refusal = link.refuse(table, &bonus(Bonus::MagicCard, seat(2), None));
    assert_eq!(refusal.code, RefusalCode::NoRound);
}

/// The Five Card Hand Bonus wager survives a fold, and so does its bonus, keyed before or after.
#[test]
fn a_fold_keeps_the_bonus() {
    let (mut link, table) = round(drawn(Some("Qh"), Some(seat(1))));
    link.keyed(table, &bonus(Bonus::LuckyBonus, seat(1), None));
    link.fold(table, &[1]);
    link.keyed(table, &bonus(Bonus::MagicCard, seat(1), None));
}

/// If a fold forfeits the wager, a keyed bonus has to be cancelled before the fold.
#[test]
fn a_fold_that_forfeits_needs_the_bonus_cancelled() {
    let mut terms = drawing(10);
    terms.paytable.rules.fold.award = FoldAward::Forfeited;
    let mut link = Link::open_with(terms);
    let table = link.table();
    link.draws = drawn(None, Some(seat(1)));
    link.coin_in(table, &[1, 2]);
    let lucky = bonus(Bonus::LuckyBonus, seat(1), None);
    let keyed = link.keyed(table, &lucky);
    let fold = TableCommand::Fold {
        seats: vec![Seat(1)],
    };
    assert_eq!(link.refuse(table, &fold).code, RefusalCode::AlreadyHit);
    link.cancel(keyed.id);
    link.play(table, &fold);
    assert_eq!(link.refuse(table, &lucky).code, RefusalCode::Folded);
}
