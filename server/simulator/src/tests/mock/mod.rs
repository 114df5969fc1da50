//! A server that speaks as much of the wire as the simulation needs, and misbehaves when told to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::amount;

mod floor;
mod killable;

pub(super) use killable::Killable;

/// How the server misbehaves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Manners {
    Good,
    /// Every so many requests "not now", before or after the work was done.
    Tired,
    /// A repeat gets another answer.
    Forgetful,
    /// A repeat isn't marked as one.
    Unmarked,
    /// A repeated coin-in is counted again.
    CountsTwice,
    /// A level loses a cent.
    Leaky,
}

/// The server's state.
pub(super) struct Mock {
    manners: Manners,
    requests: u64,
    links: BTreeMap<String, Link>,
    tables: BTreeMap<String, Table>,
    hits: BTreeMap<String, Value>,
}

#[derive(Default)]
struct Link {
    body: Value,
    wagers: i64,
    paid: i64,
}

#[derive(Default)]
struct Table {
    body: Value,
    link: String,
    answered: Vec<(Value, u16, Value)>,
    round: Option<Round>,
}

#[derive(Default)]
struct Round {
    sequence: usize,
    wagers: i64,
    hits: Vec<String>,
}

type Answer = (u16, bool, Value);

/// Starts a server in this runtime; answers its address and its state.
pub(super) fn start(manners: Manners) -> (String, Arc<Mutex<Mock>>) {
    let mock = Mock::new(manners);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(serve(Arc::clone(&mock), listener));
    (base, mock)
}

async fn serve(mock: Arc<Mutex<Mock>>, listener: std::net::TcpListener) {
    let router = Router::new().fallback(answer).with_state(mock);
    listener.set_nonblocking(true).expect("a socket");
    let listener = TcpListener::from_std(listener).expect("a socket");
    axum::serve(listener, router).await.expect("a server");
}

async fn answer(
    State(mock): State<Arc<Mutex<Mock>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let token = headers["authorization"]
        .to_str()
        .expect("a token")
        .to_owned();
    let (status, replayed, body) = {
        let mut mock = mock.lock().expect("no panic");
        mock.requests += 1;
        let tired = mock.manners == Manners::Tired && mock.requests.is_multiple_of(50);
        let not_now = (503, false, json!({"code": "outcome_unknown"}));
        match (tired, mock.requests.is_multiple_of(100)) {
            (true, true) => not_now,
            (true, false) => {
                mock.route(&method, &uri, &token, &body);
                not_now
            }
            (false, _) => mock.route(&method, &uri, &token, &body),
        }
    };
    let replayed = if replayed { "true" } else { "false" };
    let status = StatusCode::from_u16(status).expect("a status");
    (
        status,
        [("meterhouse-replayed", replayed)],
        body.to_string(),
    )
        .into_response()
}

