//! The later life of a `settle`'s hits: each is a hit like any other, named with its number; and the hits that may
//! stand on one hand (RULES §7.7).

use meterhouse_domain::command::{
    Bonus, BonusCommand, HitCommand, Holder, TableCommand, VoidReason, WageredHand,
};
use meterhouse_domain::event::{Draws, HitKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, Sequence, TableNo};
use meterhouse_domain::link::{Account, LinkSettings, LinkTerms};
use meterhouse_domain::paytable::{FoldAward, Paytable};
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::HitStatus;

use super::support::{Link, cancel, cards, hit_of, is, paytables, terms};
use super::{CLUBS, HEARTS, NOTHING, ROYAL, five, hits_of, settle, with_dealer};

const fn hit(table: TableNo, sequence: Sequence, number: u8) -> HitId {
    HitId {
        table,
        sequence,
        number,
    }
}

/// Returns one table of five-card Paytable A with wagers on seats 2 and 4, the others folded, meter at 20,000.00.
fn two_seats() -> (Link, TableNo) {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    link.coin_in(table, &[2, 4]);
    link.fold(table, &[1, 3, 5, 6]);
    link.set_meter("20,000.00");
    (link, table)
}

#[test]
fn a_settle_without_a_winner() {
    let (mut link, table) = two_seats();
    let before = link.state.balances.clone();
    let [one, other, ..] = NOTHING;
    let (_, hits) = settle(&mut link, table, &five(&[(2, one), (4, other)]));
    assert_eq!(hits, []);
    assert_eq!(link.state.balances, before);
    link.play(table, &TableCommand::Close);
}

/// CONFORMANCE 31: GAME OVER waits for every hit; each is validated and paid under its own number.
#[test]
fn each_hit_is_validated_and_paid_by_itself() {
    let (mut link, table) = two_seats();
    let (sequence, _) = settle(&mut link, table, &five(&[(2, CLUBS), (4, HEARTS)]));
    for number in [1, 2] {
        let name = format!("T1.{sequence}.{number}");
        let refusal = link.refuse(table, &TableCommand::Close);
        is(&refusal, RefusalCode::HitUnsettled, &[("hit", &name)]);
        link.validate(hit(table, sequence, number));
        link.pay(hit(table, sequence, number), 1);
    }
    assert_eq!(link.of(Account::Paid), "3800.00");
    link.play(table, &TableCommand::Close);
    let closed = link.state.closed.iter().map(|closed| closed.id.number);
    assert_eq!(closed.collect::<Vec<_>>(), [1, 2]);
}

/// CONFORMANCE 26: the button of one hit pressed again; the earlier hit only once the later one is undone.
#[test]
fn the_last_hit_is_cancelled_first() {
    let (mut link, table) = two_seats();
    let (sequence, _) = settle(&mut link, table, &five(&[(2, CLUBS), (4, HEARTS)]));
    let refusal = link.refuse(table, &cancel(hit(table, sequence, 1)));
    let second = format!("T1.{sequence}.2");
    is(&refusal, RefusalCode::LaterHits, &[("hits", &second)]);
    link.cancel(hit(table, sequence, 2));
    assert_eq!(link.meter(), "18000.00");
    link.cancel(hit(table, sequence, 1));
    assert_eq!(link.meter(), "20000.00");
    let hits = [1, 2].map(|number| link.hit_state(hit(table, sequence, number)).status.clone());
    assert_eq!(hits, [HitStatus::Cancelled, HitStatus::Cancelled]);
    // Settled again, with other cards.
    let (again, hits) = settle(&mut link, table, &five(&[(2, CLUBS), (4, ROYAL)]));
    assert_eq!(hits_of(&hits, |hit| hit.order.0), [3, 4]);
    assert_eq!(link.meter(), "9000.00");
    assert_ne!(again, sequence);
}

/// An undone hit is keyed by itself, in its turn: not before a standing hit.
#[test]
fn a_cancelled_hit_is_keyed_again_by_itself() {
    let (mut link, table) = two_seats();
    let (sequence, _) = settle(&mut link, table, &five(&[(2, CLUBS), (4, HEARTS)]));
    link.cancel(hit(table, sequence, 2));
    link.hit(table, 2, Hand::Flush);
    link.cancel(hit(table, sequence, 1));
    let refusal = link.refuse(table, &hit_of(4, Hand::Flush));
    assert_eq!(refusal.code, RefusalCode::OutOfTurn);
}

