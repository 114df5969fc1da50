//! Lost tables: silent for too long, they take no coin-in; everything else of an open round goes on.

use meterhouse_domain::command::{HitCommand, Holder, VoidReason};
use meterhouse_domain::seat::Seat;

use super::support::{cards, hit_of};
use super::{
    ALL, DOLLAR, Decision, Hand, Link, LinkTerms, Money, OPENED_AT, PersonCommand, RefusalCode,
    SUPERVISOR, TableCommand, TableNo, Timestamp, coin_in_of, is, link, note, paytables, refused,
    terms,
};

fn lose(link: &mut Link, table: TableNo, must_resume: bool) {
    let command = PersonCommand::LoseTable {
        table,
        heard_at: OPENED_AT,
        must_resume,
    };
    link.person(SUPERVISOR, command);
}

fn is_lost(link: &Link, table: TableNo) -> bool {
    link.state
        .table(table)
        .is_some_and(|table| table.lost.is_some())
}

/// CONFORMANCE 46, the rules' part: a lost table that sends heartbeats gets no coin-in accepted until it resumes. The
/// other tables play on; the refused command used its number.
#[test]
fn a_lost_table_has_to_resume() {
    let (mut link, one, two) = link(paytables::five_card_a());
    lose(&mut link, one, true);
    let lost = link.state.table(one).and_then(|table| table.lost);
    assert_eq!(lost.map(|lost| lost.heard_at), Some(OPENED_AT));
    let refusal = link.refuse(one, &coin_in_of(&[1], DOLLAR));
    is(&refusal, RefusalCode::TableLost, &[]);
    assert!(is_lost(&link, one), "a command alone does not resume it");
    link.rounds(two, 1, &ALL);
    link.person(SUPERVISOR, PersonCommand::ResumeTable { table: one });
    assert!(!is_lost(&link, one));
    link.coin_in(one, &[1]);
}

/// For a table without heartbeats the next command is a sign of life, and the command is accepted.
#[test]
fn a_table_without_heartbeats_comes_back_by_itself() {
    let (mut link, one, _) = link(paytables::five_card_a());
    lose(&mut link, one, false);
    assert!(is_lost(&link, one));
    link.coin_in(one, &[1]);
    assert!(!is_lost(&link, one));
    lose(&mut link, one, false);
    assert_eq!(refused(&mut link, one), RefusalCode::RoundOpen);
    assert!(!is_lost(&link, one), "a refused command was heard too");
}

/// CONFORMANCE 48: a hit of a round locked before the outage is accepted after it and ordered by receipt. The table's
/// own time is earlier and changes nothing.
#[test]
fn a_hit_made_during_an_outage_is_ordered_by_receipt() {
    let (mut link, one, two) = link(paytables::five_card_a());
    link.set_meter("29,998.74");
    link.coin_in(one, &ALL);
    lose(&mut link, one, true);
    link.coin_in(two, &[3]);
    link.at = Timestamp(OPENED_AT.0 + 60_000_000);
    link.device_time = Some(link.at);
    let received_first = link.hit(two, 3, Hand::RoyalFlush);
    link.device_time = Some(Timestamp(OPENED_AT.0 + 1_000_000));
    let made_first = link.hit(one, 6, Hand::RoyalFlush);
    assert_eq!(received_first.paid(), [(3, "30000.21".to_owned())]);
    assert_eq!(made_first.paid(), [(6, "10000.00".to_owned())]);
    assert!(received_first.recorded.order < made_first.recorded.order);
    assert!(is_lost(&link, one), "its round goes on all the same");
}

/// Everything of an open round but a coin-in is accepted from a lost table.
#[test]
fn an_open_round_of_a_lost_table_goes_on() {
    let (mut link, one, _) = link(paytables::five_card_a());
    link.coin_in(one, &[1, 2]);
    lose(&mut link, one, true);
    link.play(one, &TableCommand::Count { chips: 2 });
    link.fold(one, &[3]);
    let hit = link.hit(one, 2, Hand::Flush);
    link.cancel(hit.id);
    let with_cards = TableCommand::Hit(HitCommand {
        holder: Holder::Seat(Seat(2)),
        hand: Hand::Flush,
        cards: Some(cards("Ah Th 8h 4h 2h")),
    });
    let hit = link.keyed(one, &with_cards);
    link.validate(hit.id);
    let third = TableCommand::Envy {
        seat: Seat(4),
        hand: Hand::RoyalFlush,
        cards: None,
    };
    let envy = link.keyed(one, &third);
    link.validate(envy.id);
    link.play(one, &TableCommand::Close);
    assert!(is_lost(&link, one));

    link.person(SUPERVISOR, PersonCommand::ResumeTable { table: one });
    link.coin_in(one, &[1]);
    lose(&mut link, one, true);
    let refusal = link.refuse(one, &hit_of(2, Hand::Flush));
    assert_eq!(refusal.code, RefusalCode::NoWager);
    let reason = VoidReason::ShoeJam;
    link.play(one, &TableCommand::Void { reason });
    assert_eq!(refused(&mut link, one), RefusalCode::TableLost);
}

