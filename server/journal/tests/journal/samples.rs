//! One event of every kind with fixed values, so that its bytes can be fixed too.

use std::str::FromStr;

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{Holder, Settle, VoidReason};
use meterhouse_domain::event::{
    CoinInAccepted, Draws, Event, HitKind, HitRecorded, Origin, Payout, PayoutKind, Recorded,
    Reset, TableJoined, Taken,
};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{ActorId, HitId, HitOrder, Sequence, TableNo, Timestamp};
use meterhouse_domain::link::{Account, Added, Book, Move};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Charge;
use meterhouse_domain::seat::{Seat, SeatSet};

use crate::sample_changes::{
    events_of_adoptions, events_of_links, events_of_proposals, events_of_returns, resettled,
};
use crate::sample_commands::refusals;
use crate::sample_terms::{RACK, RULES, SLIP, terms};
use crate::sample_wagers::events_of_wagers;

pub(crate) fn parse<T: FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

pub(crate) fn micros(micros: i64) -> Money {
    Money::from_micros(micros)
}

pub(crate) fn set(seats: &[u8]) -> SeatSet {
    seats.iter().copied().map(Seat).collect()
}

pub(crate) fn entry(book: u8, from: Account, to: Account, amount: i64) -> Move {
    Move {
        book: Book(book),
        from,
        to,
        amount: micros(amount),
    }
}

pub(crate) fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(parse).collect()
}

pub(crate) fn hit_id() -> HitId {
    HitId {
        table: TableNo(7),
        sequence: Sequence(4_713),
        number: 0,
    }
}

/// One of the hits of the round that was settled.
pub(crate) fn settled_hit(number: u8) -> HitId {
    HitId {
        table: TableNo(7),
        sequence: Sequence(4_715),
        number,
    }
}

fn coin_in(dealt: &[u8]) -> CoinInAccepted {
    CoinInAccepted {
        own: set(&[1, 3, 5]),
        dealer: SeatSet::EMPTY,
        dealt: set(dealt),
        players: Vec::new(),
        added: Added::new(&[micros(270_000), micros(210_000), micros(90_000)]).unwrap(),
        over_ceiling: Vec::new(),
        draws: Draws::default(),
    }
}

pub(crate) fn payout(seat: u8, kind: PayoutKind, amount: i64, charge: Charge) -> Payout {
    Payout {
        seat: Seat(seat),
        player: None,
        kind,
        amount: micros(amount),
        charged_to: charge.charged_to,
        handed_over: charge.handed_over,
    }
}

pub(crate) fn taken(percent: Option<u8>, before: i64, after: i64) -> Taken {
    let reset = Reset {
        from_house: micros(10_000_000_000),
        from_reserve: micros(30_000),
        from_overflow: micros(0),
    };
    Taken {
        level: 0,
        percent,
        before: micros(before),
        after: micros(after),
        reserve_before: micros(30_000),
        overflow_before: micros(500),
        reset: (percent == Some(100)).then_some(reset),
    }
}

pub(crate) fn hit_recorded() -> HitRecorded {
    let line = Payout {
        player: Some(parse("p-77")),
        ..payout(5, PayoutKind::Line, 10_000_260_000, SLIP)
    };
    HitRecorded {
        order: HitOrder(12),
        round: Sequence(4_711),
        kind: HitKind::Line,
        holder: Holder::Seat(Seat(5)),
        hand: Some(Hand::RoyalFlush),
        cards: Some(cards("As Ks Qs Js Ts")),
        taken: Some(taken(Some(100), 10_000_267_500, 10_000_037_500)),
        payouts: vec![line, payout(3, PayoutKind::Envy, 100_000_000, RACK)],
        needs_validation: true,
        moves: vec![
            entry(0, Account::Meter, Account::Pending, 10_000_260_000),
            entry(0, Account::House, Account::Meter, 10_000_000_000),
            entry(0, Account::Reserve, Account::Meter, 30_000),
            entry(2, Account::House, Account::Pending, 100_000_000),
        ],
    }
}

