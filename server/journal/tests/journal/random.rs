//! Random events and commands of every kind, and the small values that they are made of.

use std::fmt::Debug;
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
use meterhouse_domain::link::{Account, Added, Book, Move, SHARES_MAX};
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{
    ActorId, Document, HitId, HitOrder, Note, PlayerName, Sequence, TableNo, Timestamp,
};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::{Seat, SeatSet};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use crate::random_terms::{charge, paytable, rules, terms};

pub(crate) fn one<T: Copy + Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    select(all)
}

pub(crate) fn name<T: FromStr<Err: Debug> + Debug>() -> impl Strategy<Value = T> {
    "[A-Za-z0-9-]{1,32}".prop_map(|text| text.parse().unwrap())
}

pub(crate) fn text<T: FromStr<Err: Debug> + Debug>() -> impl Strategy<Value = T> {
    "[a-z0-9 §€Ω]{1,40}".prop_map(|text| text.parse().unwrap())
}

pub(crate) fn free() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z §\n\u{0}]{0,20}", any::<String>()]
}

pub(crate) fn money() -> impl Strategy<Value = Money> {
    any::<i64>().prop_map(Money::from_micros)
}

pub(crate) fn seat() -> impl Strategy<Value = Seat> {
    any::<u8>().prop_map(Seat)
}

pub(crate) fn seats() -> impl Strategy<Value = SeatSet> {
    (0_u16..1 << 15).prop_map(|bits| SeatSet::from_bits(bits).unwrap())
}

pub(crate) fn sequence() -> impl Strategy<Value = Sequence> {
    any::<u64>().prop_map(Sequence)
}

pub(crate) fn order() -> impl Strategy<Value = HitOrder> {
    prop_oneof![0_u64..100, any::<u64>()].prop_map(HitOrder)
}

pub(crate) fn hit_id() -> impl Strategy<Value = HitId> {
    (any::<u32>(), sequence()).prop_map(|(table, sequence)| HitId {
        table: TableNo(table),
        sequence,
    })
}

pub(crate) fn cards() -> impl Strategy<Value = Option<Vec<Card>>> {
    of(vec(
        (0..Card::COUNT).prop_map(|it| Card::from_index(it).unwrap()),
        0..6,
    ))
}

pub(crate) fn moves() -> impl Strategy<Value = Vec<Move>> {
    let accounts = (one(Account::ALL), one(Account::ALL));
    let one_move = (any::<u8>(), accounts, money()).prop_map(|(book, (from, to), amount)| Move {
        book: Book(book),
        from,
        to,
        amount,
    });
    vec(one_move, 0..4)
}

pub(crate) fn added(max: usize) -> impl Strategy<Value = Added> {
    vec(money(), 0..=max).prop_map(|amounts| Added::new(&amounts).unwrap())
}

pub(crate) fn players() -> impl Strategy<Value = Vec<(Seat, PlayerName)>> {
    vec((seat(), name()), 0..4)
}

pub(crate) fn holder() -> impl Strategy<Value = Holder> {
    prop_oneof![seat().prop_map(Holder::Seat), Just(Holder::Dealer)]
}

pub(crate) fn table_command() -> impl Strategy<Value = TableCommand> {
    let wager = (seat(), one(WageredHand::ALL), money(), of(name())).prop_map(
        |(seat, on, amount, player)| Wager {
            seat,
            on,
            amount,
            player,
        },
    );
    let coin_in = (vec(wager, 0..5), vec(seat(), 0..5))
        .prop_map(|(wagers, dealt)| TableCommand::CoinIn(CoinIn { wagers, dealt }));
    let hit = (holder(), one(&Hand::ALL), cards()).prop_map(|(holder, hand, cards)| {
        TableCommand::Hit(HitCommand {
            holder,
            hand,
            cards,
        })
    });
    prop_oneof![
        coin_in,
        hit,
        any::<u32>().prop_map(|chips| TableCommand::Count { chips }),
        vec(seat(), 0..5).prop_map(|seats| TableCommand::Fold { seats }),
        (seat(), one(&Hand::ALL), cards()).prop_map(|(seat, hand, cards)| TableCommand::Envy {
            seat,
            hand,
            cards
        }),
        sequence().prop_map(|hit| TableCommand::CancelHit { hit }),
        Just(TableCommand::Close),
        one(VoidReason::ALL).prop_map(|reason| TableCommand::Void { reason }),
    ]
}

pub(crate) fn person_command() -> impl Strategy<Value = PersonCommand> {
    let join = (
        name(),
        name(),
        any::<u8>(),
        paytable(),
        money(),
        any::<u8>(),
    )
        .prop_map(|(name, game, seats, paytable, wager, decks)| {
            let join = JoinTable {
                name,
                game,
                seats,
                paytable,
                wager,
                decks,
            };
            PersonCommand::JoinTable(Box::new(join))
        });
    prop_oneof![
        join,
        (hit_id(), cards(), of(text::<Note>()))
            .prop_map(|(hit, cards, note)| PersonCommand::ValidateHit { hit, cards, note }),
        (hit_id(), of(text::<Note>()))
            .prop_map(|(hit, note)| PersonCommand::RejectHit { hit, note }),
        (hit_id(), any::<u32>(), text::<Document>()).prop_map(|(hit, number, document)| {
            PersonCommand::PayPayout {
                hit,
                number,
                document,
            }
        }),
    ]
}

pub(crate) fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        (any::<u32>(), sequence(), table_command()).prop_map(|(table, sequence, command)| {
            Command::Table {
                table: TableNo(table),
                sequence,
                command,
            }
        }),
        person_command().prop_map(Command::Person),
    ]
}

