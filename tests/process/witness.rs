//! Witnesses of the heads over the real program: a file, a webhook, and another Meterhouse.

mod waiting;
mod webhook;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use meterhouse_journal::tree_head::{SigningKey, TreeHead};
use meterhouse_tests::{Caller, Database, Dealer, eventually};
use nix::sys::signal::Signal;
use serde_json::Value;
use sqlx::ConnectOptions as _;
use tempfile::TempDir;
use tokio::process::Command;

use self::webhook::Webhook;
use crate::export::tampered::Export;
use crate::export::text;
use crate::program::{
    PROGRAM, Running, command, folder, give_to_server, own_address, run, run_on, run_to_end,
    serve_command,
};
use crate::serve::{open_table, token};

/// Returns the heads of a witness's file: link and number, in their order.
fn heads(lines: &str) -> Vec<(i32, u64)> {
    let head = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        number(&line)
    };
    lines.lines().map(head).collect()
}

fn number(line: &Value) -> (i32, u64) {
    let bytes = hex::decode(line["bytes"].as_str().expect("bytes")).expect("digits");
    let head = TreeHead::from_bytes(&bytes).expect("a head");
    (head.link.0, head.number)
}

/// Asserts that the heads of each chain have all numbers from 1 on, each at least once, and returns the newest ones.
fn without_gap(heads: &[(i32, u64)]) -> BTreeMap<i32, u64> {
    let mut newest = BTreeMap::new();
    for (link, number) in heads {
        let last = newest.entry(*link).or_insert(0);
        assert!(*number <= *last + 1, "{heads:?}");
        *last = (*last).max(*number);
    }
    newest
}

/// Starts a house that signs every second, with more flags.
fn house(data: &Path, flags: &[&str]) -> Running {
    let mut program = serve_command();
    program.args(["--sign-every", "1s", "--data-dir"]);
    program.arg(data).args(flags);
    Running::spawn(program)
}

/// Plays a round, and waits until the head over it is signed. Returns its number.
async fn signed(auditor: &Caller, dealer: &Dealer) -> u64 {
    dealer.rounds(1, &[1]).await;
    eventually("everything is signed", async || {
        let told = auditor.get("/v1/links/main/proof").await.is(200);
        (told["head"]["batch"] == told["batch"]).then(|| told["head"]["number"].as_u64())
    })
    .await
    .expect("a number")
}

async fn auditor(data: &TempDir, anonymous: &Caller) -> Caller {
    let made = token(data, &["create", "--role", "auditor", "--name", "ada"]).await;
    anonymous.with_token(made.with_code(0).stdout.trim())
}

/// Another Meterhouse is the witness: it has every head, also those from while it was away and by a later key, and an
/// export that was rewritten with the key is convicted by what it kept.
#[tokio::test]
async fn another_meterhouse_is_the_witness() {
    let (there, here, files) = (folder(), folder(), folder());
    let address = own_address().to_string();
    let witness = || {
        let mut program = command(PROGRAM);
        let listen = [
            "serve",
            "--listen",
            &address,
            "--grpc-listen",
            "127.0.0.1:0",
        ];
        program.args(listen).arg("--data-dir").arg(there.path());
        Running::spawn(program)
    };
    let mut other = witness();
    let at_witness = Caller::nobody(other.line_after("listening on ").await);
    let judge = auditor(&there, &at_witness).await;
    let ours = ["create", "--role", "witnessed", "--name", "casino-a"];
    let ours = token(&there, &ours).await.with_code(0).stdout;
    let token_file = files.path().join("token");
    fs::write(&token_file, &ours).expect("a file");
    let url = format!("http://{address}/v1/witness/heads");
    let flags = [
        "--witness-url",
        &url,
        "--witness-token-file",
        text(&token_file),
    ];
    let mut server = house(here.path(), &flags);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let (_, dealer) = open_table(&here, &anonymous).await;
    let ada = auditor(&here, &anonymous).await;
    let kept = async |number: u64| {
        eventually("the witness has the head", async || {
            let page = judge.get("/v1/witness/heads?limit=500").await.is(200);
            let heads = page["heads"].as_array().expect("heads");
            let is_it = |head: &&Value| head["link"] == "main" && head["number"] == number;
            heads.iter().find(is_it).map(|_| page.text.clone())
        })
        .await
    };
    drop(kept(signed(&ada, &dealer).await).await);
    // The witness goes away and returns.
    assert_eq!(other.stop(Signal::SIGTERM).await.0, Some(0));
    let missed = signed(&ada, &dealer).await;
    let mut other = witness();
    drop(other.line_after("listening on ").await);
    drop(kept(missed).await);
    let told = ada.get("/v1/links/main/proof").await.is(200);
    let older = told["head"]["public_key"].as_str().expect("a key");
    // A later key, which the old one vouches for, and a restart of the house.
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    let new = rotated(here.path()).await;
    // The tokens of the play are older than the new key.
    let keys = [
        ["--signing-key-file", text(&new)],
        ["--signing-older-keys", older],
    ];
    let flags = [&flags[..], &keys.concat()].concat();
    let mut server = house(here.path(), &flags);
    let base = server.line_after("listening on ").await;
    let (ada, dealer) = (
        ada.at(base.clone()),
        Dealer::new(dealer.caller.at(base), "T1"),
    );
    drop(dealer.resume().await);
    let page = kept(signed(&ada, &dealer).await).await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    convicts(&here, &page, &new).await;
    assert_eq!(other.stop(Signal::SIGTERM).await.0, Some(0));
}

