//! A house in which every operation has something to work on.

use meterhouse_api::time;
use meterhouse_edge::policy::{Access, Operation};
use meterhouse_engine::clock::now;
use meterhouse_store::NewActor;
use meterhouse_tests::{Answer, Caller, FIVE_CARD_A, FIVE_CARD_C, House, TwoPeople};
use reqwest::Method;
use serde_json::{Value, json};

use super::Expected;

/// Hash of an endpoint that no browser has.
const SUBSCRIPTION: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// Headers of a client of WebSocket. Every request has them, and only the feed reads them.
const UPGRADE: [(&str, &str); 4] = [
    ("connection", "upgrade"),
    ("upgrade", "websocket"),
    ("sec-websocket-version", "13"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

/// A theme of the house.
const THEME: &str = "crown-room";
/// A picture of one grey pixel.
const PNG: &[u8] = include_bytes!("../themes/grey.png");

/// A house with the links `main`, `rich` and `broken`.
pub(super) struct Ground {
    pub(super) house: House,
    /// Open proposals, one of each change: the change, its link and its id.
    proposals: Vec<(Value, &'static str, String)>,
    /// The batch and the position of an exception of `main`.
    exception: (String, String),
    /// The digest of a picture that the theme [`THEME`] has as its background.
    picture: String,
}

/// A request that the server can carry out.
pub(super) struct Request {
    method: Method,
    path: String,
    headers: Vec<(&'static str, &'static str)>,
    body: Vec<u8>,
}

impl Ground {
    /// Plays until each change can be proposed: `T1.1` closed without its winner, `T1.4` is a validated hit, `rich`
    /// returns more than the wager, and `broken` is faulted.
    pub(super) async fn new() -> Self {
        let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
        let dealer = dealers.first().expect("a table");
        drop(dealer.coin_in(&[1, 2]).await.created());
        drop(dealer.close().await.created());
        drop(dealer.coin_in(&[3]).await.created());
        drop(dealer.hit_unseen(3, "royal-flush").await.created());
        let other = dealers.get(1).expect("a second table");
        drop(other.coin_in(&[1]).await.created());
        let count = json!({"command": "count", "chips": 2});
        drop(other.send(&count).await.created());
        drop(other.close().await.created());
        let sam = house.supervisor("sam").await;
        drop(sam.approve("T1.4").await.created());
        drop(sam.make_slip("T1.4", 1).await.created());
        let manager = house.manager().await;
        let terms = json!({"paytable": "test-draws-and-envy", "wager": "1.00", "decks": 1, "magic_card_one_in": 6});
        let rich = manager.open_link_with("rich", &terms).await.created();
        assert_eq!(rich["returns"]["two_people"], true);
        house.link("broken", FIVE_CARD_C).await;
        let broken = house.table("T3", "broken", FIVE_CARD_C).await;
        house.fault("broken", &broken).await;
        let mut ground = Self {
            house,
            proposals: Vec::new(),
            exception: (String::new(), String::new()),
            picture: String::new(),
        };
        let path = format!("/v1/themes/{THEME}");
        let plain = json!({"base": "gold"});
        drop(manager.caller.put(&path, &plain).await.created());
        let path = format!("{path}/artwork/background");
        let made = manager
            .caller
            .send(Method::PUT, &path, &[], PNG.to_vec())
            .await;
        let made = made.created();
        let digest = made["artwork"]["background"]["digest"].as_str();
        digest.expect("a picture").clone_into(&mut ground.picture);
        let listed = manager
            .caller
            .get("/v1/links/main/exceptions")
            .await
            .is(200);
        let position = listed["exceptions"][0]["position"].as_str();
        let (batch, index) = position.and_then(|text| text.split_once('.')).expect("one");
        ground.exception = (batch.to_owned(), index.to_owned());
        ground.propose().await;
        // As the example of the document, whose request admits the same person again.
        let lee = NewActor {
            name: "lee".to_owned(),
            role: "supervisor".to_owned(),
            table_name: None,
            link_name: None,
            department: Some("floor".to_owned()),
            rights: Some("validate".to_owned()),
        };
        drop(ground.house.token_of(lee, None).await);
        ground
    }

    /// Proposes one change of each kind.
    async fn propose(&mut self) {
        let late = json!({"change": "late_hit", "table": "T1", "round": 1, "seat": 1, "hand": "straight-flush"});
        let adjust =
            json!({"change": "adjust", "level": "meter", "account": "meter", "amount": "1.00"});
        let changes = [
            (json!({"change": "correct", "hit": "T1.4"}), "main"),
            (adjust, "main"),
            (late, "main"),
            (json!({"change": "clear_fault"}), "broken"),
            (json!({"change": "acknowledge_returns"}), "rich"),
            (
                json!({"change": "adopt_table", "table": "pa-643a-five-card-bonus-a"}),
                "main",
            ),
        ];
        let both = self.house.two_people().await;
        for (change, link) in changes {
            let id = TwoPeople::new_id();
            drop(both.propose(link, &id, &change).await.created());
            self.proposals
                .push((TwoPeople::with_reason(&change), link, id));
        }
    }

    /// Returns the request of a row: the example of the document, about what there is.
    pub(super) fn request(
        &self,
        row: &Operation,
        (method, path, operation): &(String, String, Value),
    ) -> Request {
        let proposal = self
            .proposals
            .iter()
            .find(|proposal| proposal.0["change"] == row.change.unwrap_or("adjust"));
        let (change, link, id) = proposal.expect("a proposal of each change");
        let values = [
            ("{table}", "T1"),
            ("{link}", link),
            ("{sequence}", "1"),
            ("{hit}", "T1.4"),
            ("{payout}", "1"),
            ("{slip}", "1"),
            ("{reprint}", "1"),
            ("{paytable}", FIVE_CARD_A),
            ("{game}", "crazy-4-poker"),
            ("{level}", "meter"),
            ("{theme}", THEME),
            ("{artwork}", "logo"),
            ("{digest}", &self.picture),
            ("{person}", "lee"),
            ("{screen}", "pit-1-north"),
            ("{subscription}", SUBSCRIPTION),
            ("{proposal}", id),
            // A day that is not over is the answer to a request that is understood.
            ("{date}", &time::text(now())[..10]),
            ("{batch}", &self.exception.0),
            ("{position}", &self.exception.1),
        ];
        let filled = values.iter().fold(path.clone(), |path, (name, value)| {
            path.replace(name, value)
        });
        let filled = match row.name {
            "compare_paytables" => format!("{filled}?with={FIVE_CARD_C}"),
            // Without a moment no token is looked at.
            "read_meters" => format!("{filled}?at={}", time::text(now())),
            _ => filled,
        };
        let body = &operation["requestBody"]["content"]["application/json"]["example"];
        let body = match row.name {
            "propose_change" => change,
            "create_token" => &json!({"name": "T1", "role": "controller", "table": "T1"}),
            "decide_change" => &json!({"decision": "decline", "note": "a walk through the rights"}),
            _ => body,
        };
        let mut headers = Vec::new();
        if !body.is_null() {
            headers.push(("content-type", "application/json"));
        }
        if row.name == "listen_to_feed" {
            headers.extend(UPGRADE);
        }
        Request {
            method: method.parse().expect("a method"),
            path: filled,
            headers,
            body: if row.name == "put_artwork" {
                PNG.to_vec()
            } else if body.is_null() {
                Vec::new()
            } else {
                body.to_string().into_bytes()
            },
        }
    }
}

impl Request {
    pub(super) async fn send(&self, caller: &Caller) -> Answer {
        caller
            .send(
                self.method.clone(),
                &self.path,
                &self.headers,
                self.body.clone(),
            )
            .await
    }
}

/// Returns the difference between an answer and the policy. A request that is allowed must be one that the server
/// understands, since nothing is proved by another one.
pub(super) fn difference(row: &Operation, expected: Expected, answer: &Answer) -> Option<String> {
    // A name, password or PIN that is not right says nothing about rights.
    let found = match answer.code() {
        "login_failed" | "pin_wrong" | "pin_blocked" => Expected::Allowed,
        _ => Expected::of_status(answer.status),
    };
    let is_right = match (expected, row.access) {
        (Expected::Unauthenticated, _) => answer.code() == "unauthenticated",
        (Expected::Forbidden, Access::Right(right)) => {
            let missing = &answer["fields"]["right"];
            answer.code() == "forbidden"
                && (missing.is_null() || row.change.is_some() || missing == right.name())
        }
        (Expected::Forbidden, _) => answer.code() == "forbidden",
        // Nobody signs here: evidence is asked for, and has no head. No screen is here either.
        (Expected::Allowed, _)
            if ["not_signed", "unknown_pairing", "unknown_screen"].contains(&answer.code()) =>
        {
            true
        }
        (Expected::Allowed, _) => !matches!(answer.status, 400 | 404 | 405 | 415 | 500..),
    };
    (found != expected || !is_right).then(|| {
        let change = row.change.unwrap_or_default();
        format!(
            "{} {change}: {}: {} instead of {expected:?}: {}",
            row.name, answer.asked, answer.status, answer.text
        )
    })
}
