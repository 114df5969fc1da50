//! A refused command, in the form in which it was sent.

use meterhouse_api::command::{
    BonusEntered, CancelHit, Close, CoinIn, Count, EnvyEntered, Fold, HitEntered, SeatCards,
    Settle, Void, Wager,
};
use meterhouse_api::forms::Unsigned;
use meterhouse_api::level::LevelAmount;
use meterhouse_api::refused_command::RefusedCommand;
use meterhouse_api::request::List;
use meterhouse_api::text::Text;
use meterhouse_api::values;
use meterhouse_domain::card::Card;
use meterhouse_domain::command as rules;
use meterhouse_domain::command::{Command, Holder, PersonCommand, TableCommand};
use meterhouse_domain::ids::{HitId, TableNo};
use meterhouse_domain::round_wagers::PlayedWagers;
use meterhouse_domain::seat::Seat;

use super::change::journaled_change;
use super::names::Names;
use super::refused_wagers::refused_wagers;
use super::value::{cards, seat};

/// Returns a command as it was sent.
pub(super) fn refused_command(names: Names<'_>, command: &Command) -> RefusedCommand {
    match command {
        Command::Table { table, command, .. } => of_table(names, *table, command),
        Command::Person(command) => of_person(names, command),
    }
}

fn of_table(names: Names<'_>, table: TableNo, command: &TableCommand) -> RefusedCommand {
    match command {
        TableCommand::CoinIn(sent) => RefusedCommand::CoinIn(CoinIn {
            wagers: List(sent.wagers.iter().map(wager).collect()),
            dealt: seats(&sent.dealt),
        }),
        TableCommand::Count { chips } => RefusedCommand::Count(Count { chips: *chips }),
        TableCommand::Fold { seats: folded } => RefusedCommand::Fold(Fold {
            seats: seats(folded),
        }),
        TableCommand::Hit(sent) => RefusedCommand::Hit(HitEntered {
            seat: seat(sent.holder),
            dealer: dealer(sent.holder),
            hand: Text(sent.hand),
            cards: sent.cards.as_deref().map(card_list),
        }),
        TableCommand::Envy { seat, hand, cards } => RefusedCommand::Envy(EnvyEntered {
            seat: seat.0,
            hand: Text(*hand),
            cards: cards.as_deref().map(card_list),
        }),
        TableCommand::Bonus(sent) => RefusedCommand::Bonus(BonusEntered {
            kind: Text(sent.kind),
            seat: seat(sent.holder),
            dealer: dealer(sent.holder),
            cards: sent.cards.as_deref().map(card_list),
        }),
        TableCommand::Settle(sent) => RefusedCommand::Settle(settle(sent, None)),
        TableCommand::SettleWagers(sent) => {
            RefusedCommand::Settle(settle(&sent.cards, Some(&sent.wagers)))
        }
        TableCommand::CancelHit { hit, number } => {
            let id = HitId {
                table,
                sequence: *hit,
                number: *number,
            };
            RefusedCommand::CancelHit(CancelHit { hit: names.hit(id) })
        }
        TableCommand::Close => RefusedCommand::Close(Close {}),
        TableCommand::Void { reason } => RefusedCommand::Void(Void {
            reason: Text(*reason),
        }),
    }
}

fn of_person(names: Names<'_>, command: &PersonCommand) -> RefusedCommand {
    match command {
        PersonCommand::JoinTable(join) => join_table(join),
        PersonCommand::ValidateHit {
            hit,
            cards: seen,
            note,
        } => RefusedCommand::ValidateHit {
            hit: names.hit(*hit),
            cards: seen.as_deref().map(cards),
            note: note.clone().map(Text),
        },
        PersonCommand::RejectHit {
            hit,
            note,
            resettle,
        } => RefusedCommand::RejectHit {
            hit: names.hit(*hit),
            note: note.clone().map(Text),
            resettle: *resettle,
        },
        PersonCommand::PayPayout {
            hit,
            number,
            document,
        } => RefusedCommand::PayPayout {
            hit: names.hit(*hit),
            payout: *number,
            document: Text(document.clone()),
        },
        PersonCommand::Propose(_)
        | PersonCommand::Approve { .. }
        | PersonCommand::Decline { .. } => of_two_people(names, command),
        PersonCommand::AcceptValues { values } => RefusedCommand::AcceptValues {
            values: values
                .iter()
                .map(|value| level_value(names, value))
                .collect(),
        },
        PersonCommand::SuspendLink { .. }
        | PersonCommand::ResumeLink
        | PersonCommand::DisableLevel { .. }
        | PersonCommand::EnableLevel { .. }
        | PersonCommand::LoseTable { .. }
        | PersonCommand::ResumeTable { .. }
        | PersonCommand::DisableTable { .. }
        | PersonCommand::EnableTable { .. }
        | PersonCommand::LeaveLink { .. }
        | PersonCommand::FaultLink { .. } => of_state(names, command),
    }
}

