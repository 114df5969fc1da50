//! Dry runs of proposals: what one says is what the approval then does, and what nobody can approve says so.

use meterhouse_tests::{Answer, Caller, FIVE_CARD_A, FIVE_CARD_C, HAND_BONUS, House, TwoPeople};
use serde_json::{Value, json};

/// A test's own: the Hand Bonus of § 657a.12(f) with envy. With a Magic Card in every sixth round it returns more than the
/// wager.
const DRAWS_AND_ENVY: &str = "test-draws-and-envy";

fn adjust(level: &str, account: &str, amount: &str) -> Value {
    json!({"change": "adjust", "level": level, "account": account, "amount": amount})
}

async fn run(caller: &Caller, id: &str) -> Answer {
    let path = format!("{}/dry-run", TwoPeople::path("main", id));
    caller.get(&path).await
}

/// The link as other operations say it: its state, and the exact balances of every level.
async fn books(caller: &Caller) -> (Value, Vec<Value>) {
    let link = caller.get("/v1/links/main").await.is(200);
    let liability = caller.get("/v1/links/main/liability").await.is(200);
    let levels = liability["levels"].as_array().expect("levels").iter();
    let without_total = |level: &Value| {
        let mut level = level.clone();
        level.as_object_mut().expect("an object").remove("total");
        level
    };
    (link["state"].clone(), levels.map(without_total).collect())
}

/// Proposes a change, reads its dry run, approves it, and compares: effect, moves, state and balances. Returns the dry run.
async fn runs_as_approved(both: &TwoPeople, change: &Value) -> Answer {
    let id = TwoPeople::new_id();
    drop(both.propose("main", &id, change).await.created());
    let before = books(&both.one).await;
    let dry = run(&both.other, &id).await.is(200);
    assert_eq!(dry.text("proposal"), id);
    assert_eq!(books(&both.one).await, before, "a dry run writes nothing");
    let said = |moment: &str| {
        let books = &dry[moment];
        let levels = books["levels"].as_array().expect("levels");
        (books["state"].clone(), levels.clone())
    };
    assert_eq!(said("before"), before, "{}", dry.text);
    let approved = both.approve("main", &id).await.created();
    assert_eq!(dry["effect"], approved["effect"], "{}", dry.text);
    assert_eq!(said("after"), books(&both.one).await, "{}", dry.text);
    let after = dry["batch"].as_u64().expect("a batch");
    let journal = both
        .one
        .get(&format!("/v1/links/main/journal?after={after}"))
        .await;
    let journal = journal.is(200);
    let approval = &journal["entries"][0];
    assert_eq!(approval["event"]["kind"], "change_approved", "{approval}");
    assert_eq!(dry["moves"], approval["moves"], "{}", dry.text);
    drop(run(&both.one, &id).await.problem(422, "proposal_closed"));
    dry
}

/// Adjustments of a meter, of a reserve, and over a ceiling, whose excess goes to the overflow.
#[tokio::test]
async fn adjustments() {
    let settings = json!({"ceilings": {"meter": "10001.00"}});
    let (house, _) = House::playing_with(HAND_BONUS, &settings, &["T1"]).await;
    let both = house.two_people().await;
    drop(runs_as_approved(&both, &adjust("meter", "reserve", "77.25")).await);
    drop(runs_as_approved(&both, &adjust("meter", "meter", "-1.50")).await);
    let over = runs_as_approved(&both, &adjust("meter", "meter", "5.00")).await;
    let level = json!({"level": "meter", "meter": "10001.00", "reserve": "77.25", "overflow": "2.50",
        "pending": "0.00"});
    assert_eq!(over["after"]["levels"][0], level, "{}", over.text);
    let moved = json!([{"book": "meter", "from": "house", "to": "meter", "amount": "5.00"},
        {"book": "meter", "from": "meter", "to": "overflow", "amount": "2.50"}]);
    assert_eq!(over["moves"], moved);
    let percent = |moment: &str| over[moment]["at_displayed"]["percent"].clone();
    assert!(percent("before").is_string(), "{}", over.text);
    assert_ne!(
        over["before"]["at_displayed"]["exact"],
        over["after"]["at_displayed"]["exact"]
    );
    house.end().await;
}

