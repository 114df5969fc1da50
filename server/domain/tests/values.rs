//! The first values of a link (CONFORMANCE 39): a manager accepts them in a command of their own before the link
//! plays.

use meterhouse_domain::change::{AdjustedAccount, Change};
use meterhouse_domain::command::{LevelValue, PersonCommand};
use meterhouse_domain::decide::Decision;
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{ActorId, TableNo};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};

#[path = "support/people.rs"]
#[expect(dead_code, reason = "every file of tests uses its part of it")]
mod people;
#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use people::{adjust, propose};
use support::{Link, SUPERVISOR, accept, coin_in_of, first_values, is, paytables, terms};

/// The token of the manager.
const MANAGER: ActorId = ActorId(3);

/// Returns a link of three levels at five dollars without acceptance, with a table.
fn opened() -> (Link, TableNo) {
    let mut link = Link::just_opened(terms(paytables::five_card_c(), "5.00"));
    let table = link.table();
    (link, table)
}

fn refused(link: &mut Link, values: Vec<LevelValue>) -> Refusal {
    link.refuse_person(MANAGER, accept(values))
}

/// A table joins, and plays once the values are accepted, in any order of the levels.
#[test]
fn no_coin_in_before_the_first_values_are_accepted() {
    let (mut link, table) = opened();
    let coin_in = coin_in_of(&[1], link.state.terms.wager);
    let refusal = link.refuse(table, &coin_in);
    is(&refusal, RefusalCode::ValuesNotAccepted, &[]);
    let mut values = first_values(&link.state.terms);
    values.reverse();
    let accepted = link.person(MANAGER, accept(values));
    let amounts: Vec<Money> = ["50000.00", "5000.00", "1250.00"]
        .map(support::dollars)
        .into();
    let event = Event::ValuesAccepted { values: amounts };
    assert_eq!(accepted, Decision::Event(event));
    link.play(table, &coin_in);
}

/// Every level once, with exactly its opening amount: the refusal names the first level that differs.
#[test]
fn values_that_differ_are_refused_by_level() {
    let (mut link, _) = opened();
    let right = first_values(&link.state.terms);
    let mut wrong = right.clone();
    wrong[1].amount = support::dollars("5000.01");
    let fields = [("level", "major"), ("opened_with", "5000.00")];
    let of_amount = [fields[0], fields[1], ("amount", "5000.01")];
    is(
        &refused(&mut link, wrong.clone()),
        RefusalCode::ValuesDiffer,
        &of_amount,
    );
    let of_none = [fields[0], fields[1], ("named", "0")];
    let without = vec![right[0], right[2]];
    is(
        &refused(&mut link, without),
        RefusalCode::ValuesDiffer,
        &of_none,
    );
    let of_two = [fields[0], fields[1], ("named", "2")];
    let twice = [right.clone(), vec![right[1]]].concat();
    is(
        &refused(&mut link, twice),
        RefusalCode::ValuesDiffer,
        &of_two,
    );
    let mut strange = right.clone();
    strange[2].level = 3;
    assert_eq!(refused(&mut link, strange).code, RefusalCode::NoSuchLevel);
    assert!(!link.state.values_accepted);

    link.person(MANAGER, accept(right.clone()));
    assert_eq!(
        link.person(SUPERVISOR, accept(right)),
        Decision::AlreadyDone
    );
    is(
        &refused(&mut link, wrong),
        RefusalCode::ValuesDiffer,
        &of_amount,
    );
}

/// Two people adjust nothing before a manager has accepted the values, not even on a faulted link.
#[test]
fn no_adjustment_before_the_first_values_are_accepted() {
    let (mut link, _) = opened();
    let up = || propose(1, adjust(AdjustedAccount::Meter, "1.00"));
    let refusal = link.refuse_person(SUPERVISOR, up());
    is(&refusal, RefusalCode::ValuesNotAccepted, &[]);
    let reason = "the journal lost its end".to_owned();
    link.person(SUPERVISOR, PersonCommand::FaultLink { reason });
    let refusal = link.refuse_person(SUPERVISOR, up());
    is(&refusal, RefusalCode::ValuesNotAccepted, &[]);
    people::both(&mut link, Change::ClearFault);
    let values = first_values(&link.state.terms);
    link.person(MANAGER, accept(values));
    people::both(&mut link, adjust(AdjustedAccount::Meter, "1.00"));
}

/// A link that was opened before the rule has nothing to accept, and plays.
#[test]
fn a_link_of_an_older_journal_needs_no_acceptance() {
    let mut terms = terms(paytables::five_card_a(), "1.00");
    let Ok(Event::LinkOpened { terms: now, moves }) =
        meterhouse_domain::decide::open(terms.clone())
    else {
        unreachable!()
    };
    assert!(now.must_accept_values);
    terms.must_accept_values = false;
    let mut link = Link::just_opened(terms.clone());
    let state = meterhouse_domain::apply::opened(&terms, &moves);
    link.state = state.unwrap_or_else(|| unreachable!());
    let table = link.table();
    link.coin_in(table, &[1]);
    let values = first_values(&terms);
    assert_eq!(link.person(MANAGER, accept(values)), Decision::AlreadyDone);
}
