//! Random events of rounds and hits, and the small values that they are made of.

use std::fmt::Debug;
use std::str::FromStr;

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{Holder, VoidReason};
use meterhouse_domain::event::{
    CoinInAccepted, Draws, Event, HitKind, HitRecorded, Origin, Payout, PayoutKind, Recorded,
    Reset, TableJoined, Taken,
};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{
    ActorId, Document, HitId, HitOrder, Note, PlayerName, Sequence, TableNo, Timestamp,
};
use meterhouse_domain::link::{Account, Added, Book, Move, SHARES_MAX};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::{Seat, SeatSet};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use crate::random_changes::{of_link_and_people, resettled};
use crate::random_commands::{command, settle};
use crate::random_terms::{charge, rules, terms};
use crate::random_wagers::recorded_wagers;

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
    let number = prop_oneof![Just(0), any::<u8>()];
    (any::<u32>(), sequence(), number).prop_map(|(table, sequence, number)| HitId {
        table: TableNo(table),
        sequence,
        number,
    })
}

pub(crate) fn card() -> impl Strategy<Value = Card> {
    (0..Card::COUNT).prop_map(|index| Card::from_index(index).unwrap())
}

pub(crate) fn cards() -> impl Strategy<Value = Option<Vec<Card>>> {
    of(vec(card(), 0..6))
}

pub(crate) fn draws() -> impl Strategy<Value = Draws> {
    (of(card()), of(holder())).prop_map(|(magic_card, lucky_position)| Draws {
        magic_card,
        lucky_position,
    })
}

pub(crate) fn over_ceiling() -> impl Strategy<Value = Vec<(Book, Money)>> {
    vec((any::<u8>().prop_map(Book), money()), 0..3)
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

pub(crate) fn payout() -> BoxedStrategy<Payout> {
    (seat(), of(name()), one(PayoutKind::ALL), money(), charge())
        .prop_map(|(seat, player, kind, amount, charge)| Payout {
            seat,
            player,
            kind,
            amount,
            charged_to: charge.charged_to,
            handed_over: charge.handed_over,
        })
        .boxed()
}

pub(crate) fn taken() -> BoxedStrategy<Taken> {
    let reset =
        (money(), money(), money()).prop_map(|(from_house, from_reserve, from_overflow)| Reset {
            from_house,
            from_reserve,
            from_overflow,
        });
    let before = (money(), money(), money(), money());
    (any::<u8>(), of(any::<u8>()), before, of(reset))
        .prop_map(
            |(level, percent, (before, after, reserve_before, overflow_before), reset)| Taken {
                level,
                percent,
                before,
                after,
                reserve_before,
                overflow_before,
                reset,
            },
        )
        .boxed()
}

pub(crate) fn hit_recorded() -> BoxedStrategy<HitRecorded> {
    (
        (
            order(),
            sequence(),
            one(HitKind::ALL),
            holder(),
            of(one(&Hand::ALL)),
        ),
        (
            cards(),
            of(taken()),
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
        .boxed()
}

pub(crate) fn plain_coin_in() -> impl Strategy<Value = Event> {
    (seats(), seats(), added(4)).prop_map(|(own, dealer, added)| {
        Event::CoinInAccepted(CoinInAccepted {
            own,
            dealer,
            dealt: own.union(dealer),
            players: Vec::new(),
            added,
            over_ceiling: Vec::new(),
            draws: Draws::default(),
        })
    })
}

pub(crate) fn coin_in() -> BoxedStrategy<Event> {
    let sets = (seats(), seats(), seats());
    let beside = (over_ceiling(), draws());
    (sets, players(), added(SHARES_MAX), beside)
        .prop_map(|(sets, players, added, beside)| {
            let ((own, dealer, dealt), (over_ceiling, draws)) = (sets, beside);
            Event::CoinInAccepted(CoinInAccepted {
                own,
                dealer,
                dealt,
                players,
                added,
                over_ceiling,
                draws,
            })
        })
        .boxed()
}

pub(crate) fn routine() -> BoxedStrategy<Event> {
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
        (settle(), of(recorded_wagers())).prop_map(|(cards, wagers)| Event::RoundSettled {
            cards: Box::new(cards),
            hits: Vec::new(),
            wagers: wagers.map(Box::new),
        }),
        refused,
    ]
    .boxed()
}

fn joined() -> impl Strategy<Value = TableJoined> {
    (
        any::<u32>(),
        name(),
        name(),
        any::<u8>(),
        name(),
        rules(),
        any::<Option<bool>>(),
    )
        .prop_map(
            |(table, name, game, seats, paytable, rules, bet_on_dealer)| TableJoined {
                table: TableNo(table),
                name,
                game,
                seats,
                paytable,
                rules,
                bet_on_dealer,
            },
        )
}

pub(crate) fn notable() -> BoxedStrategy<Event> {
    prop_oneof![
        (terms(money()), moves()).prop_map(|(terms, moves)| Event::LinkOpened {
            terms: Box::new(terms),
            moves
        }),
        joined().prop_map(|joined| Event::TableJoined(Box::new(joined))),
        hit_recorded().prop_map(|hit| Event::HitRecorded(Box::new(hit))),
        (hit_id(), moves()).prop_map(|(hit, moves)| Event::HitCancelled { hit, moves }),
        (hit_id(), cards(), of(text::<Note>()))
            .prop_map(|(hit, cards, note)| Event::HitValidated { hit, cards, note }),
        (
            hit_id(),
            of(text::<Note>()),
            vec(resettled(), 0..3),
            any::<bool>(),
            moves()
        )
            .prop_map(
                |(hit, note, resettled, resettle, moves)| Event::HitRejected {
                    hit,
                    note,
                    resettle,
                    resettled,
                    moves
                }
            ),
        (hit_id(), any::<u32>(), text::<Document>(), moves()).prop_map(
            |(hit, number, document, moves)| Event::PayoutPaid {
                hit,
                number,
                document,
                moves
            }
        ),
        (vec(hit_id(), 1..4), moves()).prop_map(|(hits, moves)| Event::RoundClosed { hits, moves }),
        (one(VoidReason::ALL), vec(hit_id(), 0..4), moves()).prop_map(|(reason, hits, moves)| {
            Event::RoundVoided {
                reason,
                hits,
                moves,
            }
        }),
        free().prop_map(|reason| Event::LinkFaulted { reason }),
        (settle(), vec(hit_recorded(), 1..4), of(recorded_wagers())).prop_map(
            |(cards, hits, wagers)| Event::RoundSettled {
                cards: Box::new(cards),
                hits,
                wagers: wagers.map(Box::new),
            }
        ),
    ]
    .boxed()
}

pub(crate) fn recorded() -> impl Strategy<Value = Recorded> {
    let origin = prop_oneof![
        (any::<u32>(), sequence()).prop_map(|(table, sequence)| Origin::Table {
            table: TableNo(table),
            sequence
        }),
        Just(Origin::Person),
    ];
    let event = prop_oneof![routine(), notable(), of_link_and_people()];
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
