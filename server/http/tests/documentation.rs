//! `docs/API.md` says what the code does: its tables are compared with the code, its headings with the document.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of which clippy allows neither"
)]

use std::collections::BTreeSet;

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::command::{
    CoinIn, Command, Envelope, HitCommand, Holder, JoinTable, PersonCommand, TableCommand,
    VoidReason, Wager, WageredHand,
};
use meterhouse_domain::decide::{Decision, Stop, decide, open};
use meterhouse_domain::event::{Event, Origin, Recorded};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::link::{LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{ActorId, Sequence, TableNo};
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::LinkState;
use meterhouse_edge::wire_error::{of_denied, of_refusal, rows};
use meterhouse_engine::answer::Denied;

const PAGE: &str = include_str!("../../../docs/API.md");

/// The cells of the rows of a table under this heading.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, after) = PAGE
        .split_once(&format!("\n## {heading}\n"))
        .expect(heading);
    let section = after.split("\n## ").next().expect("a section");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = |row: &'static str| row.trim_matches('|').split('|').map(str::trim).collect();
    rows.map(cells).collect()
}

#[test]
fn every_code_of_the_wire_table_is_in_the_page_and_no_other() {
    let expected: Vec<String> = rows()
        .iter()
        .map(|row| {
            let journaled = row.journaled.name();
            format!(
                "| `{}` | {} | {journaled} | {} |",
                row.code, row.status, row.advice
            )
        })
        .collect();
    let written: Vec<String> = table("Every code")
        .iter()
        .map(|cells| format!("| {} |", cells.join(" | ")))
        .collect();
    assert_eq!(
        written,
        expected,
        "write the table as:\n{}",
        expected.join("\n")
    );
}

#[test]
fn every_operation_of_the_document_has_its_place_in_the_page() {
    let document = meterhouse_http::document();
    let mut ids = BTreeSet::new();
    for (path, item) in &document.paths.paths {
        let operations = [("GET", &item.get), ("PUT", &item.put)];
        for (method, operation) in operations {
            let Some(operation) = operation else { continue };
            let id = operation.operation_id.clone().expect("an id");
            assert!(ids.insert(id.clone()), "{id} twice");
            assert!(
                operation.summary.is_some() && operation.tags.is_some(),
                "{method} {path}"
            );
            let named = format!("`{method} {path}");
            assert!(PAGE.contains(&named), "docs/API.md doesn't have {named}`");
        }
        let others = [
            &item.post,
            &item.delete,
            &item.patch,
            &item.head,
            &item.options,
            &item.trace,
        ];
        assert!(others.iter().all(|it| it.is_none()), "{path}");
    }
    assert_eq!(ids.len(), 20, "{ids:?}");
}

#[test]
fn every_reference_of_the_document_leads_somewhere() {
    let document = serde_json::to_value(meterhouse_http::document()).expect("plain data");
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 100);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(members) => {
            if let Some(serde_json::Value::String(reference)) = members.get("$ref") {
                found.push(reference.clone());
            }
            members.values().for_each(|it| collect(it, found));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|it| collect(it, found)),
        _ => {}
    }
}

#[test]
fn no_public_answer_can_carry_a_reserve() {
    let document = serde_json::to_value(meterhouse_http::document()).expect("plain data");
    for name in [
        "LinkNow",
        "LinkedTable",
        "Links",
        "MetersNow",
        "LevelAmount",
        "FeedMessage",
        "Snapshot",
        "Meters",
        "HitShown",
        "HitChanged",
        "PaidShown",
        "LinkStateShown",
        "ContributedLevel",
    ] {
        let schema = &document["components"]["schemas"][name];
        assert!(schema.is_object(), "{name}");
        assert!(!schema.to_string().contains("reserve"), "{name}");
    }
}

/// A link with one table, whose commands are carried out one after the other.
struct Link {
    state: LinkState,
    next: u64,
}

const TABLE: TableNo = TableNo(1);

fn paytable() -> Paytable {
    let catalogue = Catalogue::compiled_in().expect("our own files");
    let id = "pa-657a-five-card-c".parse().expect("a name");
    catalogue.find(&id).expect("our own").clone()
}

