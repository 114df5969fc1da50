//! The floor and the office.

use serde_json::{Value, json};

use super::{Answer, Caller};

/// A floor supervisor.
#[derive(Clone, Debug)]
pub struct Supervisor {
    /// With a token of this role.
    pub caller: Caller,
}

impl Supervisor {
    /// The hit is right.
    pub async fn approve(&self, hit: &str) -> Answer {
        self.decide(hit, &json!({"decision": "approve"})).await
    }

    /// It is not.
    pub async fn reject(&self, hit: &str) -> Answer {
        self.decide(hit, &json!({"decision": "reject", "note": "no such hand"}))
            .await
    }

    /// It is not, and later hits get the amounts that they have without it.
    pub async fn reject_and_resettle(&self, hit: &str) -> Answer {
        self.decide(hit, &json!({"decision": "reject", "resettle": true}))
            .await
    }

    /// Approves and pays by slip, payouts 1 to `payouts`.
    pub async fn settles(&self, hit: &str, payouts: u32) {
        drop(self.approve(hit).await.created());
        for payout in 1..=payouts {
            let document = format!("JP-{hit}-{payout}");
            drop(self.pay(hit, payout, &document).await.created());
        }
    }

    /// Any decision.
    pub async fn decide(&self, hit: &str, decision: &Value) -> Answer {
        self.caller
            .put(&format!("/v1/hits/{hit}/validation"), decision)
            .await
    }

    /// The slip of a payout is signed.
    pub async fn pay(&self, hit: &str, payout: u32, document: &str) -> Answer {
        let path = format!("/v1/hits/{hit}/payouts/{payout}/payment");
        self.caller.put(&path, &json!({"document": document})).await
    }

    /// The slip of a payout is made.
    pub async fn make_slip(&self, hit: &str, payout: u32) -> Answer {
        let path = format!("/v1/hits/{hit}/payouts/{payout}/slip");
        self.caller.put_text(&path, "").await
    }

    /// A slip is printed again.
    pub async fn reprint(&self, slip: u64, reprint: u64, reason: &str) -> Answer {
        let path = format!("/v1/slips/{slip}/reprints/{reprint}");
        self.caller.put(&path, &json!({"reason": reason})).await
    }

    /// The floor's list.
    pub async fn hits(&self, query: &str) -> Answer {
        self.caller.get(&format!("/v1/hits{query}")).await
    }

    /// One hit.
    pub async fn hit(&self, hit: &str) -> Answer {
        self.caller.get(&format!("/v1/hits/{hit}")).await
    }
}

/// Who sets up links and tables.
#[derive(Clone, Debug)]
pub struct Manager {
    /// With a token of this role.
    pub caller: Caller,
}

impl Manager {
    /// Opens a link for one dollar and one deck; what it opened with is accepted.
    pub async fn open_link(&self, link: &str, paytable: &str) -> Answer {
        let terms = json!({"paytable": paytable, "wager": "1.00", "decks": 1});
        self.open_link_with(link, &terms).await
    }

    /// Opens a link with these terms; what it opened with is accepted.
    pub async fn open_link_with(&self, link: &str, terms: &Value) -> Answer {
        let opened = self.caller.put(&format!("/v1/links/{link}"), terms).await;
        if opened.status == 201 {
            drop(self.caller.accept_values(link).await.created());
        }
        opened
    }

    /// Lets a table of Crazy 4 Poker join, with six seats, one dollar and one deck.
    pub async fn join(&self, table: &str, link: &str, paytable: &str) -> Answer {
        self.caller
            .put(&format!("/v1/tables/{table}"), &felt(link, paytable))
            .await
    }

    /// No coin-in any more.
    pub async fn suspend(&self, link: &str) -> Answer {
        let reason = json!({"reason": "end of the day"});
        self.caller
            .put(&format!("/v1/links/{link}/suspension"), &reason)
            .await
    }

    /// Coin-in again.
    pub async fn resume(&self, link: &str) -> Answer {
        self.caller
            .delete(&format!("/v1/links/{link}/suspension"))
            .await
    }

    /// A level is off.
    pub async fn disable(&self, link: &str, level: &str) -> Answer {
        let reason = json!({"reason": "its sign is dark"});
        self.caller
            .put(
                &format!("/v1/links/{link}/levels/{level}/disabled"),
                &reason,
            )
            .await
    }

    /// A level is on again.
    pub async fn enable(&self, link: &str, level: &str) -> Answer {
        self.caller
            .delete(&format!("/v1/links/{link}/levels/{level}/disabled"))
            .await
    }

    /// A link's books since its opening.
    pub async fn books(&self, link: &str) -> Answer {
        self.caller
            .get(&format!("/v1/links/{link}/reconciliation"))
            .await
    }

    /// A page of a link's journal.
    pub async fn journal(&self, link: &str, query: &str) -> Answer {
        self.caller
            .get(&format!("/v1/links/{link}/journal{query}"))
            .await
    }
}

impl Caller {
    /// Accepts what a link shows that nobody has played on: what it opened with.
    pub async fn accept_values(&self, link: &str) -> Answer {
        let path = format!("/v1/links/{link}");
        let values = first_values(&self.get(&path).await.is(200).body);
        self.put(&format!("{path}/values"), &values).await
    }
}

/// Returns what is sent to accept the values that a link shows.
pub fn first_values(link: &Value) -> Value {
    let levels = link["levels"].as_array().into_iter().flatten();
    let values: Vec<Value> = levels
        .map(|it| json!({"level": it["level"], "amount": it["amount"]}))
        .collect();
    json!({"values": values})
}

/// What a table of Crazy 4 Poker has.
pub fn felt(link: &str, paytable: &str) -> Value {
    json!({
        "link": link,
        "game": "crazy-4-poker",
        "seats": 6,
        "paytable": paytable,
        "wager": "1.00",
        "decks": 1,
    })
}