/// A percentage, a fixed pay that comes off the level, a bonus without hand.
pub(crate) fn settled_hits() -> Vec<HitRecorded> {
    let percent = HitRecorded {
        order: HitOrder(13),
        round: Sequence(4_714),
        holder: Holder::Dealer,
        hand: Some(Hand::StraightFlush),
        taken: Some(taken(Some(10), 10_000_000_000, 9_000_000_000)),
        payouts: vec![payout(1, PayoutKind::Line, 1_000_000_000, SLIP)],
        moves: vec![entry(0, Account::Meter, Account::Pending, 1_000_000_000)],
        ..hit_recorded()
    };
    let fixed = HitRecorded {
        order: HitOrder(14),
        holder: Holder::Seat(Seat(3)),
        hand: Some(Hand::FullHouse),
        cards: None,
        taken: Some(taken(None, 9_000_000_000, 8_950_000_000)),
        payouts: vec![payout(3, PayoutKind::Line, 50_000_000, RACK)],
        moves: vec![entry(0, Account::Meter, Account::Pending, 50_000_000)],
        needs_validation: false,
        ..percent.clone()
    };
    let bonus = HitRecorded {
        order: HitOrder(15),
        kind: HitKind::LuckyBonus,
        hand: None,
        taken: None,
        payouts: vec![payout(3, PayoutKind::Bonus, 5_000_000, RACK)],
        moves: vec![entry(2, Account::House, Account::Pending, 5_000_000)],
        ..fixed.clone()
    };
    vec![percent, fixed, bonus]
}

pub(crate) fn all_cards() -> Settle {
    Settle {
        dealer: cards("9h 8h 7h 6h 5h"),
        community: Vec::new(),
        seats: vec![
            (Seat(3), cards("Kd Kc Kh 2s 2c")),
            (Seat(1), cards("Ac Jd 9c 4s 3d")),
        ],
    }
}

fn events_of_settle() -> Vec<(&'static str, Event)> {
    vec![
        (
            "settled",
            Event::RoundSettled {
                cards: Box::new(Settle {
                    community: cards("2h 3h"),
                    ..all_cards()
                }),
                hits: Vec::new(),
                wagers: None,
            },
        ),
        (
            "settled-with-hits",
            Event::RoundSettled {
                cards: Box::new(all_cards()),
                hits: settled_hits(),
                wagers: None,
            },
        ),
    ]
}

fn events_of_hits() -> Vec<(&'static str, Event)> {
    let undone = vec![entry(0, Account::Pending, Account::Meter, 10_000_260_000)];
    let paid = |amount| vec![entry(0, Account::Pending, Account::Paid, amount)];
    vec![
        ("hit-recorded", Event::HitRecorded(Box::new(hit_recorded()))),
        (
            "hit-cancelled",
            Event::HitCancelled {
                hit: hit_id(),
                moves: undone.clone(),
            },
        ),
        (
            "hit-validated",
            Event::HitValidated {
                hit: hit_id(),
                cards: Some(cards("As Ks Qs Js Ts")),
                note: Some(parse("seen with the shift manager")),
            },
        ),
        (
            "hit-rejected",
            Event::HitRejected {
                hit: hit_id(),
                note: None,
                resettle: false,
                resettled: Vec::new(),
                moves: undone.clone(),
            },
        ),
        (
            "hit-rejected-resettling",
            Event::HitRejected {
                hit: hit_id(),
                note: Some(parse("four aces were three")),
                resettle: true,
                resettled: vec![resettled(true)],
                moves: undone,
            },
        ),
        (
            "payout-paid",
            Event::PayoutPaid {
                hit: hit_id(),
                number: 1,
                document: parse("JP-2024/00017"),
                moves: paid(10_000_260_000),
            },
        ),
        (
            "voided",
            Event::RoundVoided {
                reason: VoidReason::CountMismatch,
                hits: vec![settled_hit(1), hit_id()],
                moves: vec![entry(0, Account::Meter, Account::Players, 270_000)],
            },
        ),
        (
            "closed-with-hits",
            Event::RoundClosed {
                hits: vec![hit_id()],
                moves: paid(100_000_000),
            },
        ),
    ]
}

