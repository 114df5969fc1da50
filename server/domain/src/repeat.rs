//! The command that an event came from: to recognise a repeat, and to decide a journal again.
//!
//! Neither replies nor accepted commands are stored, because an event holds its whole command. The controller's time
//! and the badge don't count in a comparison: the first ones stay.

use crate::command::{
    Bonus, BonusCommand, CoinIn, Command, HitCommand, Holder, JoinTable, LevelValue, PersonCommand,
    Settle, SettleWagers, TableCommand, Wager, WageredHand,
};
use crate::event::{CoinInAccepted, Event, HitKind, HitRecorded, TableJoined};
use crate::ids::PlayerName;
use crate::link::LinkTerms;
use crate::paytable::{Content, Game, Paytable};
use crate::round_wagers::{RecordedWagers, WagersResult};
use crate::seat::Seat;

/// Checks if `event`, caused under the same table and number, came from a command with this content.
pub fn is_repeat(terms: &LinkTerms, event: &Event, command: &TableCommand) -> bool {
    table_command_of(terms, event).is_some_and(|first| normal(&first) == normal(command))
}

/// Returns the table's command that caused an event, seats ascending; `None` for events of people or the server.
pub fn table_command_of(terms: &LinkTerms, event: &Event) -> Option<TableCommand> {
    match event {
        Event::CoinInAccepted(event) => Some(TableCommand::CoinIn(coin_in_of(terms, event))),
        Event::ChipsCounted { chips, .. } => Some(TableCommand::Count { chips: *chips }),
        Event::SeatsFolded { seats } => Some(TableCommand::Fold {
            seats: seats.ascending().collect(),
        }),
        Event::HitRecorded(event) => hit_of(event),
        Event::RoundSettled { cards, wagers, .. } => Some(settle_of(cards, wagers.as_deref())),
        Event::HitCancelled { hit, .. } => Some(TableCommand::CancelHit {
            hit: hit.sequence,
            number: hit.number,
        }),
        Event::RoundClosed { .. } => Some(TableCommand::Close),
        Event::RoundVoided { reason, .. } => Some(TableCommand::Void { reason: *reason }),
        Event::Refused { command, .. } => match command.as_ref() {
            Command::Table { command, .. } => Some(command.clone()),
            Command::Person(_) => None,
        },
        Event::LinkOpened { .. }
        | Event::TableJoined(_)
        | Event::HitValidated { .. }
        | Event::HitRejected { .. }
        | Event::PayoutPaid { .. }
        | Event::ValuesAccepted { .. }
        | Event::LinkSuspended { .. }
        | Event::LinkResumed
        | Event::LevelDisabled { .. }
        | Event::LevelEnabled { .. }
        | Event::TableLost { .. }
        | Event::TableBack { .. }
        | Event::TableDisabled { .. }
        | Event::TableEnabled { .. }
        | Event::TableLeft { .. }
        | Event::ChangeProposed { .. }
        | Event::ChangeApproved { .. }
        | Event::ChangeDeclined { .. }
        | Event::LinkFaulted { .. } => None,
    }
}