impl Link {
    fn open() -> Self {
        let terms = LinkTerms {
            name: "main".parse().expect("a name"),
            paytable: paytable(),
            wager: Money::DOLLAR,
            decks: 1,
            reserve_policy: ReservePolicy::Add,
        };
        let Ok(Event::LinkOpened { terms, moves }) = open(terms) else {
            panic!("opens")
        };
        let mut link = Self {
            state: opened(&terms, &moves).expect("exact shares"),
            next: 1,
        };
        let join = JoinTable {
            name: "C4P-07".parse().expect("a name"),
            game: "crazy-4-poker".parse().expect("a name"),
            seats: 6,
            paytable: paytable(),
            wager: Money::DOLLAR,
            decks: 1,
        };
        let join = Command::Person(PersonCommand::JoinTable(Box::new(join)));
        link.carry_out(join, Origin::Person).expect("joins");
        link
    }

    /// A table's command under the next number.
    fn command(&mut self, command: TableCommand) -> Result<(), &'static str> {
        let (table, sequence) = (TABLE, Sequence(self.next));
        let asked = Command::Table {
            table,
            sequence,
            command,
        };
        self.carry_out(asked, Origin::Table { table, sequence })?;
        self.next += 1;
        Ok(())
    }

    fn carry_out(&mut self, command: Command, origin: Origin) -> Result<(), &'static str> {
        let actor = ActorId(7);
        let envelope = Envelope {
            actor,
            by: None,
            device_time: None,
            command,
        };
        match decide(&self.state, &envelope) {
            Ok(Decision::Event(event)) => {
                let recorded = Recorded {
                    origin,
                    actor,
                    by: None,
                    device_time: None,
                    event,
                };
                apply(&mut self.state, &recorded);
                Ok(())
            }
            Ok(Decision::AlreadyDone) => Ok(()),
            Err(Stop::Refused(refusal)) => Err(of_refusal(refusal.code).code),
            Err(Stop::Broken(what)) => panic!("{what}"),
        }
    }
}

fn hit(seat: u8, hand: Hand) -> TableCommand {
    TableCommand::Hit(HitCommand {
        holder: Holder::Seat(Seat(seat)),
        hand,
        cards: None,
    })
}

fn coin_in() -> TableCommand {
    let wager = |seat| Wager {
        seat: Seat(seat),
        on: WageredHand::Own,
        amount: Money::DOLLAR,
        player: None,
    };
    TableCommand::CoinIn(CoinIn {
        wagers: vec![wager(1), wager(3)],
        dealt: vec![Seat(1), Seat(2), Seat(3)],
    })
}

/// The newest of the hits that a table of this kind may take back.
fn commands(hit_to_cancel: u64) -> Vec<(&'static str, TableCommand)> {
    vec![
        ("coin_in", coin_in()),
        ("count", TableCommand::Count { chips: 2 }),
        (
            "fold",
            TableCommand::Fold {
                seats: vec![Seat(1)],
            },
        ),
        ("hit", hit(1, Hand::Flush)),
        (
            "envy",
            TableCommand::Envy {
                seat: Seat(2),
                hand: Hand::RoyalFlush,
                cards: None,
            },
        ),
        (
            "cancel_hit",
            TableCommand::CancelHit {
                hit: Sequence(hit_to_cancel),
            },
        ),
        ("close", TableCommand::Close),
        (
            "void",
            TableCommand::Void {
                reason: VoidReason::Misdeal,
            },
        ),
    ]
}

/// The tables' states of the page's columns: none, locked, settling.
fn link_in(state: &str) -> Link {
    let mut link = Link::open();
    // A round before, so that every state has a number to speak of.
    link.command(coin_in()).expect("locks");
    link.command(TableCommand::Close).expect("closes");
    if state != "none" {
        link.command(coin_in()).expect("locks");
    }
    if state == "settling" {
        link.command(hit(3, Hand::RoyalFlush)).expect("hits");
    }
    link
}

#[test]
fn which_command_when_is_what_the_rules_say() {
    let written = table("Which command when");
    let faulted = of_denied(&Denied::LinkFaulted {
        reason: String::new(),
    })
    .code;
    let names: Vec<&str> = commands(1).iter().map(|(name, _)| *name).collect();
    let rows: Vec<&str> = written
        .iter()
        .map(|cells| cells[0].trim_matches('`'))
        .collect();
    assert_eq!(rows, names);
    for (column, state) in ["none", "locked", "settling"].into_iter().enumerate() {
        let last = link_in(state).next - 1;
        for ((name, command), cells) in commands(last).into_iter().zip(&written) {
            let answer = link_in(state).command(command).err().unwrap_or("ok");
            let cell = cells[column + 1];
            let first = cell
                .split([';', ',', ' '])
                .next()
                .unwrap_or_default()
                .trim_matches('`');
            assert_eq!(first, answer, "{name} when {state}: {cell}");
            assert_eq!(cells[4].trim_matches('`'), faulted, "{name} when faulted");
        }
    }
}
