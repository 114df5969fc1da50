//! Commands of two people for the tests.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a command of these tests that is answered in another way than they say fails them"
)]

use meterhouse_domain::change::{AdjustedAccount, Change, Effect, Propose};
use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::decide::Decision;
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{ActorId, ProposalId};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::state::{Hit, LinkState, Round};

use super::support::{Link, SUPERVISOR, dollars};

/// The token of the second person.
pub(crate) const MANAGER: ActorId = ActorId(3);
/// The department of the first person.
pub(crate) const FLOOR: &str = "floor";
/// The department of the second person.
pub(crate) const FINANCE: &str = "finance";

/// Returns the id of a proposal.
pub(crate) const fn id(number: u8) -> ProposalId {
    ProposalId([number; 16])
}

/// Returns a proposal of the floor.
pub(crate) fn propose(number: u8, change: Change) -> PersonCommand {
    PersonCommand::Propose(Box::new(Propose {
        proposal: id(number),
        department: FLOOR.parse().unwrap(),
        reason: "as the camera shows".parse().unwrap(),
        change,
    }))
}

/// Returns an approval of a department.
pub(crate) fn approve(number: u8, department: &str) -> PersonCommand {
    PersonCommand::Approve {
        proposal: id(number),
        department: department.parse().unwrap(),
    }
}

/// Returns a decline by a person of a department.
pub(crate) fn decline(number: u8, department: &str) -> PersonCommand {
    PersonCommand::Decline {
        proposal: id(number),
        department: department.parse().unwrap(),
        reason: "not so".parse().unwrap(),
    }
}

/// Returns an adjustment of the first level; a minus sign takes away.
pub(crate) fn adjust(account: AdjustedAccount, amount: &str) -> Change {
    let amount = match amount.strip_prefix('-') {
        Some(down) => Money::ZERO.minus(dollars(down)).unwrap(),
        None => dollars(amount),
    };
    Change::Adjust {
        level: 0,
        account,
        amount,
    }
}

/// Proposes as a supervisor and approves as a manager of another department; returns the effect.
pub(crate) fn both(link: &mut Link, change: Change) -> Effect {
    link.person_as(SUPERVISOR, Some("supervisor-1"), propose(1, change));
    let approved = link.person_as(MANAGER, Some("manager-1"), approve(1, FINANCE));
    let Decision::Event(Event::ChangeApproved { effect, .. }) = approved else {
        panic!("not approved: {approved:?}");
    };
    *effect
}

/// Returns the code of the refusal of an impossible proposal.
pub(crate) fn refused(link: &mut Link, change: Change) -> RefusalCode {
    link.refuse_person(SUPERVISOR, propose(1, change)).code
}

/// Returns every hit that stands, of open rounds and kept of closed ones.
pub(crate) fn standing(state: &LinkState) -> Vec<&Hit> {
    let rounds = state.tables.iter().filter_map(|table| table.round.as_ref());
    let open = rounds.flat_map(Round::standing_hits);
    let closed = state.closed.iter().map(|closed| &closed.hit);
    open.chain(closed.filter(|hit| hit.stands())).collect()
}