/// Returns the person's command that caused an event; `None` for events of tables or the server.
pub fn person_command_of(terms: &LinkTerms, event: &Event) -> Option<PersonCommand> {
    match event {
        Event::TableJoined(joined) => {
            Some(PersonCommand::JoinTable(Box::new(join_of(terms, joined))))
        }
        Event::HitValidated { hit, cards, note } => Some(PersonCommand::ValidateHit {
            hit: *hit,
            cards: cards.clone(),
            note: note.clone(),
        }),
        Event::HitRejected {
            hit,
            note,
            resettle,
            ..
        } => Some(PersonCommand::RejectHit {
            hit: *hit,
            note: note.clone(),
            resettle: *resettle,
        }),
        Event::PayoutPaid {
            hit,
            number,
            document,
            ..
        } => Some(PersonCommand::PayPayout {
            hit: *hit,
            number: *number,
            document: document.clone(),
        }),
        Event::Refused { command, .. } => match command.as_ref() {
            Command::Person(command) => Some(command.clone()),
            Command::Table { .. } => None,
        },
        Event::ValuesAccepted { .. }
        | Event::LinkSuspended { .. }
        | Event::LinkResumed
        | Event::LevelDisabled { .. }
        | Event::LevelEnabled { .. }
        | Event::TableLost { .. }
        | Event::TableBack { .. }
        | Event::TableDisabled { .. }
        | Event::TableEnabled { .. }
        | Event::TableLeft { .. }
        | Event::LinkFaulted { .. } => state_command_of(event),
        Event::ChangeProposed { .. }
        | Event::ChangeApproved { .. }
        | Event::ChangeDeclined { .. } => proposal_command_of(event),
        Event::LinkOpened { .. }
        | Event::CoinInAccepted(_)
        | Event::ChipsCounted { .. }
        | Event::SeatsFolded { .. }
        | Event::HitRecorded(_)
        | Event::RoundSettled { .. }
        | Event::HitCancelled { .. }
        | Event::RoundClosed { .. }
        | Event::RoundVoided { .. } => None,
    }
}

/// Returns the command behind a change of the link's, a level's or a table's state.
fn state_command_of(event: &Event) -> Option<PersonCommand> {
    match event {
        Event::ValuesAccepted { values } => {
            let values = (0_u8..).zip(values);
            let values = values.map(|(level, amount)| LevelValue {
                level,
                amount: *amount,
            });
            Some(PersonCommand::AcceptValues {
                values: values.collect(),
            })
        }
        Event::LinkSuspended { reason } => Some(PersonCommand::SuspendLink {
            reason: reason.clone(),
        }),
        Event::LinkResumed => Some(PersonCommand::ResumeLink),
        Event::LevelDisabled { level, reason } => Some(PersonCommand::DisableLevel {
            level: *level,
            reason: reason.clone(),
        }),
        Event::LevelEnabled { level } => Some(PersonCommand::EnableLevel { level: *level }),
        Event::TableLost {
            table,
            heard_at,
            must_resume,
        } => Some(PersonCommand::LoseTable {
            table: *table,
            heard_at: *heard_at,
            must_resume: *must_resume,
        }),
        Event::TableBack { table } => Some(PersonCommand::ResumeTable { table: *table }),
        Event::TableDisabled { table, reason } => Some(PersonCommand::DisableTable {
            table: *table,
            reason: reason.clone(),
        }),
        Event::TableEnabled { table } => Some(PersonCommand::EnableTable { table: *table }),
        Event::TableLeft { table, reason } => Some(PersonCommand::LeaveLink {
            table: *table,
            reason: reason.clone(),
        }),
        Event::LinkFaulted { reason } => Some(PersonCommand::FaultLink {
            reason: reason.clone(),
        }),
        _ => None,
    }
}

/// Returns the command behind a step of a two-person change.
fn proposal_command_of(event: &Event) -> Option<PersonCommand> {
    match event {
        Event::ChangeProposed { propose, .. } => Some(PersonCommand::Propose(propose.clone())),
        Event::ChangeApproved {
            proposal,
            department,
            ..
        } => Some(PersonCommand::Approve {
            proposal: *proposal,
            department: department.clone(),
        }),
        Event::ChangeDeclined {
            proposal,
            department,
            reason,
        } => Some(PersonCommand::Decline {
            proposal: *proposal,
            department: department.clone(),
            reason: reason.clone(),
        }),
        _ => None,
    }
}

