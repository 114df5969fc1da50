//! `settle`: the whole round from all cards (RULES §5.7).
//!
//! [`figures`]: the worked figures of RULES §3 by `settle`. [`community`]: games whose hands share cards.
//! [`refusals`]: its refusals. [`wagers`]: fixed wagers
//! beside the cards. [`standing`]: the later life of its hits. [`same`]: equality with the single hits in
//! turn order, on deals of [`deal`]; [`coverage`]: the proof that these deals reach every case.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a command of these tests that is answered in another way than they say fails them"
)]

use meterhouse_domain::command::{Settle, TableCommand};
use meterhouse_domain::event::{Event, HitRecorded};
use meterhouse_domain::ids::{Sequence, TableNo};
use meterhouse_domain::seat::Seat;

#[path = "support/charged.rs"]
mod charged;
#[path = "settle/community.rs"]
mod community;
#[path = "settle/coverage.rs"]
mod coverage;
#[path = "settle/deal.rs"]
mod deal;
#[path = "settle/figures.rs"]
mod figures;
#[path = "settle/refusals.rs"]
mod refusals;
#[path = "settle/same.rs"]
mod same;
#[path = "settle/standing.rs"]
mod standing;
#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;
#[path = "settle/wagers.rs"]
mod wagers;

use support::{Link, cards};

/// A royal flush.
const ROYAL: &str = "As Ks Qs Js Ts";
/// A second royal flush.
const OTHER_ROYAL: &str = "Ad Kd Qd Jd Td";
/// Straight flushes of one suit each.
const CLUBS: &str = "9c 8c 7c 6c 5c";
const HEARTS: &str = "9h 8h 7h 6h 5h";
const FULL_HOUSE: &str = "Ac Ad Ah 2c 2d";
/// Hands that win nothing, without a card of the hands above but the full house's.
const NOTHING: [&str; 4] = [
    "2d 4s 6d 8s Jc",
    "3d 5s 7d 9s Qc",
    "2c 4d 6s 8d Jh",
    "2h 4c 5d 7s Kc",
];

/// Returns cards of these seats only.
fn five(seats: &[(u8, &str)]) -> Settle {
    Settle {
        dealer: Vec::new(),
        community: Vec::new(),
        seats: seats
            .iter()
            .map(|(seat, text)| (Seat(*seat), cards(text)))
            .collect(),
    }
}

/// Returns cards of the dealer and of these seats.
fn with_dealer(dealer: &str, seats: &[(u8, &str)]) -> Settle {
    Settle {
        dealer: cards(dealer),
        ..five(seats)
    }
}

/// Returns one property of each hit.
fn hits_of<T>(hits: &[HitRecorded], of: impl Fn(&HitRecorded) -> T) -> Vec<T> {
    hits.iter().map(of).collect()
}

/// Returns a copy of the link.
fn copy(link: &Link) -> Link {
    let mut copy = Link::open_with(link.state.terms.as_ref().clone());
    copy.state = link.state.clone();
    copy.at = link.at;
    copy.draws = link.draws;
    copy
}

/// Settles a round; returns the number of the command, and its hits.
fn settle(link: &mut Link, table: TableNo, cards: &Settle) -> (Sequence, Vec<HitRecorded>) {
    let sequence = link.next(table);
    let command = TableCommand::Settle(Box::new(cards.clone()));
    let Event::RoundSettled { hits, .. } = link.play(table, &command) else {
        panic!("not settled: {command:?}");
    };
    (sequence, hits)
}
