//! A winner found after GAME OVER, recorded by two people (figure R).

use meterhouse_domain::change::{Change, Effect, LateHit};
use meterhouse_domain::command::{Holder, TableCommand};
use meterhouse_domain::event::PayoutKind;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, HitOrder, Sequence, TableNo};
use meterhouse_domain::link::Account;
use meterhouse_domain::paytable::{HandedOver, Paytable};
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::seat::{Seat, SeatSet};
use meterhouse_domain::state::HitStatus;

#[expect(dead_code, reason = "every file of tests uses its part of it")]
#[path = "support/charged.rs"]
mod charged;
#[expect(dead_code, reason = "every file of tests uses its part of it")]
#[path = "support/people.rs"]
mod people;
#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use people::{both, id, propose, refused};
use support::{Link, SUPERVISOR, cards, dollars, paytables, reject};

/// The book of pays that touch no meter, on a link of one level.
const FIXED: usize = 1;

/// Returns a closed round of seats 1 to 3 at the first table with this amount displayed, and a second table.
fn closed_round(paytable: Paytable, displayed: &str) -> (Link, LateHit, TableNo) {
    let mut link = Link::open(paytable, "1.00");
    let (table, other) = (link.table(), link.table());
    link.coin_in(table, &[1, 2, 3]);
    link.set_meter(displayed);
    link.play(table, &TableCommand::Close);
    let seats = SeatSet::from_iter([1, 2, 3].map(Seat));
    let late = LateHit {
        table,
        round: Sequence(1),
        holder: Holder::Seat(Seat(2)),
        hand: Hand::StraightFlush,
        cards: None,
        own: seats,
        dealer: SeatSet::EMPTY,
        folded: SeatSet::EMPTY,
        players: Vec::new(),
        displayed: vec![dollars(displayed)],
        order_at_close: link.state.last_order,
        stood: false,
    };
    (link, late, other)
}

fn change(late: &LateHit) -> Change {
    Change::LateHit(Box::new(late.clone()))
}

/// Records the late hit; returns its id and true if the meter pays.
fn recorded(link: &mut Link, late: &LateHit) -> (HitId, bool) {
    let effect = both(link, change(late));
    let Effect::LateHitRecorded {
        hit, from_meter, ..
    } = effect
    else {
        return (
            HitId {
                table: TableNo(0),
                sequence: Sequence(0),
                number: 0,
            },
            false,
        );
    };
    (hit, from_meter)
}

/// Returns kind, amount and seat of every payout of a hit.
fn payouts(link: &Link, hit: HitId) -> Vec<(PayoutKind, String, u8)> {
    let payouts = link
        .hit_state(hit)
        .payouts
        .iter()
        .map(|state| &state.payout);
    let text = payouts.map(|payout| (payout.kind, payout.amount.to_string(), payout.seat.0));
    text.collect()
}

fn line(amount: &str) -> (PayoutKind, String, u8) {
    (PayoutKind::Line, amount.to_owned(), 2)
}

/// Figure R: 20,000.00 then, 20,630.00 now, 10%.
#[test]
fn figure_r_from_the_meter_at_the_amount_of_game_over() {
    let (mut link, late, _) = closed_round(paytables::five_card_a(), "20,000.00");
    link.set_meter("20,630.00");
    let (hit, from_meter) = recorded(&mut link, &late);
    assert!(from_meter);
    assert_eq!(payouts(&link, hit)[0], line("2000.00"));
    assert_eq!(link.meter(), "18630.00");
    assert_eq!(link.of(Account::Pending), "2000.00");
    let status = &link.hit_state(hit).status;
    assert!(matches!(status, HitStatus::Validated { .. }));
    link.pay(hit, 1);
    assert_eq!(link.of(Account::Paid), "2000.00");
}

/// Figure R: a late 100% from the meter resets it; contributions since stay on the meter.
#[test]
fn figure_r_a_late_win_from_the_meter_resets_it() {
    let (mut link, late, _) = closed_round(paytables::five_card_a(), "20,000.00");
    link.set_meter("20,630.00");
    let royal = LateHit {
        hand: Hand::RoyalFlush,
        ..late
    };
    let (hit, from_meter) = recorded(&mut link, &royal);
    assert!(from_meter);
    assert_eq!(payouts(&link, hit)[0], line("20000.00"));
    assert_eq!(link.meter(), "10630.00");
    assert_eq!(link.state.lifetime.books[0].resets, 1);
}

