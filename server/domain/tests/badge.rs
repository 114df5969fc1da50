//! The badge of the person who keyed a hit: a link may require it for hits that a person validates.

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
/// A token other than the controllers'.
const SUPERVISOR: ActorId = ActorId(2);

/// Returns a link with this setting, seats 1 and 3 with a wager.
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

/// A hit that a person validates needs a badge: a line, envy, and the wins of a settle's cards.
#[test]
fn a_hit_that_a_person_validates_needs_a_badge() {
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
fn a_settle_needs_a_badge_if_a_person_validates_its_hits() {
    let (mut link, table) = locked(paytables::hand_bonus(), Some(true));
    let royal = settle(ROYAL, NOTHING);
    is(&link.refuse(table, &royal), RefusalCode::BadgeMissing, &[]);
    link.badge = Some("d-12".parse().unwrap());
    let Event::RoundSettled { hits, .. } = link.play(table, &royal) else {
        unreachable!()
    };
    assert!(hits[0].needs_validation);
}

/// A hit validated by rule needs no badge, nor does any other command.
#[test]
fn a_hit_by_rule_needs_no_badge() {
    let (mut link, table) = locked(paytables::hand_bonus(), Some(true));
    let flush = hit_of(1, Hand::Flush);
    let hit = link.keyed(table, &flush);
    assert!(!hit.recorded.needs_validation);
    link.cancel(hit.id);
    let Event::RoundSettled { hits, .. } = link.play(table, &settle("Kd 9d 7d 4d 3d", NOTHING))
    else {
        unreachable!()
    };
    assert!(!hits.is_empty() && hits.iter().all(|hit| !hit.needs_validation));
    link.play(table, &TableCommand::Close);
}

/// A link without the requirement, or from an older journal, accepts a hit without a badge; another refusal comes
/// first.
#[test]
fn only_a_link_that_requires_badges_refuses_without() {
    for badge_required in [Some(false), None] {
        let (mut link, table) = locked(paytables::five_card_a(), badge_required);
        let hit = link.hit(table, 1, Hand::RoyalFlush);
        assert!(hit.recorded.needs_validation);
    }
    let (mut link, table) = locked(paytables::five_card_a(), Some(true));
    let refusal = link.refuse(table, &hit_of(2, Hand::RoyalFlush));
    is(&refusal, RefusalCode::NoWager, &[("seat", "2")]);
}