/// The link's own state is checked before the table's, and the table's before its rate.
#[test]
fn refusals_come_in_a_fixed_order() {
    let mut link = Link::open_with(LinkTerms {
        settings: meterhouse_domain::link::LinkSettings {
            rounds_a_minute_max: Some(1),
            ..meterhouse_domain::link::LinkSettings::default()
        },
        ..terms(paytables::five_card_a(), "1.00")
    });
    let table = link.table();
    link.rounds(table, 1, &[1]);
    lose(&mut link, table, true);
    link.person(SUPERVISOR, disable(table));
    link.person(SUPERVISOR, super::disable(0));
    link.person(SUPERVISOR, super::suspend());
    let mut codes = Vec::new();
    for next in [
        PersonCommand::ResumeLink,
        super::enable(0),
        PersonCommand::EnableTable { table },
        PersonCommand::ResumeTable { table },
    ] {
        codes.push(refused(&mut link, table));
        link.person(SUPERVISOR, next);
    }
    codes.push(refused(&mut link, table));
    let nobody = coin_in_of(&[], Money::ZERO);
    codes.push(link.refuse(table, &nobody).code);
    let expected = [
        RefusalCode::LinkClosed,
        RefusalCode::LevelDisabled,
        RefusalCode::TableDisabled,
        RefusalCode::TableLost,
        RefusalCode::UnreasonableRate,
        RefusalCode::UnreasonableRate,
    ];
    assert_eq!(codes, expected);
}

fn disable(table: TableNo) -> PersonCommand {
    PersonCommand::DisableTable {
        table,
        reason: note("the lamps are dark"),
    }
}

fn leave(table: TableNo) -> PersonCommand {
    PersonCommand::LeaveLink {
        table,
        reason: note("the felt was sold"),
    }
}

/// CONFORMANCE 7: a disabled table takes no coin-in, its open round goes on, and the others play. Enabled again, it
/// plays.
#[test]
fn a_disabled_table_takes_no_coin_in() {
    let (mut link, one, two) = link(paytables::five_card_a());
    link.coin_in(one, &[1]);
    link.person(SUPERVISOR, disable(one));
    let hit = link.hit(one, 1, Hand::StraightFlush);
    link.validate(hit.id);
    link.pay(hit.id, 1);
    link.play(one, &TableCommand::Close);
    let refusal = link.refuse(one, &coin_in_of(&[1], DOLLAR));
    is(
        &refusal,
        RefusalCode::TableDisabled,
        &[("reason", "the lamps are dark")],
    );
    assert!(!link.state.is_closed(), "the link is open");
    link.rounds(two, 1, &ALL);
    assert_eq!(
        link.person(SUPERVISOR, disable(one)),
        Decision::AlreadyDone,
        "the first reason stays"
    );
    link.person(SUPERVISOR, PersonCommand::EnableTable { table: one });
    link.rounds(one, 1, &[1]);
}

/// A table leaves only without an open round and an unpaid hit (RULES §4.1). It then takes no coin-in for good, no
/// command brings it back, and its number stays its own.
#[test]
fn a_table_leaves_without_open_round_and_unpaid_hit() {
    let (mut link, one, two) = link(paytables::five_card_a());
    link.coin_in(one, &[1]);
    let refusal = link.refuse_person(SUPERVISOR, leave(one));
    is(&refusal, RefusalCode::RoundOpen, &[("round", "1")]);
    link.play(one, &TableCommand::Close);
    lose(&mut link, one, true);
    link.person(SUPERVISOR, leave(one));
    assert!(!is_lost(&link, one), "nobody waits for it any more");
    assert_eq!(link.person(SUPERVISOR, leave(one)), Decision::AlreadyDone);
    assert_eq!(refused(&mut link, one), RefusalCode::TableLeft);
    let name = link.state.table(one).map(|table| table.name.to_string());
    let name = name.unwrap_or_default();
    for command in [
        disable(one),
        PersonCommand::EnableTable { table: one },
        PersonCommand::JoinTable(Box::new(link.join(&name))),
    ] {
        let refusal = link.refuse_person(SUPERVISOR, command);
        is(&refusal, RefusalCode::TableLeft, &[("table", &name)]);
    }
    let lose = PersonCommand::LoseTable {
        table: one,
        heard_at: OPENED_AT,
        must_resume: true,
    };
    assert_eq!(link.person(SUPERVISOR, lose), Decision::AlreadyDone);
    link.rounds(two, 1, &ALL);
    let third = link.table();
    assert_eq!(third.0, 3, "no number is used twice");
    link.rounds(third, 1, &[1]);
}

/// A late hit may be recorded after GAME OVER: its table can't leave until the hit is paid.
#[test]
fn an_unpaid_hit_keeps_its_table() {
    let (mut link, one, _) = link(paytables::five_card_a());
    link.coin_in(one, &[1]);
    let hit = link.hit(one, 1, Hand::StraightFlush);
    link.validate(hit.id);
    link.pay(hit.id, 1);
    link.play(one, &TableCommand::Close);
    let unpaid = link.state.closed.first().cloned();
    let Some(mut unpaid) = unpaid else {
        unreachable!("a closed hit is kept")
    };
    let hit = &mut std::sync::Arc::make_mut(&mut unpaid).hit;
    for payout in &mut hit.payouts {
        payout.paid = None;
    }
    link.state.closed = std::sync::Arc::new(vec![unpaid]);
    let refusal = link.refuse_person(SUPERVISOR, leave(one));
    assert_eq!(refusal.code, RefusalCode::HitUnsettled);
}
