//! States of a link, its levels and its tables: suspended, closed, disabled, lost, faulted (RULES §1.6, §4.6).

use std::sync::Arc;

use meterhouse_domain::command::{PersonCommand, TableCommand};
use meterhouse_domain::decide::Decision;
use meterhouse_domain::event::{CoinInAccepted, Event};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{Note, TableNo, Timestamp};
use meterhouse_domain::link::{Account, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Level, Paytable};
use meterhouse_domain::rate::{PPM_PER_PERCENT, Rate};
use meterhouse_domain::refusal::RefusalCode;

#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

#[path = "link_states/tables.rs"]
mod tables;

use support::{Link, OPENED_AT, SUPERVISOR, coin_in_of, is, paytables, terms};

const DOLLAR: Money = Money::DOLLAR;
const ALL: [u8; 6] = [1, 2, 3, 4, 5, 6];

fn note(text: &str) -> Note {
    let parsed = text.parse();
    parsed.unwrap_or_else(|_| unreachable!("{text} is a note"))
}

fn suspend() -> PersonCommand {
    PersonCommand::SuspendLink {
        reason: note("sign is dark"),
    }
}

fn disable(level: u8) -> PersonCommand {
    PersonCommand::DisableLevel {
        level,
        reason: note("sign is dark"),
    }
}

const fn enable(level: u8) -> PersonCommand {
    PersonCommand::EnableLevel { level }
}

fn link(paytable: Paytable) -> (Link, TableNo, TableNo) {
    let mut link = Link::open(paytable, "1.00");
    let (one, two) = (link.table(), link.table());
    (link, one, two)
}

/// Returns the code of the refusal of a coin-in.
fn refused(link: &mut Link, table: TableNo) -> RefusalCode {
    link.refuse(table, &coin_in_of(&[1], DOLLAR)).code
}

/// Returns three levels that lines need, and a mystery level of 1% and 1% that no line wins.
fn with_mystery() -> Paytable {
    let mut paytable = paytables::five_card_c();
    let one_percent = Rate::from_ppm(PPM_PER_PERCENT).unwrap_or_default();
    paytable.content.levels.push(Level {
        name: "mystery"
            .parse()
            .unwrap_or_else(|_| unreachable!("it is a name")),
        seed: 100,
        reseed: 100,
        primary: one_percent,
        reserve: one_percent,
    });
    paytable
}

/// A suspended link takes no coin-in, and everything else of an open round goes on; the link is then closed. Resumed,
/// it plays on with its earlier amounts.
#[test]
fn a_link_is_suspended_closed_and_resumed() {
    let (mut link, one, two) = link(paytables::five_card_a());
    link.coin_in(one, &[1, 2]);
    link.person(SUPERVISOR, suspend());
    let refusal = link.refuse(two, &coin_in_of(&[1], DOLLAR));
    let reason = [("reason", "sign is dark")];
    is(&refusal, RefusalCode::LinkSuspended, &reason);

    link.play(one, &TableCommand::Count { chips: 2 });
    link.fold(one, &[3]);
    let accident = link.hit(one, 2, Hand::RoyalFlush);
    link.cancel(accident.id);
    let flush = link.hit(one, 2, Hand::StraightFlush);
    link.validate(flush.id);
    link.pay(flush.id, 1);
    assert!(!link.state.is_closed(), "a round is open");
    link.play(one, &TableCommand::Close);
    assert!(link.state.is_closed());
    let refusal = link.refuse(two, &coin_in_of(&[1], DOLLAR));
    is(&refusal, RefusalCode::LinkClosed, &reason);

    let before = link.state.balances.clone();
    link.person(SUPERVISOR, PersonCommand::ResumeLink);
    assert_eq!(link.state.balances, before);
    link.coin_in(two, &[1]);
}

/// The dealer first has to finish an open round at the same table.
#[test]
fn a_suspended_link_with_an_open_round() {
    let (mut link, one, _) = link(paytables::five_card_a());
    link.coin_in(one, &[1]);
    link.person(SUPERVISOR, suspend());
    assert_eq!(refused(&mut link, one), RefusalCode::RoundOpen);
    link.void(one);
    assert_eq!(refused(&mut link, one), RefusalCode::LinkClosed);
}

/// CONFORMANCE 50: a level that lines need is off: no increments and no wins on the whole link. Switched on again, it
/// has identical parameters and amounts.
#[test]
fn a_disabled_level_that_lines_need_stops_the_link() {
    let (mut link, table, _) = link(with_mystery());
    link.rounds(table, 3, &ALL);
    let before = link.state.clone();
    link.person(SUPERVISOR, disable(2));
    let refusal = link.refuse(table, &coin_in_of(&ALL, DOLLAR));
    is(&refusal, RefusalCode::LevelDisabled, &[("level", "minor")]);
    link.person(SUPERVISOR, enable(2));
    assert_eq!(link.state.balances, before.balances);
    assert!(Arc::ptr_eq(&link.state.terms, &before.terms));
    assert_eq!(link.state.disabled, 0);
    link.rounds(table, 1, &ALL);
}

