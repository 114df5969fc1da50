//! The operations of managers, and of two people: suspend and resume links, disable and enable levels, and change links
//! by proposal and approval.

use serde_json::{Value, json};

use crate::client::{Reply, Request};
use crate::context::RunContext;
use crate::error::SimulatorError;
use crate::probabilities::stable_hash;
use crate::responses::LinkStatus;

/// A change that a manager proposes, and a person of another department approves.
pub(crate) struct TwoPersonChange<'a> {
    pub(crate) link: &'a str,
    pub(crate) reason: &'a str,
    /// The kind of the change, and its fields.
    pub(crate) change: (&'static str, Value),
    /// The token of the person who approves. The manager may not approve.
    pub(crate) approver: &'a str,
    /// A text that no other proposal of this server has. The id of the proposal is derived from the text.
    pub(crate) occasion: &'a str,
}

/// Proposes a change as the manager, and approves the change as the second person. Returns the effect.
pub(crate) async fn propose_and_approve(
    context: &RunContext,
    change: &TwoPersonChange<'_>,
) -> Result<Value, SimulatorError> {
    let (kind, fields) = &change.change;
    let proposal = uuid(context.plan.seed, &format!("{kind} {}", change.occasion));
    let path = format!("/v1/links/{}/proposals/{proposal}", change.link);
    let mut body = fields.clone();
    body["change"] = json!(kind);
    body["reason"] = json!(change.reason);
    put(context, &context.tokens.manager, &path, &body).await?;
    let decision = json!({"decision": "approve"});
    let approved = put(
        context,
        change.approver,
        &format!("{path}/approval"),
        &decision,
    )
    .await?;
    Ok(approved["effect"].clone())
}

/// Returns the status of a link.
pub(crate) async fn link_status(
    context: &RunContext,
    link: &str,
) -> Result<LinkStatus, SimulatorError> {
    let request = Request::get(format!("/v1/links/{link}"));
    let reply = context
        .client
        .ask(&context.tokens.manager, &request)
        .await?;
    request.read(&reply, &[200])
}

/// Suspends a link: coin-ins are refused.
pub(crate) async fn suspend(
    context: &RunContext,
    link: &str,
    reason: &str,
) -> Result<(), SimulatorError> {
    put_reason(context, &format!("/v1/links/{link}/suspension"), reason).await
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
    put_reason(context, &path, reason).await
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
    for link in &context.plan.links {
        let status = link_status(context, &link.link).await?;
        if status.is_suspended() {
            tracing::info!(
                link.name = link.link,
                "resuming a link that was left suspended"
            );
            resume(context, &link.link).await?;
        }
        for level in status.disabled_levels() {
            tracing::info!(
                link.name = link.link,
                level,
                "enabling a level that was left disabled"
            );
            enable_level(context, &link.link, level).await?;
        }
    }
    Ok(())
}

async fn put_reason(context: &RunContext, path: &str, reason: &str) -> Result<(), SimulatorError> {
    let body = json!({"reason": reason});
    put(context, &context.tokens.manager, path, &body).await?;
    Ok(())
}

async fn put(
    context: &RunContext,
    token: &str,
    path: &str,
    body: &Value,
) -> Result<Value, SimulatorError> {
    let request = Request::put(path, body.to_string());
    let reply: Reply = context.client.ask(token, &request).await?;
    request.read(&reply, &[200, 201])
}

async fn delete(context: &RunContext, path: String) -> Result<(), SimulatorError> {
    let request = Request::delete(path);
    let reply = context
        .client
        .ask(&context.tokens.manager, &request)
        .await?;
    match reply.status {
        200 | 201 => Ok(()),
        _ => Err(request.unexpected(&reply, "200 or 201")),
    }
}

/// Returns the name-based UUID of an occasion (RFC 9562, version 8). The same occasion always has the same UUID.
fn uuid(seed: u64, occasion: &str) -> String {
    let (high, low) = (stable_hash(seed, occasion), stable_hash(!seed, occasion));
    format!(
        "{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 48 & 0x3fff | 0x8000,
        low & 0xffff_ffff_ffff,
    )
}

#[cfg(test)]
mod tests {
    use super::uuid;

    /// The UUID is well-formed, equal for the same occasion, and different for any other.
    #[test]
    fn an_occasion_has_one_uuid() {
        let id = uuid(7, "adjust C4P-01.12");
        assert_eq!(id, uuid(7, "adjust C4P-01.12"));
        assert_ne!(id, uuid(7, "adjust C4P-01.13"));
        assert_ne!(id, uuid(8, "adjust C4P-01.12"));
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