/// CONFORMANCE 28: a void takes all of them back, the newest first.
#[test]
fn a_void_round_takes_all_hits_back() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    link.set_meter("20,000.00");
    let before = link.state.balances.clone();
    link.coin_in(table, &[2, 4]);
    link.fold(table, &[1, 3, 5, 6]);
    settle(&mut link, table, &five(&[(2, CLUBS), (4, ROYAL)]));
    let reason = VoidReason::Misdeal;
    link.play(table, &TableCommand::Void { reason });
    assert_eq!(link.state.balances, before);
}

/// CONFORMANCE 21: a forfeited wager is not paid, and the cards of a folded hand are not needed if they were
/// collected.
#[test]
fn folded_seats_win_nothing() {
    for (award, seats, paid) in [
        (FoldAward::Forfeited, &[(2, CLUBS)][..], 1),
        (FoldAward::Forfeited, &[(2, CLUBS), (4, HEARTS)], 1),
        (FoldAward::Kept, &[(2, CLUBS), (4, HEARTS)], 2),
    ] {
        let mut paytable = paytables::five_card_a();
        paytable.rules.fold.award = award;
        let mut link = Link::open(paytable, "1.00");
        let table = link.table();
        link.coin_in(table, &[2, 4]);
        link.fold(table, &[1, 3, 4, 5, 6]);
        let (_, hits) = settle(&mut link, table, &five(seats));
        assert_eq!(hits.len(), paid);
    }
}

/// Returns a paytable whose fold forfeits the wager and leaves the cards, as in Texas Hold 'Em Bonus.
fn cards_stay() -> Paytable {
    let mut paytable = paytables::five_card_a();
    paytable.rules.fold.award = FoldAward::Forfeited;
    paytable.rules.fold.hand_gives_envy = true;
    paytable
}

/// A folded hand whose cards stay gives envy, though its wager is forfeited: by `envy`, by `settle` too.
#[test]
fn a_forfeited_wager_whose_cards_stay_gives_envy() {
    let mut link = Link::open(cards_stay(), "1.00");
    let table = link.table();
    link.coin_in(table, &[2, 4]);
    link.fold(table, &[1, 3, 4, 5, 6]);
    let refusal = link.refuse(table, &hit_of(4, Hand::RoyalFlush));
    is(&refusal, RefusalCode::Folded, &[("seat", "4")]);
    let envy = |seat| TableCommand::Envy {
        seat: Seat(seat),
        hand: Hand::RoyalFlush,
        cards: Some(cards(ROYAL)),
    };
    let refusal = link.refuse(table, &envy(2));
    is(&refusal, RefusalCode::HasWager, &[("seat", "2")]);
    let single = link.keyed(table, &envy(4));
    assert_eq!(single.paid(), []);
    assert_eq!(single.envy(), [(2, "1000.00".to_owned())]);
    link.cancel(single.id);

    let [one, other, third, low] = NOTHING;
    let all = five(&[
        (1, one),
        (2, CLUBS),
        (3, other),
        (4, ROYAL),
        (5, third),
        (6, low),
    ]);
    let (_, hits) = settle(&mut link, table, &all);
    assert_eq!(
        hits_of(&hits, |hit| hit.kind),
        [HitKind::Envy, HitKind::Line]
    );
    assert_eq!(hits[0].payouts, single.recorded.payouts);
}

/// Returns the Five Card Hand Bonus with both bonuses drawn in every round: the ace of spades, and seat 2.
fn drawn() -> (Link, TableNo) {
    let settings = LinkSettings {
        magic_card_one_in: Some(1),
        lucky_bonus_one_in: Some(1),
        ..LinkSettings::default()
    };
    let mut link = Link::open_with(LinkTerms {
        settings,
        ..terms(paytables::hand_bonus(), "1.00")
    });
    link.draws = Draws {
        magic_card: "As".parse().ok(),
        lucky_position: Some(Holder::Seat(Seat(2))),
    };
    let table = link.table();
    let wagers = [
        (2, WageredHand::Own, None),
        (4, WageredHand::Own, None),
        (1, WageredHand::Dealer, None),
    ];
    link.coin_in_of(table, &wagers);
    (link, table)
}

