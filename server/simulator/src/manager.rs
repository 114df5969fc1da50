//! The operations of managers, and of two people: suspend and resume links, disable and enable levels, and change links
//! by proposal and approval.

use meterhouse_api::change::{Approval, Change, Effect, ProposalDecisionRequest, ProposalRequest};
use meterhouse_api::link::{Link, ReasonRequest};
use meterhouse_api::text::Text;
use meterhouse_api::values::ProposalId;
use meterhouse_api::words::{LinkState, ProposalDecision};
use meterhouse_domain::ids;

use crate::context::RunContext;
use crate::error::SimulatorError;
use crate::plan::LinkPlan;
use crate::probabilities::stable_hash;

/// A change that a manager proposes, and a person of another department approves.
pub(crate) struct TwoPersonChange<'a> {
    pub(crate) link: &'a str,
    pub(crate) reason: &'a str,
    pub(crate) change: Change,
    /// The token of the person who approves. The manager may not approve.
    pub(crate) approver: &'a str,
    /// A text that no other proposal of this server has. The id of the proposal is derived from the text.
    pub(crate) occasion: &'a str,
}

/// Proposes a change as the manager, and approves the change as the second person. Returns the effect.
pub(crate) async fn propose_and_approve(
    context: &RunContext,
    change: TwoPersonChange<'_>,
) -> Result<Option<Effect>, SimulatorError> {
    let proposal = proposal_id(context.plan.seed, change.occasion);
    let path = format!("/v1/links/{}/proposals/{proposal}", change.link);
    let body = ProposalRequest {
        change: change.change,
        reason: change.reason.parse()?,
    };
    let client = &context.client;
    let reply = client.put(&context.tokens.manager, path.clone(), &body);
    reply.await?.done()?;
    let body = ProposalDecisionRequest {
        decision: ProposalDecision::Approve,
        note: None,
    };
    let path = format!("{path}/approval");
    let reply = client.put(change.approver, path, &body).await?;
    Ok(reply.read::<Approval>()?.effect)
}

/// Suspends a link: coin-ins are refused.
pub(crate) async fn suspend(
    context: &RunContext,
    link: &str,
    reason: &str,
) -> Result<(), SimulatorError> {
    put_reason(context, format!("/v1/links/{link}/suspension"), reason).await
}

/// Resumes a suspended link.
pub(crate) async fn resume(context: &RunContext, link: &str) -> Result<(), SimulatorError> {
    delete(context, format!("/v1/links/{link}/suspension")).await
}

/// Disables a level.
pub(crate) async fn disable_level(
    context: &RunContext,
    link: &str,
    level: &str,
    reason: &str,
) -> Result<(), SimulatorError> {
    let path = format!("/v1/links/{link}/levels/{level}/disabled");
    put_reason(context, path, reason).await
}

/// Enables a disabled level.
pub(crate) async fn enable_level(
    context: &RunContext,
    link: &str,
    level: &str,
) -> Result<(), SimulatorError> {
    delete(context, format!("/v1/links/{link}/levels/{level}/disabled")).await
}

/// Resumes the links and enables the levels that a killed run left suspended or disabled.
pub(crate) async fn restore_links(context: &RunContext) -> Result<(), SimulatorError> {
    for LinkPlan { link, .. } in &context.plan.links {
        let path = format!("/v1/links/{link}");
        let open: Link = context.client.get(&context.tokens.manager, path).await?;
        if matches!(open.state, LinkState::Suspended | LinkState::Closed) {
            tracing::info!(link.name = link, "resuming a link that was left suspended");
            resume(context, link).await?;
        }
        for level in open.levels.iter().filter(|level| level.disabled) {
            let level = level.level.as_str();
            tracing::info!(
                link.name = link,
                level,
                "enabling a level that was left disabled"
            );
            enable_level(context, link, level).await?;
        }
    }
    Ok(())
}

async fn put_reason(
    context: &RunContext,
    path: String,
    reason: &str,
) -> Result<(), SimulatorError> {
    let reason = reason.parse()?;
    let body = ReasonRequest { reason };
    let reply = context.client.put(&context.tokens.manager, path, &body);
    Ok(reply.await?.done()?)
}

async fn delete(context: &RunContext, path: String) -> Result<(), SimulatorError> {
    let reply = context.client.delete(&context.tokens.manager, path);
    Ok(reply.await?.done()?)
}

/// Returns the id of a proposal: the name-based UUID of its occasion (RFC 9562, version 8). The same occasion always has
/// the same UUID.
fn proposal_id(seed: u64, occasion: &str) -> ProposalId {
    let (high, low) = (stable_hash(seed, occasion), stable_hash(!seed, occasion));
    let high = high & !(0xf << 12) | 0x8 << 12;
    let low = low & !(0b11 << 62) | 0b10 << 62;
    let uuid = u128::from(high) << 64 | u128::from(low);
    Text(ids::ProposalId(uuid.to_be_bytes()))
}

#[cfg(test)]
mod tests {
    use super::proposal_id;

    /// The UUID is well-formed, equal for the same occasion, and different for any other.
    #[test]
    fn an_occasion_has_one_uuid() {
        let uuid = |seed, occasion| proposal_id(seed, occasion).to_string();
        let id = uuid(7, "C4P-01.12 variance");
        assert_eq!(id, uuid(7, "C4P-01.12 variance"));
        assert_ne!(id, uuid(7, "C4P-01.13 variance"));
        assert_ne!(id, uuid(8, "C4P-01.12 variance"));
        let parts: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12], "{id}");
        assert!(
            id.chars()
                .all(|letter| letter == '-' || letter.is_ascii_hexdigit())
        );
        assert_eq!(id.chars().nth(14), Some('8'), "{id}");
        assert!(
            id.chars()
                .nth(19)
                .is_some_and(|digit| "89ab".contains(digit)),
            "{id}"
        );
    }
}