/// Introduces a new key, for which the old one vouches. Returns its file.
async fn rotated(data: &Path) -> PathBuf {
    let (old, new) = (data.join("signing-key.pem"), data.join("new.pem"));
    drop(
        run(&["key", "create", "--to", text(&new)])
            .await
            .with_code(0),
    );
    give_to_server(&new);
    let introduce = ["key", "introduce", text(&new), "--old", text(&old)];
    drop(run_on(data, &introduce).await.with_code(0));
    new
}

/// Verifies an export with the pages of a witness, as it is and as its house rewrote it.
async fn convicts(data: &TempDir, page: &str, key: &Path) {
    let pages = data.path().join("pages.json");
    // Two pages without a line's end between them, as a program appends them.
    fs::write(&pages, format!("{page}{page}")).expect("a file");
    let path = data.path().join("main.mhx");
    let export = ["export", "--link", "main", "--to", text(&path)];
    drop(run_on(data.path(), &export).await.with_code(0));
    let verify = async |path: &Path| {
        let mut program = command(PROGRAM);
        program.args(["verify", text(path), "--witness", text(&pages)]);
        run_to_end(program).await
    };
    drop(verify(&path).await.with_code(0));
    let key = SigningKey::from_pem(&fs::read_to_string(key).expect("a key")).expect("a key");
    let cut = Export::read(&fs::read(&path).expect("a file")).without_end(2);
    let path = data.path().join("cut.mhx");
    fs::write(&path, cut.written(Some(&key))).expect("a file");
    let found = verify(&path).await.with_code(1);
    assert!(
        found.stdout.contains("the end is missing"),
        "{}",
        found.stdout
    );
}

