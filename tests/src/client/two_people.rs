//! Two people of two departments: what neither may do alone.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::{Answer, Caller};

static PROPOSALS: AtomicU64 = AtomicU64::new(1);

/// Two people of two departments.
#[derive(Clone, Debug)]
pub struct TwoPeople {
    /// Who proposes.
    pub one: Caller,
    /// Who approves.
    pub other: Caller,
}

impl TwoPeople {
    /// A name that no proposal has yet.
    pub fn new_id() -> String {
        let number = PROPOSALS.fetch_add(1, Ordering::Relaxed);
        format!("1b4e28ba-2fa1-41d2-883f-{number:012x}")
    }

    /// Where a proposal is.
    pub fn path(link: &str, id: &str) -> String {
        format!("/v1/links/{link}/proposals/{id}")
    }

    /// A change with its reason.
    pub fn with_reason(change: &Value) -> Value {
        let mut body = change.clone();
        if body["reason"].is_null() {
            body["reason"] = json!("looked at by both");
        }
        body
    }

    /// The first one proposes, under this name.
    pub async fn propose(&self, link: &str, id: &str, change: &Value) -> Answer {
        let body = Self::with_reason(change);
        self.one.put(&Self::path(link, id), &body).await
    }

    /// The other one approves.
    pub async fn approve(&self, link: &str, id: &str) -> Answer {
        approve(&self.other, link, id).await
    }

    /// Both: the answer is the approval's.
    pub async fn change(&self, link: &str, change: &Value) -> Answer {
        let id = Self::new_id();
        drop(self.propose(link, &id, change).await.created());
        self.approve(link, &id).await.created()
    }

    /// Both move money between the house and a balance.
    pub async fn adjust(&self, link: &str, level: &str, account: &str, amount: &str) -> Answer {
        let change =
            json!({"change": "adjust", "level": level, "account": account, "amount": amount});
        self.change(link, &change).await
    }

    /// Both withdraw a hit.
    pub async fn correct(&self, link: &str, hit: &str) -> Answer {
        self.change(link, &json!({"change": "correct", "hit": hit}))
            .await
    }

    /// Both take a faulted link back into play.
    pub async fn clear_fault(&self, link: &str) -> Answer {
        self.change(link, &json!({"change": "clear_fault"})).await
    }

    /// What the proposals of a link are.
    pub async fn list(&self, link: &str) -> Answer {
        self.one.get(&format!("/v1/links/{link}/proposals")).await
    }
}

/// Anybody approves.
pub(crate) async fn approve(caller: &Caller, link: &str, id: &str) -> Answer {
    let path = format!("{}/approval", TwoPeople::path(link, id));
    caller.put(&path, &json!({"decision": "approve"})).await
}
