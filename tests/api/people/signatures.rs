//! Signatures by PIN on a shared device: what they are good for, when they end, and who can't guess a PIN.

mod setting;

use futures_util::future::join_all;
use meterhouse_engine::verify::verify_house;
use meterhouse_tests::{Answer, Caller, Dealer, FIVE_CARD_C, House, TestServer, TwoPeople, Watch};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{PASSWORD, Session, acts_of, admitted, first_administrator, login};

const PIN: &str = "4711";
const OWN: &str = "/v1/session/pin";

/// A house whose floor has a tablet with Kim's session, and Sam, a supervisor with a PIN.
struct Floor {
    house: House,
    dealer: Dealer,
    root: Session,
    tablet: Session,
    sam: Session,
}

impl Floor {
    async fn open() -> Self {
        let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
        let dealer = dealers.into_iter().next().expect("a table");
        first_administrator(&house).await;
        let root = login(&house, "root").await;
        for (name, department) in [("kim", "tables"), ("sam", "floor")] {
            let asked = json!({"name": name, "role": "supervisor", "department": department});
            admitted(&root, &asked).await;
        }
        let tablet = login(&house, "kim").await;
        let sam = login(&house, "sam").await;
        let set = set_pin(&sam, PIN).await.is(200);
        assert_eq!(
            (&set["set"], &set["blocked"]),
            (&json!(true), &json!(false))
        );
        Self {
            house,
            dealer,
            root,
            tablet,
            sam,
        }
    }

    async fn sign(&self, name: &str, pin: &str) -> Answer {
        sign(&self.tablet, name, pin).await
    }

    /// Signs as Sam.
    async fn signature(&self) -> Caller {
        let signed = self.sign("sam", PIN).await.is(201);
        self.house.nobody().with_token(signed.text("token"))
    }

    /// A hit at the table, keyed by somebody; returns its name.
    async fn hit(&self, by: &str) -> String {
        drop(self.dealer.coin_in(&[3]).await.created());
        let keyed = json!({"command": "hit", "seat": 3, "hand": "royal-flush", "by": by});
        let hit = self.dealer.send(&keyed).await.created();
        hit["hit"]["hit"].as_str().expect("a name").to_owned()
    }
}

async fn set_pin(of: &Session, pin: &str) -> Answer {
    let body = json!({"pin": pin, "password": PASSWORD});
    of.send(Method::PUT, OWN, Some(&body)).await
}

async fn sign(on: &Session, name: &str, pin: &str) -> Answer {
    let body = json!({"name": name, "pin": pin});
    on.send(Method::POST, "/v1/signatures", Some(&body)).await
}

async fn approve(signer: &Caller, hit: &str) -> Answer {
    let path = format!("/v1/hits/{hit}/validation");
    signer.put(&path, &json!({"decision": "approve"})).await
}

