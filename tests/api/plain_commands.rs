//! The short way of a table's command answers as the router does, byte for byte.
//!
//! Two houses get the same requests. In one, all come over one connection, whose first command opens the short way. In the
//! other, each comes over a connection of its own: the first command of a table on a connection always goes through the router.

use std::time::Instant;

use meterhouse_engine::access::{By, Only};
use meterhouse_tests::{FIVE_CARD_C, House, PATIENCE, in_time};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::people::ended::elsewhere;

const COIN_IN: &str = r#"{"command":"coin_in","wagers":[{"seat":1,"amount":"1.00"},{"seat":2,"amount":"1.00"}],"dealt":[1,2]}"#;
const CLOSE: &str = r#"{"command":"close"}"#;

/// A connection to one of the two houses.
struct Connection(TcpStream);

impl Connection {
    async fn open(house: &House) -> Self {
        let connecting = TcpStream::connect(house.server.address);
        Self(
            in_time("a connection", connecting)
                .await
                .expect("it listens"),
        )
    }

    /// Sends bytes and reads one response. Returns it with `closed` if the connection ends with it.
    async fn ask(&mut self, request: &str) -> Option<String> {
        drop(self.0.write_all(request.as_bytes()).await);
        let mut response = Vec::new();
        let mut head = None;
        loop {
            if let Some(length) = head
                && response.len() >= length
            {
                break;
            }
            if self.0.read_buf(&mut response).await.ok()? == 0 {
                return None;
            }
            let text = String::from_utf8_lossy(&response);
            if let Some((before, _)) = text.split_once("\r\n\r\n") {
                let length = before
                    .lines()
                    .find_map(|line| line.strip_prefix("content-length: "));
                let length: usize = length.expect("a length").parse().expect("a number");
                head = Some(before.len() + 4 + length);
            }
        }
        Some(String::from_utf8(response).expect("text"))
    }
}

/// Returns a response without what differs from moment to moment: two times, and the id that the server made.
fn timeless(response: &str) -> String {
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    let head = head.lines().map(|line| match line.split_once(": ") {
        Some(("date", _)) => "date: …".to_owned(),
        Some(("x-request-id", id)) if id.len() == 36 => "x-request-id: …".to_owned(),
        _ => line.to_owned(),
    });
    let head: Vec<String> = head.collect();
    let parts = body.split_once(r#""at":""#);
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once('"')?.1)));
    let body = parts.map_or_else(
        || body.to_owned(),
        |(before, rest)| format!("{before}…{rest}"),
    );
    format!("{}\n\n{body}", head.join("\n"))
}

/// Returns a request with these headers besides host, token and media type.
fn put(target: &str, token: &str, more: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "PUT {target} HTTP/1.1\r\nhost: house\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n{more}content-length: {length}\r\n\r\n{body}"
    )
}

fn command(number: u64, body: &str) -> impl Fn(&str) -> String {
    command_of("T1", number, body)
}

fn command_of(table: &str, number: u64, body: &str) -> impl Fn(&str) -> String {
    let target = format!("/v1/tables/{table}/commands/{number}");
    let body = body.to_owned();
    move |token| put(&target, token, "", &body)
}

/// Path of the third command.
const THIRD: &str = "/v1/tables/T1/commands/3";

/// Returns requests, good ones and bad ones, after a first coin-in and close.
fn requests(token: &str) -> Vec<String> {
    [
        commands(token),
        bodies(token),
        more_headers(token),
        targets(token),
        other_heads(token),
        lengths(token),
    ]
    .concat()
}