/// The events by name.
pub(crate) fn all() -> Vec<(&'static str, Recorded)> {
    let joined = TableJoined {
        table: TableNo(7),
        name: parse("C4P-07"),
        game: parse("crazy-4-poker"),
        seats: 6,
        paytable: parse("pa-657a-five-card-c"),
        rules: RULES,
        bet_on_dealer: Some(false),
    };
    let opened = Event::LinkOpened {
        terms: Box::new(terms()),
        moves: vec![entry(0, Account::House, Account::Meter, 10_000_000_000)],
    };
    let with_players = CoinInAccepted {
        dealer: set(&[6]),
        players: vec![(Seat(1), parse("p-1")), (Seat(3), parse("p-77"))],
        ..coin_in(&[1, 2, 3, 5, 6])
    };
    let drawn = CoinInAccepted {
        over_ceiling: vec![(Book(1), micros(210_000))],
        draws: Draws {
            magic_card: Some(parse("7d")),
            lucky_position: Some(Holder::Seat(Seat(5))),
        },
        ..coin_in(&[1, 3, 5])
    };
    let mut events = vec![
        ("coin-in", Event::CoinInAccepted(coin_in(&[1, 3, 5]))),
        ("coin-in-with-record", Event::CoinInAccepted(with_players)),
        ("coin-in-drawn", Event::CoinInAccepted(drawn)),
        (
            "counted",
            Event::ChipsCounted {
                chips: 2,
                accepted: 3,
            },
        ),
        ("folded", Event::SeatsFolded { seats: set(&[3]) }),
        (
            "closed",
            Event::RoundClosed {
                hits: Vec::new(),
                moves: Vec::new(),
            },
        ),
    ];
    events.extend(refusals());
    events.extend([
        ("opened", opened),
        ("joined", Event::TableJoined(Box::new(joined))),
    ]);
    events.extend(events_of_hits());
    events.extend(events_of_settle());
    events.extend(events_of_links());
    events.extend(events_of_proposals());
    events.push((
        "faulted",
        Event::LinkFaulted {
            reason: "7.4713: meter below zero".to_owned(),
        },
    ));
    events.extend(events_of_returns());
    events.extend(events_of_wagers());
    events.extend(events_of_adoptions());
    events
        .into_iter()
        .map(|(name, event)| (name, recorded(name, event)))
        .collect()
}

/// Events of people have no table; hits and events with `with-record` in their name carry badge and time.
fn recorded(name: &str, event: Event) -> Recorded {
    let at_table = matches!(
        event,
        Event::CoinInAccepted(_)
            | Event::ChipsCounted { .. }
            | Event::SeatsFolded { .. }
            | Event::HitRecorded(_)
            | Event::RoundSettled { .. }
            | Event::HitCancelled { .. }
            | Event::RoundClosed { .. }
            | Event::RoundVoided { .. }
    );
    let at_table = at_table
        || matches!(
            name,
            "refused" | "refused-hit" | "refused-settle" | "refused-wagers"
        );
    let sequence = match name {
        "hit-recorded" => 4_713,
        "settled-with-hits" => settled_hit(1).sequence.0,
        _ => 4_711,
    };
    let attended = matches!(
        name,
        "hit-recorded" | "coin-in-with-record" | "hit-validated"
    );
    Recorded {
        origin: if at_table {
            Origin::Table {
                table: TableNo(7),
                sequence: Sequence(sequence),
            }
        } else {
            Origin::Person
        },
        actor: ActorId(if at_table { 3 } else { 1 }),
        by: attended.then(|| parse("D-204")),
        device_time: (attended && at_table).then_some(Timestamp(1_732_190_399_987_654)),
        event,
    }
}

/// Returns one of the samples.
pub(crate) fn named(name: &str) -> Recorded {
    let found = all().into_iter().find(|(sample, _)| *sample == name);
    found.map(|(_, recorded)| recorded).unwrap()
}
