//! Random states of links.

use std::sync::Arc;

use meterhouse_domain::change::Proposal;
use meterhouse_domain::ids::{ActorId, Document, TableNo, Timestamp};
use meterhouse_domain::lifetime::{BookCounts, Lifetime, LineCounts};
use meterhouse_domain::link::{Balances, SHARES_MAX};
use meterhouse_domain::meter_path::{MeterPath, Stretch};
use meterhouse_domain::money::Money;
use meterhouse_domain::state::{
    ClosedHit, Hit, HitStatus, LinkState, Lost, Minute, Payment, PayoutState, Round, StandingHit,
    Table,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use crate::random::{
    added, draws, free, hit_id, hit_recorded, money, name, order, over_ceiling, payout, players,
    seats, sequence, text,
};
use crate::random_changes::{adopted_table, propose};
use crate::random_terms::{rules, terms};

fn status() -> impl Strategy<Value = HitStatus> {
    let actor = || any::<i32>().prop_map(ActorId);
    prop_oneof![
        Just(HitStatus::Pending),
        Just(HitStatus::ValidatedByRule),
        (actor(), of(name())).prop_map(|(actor, by)| HitStatus::Validated { actor, by }),
        Just(HitStatus::Cancelled),
        actor().prop_map(|actor| HitStatus::Rejected { actor }),
        Just(HitStatus::Withdrawn),
    ]
}

fn path() -> impl Strategy<Value = Arc<MeterPath>> {
    let owner = (any::<u32>().prop_map(TableNo), sequence());
    let stretch = (money(), of(money()), of(owner));
    let stretch = stretch.prop_map(|(from, to, owner)| Stretch { from, to, owner });
    (money(), money(), vec(stretch, 0..3)).prop_map(|(begun, added, kept_out)| {
        Arc::new(MeterPath {
            begun,
            added,
            kept_out,
        })
    })
}

fn hit() -> BoxedStrategy<Hit> {
    let payment = (any::<i32>(), of(text::<Document>())).prop_map(|(actor, document)| Payment {
        actor: ActorId(actor),
        document,
    });
    let payouts = vec((payout(), of(payment)), 0..3).prop_map(|payouts| {
        payouts
            .into_iter()
            .map(|(payout, paid)| PayoutState { payout, paid })
            .collect()
    });
    (
        (sequence(), any::<u8>()),
        (any::<i32>(), of(path())),
        of(name()),
        hit_recorded(),
        payouts,
        status(),
    )
        .prop_map(
            |((sequence, number), (actor, path), keyed_by, stands, payouts, status)| Hit {
                sequence,
                number,
                order: stands.order,
                keyed_by_actor: ActorId(actor),
                keyed_by,
                kind: stands.kind,
                holder: stands.holder,
                hand: stands.hand,
                cards: stands.cards,
                taken: stands.taken,
                payouts,
                status,
                moves: stands.moves,
                path,
            },
        )
        .boxed()
}

fn round() -> BoxedStrategy<Round> {
    let sets = (seats(), seats(), seats(), seats());
    (
        sequence(),
        sets,
        players(),
        order(),
        (added(SHARES_MAX), over_ceiling(), draws()),
        vec(hit(), 0..3),
    )
        .prop_map(
            |(sequence, (own, dealer, dealt, folded), players, order_at_coin_in, locked, hits)| {
                let (added, over_ceiling, draws) = locked;
                Round {
                    sequence,
                    own,
                    dealer,
                    dealt,
                    players,
                    folded,
                    order_at_coin_in,
                    added,
                    over_ceiling,
                    draws,
                    hits: hits.into_iter().map(Arc::new).collect(),
                }
            },
        )
        .boxed()
}

fn table() -> BoxedStrategy<Arc<Table>> {
    (
        name(),
        name(),
        any::<u8>(),
        rules(),
        sequence(),
        of(round()),
        (
            of((any::<i64>(), any::<bool>())),
            any::<(i64, u32)>(),
            of(text()),
            any::<bool>(),
            any::<Option<bool>>(),
        ),
    )
        .prop_map(
            |(
                name,
                game,
                seats,
                rules,
                last_sequence,
                round,
                (lost, minute, disabled, left, bet_on_dealer),
            )| {
                Arc::new(Table {
                    name,
                    game,
                    seats,
                    rules,
                    bet_on_dealer,
                    last_sequence,
                    round,
                    lost: lost.map(|(heard_at, must_resume)| Lost {
                        heard_at: Timestamp(heard_at),
                        must_resume,
                    }),
                    minute: Minute {
                        since: minute.0,
                        rounds: minute.1,
                    },
                    disabled,
                    left,
                })
            },
        )
        .boxed()
}

fn closed() -> impl Strategy<Value = Arc<ClosedHit>> {
    (hit_id(), sequence(), hit())
        .prop_map(|(id, round, hit)| Arc::new(ClosedHit { id, round, hit }))
}

fn proposal() -> impl Strategy<Value = Proposal> {
    (propose(), any::<i32>(), of(name()), any::<(i64, i64)>()).prop_map(
        |(propose, actor, by, (proposed_at, expires_at))| Proposal {
            propose,
            actor: ActorId(actor),
            by,
            proposed_at: Timestamp(proposed_at),
            expires_at: Timestamp(expires_at),
        },
    )
}

fn lifetime() -> BoxedStrategy<Lifetime> {
    let book = (proptest::array::uniform5(money()), any::<u64>()).prop_map(|(money, resets)| {
        let [
            attendant_paid,
            house_funded,
            overflow,
            adjusted_up,
            adjusted_down,
        ] = money;
        BookCounts {
            attendant_paid,
            house_funded,
            overflow,
            adjusted_up,
            adjusted_down,
            resets,
        }
    });
    let line = (any::<u64>(), money()).prop_map(|(hits, due)| LineCounts { hits, due });
    (
        any::<[u64; 3]>(),
        (added(SHARES_MAX), added(SHARES_MAX)),
        vec(book, 0..5),
        vec(line, 0..5),
    )
        .prop_map(
            |([rounds, wagers, wagers_voided], added, books, lines)| Lifetime {
                rounds,
                wagers,
                wagers_voided,
                contributions: added.0,
                contributions_voided: added.1,
                books,
                lines: Arc::new(lines),
            },
        )
        .boxed()
}

/// A state whose terms have exact shares: the wager is whole dollars.
pub(crate) fn state() -> impl Strategy<Value = LinkState> {
    let wager = (0_i64..1_000).prop_map(|dollars| Money::from_micros(dollars * 1_000_000));
    let balances = vec(proptest::array::uniform8(money()).prop_map(Balances), 0..5);
    let standing = (order(), hit_id(), any::<[bool; 2]>()).prop_map(|(order, hit, took)| {
        let [took_reserve, took_overflow] = took;
        StandingHit {
            order,
            hit,
            took_reserve,
            took_overflow,
        }
    });
    let standing = vec(vec(standing, 0..3).prop_map(Arc::new), 0..4);
    let fault = of(free().prop_map(|note| Arc::from(note.as_str())));
    let hits = (order(), vec(closed(), 0..3), vec(order(), 0..4));
    let resets = vec(vec(order(), 0..3).prop_map(Arc::new), 0..4);
    let suspended = (of(text()), any::<[bool; 2]>());
    let waiting = (vec(proposal(), 0..3), vec(adopted_table(), 0..3));
    let people = (suspended, any::<u8>(), waiting, lifetime());
    let paths = vec(of(path()), 0..4);
    (
        (terms(wager), fault, balances, standing),
        (hits, resets),
        people,
        (vec(table(), 0..3), paths),
    )
        .prop_map(
            |((terms, fault, balances, standing), hits, people, (tables, paths))| {
                let ((last_order, closed, forgotten), resets) = hits;
                let ((suspended, waits), disabled, (proposals, adopted), lifetime) = people;
                let [unacknowledged, values_accepted] = waits;
                LinkState {
                    shares: terms.shares().unwrap().into(),
                    terms: Arc::new(terms),
                    fault,
                    balances,
                    standing,
                    last_order,
                    tables,
                    suspended,
                    unacknowledged,
                    values_accepted,
                    disabled,
                    closed: Arc::new(closed),
                    forgotten,
                    resets,
                    proposals: Arc::new(proposals),
                    adopted: Arc::new(adopted),
                    lifetime,
                    paths,
                }
            },
        )
}
