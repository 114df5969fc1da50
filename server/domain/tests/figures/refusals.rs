//! Every refusal once, with its code and fields: opening and joining, coin-in, count and fold.

use meterhouse_domain::command::{
    CoinIn, JoinTable, PersonCommand, TableCommand, VoidReason, Wager, WageredHand,
};
use meterhouse_domain::decide::{Decision, Stop, open};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::{LinkTerms, ReservePolicy};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::Seat;

use super::support::{Link, SUPERVISOR, dollars, is, own, paytables, terms};

/// Returns a link of Paytable A at $1 with one table.
pub(super) fn five_card_a() -> (Link, TableNo) {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    (link, table)
}

/// Returns a coin-in of these wagers, the first seats dealt in.
fn coin_in(wagers: Vec<Wager>, dealt: &[u8]) -> TableCommand {
    TableCommand::CoinIn(CoinIn {
        wagers,
        dealt: dealt.iter().copied().map(Seat).collect(),
    })
}

/// Returns a wager of a dollar on a seat's own hand.
fn dollar(seat: u8) -> Wager {
    own(seat, dollars("1.00"))
}

/// Returns the refusal of a link with these terms, if it does not open.
fn not_opened(terms: LinkTerms) -> Option<Refusal> {
    match open(terms) {
        Err(Stop::Refused(refusal)) => Some(refusal),
        Ok(_) | Err(Stop::Broken(_)) => None,
    }
}

#[test]
fn wrong_amount() {
    let (mut link, table) = five_card_a();
    let wagers = vec![dollar(1), own(3, dollars("5.00"))];
    let refusal = link.refuse(table, &coin_in(wagers, &[1, 3]));
    let fields = [("seat", "3"), ("amount", "5.00"), ("expected", "1.00")];
    is(&refusal, RefusalCode::WrongAmount, &fields);
}

#[test]
fn seat_not_on_layout() {
    let (mut link, table) = five_card_a();
    let fields = [("seat", "7"), ("seats", "6")];
    let refusal = link.refuse(table, &coin_in(vec![dollar(7)], &[1]));
    is(&refusal, RefusalCode::SeatNotOnLayout, &fields);
    let refusal = link.refuse(table, &coin_in(vec![dollar(1)], &[1, 7]));
    is(&refusal, RefusalCode::SeatNotOnLayout, &fields);
    let refusal = link.refuse(table, &coin_in(vec![dollar(0)], &[1]));
    is(
        &refusal,
        RefusalCode::SeatNotOnLayout,
        &[("seat", "0"), ("seats", "6")],
    );
}

#[test]
fn seat_twice() {
    let (mut link, table) = five_card_a();
    let refusal = link.refuse(table, &coin_in(vec![dollar(2), dollar(2)], &[2]));
    is(
        &refusal,
        RefusalCode::SeatTwice,
        &[("seat", "2"), ("on", "own")],
    );
    let refusal = link.refuse(table, &coin_in(vec![dollar(2)], &[2, 2]));
    is(&refusal, RefusalCode::SeatTwice, &[("seat", "2")]);
}

#[test]
fn seat_not_dealt() {
    let (mut link, table) = five_card_a();
    let refusal = link.refuse(table, &coin_in(vec![dollar(2)], &[1]));
    is(&refusal, RefusalCode::SeatNotDealt, &[("seat", "2")]);
}

#[test]
fn seat_not_dealt_has_no_hand_to_fold_or_show() {
    let mut link = Link::open(paytables::four_card_a(), "1.00");
    let table = link.table();
    link.play(table, &coin_in(vec![dollar(1)], &[1, 2]));
    let seats = vec![Seat(3)];
    let refusal = link.refuse(table, &TableCommand::Fold { seats });
    is(&refusal, RefusalCode::SeatNotDealt, &[("seat", "3")]);
    let envy = TableCommand::Envy {
        seat: Seat(3),
        hand: Hand::FourAces,
        cards: None,
    };
    let refusal = link.refuse(table, &envy);
    is(&refusal, RefusalCode::SeatNotDealt, &[("seat", "3")]);
}

#[test]
fn no_wagers() {
    let (mut link, table) = five_card_a();
    let refusal = link.refuse(table, &coin_in(Vec::new(), &[1]));
    is(&refusal, RefusalCode::NoWagers, &[]);
}

#[test]
fn round_open() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &coin_in(vec![dollar(1)], &[1]));
    is(&refusal, RefusalCode::RoundOpen, &[("round", "1")]);
}

#[test]
fn no_round() {
    let (mut link, table) = five_card_a();
    for command in [
        TableCommand::Count { chips: 1 },
        TableCommand::Fold {
            seats: vec![Seat(1)],
        },
        super::support::hit_of(1, Hand::RoyalFlush),
        TableCommand::Envy {
            seat: Seat(1),
            hand: Hand::RoyalFlush,
            cards: None,
        },
        TableCommand::CancelHit {
            hit: meterhouse_domain::ids::Sequence(1),
            number: 0,
        },
        TableCommand::Close,
        TableCommand::Void {
            reason: VoidReason::Misdeal,
        },
    ] {
        is(&link.refuse(table, &command), RefusalCode::NoRound, &[]);
    }
}

#[test]
fn player_differs() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    let named = |on, name: &str| Wager {
        on,
        player: name.parse().ok(),
        ..dollar(3)
    };
    let wagers = vec![
        named(WageredHand::Own, "p-1"),
        named(WageredHand::Dealer, "p-2"),
    ];
    let refusal = link.refuse(table, &coin_in(wagers, &[3]));
    is(&refusal, RefusalCode::PlayerDiffers, &[("seat", "3")]);
}

