//! The dry run of a proposal against its approval.

use meterhouse_domain::change::{Change, Effect};
use meterhouse_domain::command::{Command, PersonCommand};
use meterhouse_domain::decide::{DryRun, Stop, dry_run};
use meterhouse_domain::event::Event;
use meterhouse_domain::link::Move;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::state::LinkState;

use crate::auditor::Verdict;
use crate::evidence::claim;
use crate::play::Step;
use crate::world::Answer;

/// Says if the dry run before an approval is what the approval did: the same event and state, or the same refusal.
pub(crate) fn foretold(step: &Step<'_>) -> Verdict {
    let Command::Person(PersonCommand::Approve { proposal, .. }) = &step.envelope.command else {
        return Ok(());
    };
    let mut waiting = step.before.proposals.iter();
    let found = waiting.find(|open| open.propose.proposal == *proposal);
    let (Some(proposal), Some(last)) = (found, step.world.journal.last()) else {
        return Ok(());
    };
    let dry = dry_run(step.before, proposal, last.at);
    match (step.answer, dry) {
        (Answer::Caused(Event::ChangeApproved { effect, moves, .. }), Ok(dry)) => {
            let same = is_event(&dry, effect, moves);
            claim(same, || format!("{dry:?}, and then {effect:?} {moves:?}"))?;
            let late = matches!(proposal.propose.change, Change::LateHit(_));
            let (after, then) = (&dry.after, &step.world.state);
            let same = if late {
                is_books(after, then)
            } else {
                after == then
            };
            claim(same, || format!("{after:?}, and then {then:?}"))
        }
        (Answer::Refused(refusal), dry) => match (refusal.code, dry) {
            // Who approves is no matter of a dry run.
            (RefusalCode::SamePerson | RefusalCode::SameDepartment, _) => Ok(()),
            (code, Err(Stop::Refused(told))) if told.code == code => Ok(()),
            (code, dry) => Err(format!("{dry:?}, and then {code:?}")),
        },
        (Answer::Faulted, _) => Ok(()),
        (answer, dry) => Err(format!("{dry:?}, and then {answer:?}")),
    }
}

fn is_event(dry: &DryRun, effect: &Effect, moves: &[Move]) -> bool {
    dry.effect == *effect && dry.moves == moves
}

/// Compares all but the names of the people: a late hit is validated by the second person.
fn is_books(one: &LinkState, other: &LinkState) -> bool {
    one.balances == other.balances
        && one.lifetime == other.lifetime
        && one.standing == other.standing
        && one.resets == other.resets
        && one.paths == other.paths
        && one.last_order == other.last_order
}
