//! The worked figures of RULES §3 by `settle`: one command with all cards, the amounts of the single hits.

use meterhouse_domain::command::{Holder, TableCommand, WageredHand};
use meterhouse_domain::event::{HitKind, HitRecorded, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, TableNo};
use meterhouse_domain::link::Account;
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::seat::Seat;

use super::support::{Link, SEATS, paytables};
use super::{CLUBS, FULL_HOUSE, HEARTS, OTHER_ROYAL, ROYAL, five, hits_of, settle, with_dealer};

/// Returns a link whose one meter has this amount, one table with these seats locked in and all others folded.
fn at(paytable: Paytable, meter: &str, seats: &[u8]) -> (Link, TableNo) {
    let mut link = Link::open(paytable, "1.00");
    let table = link.table();
    link.coin_in(table, seats);
    let others = (1..=SEATS).filter(|seat| !seats.contains(seat));
    link.fold(table, &others.collect::<Vec<u8>>());
    link.set_meter(meter);
    (link, table)
}

/// Returns a link with wagers on hands of both kinds.
fn bonus_at(
    meter: &str,
    reserve: &str,
    wagers: &[(u8, WageredHand, Option<&str>)],
) -> (Link, TableNo) {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in_of(table, wagers);
    link.set_meter(meter);
    link.set(0, Account::Reserve, reserve);
    (link, table)
}

