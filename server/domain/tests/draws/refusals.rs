//! Every refusal of a bonus, and of a link with draws that its paytable does not pay.

use meterhouse_domain::command::Bonus::{LuckyBonus, MagicCard};
use meterhouse_domain::decide::{Stop, open};
use meterhouse_domain::link::LinkSettings;
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::refusal::{Refusal, RefusalCode};

use super::support::{Link, is, paytables, terms};
use super::{DEALER, LinkTerms, bonus, drawing, drawn, round, seat};

/// A bonus is offered only if the paytable pays it and the link draws it.
#[test]
fn bonus_not_offered() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1]);
    for (kind, name) in [(MagicCard, "magic_card"), (LuckyBonus, "lucky_bonus")] {
        let refusal = link.refuse(table, &bonus(kind, seat(1), None));
        is(&refusal, RefusalCode::BonusNotOffered, &[("kind", name)]);
    }
}

/// Nothing drawn, another position, a hand without the card.
#[test]
fn not_drawn() {
    let (mut link, table) = round(drawn(None, None));
    for (kind, name) in [(MagicCard, "magic_card"), (LuckyBonus, "lucky_bonus")] {
        let refusal = link.refuse(table, &bonus(kind, seat(1), None));
        is(&refusal, RefusalCode::NotDrawn, &[("kind", name)]);
    }
    for (position, name) in [(seat(2), "2"), (DEALER, "dealer")] {
        let (mut link, table) = round(drawn(Some("Qh"), Some(position)));
        let refusal = link.refuse(table, &bonus(LuckyBonus, seat(1), None));
        let fields = [("kind", "lucky_bonus"), ("drawn", name)];
        is(&refusal, RefusalCode::NotDrawn, &fields);
        let without = bonus(MagicCard, seat(1), Some("Qd 2c 3d 4s 9h"));
        let refusal = link.refuse(table, &without);
        let fields = [("kind", "magic_card"), ("drawn", "Qh")];
        is(&refusal, RefusalCode::NotDrawn, &fields);
    }
}

/// A position without a wager wins nothing: the draw is uniform over the layout.
#[test]
fn no_wager() {
    let (mut link, table) = round(drawn(Some("Qh"), Some(seat(6))));
    for kind in [MagicCard, LuckyBonus] {
        let refusal = link.refuse(table, &bonus(kind, seat(6), None));
        is(&refusal, RefusalCode::NoWager, &[("seat", "6")]);
    }
    let mut link = Link::open_with(drawing(10));
    let table = link.table();
    link.draws = drawn(None, Some(DEALER));
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &bonus(LuckyBonus, DEALER, None));
    is(&refusal, RefusalCode::NoWager, &[("dealer", "true")]);
}

/// Law 7: a hand has one bonus of each kind; the other kind, and the other hand, have their own.
#[test]
fn already_hit() {
    let (mut link, table) = round(drawn(Some("Qh"), Some(seat(1))));
    link.keyed(table, &bonus(MagicCard, seat(1), None));
    link.keyed(table, &bonus(LuckyBonus, seat(1), None));
    for (kind, hit) in [(MagicCard, "T1.2"), (LuckyBonus, "T1.3")] {
        let refusal = link.refuse(table, &bonus(kind, seat(1), None));
        is(&refusal, RefusalCode::AlreadyHit, &[("hit", hit)]);
    }
}

/// Cards of a bonus are cards of the round: the drawn one can lie in one hand only, with one deck.
#[test]
fn card_twice() {
    let (mut link, table) = round(drawn(Some("Qh"), None));
    link.keyed(table, &bonus(MagicCard, seat(1), Some("Qh 2c 3d 4s 9h")));
    let again = bonus(MagicCard, seat(2), Some("Qh 5c 6d 7s Th"));
    let refusal = link.refuse(table, &again);
    is(&refusal, RefusalCode::CardTwice, &[("card", "Qh")]);
}

/// Returns the refusal of a link with this paytable and these settings.
fn refused(paytable: Paytable, settings: LinkSettings) -> Refusal {
    let terms = LinkTerms {
        settings,
        ..terms(paytable, "1.00")
    };
    match open(terms) {
        Err(Stop::Refused(refusal)) => refusal,
        other => Refusal::new(RefusalCode::UnknownHit).with("opened", format!("{other:?}")),
    }
}

/// A draw needs a pay, and a frequency of at least one in a million.
#[test]
fn settings_of_draws_out_of_range() {
    let card = |one_in| LinkSettings {
        magic_card_one_in: Some(one_in),
        ..LinkSettings::default()
    };
    let lucky = |one_in| LinkSettings {
        lucky_bonus_one_in: Some(one_in),
        ..LinkSettings::default()
    };
    let five_card = paytables::five_card_a;
    let refusal = refused(five_card(), card(10));
    is(
        &refusal,
        RefusalCode::BonusNotOffered,
        &[("kind", "magic_card")],
    );
    let refusal = refused(five_card(), lucky(10));
    is(
        &refusal,
        RefusalCode::BonusNotOffered,
        &[("kind", "lucky_bonus")],
    );
    for (value, text) in [(0, "0"), (1_000_001, "1000001")] {
        for (settings, field) in [
            (card(value), "magic_card_one_in"),
            (lucky(value), "lucky_bonus_one_in"),
        ] {
            let refusal = refused(paytables::hand_bonus(), settings);
            let fields = [(field, text), ("least", "1"), ("most", "1000000")];
            is(&refusal, RefusalCode::OutOfRange, &fields);
        }
    }
    for (bounds, value) in [(drawing(1), 1), (drawing(1_000_000), 1_000_000)] {
        let link = Link::open_with(bounds);
        assert_eq!(link.state.terms.settings.magic_card_one_in, Some(value));
    }
}
