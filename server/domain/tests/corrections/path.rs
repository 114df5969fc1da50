//! Random hits on one level: withdrawing any of them leaves the same state as the same play without it.
//!
//! # Method
//! A case plays coin-ins and hits of several tables and withdraws one hit. A second play leaves the hit out. No
//! amount is computed here: the rules' own play is the measure.
//!
//! # Failures
//! Any different balance, and any difference in the amounts or entries of a later hit. If hits were paid before, the
//! level's balances are compared, and every player must have the larger of the paid and the owed amount.

use meterhouse_domain::change::Change;
use meterhouse_domain::command::{HitCommand, Holder, TableCommand, WageredHand};
use meterhouse_domain::event::PayoutKind;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, TableNo};
use meterhouse_domain::link::{Account, LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{HandedOver, Pays, Paytable, Validation};
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::Hit;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

use super::people::both;
use super::support::{Link, SEATS, SUPERVISOR, paytables, reject, terms};

/// Tables of a case, and so its most hits: each table keys one.
const TABLES: usize = 8;
/// Percentages and fixed pays of the meter, as the test's paytable has them.
const HANDS: [Hand; 4] = [
    Hand::RoyalFlush,
    Hand::StraightFlush,
    Hand::FourOfAKind,
    Hand::FullHouse,
];

/// A turn of a case.
#[derive(Clone, Debug)]
enum Turn {
    /// A table locks so many seats, the dealer's hand too. The last table, which keys no hit, ends its round
    /// immediately: an even number of seats was void.
    Lock { table: usize, seats: u8 },
    /// A table keys its hit, on the dealer's hand or on seat 1.
    Hit {
        table: usize,
        hand: Hand,
        dealer: bool,
    },
}

/// The parameters of a case.
#[derive(Clone, Debug)]
struct Setup {
    reseed: u32,
    policy: ReservePolicy,
    /// Cents above the reseed.
    ceiling: Option<u32>,
}

impl Setup {
    fn open(&self) -> Link {
        let link_terms = LinkTerms {
            reserve_policy: self.policy,
            settings: LinkSettings {
                ceilings: self
                    .ceiling
                    .iter()
                    .map(|hand| Some(self.highest(*hand)))
                    .collect(),
                ..LinkSettings::default()
            },
            ..terms(self.paytable(), "1.00")
        };
        let mut link = Link::open_with(link_terms);
        for _ in 0..=TABLES {
            link.table();
        }
        link
    }

    fn highest(&self, cents: u32) -> Money {
        let micros = i64::from(self.reseed) * 1_000_000 + i64::from(cents) * 10_000;
        Money::from_micros(micros.max(10_000))
    }

    /// Returns the Hand Bonus with a small meter and two fixed pays that come off it, all validated and paid by slip.
    fn paytable(&self) -> Paytable {
        let mut paytable = paytables::hand_bonus();
        let level = &mut paytable.content.levels[0];
        (level.seed, level.reseed) = (self.reseed, self.reseed);
        paytable.content.validation = Validation::EveryHit;
        paytable.content.settlement.for_one.handed_over = HandedOver::Slip;
        for line in &mut paytable.content.lines {
            match line.hand {
                Hand::FourOfAKind => line.pays = Pays::ForOneOf { odds: 5, level: 0 },
                Hand::FullHouse => line.pays = Pays::ForOneOf { odds: 1, level: 0 },
                _ => {}
            }
        }
        paytable
    }
}

/// Plays the turns, without the hit of one table; returns the hits by table.
fn played(setup: &Setup, turns: &[Turn], without: Option<usize>) -> (Link, Vec<(usize, HitId)>) {
    let mut link = setup.open();
    let mut hits: Vec<(usize, HitId)> = Vec::new();
    for turn in turns {
        match turn {
            Turn::Lock { table, seats } => {
                let number = number(*table);
                let open = link
                    .state
                    .table(number)
                    .is_some_and(|table| table.round.is_some());
                if !open {
                    let own = (1..=*seats).map(|seat| (seat, WageredHand::Own, None));
                    let dealers = (1..=*seats).map(|seat| (seat, WageredHand::Dealer, None));
                    let wagers: Vec<_> = own.chain(dealers).collect();
                    link.coin_in_of(number, &wagers);
                    if *table == TABLES && seats.is_multiple_of(2) {
                        link.void(number);
                    } else if *table == TABLES {
                        link.play(number, &TableCommand::Close);
                    }
                }
            }
            Turn::Hit {
                table,
                hand,
                dealer,
            } => {
                let number = number(*table);
                let open = link
                    .state
                    .table(number)
                    .is_some_and(|table| table.round.is_some());
                let keyed = hits.iter().any(|(other, _)| other == table);
                if open && !keyed && Some(*table) != without {
                    let hit = HitCommand {
                        holder: match dealer {
                            true => Holder::Dealer,
                            false => Holder::Seat(Seat(1)),
                        },
                        hand: *hand,
                        cards: None,
                    };
                    let hit = link.keyed(number, &TableCommand::Hit(hit));
                    hits.push((*table, hit.id));
                }
            }
        }
    }
    (link, hits)
}

fn number(table: usize) -> TableNo {
    TableNo(u32::try_from(table + 1).unwrap_or(0))
}

fn level(link: &Link) -> [Money; 3] {
    [Account::Meter, Account::Reserve, Account::Overflow].map(|account| link.balance(0, account))
}

/// Returns the hit without its order, which no correction changes.
fn without_order(hit: &Hit) -> Hit {
    let mut hit = hit.clone();
    hit.order.0 = 0;
    hit
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let tables = prop_oneof![0..TABLES, Just(TABLES)];
    let lock = (tables, 1..=SEATS).prop_map(|(table, seats)| Turn::Lock { table, seats });
    let hit = (0..TABLES, select(HANDS.to_vec()), any::<bool>());
    let hit = hit.prop_map(|(table, hand, dealer)| Turn::Hit {
        table,
        hand,
        dealer,
    });
    prop::collection::vec(prop_oneof![lock, hit], 8..60)
}

fn setups() -> impl Strategy<Value = Setup> {
    let policies = select(ReservePolicy::ALL.to_vec());
    (0..6_u32, policies, prop::option::of(0..400_u32)).prop_map(|(reseed, policy, ceiling)| Setup {
        reseed,
        policy: match (reseed, policy) {
            (0, ReservePolicy::FundKeep) => ReservePolicy::Add,
            (_, policy) => policy,
        },
        ceiling,
    })
}

/// Returns the configuration of fixed cases: a failure is reproducible.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1_500,
        max_global_rejects: 15_000,
        rng_seed: RngSeed::Fixed(33),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    /// CONFORMANCE 26.

    #[test]
    fn a_rejected_hit_leaves_no_trace_on_its_level(setup in setups(), turns in turns(), which: Index) {
        let (mut link, hits) = played(&setup, &turns, None);
        prop_assume!(!hits.is_empty());
        let index = which.index(hits.len());
        let (table, hit) = hits[index];
        let (fresh, same) = played(&setup, &turns, Some(table));
        link.person(SUPERVISOR, reject(hit, true));

        for (table, expected) in &same {
            let found = hits.iter().find(|(other, _)| other == table).map(|(_, hit)| *hit);
            let found = found.map(|hit| without_order(link.hit_state(hit)));
            prop_assert_eq!(found, Some(without_order(fresh.hit_state(*expected))));
        }
        if index + 1 < hits.len() {
            prop_assert_eq!(&link.state.balances, &fresh.state.balances);
        } else {
            // The newest hit is reversed as by a cancel: an amount that a ceiling kept out since does not come back.
            let sum = |[meter, reserve, overflow]: [Money; 3]| (meter.plus(overflow), reserve);
            prop_assert_eq!(sum(level(&link)), sum(level(&fresh)));
        }
    }

    #[test]
    fn paid_amounts_stay_paid(
        setup in setups(),
        turns in turns(),
        which: Index,
        decided in prop::collection::vec((any::<bool>(), 0..4_usize), TABLES + 1),
    ) {
        let (mut link, hits) = played(&setup, &turns, None);
        prop_assume!(hits.len() > 1);
        let (table, hit) = hits[which.index(hits.len() - 1)];
        let (fresh, same) = played(&setup, &turns, Some(table));
        for (table, id) in &hits {
            let (validated, payouts) = decided[*table];
            if validated || *id == hit {
                link.validate(*id);
                let owed = (1..).take(link.hit_state(*id).payouts.len());
                for number in owed.take(payouts) {
                    link.pay(*id, number);
                }
            }
        }
        both(&mut link, Change::Correct { hit });

        prop_assert_eq!(level(&link), level(&fresh));
        let mut pending = Money::ZERO;
        for (table, expected) in &same {
            let found = hits.iter().find(|(other, _)| other == table);
            let Some((_, found)) = found else { continue };
            let (found, expected) = (link.hit_state(*found), fresh.hit_state(*expected));
            prop_assert_eq!(found.taken, expected.taken);
            for line in &expected.payouts {
                let his = found.payouts.iter().filter(|payout| payout.payout.seat == line.payout.seat);
                let his = his.filter(|payout| payout.payout.kind != PayoutKind::Envy);
                let sum = |all: Money, amount: Money| all.plus(amount).unwrap_or(all);
                let all = his.clone().map(|payout| payout.payout.amount).fold(Money::ZERO, sum);
                let paid = his.clone().filter(|payout| payout.paid.is_some());
                let paid = paid.map(|payout| payout.payout.amount).fold(Money::ZERO, sum);
                prop_assert_eq!(all, paid.max(line.payout.amount));
            }
            let unpaid = found.payouts.iter().filter(|payout| payout.paid.is_none());
            for payout in unpaid {
                pending = pending.plus(payout.payout.amount).unwrap_or(pending);
            }
        }
        prop_assert_eq!(link.balance(0, Account::Pending), pending);
    }
}
