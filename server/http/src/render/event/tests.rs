//! Every kind of event has its word and the names that it is about.

use meterhouse_domain::change::{AdjustedAccount, Change, Effect, Propose};
use meterhouse_domain::command::{Bonus, BonusCommand, Command, Holder, Settle, TableCommand};
use meterhouse_domain::ids::{Note, ProposalId, Sequence, TableNo, Timestamp};
use meterhouse_domain::link::{Account, Book, LinkSettings, Move};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::LinkState;
use serde_json::{Value, json};

use super::*;
use crate::testing::{link, recorded};

/// A link with a ceiling.
fn with_ceiling() -> (LinkState, Event) {
    let ceiling: Money = "25000".parse().expect("an amount");
    link(LinkSettings {
        ceilings: vec![Some(ceiling), None, None],
        ..LinkSettings::default()
    })
}

fn entry(state: &LinkState, event: Event, origin: Origin) -> Value {
    let entry = JournalEntry {
        position: Position {
            batch: 12,
            index: 0,
        },
        at: Timestamp(0),
        actor: "sam".to_owned(),
        table: None,
        recorded: recorded(event, origin),
    };
    let view = journal_entry(Names::of_state(state), &entry);
    serde_json::to_value(view).expect("plain data")
}

fn note() -> Note {
    "looked at".parse().expect("a text")
}

#[test]
fn states_of_links_levels_and_tables_are_named() {
    let (state, opening) = with_ceiling();
    let said = |event| entry(&state, event, Origin::Person)["event"].clone();
    let opening = said(opening);
    assert_eq!(opening["ceilings"], json!({"mega": "25000.00"}));
    let reason = note();
    assert_eq!(
        said(Event::LinkSuspended { reason }),
        json!({"kind": "link_suspended", "reason": "looked at"})
    );
    assert_eq!(said(Event::LinkResumed), json!({"kind": "link_resumed"}));
    let values = [10_000, 1_000, 250].map(|dollars| Money::from_micros(dollars * 1_000_000));
    assert_eq!(
        said(Event::ValuesAccepted {
            values: values.into()
        }),
        json!({"kind": "values_accepted",
               "values": [{"level": "mega", "amount": "10000.00"}, {"level": "major", "amount": "1000.00"},
                          {"level": "minor", "amount": "250.00"}]})
    );
    let reason = note();
    assert_eq!(
        said(Event::LevelDisabled { level: 2, reason }),
        json!({"kind": "level_disabled", "level": "minor", "reason": "looked at"})
    );
    assert_eq!(
        said(Event::LevelEnabled { level: 2 }),
        json!({"kind": "level_enabled", "level": "minor"})
    );
    let table = TableNo(1);
    let lost = Event::TableLost {
        table,
        heard_at: Timestamp(0),
        must_resume: true,
    };
    assert_eq!(
        said(lost),
        json!({"kind": "table_lost", "table": "C4P-07", "must_resume": true,
            "heard_at": "1970-01-01T00:00:00.000000Z"})
    );
    assert_eq!(
        said(Event::TableBack { table }),
        json!({"kind": "table_back", "table": "C4P-07"})
    );
    let reason = note();
    assert_eq!(
        said(Event::TableDisabled { table, reason }),
        json!({"kind": "table_disabled", "table": "C4P-07", "reason": "looked at"})
    );
    assert_eq!(
        said(Event::TableEnabled { table }),
        json!({"kind": "table_enabled", "table": "C4P-07"})
    );
    let reason = note();
    assert_eq!(
        said(Event::TableLeft { table, reason }),
        json!({"kind": "table_left", "table": "C4P-07", "reason": "looked at"})
    );
}

#[test]
fn a_change_by_two_people_has_its_balances_before_and_after() {
    let (state, _) = with_ceiling();
    let (proposal, department) = (ProposalId([0x1b; 16]), "slots".parse().expect("a name"));
    let change = Change::Adjust {
        level: 0,
        account: AdjustedAccount::Meter,
        amount: Money::DOLLAR,
    };
    let propose = Propose {
        proposal,
        department,
        reason: note(),
        change,
    };
    let department = propose.department.clone();
    let proposed = Event::ChangeProposed {
        propose: Box::new(propose),
        expires_at: Timestamp(0),
    };
    let said = entry(&state, proposed, Origin::Person);
    let adjust = json!({"change": "adjust", "level": "mega", "account": "meter", "amount": "1.00"});
    assert_eq!(said["event"]["change"], adjust);
    let effect = Effect::Adjusted {
        level: 0,
        account: AdjustedAccount::Meter,
        before: Money::ZERO,
        after: Money::DOLLAR,
    };
    let approved = Event::ChangeApproved {
        proposal,
        department: department.clone(),
        effect: Box::new(effect),
        moves: vec![Move {
            book: Book(0),
            from: Account::House,
            to: Account::Meter,
            amount: Money::DOLLAR,
        }],
    };
    let said = entry(&state, approved, Origin::Person);
    let adjusted = json!({"kind": "adjusted", "level": "mega", "account": "meter",
        "before": "0.00", "after": "1.00"});
    assert_eq!(said["event"]["effect"], adjusted);
    let moved = json!({"book": "mega", "from": "house", "to": "meter", "amount": "1.00"});
    assert_eq!(said["moves"], json!([moved]));
    let declined = Event::ChangeDeclined {
        proposal,
        department,
        reason: note(),
    };
    let said = entry(&state, declined, Origin::Person);
    assert_eq!(said["event"]["kind"], "change_declined");
}

#[test]
fn a_settled_round_has_its_cards_and_a_refused_one_its_command() {
    let (state, _) = with_ceiling();
    let origin = Origin::Table {
        table: TableNo(1),
        sequence: Sequence(2),
    };
    let cards = Box::new(Settle {
        dealer: Vec::new(),
        community: Vec::new(),
        seats: vec![(Seat(1), vec!["As".parse().expect("a card")])],
    });
    let command = TableCommand::Settle(cards.clone());
    let settled = Event::RoundSettled {
        cards,
        hits: Vec::new(),
        wagers: None,
    };
    let said = entry(&state, settled, origin);
    assert_eq!(said["event"]["seats"], json!({"1": ["As"]}));
    assert_eq!(
        (&said["table"], &said["sequence"]),
        (&json!("C4P-07"), &json!(2))
    );
    let refused = |command| Event::Refused {
        refusal: Refusal::new(RefusalCode::NoRound),
        command: Box::new(Command::Table {
            table: TableNo(1),
            sequence: Sequence(2),
            command,
        }),
    };
    let said = entry(&state, refused(command), origin);
    let seats = json!([{"seat": 1, "cards": ["As"]}]);
    let sent = json!({"command": "settle", "dealer": [], "community": [], "seats": seats});
    assert_eq!(said["event"]["command"], sent);
    let bonus = TableCommand::Bonus(BonusCommand {
        kind: Bonus::LuckyBonus,
        holder: Holder::Dealer,
        cards: None,
    });
    let said = entry(&state, refused(bonus), origin);
    let sent = json!({"command": "bonus", "dealer": true, "kind": "lucky_bonus"});
    assert_eq!(said["event"]["command"], sent);
}
