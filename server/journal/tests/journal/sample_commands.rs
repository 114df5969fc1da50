//! Commands with fixed values: the refused ones, and one of every other kind.

use meterhouse_domain::change::Change;
use meterhouse_domain::command::{
    Bonus, BonusCommand, CoinIn, Command, HitCommand, Holder, JoinTable, LevelValue, PersonCommand,
    TableCommand, VoidReason, Wager, WageredHand,
};
use meterhouse_domain::event::Event;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{Sequence, TableNo, Timestamp};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::Seat;

use crate::sample_changes::{PROPOSAL, propose};
use crate::sample_terms::paytable;
use crate::sample_wagers::command_with_wagers;
use crate::samples::{all_cards, cards, hit_id, micros, parse};

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

pub(crate) fn refusals() -> Vec<(&'static str, Event)> {
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
            "refused-settle",
            refused(
                RefusalCode::CardsMissing,
                &[("seats", "5")],
                at_table(TableCommand::Settle(Box::new(all_cards()))),
            ),
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

/// Commands that no refused sample holds.
pub(crate) fn commands() -> Vec<(&'static str, Command)> {
    let at_table = |command| Command::Table {
        table: TableNo(7),
        sequence: Sequence(1),
        command,
    };
    let seat = Seat(3);
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
                hit: Sequence(4_715),
                number: 2,
            }),
        ),
        (
            "command-bonus",
            at_table(TableCommand::Bonus(BonusCommand {
                kind: Bonus::MagicCard,
                holder: Holder::Seat(seat),
                cards: Some(cards("7d Kc Kh 2s 2c")),
            })),
        ),
        ("command-close", at_table(TableCommand::Close)),
        (
            "command-void",
            at_table(TableCommand::Void {
                reason: VoidReason::ShoeJam,
            }),
        ),
    ]
    .into_iter()
    .chain(hit_commands().map(|(name, command)| (name, Command::Person(command))))
    .chain(link_commands().map(|(name, command)| (name, Command::Person(command))))
    .chain(service_commands().map(|(name, command)| (name, Command::Person(command))))
    .chain([("command-settle-wagers", at_table(command_with_wagers()))])
    .collect()
}

fn hit_commands() -> impl Iterator<Item = (&'static str, PersonCommand)> {
    let hit = hit_id();
    let validate = PersonCommand::ValidateHit {
        hit,
        cards: None,
        note: Some(parse("seen")),
    };
    let reject = PersonCommand::RejectHit {
        hit,
        note: None,
        resettle: true,
    };
    let pay = PersonCommand::PayPayout {
        hit,
        number: 2,
        document: parse("JP-1"),
    };
    [
        ("command-validate", validate),
        ("command-reject", reject),
        ("command-pay", pay),
    ]
    .into_iter()
}

fn link_commands() -> impl Iterator<Item = (&'static str, PersonCommand)> {
    let reason = parse("the sign is dark");
    let (proposal, department) = (PROPOSAL, parse("surveillance"));
    [
        (
            "command-suspend",
            PersonCommand::SuspendLink {
                reason: parse("maintenance"),
            },
        ),
        ("command-resume", PersonCommand::ResumeLink),
        (
            "command-disable-level",
            PersonCommand::DisableLevel { level: 1, reason },
        ),
        (
            "command-enable-level",
            PersonCommand::EnableLevel { level: 1 },
        ),
        (
            "command-lose-table",
            PersonCommand::LoseTable {
                table: TableNo(7),
                heard_at: Timestamp(1_732_190_394_000_000),
                must_resume: true,
            },
        ),
        (
            "command-resume-table",
            PersonCommand::ResumeTable { table: TableNo(7) },
        ),
        (
            "command-fault",
            PersonCommand::FaultLink {
                reason: "the journal names no table".to_owned(),
            },
        ),
        (
            "command-propose",
            PersonCommand::Propose(Box::new(propose(Change::ClearFault))),
        ),
        (
            "command-approve",
            PersonCommand::Approve {
                proposal,
                department,
            },
        ),
        (
            "command-decline",
            PersonCommand::Decline {
                proposal,
                department: parse("surveillance"),
                reason: parse("not what the cards say"),
            },
        ),
    ]
    .into_iter()
}

/// Commands of a manager to a table.
fn service_commands() -> impl Iterator<Item = (&'static str, PersonCommand)> {
    [
        (
            "command-disable-table",
            PersonCommand::DisableTable {
                table: TableNo(7),
                reason: parse("the lamps are dark"),
            },
        ),
        (
            "command-enable-table",
            PersonCommand::EnableTable { table: TableNo(7) },
        ),
        (
            "command-leave-link",
            PersonCommand::LeaveLink {
                table: TableNo(7),
                reason: parse("the felt was sold"),
            },
        ),
        (
            "command-accept-values",
            PersonCommand::AcceptValues {
                values: vec![
                    LevelValue {
                        level: 1,
                        amount: micros(250_000_000),
                    },
                    LevelValue {
                        level: 0,
                        amount: micros(10_000_000_000),
                    },
                ],
            },
        ),
    ]
    .into_iter()
}