/// Returns seats with wagers on the dealer's hand.
fn on_dealer<const N: usize>(seats: [u8; N]) -> [(u8, WageredHand, Option<&'static str>); N] {
    seats.map(|seat| (seat, WageredHand::Dealer, None))
}

/// Returns seat and amount of every payout of this kind, hit by hit.
fn payouts(hits: &[HitRecorded], kind: PayoutKind) -> Vec<Vec<(u8, String)>> {
    let of = |hit: &HitRecorded| {
        let payouts = hit.payouts.iter().filter(|payout| payout.kind == kind);
        payouts
            .map(|payout| (payout.seat.0, payout.amount.to_string()))
            .collect()
    };
    hits.iter().map(of).collect()
}

fn lines(hits: &[HitRecorded]) -> Vec<Vec<(u8, String)>> {
    payouts(hits, PayoutKind::Line)
}

/// Returns these payouts as owned text.
fn paid<const N: usize>(hits: [&[(u8, &str)]; N]) -> Vec<Vec<(u8, String)>> {
    let owned = |payouts: &[(u8, &str)]| {
        let owned = payouts
            .iter()
            .map(|(seat, amount)| (*seat, (*amount).to_owned()));
        owned.collect()
    };
    hits.into_iter().map(owned).collect()
}

/// CONFORMANCE 11.
#[test]
fn figure_e_two_partial_pays() {
    let (mut link, table) = at(paytables::five_card_a(), "12,345.67", &[1, 4]);
    let (_, hits) = settle(&mut link, table, &five(&[(1, HEARTS), (4, CLUBS)]));
    assert_eq!(lines(&hits), paid([&[(4, "1234.56")], &[(1, "1111.11")]]));
    assert_eq!(link.meter(), "10000.00");
}

/// CONFORMANCE 12: the server chooses the order, however the hands are listed.
#[test]
fn figure_f_the_royal_in_the_middle() {
    for listed in [
        [(5, HEARTS), (3, ROYAL), (1, CLUBS)],
        [(1, CLUBS), (3, ROYAL), (5, HEARTS)],
    ] {
        let (mut link, table) = at(paytables::five_card_a(), "20,000.00", &[1, 3, 5]);
        let (_, hits) = settle(&mut link, table, &five(&listed));
        assert_eq!(
            lines(&hits),
            paid([&[(5, "2000.00")], &[(3, "18000.00")], &[(1, "1000.00")]])
        );
        assert_eq!(link.meter(), "9000.00");
        assert_eq!(
            hits.iter().map(|hit| hit.order.0).collect::<Vec<_>>(),
            [1, 2, 3]
        );
    }
}

/// CONFORMANCE 12.
#[test]
fn figure_f_the_royal_on_the_highest_seat() {
    let (mut link, table) = at(paytables::five_card_a(), "20,000.00", &[1, 3, 5]);
    let cards = five(&[(1, CLUBS), (3, HEARTS), (5, ROYAL)]);
    let (_, hits) = settle(&mut link, table, &cards);
    assert_eq!(
        lines(&hits),
        paid([&[(5, "20000.00")], &[(3, "1000.00")], &[(1, "900.00")]])
    );
    assert_eq!(link.meter(), "8100.00");
}

/// CONFORMANCE 13: two royals, and each is 100% of the balance at its turn.
#[test]
fn two_royals_of_one_round_in_turn_order() {
    let (mut link, table) = at(paytables::five_card_a(), "20,000.00", &[2, 6]);
    let cards = five(&[(2, ROYAL), (6, OTHER_ROYAL)]);
    let (_, hits) = settle(&mut link, table, &cards);
    assert_eq!(lines(&hits), paid([&[(6, "20000.00")], &[(2, "10000.00")]]));
    assert_eq!(link.meter(), "10000.00");
    assert_eq!(link.state.lifetime.books[0].resets, 2);
}

#[test]
fn figure_g_the_dealers_hand_is_divided_by_players() {
    for folded in [false, true] {
        let (mut link, table) = bonus_at("10,000.01", "500.00", &on_dealer([1, 3, 4]));
        if folded {
            link.fold(table, &[4]);
        }
        let (_, hits) = settle(&mut link, table, &with_dealer(ROYAL, &[]));
        let each = [(4, "3333.33"), (3, "3333.33"), (1, "3333.33")];
        assert_eq!(lines(&hits), paid([&each]));
        assert_eq!(
            [link.meter(), link.of(Account::Reserve)],
            ["500.02", "0.00"]
        );
    }
}

#[test]
fn figure_g_two_boxes_of_one_player_are_one_share() {
    let player = |seat, name| (seat, WageredHand::Dealer, Some(name));
    let wagers = [player(1, "p-1"), player(3, "p-77"), player(4, "p-77")];
    let (mut link, table) = bonus_at("10,000.00", "0.00", &wagers);
    let (_, hits) = settle(&mut link, table, &with_dealer(ROYAL, &[]));
    assert_eq!(lines(&hits), paid([&[(4, "5000.00"), (1, "5000.00")]]));
    let (mut link, table) = bonus_at("10,000.00", "0.00", &wagers);
    let (_, hits) = settle(&mut link, table, &with_dealer(FULL_HOUSE, &[]));
    let each = [(4, "100.00"), (3, "100.00"), (1, "100.00")];
    assert_eq!(lines(&hits), paid([&each]));
}

/// CONFORMANCE 18: a truncated share leaves its fraction on the meter.
#[test]
fn a_share_of_a_third_leaves_its_fraction_on_the_meter() {
    for (cards, each, meter, reserve) in [
        (ROYAL, "7666.66", "8000.02", "0.00"),
        (CLUBS, "766.66", "20700.02", "8000.00"),
    ] {
        let (mut link, table) = bonus_at("23,000.00", "8,000.00", &on_dealer([1, 3, 4]));
        let (_, hits) = settle(&mut link, table, &with_dealer(cards, &[]));
        assert_eq!(lines(&hits), paid([&[(4, each), (3, each), (1, each)]]));
        assert_eq!([link.meter(), link.of(Account::Reserve)], [meter, reserve]);
    }
}

/// Returns four-card Paytable A, seat 2 folded, these seats with a wager and all dealt in.
fn figure_i(wagers: &[(u8, WageredHand, Option<&str>)], fold: &[u8]) -> (Link, TableNo) {
    let mut link = Link::open(paytables::four_card_a(), "1.00");
    let table = link.table();
    link.coin_in_of(table, wagers);
    if !fold.is_empty() {
        link.fold(table, fold);
    }
    (link, table)
}

const ACES: &str = "As Ah Ad Ac 2c";
const NOTHING: [&str; 5] = [
    "2d 5h 8s Jc 3d",
    "2h 5s 8c Jd 3h",
    "2s 5c 8d Jh 3s",
    "Kd 9h 6s 4c Td",
    "Kh 9s 6c 4d Th",
];

/// CONFORMANCE 19 and 21: a folded seat keeps its eligibility to receive envy.
#[test]
fn figure_i_envy() {
    let own = |seat| (seat, WageredHand::Own, None);
    let [one, four, five_, six, _] = NOTHING;
    let (mut link, table) = figure_i(&[own(1), own(2), own(3), own(5)], &[2]);
    let cards = five(&[(1, one), (3, ACES), (4, four), (5, five_), (6, six)]);
    let (_, hits) = settle(&mut link, table, &cards);
    let envied = paid([&[(5, "100.00"), (2, "100.00"), (1, "100.00")]]);
    assert_eq!(lines(&hits), paid([&[(3, "5001.16")]]));
    assert_eq!(payouts(&hits, PayoutKind::Envy), envied);

    // Seat 3 made no wager: no line is paid.
    let (mut link, table) = figure_i(&[own(1), own(2), own(5)], &[2]);
    let meter = link.meter();
    let (_, hits) = settle(&mut link, table, &cards);
    assert_eq!(lines(&hits), paid([&[]]));
    assert_eq!(payouts(&hits, PayoutKind::Envy), envied);
    assert_eq!(
        (hits[0].kind, hits[0].hand),
        (HitKind::Envy, Some(Hand::FourAces))
    );
    assert!(hits[0].needs_validation);
    assert_eq!(link.meter(), meter);
}

/// The holder's own boxes get nothing; two qualifying hands pay twice.
#[test]
fn figure_i_boxes_of_one_player_and_two_hands() {
    let own = |seat, player| (seat, WageredHand::Own, player);
    let [one, two, five_, six, _] = NOTHING;
    let wagers = [
        own(1, None),
        own(2, None),
        own(3, Some("p-77")),
        own(4, Some("p-77")),
    ];
    let (mut link, table) = figure_i(&wagers, &[]);
    let cards = five(&[
        (1, one),
        (2, two),
        (3, ACES),
        (4, "Qs Qh Qd Qc 7c"),
        (5, five_),
        (6, six),
    ]);
    let (_, hits) = settle(&mut link, table, &cards);
    assert_eq!(
        payouts(&hits, PayoutKind::Envy),
        paid([
            &[(2, "10.00"), (1, "10.00")],
            &[(2, "100.00"), (1, "100.00")]
        ])
    );
    assert_eq!(lines(&hits), paid([&[(4, "300.00")], &[(3, "5001.16")]]));
}

/// CONFORMANCE 20: the highest hand only, and both hands of a bettor on both.
#[test]
fn figure_j_the_highest_hand_only() {
    let wagers = [(3, WageredHand::Own, None), (3, WageredHand::Dealer, None)];
    let (mut link, table) = bonus_at("1,000.00", "0.00", &wagers);
    let cards = with_dealer(FULL_HOUSE, &[(3, HEARTS)]);
    let (_, hits) = settle(&mut link, table, &cards);
    assert_eq!(lines(&hits), paid([&[(3, "100.00")], &[(3, "100.00")]]));
    let holders = [Holder::Seat(Seat(3)), Holder::Dealer];
    assert_eq!(hits_of(&hits, |hit| hit.holder), holders);
    assert_eq!(link.meter(), "900.00");

    let (mut link, table) = at(paytables::five_card_a(), "1,000.00", &[3]);
    let (_, hits) = settle(&mut link, table, &five(&[(3, ROYAL)]));
    assert_eq!(hits_of(&hits, |hit| hit.hand), [Some(Hand::RoyalFlush)]);
}

#[test]
fn figure_k_the_turn_of_the_dealers_hand() {
    for (dealer, expected, meter) in [
        (
            [6, 2],
            paid([&[(6, "10000.00"), (2, "10000.00")], &[(5, "500.00")]]),
            "4500.00",
        ),
        (
            [4, 2],
            paid([&[(5, "2000.00")], &[(4, "9000.00"), (2, "9000.00")]]),
            "5000.00",
        ),
    ] {
        let [first, last] = on_dealer(dealer);
        let wagers = [(5, WageredHand::Own, None), first, last];
        let (mut link, table) = bonus_at("20,000.00", "5,000.00", &wagers);
        let cards = with_dealer(ROYAL, &[(5, CLUBS)]);
        let (_, hits) = settle(&mut link, table, &cards);
        assert_eq!(lines(&hits), expected);
        assert_eq!(link.meter(), meter);
    }
}

/// A tenth of ten cents, a tenth of nine, and 100% of zero.
#[test]
fn figure_o_small_meters() {
    let (mut link, table) = at(paytables::five_card_a(), "0.10", &[1, 2]);
    let (_, hits) = settle(&mut link, table, &five(&[(1, CLUBS), (2, HEARTS)]));
    assert_eq!(lines(&hits), paid([&[(2, "0.01")], &[(1, "0.00")]]));
    assert_eq!(link.meter(), "0.09");

    let (mut link, table) = bonus_at("0.02", "0.00", &on_dealer([1, 3, 4]));
    let (_, hits) = settle(&mut link, table, &with_dealer(ROYAL, &[]));
    assert_eq!(
        lines(&hits),
        paid([&[(4, "0.00"), (3, "0.00"), (1, "0.00")]])
    );
    assert_eq!(link.meter(), "0.02");

    let (mut link, table) = at(paytables::five_card_a(), "10,000.725", &[6]);
    let (_, hits) = settle(&mut link, table, &five(&[(6, ROYAL)]));
    assert_eq!(lines(&hits), paid([&[(6, "10000.72")]]));
    assert_eq!(link.meter(), "10000.005");
}

/// A hit of zero is validated and counted, and 100% of zero resets.
#[test]
fn figure_o_hits_of_nothing() {
    let (mut link, table) = at(paytables::five_card_a(), "0.00", &[4, 6]);
    let cards = five(&[(4, ROYAL), (6, HEARTS)]);
    let (sequence, hits) = settle(&mut link, table, &cards);
    assert_eq!(lines(&hits), paid([&[(6, "0.00")], &[(4, "0.00")]]));
    assert_eq!(link.meter(), "10000.00");
    for number in [1, 2] {
        let hit = HitId {
            table,
            sequence,
            number,
        };
        link.validate(hit);
        link.pay(hit, 1);
    }
    link.play(table, &TableCommand::Close);
    let counted = link.state.lifetime.lines.iter().map(|line| line.hits);
    assert_eq!(counted.collect::<Vec<_>>()[..3], [1, 1, 0]);
}
