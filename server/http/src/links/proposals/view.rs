//! A proposal as people read it.

use meterhouse_edge::value;
use meterhouse_engine::view::{Decided, ProposalState, ProposalView};
use serde::Serialize;
use utoipa::ToSchema;

use crate::render::{At, ChangeView, EffectNow, Names};

/// What was proposed: the same whenever it is asked for, whatever became of it later.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProposalMade {
    /// The proposal.
    #[schema(examples("1b4e28ba-2fa1-41d2-883f-0016d3cca427"))]
    proposal: String,
    /// Its link.
    link: String,
    /// What should happen, under its key.
    #[serde(flatten)]
    change: ChangeView,
    /// Why.
    reason: String,
    /// Who proposed it.
    proposed_by: String,
    /// Of which department.
    proposed_department: String,
    /// When.
    proposed_at: At,
    /// Until when it can be approved.
    expires_at: At,
}

/// A proposal as it stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProposalNow {
    /// What was proposed.
    #[serde(flatten)]
    proposed: ProposalMade,
    /// `open`, `approved`, `declined` or `expired`.
    #[schema(value_type = String, examples("open"))]
    state: &'static str,
    /// Who approved or declined it.
    decided_by: Option<String>,
    /// Of which department.
    decided_department: Option<String>,
    /// When.
    decided_at: Option<At>,
    /// Why it was declined.
    note: Option<String>,
    /// What it did, once it was approved.
    effect: Option<EffectNow>,
}

/// What the second person decided: the same whenever it is asked for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Approval {
    /// The proposal.
    #[schema(examples("1b4e28ba-2fa1-41d2-883f-0016d3cca427"))]
    proposal: String,
    /// Its link.
    link: String,
    /// `approve` or `decline`.
    #[schema(value_type = String)]
    decision: &'static str,
    /// Who decided.
    by: Option<String>,
    /// Of which department.
    department: Option<String>,
    /// When.
    at: Option<At>,
    /// Why it was declined.
    note: Option<String>,
    /// What it did.
    effect: Option<EffectNow>,
}

impl ProposalMade {
    pub(super) fn new(view: &ProposalView) -> Self {
        Self {
            proposal: value::proposal_text(view.id),
            link: view.link.to_string(),
            change: ChangeView::proposed(&view.change),
            reason: view.reason.to_string(),
            proposed_by: view.proposed.by.clone(),
            proposed_department: view.proposed.department.to_string(),
            proposed_at: At(view.proposed.at),
            expires_at: At(view.expires_at),
        }
    }
}

impl ProposalNow {
    pub(super) fn new(names: Names<'_>, view: &ProposalView) -> Self {
        let decided = view.decided.as_ref();
        Self {
            proposed: ProposalMade::new(view),
            state: view.state.name(),
            decided_by: decided.map(|it| it.act.by.clone()),
            decided_department: decided.map(|it| it.act.department.to_string()),
            decided_at: decided.map(|it| At(it.act.at)),
            note: decided.and_then(note),
            effect: view.effect.as_ref().map(|it| EffectNow::seen(names, it)),
        }
    }
}

impl Approval {
    pub(super) fn new(names: Names<'_>, view: &ProposalView) -> Self {
        let decided = view.decided.as_ref();
        let declined = view.state == ProposalState::Declined;
        Self {
            proposal: value::proposal_text(view.id),
            link: view.link.to_string(),
            decision: if declined { "decline" } else { "approve" },
            by: decided.map(|it| it.act.by.clone()),
            department: decided.map(|it| it.act.department.to_string()),
            at: decided.map(|it| At(it.act.at)),
            note: decided.and_then(note),
            effect: view.effect.as_ref().map(|it| EffectNow::seen(names, it)),
        }
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
        serde_json::to_value(ProposalMade::new(&proposal(change))).expect("plain data")
    }

    #[test]
    fn a_change_stands_under_its_key_as_it_was_sent() {
        let clear = made(ProposedChange::ClearFault);
        assert_eq!(
            clear,
            json!({
                "proposal": "1b1b1b1b-1b1b-1b1b-1b1b-1b1b1b1b1b1b",
                "link": "main",
                "clear_fault": {},
                "reason": "found",
                "proposed_by": "sam",
                "proposed_department": "slots",
                "proposed_at": "1970-01-01T00:00:00.000000Z",
                "expires_at": "1970-01-02T00:00:00.000000Z",
            })
        );
        let hit = value::hit("hit", "C4P-07.4713.2").expect("a hit");
        let correct = made(ProposedChange::Correct { hit });
        assert_eq!(correct["correct"], json!({"hit": "C4P-07.4713.2"}));
        let adjust = made(ProposedChange::Adjust {
            level: "mega".parse().expect("a name"),
            account: AdjustedAccount::Meter,
            amount: meterhouse_edge::amount::parse_signed("amount", "-1.50").expect("an amount"),
        });
        let expected = json!({"level": "mega", "account": "meter", "amount": "-1.50"});
        assert_eq!(adjust["adjust"], expected);
        let late = made(ProposedChange::LateHit {
            table: "C4P-07".parse().expect("a name"),
            round: Sequence(4711),
            holder: Holder::Dealer,
            hand: Hand::Flush,
            cards: None,
        });
        let expected = json!({"table": "C4P-07", "round": 4711, "seat": null, "dealer": true,
            "hand": "flush", "cards": null});
        assert_eq!(late["late_hit"], expected);
    }
}
