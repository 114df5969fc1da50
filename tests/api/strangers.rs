//! Tokens that nobody knows or that have expired, and requests that do not say which host they mean.

use futures_util::future::join_all;
use meterhouse_domain::ids::Timestamp;
use meterhouse_engine::clock;
use meterhouse_store::NewActor;
use meterhouse_tests::{FIVE_CARD_C, House, eventually, in_time};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Unknown tokens that come together: more than are looked up in a second.
const FLOOD: usize = 64;

/// While unknown tokens come to both nodes, a token just made is good on both, and one that was unknown stays so.
#[tokio::test]
async fn a_new_token_is_good_among_unknown_ones() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let bases = [house.server.base(), second.base()];
    let flood = async |round: usize| {
        let asked = bases.iter().flat_map(|base| {
            let nobody = house.nobody().at(base.clone());
            (0..FLOOD).map(move |number| nobody.with_token(format!("{round}-{number}")))
        });
        let answers = asked.map(async |caller| caller.get("/v1/tables").await.status);
        assert_eq!(join_all(answers).await, [401; 2 * FLOOD]);
    };
    for round in 0..5 {
        flood(round).await;
        let name = format!("ana-{round}");
        let token = house.token(&name, "manager", None, None).await;
        for base in &bases {
            let caller = house.nobody().at(base.clone()).with_token(token.clone());
            let good = eventually("the token is good", async || {
                flood(round).await;
                let answer = caller.get("/v1/tables").await;
                (answer.status == 200).then_some(())
            });
            good.await;
        }
    }
    second.stop().await;
    house.end().await;
}

/// A token that has expired is ended: whatever the clock says afterwards, it is not good again.
#[tokio::test]
async fn a_clock_set_back_revives_no_token() {
    let house = House::open().await;
    let who = NewActor {
        name: "ana".to_owned(),
        role: "manager".to_owned(),
        table_name: None,
        link_name: None,
        department: None,
        rights: None,
    };
    let now = clock::now();
    let expired = Timestamp(now.0 - 1);
    let token = house.token_of(who, Some(expired));
    drop(token.await);
    let an_hour_ago = Timestamp(now.0 - 3_600_000_000);
    eventually("it is ended", async || {
        let valid = house.server.store.token_hashes(an_hour_ago, 10).await;
        valid.expect("the database").is_empty().then_some(())
    })
    .await;
    house.end().await;
}

/// A request that names no host, or two, is refused; HTTP/1.0 need not name one. No answer is to be guessed at.
#[tokio::test]
async fn a_request_names_its_host_once() {
    let house = House::open().await;
    for (said, expected) in [
        ("GET /v1/links HTTP/1.1\r\n\r\n", "400"),
        (
            "GET /v1/links HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "400",
        ),
        ("GET /v1/links HTTP/1.0\r\n\r\n", "200"),
        (
            "GET /v1/links HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "200",
        ),
    ] {
        let stream = TcpStream::connect(house.server.address).await;
        let mut stream = stream.expect("it listens");
        stream.write_all(said.as_bytes()).await.expect("it is open");
        let mut heard = String::new();
        let read = in_time("it is closed", stream.read_to_string(&mut heard)).await;
        read.expect("text");
        let status = heard.split(' ').nth(1);
        assert_eq!(status, Some(expected), "{said:?}: {heard}");
        if expected == "400" {
            assert!(heard.contains("\"code\":\"invalid_host\""), "{heard}");
        } else {
            let heard = heard.to_ascii_lowercase();
            assert!(heard.contains("x-content-type-options: nosniff"), "{heard}");
        }
    }
    house.end().await;
}
