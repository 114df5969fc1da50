//! Who may what: each right has its roles, and a bound token reaches no further.

use meterhouse_tests::client::{coin_in, felt};
use meterhouse_tests::{Caller, Dealer, FIVE_CARD_C, House, Supervisor, TwoPeople};
use serde_json::json;

use crate::counted::Counter;

const OPEN: &str = r#"{"paytable":"pa-657a-five-card-c","wager":"1.00","decks":1}"#;

/// Without a token, with a wrong one, a revoked one, or another kind of header there is nobody.
#[tokio::test]
async fn no_token() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let counter = Counter::of(&house, "T1").await;
    let before = counter.now().await;
    let nobody = house.nobody();
    let wrong = ["", "x", &"a".repeat(64), &"é".repeat(40)].map(|it| nobody.with_token(it));
    for caller in wrong.iter().chain([&nobody]) {
        let answer = caller
            .put(&dealer.path(1), &coin_in(&[1]))
            .await
            .problem(401, "unauthenticated");
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
        for path in [
            "/v1/tables",
            "/v1/hits",
            "/v1/paytables",
            "/v1/links/main/journal",
        ] {
            drop(caller.get(path).await.problem(401, "unauthenticated"));
        }
    }
    let basic = [
        ("authorization", "Basic YTpi"),
        ("content-type", "application/json"),
    ];
    let body = coin_in(&[1]).to_string().into_bytes();
    let answer = nobody
        .send(reqwest::Method::PUT, &dealer.path(1), &basic, body)
        .await;
    drop(answer.problem(401, "unauthenticated"));
    assert_eq!(counter.now().await, before);
    for path in [
        "/v1/links",
        "/v1/links/main",
        "/v1/links/main/meters",
        "/healthz",
        "/readyz",
    ] {
        drop(nobody.get(path).await.is(200));
    }
    house.end().await;
}

/// A revoked token is nobody's.
#[tokio::test]
async fn a_revoked_token() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let token = house.token("eve", "auditor", None, None).await;
    let eve = house.nobody().with_token(token);
    let now = meterhouse_engine::clock::now();
    assert_eq!(
        house
            .server
            .store
            .revoke_tokens("eve", now)
            .await
            .expect("revoked"),
        1
    );
    drop(eve.get("/v1/hits").await.problem(401, "unauthenticated"));
    house.end().await;
}

struct People {
    callers: Vec<(&'static str, Caller)>,
}

impl People {
    async fn of(house: &House) -> Self {
        let mut callers = Vec::new();
        for role in ["supervisor", "manager", "auditor"] {
            callers.push((role, house.person(&format!("the-{role}"), role).await));
        }
        callers.push(("display", house.person("the-display", "display").await));
        for role in ["supervisor", "auditor", "manager"] {
            let token = house
                .token(&format!("bound-{role}"), role, None, Some("main"))
                .await;
            callers.push(("bound", house.nobody().with_token(token)));
        }
        Self { callers }
    }
}

/// CONFORMANCE 7: a table's commands come from its own controller and from nobody else.
#[tokio::test]
async fn commands_of_a_table() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [dealer, other] = &dealers[..] else {
        panic!("two tables")
    };
    let counter = Counter::of(&house, "T1").await;
    let before = counter.now().await;
    let command = coin_in(&[1]);
    let answer = other
        .caller
        .put(&dealer.path(1), &command)
        .await
        .problem(403, "forbidden");
    assert_eq!(answer["fields"]["role"], "controller");
    drop(
        other
            .caller
            .get("/v1/tables/T1")
            .await
            .problem(403, "forbidden"),
    );
    for (_, caller) in People::of(&house).await.callers {
        drop(
            caller
                .put(&dealer.path(1), &command)
                .await
                .problem(403, "forbidden"),
        );
    }
    assert_eq!(counter.now().await, before);
    drop(dealer.caller.get("/v1/tables/T1").await.is(200));
    house.end().await;
}

