//! Random commands of every kind.

use meterhouse_domain::command::{
    Bonus, BonusCommand, CoinIn, Command, HitCommand, JoinTable, LevelValue, PersonCommand, Settle,
    SettleWagers, TableCommand, VoidReason, Wager, WageredHand,
};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{Document, Note, TableNo, Timestamp};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use crate::random::{card, cards, free, hit_id, holder, money, name, one, seat, sequence, text};
use crate::random_changes::{proposal_id, propose};
use crate::random_terms::paytable;
use crate::random_wagers::{played_wagers, wagers_result};

pub(crate) fn settle() -> BoxedStrategy<Settle> {
    let hand = || vec(card(), 0..6);
    (hand(), hand(), vec((seat(), hand()), 0..4))
        .prop_map(|(dealer, community, seats)| Settle {
            dealer,
            community,
            seats,
        })
        .boxed()
}

pub(crate) fn table_command() -> BoxedStrategy<TableCommand> {
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
    let bonus = (one(Bonus::ALL), holder(), cards()).prop_map(|(kind, holder, cards)| {
        TableCommand::Bonus(BonusCommand {
            kind,
            holder,
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
        (sequence(), any::<u8>()).prop_map(|(hit, number)| TableCommand::CancelHit { hit, number }),
        bonus,
        settle().prop_map(|settle| TableCommand::Settle(Box::new(settle))),
        (
            settle(),
            played_wagers(),
            wagers_result(),
            of(wagers_result())
        )
            .prop_map(|(cards, wagers, result, as_read)| {
                TableCommand::SettleWagers(Box::new(SettleWagers {
                    cards,
                    wagers,
                    result,
                    as_read,
                }))
            }),
        Just(TableCommand::Close),
        one(VoidReason::ALL).prop_map(|reason| TableCommand::Void { reason }),
    ]
    .boxed()
}

pub(crate) fn person_command() -> BoxedStrategy<PersonCommand> {
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
        (hit_id(), of(text::<Note>()), any::<bool>()).prop_map(|(hit, note, resettle)| {
            PersonCommand::RejectHit {
                hit,
                note,
                resettle,
            }
        }),
        (hit_id(), any::<u32>(), text::<Document>()).prop_map(|(hit, number, document)| {
            PersonCommand::PayPayout {
                hit,
                number,
                document,
            }
        }),
    ]
    .boxed()
}

/// Commands about a link, its levels and tables, and commands of two people.
pub(crate) fn link_command() -> BoxedStrategy<PersonCommand> {
    let table = || any::<u32>().prop_map(TableNo);
    prop_oneof![
        vec((any::<u8>(), money()), 0..4).prop_map(|values| PersonCommand::AcceptValues {
            values: values
                .into_iter()
                .map(|(level, amount)| LevelValue { level, amount })
                .collect(),
        }),
        text().prop_map(|reason| PersonCommand::SuspendLink { reason }),
        Just(PersonCommand::ResumeLink),
        (any::<u8>(), text())
            .prop_map(|(level, reason)| PersonCommand::DisableLevel { level, reason }),
        any::<u8>().prop_map(|level| PersonCommand::EnableLevel { level }),
        (table(), any::<i64>(), any::<bool>()).prop_map(|(table, heard_at, must_resume)| {
            PersonCommand::LoseTable {
                table,
                heard_at: Timestamp(heard_at),
                must_resume,
            }
        }),
        table().prop_map(|table| PersonCommand::ResumeTable { table }),
        (table(), text()).prop_map(|(table, reason)| PersonCommand::DisableTable { table, reason }),
        table().prop_map(|table| PersonCommand::EnableTable { table }),
        (table(), text()).prop_map(|(table, reason)| PersonCommand::LeaveLink { table, reason }),
        free().prop_map(|reason| PersonCommand::FaultLink { reason }),
        propose().prop_map(|propose| PersonCommand::Propose(Box::new(propose))),
        (proposal_id(), name()).prop_map(|(proposal, department)| PersonCommand::Approve {
            proposal,
            department
        }),
        (proposal_id(), name(), text()).prop_map(|(proposal, department, reason)| {
            PersonCommand::Decline {
                proposal,
                department,
                reason,
            }
        }),
    ]
    .boxed()
}

pub(crate) fn command() -> BoxedStrategy<Command> {
    prop_oneof![
        (any::<u32>(), sequence(), table_command()).prop_map(|(table, sequence, command)| {
            Command::Table {
                table: TableNo(table),
                sequence,
                command,
            }
        }),
        person_command().prop_map(Command::Person),
        link_command().prop_map(Command::Person),
    ]
    .boxed()
}
