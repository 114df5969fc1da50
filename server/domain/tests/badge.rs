//! The badge of who keyed a hit: a link may require it where a person has to validate the hit.

use meterhouse_domain::command::{Settle, TableCommand};
use meterhouse_domain::event::Event;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{ActorId, TableNo};
use meterhouse_domain::link::{LinkSettings, LinkTerms};
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::seat::Seat;

#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use support::{Link, cards, hit_of, is, paytables, terms, validate};

const ROYAL: &str = "As Ks Qs Js Ts";
const NOTHING: &str = "2d 4s 6d 8s Jc";
/// Another token than the controllers'.
const SUPERVISOR: ActorId = ActorId(2);

/// A link with this setting, seats 1 and 3 with a wager.
fn locked(paytable: Paytable, badge_required: Option<bool>) -> (Link, TableNo) {
    let mut link = Link::open_with(LinkTerms {
        settings: LinkSettings {
            badge_required,
            ..LinkSettings::default()
        },
        ..terms(paytable, "1.00")
    });
    let table = link.table();
    link.coin_in(table, &[1, 3]);
    (link, table)
}

fn settle(first: &str, third: &str) -> TableCommand {
    TableCommand::Settle(Box::new(Settle {
        dealer: Vec::new(),
        community: Vec::new(),
        seats: vec![(Seat(1), cards(first)), (Seat(3), cards(third))],
    }))
}

fn envy(seat: u8) -> TableCommand {
    TableCommand::Envy {
        seat: Seat(seat),
        hand: Hand::RoyalFlush,
        cards: None,
    }
}

/// Whoever keys what a person validates says who he is: a line, envy, and what the cards of a settle win.
#[test]
fn a_hit_that_waits_for_a_person_needs_a_badge() {
    for command in [hit_of(1, Hand::RoyalFlush), envy(2)] {
        let (mut link, table) = locked(paytables::five_card_a(), Some(true));
        is(
            &link.refuse(table, &command),
            RefusalCode::BadgeMissing,
            &[],
        );
        link.badge = Some("d-12".parse().unwrap());
        let hit = link.keyed(table, &command).id;
        let refusal = link.refuse_person_as(SUPERVISOR, Some("D-12"), validate(hit));
        is(&refusal, RefusalCode::KeyedByValidator, &[("hit", "T1.3")]);
        link.person_as(SUPERVISOR, Some("sam"), validate(hit));
    }
}

#[test]
fn the_cards_of_a_settle_need_a_badge_where_a_person_validates_what_they_win() {
    let (mut link, table) = locked(paytables::hand_bonus(), Some(true));
    let royal = settle(ROYAL, NOTHING);
    is(&link.refuse(table, &royal), RefusalCode::BadgeMissing, &[]);
    link.badge = Some("d-12".parse().unwrap());
    let Event::RoundSettled { hits, .. } = link.play(table, &royal) else {
        unreachable!()
    };
    assert!(hits[0].needs_validation);
}

/// What no person validates needs no badge, nor does any other command.
#[test]
fn a_hit_by_rule_needs_no_badge() {
    let (mut link, table) = locked(paytables::hand_bonus(), Some(true));
    let flush = hit_of(1, Hand::Flush);
    let hit = link.keyed(table, &flush);
    assert!(!hit.it.needs_validation);
    link.cancel(hit.id);
    let Event::RoundSettled { hits, .. } = link.play(table, &settle("Kd 9d 7d 4d 3d", NOTHING))
    else {
        unreachable!()
    };
    assert!(!hits.is_empty() && hits.iter().all(|hit| !hit.needs_validation));
    link.play(table, &TableCommand::Close);
}

/// A link that doesn't require it, and one of an older journal, take a hit without a badge; another refusal comes first.
#[test]
fn only_a_link_that_requires_it_asks_for_a_badge() {
    for badge_required in [Some(false), None] {
        let (mut link, table) = locked(paytables::five_card_a(), badge_required);
        let hit = link.hit(table, 1, Hand::RoyalFlush);
        assert!(hit.it.needs_validation);
    }
    let (mut link, table) = locked(paytables::five_card_a(), Some(true));
    let refusal = link.refuse(table, &hit_of(2, Hand::RoyalFlush));
    is(&refusal, RefusalCode::NoWager, &[("seat", "2")]);
}