impl Mock {
    /// A server without links and tables.
    pub(super) fn new(manners: Manners) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            manners,
            requests: 0,
            links: BTreeMap::new(),
            tables: BTreeMap::new(),
            hits: BTreeMap::new(),
        }))
    }

    /// Requests that were answered.
    pub(super) fn requests(&self) -> u64 {
        self.requests
    }

    /// Commands that a table used up.
    pub(super) fn last_sequence(&self, table: &str) -> usize {
        self.tables[table].answered.len()
    }

    /// Whether no round is open and no hit waits.
    pub(super) fn is_quiet(&self) -> bool {
        self.tables.values().all(|it| it.round.is_none())
            && self.hits.values().all(|it| it["state"] != "pending")
    }

    fn route(&mut self, method: &Method, uri: &Uri, token: &str, body: &Value) -> Answer {
        let parts: Vec<&str> = uri.path().split('/').skip(2).collect();
        match (method.as_str(), parts.as_slice()) {
            ("PUT", ["links", link]) => self.open(link, body),
            ("PUT", ["tables", table]) => self.join(table, body),
            ("GET", ["tables", table]) => (200, false, self.table(table)),
            ("PUT", ["tables", table, "commands", sequence]) => {
                assert_eq!(token, format!("Bearer c-{table}"));
                let sequence = sequence.parse().expect("a number");
                self.numbered(table, sequence, body)
            }
            ("GET", ["hits"]) => self.list(uri.query().unwrap_or_default()),
            ("PUT", ["hits", hit, "validation"]) => self.validate(hit, token, body),
            ("PUT", ["hits", hit, "payouts", n, "payment"]) => self.pay(hit, n, body),
            ("GET", ["links", link, "reconciliation"]) => self.reconcile(link),
            asked => (
                404,
                false,
                json!({"code": "not_found", "detail": format!("{asked:?}")}),
            ),
        }
    }

    fn open(&mut self, link: &str, body: &Value) -> Answer {
        let known = self.links.contains_key(link);
        let entry = self.links.entry(link.to_owned()).or_default();
        if known && entry.body != *body {
            return (409, false, json!({"code": "request_reused"}));
        }
        entry.body = body.clone();
        (if known { 200 } else { 201 }, known, body.clone())
    }

    fn join(&mut self, table: &str, body: &Value) -> Answer {
        let known = self.tables.contains_key(table);
        let entry = self.tables.entry(table.to_owned()).or_default();
        if known && entry.body != *body {
            return (409, false, json!({"code": "request_reused"}));
        }
        entry.body = body.clone();
        entry.link = body["link"].as_str().expect("a link").to_owned();
        (if known { 200 } else { 201 }, known, body.clone())
    }

    fn table(&self, table: &str) -> Value {
        let it = &self.tables[table];
        let seen = |hit: &String| {
            let hit = &self.hits[hit];
            let payout = &hit["payouts"][0];
            let payout = json!({"payout": 1, "amount": payout["amount"],
                "handed_over": payout["handed_over"], "document": payout["paid"]["document"]});
            json!({"hit": hit["hit"], "state": hit["state"], "payouts": [payout]})
        };
        let round = it.round.as_ref().map(|round| {
            let hits: Vec<Value> = round.hits.iter().map(seen).collect();
            json!({"hits": hits})
        });
        json!({"table": table, "last_sequence": it.answered.len(), "round": round})
    }

    fn numbered(&mut self, table: &str, sequence: usize, body: &Value) -> Answer {
        let used = self.tables[table].answered.len();
        if sequence > used + 1 {
            return (
                409,
                false,
                json!({"code": "sequence_gap", "expected": used + 1}),
            );
        }
        if sequence <= used {
            let (sent, status, first) = self.tables[table].answered[sequence - 1].clone();
            if sent != *body {
                return (409, false, json!({"code": "sequence_reused"}));
            }
            let again = if status == 422 { 422 } else { 200 };
            return match self.manners {
                Manners::Forgetful => (again, true, json!({"forgotten": true})),
                Manners::Unmarked => (again, false, first),
                Manners::CountsTwice if body.get("coin_in").is_some() => {
                    let link = self.tables[table].link.clone();
                    self.links.get_mut(&link).expect("a link").wagers += 1;
                    (again, true, first)
                }
                _ => (again, true, first),
            };
        }
        let (status, answer) = match self.command(table, sequence, body) {
            Ok(answer) => (201, answer),
            Err(code) => (422, json!({"code": code, "status": 422})),
        };
        let it = self.tables.get_mut(table).expect("a table");
        it.answered.push((body.clone(), status, answer.clone()));
        (status, false, answer)
    }

    fn command(
        &mut self,
        table: &str,
        sequence: usize,
        body: &Value,
    ) -> Result<Value, &'static str> {
        let (kind, it) = body
            .as_object()
            .and_then(|it| it.iter().find(|it| it.0 != "by"))
            .expect("one");
        let open = self.tables[table].round.is_some();
        match (kind.as_str(), open) {
            ("coin_in", true) => return Err("round_open"),
            ("coin_in", false) => self.coin_in(table, sequence, it),
            (_, false) => return Err("no_round"),
            ("hit" | "envy", true) => self.hit(table, sequence, it, &body["by"]),
            ("cancel_hit", true) => {
                let hit = it["hit"].as_str().expect("a name");
                self.decide(hit, "cancelled")?;
            }
            ("void", true) => self.void(table)?,
            ("close", true) => self.close(table)?,
            (_, true) => {}
        }
        let levels = json!([{"level": "meter", "contribution": "0.21", "amount": "10000.21"}]);
        Ok(json!({"command": kind, "table": table, "sequence": sequence, "levels": levels}))
    }

    fn coin_in(&mut self, table: &str, sequence: usize, it: &Value) {
        let wagers = it["wagers"].as_array().expect("wagers").len();
        let wagers = i64::try_from(wagers).expect("few");
        let table = self.tables.get_mut(table).expect("a table");
        table.round = Some(Round {
            sequence,
            wagers,
            hits: Vec::new(),
        });
        self.links.get_mut(&table.link).expect("a link").wagers += wagers;
    }

    fn hit(&mut self, table: &str, sequence: usize, it: &Value, by: &Value) {
        let name = format!("{table}.{sequence}");
        let percent = ["royal-flush", "straight-flush", "four-of-a-kind"];
        let by_slip = percent.contains(&it["hand"].as_str().expect("a hand"));
        let (amount, handed_over) = if by_slip {
            ("1000.00", "slip")
        } else {
            ("50.00", "rack")
        };
        let payout = json!({"payout": 1, "amount": amount, "handed_over": handed_over,
                            "paid": {"at": null, "document": null}});
        let hit = json!({"hit": name, "table": table, "state": "pending", "keyed_by": by,
                         "cards": it.get("cards"), "payouts": [payout]});
        self.hits.insert(name.clone(), hit);
        let table = self.tables.get_mut(table).expect("a table");
        table.round.as_mut().expect("a round").hits.push(name);
    }

    fn decide(&mut self, hit: &str, state: &str) -> Result<(), &'static str> {
        let hit = self.hits.get_mut(hit).expect("a hit");
        if hit["state"] != "pending" {
            return Err("hit_not_pending");
        }
        hit["state"] = json!(state);
        Ok(())
    }

    fn void(&mut self, table: &str) -> Result<(), &'static str> {
        let round = self
            .tables
            .get_mut(table)
            .expect("a table")
            .round
            .take()
            .expect("a round");
        let validated = |hit: &String| self.hits[hit]["state"] == "validated";
        if round.hits.iter().any(validated) {
            self.tables.get_mut(table).expect("a table").round = Some(round);
            return Err("hit_not_pending");
        }
        for hit in &round.hits {
            let _ = self.decide(hit, "void");
        }
        let link = &self.tables[table].link;
        self.links.get_mut(link).expect("a link").wagers -= round.wagers;
        assert!(round.sequence > 0);
        Ok(())
    }

    fn close(&mut self, table: &str) -> Result<(), &'static str> {
        let hits = self.tables[table]
            .round
            .as_ref()
            .expect("a round")
            .hits
            .clone();
        for hit in &hits {
            let hit = &self.hits[hit];
            let payout = &hit["payouts"][0];
            let unpaid = payout["handed_over"] == "slip" && payout["paid"]["at"].is_null();
            if hit["state"] == "pending" || (hit["state"] == "validated" && unpaid) {
                return Err("hit_unsettled");
            }
        }
        let it = self.tables.get_mut(table).expect("a table");
        it.round = None;
        let link = self.links.get_mut(&it.link).expect("a link");
        for hit in hits {
            let hit = self.hits.get_mut(&hit).expect("a hit");
            if hit["state"] == "validated" {
                hit["state"] = json!("paid");
                link.paid += amount::parse(hit["payouts"][0]["amount"].as_str().expect("money"))
                    .expect("money");
            }
        }
        Ok(())
    }
}
