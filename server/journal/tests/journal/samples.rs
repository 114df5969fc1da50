//! One event of every kind with fixed values, so that its bytes can be fixed too.

use std::str::FromStr;

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    CoinIn, Command, HitCommand, Holder, JoinTable, PersonCommand, TableCommand, VoidReason, Wager,
    WageredHand,
};
use meterhouse_domain::event::{
    CoinInAccepted, Event, HitKind, HitRecorded, Origin, Payout, PayoutKind, Recorded, Reset,
    TableJoined, Taken,
};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::link::{Account, Added, Book, Move};
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{ActorId, HitId, HitOrder, Sequence, TableNo, Timestamp};
use meterhouse_domain::paytable::{ChargedTo, HandedOver};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::{Seat, SeatSet};

use crate::sample_terms::{RULES, paytable, terms};

pub(crate) fn parse<T: FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

fn micros(micros: i64) -> Money {
    Money::from_micros(micros)
}

fn set(seats: &[u8]) -> SeatSet {
    seats.iter().copied().map(Seat).collect()
}

fn entry(book: u8, from: Account, to: Account, amount: i64) -> Move {
    Move {
        book: Book(book),
        from,
        to,
        amount: micros(amount),
    }
}

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(parse).collect()
}

pub(crate) fn hit_id() -> HitId {
    HitId {
        table: TableNo(7),
        sequence: Sequence(4_713),
    }
}

fn coin_in(dealt: &[u8]) -> CoinInAccepted {
    CoinInAccepted {
        own: set(&[1, 3, 5]),
        dealer: SeatSet::EMPTY,
        dealt: set(dealt),
        players: Vec::new(),
        added: Added::new(&[micros(270_000), micros(210_000), micros(90_000)]).unwrap(),
    }
}

fn hit_recorded() -> HitRecorded {
    let payout = |seat, player: Option<&str>, kind, amount, charged_to, handed_over| Payout {
        seat: Seat(seat),
        player: player.map(parse),
        kind,
        amount: micros(amount),
        charged_to,
        handed_over,
    };
    let reset = Reset {
        from_house: micros(10_000_000_000),
        from_reserve: micros(30_000),
        from_overflow: micros(0),
    };
    HitRecorded {
        order: HitOrder(12),
        round: Sequence(4_711),
        kind: HitKind::Line,
        holder: Holder::Seat(Seat(5)),
        hand: Hand::RoyalFlush,
        cards: Some(cards("As Ks Qs Js Ts")),
        taken: Some(Taken {
            level: 0,
            percent: 100,
            before: micros(10_000_267_500),
            after: micros(10_000_037_500),
            reset: Some(reset),
        }),
        payouts: vec![
            payout(
                5,
                Some("p-77"),
                PayoutKind::Line,
                10_000_260_000,
                ChargedTo::Meter,
                HandedOver::Slip,
            ),
            payout(
                3,
                None,
                PayoutKind::Envy,
                100_000_000,
                ChargedTo::House,
                HandedOver::Rack,
            ),
        ],
        needs_validation: true,
        moves: vec![
            entry(0, Account::Meter, Account::Pending, 10_000_260_000),
            entry(0, Account::House, Account::Meter, 10_000_000_000),
            entry(0, Account::Reserve, Account::Meter, 30_000),
            entry(2, Account::House, Account::Pending, 100_000_000),
        ],
    }
}

fn refused(code: RefusalCode, fields: &[(&str, &str)], command: Command) -> Event {
    let fields = fields
        .iter()
        .map(|(field, value)| ((*field).into(), (*value).into()));
    Event::Refused {
        refusal: Refusal {
            code,
            fields: fields.collect(),
        },
        command: Box::new(command),
    }
}