/// A signature decides as its person on every node, a repeat is a replay, and it is good for nothing else. The record has
/// the person and the device's session.
#[tokio::test]
async fn a_signature_decides_and_nothing_else() {
    let floor = Floor::open().await;
    let hit = floor.hit("d-12").await;
    let signed = floor.sign("sam", PIN).await.is(201);
    assert_eq!(signed["name"], "sam");
    assert_eq!(signed["role"], "supervisor");
    assert_eq!(signed["department"], "floor");
    assert_eq!(
        signed["rights"],
        json!(["validate", "pay", "reset", "adjust", "close"])
    );
    let second = floor.house.another_server().await;
    let here = floor.house.nobody().with_token(signed.text("token"));
    let there = here.at(second.base());
    let first = approve(&there, &hit).await.created();
    for repeat in [approve(&here, &hit).await, approve(&there, &hit).await] {
        let repeat = repeat.is(200);
        assert!(repeat.replayed());
        assert_eq!(repeat.body, first.body);
    }
    let payment = format!("/v1/hits/{hit}/payouts/1/payment");
    let paid = here.put(&payment, &json!({"document": "JP-1"})).await;
    drop(paid.created());
    for path in [
        "/v1/hits",
        "/v1/session",
        "/v1/people",
        "/v1/acts",
        "/v1/links/main/journal",
    ] {
        drop(here.get(path).await.problem(403, "forbidden"));
    }
    let again = json!({"name": "sam", "pin": PIN});
    let again = here.post("/v1/signatures", &again).await;
    drop(again.problem(403, "forbidden"));
    let pin = json!({"pin": "2580", "password": PASSWORD});
    drop(here.put(OWN, &pin).await.problem(403, "forbidden"));
    let cookie = format!("__Host-meterhouse-session={}", signed.text("token"));
    let cookie = [("cookie", cookie.as_str())];
    let as_session = floor.house.nobody();
    let as_session = as_session.send(Method::GET, "/v1/session", &cookie, Vec::new());
    drop(as_session.await.problem(401, "unauthenticated"));
    let acts = floor.root.get("/v1/acts?act=signed").await.is(200);
    let act = &acts["acts"][0];
    assert_eq!(
        (&act["name"], &act["proof"]),
        (&json!("sam"), &json!("pin"))
    );
    assert!(act["address"].is_string(), "{act}");
    let on = json!([{"name": "on", "value": "kim"}, {"name": "on_proof", "value": "session"}]);
    assert_eq!(act["details"], on);
    let requests = floor.root.get("/v1/acts?act=request&name=sam").await;
    assert_eq!(requests.is(200)["acts"][0]["proof"], "signature");
    second.stop().await;
    floor.house.end().await;
}

/// Who has no right to read the floor makes no signature, and neither has a stranger.
#[tokio::test]
async fn a_signature_is_made_on_a_device_of_the_floor() {
    let floor = Floor::open().await;
    let body = json!({"name": "sam", "pin": PIN});
    let stranger = floor.house.nobody().post("/v1/signatures", &body).await;
    drop(stranger.problem(401, "unauthenticated"));
    drop(
        sign(&floor.root, "sam", PIN)
            .await
            .problem(403, "forbidden"),
    );
    let display = floor.house.token("sign", "display", None, Some("main"));
    let display = floor.house.nobody().with_token(display.await);
    let refused = display.post("/v1/signatures", &body).await;
    drop(refused.problem(403, "forbidden"));
    let tablet = floor.house.person("tablet-3", "auditor").await;
    drop(tablet.post("/v1/signatures", &body).await.is(201));
    floor.house.end().await;
}

/// Guesses at the same time, over two nodes, get five tries and no more. Then the right PIN is refused too.
#[tokio::test]
async fn guesses_at_once_get_five_tries() {
    let floor = Floor::open().await;
    let second = floor.house.another_server().await;
    let bases = [floor.house.server.base(), second.base()];
    let guess = async |number: usize| {
        let device = Session {
            caller: floor.tablet.caller.at(bases[number % 2].clone()),
            cookie: floor.tablet.cookie.clone(),
            csrf: floor.tablet.csrf.clone(),
        };
        sign(&device, "sam", &format!("99{number:02}")).await
    };
    let answers = join_all((0..14).map(guess)).await;
    let mut left: Vec<String> = Vec::new();
    for answer in answers {
        match answer.code() {
            "pin_wrong" => left.push(
                answer["fields"]["tries_left"]
                    .as_str()
                    .expect("a text")
                    .to_owned(),
            ),
            _ => drop(answer.problem(403, "pin_blocked")),
        }
    }
    left.sort_unstable();
    assert_eq!(left, ["0", "1", "2", "3", "4"]);
    drop(floor.sign("sam", PIN).await.problem(403, "pin_blocked"));
    assert_eq!(floor.sam.get(OWN).await.is(200)["blocked"], true);
    // The person sets a new one with the password.
    drop(set_pin(&floor.sam, "2580").await.is(200));
    drop(floor.sign("sam", "2580").await.is(201));
    // Wrong ones in a row: a right one forgets them.
    for round in 0..2 {
        for left in ["4", "3", "2", "1"] {
            let wrong = floor.sign("sam", "9999").await.problem(401, "pin_wrong");
            assert_eq!(wrong["fields"]["tries_left"], left, "round {round}");
        }
        drop(floor.sign("sam", "2580").await.is(201));
    }
    second.stop().await;
    floor.house.end().await;
}