/// CONFORMANCE 50: a mystery level can be off alone. Its shares are not taken and its amounts stay; the others grow
/// as before, and a void gives back the taken amounts.
#[test]
fn a_disabled_mystery_level_is_off_alone() {
    let (mut link, table, _) = link(with_mystery());
    link.rounds(table, 1, &ALL);
    let taken = ["10000.54", "1000.42", "250.18", "100.06"];
    assert_eq!(link.meters(), taken);
    assert_eq!(link.balance(3, Account::Reserve).to_string(), "0.06");
    link.person(SUPERVISOR, disable(3));
    let event = link.play(table, &coin_in_of(&ALL, DOLLAR));
    let Event::CoinInAccepted(CoinInAccepted { added, .. }) = event else {
        unreachable!("a coin-in is accepted");
    };
    let added: Vec<String> = added.amounts().iter().map(Money::to_string).collect();
    assert_eq!(added, ["0.54", "0.42", "0.18", "0.00", "0.00"]);
    let only_others = ["10001.08", "1000.84", "250.36", "100.06"];
    assert_eq!(link.meters(), only_others);
    link.void(table);
    assert_eq!(link.meters(), taken);
    link.person(SUPERVISOR, enable(3));
    link.rounds(table, 1, &ALL);
    let both = ["10001.08", "1000.84", "250.36", "100.12"];
    assert_eq!(link.meters(), both);
}

/// A round that was locked before a level went off can still win it (RULES §4.6), and be taken back.
#[test]
fn a_locked_round_wins_a_disabled_level() {
    let (mut link, one, two) = link(paytables::five_card_c());
    link.coin_in(one, &[1]);
    link.coin_in(two, &[1]);
    link.person(SUPERVISOR, disable(0));
    let royal = link.hit(one, 1, Hand::RoyalFlush);
    assert_eq!(royal.paid(), [(1, "10000.18".to_owned())]);
    link.void(two);
    link.validate(royal.id);
    link.pay(royal.id, 1);
    link.play(one, &TableCommand::Close);
    assert_eq!(refused(&mut link, one), RefusalCode::LevelDisabled);
}

/// A state that already holds is done already; the first reason stays.
#[test]
fn a_state_that_already_holds_keeps_its_first_reason() {
    let (mut link, table, _) = link(with_mystery());
    let lose = PersonCommand::LoseTable {
        table,
        heard_at: OPENED_AT,
        must_resume: true,
    };
    let fault = PersonCommand::FaultLink {
        reason: "the books do not fit the journal".to_owned(),
    };
    for (back, there) in [
        (PersonCommand::ResumeLink, suspend()),
        (enable(3), disable(3)),
        (PersonCommand::ResumeTable { table }, lose),
    ] {
        assert_eq!(link.person(SUPERVISOR, back.clone()), Decision::AlreadyDone);
        for (command, first) in [
            (&there, true),
            (&there, false),
            (&back, true),
            (&back, false),
        ] {
            let answer = link.person(SUPERVISOR, command.clone());
            assert_eq!(answer != Decision::AlreadyDone, first, "{command:?}");
        }
    }
    let faulted = link.person(SUPERVISOR, fault.clone());
    assert!(matches!(
        faulted,
        Decision::Event(Event::LinkFaulted { .. })
    ));
    let reason = link.state.fault.as_deref();
    assert_eq!(reason, Some("the books do not fit the journal"));
    assert_eq!(link.person(SUPERVISOR, fault), Decision::AlreadyDone);
}

/// A level that the paytable doesn't have can be neither off nor on.
#[test]
fn an_unknown_level_is_refused() {
    let (mut link, _, _) = link(paytables::five_card_c());
    for (level, text) in [(3, "3"), (8, "8"), (u8::MAX, "255")] {
        for command in [disable(level), enable(level)] {
            let refusal = link.refuse_person(SUPERVISOR, command);
            let fields = [("level", text), ("levels", "3")];
            is(&refusal, RefusalCode::NoSuchLevel, &fields);
        }
    }
}

/// CONFORMANCE 35: no command changes a parameter of a link in play, open, suspended or closed. A table with other
/// parameters is refused, and the refusal names them.
#[test]
fn no_command_changes_a_parameter_of_a_link() {
    let (mut link, one, two) = link(paytables::five_card_a());
    let before = Arc::clone(&link.state.terms);
    let mut other = link.join("T3");
    other.paytable.content.levels[0].primary = Rate::from_ppm(PPM_PER_PERCENT).unwrap_or_default();
    let other = PersonCommand::JoinTable(Box::new(other));
    let tries = |link: &mut Link| {
        let refusal = link.refuse_person(SUPERVISOR, other.clone());
        let field = "level meter";
        let found = "link seed 10000 reseed 10000 primary 21% reserve 0%, \
                     table seed 10000 reseed 10000 primary 1% reserve 0%";
        is(&refusal, RefusalCode::TableDiffers, &[(field, found)]);
        assert!(Arc::ptr_eq(&link.state.terms, &before));
    };
    tries(&mut link);
    link.coin_in(one, &ALL);
    let royal = link.hit(one, 6, Hand::RoyalFlush);
    link.coin_in(two, &ALL);
    tries(&mut link);
    link.person(SUPERVISOR, suspend());
    link.void(two);
    link.cancel(royal.id);
    link.play(one, &TableCommand::Close);
    assert!(link.state.is_closed());
    tries(&mut link);
    for command in [disable(0), enable(0), PersonCommand::ResumeLink] {
        link.person(SUPERVISOR, command);
        tries(&mut link);
    }
}
