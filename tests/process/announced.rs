//! Announced access over the real program: logins at a server, tokens at the command line, and an address that is away.

mod address;

use std::path::Path;

use meterhouse_tests::{Answer, Caller};
use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};

use self::address::Address;
use crate::export::text;
use crate::program::{
    PROGRAM, ProgramOutput, Running, command, folder, own_address, run_to_end_with,
};

/// Password of the manager.
const PASSWORD: &str = "correct horse battery";
/// Token for the address.
const SECRET: &str = "of-the-house";

/// Runs a command on a folder, with an address for announcements and lines for its standard input.
async fn run_at(url: &str, data: &Path, words: &[&str], lines: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program.args(words).arg("--data-dir").arg(data);
    program.env("METERHOUSE_ANNOUNCEMENT_URL", url);
    program.env("METERHOUSE_ANNOUNCEMENT_TOKEN", SECRET);
    run_to_end_with(program, &(lines.join("\n") + "\n")).await
}

const fn token<'a>(name: &'a str, role: &'a str) -> [&'a str; 6] {
    ["token", "create", "--name", name, "--role", role]
}

async fn log_in(anonymous: &Caller, name: &str) -> Answer {
    let json = [("content-type", "application/json")];
    let body = json!({"name": name, "password": PASSWORD}).to_string();
    let body = body.into_bytes();
    anonymous.send(Method::POST, "/v1/login", &json, body).await
}

/// Returns the value of an act's detail.
fn detail<'a>(act: &'a Value, name: &str) -> &'a str {
    let details = act["details"].as_array().expect("details");
    let found = details.iter().find(|detail| detail["name"] == name);
    found.map_or("", |detail| detail["value"].as_str().expect("a text"))
}

/// A command makes a manager's token once the address confirmed it. Without an address that confirms, it makes one only
/// by `--break-glass`, and the record says so.
#[tokio::test]
async fn a_token_of_the_command_line_is_announced() {
    let (data, address) = (folder(), Address::start().await);
    let path = data.path();
    drop(
        run_at(&address.url, path, &["migrate"], &[])
            .await
            .with_code(0),
    );
    let run = async |words: &[&str]| run_at(&address.url, path, words, &[]).await;
    let aud = run(&token("aud", "auditor")).await.with_code(0);
    assert_eq!(address.received(), Vec::<Value>::new());
    let department = ["--department", "tables"];
    let max = [&token("max", "manager")[..], &department].concat();
    drop(run(&max).await.with_code(0));
    let received = address.received();
    let [announced] = &received[..] else {
        panic!("{received:?}");
    };
    assert_eq!(announced["access"], "token");
    assert_eq!(announced["name"], "max");
    assert_eq!(announced["role"], "manager");
    assert_eq!(announced["department"], "tables");
    assert_eq!(announced["rights"], Value::Null);
    assert_eq!(announced["proof"], "command line");
    assert_eq!(announced["house"].as_str().map(str::len), Some(32));
    assert!(announced["at"].as_str().is_some_and(|at| at.ends_with('Z')));
    assert!(address.has_only_token(&format!("Bearer {SECRET}")));
    let rights = ["--rights", "configure,run"];
    let few = [&token("ron", "manager")[..], &rights].concat();
    drop(run(&few).await.with_code(0));
    assert_eq!(address.received()[1]["rights"], json!(["configure", "run"]));

    let eve = token("eve", "manager");
    for status in [500, 302] {
        address.answer(status);
        let refused = run(&eve).await.with_code(1).stderr;
        let why = format!("did not confirm its announcement (the address answered {status})");
        assert!(refused.contains(&why), "{refused}");
        assert!(refused.contains("check announcement.url"), "{refused}");
    }
    let away = format!("http://{}/", own_address());
    let refused = run_at(&away, path, &eve, &[]).await.with_code(1).stderr;
    assert!(refused.contains("(no reply: "), "{refused}");
    assert!(refused.contains("--break-glass REASON"), "{refused}");
    let glass = [&eve[..], &["--break-glass", "the line is cut"]].concat();
    drop(run_at(&away, path, &glass, &[]).await.with_code(0));

    let mut server = Running::start(path, &["serve"]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let aud = anonymous.with_token(aud.stdout.trim());
    let acts = aud.get("/v1/acts?limit=500").await.is(200);
    let acts = acts["acts"].as_array().expect("acts");
    let of = |word: &str, name: &str| {
        let mut of = acts.iter().filter(|act| act["act"] == word);
        let found = of.find(|act| act["subject"] == name);
        found.cloned().unwrap_or_default()
    };
    let host = address.url.trim_start_matches("http://");
    let host = host.trim_end_matches("/announcements");
    assert_eq!(detail(&of("token_made", "max"), "announced"), host);
    let made = of("token_made", "eve");
    assert_eq!(made["proof"], "break glass");
    assert!(detail(&made, "not_announced").starts_with("no reply: "));
    let refused = acts.iter().filter(|act| act["act"] == "not_announced");
    assert_eq!(refused.count(), 3);
    drop(server.stop(Signal::SIGTERM).await);
}

/// A server announces a manager's login before the session begins, and begins none while the address refuses.
#[tokio::test]
async fn a_login_at_a_server_is_announced() {
    let (data, address) = (folder(), Address::start().await);
    let path = data.path();
    let files = folder();
    let secret = files.path().join("announcement-token");
    std::fs::write(&secret, format!("{SECRET}\n")).expect("a file");
    let flags = [
        "serve",
        "--announcement-url",
        &address.url,
        "--announcement-token-file",
        text(&secret),
    ];
    let mut server = Running::start(path, &flags);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let max = ["user", "create", "--name", "max", "--role", "manager"];
    let made = run_at(&address.url, path, &max, &[]).await.with_code(0);
    let code = made.stdout.lines().next().expect("a code").to_owned();
    let set = ["user", "password", "max"];
    let set = run_at(&address.url, path, &set, &[&code, PASSWORD]).await;
    drop(set.with_code(0));
    assert_eq!(address.received(), Vec::<Value>::new());
    address.answer(500);
    let refused = log_in(&anonymous, "max").await;
    let refused = refused.problem(503, "not_announced");
    assert_eq!(refused.headers["retry-after"], "2");
    address.answer(204);
    drop(log_in(&anonymous, "max").await.is(201));
    let received = address.received();
    assert_eq!(received.len(), 2);
    assert_eq!(received[1]["access"], "login");
    assert_eq!(received[1]["by"], "max");
    assert_eq!(received[1]["address"], "127.0.0.1");
    assert!(address.has_only_token(&format!("Bearer {SECRET}")));
    drop(server.stop(Signal::SIGTERM).await);
}
