//! What managers do, and what takes two people: suspending and resuming, switching levels, changes by proposal and
//! approval.

use serde_json::{Value, json};

use crate::chances::mark;
use crate::client::{Reply, Request};
use crate::error::SimulatorError;
use crate::wire::LinkNow;
use crate::world::World;

/// A change that one person proposes and another one of another department approves.
pub(crate) struct ByTwo<'a> {
    /// The link.
    pub(crate) link: &'a str,
    /// Why.
    pub(crate) reason: &'a str,
    /// What, under its key.
    pub(crate) change: (&'static str, Value),
    /// Who approves it: the token of somebody who isn't the manager.
    pub(crate) approver: &'a str,
    /// What tells this proposal from every other one of the house.
    pub(crate) occasion: &'a str,
}

/// The manager proposes and the other one approves; answers what it did.
pub(crate) async fn by_two(world: &World, asked: &ByTwo<'_>) -> Result<Value, SimulatorError> {
    let (key, change) = &asked.change;
    let proposal = uuid(world.plan.seed, &format!("{key} {}", asked.occasion));
    let path = format!("/v1/links/{}/proposals/{proposal}", asked.link);
    let mut body = json!({"reason": asked.reason});
    body[*key] = change.clone();
    put(world, &world.tokens.manager, &path, &body).await?;
    let decision = json!({"decision": "approve"});
    let approved = put(
        world,
        asked.approver,
        &format!("{path}/approval"),
        &decision,
    )
    .await?;
    Ok(approved["effect"].clone())
}

/// The link as everybody sees it.
pub(crate) async fn link_now(world: &World, link: &str) -> Result<LinkNow, SimulatorError> {
    let request = Request::get(format!("/v1/links/{link}"));
    let reply = world.client.ask(&world.tokens.manager, &request).await?;
    request.read(&reply, &[200])
}

/// No coin-in on the link.
pub(crate) async fn suspend(world: &World, link: &str, reason: &str) -> Result<(), SimulatorError> {
    let path = format!("/v1/links/{link}/suspension");
    put(
        world,
        &world.tokens.manager,
        &path,
        &json!({"reason": reason}),
    )
    .await?;
    Ok(())
}

/// Coin-in again.
pub(crate) async fn resume(world: &World, link: &str) -> Result<(), SimulatorError> {
    delete(world, format!("/v1/links/{link}/suspension")).await
}

/// A level is off.
pub(crate) async fn disable(
    world: &World,
    link: &str,
    level: &str,
    reason: &str,
) -> Result<(), SimulatorError> {
    let path = format!("/v1/links/{link}/levels/{level}/disabled");
    put(
        world,
        &world.tokens.manager,
        &path,
        &json!({"reason": reason}),
    )
    .await?;
    Ok(())
}

/// The level is on again.
pub(crate) async fn enable(world: &World, link: &str, level: &str) -> Result<(), SimulatorError> {
    delete(world, format!("/v1/links/{link}/levels/{level}/disabled")).await
}

/// Resumes what a run that was killed left suspended or switched off.
pub(crate) async fn reopen(world: &World) -> Result<(), SimulatorError> {
    for link in &world.plan.links {
        let now = link_now(world, &link.link).await?;
        if now.is_suspended() {
            tracing::info!(
                link.name = link.link,
                "resuming a link that was left suspended"
            );
            resume(world, &link.link).await?;
        }
        for level in now.disabled() {
            tracing::info!(
                link.name = link.link,
                level,
                "enabling a level that was left off"
            );
            enable(world, &link.link, level).await?;
        }
    }
    Ok(())
}

async fn put(
    world: &World,
    token: &str,
    path: &str,
    body: &Value,
) -> Result<Value, SimulatorError> {
    let request = Request::put(path, body.to_string());
    let reply: Reply = world.client.ask(token, &request).await?;
    request.read(&reply, &[200, 201])
}

async fn delete(world: &World, path: String) -> Result<(), SimulatorError> {
    let request = Request::delete(path);
    let reply = world.client.ask(&world.tokens.manager, &request).await?;
    match reply.status {
        200 | 201 => Ok(()),
        _ => Err(request.unexpected(&reply, "200 or 201")),
    }
}

/// A name-based UUID (RFC 9562, version 8): an occasion has one, whenever it is asked for.
fn uuid(seed: u64, occasion: &str) -> String {
    let (high, low) = (mark(seed, occasion), mark(!seed, occasion));
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

    /// The shape of a UUID, the same for the same occasion and another for every other.
    #[test]
    fn an_occasion_has_one_uuid() {
        let one = uuid(7, "adjust C4P-01.12");
        assert_eq!(one, uuid(7, "adjust C4P-01.12"));
        assert_ne!(one, uuid(7, "adjust C4P-01.13"));
        assert_ne!(one, uuid(8, "adjust C4P-01.12"));
        let parts: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12], "{one}");
        assert!(one.chars().all(|it| it == '-' || it.is_ascii_hexdigit()));
        assert_eq!(one.chars().nth(14), Some('8'), "{one}");
        assert!(
            one.chars().nth(19).is_some_and(|it| "89ab".contains(it)),
            "{one}"
        );
    }
}
