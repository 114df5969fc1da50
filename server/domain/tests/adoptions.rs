//! Tables of fixed wagers that two people adopt: what is adopted, what needs no adoption, and the bounds.

use core::fmt::Debug;
use core::str::FromStr;

use meterhouse_domain::adopted::{ADOPTED_MAX, AdoptedTable, ChosenReading, Returned};
use meterhouse_domain::change::{Change, Effect};
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::returns::Fraction;

#[expect(dead_code, reason = "every file of tests uses its part of it")]
#[path = "support/people.rs"]
mod people;
#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use people::{FINANCE, MANAGER, approve, both, propose};
use support::{Link, SUPERVISOR, is, paytables};

#[expect(
    clippy::unwrap_used,
    reason = "names and returns of these tests are well"
)]
fn value<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

/// Returns a table with this return.
fn printed(table: &str, returns: &str) -> AdoptedTable {
    AdoptedTable {
        table: value(table),
        reading: None,
        returns: value(returns),
    }
}

/// Returns a table read with this return.
fn read(table: &str, returns: &str) -> AdoptedTable {
    AdoptedTable {
        reading: Some(ChosenReading {
            name: value("queens-or-better"),
            letter: value("PGCB-2026-118"),
        }),
        ..printed(table, returns)
    }
}

fn adopt(table: &AdoptedTable) -> Change {
    Change::AdoptTable(Box::new(table.clone()))
}

fn link() -> Link {
    Link::open(paytables::five_card_a(), "1.00")
}

#[track_caller]
fn refused(link: &mut Link, table: &AdoptedTable) -> RefusalCode {
    let refusal = link.refuse_person_as(SUPERVISOR, Some("Miller"), propose(9, adopt(table)));
    refusal.code
}

/// A return is rounded up to a millionth of the wager, and its text is read as it is written.
#[test]
fn a_return_is_a_percentage_with_four_decimals() {
    for (text, ppm) in [
        ("0%", 0),
        ("98.3012%", 983_012),
        ("98.5%", 985_000),
        ("119%", 1_190_000),
        ("0.0001%", 1),
    ] {
        let returned: Returned = value(text);
        assert_eq!(returned, Returned { ppm }, "{text}");
        assert_eq!(returned.to_string(), text);
    }
    for text in [
        "",
        "%",
        "98",
        "98.%",
        ".5%",
        "98.30125%",
        "-1%",
        "1e2%",
        "42949673%",
    ] {
        assert!(text.parse::<Returned>().is_err(), "{text}");
    }
    let of = |numerator, denominator| Returned::of_hold(Fraction::new(numerator, denominator));
    assert_eq!(of(0, 1), Some(Returned { ppm: 1_000_000 }));
    assert_eq!(of(1, 3), Some(Returned { ppm: 666_667 }));
    assert_eq!(of(-1, 3), Some(Returned { ppm: 1_333_334 }));
    assert_eq!(of(-1, 1_000_000_000), Some(Returned { ppm: 1_000_001 }));
    assert_eq!(of(-5_000, 1), None);
    assert!(!Returned { ppm: 1_000_000 }.exceeds_wager());
    assert!(Returned { ppm: 1_000_001 }.exceeds_wager());
}

/// A reading and a print that returns more are kept until the table pays its print again, or returns no more.
#[test]
fn an_adopted_table_is_kept_until_another_takes_its_place() {
    let mut link = link();
    let (one, rich) = (read("pa-b", "95.5%"), printed("pa-a", "119%"));
    let balances = link.state.balances.clone();
    let effect = both(&mut link, adopt(&one));
    let expected = Effect::TableAdopted {
        adopted: Box::new(one.clone()),
        before: None,
    };
    assert_eq!(effect, expected);
    drop(both(&mut link, adopt(&rich)));
    assert_eq!(
        *link.state.adopted,
        [rich.clone(), one.clone()],
        "by their ids"
    );
    for again in [&one, &rich] {
        assert_eq!(refused(&mut link, again), RefusalCode::NothingToAdopt);
    }
    // The file of the table was changed: it returns otherwise, and is adopted anew.
    let changed = read("pa-b", "96%");
    let effect = both(&mut link, adopt(&changed));
    let expected = Effect::TableAdopted {
        adopted: Box::new(changed.clone()),
        before: Some(Box::new(one)),
    };
    assert_eq!(effect, expected);
    drop(both(&mut link, adopt(&printed("pa-b", "74%"))));
    assert_eq!(*link.state.adopted, [rich]);
    drop(both(&mut link, adopt(&printed("pa-a", "100%"))));
    assert!(link.state.adopted.is_empty());
    assert_eq!(
        refused(&mut link, &printed("pa-a", "100%")),
        RefusalCode::NothingToAdopt
    );
    assert_eq!(link.state.balances, balances);
}

/// Wagers of an open round were placed on the table as it was.
#[test]
fn a_table_is_adopted_between_rounds() {
    let mut link = link();
    let table = link.table();
    let change = adopt(&printed("pa-a", "119%"));
    link.person_as(SUPERVISOR, Some("Miller"), propose(1, change));
    link.coin_in(table, &[1]);
    let refusal = link.refuse_person_as(MANAGER, Some("Smith"), approve(1, FINANCE));
    let name = link.state.table(table).unwrap().name.to_string();
    is(
        &refusal,
        RefusalCode::RoundsOpen,
        &[("table", &name), ("rounds", "1")],
    );
    assert!(link.state.adopted.is_empty());
}

/// One more table than the bound is refused; another form of an adopted one is not.
#[test]
fn a_link_adopts_a_bounded_number_of_tables() {
    let mut link = link();
    for number in 0..ADOPTED_MAX {
        drop(both(
            &mut link,
            adopt(&printed(&format!("pa-{number}"), "119%")),
        ));
    }
    assert_eq!(
        refused(&mut link, &printed("pa-x", "119%")),
        RefusalCode::TooManyAdopted
    );
    drop(both(&mut link, adopt(&read("pa-0", "95%"))));
    assert_eq!(link.state.adopted.len(), ADOPTED_MAX);
}