/// An administrator removes a blocked PIN. An unknown name, a name without a PIN and a controller's are answered as a wrong
/// PIN is, down to the block.
#[tokio::test]
async fn a_name_without_a_pin_is_answered_as_a_wrong_pin() {
    let floor = Floor::open().await;
    drop(floor.house.dealer("T1").await);
    let bodies = async |name: &str| {
        let mut bodies = Vec::new();
        for _ in 0..7 {
            let answer = floor.sign(name, "9999").await;
            let mut body = answer.body.clone();
            body["instance"] = Value::Null;
            body["request_id"] = Value::Null;
            bodies.push((answer.status, body));
        }
        bodies
    };
    let wrong = bodies("sam").await;
    assert_eq!(
        wrong.iter().map(|(status, _)| *status).collect::<Vec<_>>(),
        [401, 401, 401, 401, 401, 403, 403]
    );
    for name in ["kim", "nobody-here", "T1"] {
        assert_eq!(bodies(name).await, wrong, "{name}");
    }
    let path = "/v1/people/sam/pin";
    let by_sam = floor.sam.send(Method::DELETE, path, None).await;
    drop(by_sam.problem(403, "forbidden"));
    let removed = floor.root.send(Method::DELETE, path, None).await.is(200);
    assert_eq!(
        removed.body,
        json!({"name": "sam", "set": false, "set_at": null, "blocked": false})
    );
    let unknown = floor
        .root
        .send(Method::DELETE, "/v1/people/none/pin", None)
        .await;
    drop(unknown.problem(404, "unknown_person"));
    let left = floor.sign("sam", PIN).await.problem(401, "pin_wrong");
    assert_eq!(left["fields"]["tries_left"], "4");
    let failed = floor.root.get("/v1/acts?act=signing_failed&name=sam").await;
    let failed = failed.is(200);
    let newest = &failed["acts"][0];
    assert_eq!(
        newest["details"],
        json!([{"name": "on", "value": "kim"}, {"name": "on_proof", "value": "session"},
               {"name": "failures", "value": "1"}])
    );
    floor.house.end().await;
}

/// A signature ends with a new PIN, a new password, all sessions, the access, and after two minutes.
#[tokio::test]
async fn a_signature_ends() {
    let floor = Floor::open().await;
    let hit = floor.hit("d-12").await;
    let second = floor.house.another_server().await;
    // What is forbidden to a good signature tells it from one that has ended.
    let is_good = async |signature: &Caller| {
        let answer = signature.at(second.base()).get("/v1/hits").await;
        let is_good = answer.status == 403;
        if !is_good {
            drop(answer.problem(401, "unauthenticated"));
        }
        is_good
    };
    let signature = floor.signature().await;
    drop(set_pin(&floor.sam, PIN).await.is(200));
    assert!(!is_good(&signature).await, "a new PIN");
    let signature = floor.signature().await;
    let ended = floor
        .root
        .send(Method::DELETE, "/v1/people/sam/sessions", None);
    assert_eq!(ended.await.is(200)["ended"], 1, "a signature is no session");
    assert!(!is_good(&signature).await, "the sessions");
    let signature = floor.signature().await;
    let new = json!({"name": "sam", "old": PASSWORD, "new": "another horse battery"});
    drop(floor.house.nobody().put("/v1/password", &new).await.is(200));
    assert!(!is_good(&signature).await, "a new password");
    let signature = floor.signature().await;
    let late = "UPDATE session SET expires_at = expires_at - 120000000 WHERE is_signature AND ended_at IS NULL";
    assert_eq!(floor.house.database.tamper(late).await, 1);
    assert!(!is_good(&signature).await, "two minutes");
    let signature = floor.signature().await;
    drop(approve(&signature, &hit).await.created());
    let reason = json!({"reason": "left the house"});
    let path = "/v1/people/sam/access-end";
    drop(
        floor
            .root
            .send(Method::PUT, path, Some(&reason))
            .await
            .is(200),
    );
    assert!(!is_good(&signature).await, "the access");
    let repeat = approve(&signature, &hit).await;
    drop(repeat.problem(401, "unauthenticated"));
    drop(floor.sign("sam", PIN).await.problem(401, "pin_wrong"));
    second.stop().await;
    floor.house.end().await;
}

