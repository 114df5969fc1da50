//! Two people (RULES §1.5, CONFORMANCE 33 and 58): the persons who may approve, the deadline, and the effects of
//! adjusting and clearing a fault.

use std::sync::Arc;

use meterhouse_domain::change::{AdjustedAccount, Change, Effect};
use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::decide::Decision;
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{ActorId, Badge, Timestamp};
use meterhouse_domain::link::{Account, LinkSettings, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_domain::rate::Rate;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::state::PROPOSALS_MAX;

#[path = "support/people.rs"]
mod people;
#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use people::{
    FINANCE, FLOOR, MANAGER, adjust, approve, both, decline, id, propose, refused, standing,
};
use support::{Link, SUPERVISOR, dollars, paytables, terms};

/// A day, in microseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// Returns a link with a proposal to add 1.50 to its meter, by the supervisor of the floor.
fn proposed() -> Link {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let change = adjust(AdjustedAccount::Meter, "1.50");
    link.person_as(SUPERVISOR, Some("Miller"), propose(1, change));
    assert_eq!(link.meter(), "10000.00");
    link
}

/// CONFORMANCE 33: two people of two departments, both recorded.
#[test]
fn another_person_of_another_department_approves() {
    let mut link = proposed();
    let waiting = &link.state.proposals[0];
    assert_eq!(waiting.actor, SUPERVISOR);
    assert_eq!(waiting.by.as_ref().map(Badge::as_str), Some("Miller"));
    assert_eq!(waiting.proposed_at, link.at);
    assert_eq!(waiting.expires_at, Timestamp(link.at.0 + DAY));
    for (actor, by, department, code) in [
        (SUPERVISOR, "Smith", FINANCE, RefusalCode::SamePerson),
        (MANAGER, "Miller", FINANCE, RefusalCode::SamePerson),
        (MANAGER, "MILLER", FINANCE, RefusalCode::SamePerson),
        (MANAGER, "Smith", FLOOR, RefusalCode::SameDepartment),
        (MANAGER, "Smith", "Floor", RefusalCode::SameDepartment),
    ] {
        let refusal = link.refuse_person_as(actor, Some(by), approve(1, department));
        assert_eq!(refusal.code, code, "{by} of {department}");
        assert_eq!(link.meter(), "10000.00");
    }
    let decision = link.person_as(MANAGER, Some("Smith"), approve(1, FINANCE));
    let Decision::Event(Event::ChangeApproved {
        department, effect, ..
    }) = decision
    else {
        return assert_eq!(link.meter(), "approved");
    };
    assert_eq!(department.as_str(), FINANCE);
    // CONFORMANCE 58: before and after are in the event, the reason in the proposal.
    let expected = Effect::Adjusted {
        level: 0,
        account: AdjustedAccount::Meter,
        before: dollars("10,000.00"),
        after: dollars("10,001.50"),
    };
    assert_eq!(*effect, expected);
    assert_eq!(link.meter(), "10001.50");
    assert!(link.state.proposals.is_empty());
}

#[test]
fn a_proposal_waits_a_day() {
    let mut link = proposed();
    let proposed_at = link.at;
    link.at = Timestamp(proposed_at.0 + DAY);
    for command in [approve(1, FINANCE), decline(1, FINANCE)] {
        let refusal = link.refuse_person(MANAGER, command);
        assert_eq!(refusal.code, RefusalCode::ProposalExpired);
    }
    link.at = Timestamp(proposed_at.0 + DAY - 1);
    link.person(MANAGER, approve(1, FINANCE));
    assert_eq!(link.meter(), "10001.50");
}

/// A proposal that the server declined after its day is not approved by a clock that is set back.
#[test]
fn a_clock_set_back_revives_no_proposal() {
    let mut link = proposed();
    let proposed_at = link.at;
    link.at = Timestamp(proposed_at.0 + DAY);
    link.person(ActorId::SERVER, decline(1, "meterhouse"));
    link.at = proposed_at;
    let refusal = link.refuse_person(MANAGER, approve(1, FINANCE));
    assert_eq!(refusal.code, RefusalCode::UnknownProposal);
    assert_eq!(link.meter(), "10000.00");
}

#[test]
fn any_of_the_persons_may_decline_a_proposal() {
    for (actor, department) in [(SUPERVISOR, FLOOR), (MANAGER, FINANCE)] {
        let mut link = proposed();
        link.person(actor, decline(1, department));
        assert!(link.state.proposals.is_empty());
        for command in [approve(1, FINANCE), decline(1, FINANCE)] {
            let refusal = link.refuse_person(MANAGER, command);
            assert_eq!(refusal.code, RefusalCode::UnknownProposal);
        }
    }
}

#[test]
fn the_same_proposal_again_changes_nothing() {
    let mut link = proposed();
    let before = link.state.clone();
    let same = propose(1, adjust(AdjustedAccount::Meter, "1.50"));
    assert_eq!(link.person(SUPERVISOR, same.clone()), Decision::AlreadyDone);
    assert_eq!(link.state, before);
    let other = propose(1, adjust(AdjustedAccount::Meter, "1.60"));
    for (actor, command) in [(SUPERVISOR, other), (MANAGER, same)] {
        let refusal = link.refuse_person(actor, command);
        assert_eq!(refusal.code, RefusalCode::ProposalClosed);
    }
}

/// The number of waiting proposals is limited; an expired one makes room.
#[test]
fn the_number_of_waiting_proposals_is_limited() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let change = || adjust(AdjustedAccount::Meter, "1.50");
    for number in (1..).take(PROPOSALS_MAX) {
        link.person(SUPERVISOR, propose(number, change()));
    }
    let code = link.refuse_person(SUPERVISOR, propose(200, change())).code;
    assert_eq!(code, RefusalCode::TooManyProposals);
    link.at = Timestamp(link.at.0 + DAY);
    link.person(SUPERVISOR, propose(200, change()));
    assert_eq!(link.state.proposals.len(), 1);
}