fn bonus(kind: Bonus, hand: &str) -> TableCommand {
    TableCommand::Bonus(BonusCommand {
        kind,
        holder: Holder::Seat(Seat(2)),
        cards: Some(cards(hand)),
    })
}

fn line(hand: Hand, text: &str) -> TableCommand {
    TableCommand::Hit(HitCommand {
        holder: Holder::Seat(Seat(2)),
        hand,
        cards: Some(cards(text)),
    })
}

/// Law 7: one hit of each kind stands on a hand, in any order, and a second one of a kind is refused.
#[test]
fn one_hit_of_each_kind_stands_on_a_hand() {
    let three = [
        bonus(Bonus::MagicCard, ROYAL),
        line(Hand::RoyalFlush, ROYAL),
        bonus(Bonus::LuckyBonus, ROYAL),
    ];
    for first in 0..3 {
        let (mut link, table) = drawn();
        let mut keyed = Vec::new();
        for turn in 0..3 {
            keyed.push(link.keyed(table, &three[(first + turn) % 3]));
        }
        for turn in 0..3 {
            let refusal = link.refuse(table, &three[(first + turn) % 3]);
            let name = format!("T1.{}", keyed[turn].id.sequence);
            is(&refusal, RefusalCode::AlreadyHit, &[("hit", &name)]);
        }
    }
}

/// A hand has one set of cards, for all its wins.
#[test]
fn other_cards_for_the_same_hand_are_refused() {
    let (mut link, table) = drawn();
    link.keyed(table, &bonus(Bonus::MagicCard, ROYAL));
    let refusal = link.refuse(table, &line(Hand::StraightFlush, CLUBS));
    let fields = [("cards", CLUBS), ("keyed_before", ROYAL)];
    is(&refusal, RefusalCode::ImpossibleCards, &fields);
    link.keyed(table, &line(Hand::RoyalFlush, "Ts Js Qs Ks As"));
}

/// Turn order is that of lines: a bonus of an early seat may be keyed after a later seat's line.
#[test]
fn a_bonus_has_no_turn() {
    let (mut link, table) = drawn();
    link.hit(table, 2, Hand::Flush);
    let magic = |seat| {
        TableCommand::Bonus(BonusCommand {
            kind: Bonus::MagicCard,
            holder: Holder::Seat(Seat(seat)),
            cards: None,
        })
    };
    link.keyed(table, &magic(4));
    let refusal = link.refuse(table, &hit_of(4, Hand::Flush));
    assert_eq!(refusal.code, RefusalCode::OutOfTurn);
}

/// All possible hits of one round: lines in turn order, each hand's bonuses after its line, the dealer's at its turn.
#[test]
fn settle_keys_lines_and_bonuses_in_turn_order() {
    let (mut link, table) = drawn();
    let all = with_dealer(HEARTS, &[(2, ROYAL), (4, NOTHING[0])]);
    let (_, hits) = settle(&mut link, table, &all);
    let seat = |seat| Holder::Seat(Seat(seat));
    assert_eq!(
        hits_of(&hits, |hit| (hit.holder, hit.kind)),
        [
            (seat(2), HitKind::Line),
            (seat(2), HitKind::MagicCard),
            (seat(2), HitKind::LuckyBonus),
            (Holder::Dealer, HitKind::Line),
        ]
    );
    let due = |index: usize| {
        hits[index]
            .payouts
            .iter()
            .map(|payout| payout.amount.to_string())
    };
    assert_eq!(due(1).chain(due(2)).collect::<Vec<_>>(), ["20.00", "5.00"]);
    // The dealer's hand at its turn; seat 2 has no wager on its own.
    link.draws.lucky_position = Some(Holder::Dealer);
    let (mut other, table) = drawn();
    other.void(table);
    other.draws = link.draws;
    other.coin_in_of(table, &[(1, WageredHand::Dealer, None)]);
    let (_, hits) = settle(&mut other, table, &with_dealer(ROYAL, &[(2, HEARTS)]));
    assert_eq!(
        hits_of(&hits, |hit| (hit.holder, hit.kind)),
        [
            (Holder::Dealer, HitKind::Line),
            (Holder::Dealer, HitKind::MagicCard),
            (Holder::Dealer, HitKind::LuckyBonus),
        ]
    );
}
