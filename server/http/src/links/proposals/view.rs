//! A proposal, from the engine's view.

use meterhouse_api::change::{Approval, Proposal, ProposalMade};
use meterhouse_api::text::Text;
use meterhouse_api::words;
use meterhouse_engine::view::{Decided, ProposalState, ProposalView};

use crate::render::change::{effect, proposed_change};
use crate::render::names::Names;

/// Returns a proposal as it was made.
pub(super) fn proposal_made(view: &ProposalView) -> ProposalMade {
    ProposalMade {
        proposal: Text(view.id),
        link: Text(view.link.clone()),
        change: proposed_change(&view.change),
        reason: view.reason.to_string(),
        proposed_by: view.proposed.by.clone(),
        proposed_department: Text(view.proposed.department.clone()),
        proposed_at: Text(view.proposed.at),
        expires_at: Text(view.expires_at),
    }
}

/// Returns a proposal in its present state.
pub(super) fn proposal(names: Names<'_>, view: &ProposalView) -> Proposal {
    let decided = view.decided.as_ref();
    Proposal {
        made: proposal_made(view),
        state: match view.state {
            ProposalState::Open => words::ProposalState::Open,
            ProposalState::Approved => words::ProposalState::Approved,
            ProposalState::Declined => words::ProposalState::Declined,
            ProposalState::Expired => words::ProposalState::Expired,
        },
        decided_by: decided.map(|decided| decided.act.by.clone()),
        decided_department: decided.map(|decided| Text(decided.act.department.clone())),
        decided_at: decided.map(|decided| Text(decided.act.at)),
        note: decided.and_then(note),
        effect: view.effect.as_ref().map(|view| effect(names, view)),
    }
}

/// Returns the decision of the second person.
pub(super) fn approval(names: Names<'_>, view: &ProposalView) -> Approval {
    let decided = view.decided.as_ref();
    Approval {
        proposal: Text(view.id),
        link: Text(view.link.clone()),
        decision: if view.state == ProposalState::Declined {
            words::ProposalDecision::Decline
        } else {
            words::ProposalDecision::Approve
        },
        by: decided.map(|decided| decided.act.by.clone()),
        department: decided.map(|decided| Text(decided.act.department.clone())),
        at: decided.map(|decided| Text(decided.act.at)),
        note: decided.and_then(note),
        effect: view.effect.as_ref().map(|view| effect(names, view)),
    }
}

fn note(decided: &Decided) -> Option<String> {
    decided.reason.as_ref().map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::change::AdjustedAccount;
    use meterhouse_domain::command::Holder;
    use meterhouse_domain::hand::Hand;
    use meterhouse_domain::ids::{ProposalId, Sequence, Timestamp};
    use meterhouse_domain::money::Money;
    use meterhouse_engine::view::{Act, ProposedChange};
    use serde_json::{Value, json};

    use super::*;

    fn proposal(change: ProposedChange) -> ProposalView {
        ProposalView {
            id: ProposalId([0x1b; 16]),
            link: "main".parse().expect("a name"),
            state: ProposalState::Open,
            change,
            reason: "found".parse().expect("a text"),
            proposed: Act {
                by: "sam".to_owned(),
                department: "slots".parse().expect("a name"),
                at: Timestamp(0),
            },
            expires_at: Timestamp(86_400_000_000),
            decided: None,
            effect: None,
        }
    }

    fn made(change: ProposedChange) -> Value {
        serde_json::to_value(proposal_made(&proposal(change))).expect("plain data")
    }

    #[test]
    fn a_change_is_flat_as_it_was_sent() {
        let clear = made(ProposedChange::ClearFault);
        assert_eq!(
            clear,
            json!({
                "proposal": "1b1b1b1b-1b1b-1b1b-1b1b-1b1b1b1b1b1b",
                "link": "main",
                "change": "clear_fault",
                "reason": "found",
                "proposed_by": "sam",
                "proposed_department": "slots",
                "proposed_at": "1970-01-01T00:00:00.000000Z",
                "expires_at": "1970-01-02T00:00:00.000000Z",
            })
        );
        let hit = "C4P-07.4713.2".parse().expect("a hit");
        let correct = made(ProposedChange::Correct { hit });
        assert_eq!(
            (&correct["change"], &correct["hit"]),
            (&json!("correct"), &json!("C4P-07.4713.2"))
        );
        let adjust = made(ProposedChange::Adjust {
            level: "mega".parse().expect("a name"),
            account: AdjustedAccount::Meter,
            amount: Money::from_micros(-1_500_000),
        });
        assert_eq!(
            [
                &adjust["change"],
                &adjust["level"],
                &adjust["account"],
                &adjust["amount"]
            ],
            ["adjust", "mega", "meter", "-1.50"]
        );
        let late = made(ProposedChange::LateHit {
            table: "C4P-07".parse().expect("a name"),
            round: Sequence(4711),
            holder: Holder::Dealer,
            hand: Hand::Flush,
            cards: None,
        });
        assert_eq!(
            [&late["change"], &late["table"], &late["hand"]],
            ["late_hit", "C4P-07", "flush"]
        );
        assert_eq!(
            (&late["round"], &late["dealer"]),
            (&json!(4711), &json!(true))
        );
        assert!(late.get("seat").is_none() && late.get("cards").is_none());
    }
}
