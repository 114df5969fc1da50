//! Random states of links.

use std::sync::Arc;

use meterhouse_domain::link::{Balances, SHARES_MAX};
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{ActorId, Document};
use meterhouse_domain::state::{
    Hit, HitStatus, LinkState, Payment, PayoutState, Round, StandingHit, Table,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use crate::random::{
    added, free, hit_id, hit_recorded, money, name, order, payout, players, seats, sequence, text,
};
use crate::random_terms::{rules, terms};

fn status() -> impl Strategy<Value = HitStatus> {
    let actor = || any::<i32>().prop_map(ActorId);
    prop_oneof![
        Just(HitStatus::Pending),
        Just(HitStatus::ValidatedByRule),
        (actor(), of(name())).prop_map(|(actor, by)| HitStatus::Validated { actor, by }),
        Just(HitStatus::Cancelled),
        actor().prop_map(|actor| HitStatus::Rejected { actor }),
    ]
}

fn hit() -> impl Strategy<Value = Hit> {
    let payment = (any::<i32>(), text::<Document>()).prop_map(|(actor, document)| Payment {
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
        sequence(),
        any::<i32>(),
        of(name()),
        hit_recorded(),
        payouts,
        status(),
    )
        .prop_map(|(sequence, actor, keyed_by, it, payouts, status)| Hit {
            sequence,
            order: it.order,
            keyed_by_actor: ActorId(actor),
            keyed_by,
            kind: it.kind,
            holder: it.holder,
            hand: it.hand,
            cards: it.cards,
            taken: it.taken,
            payouts,
            status,
            moves: it.moves,
        })
}

fn round() -> impl Strategy<Value = Round> {
    let sets = (seats(), seats(), seats(), seats());
    (
        sequence(),
        sets,
        players(),
        order(),
        added(SHARES_MAX),
        vec(hit(), 0..3),
    )
        .prop_map(
            |(sequence, (own, dealer, dealt, folded), players, order_at_coin_in, added, hits)| {
                Round {
                    sequence,
                    own,
                    dealer,
                    dealt,
                    players,
                    folded,
                    order_at_coin_in,
                    added,
                    hits: hits.into_iter().map(Arc::new).collect(),
                }
            },
        )
}

fn table() -> impl Strategy<Value = Arc<Table>> {
    (
        name(),
        name(),
        any::<u8>(),
        rules(),
        sequence(),
        of(round()),
    )
        .prop_map(|(name, game, seats, rules, last_sequence, round)| {
            Arc::new(Table {
                name,
                game,
                seats,
                rules,
                last_sequence,
                round,
            })
        })
}

/// A state whose terms have exact shares: the wager is whole dollars.
pub(crate) fn state() -> impl Strategy<Value = LinkState> {
    let wager = (0_i64..1_000).prop_map(|dollars| Money::from_micros(dollars * 1_000_000));
    let balances = vec(proptest::array::uniform8(money()).prop_map(Balances), 0..5);
    let standing =
        (order(), hit_id(), any::<bool>()).prop_map(|(order, hit, took_reserve)| StandingHit {
            order,
            hit,
            took_reserve,
        });
    let standing = vec(vec(standing, 0..3).prop_map(Arc::new), 0..4);
    let fault = of(free().prop_map(|it| Arc::from(it.as_str())));
    (
        terms(wager),
        fault,
        balances,
        standing,
        order(),
        vec(table(), 0..3),
    )
        .prop_map(
            |(terms, fault, balances, standing, last_order, tables)| LinkState {
                shares: terms.shares().unwrap().into(),
                terms: Arc::new(terms),
                fault,
                balances,
                standing,
                last_order,
                tables,
            },
        )
}