#[test]
fn hand_not_offered() {
    let (mut link, table) = five_card_a();
    let dealer = Wager {
        on: WageredHand::Dealer,
        ..dollar(3)
    };
    let refusal = link.refuse(table, &coin_in(vec![dealer], &[3]));
    is(&refusal, RefusalCode::HandNotOffered, &[("seat", "3")]);
}

#[test]
fn count_too_late() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1, 2]);
    link.play(table, &TableCommand::Count { chips: 3 });
    link.fold(table, &[2]);
    let refusal = link.refuse(table, &TableCommand::Count { chips: 2 });
    is(&refusal, RefusalCode::CountTooLate, &[]);
    link.void(table);
    link.coin_in(table, &[1, 2]);
    link.hit(table, 1, Hand::Flush);
    let refusal = link.refuse(table, &TableCommand::Count { chips: 2 });
    is(&refusal, RefusalCode::CountTooLate, &[]);
}

#[test]
fn envy_not_filed() {
    let refusal = not_opened(terms(paytables::five_card_a(), "2.00"));
    assert!(refusal.is_some_and(|refusal| {
        is(&refusal, RefusalCode::EnvyNotFiled, &[("wager", "2.00")]);
        true
    }));
}

#[test]
fn share_not_exact() {
    let mut paytable = paytables::hand_bonus();
    for level in &mut paytable.content.levels {
        level.primary = meterhouse_domain::rate::Rate::from_ppm(1).unwrap_or_default();
    }
    let refusal = not_opened(terms(paytable, "0.25"));
    assert!(refusal.is_some_and(|refusal| {
        is(&refusal, RefusalCode::ShareNotExact, &[("wager", "0.25")]);
        true
    }));
}

#[test]
fn policy_needs_reseed() {
    let refusal = not_opened(LinkTerms {
        reserve_policy: ReservePolicy::FundKeep,
        ..terms(paytables::hand_bonus(), "1.00")
    });
    assert!(refusal.is_some_and(|refusal| {
        is(
            &refusal,
            RefusalCode::PolicyNeedsReseed,
            &[("level", "meter")],
        );
        true
    }));
}

#[test]
fn out_of_range() {
    let asked = terms(paytables::hand_bonus(), "1.00");
    for (wager, decks, fields) in [
        (
            "0.00",
            1,
            vec![("wager", "0.00"), ("least", "0.01"), ("most", "10000.00")],
        ),
        (
            "0.005",
            1,
            vec![("wager", "0.005"), ("least", "0.01"), ("most", "10000.00")],
        ),
        (
            "10000.01",
            1,
            vec![
                ("wager", "10000.01"),
                ("least", "0.01"),
                ("most", "10000.00"),
            ],
        ),
        ("1.00", 0, vec![("decks", "0"), ("most", "8")]),
        ("1.00", 9, vec![("decks", "9"), ("most", "8")]),
    ] {
        let refusal = not_opened(LinkTerms {
            wager: dollars(wager),
            decks,
            ..asked.clone()
        });
        assert!(refusal.is_some_and(|refusal| {
            is(&refusal, RefusalCode::OutOfRange, &fields);
            true
        }));
    }
    let (mut link, table) = five_card_a();
    for seats in [0, 7] {
        let join = JoinTable {
            seats,
            ..link.join("T2")
        };
        let refusal = link.refuse_person(SUPERVISOR, PersonCommand::JoinTable(Box::new(join)));
        let seats = seats.to_string();
        is(
            &refusal,
            RefusalCode::OutOfRange,
            &[("seats", &seats), ("seats_max", "6")],
        );
    }
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &TableCommand::Fold { seats: Vec::new() });
    is(&refusal, RefusalCode::OutOfRange, &[("seats", "0")]);
}

/// The refusal lists every difference; the same table again is done already.
#[test]
fn table_differs() {
    let (mut link, _) = five_card_a();
    let mut join = link.join("T2");
    join.wager = dollars("5.00");
    join.decks = 2;
    join.paytable = paytables::five_card_b();
    let refusal = link.refuse_person(SUPERVISOR, PersonCommand::JoinTable(Box::new(join)));
    let mega = "link none, table seed 10000 reseed 10000 primary 11% reserve 0%";
    let major = "link none, table seed 1000 reseed 1000 primary 10% reserve 0%";
    let fields = [
        ("wager", "link 1.00, table 5.00"),
        ("decks", "link 1, table 2"),
        (
            "level meter",
            "link seed 10000 reseed 10000 primary 21% reserve 0%, table none",
        ),
        (
            "line royal-flush",
            "link 100% of meter, envy 1000 for 1, table 100% of mega, envy 1000 for 1",
        ),
        (
            "line straight-flush",
            "link 10% of meter, envy 300 for 1, table 100% of major, envy 300 for 1",
        ),
        ("level mega", mega),
        ("level major", major),
    ];
    is(&refusal, RefusalCode::TableDiffers, &fields);

    let mut join = link.join("T2");
    join.game = "texas-hold-em".parse().unwrap_or(join.game);
    let refusal = link.refuse_person(SUPERVISOR, PersonCommand::JoinTable(Box::new(join)));
    is(
        &refusal,
        RefusalCode::TableDiffers,
        &[("game", "texas-hold-em")],
    );

    let again = PersonCommand::JoinTable(Box::new(link.join("T1")));
    assert_eq!(link.person(SUPERVISOR, again), Decision::AlreadyDone);
    let mut join = link.join("T1");
    join.seats = 5;
    let refusal = link.refuse_person(SUPERVISOR, PersonCommand::JoinTable(Box::new(join)));
    is(&refusal, RefusalCode::TableDiffers, &[("table", "T1")]);
}