/// Figure R: the level was won since, so the house pays and the meter keeps its balance.
#[test]
fn figure_r_from_the_house_if_the_level_was_won_since() {
    for hand in [Hand::StraightFlush, Hand::RoyalFlush] {
        let (mut link, late, other) = closed_round(paytables::five_card_a(), "20,000.00");
        link.coin_in(other, &[1]);
        let since = link.hit(other, 1, Hand::RoyalFlush).id;
        assert_eq!(link.meter(), "10000.00");
        let late = LateHit { hand, ..late };
        let (hit, from_meter) = recorded(&mut link, &late);
        assert!(!from_meter);
        let amount = if hand == Hand::RoyalFlush {
            "20000.00"
        } else {
            "2000.00"
        };
        assert_eq!(payouts(&link, hit)[0], line(amount));
        assert_eq!(link.meter(), "10000.00");
        assert_eq!(link.hit_state(hit).taken, None);
        link.pay(hit, 1);
        assert_eq!(link.balance(FIXED, Account::Paid), dollars(amount));
        // The win since is rejected: no amount of the level depended on the late hit.
        link.person(SUPERVISOR, reject(since, false));
        assert_eq!(link.meter(), "20000.21");
    }
}

/// An undone win since does not count: the meter pays.
#[test]
fn an_undone_win_since_does_not_count() {
    let (mut link, late, other) = closed_round(paytables::five_card_a(), "20,000.00");
    link.coin_in(other, &[1]);
    let since = link.hit(other, 1, Hand::RoyalFlush).id;
    link.cancel(since);
    assert!(recorded(&mut link, &late).1);
    assert_eq!(link.meter(), "18000.21");
}

/// Figure R: at most the meter's present displayed amount, the house the rest.
#[test]
fn figure_r_the_house_pays_what_the_meter_does_not_have() {
    let (mut link, late, _) = closed_round(paytables::five_card_a(), "20,000.00");
    link.set_meter("1,500.005");
    let house = link.balance(0, Account::House);
    let (hit, from_meter) = recorded(&mut link, &late);
    assert!(from_meter);
    assert_eq!(payouts(&link, hit)[0], line("2000.00"));
    assert_eq!(link.meter(), "0.005");
    let given = house.minus(link.balance(0, Account::House));
    assert_eq!(given, Ok(dollars("500.00")));
}

/// Two people fixed the amount of a late hit: withdrawing an earlier hit changes only its payer.
#[test]
fn a_late_hit_keeps_its_amount_when_an_earlier_hit_is_withdrawn() {
    let (mut link, late, other) = closed_round(paytables::five_card_a(), "20,000.00");
    link.coin_in(other, &[1]);
    link.set_meter("2,100.00");
    let earlier = link.hit(other, 1, Hand::StraightFlush).id;
    let (hit, _) = recorded(&mut link, &late);
    assert_eq!(link.meter(), "0.00");
    link.person(SUPERVISOR, reject(earlier, true));
    assert_eq!(payouts(&link, hit)[0], line("2000.00"));
    assert_eq!(link.meter(), "100.00");
    assert_eq!(link.of(Account::Pending), "2000.00");
    assert_eq!(link.hit_state(hit).status, HitStatus::Pending);
}

/// The round is closed, so everything is handed over with a document: fixed pays and the others' envy too.
#[test]
fn every_payout_of_a_late_hit_is_paid_by_slip() {
    let (mut link, late, _) = closed_round(paytables::five_card_a(), "20,000.00");
    let (hit, _) = recorded(&mut link, &late);
    let envy = |seat| (PayoutKind::Envy, "300.00".to_owned(), seat);
    assert_eq!(payouts(&link, hit)[1..], [envy(3), envy(1)]);
    let flush = LateHit {
        hand: Hand::Flush,
        holder: Holder::Seat(Seat(3)),
        ..late
    };
    let (flush, from_meter) = recorded(&mut link, &flush);
    assert!(!from_meter);
    assert_eq!(
        payouts(&link, flush),
        [(PayoutKind::Line, "40.00".to_owned(), 3)]
    );
    for hit in [hit, flush] {
        let payouts = link.hit_state(hit).payouts.clone();
        for (number, payout) in (1..).zip(payouts) {
            assert_eq!(payout.payout.handed_over, HandedOver::Slip);
            link.pay(hit, number);
        }
        assert!(link.hit_state(hit).is_paid());
    }
    assert_eq!(link.balance(FIXED, Account::Pending), dollars("0.00"));
}

/// A fixed line that is charged to the meter comes off it late as well.
#[test]
fn a_late_fixed_pay_comes_off_the_meter() {
    let (mut link, late, _) = closed_round(charged::on_own_hands(), "6,000.00");
    link.set_meter("3,200.40");
    let four = LateHit {
        hand: Hand::FourOfAKind,
        ..late
    };
    let (hit, from_meter) = recorded(&mut link, &four);
    assert!(from_meter);
    assert_eq!(payouts(&link, hit), [line("5000.00")]);
    assert_eq!(link.meter(), "0.00");
    assert_eq!(link.of(Account::Pending), "5000.00");
}