/// A file is continued after a restart, without a gap and without a second line of a head. A line whose end is missing is
/// written again.
#[tokio::test]
async fn a_file_is_continued() {
    let data = folder();
    let file = data.path().join("heads.jsonl");
    let flags = ["--witness-file", text(&file)];
    let mut server = house(data.path(), &flags);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let (_, dealer) = open_table(&data, &anonymous).await;
    let ada = auditor(&data, &anonymous).await;
    let written = async |number: u64| {
        eventually("the file has the head", async || {
            let lines = fs::read_to_string(&file).unwrap_or_default();
            let whole = lines.rsplit_once('\n').map_or("", |(whole, _)| whole);
            let all = heads(whole);
            all.contains(&(1, number)).then_some(all)
        })
        .await
    };
    let first = signed(&ada, &dealer).await;
    drop(without_gap(&written(first).await));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    let whole = fs::read_to_string(&file).expect("a file");
    fs::write(&file, &whole[..whole.len() - 9]).expect("a file");
    let mut server = house(data.path(), &flags);
    let base = server.line_after("listening on ").await;
    drop(written(first).await);
    let (ada, dealer) = (
        ada.at(base.clone()),
        Dealer::new(dealer.caller.at(base), "T1"),
    );
    drop(dealer.resume().await);
    let second = signed(&ada, &dealer).await;
    let all = written(second).await;
    let newest = without_gap(&all);
    assert_eq!(newest.values().sum::<u64>(), all.len() as u64, "{all:?}");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    // The file of a longer history than the database's is a sign of a restore: all is written again, and nothing skipped.
    let longer = format!(
        "{}{}",
        fs::read_to_string(&file).expect("a file"),
        another_head(&whole)
    );
    fs::write(&file, &longer).expect("a file");
    let mut server = house(data.path(), &flags);
    drop(server.line_after("listening on ").await);
    let lines = longer.lines().count();
    eventually("all heads of the chain are written again", async || {
        let now = fs::read_to_string(&file).expect("a file").lines().count();
        (now >= lines + usize::try_from(newest[&1]).expect("a number")).then_some(())
    })
    .await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// Returns the line of a head that the database does not have.
fn another_head(lines: &str) -> String {
    let last = lines.lines().rfind(|line| heads(line)[0].0 == 1);
    let mut line: Value = serde_json::from_str(last.expect("a line")).expect("JSON");
    let bytes = hex::decode(line["bytes"].as_str().expect("bytes")).expect("digits");
    let mut head = TreeHead::from_bytes(&bytes).expect("a head");
    head.number += 1_000;
    line["bytes"] = Value::from(hex::encode(head.bytes()));
    format!("{line}\n")
}

/// A webhook gets every head in order, with the token, and again while it does not take it: from two nodes of one database.
#[tokio::test]
async fn a_webhook_gets_every_head_from_two_nodes() {
    let webhook = Webhook::start().await;
    webhook.refuse(3);
    let (database, data) = (Database::new().await, folder());
    let (key, secret) = (data.path().join("key.pem"), data.path().join("token"));
    drop(
        run(&["key", "create", "--to", text(&key)])
            .await
            .with_code(0),
    );
    give_to_server(&key);
    fs::write(&secret, "not-for-everybody\n").expect("a file");
    let url = database.application.to_url_lossy().to_string();
    let node = || {
        let mut program: Command = serve_command();
        program.args(["--sign-every", "1s", "--signing-key-file", text(&key)]);
        program.args([
            "--witness-url",
            &webhook.url,
            "--witness-token-file",
            text(&secret),
        ]);
        program.args(["--metrics-listen", "127.0.0.1:0"]);
        program.env("DATABASE_URL", &url);
        Running::spawn(program)
    };
    let (mut one, mut two) = (node(), node());
    drop(one.line_after("listening on ").await);
    let metrics = one.line_after("metrics on ").await;
    drop(two.line_after("listening on ").await);
    let entries = async |count: u64| {
        for _ in 0..count {
            let mut program = command(PROGRAM);
            let name = format!("a-{}", rand::random::<u32>());
            program.args(["token", "create", "--role", "auditor", "--name", &name]);
            program.args(["--signing-key-file", text(&key)]);
            program.env("DATABASE_URL", &url);
            drop(run_to_end(program).await.with_code(0));
        }
    };
    entries(1).await;
    let received = async |count: u64| {
        eventually("the webhook has the heads", async || {
            let taken = webhook.taken();
            let all: Vec<_> = taken.iter().map(number).collect();
            (without_gap(&all).get(&0) >= Some(&count)).then_some(())
        })
        .await;
    };
    received(1).await;
    // A node that is killed leaves the rest to the other one.
    assert_eq!(two.stop(Signal::SIGKILL).await.0, None);
    entries(1).await;
    received(2).await;
    assert!(webhook.has_only_token("Bearer not-for-everybody"));
    // The witness lost what it had: it gets all heads again.
    webhook.lose();
    entries(1).await;
    received(3).await;
    let metrics = Caller::nobody(metrics.trim_end_matches("/metrics").to_owned());
    metrics_say_sent(&metrics).await;
    // Another history at the witness is reported, and the next head is sent.
    webhook.contradict();
    entries(1).await;
    metrics_say_contradicted(&metrics).await;
    assert_eq!(one.stop(Signal::SIGTERM).await.0, Some(0));
}

async fn metrics_say_sent(metrics: &Caller) {
    eventually("the metrics say so", async || {
        let page = metrics.get("/metrics").await.is(200).text;
        let value = |name: &str| page.lines().find(|line| line.starts_with(name));
        let is_sent = value("meterhouse_witness_unsent{")?.ends_with(" 0");
        let has_failed = !value("meterhouse_witness_failures_total{")?.ends_with(" 0");
        (is_sent && has_failed).then_some(())
    })
    .await;
}

async fn metrics_say_contradicted(metrics: &Caller) {
    eventually("the contradiction is counted", async || {
        let page = metrics.get("/metrics").await.is(200).text;
        let mut lines = page.lines();
        lines.find(|line| {
            line.starts_with("meterhouse_witness_contradictions_total{") && line.ends_with(" 1")
        })?;
        Some(())
    })
    .await;
}