/// CONFORMANCE 30 and 33: a session, a signature and a badge of one name are one person.
#[tokio::test]
async fn one_person_by_session_and_signature_is_one() {
    let floor = Floor::open().await;
    let hit = floor.hit("SAM").await;
    let signature = floor.signature().await;
    let refused = approve(&signature, &hit).await;
    drop(refused.problem(422, "keyed_by_validator"));
    let adjust = json!({"change": "adjust", "level": "mega", "account": "meter", "amount": "1.00"});
    let body = TwoPeople::with_reason(&adjust);
    let path = TwoPeople::path("main", &TwoPeople::new_id());
    let proposed = floor.sam.send(Method::PUT, &path, Some(&body)).await;
    drop(proposed.is(201));
    let approval = format!("{path}/approval");
    let decision = json!({"decision": "approve"});
    let refused = signature.put(&approval, &decision).await;
    drop(refused.problem(422, "same_person"));
    // And the other way round.
    let path = TwoPeople::path("main", &TwoPeople::new_id());
    drop(signature.put(&path, &body).await.created());
    let other = format!("{path}/approval");
    let refused = floor.sam.send(Method::PUT, &other, Some(&decision)).await;
    drop(refused.problem(422, "same_person"));
    // Kim is of another department, and signs on her own session.
    drop(set_pin(&floor.tablet, "2580").await.is(200));
    let signed = floor.sign("kim", "2580").await.is(201);
    let kim = floor.house.nobody().with_token(signed.text("token"));
    drop(kim.put(&other, &decision).await.created());
    floor.house.end().await;
}

/// A PIN or a signature that was written past the program is worth nothing where the house has a key, and it is found.
#[tokio::test]
async fn a_row_of_the_databases_owner_signs_nothing() {
    let house = House::watching(Watch::Close).await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    for name in ["kim", "sam"] {
        admitted(&root, &json!({"name": name, "role": "supervisor"})).await;
    }
    let kim = login(&house, "kim").await;
    drop(set_pin(&kim, PIN).await.is(200));
    let signed = sign(&kim, "kim", PIN).await.is(201);
    drop(signed);
    let copied = "INSERT INTO pin (actor_id, set_at, hash, voucher)
         SELECT (SELECT actor_id FROM actor WHERE name = 'sam'), set_at, hash, voucher FROM pin";
    assert_eq!(house.database.tamper(copied).await, 1);
    drop(sign(&kim, "sam", PIN).await.problem(401, "pin_wrong"));
    let forged = format!("sig-{}", "f".repeat(64));
    let hash = hex::encode(Sha256::digest(forged.as_bytes()));
    let signature = format!(
        "INSERT INTO session (session_hash, actor_id, created_at, expires_at, seen_at, voucher, is_signature)
         SELECT '\\x{hash}', actor_id, created_at, expires_at, seen_at, voucher, true FROM session
         WHERE is_signature"
    );
    assert_eq!(house.database.tamper(&signature).await, 1);
    let second = TestServer::start(&house.database, Watch::Close).await;
    let there = house.nobody().at(second.base()).with_token(&forged);
    drop(there.get("/v1/hits").await.problem(401, "unauthenticated"));
    let report = verify_house(&house.server.store).await;
    let found = report.expect("the chain can be read").findings.join("\n");
    assert!(found.contains("pin: one of"), "{found}");
    second.stop().await;
    house.server.stop().await;
}