fn refusals() -> Vec<(&'static str, Event)> {
    let wager = |seat, player: Option<&str>| Wager {
        seat: Seat(seat),
        on: WageredHand::Own,
        amount: micros(2_500_000),
        player: player.map(parse),
    };
    let wrong = TableCommand::CoinIn(CoinIn {
        wagers: vec![wager(1, None), wager(2, Some("p-77"))],
        dealt: vec![Seat(1), Seat(2)],
    });
    let hit = TableCommand::Hit(HitCommand {
        holder: Holder::Dealer,
        hand: Hand::Pair,
        cards: None,
    });
    let at_table = |command| Command::Table {
        table: TableNo(7),
        sequence: Sequence(4_711),
        command,
    };
    let join = JoinTable {
        name: parse("C4P-07"),
        game: parse("crazy-4-poker"),
        seats: 6,
        paytable: paytable(),
        wager: micros(5_000_000),
        decks: 2,
    };
    let join = Command::Person(PersonCommand::JoinTable(Box::new(join)));
    vec![
        (
            "refused",
            refused(
                RefusalCode::WrongAmount,
                &[("wagers[0].amount", "2.50")],
                at_table(wrong),
            ),
        ),
        (
            "refused-hit",
            refused(RefusalCode::HandNotOffered, &[], at_table(hit)),
        ),
        (
            "refused-join",
            refused(
                RefusalCode::TableDiffers,
                &[("wager", "5.00"), ("decks", "2")],
                join,
            ),
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
                hits: vec![Sequence(4_714), Sequence(4_713)],
                moves: vec![entry(0, Account::Meter, Account::Players, 270_000)],
            },
        ),
        (
            "closed-with-hits",
            Event::RoundClosed {
                hits: vec![Sequence(4_713)],
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
    let mut events = vec![
        ("coin-in", Event::CoinInAccepted(coin_in(&[1, 3, 5]))),
        ("coin-in-with-record", Event::CoinInAccepted(with_players)),
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
    events.push((
        "faulted",
        Event::LinkFaulted {
            reason: "7.4713: meter below zero".to_owned(),
        },
    ));
    events
        .into_iter()
        .map(|(name, event)| (name, recorded(name, event)))
        .collect()
}

/// People's events have no table; hits and what has `with-record` in its name carry badge and time.
fn recorded(name: &str, event: Event) -> Recorded {
    let person = matches!(
        name,
        "opened"
            | "joined"
            | "refused-join"
            | "hit-validated"
            | "hit-rejected"
            | "payout-paid"
            | "faulted"
    );
    let sequence = if name == "hit-recorded" { 4_713 } else { 4_711 };
    let attended = matches!(
        name,
        "hit-recorded" | "coin-in-with-record" | "hit-validated"
    );
    Recorded {
        origin: if person {
            Origin::Person
        } else {
            Origin::Table {
                table: TableNo(7),
                sequence: Sequence(sequence),
            }
        },
        actor: ActorId(if person { 1 } else { 3 }),
        by: attended.then(|| parse("D-204")),
        device_time: (attended && !person).then_some(Timestamp(1_732_190_399_987_654)),
        event,
    }
}

/// One of them.
pub(crate) fn named(name: &str) -> Recorded {
    let found = all().into_iter().find(|(it, _)| *it == name);
    found.map(|(_, recorded)| recorded).unwrap()
}

/// Commands that no refused sample holds.
pub(crate) fn commands() -> Vec<(&'static str, Command)> {
    let at_table = |command| Command::Table {
        table: TableNo(7),
        sequence: Sequence(1),
        command,
    };
    let seat = Seat(3);
    let hit = hit_id();
    let validate = PersonCommand::ValidateHit {
        hit,
        cards: None,
        note: Some(parse("seen")),
    };
    let pay = PersonCommand::PayPayout {
        hit,
        number: 2,
        document: parse("JP-1"),
    };
    vec![
        ("command-count", at_table(TableCommand::Count { chips: 3 })),
        (
            "command-fold",
            at_table(TableCommand::Fold {
                seats: vec![seat, Seat(1)],
            }),
        ),
        (
            "command-envy",
            at_table(TableCommand::Envy {
                seat,
                hand: Hand::FourAces,
                cards: Some(Vec::new()),
            }),
        ),
        (
            "command-cancel",
            at_table(TableCommand::CancelHit {
                hit: Sequence(4_713),
            }),
        ),
        ("command-close", at_table(TableCommand::Close)),
        (
            "command-void",
            at_table(TableCommand::Void {
                reason: VoidReason::ShoeJam,
            }),
        ),
        ("command-validate", Command::Person(validate)),
        (
            "command-reject",
            Command::Person(PersonCommand::RejectHit { hit, note: None }),
        ),
        ("command-pay", Command::Person(pay)),
    ]
}