/// Returns a step of a change by two people.
fn of_two_people(names: Names<'_>, command: &PersonCommand) -> RefusedCommand {
    match command {
        PersonCommand::Approve {
            proposal,
            department,
        } => RefusedCommand::Approve {
            proposal: Text(*proposal),
            department: Text(department.clone()),
        },
        PersonCommand::Decline {
            proposal,
            department,
            reason,
        } => RefusedCommand::Decline {
            proposal: Text(*proposal),
            department: Text(department.clone()),
            reason: Text(reason.clone()),
        },
        PersonCommand::Propose(propose) => RefusedCommand::Propose {
            proposal: Text(propose.proposal),
            department: Text(propose.department.clone()),
            reason: Text(propose.reason.clone()),
            change: journaled_change(names, &propose.change),
        },
        _ => of_state(names, command),
    }
}

/// Returns a change of the state of a link, a level or a table.
fn of_state(names: Names<'_>, command: &PersonCommand) -> RefusedCommand {
    match command {
        PersonCommand::SuspendLink { reason } => RefusedCommand::SuspendLink {
            reason: Text(reason.clone()),
        },
        PersonCommand::DisableLevel { level, reason } => RefusedCommand::DisableLevel {
            level: names.level(*level),
            reason: Text(reason.clone()),
        },
        PersonCommand::EnableLevel { level } => RefusedCommand::EnableLevel {
            level: names.level(*level),
        },
        PersonCommand::LoseTable {
            table,
            heard_at,
            must_resume,
        } => RefusedCommand::LoseTable {
            table: names.table(*table),
            heard_at: Text(*heard_at),
            must_resume: *must_resume,
        },
        PersonCommand::ResumeTable { table } => RefusedCommand::ResumeTable {
            table: names.table(*table),
        },
        PersonCommand::DisableTable { table, reason } => RefusedCommand::DisableTable {
            table: names.table(*table),
            reason: Text(reason.clone()),
        },
        PersonCommand::EnableTable { table } => RefusedCommand::EnableTable {
            table: names.table(*table),
        },
        PersonCommand::LeaveLink { table, reason } => RefusedCommand::LeaveLink {
            table: names.table(*table),
            reason: Text(reason.clone()),
        },
        PersonCommand::FaultLink { reason } => RefusedCommand::FaultLink {
            reason: reason.clone(),
        },
        _ => RefusedCommand::ResumeLink {},
    }
}

fn join_table(join: &rules::JoinTable) -> RefusedCommand {
    RefusedCommand::JoinTable {
        table: Text(join.name.clone()),
        game: Text(join.game.clone()),
        seats: join.seats,
        paytable: Text(join.paytable.id.clone()),
        wager: Text(join.wager),
        decks: join.decks,
    }
}

fn level_value(names: Names<'_>, value: &rules::LevelValue) -> LevelAmount {
    LevelAmount {
        level: names.level(value.level),
        amount: Text(value.amount),
    }
}

fn dealer(holder: Holder) -> Option<bool> {
    (holder == Holder::Dealer).then_some(true)
}

fn settle(sent: &rules::Settle, wagers: Option<&PlayedWagers>) -> Settle {
    let of_seat = |(seat, cards): &(Seat, Vec<Card>)| SeatCards {
        seat: seat.0,
        cards: card_list(cards),
    };
    Settle {
        dealer: Some(card_list(&sent.dealer)),
        community: Some(card_list(&sent.community)),
        seats: List(sent.seats.iter().map(of_seat).collect()),
        wagers: wagers.and_then(refused_wagers).map(Box::new),
    }
}

fn wager(sent: &rules::Wager) -> Wager {
    Wager {
        seat: sent.seat.0,
        amount: Text(Unsigned(sent.amount)),
        on: Some(Text(sent.on)),
        player: sent.player.clone().map(Text),
    }
}

fn card_list(sent: &[Card]) -> List<values::Card> {
    List(cards(sent))
}

fn seats(seats: &[Seat]) -> List<u8> {
    List(seats.iter().map(|seat| seat.0).collect())
}
