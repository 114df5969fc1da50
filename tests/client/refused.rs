//! Errors that no retry resolves: the controller stops with a reason for a person, and stored commands stay stored.

use meterhouse_client::{
    Close, Controller, OpenError, Options, OutboxError, OutcomeError, Stopped,
};
use meterhouse_tests::{Dealer, FIVE_CARD_C, in_time};

use crate::fixture::{Fixture, coin_in, options};

/// Opens a controller and waits until it has stopped. Returns the code and the explanation.
async fn wait_for_stop(options: Options) -> (String, String) {
    let opened = Controller::open(options).await;
    let (controller, mut outcomes) = opened.expect("the outbox can be used");
    let why = in_time("it stops", controller.online()).await;
    let why = why.expect_err("it can't be online");
    let refused = controller.send(Close).await.expect_err("it has stopped");
    assert!(refused.to_string().contains(&why.to_string()), "{refused}");
    let nothing = in_time("it ends", outcomes.take()).await;
    assert!(matches!(nothing, Err(OutcomeError::Stopped(_))));
    controller.close().await.expect("closed");
    match why {
        Stopped::Refused { code, detail, .. } => (code, detail),
        other => panic!("{other}"),
    }
}

/// An unknown token, the token of another table and a manager's token are refused.
#[tokio::test]
async fn a_refused_token_stops_the_table() {
    let fixture = Fixture::open().await;
    let house = &fixture.house;
    let _: Dealer = house.table("T-2", "main", FIVE_CARD_C).await;
    let other = house
        .token("controller-2", "controller", Some("T-2"), None)
        .await;
    let manager = house.token("ana-2", "manager", None, None).await;
    let cases = [
        ("T-1", "no-token", "unauthenticated"),
        ("T-1", other.as_str(), "forbidden"),
        ("T-1", manager.as_str(), "forbidden"),
    ];
    for (table, token, expected) in cases {
        let (code, detail) = wait_for_stop(options(
            fixture.cable.address,
            table,
            token,
            &fixture.outbox(),
        ))
        .await;
        assert_eq!(code, expected, "{detail}");
        assert!(!detail.is_empty());
    }
    fixture.house.end().await;
}

/// Commands that were stored before the token was revoked are counted with a new token.
#[tokio::test]
async fn stored_commands_survive_a_refused_token() {
    let fixture = Fixture::open().await;
    let (controller, outcomes) = fixture.controller().await;
    drop(outcomes);
    fixture.cable.pull();
    let receipt = controller.send(coin_in(&[1])).await.expect("stored");
    controller.close().await.expect("closed");
    let error = receipt.outcome().await.expect_err("it was closed");
    assert!(matches!(error, OutcomeError::Closed), "{error}");

    fixture.cable.plug_in();
    let path = fixture.outbox();
    let (code, _) = wait_for_stop(options(fixture.cable.address, "T-1", "another", &path)).await;
    assert_eq!(code, "unauthenticated");
    fixture.assert_counted(0, 0).await;

    let (controller, mut outcomes) = fixture.controller().await;
    let outcome = in_time("the outcome", outcomes.take()).await;
    assert_eq!(outcome.expect("the controller runs").sequence.get(), 1);
    fixture.assert_counted(1, 1).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// An outbox of another table, an outbox in use, a damaged file and an invalid address are refused.
#[tokio::test]
async fn an_unusable_outbox_or_address_is_refused() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let open = async |options: Options| match Controller::open(options).await {
        Err(error) => error,
        Ok(_) => panic!("it was opened"),
    };
    let in_use = open(fixture.options()).await;
    assert!(
        matches!(in_use, OpenError::Outbox(OutboxError::InUse { .. })),
        "{in_use}"
    );
    controller.close().await.expect("closed");
    let path = fixture.outbox();
    let other = open(options(fixture.cable.address, "T-2", &fixture.token, &path)).await;
    let text = other.to_string();
    assert!(text.contains("is that of table T-1, not of T-2"), "{text}");
    std::fs::write(&path, b"something else").expect("written");
    let damaged = open(fixture.options()).await;
    assert!(damaged.to_string().contains("damaged"), "{damaged}");
    std::fs::remove_file(&path).expect("removed");
    let table = "T-1".parse().expect("a name");
    let nowhere = open(Options::new("over there", table, "", &path)).await;
    assert!(matches!(nowhere, OpenError::Address { .. }), "{nowhere}");
    fixture.house.end().await;
}