/// The dealer's hand, found late: split by players as they sat.
#[test]
fn a_late_hit_of_the_dealers_hand_is_split_by_players() {
    let (mut link, late, _) = closed_round(paytables::hand_bonus(), "1,000.00");
    let wagers = [1, 3, 4].map(Seat);
    let player = |seat| (Seat(seat), "p-77".parse());
    let players = [player(3), player(4)];
    let players = players
        .into_iter()
        .filter_map(|(seat, result)| Some((seat, result.ok()?)));
    let late = LateHit {
        holder: Holder::Dealer,
        dealer: SeatSet::from_iter(wagers),
        players: players.collect(),
        ..late
    };
    let (hit, _) = recorded(&mut link, &late);
    let half = |seat| (PayoutKind::Line, "50.00".to_owned(), seat);
    assert_eq!(payouts(&link, hit), [half(4), half(1)]);
    assert_eq!((hit.sequence, hit.number), (Sequence(1), 16));
    assert_eq!(link.meter(), "900.00");
}

/// A link with a late hit that is not paid yet is not closed (RULES §1.6).
#[test]
fn an_unpaid_late_hit_keeps_the_link_open() {
    let (mut link, late, _) = closed_round(paytables::hand_bonus(), "1,000.00");
    link.state.suspended = "the night is over".parse().ok();
    assert!(link.state.is_closed());
    let (hit, _) = recorded(&mut link, &late);
    assert_eq!((hit.sequence, hit.number), (Sequence(1), 2));
    assert!(!link.state.is_closed());
    link.pay(hit, 1);
    assert!(link.state.is_closed());
}

/// One hand is paid once: in time or late, and by one proposal at a time.
#[test]
fn a_hand_is_paid_once_in_time_or_late() {
    let (mut link, late, _) = closed_round(paytables::five_card_a(), "20,000.00");
    let stood = LateHit {
        stood: true,
        ..late.clone()
    };
    assert_eq!(refused(&mut link, change(&stood)), RefusalCode::AlreadyHit);
    link.person(SUPERVISOR, propose(9, change(&late)));
    assert_eq!(refused(&mut link, change(&late)), RefusalCode::AlreadyHit);
    link.person(people::MANAGER, people::approve(9, people::FINANCE));
    assert!(
        link.state
            .proposals
            .iter()
            .all(|proposal| proposal.propose.proposal != id(9))
    );
    let refusal = link.refuse_person(SUPERVISOR, propose(10, change(&late)));
    assert_eq!(refusal.code, RefusalCode::AlreadyHit);
    assert_eq!(refusal.fields, [("hit".to_owned(), "T1.1.2".to_owned())]);
    // Withdrawn by two people: the late hit does not come back under the same id.
    let hit = HitId {
        table: late.table,
        sequence: late.round,
        number: 2,
    };
    both(&mut link, Change::Correct { hit });
    assert_eq!(link.meter(), "20000.00");
    assert_eq!(refused(&mut link, change(&late)), RefusalCode::AlreadyHit);
}

/// A late hit is refused for every reason for which a hit in time is.
#[test]
fn a_late_hit_is_refused_like_a_hit_in_time() {
    let (mut link, late, _) = closed_round(paytables::five_card_a(), "20,000.00");
    let with = |late: LateHit| change(&late);
    let late = || late.clone();
    for (change, code) in [
        (
            with(LateHit {
                holder: Holder::Seat(Seat(5)),
                ..late()
            }),
            RefusalCode::NoWager,
        ),
        (
            with(LateHit {
                holder: Holder::Seat(Seat(7)),
                ..late()
            }),
            RefusalCode::SeatNotOnLayout,
        ),
        (
            with(LateHit {
                folded: SeatSet::from_iter([Seat(2)]),
                ..late()
            }),
            RefusalCode::Folded,
        ),
        (
            with(LateHit {
                holder: Holder::Dealer,
                ..late()
            }),
            RefusalCode::HandNotOffered,
        ),
        (
            with(LateHit {
                hand: Hand::HighCard,
                ..late()
            }),
            RefusalCode::NotAWinner,
        ),
        (
            with(LateHit {
                cards: Some(cards("As Ks Qs Js Ts")),
                ..late()
            }),
            RefusalCode::WrongHand,
        ),
        (
            with(LateHit {
                table: TableNo(9),
                ..late()
            }),
            RefusalCode::UnknownHit,
        ),
    ] {
        assert_eq!(refused(&mut link, change), code);
    }
}

/// While the round is open, its hits are keyed at the table.
#[test]
fn an_open_round_has_no_late_hits() {
    let (mut link, late, other) = closed_round(paytables::five_card_a(), "20,000.00");
    link.coin_in(other, &[2]);
    let late = LateHit {
        table: other,
        order_at_close: HitOrder(0),
        ..late
    };
    let code = refused(&mut link, change(&late));
    assert_eq!(code, RefusalCode::RoundStillOpen);
}