pub(crate) fn payout() -> impl Strategy<Value = Payout> {
    (seat(), of(name()), one(PayoutKind::ALL), money(), charge()).prop_map(
        |(seat, player, kind, amount, charge)| Payout {
            seat,
            player,
            kind,
            amount,
            charged_to: charge.charged_to,
            handed_over: charge.handed_over,
        },
    )
}

pub(crate) fn taken() -> impl Strategy<Value = Option<Taken>> {
    let reset =
        (money(), money(), money()).prop_map(|(from_house, from_reserve, from_overflow)| Reset {
            from_house,
            from_reserve,
            from_overflow,
        });
    of(
        (any::<u8>(), any::<u8>(), money(), money(), of(reset)).prop_map(
            |(level, percent, before, after, reset)| Taken {
                level,
                percent,
                before,
                after,
                reset,
            },
        ),
    )
}

pub(crate) fn hit_recorded() -> impl Strategy<Value = HitRecorded> {
    (
        (
            order(),
            sequence(),
            one(HitKind::ALL),
            holder(),
            one(&Hand::ALL),
        ),
        (
            cards(),
            taken(),
            vec(payout(), 0..4),
            any::<bool>(),
            moves(),
        ),
    )
        .prop_map(|((order, round, kind, holder, hand), rest)| {
            let (cards, taken, payouts, needs_validation, moves) = rest;
            HitRecorded {
                order,
                round,
                kind,
                holder,
                hand,
                cards,
                taken,
                payouts,
                needs_validation,
                moves,
            }
        })
}

pub(crate) fn plain_coin_in() -> impl Strategy<Value = Event> {
    (seats(), seats(), added(4)).prop_map(|(own, dealer, added)| {
        let (dealt, players) = (own.union(dealer), Vec::new());
        Event::CoinInAccepted(CoinInAccepted {
            own,
            dealer,
            dealt,
            players,
            added,
        })
    })
}

pub(crate) fn coin_in() -> impl Strategy<Value = Event> {
    (seats(), seats(), seats(), players(), added(SHARES_MAX)).prop_map(
        |(own, dealer, dealt, players, added)| {
            Event::CoinInAccepted(CoinInAccepted {
                own,
                dealer,
                dealt,
                players,
                added,
            })
        },
    )
}

pub(crate) fn routine() -> impl Strategy<Value = Event> {
    let refused = (
        one(RefusalCode::ALL),
        vec((free(), free()), 0..3),
        command(),
    )
        .prop_map(|(code, fields, command)| Event::Refused {
            refusal: Refusal { code, fields },
            command: Box::new(command),
        });
    prop_oneof![
        plain_coin_in(),
        coin_in(),
        (any::<u32>(), any::<u32>())
            .prop_map(|(chips, accepted)| Event::ChipsCounted { chips, accepted }),
        seats().prop_map(|seats| Event::SeatsFolded { seats }),
        Just(Event::RoundClosed {
            hits: Vec::new(),
            moves: Vec::new()
        }),
        moves().prop_map(|moves| Event::RoundClosed {
            hits: Vec::new(),
            moves
        }),
        refused,
    ]
}

pub(crate) fn notable() -> impl Strategy<Value = Event> {
    let joined = (any::<u32>(), name(), name(), any::<u8>(), name(), rules()).prop_map(
        |(table, name, game, seats, paytable, rules)| TableJoined {
            table: TableNo(table),
            name,
            game,
            seats,
            paytable,
            rules,
        },
    );
    prop_oneof![
        (terms(money()), moves()).prop_map(|(terms, moves)| Event::LinkOpened {
            terms: Box::new(terms),
            moves
        }),
        joined.prop_map(|joined| Event::TableJoined(Box::new(joined))),
        hit_recorded().prop_map(|hit| Event::HitRecorded(Box::new(hit))),
        (hit_id(), moves()).prop_map(|(hit, moves)| Event::HitCancelled { hit, moves }),
        (hit_id(), cards(), of(text::<Note>()))
            .prop_map(|(hit, cards, note)| Event::HitValidated { hit, cards, note }),
        (hit_id(), of(text::<Note>()), moves()).prop_map(|(hit, note, moves)| Event::HitRejected {
            hit,
            note,
            moves
        }),
        (hit_id(), any::<u32>(), text::<Document>(), moves()).prop_map(
            |(hit, number, document, moves)| Event::PayoutPaid {
                hit,
                number,
                document,
                moves
            }
        ),
        (vec(sequence(), 1..4), moves())
            .prop_map(|(hits, moves)| Event::RoundClosed { hits, moves }),
        (one(VoidReason::ALL), vec(sequence(), 0..4), moves()).prop_map(|(reason, hits, moves)| {
            Event::RoundVoided {
                reason,
                hits,
                moves,
            }
        }),
        free().prop_map(|reason| Event::LinkFaulted { reason }),
    ]
}

pub(crate) fn recorded() -> impl Strategy<Value = Recorded> {
    let origin = prop_oneof![
        (any::<u32>(), sequence()).prop_map(|(table, sequence)| Origin::Table {
            table: TableNo(table),
            sequence
        }),
        Just(Origin::Person),
    ];
    let event = prop_oneof![routine(), notable()];
    let device_time = of(any::<i64>().prop_map(Timestamp));
    (origin, any::<i32>(), of(name()), device_time, event).prop_map(
        |(origin, actor, by, device_time, event)| Recorded {
            origin,
            actor: ActorId(actor),
            by,
            device_time,
            event,
        },
    )
}