/// Figure N: a paid royal is withdrawn, and the later one gets another amount.
#[tokio::test]
async fn a_correction() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2", "T3"]).await;
    let [t1, t2, t3] = &dealers[..] else {
        panic!("three tables")
    };
    let sam = house.supervisor("sam").await;
    drop(t1.coin_in(&[1]).await.created());
    drop(t3.coin_in(&[6]).await.created());
    house.set_meter("30000.00").await;
    drop(t1.hit_unseen(1, "royal-flush").await.created());
    t2.rounds(5, &[1, 2, 3, 4, 5, 6]).await;
    drop(t3.hit_unseen(6, "royal-flush").await.created());
    sam.settles("T1.2", 1).await;
    sam.settles("T3.2", 1).await;
    let both = house.two_people().await;
    let correct = json!({"change": "correct", "hit": "T1.2"});
    let dry = runs_as_approved(&both, &correct).await;
    let later = &dry["effect"]["resettled"][0];
    assert_eq!(
        (&later["hit"], &later["before"]),
        (&json!("T3.2"), &json!("30006.30")),
        "{}",
        dry.text
    );
    house.end().await;
}

/// Figure R: a winner who was found after GAME OVER, of a part of the meter and of all of it.
#[tokio::test]
async fn late_hits() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    drop(dealers[0].coin_in(&[1, 2]).await.created());
    house.set_meter("20000.00").await;
    drop(dealers[0].close().await.created());
    let both = house.two_people().await;
    drop(both.adjust("main", "meter", "meter", "630.00").await);
    for (seat, hand) in [(2, "straight-flush"), (1, "royal-flush")] {
        let late =
            json!({"change": "late_hit", "table": "T1", "round": 1, "seat": seat, "hand": hand});
        drop(runs_as_approved(&both, &late).await);
    }
    house.end().await;
}

/// Changes of the state alone: the returns are acknowledged, a fault is cleared.
#[tokio::test]
async fn states() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let terms =
        json!({"paytable": DRAWS_AND_ENVY, "wager": "1.00", "decks": 1, "magic_card_one_in": 6});
    drop(manager.put("/v1/links/main", &terms).await.created());
    drop(manager.accept_values("main").await.created());
    let both = house.two_people().await;
    let acknowledge = json!({"change": "acknowledge_returns"});
    let dry = runs_as_approved(&both, &acknowledge).await;
    let state = |dry: &Answer, moment: &str| dry[moment]["state"].clone();
    assert_eq!(
        (state(&dry, "before"), state(&dry, "after")),
        (json!("suspended"), json!("open"))
    );
    let dealer = house.table("T1", "main", DRAWS_AND_ENVY).await;
    let waiting = TwoPeople::new_id();
    let change = adjust("meter", "meter", "1.00");
    drop(both.propose("main", &waiting, &change).await.created());
    house.fault("main", &dealer).await;
    let faulted = run(&both.one, &waiting).await;
    drop(faulted.problem(503, "link_faulted"));
    let dry = runs_as_approved(&both, &json!({"change": "clear_fault"})).await;
    assert_eq!(
        (state(&dry, "before"), state(&dry, "after")),
        (json!("faulted"), json!("open"))
    );
    house.end().await;
}

/// What nobody can approve says so with the code that its approval gets; a stranger reads none.
#[tokio::test]
async fn what_nobody_can_approve() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    let all = adjust("mega", "meter", "-10000.00");
    drop(both.propose("main", &id, &all).await.created());
    drop(run(&both.other, &id).await.is(200));
    drop(both.adjust("main", "mega", "meter", "-1.00").await);
    let refused = run(&both.other, &id).await.problem(422, "balance_too_low");
    let approval = both.approve("main", &id).await;
    let approval = approval.problem(422, "balance_too_low");
    assert_eq!(refused["fields"], approval["fields"]);
    let path = format!("{}/approval", TwoPeople::path("main", &id));
    let decline = json!({"decision": "decline", "note": "overtaken"});
    drop(both.other.put(&path, &decline).await.created());
    drop(run(&both.one, &id).await.problem(422, "proposal_closed"));
    let unknown = run(&both.one, &TwoPeople::new_id()).await;
    drop(unknown.problem(404, "unknown_proposal"));
    let dealer = run(&dealers[0].caller, &id).await;
    drop(dealer.problem(403, "forbidden"));
    house.end().await;
}