async fn with_a_pending_hit() -> (House, Dealer) {
    let (house, mut dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let dealer = dealers.remove(0);
    drop(dealer.coin_in(&[3]).await.created());
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    (house, dealer)
}

/// CONFORMANCE 30: a supervisor validates and pays; a manager, an auditor, a display and a controller don't.
#[tokio::test]
async fn deciding_a_hit() {
    let (house, dealer) = with_a_pending_hit().await;
    let counter = Counter::of(&house, "T1").await;
    let before = counter.now().await;
    let mut callers = People::of(&house).await.callers;
    callers.retain(|(role, _)| *role != "supervisor");
    callers.push(("controller", dealer.caller.clone()));
    for (_, caller) in callers {
        for decision in ["approve", "reject"] {
            let path = "/v1/hits/T1.2/validation";
            let answer = caller.put(path, &json!({"decision": decision})).await;
            drop(answer.problem(403, "forbidden"));
        }
        let path = "/v1/hits/T1.2/payouts/1/payment";
        drop(
            caller
                .put(path, &json!({"document": "JP-1"}))
                .await
                .problem(403, "forbidden"),
        );
    }
    assert_eq!(counter.now().await, before);
    drop(
        house
            .supervisor("sam")
            .await
            .approve("T1.2")
            .await
            .created(),
    );
    house.end().await;
}

/// Opening a link and letting a table join is a manager's.
#[tokio::test]
async fn setting_up() {
    let (house, dealer) = with_a_pending_hit().await;
    let mut callers = People::of(&house).await.callers;
    callers.retain(|(role, _)| *role != "manager");
    callers.push(("controller", dealer.caller.clone()));
    for (_, caller) in callers {
        drop(
            caller
                .put_text("/v1/links/second", OPEN)
                .await
                .problem(403, "forbidden"),
        );
        let table = felt("main", FIVE_CARD_C);
        drop(
            caller
                .put("/v1/tables/T9", &table)
                .await
                .problem(403, "forbidden"),
        );
    }
    drop(
        house
            .nobody()
            .get("/v1/links/second")
            .await
            .problem(404, "unknown_link"),
    );
    house.end().await;
}

/// Supervisors, managers and auditors read everything; a controller and a display don't, and who is bound to a
/// link reads that link.
#[tokio::test]
async fn reading() {
    let (house, dealer) = with_a_pending_hit().await;
    house.link("second", FIVE_CARD_C).await;
    let everything = [
        "/v1/tables",
        "/v1/hits",
        "/v1/hits/T1.2",
        "/v1/paytables",
        "/v1/paytables/pa-657a-five-card-c",
        "/v1/paytables/pa-657a-five-card-c/returns",
    ];
    let of_a_link = ["/v1/links/main/journal", "/v1/links/main/reconciliation"];
    let of_another = [
        "/v1/links/second/journal",
        "/v1/links/second/reconciliation",
    ];
    let mut callers = People::of(&house).await.callers;
    callers.push(("controller", dealer.caller.clone()));
    for (role, caller) in callers {
        let status = |may: bool| if may { 200 } else { 403 };
        let reads = matches!(role, "supervisor" | "manager" | "auditor");
        for path in everything {
            drop(caller.get(path).await.is(status(reads)));
        }
        for path in of_a_link {
            drop(caller.get(path).await.is(status(reads || role == "bound")));
        }
        for path in of_another {
            drop(caller.get(path).await.is(status(reads)));
        }
    }
    house.end().await;
}

/// CONFORMANCE 30: who keyed a hit can't validate it, neither by the badge at the table, in large or small letters, nor with
/// the token; another one can.
#[tokio::test]
async fn who_keyed_a_hit_does_not_validate_it() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[3]).await.created());
    let keyed = json!({"command": "hit", "seat": 3, "hand": "royal-flush", "by": "SAM"});
    drop(dealer.send(&keyed).await.created());
    let sam = house.supervisor("Sam").await;
    let refused = sam.approve("T1.2").await.problem(422, "keyed_by_validator");
    assert_eq!(refused["fields"]["hit"], "T1.2");
    assert_eq!(sam.hit("T1.2").await.is(200).text("state"), "pending");
    drop(
        house
            .supervisor("kim")
            .await
            .approve("T1.2")
            .await
            .created(),
    );
    drop(sam.approve("T1.2").await.problem(422, "hit_not_pending"));
    house.end().await;
}

/// A cashier pays what another person validated, and neither does the other's work: paying is a right of its own.
#[tokio::test]
async fn the_floor_validates_and_the_cage_pays() {
    let (house, _dealer) = with_a_pending_hit().await;
    let floor = Supervisor {
        caller: house.with_rights("sam", "supervisor", "validate").await,
    };
    let cage = Supervisor {
        caller: house.with_rights("cash", "supervisor", "pay").await,
    };
    let refused = cage.approve("T1.2").await.problem(403, "forbidden");
    assert_eq!(
        refused["fields"],
        json!({"role": "supervisor", "right": "validate"})
    );
    let detail = refused.text("detail");
    assert!(
        detail.ends_with("you have the role supervisor with pay only"),
        "{detail}"
    );
    drop(floor.approve("T1.2").await.created());
    let refused = floor.pay("T1.2", 1, "JP-1").await.problem(403, "forbidden");
    assert_eq!(refused["fields"]["right"], "pay");
    drop(cage.pay("T1.2", 1, "JP-1").await.created());
    let hit = cage.hit("T1.2").await.is(200);
    assert_eq!(
        (&hit["decided_by"], &hit["payouts"][0]["payment"]["by"]),
        (&json!("sam"), &json!("cash")),
        "{}",
        hit.text
    );
    let adjust = json!({"change": "adjust", "level": "mega", "account": "meter", "amount": "1.00", "reason": "a walk"});
    let path = TwoPeople::path("main", &TwoPeople::new_id());
    let refused = cage.caller.put(&path, &adjust).await;
    assert_eq!(
        refused.problem(403, "forbidden")["fields"]["right"],
        "adjust"
    );
    let house = house.restart().await;
    let cage = Supervisor {
        caller: cage.caller.at(house.server.base()),
    };
    drop(cage.approve("T1.2").await.problem(403, "forbidden"));
    house.end().await;
}

/// A token with a right that this program does not know is none: it could be one that takes much away.
#[tokio::test]
async fn unknown_rights_are_no_rights() {
    let house = House::open().await;
    for (name, rights) in [("one", "fly"), ("two", "pay,fly"), ("three", "")] {
        let caller = house.with_rights(name, "supervisor", rights).await;
        drop(caller.get("/v1/hits").await.problem(401, "unauthenticated"));
    }
    let cashier = house.with_rights("four", "supervisor", "pay").await;
    drop(cashier.get("/v1/hits").await.is(200));
    house.end().await;
}

/// The second of two people needs the right to the change that the first one proposed.
#[tokio::test]
async fn the_second_person_needs_the_right_too() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    let adjust = json!({"change": "adjust", "level": "mega", "account": "meter", "amount": "1.00"});
    drop(both.propose("main", &id, &adjust).await.created());
    let of = async |name: &str, rights: &str| TwoPeople {
        one: both.one.clone(),
        other: house.with_rights(name, "manager", rights).await,
    };
    let resets = of("ray", "reset").await.approve("main", &id).await;
    assert_eq!(
        resets.problem(403, "forbidden")["fields"]["right"],
        "adjust"
    );
    drop(
        of("ada", "adjust")
            .await
            .approve("main", &id)
            .await
            .created(),
    );
    house.end().await;
}