/// Returns the command in a normal form. The order of seats and wagers has no meaning, and a player may be named on
/// either wager of a seat.
fn normal(command: &TableCommand) -> TableCommand {
    let mut command = command.clone();
    match &mut command {
        TableCommand::CoinIn(coin_in) => {
            let named: Vec<(Seat, PlayerName)> = coin_in
                .wagers
                .iter()
                .filter_map(|wager| Some((wager.seat, wager.player.clone()?)))
                .collect();
            for wager in &mut coin_in.wagers {
                if wager.player.is_none() {
                    let found = named.iter().find(|(seat, _)| *seat == wager.seat);
                    wager.player = found.map(|(_, player)| player.clone());
                }
            }
            coin_in.wagers.sort();
            coin_in.dealt.sort();
        }
        TableCommand::Fold { seats } => seats.sort(),
        TableCommand::Settle(settle) => settle.seats.sort(),
        TableCommand::SettleWagers(settle) => {
            settle.cards.seats.sort();
            settle.wagers.sort();
            // The tables may have changed since: what was asked is compared, not what came out.
            settle.result = WagersResult::Refused(Vec::new());
            settle.as_read = None;
        }
        TableCommand::Count { .. }
        | TableCommand::Hit(_)
        | TableCommand::Envy { .. }
        | TableCommand::Bonus(_)
        | TableCommand::CancelHit { .. }
        | TableCommand::Close
        | TableCommand::Void { .. } => {}
    }
    command
}

fn coin_in_of(terms: &LinkTerms, event: &CoinInAccepted) -> CoinIn {
    let player = |seat| {
        let found = event.players.iter().find(|(named, _)| *named == seat);
        found.map(|(_, player)| player.clone())
    };
    let mut wagers = Vec::new();
    for (seats, on) in [
        (event.own, WageredHand::Own),
        (event.dealer, WageredHand::Dealer),
    ] {
        wagers.extend(seats.ascending().map(|seat| Wager {
            seat,
            on,
            amount: terms.wager,
            player: player(seat),
        }));
    }
    CoinIn {
        wagers,
        dealt: event.dealt.ascending().collect(),
    }
}

fn settle_of(cards: &Settle, wagers: Option<&RecordedWagers>) -> TableCommand {
    match wagers {
        None => TableCommand::Settle(Box::new(cards.clone())),
        Some(recorded) => TableCommand::SettleWagers(Box::new(SettleWagers {
            cards: cards.clone(),
            wagers: recorded.played.clone(),
            result: WagersResult::Settled(Box::new(recorded.settled.clone())),
            as_read: None,
        })),
    }
}

fn hit_of(event: &HitRecorded) -> Option<TableCommand> {
    let (holder, cards) = (event.holder, event.cards.clone());
    let bonus = |kind, cards| {
        Some(TableCommand::Bonus(BonusCommand {
            kind,
            holder,
            cards,
        }))
    };
    match (event.kind, holder) {
        (HitKind::MagicCard, _) => bonus(Bonus::MagicCard, cards),
        (HitKind::LuckyBonus, _) => bonus(Bonus::LuckyBonus, cards),
        (HitKind::Envy, Holder::Seat(seat)) => Some(TableCommand::Envy {
            seat,
            hand: event.hand?,
            cards,
        }),
        (HitKind::Line, _) | (HitKind::Envy, Holder::Dealer) => {
            Some(TableCommand::Hit(HitCommand {
                holder,
                hand: event.hand?,
                cards,
            }))
        }
    }
}

/// Returns the join of a table: the link's content under the table's own paytable name and game rules.
fn join_of(terms: &LinkTerms, joined: &TableJoined) -> JoinTable {
    let game = Game {
        name: joined.game.clone(),
        seats_max: joined.seats,
    };
    let of_link = terms.content();
    JoinTable {
        name: joined.name.clone(),
        game: joined.game.clone(),
        seats: joined.seats,
        paytable: Paytable {
            id: joined.paytable.clone(),
            rules: joined.rules,
            games: vec![game],
            content: Content {
                bet_on_dealer: joined.bet_on_dealer.unwrap_or(of_link.bet_on_dealer),
                ..of_link.clone()
            },
            ..terms.paytable.clone()
        },
        wager: terms.wager,
        decks: terms.decks,
    }
}