fn commands(token: &str) -> Vec<String> {
    vec![
        command(3, COIN_IN)(token),
        command(3, COIN_IN)(token),
        command(1, COIN_IN)(token),
        command(3, CLOSE)(token),
        command(9, CLOSE)(token),
        command(4, COIN_IN)(token),
        command(5, r#"{"command":"count","chips":2}"#)(token),
        command(6, r#"{"command":"hit","seat":1,"hand":"flush"}"#)(token),
        command(7, r#"{"command":"cancel_hit","hit":"T2.1"}"#)(token),
        command(7, r#"{"command":"cancel_hit","hit":"T1.6"}"#)(token),
        command(8, r#"{"command":"hit","hand":"flush"}"#)(token),
        command(
            8,
            r#"{"command":"close","by":"dealer-1","at":"2026-11-26T12:00:00Z"}"#,
        )(token),
    ]
}

fn bodies(token: &str) -> Vec<String> {
    let many = "[".repeat(10_000);
    let long = format!("{CLOSE}{}", " ".repeat(65_000));
    let bodies = [
        "",
        "{",
        "no",
        "1",
        "[]",
        "{}",
        "null",
        " ",
        "\u{feff}{}",
        r#"{"command":1}"#,
        r#"{"command":"nothing"}"#,
        r#"{"coin_in":{}}"#,
        r#"{"command":"close","x":1}"#,
        r#"{"command":"close","command":"close"}"#,
        r#"{"command":"close"} x"#,
        r#"{"command":"count","chips":-1}"#,
        r#"{"command":"count","chips":4294967296}"#,
        r#"{"command":"coin_in","wagers":[{"seat":1,"amount":"1.0"}],"dealt":[1]}"#,
        r#"{"command":"coin_in","wagers":[{"seat":0,"amount":"1.00"}],"dealt":[0]}"#,
        r#"{"command":"coin_in","wagers":[{"seat":300,"amount":"1.00"}],"dealt":[1]}"#,
        r#"{"command":"close","by":"a b"}"#,
        r#"{"command":"close","at":"yesterday"}"#,
        r#"{"command":"void","reason":"\u0000"}"#,
        &many,
        &long,
    ];
    bodies.map(|body| command(9, body)(token)).to_vec()
}

fn more_headers(token: &str) -> Vec<String> {
    let headers = [
        "x-request-id: abc-1\r\n",
        "x-request-id: a b\r\n",
        "traceparent: x\r\n",
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n",
        "x-forwarded-for: 10.0.0.1\r\n",
        "origin: https://evil.example\r\n",
        "cookie: a=b\r\n",
        "accept: text/plain\r\n",
        "accept-encoding: gzip\r\n",
        "content-encoding: gzip\r\n",
        "cookie: __Host-meterhouse-session=0\r\n",
        "authorization: Bearer other\r\n",
        "content-type: text/plain\r\n",
        "expect: nothing\r\n",
        "connection: close\r\n",
    ];
    headers
        .map(|more| put(THIRD, token, more, COIN_IN))
        .to_vec()
}

fn targets(token: &str) -> Vec<String> {
    let targets = [
        "/v1/tables/T2/commands/1",
        "/v1/tables/T%31/commands/3",
        "/v1/tables/T1/commands/03",
        "/v1/tables/T1/commands/0",
        "/v1/tables/T1/commands/x",
        "/v1/tables/T1/commands/3?x=1",
        "/v1/tables/T1/commands/3/",
        "/v1/tables/nowhere/commands/1",
        "/v1/tables/a%2Fb/commands/1",
        "/v1/tables/%ff/commands/1",
        "/v1/tables/T1/heartbeat",
        "/v1/tables/T1/commands/9223372036854775808",
        "http://house/v1/tables/T1/commands/3",
        "//v1/tables/T1/commands/3",
    ];
    targets
        .map(|target| put(target, token, "", COIN_IN))
        .to_vec()
}

fn other_heads(token: &str) -> Vec<String> {
    let changed = |from: &str, to: &str| command(3, COIN_IN)(token).replace(from, to);
    vec![
        put(THIRD, "other", "", COIN_IN),
        put(THIRD, &"x".repeat(300), "", COIN_IN),
        changed("Bearer", "bearer"),
        changed("Bearer ", "Basic "),
        changed("authorization: ", "x: "),
        changed("application/json", "text/plain"),
        changed("application/json", "application/json; charset=utf-8"),
        changed("content-type: ", "x: "),
        changed("host: house\r\n", ""),
        changed("host: house\r\n", "host: house\r\nhost: other\r\n"),
        changed("PUT ", "POST "),
        changed("PUT ", "GET "),
        changed("HTTP/1.1", "HTTP/1.0"),
    ]
}

/// Returns requests whose body is announced in other ways.
fn lengths(token: &str) -> Vec<String> {
    let (head, length) = (put(THIRD, token, "", ""), COIN_IN.len());
    let announced = |more: &str| head.replace("content-length: 0\r\n\r\n", more);
    vec![
        announced(&format!(
            "transfer-encoding: chunked\r\n\r\n{length:x}\r\n{COIN_IN}\r\n0\r\n\r\n"
        )),
        announced("content-length: 65537\r\n\r\n"),
        announced("content-length: x\r\n\r\n"),
        announced("content-length: 1\r\ncontent-length: 2\r\n\r\n"),
    ]
}

/// Every response has the same status, headers and body on both ways, in the same order, and so has a repetition.
#[tokio::test]
async fn both_ways_answer_alike() {
    let (short, of_short) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let (routed, of_routed) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let (short_token, routed_token) = (of_short[0].caller.token(), of_routed[0].caller.token());
    let mut connection = Connection::open(&short).await;
    let opening = [command(1, COIN_IN), command(2, CLOSE)];
    let mut answered = 0;
    let opening = opening
        .iter()
        .map(|request| (request(short_token), request(routed_token)));
    let all = requests(short_token)
        .into_iter()
        .zip(requests(routed_token));
    for (request, same) in opening.chain(all) {
        let over_router = Connection::open(&routed).await.ask(&same).await;
        let over_router = over_router.expect("a response of the router");
        let mut response = connection.ask(&request).await;
        if response.is_none() {
            // The response before announced the end.
            connection = Connection::open(&short).await;
            drop(connection.ask(&command(1, COIN_IN)(short_token)).await);
            response = connection.ask(&request).await;
        }
        let response = response.expect("a response");
        assert_eq!(timeless(&response), timeless(&over_router), "{request}");
        answered += 1;
    }
    assert!(answered > 70, "{answered}");
    assert_eq!(short.balances().await, routed.balances().await);
    drop(connection);
    short.end().await;
    routed.end().await;
}

/// Tables that share a connection, as behind a proxy, are answered as over connections of their own. The token of one is none
/// for another, and a revoked one ends there too.
#[tokio::test]
async fn tables_share_a_connection() {
    let tables = ["T1", "T2", "T3"];
    let (shared, of_shared) = House::playing(FIVE_CARD_C, &tables).await;
    let (routed, of_routed) = House::playing(FIVE_CARD_C, &tables).await;
    let mut connection = Connection::open(&shared).await;
    let same = async |connection: &mut Connection, table: usize, holder: usize, number, body| {
        let command = command_of(tables[table], number, body);
        let request = command(of_routed[holder].caller.token());
        let over_router = Connection::open(&routed).await.ask(&request).await;
        let request = command(of_shared[holder].caller.token());
        let response = connection.ask(&request).await.expect("a response");
        let over_router = over_router.expect("a response of the router");
        assert_eq!(timeless(&response), timeless(&over_router), "{request}");
        response
    };
    for (number, body) in [(1, COIN_IN), (2, CLOSE), (3, COIN_IN), (4, CLOSE)] {
        for table in 0..tables.len() {
            let response = same(&mut connection, table, table, number, body).await;
            assert!(response.starts_with("HTTP/1.1 201 "), "{response}");
        }
    }
    // Refused before its body is read, so it is the connection's last response.
    let response = same(&mut connection, 1, 0, 4, CLOSE).await;
    assert!(response.starts_with("HTTP/1.1 403 "), "{response}");
    assert_eq!(shared.balances().await, routed.balances().await);
    let people = elsewhere(&shared).await;
    let mut connection = Connection::open(&shared).await;
    for (table, dealer) in tables.into_iter().zip(&of_shared) {
        let again = command_of(table, 1, COIN_IN)(dealer.caller.token());
        drop(connection.ask(&again).await.expect("a response"));
    }
    let by = By::default();
    let revoked = people.revoke_tokens(&by, Only::Always, "T2").await;
    assert_eq!(revoked.expect("revoked"), 1);
    let begun = Instant::now();
    loop {
        let again = command_of("T2", 1, COIN_IN)(of_shared[1].caller.token());
        let response = connection.ask(&again).await.expect("a response");
        if response.starts_with("HTTP/1.1 401 ") {
            break;
        }
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
        assert!(begun.elapsed() < PATIENCE, "{response}");
        let other = command_of("T1", 4, CLOSE)(of_shared[0].caller.token());
        let response = connection.ask(&other).await.expect("a response");
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    }
    drop(connection);
    shared.end().await;
    routed.end().await;
}

/// Two commands that arrive together are answered one after the other, and so is one that arrives byte by byte.
#[tokio::test]
async fn however_the_bytes_arrive() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let token = dealers[0].caller.token();
    let mut connection = Connection::open(&house).await;
    let mut number = 0;
    let mut next = |body| {
        number += 1;
        command(number, body)(token)
    };
    let first = connection.ask(&next(COIN_IN)).await.expect("a response");
    assert!(first.starts_with("HTTP/1.1 201 Created\r\n"), "{first}");
    for _ in 0..3 {
        let both = format!("{}{}", next(CLOSE), next(COIN_IN));
        let sent = connection.0.write_all(both.as_bytes()).await;
        sent.expect("a connection");
        let mut heard = String::new();
        while heard.matches("HTTP/1.1 201 Created\r\n").count() < 2 || !heard.ends_with('}') {
            let mut some = [0; 4_096];
            let length = in_time("a response", connection.0.read(&mut some)).await;
            let length = length.expect("a connection");
            assert!(length > 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&some[..length]));
        }
    }
    let close = next(CLOSE);
    for byte in close.as_bytes() {
        connection
            .0
            .write_all(&[*byte])
            .await
            .expect("a connection");
        tokio::task::yield_now().await;
    }
    let last = connection.ask("").await.expect("a response");
    assert!(last.starts_with("HTTP/1.1 201 Created\r\n"), "{last}");
    drop(connection);
    house.end().await;
}