/// Up and down, meter and reserve: the house gives and takes.
#[test]
fn adjustments_go_up_and_down() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    for (account, amount) in [
        (AdjustedAccount::Meter, "250.00"),
        (AdjustedAccount::Meter, "-10,249.999999"),
        (AdjustedAccount::Reserve, "80.00"),
        (AdjustedAccount::Reserve, "-80.00"),
        (AdjustedAccount::Reserve, "0.005"),
    ] {
        both(&mut link, adjust(account, amount));
    }
    assert_eq!(link.meter(), "0.000001");
    assert_eq!(link.of(Account::Reserve), "0.005");
    assert_eq!(link.of(Account::House), "-0.005001");
    assert!(standing(&link.state).is_empty());
}

/// An amount over a ceiling goes to the overflow, as in all events.
#[test]
fn an_adjustment_over_a_ceiling_goes_to_the_overflow() {
    let mut link = Link::open_with(LinkTerms {
        settings: LinkSettings {
            ceilings: vec![Some(dollars("10,001.00"))],
            ..LinkSettings::default()
        },
        ..terms(paytables::hand_bonus(), "1.00")
    });
    let effect = both(&mut link, adjust(AdjustedAccount::Meter, "1.50"));
    let Effect::Adjusted { after, .. } = effect else {
        return assert_eq!(link.meter(), "adjusted");
    };
    assert_eq!(after, dollars("10,001.00"));
    assert_eq!(link.meter(), "10001.00");
    assert_eq!(link.of(Account::Overflow), "0.50");
}

#[test]
fn impossible_adjustments_are_refused() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let no_level = Change::Adjust {
        level: 1,
        account: AdjustedAccount::Meter,
        amount: Money::DOLLAR,
    };
    let meter = AdjustedAccount::Meter;
    for (change, code) in [
        (no_level, RefusalCode::NoSuchLevel),
        (adjust(meter, "0.00"), RefusalCode::OutOfRange),
        (adjust(meter, "100,000,000.01"), RefusalCode::OutOfRange),
        (adjust(meter, "-100,000,000.01"), RefusalCode::OutOfRange),
        (adjust(meter, "-10,000.000001"), RefusalCode::BalanceTooLow),
        (
            adjust(AdjustedAccount::Reserve, "-0.01"),
            RefusalCode::BalanceTooLow,
        ),
    ] {
        assert_eq!(refused(&mut link, change.clone()), code, "{change:?}");
    }
}

/// A change is checked when proposed, and decided on the state when approved.
#[test]
fn a_change_is_decided_on_the_state_when_it_is_approved() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let all = || adjust(AdjustedAccount::Meter, "-10,000.00");
    link.person(SUPERVISOR, propose(2, all()));
    both(&mut link, all());
    let refusal = link.refuse_person(MANAGER, approve(2, FINANCE));
    assert_eq!(refusal.code, RefusalCode::BalanceTooLow);
    assert_eq!(link.state.proposals.len(), 1);
}

/// CONFORMANCE 44: only people clear a fault, and the balances stay.
#[test]
fn two_people_clear_a_fault() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let code = refused(&mut link, Change::ClearFault);
    assert_eq!(code, RefusalCode::NotFaulted);
    link.state.fault = Some(Arc::from("the books differ"));
    let fault = "the books differ".to_owned();
    let effect = both(&mut link, Change::ClearFault);
    assert_eq!(effect, Effect::FaultCleared { fault });
    assert_eq!(link.state.fault, None);
    assert_eq!(link.meter(), "10000.00");
}

/// A link whose paytable returns more than the wager takes no coin-in until two people have acknowledged the return,
/// once.
#[test]
fn two_people_acknowledge_the_returns() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let code = refused(&mut link, Change::AcknowledgeReturns);
    assert_eq!(code, RefusalCode::NothingToAcknowledge);

    // Paytable A with 70% for the meter: with its fixed pays from the rack it returns more than the wager.
    let mut paytable = paytables::five_card_a();
    paytable.content.levels[0].primary = Rate::from_ppm(700_000).unwrap();
    let mut link = Link::just_opened(terms(paytable, "1.00"));
    let values = support::first_values(&link.state.terms);
    link.person(SUPERVISOR, support::accept(values));
    let table = link.table();
    let coin_in = support::coin_in_of(&[1], dollars("1.00"));
    let refusal = link.refuse(table, &coin_in);
    assert_eq!(refusal.code, RefusalCode::ReturnsNotAcknowledged);
    assert_eq!(link.meter(), "10000.00");
    let effect = both(&mut link, Change::AcknowledgeReturns);
    assert_eq!(effect, Effect::ReturnsAcknowledged);
    link.play(table, &coin_in);
    assert_eq!(link.meter(), "10000.70");
    let code = refused(&mut link, Change::AcknowledgeReturns);
    assert_eq!(code, RefusalCode::NothingToAcknowledge);
}

/// Two people without a name at their tokens are distinguished by the tokens.
#[test]
fn people_without_names_are_distinguished_by_their_tokens() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let change = adjust(AdjustedAccount::Meter, "1.50");
    link.person(SUPERVISOR, propose(1, change));
    let refusal = link.refuse_person(SUPERVISOR, approve(1, FINANCE));
    assert_eq!(refusal.code, RefusalCode::SamePerson);
    let approve = PersonCommand::Approve {
        proposal: id(1),
        department: link.state.proposals[0].propose.department.clone(),
    };
    let refusal = link.refuse_person(ActorId(9), approve);
    assert_eq!(refusal.code, RefusalCode::SameDepartment);
}
