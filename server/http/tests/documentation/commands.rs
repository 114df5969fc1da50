//! The table of every command in every state is what the rules say.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    Bonus, BonusCommand, HitCommand, Holder, PersonCommand, Settle, TableCommand, VoidReason,
};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{Note, Sequence, Timestamp};
use meterhouse_domain::seat::Seat;
use meterhouse_edge::wire_error::of_not_executed;
use meterhouse_engine::answer::NotExecuted;

use crate::link::{Link, OTHER, TABLE, coin_in};
use crate::table;

/// The columns of the page behind the command's name.
const COLUMNS: [&str; 8] = [
    "none",
    "locked",
    "settling",
    "faulted",
    "suspended",
    "closed",
    "level off",
    "lost",
];
/// The states of a table's round.
const ROUNDS: [&str; 3] = ["none", "locked", "settling"];
/// What a cell says where the answer is that of the round's own column.
const AS_ITS_ROUND: &str = "as its round";

fn hit(seat: u8, hand: Hand) -> TableCommand {
    TableCommand::Hit(HitCommand {
        holder: Holder::Seat(Seat(seat)),
        hand,
        cards: None,
    })
}

/// Five cards for each of three seats, of which one makes a flush.
fn settle() -> TableCommand {
    let cards = |text: &str| -> Vec<Card> {
        let cards = text.split(' ').map(|it| it.parse().expect("a card"));
        cards.collect()
    };
    TableCommand::Settle(Box::new(Settle {
        dealer: Vec::new(),
        community: Vec::new(),
        seats: vec![
            (Seat(1), cards("As Js 9s 5s 3s")),
            (Seat(2), cards("Ah Kd 9c 5d 3h")),
            (Seat(3), cards("Qh Jd 8c 6d 2h")),
        ],
    }))
}

/// Every command in the order of the page; the hit to cancel is the newest of the table's commands.
fn commands(newest: u64) -> Vec<(&'static str, TableCommand)> {
    let bonus = BonusCommand {
        kind: Bonus::LuckyBonus,
        holder: Holder::Seat(Seat(1)),
        cards: None,
    };
    let envy = TableCommand::Envy {
        seat: Seat(2),
        hand: Hand::RoyalFlush,
        cards: None,
    };
    let fold = TableCommand::Fold {
        seats: vec![Seat(1)],
    };
    let cancel = TableCommand::CancelHit {
        hit: Sequence(newest),
        number: 0,
    };
    let reason = VoidReason::Misdeal;
    vec![
        ("coin_in", coin_in()),
        ("count", TableCommand::Count { chips: 2 }),
        ("fold", fold),
        ("hit", hit(1, Hand::Flush)),
        ("envy", envy),
        ("bonus", TableCommand::Bonus(bonus)),
        ("settle", settle()),
        ("cancel_hit", cancel),
        ("close", TableCommand::Close),
        ("void", TableCommand::Void { reason }),
    ]
}

/// A paytable that offers what the command asks for.
fn paytable_for(command: &str) -> &'static str {
    match command {
        "bonus" => "pa-657a-five-card-hand-bonus",
        _ => "pa-657a-five-card-c",
    }
}

/// A link whose table has a round in this state.
fn link_in(round: &str, command: &str) -> Link {
    let mut link = Link::open(paytable_for(command));
    // A round before, so that every state has a number to speak of.
    link.command(TABLE, coin_in()).expect("locks");
    link.command(TABLE, TableCommand::Close).expect("closes");
    if round != "none" {
        link.command(TABLE, coin_in()).expect("locks");
    }
    if round == "settling" {
        let hit = hit(3, Hand::RoyalFlush);
        link.command(TABLE, hit).expect("hits");
    }
    link
}

/// Brings the link into the state of a column.
fn bring_into(link: &mut Link, column: &str) {
    let reason = || -> Note { "looked at".parse().expect("a text") };
    match column {
        "suspended" => {
            // Another table plays on: without it the link would be closed.
            link.command(OTHER, coin_in()).expect("locks");
            link.person(PersonCommand::SuspendLink { reason: reason() });
        }
        "closed" => link.person(PersonCommand::SuspendLink { reason: reason() }),
        "level off" => link.person(PersonCommand::DisableLevel {
            level: 0,
            reason: reason(),
        }),
        "lost" => link.person(PersonCommand::LoseTable {
            table: TABLE,
            heard_at: Timestamp(0),
            must_resume: true,
        }),
        _ => {}
    }
}

/// What the rules answer to a command of a table in this state.
fn answer(round: &str, column: &str, name: &str) -> &'static str {
    let mut link = link_in(round, name);
    let newest = link.last(TABLE);
    bring_into(&mut link, column);
    let command = commands(newest)
        .into_iter()
        .find(|(it, _)| *it == name)
        .expect("a command");
    link.command(TABLE, command.1).err().unwrap_or("ok")
}

/// What a cell says first: a code, or `ok`.
fn first(cell: &str) -> &str {
    let first = cell.split([';', ',', ' ']).next().unwrap_or_default();
    first.trim_matches('`')
}

#[test]
fn which_command_when_is_what_the_rules_say() {
    let written = table("Which command when");
    let names: Vec<&str> = commands(1).iter().map(|(name, _)| *name).collect();
    let rows: Vec<&str> = written
        .iter()
        .map(|cells| cells[0].trim_matches('`'))
        .collect();
    assert_eq!(rows, names);
    let reason = String::new();
    let faulted = of_not_executed(&NotExecuted::LinkFaulted { reason }).code;
    for (name, cells) in names.iter().zip(&written) {
        assert_eq!(cells.len(), COLUMNS.len() + 1, "{name}");
        for (column, cell) in COLUMNS.iter().zip(&cells[1..]) {
            match *column {
                "faulted" => assert_eq!(first(cell), faulted, "{name} when faulted"),
                round if ROUNDS.contains(&round) => {
                    assert_eq!(
                        first(cell),
                        answer(round, "open", name),
                        "{name} when {round}"
                    );
                }
                _ if *cell == AS_ITS_ROUND => {
                    for round in ROUNDS {
                        let before = answer(round, "open", name);
                        let now = answer(round, column, name);
                        assert_eq!(now, before, "{name} when {round} and {column}");
                    }
                }
                _ => {
                    let now = answer("none", column, name);
                    assert_eq!(first(cell), now, "{name} when {column}");
                }
            }
        }
    }
}

#[test]
fn a_coin_in_over_an_open_round_is_refused_as_that_whatever_the_link_says() {
    for round in ["locked", "settling"] {
        for column in ["open", "suspended", "level off", "lost"] {
            assert_eq!(answer(round, column, "coin_in"), "round_open", "{column}");
        }
    }
}
