//! TLS as an operator sets it up: certificates in files, renewed while tables play, and bound to tables.

mod secured;

use std::fs;
use std::path::PathBuf;

use futures_util::StreamExt as _;
use meterhouse_client::table_stream::request;
use meterhouse_client::{CoinIn, Controller, Seat, Wager};
use meterhouse_proto::table::Heartbeat;
use meterhouse_proto::table::play_request::Request;
use meterhouse_proto::table::play_response::Response;
use meterhouse_tests::certificates::{Authority, Files};
use meterhouse_tests::{eventually, in_time};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use self::secured::{Curled, SERVER, Secured};
use crate::program::{Running, command, folder, run_on, run_to_end};

/// Plays a round's coin-in and waits for its outcome.
async fn coin_in(controller: &Controller) {
    let online = in_time("the controller is online", controller.online()).await;
    let wager = online.expect("it is online").wager;
    let command = CoinIn {
        wagers: vec![Wager::own(Seat(1), wager)],
        dealt: vec![Seat(1)],
    };
    let receipt = controller.send(command).await.expect("it is stored");
    let outcome = in_time("the outcome", receipt.outcome()).await;
    drop(outcome.expect("an outcome"));
}

/// HTTP, the feed and gRPC are served over TLS alone.
#[tokio::test]
async fn everything_is_served_over_tls() {
    let server = Secured::start(&[]).await;
    let ready = server.curl("", "/readyz", &[]).await;
    assert_eq!(ready.status, 200, "{}", ready.body);
    let checks = ready.body["checks"].as_array().expect("checks").iter();
    let certificate = checks.filter(|check| check["name"] == "certificate");
    assert_eq!(certificate.count(), 1, "{}", ready.body);
    let tokens = server.open(&["T1"]).await;

    let mut feed = server.feed().await;
    let first = in_time("a message", feed.next()).await.expect("a message");
    let first: Value =
        serde_json::from_str(first.expect("a text").to_text().expect("a text")).expect("JSON");
    assert_eq!(first["type"], "snapshot");

    let options = server.options("T1", &tokens[0], None);
    let (controller, _outcomes) = Controller::open(options).await.expect("it opens");
    coin_in(&controller).await;

    let mut plain = command("curl");
    plain.args(["--silent", &format!("http://{}/readyz", server.http)]);
    let refused = run_to_end(plain).await;
    assert_ne!(refused.code, Some(0), "plain text was answered");
    let (code, _) = server.running.stop(Signal::SIGTERM).await;
    assert_eq!(code, Some(0));
}

/// A renewed certificate is used for new connections, at SIGHUP and without. Open streams go on. A certificate that
/// can't be used changes nothing but the readiness.
#[tokio::test]
async fn a_renewed_certificate_drops_no_stream() {
    let server = Secured::start(&[]).await;
    let tokens = server.open(&["T1"]).await;
    let mut feed = server.feed().await;
    let mut stream = server.stream("T1", &tokens[0]).await;
    let first = server.certificate().await;

    server.authority.sign(&SERVER).write(server.files.path());
    kill(Pid::from_raw(server.running.pid()), Signal::SIGHUP).expect("a signal");
    let second = eventually("the new certificate is used", async || {
        let now = server.certificate().await;
        (now != first).then_some(now)
    })
    .await;

    // A key of another certificate.
    let other = server.authority.sign(&SERVER);
    fs::write(server.path("server.key"), &other.key).expect("a file");
    kill(Pid::from_raw(server.running.pid()), Signal::SIGHUP).expect("a signal");
    eventually("readiness names the key", async || {
        let ready = server.curl("", "/readyz", &[]).await;
        let text = ready.body.to_string();
        text.contains("is not the key of the certificate")
            .then_some(())
    })
    .await;
    assert_eq!(server.certificate().await, second);

    // No signal: the files are compared from time to time.
    other.write(server.files.path());
    eventually("the third certificate is used", async || {
        (server.certificate().await != second).then_some(())
    })
    .await;
    // Both are the connections from before.
    let heartbeat = Request::Heartbeat(Heartbeat { handle: 1 });
    let sent = stream.requests.send(request(heartbeat)).await;
    sent.expect("the stream is open");
    let answer = in_time("an answer", stream.responses.message()).await;
    let answer = answer.expect("no end").expect("an answer").response;
    assert!(matches!(answer, Some(Response::Alive(_))), "{answer:?}");
    // What was sent meanwhile is read first.
    eventually("the feed goes on", async || {
        let message = feed.next().await.expect("no end").expect("a message");
        message
            .to_text()
            .expect("a text")
            .contains("heartbeat")
            .then_some(())
    })
    .await;
}

/// With a signer of client certificates, a table's token works only on a connection with the table's certificate.
/// People need none.
#[tokio::test]
async fn a_client_certificate_is_bound_to_its_table() {
    let server = Secured::start(&["--tls-client-ca", "CA"]).await;
    let tokens = server.open(&["T1", "T2"]).await;
    let own = server.authority.sign(&["T1"]);
    let own_files = own.write(&made(server.path("t1")));
    let stranger = Authority::new().sign(&["T1"]);
    let stranger_files = stranger.write(&made(server.path("stranger")));
    let with = |files: &Files| {
        [
            "--cert".to_owned(),
            files.certificate.display().to_string(),
            "--key".to_owned(),
            files.key.display().to_string(),
        ]
    };
    let heartbeat = async |token: usize, table: &str, arguments: &[String]| {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let path = format!("/v1/tables/{table}/heartbeat");
        server
            .put(&tokens[token], &path, &json!({}), &arguments)
            .await
    };
    let is = |answer: &Curled, code: &str| {
        assert_eq!((answer.status, &answer.body["code"]), (403, &json!(code)));
    };
    let (mine, strange) = (with(&own_files), with(&stranger_files));
    let answer = heartbeat(0, "T1", &mine).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    is(&heartbeat(0, "T1", &[]).await, "certificate_missing");
    is(&heartbeat(1, "T2", &mine).await, "certificate_mismatch");
    let mut curl = command("curl");
    curl.args(["--silent", "--cacert"])
        .arg(server.path("ca.crt"));
    curl.args(&strange)
        .arg(format!("https://{}/readyz", server.http));
    let refused = run_to_end(curl).await;
    assert_ne!(refused.code, Some(0), "a stranger's certificate was taken");

    let options = server.options("T1", &tokens[0], Some(&own));
    let (controller, _outcomes) = Controller::open(options).await.expect("it opens");
    coin_in(&controller).await;
    for (table, token, own, code) in [
        ("T2", &tokens[1], Some(&own), "certificate_mismatch"),
        ("T2", &tokens[1], None, "certificate_missing"),
    ] {
        let options = server.options(table, token, own);
        let (controller, _outcomes) = Controller::open(options).await.expect("it opens");
        let refused = in_time("the refusal", controller.online()).await;
        let refused = refused.expect_err("no table of this certificate");
        assert!(format!("{refused:?}").contains(code), "{refused:?}");
        controller.close().await.expect("it closes");
    }
}

/// Makes a folder.
fn made(path: PathBuf) -> PathBuf {
    fs::create_dir(&path).expect("a folder");
    path
}

/// Each file that can't be used ends the start with a sentence that names it.
#[tokio::test]
async fn files_that_cannot_be_used_are_named() {
    let (data, files) = (folder(), folder());
    let authority = Authority::new();
    let good = authority.sign(&SERVER);
    let write = |name: &str, text: &str| {
        let path = files.path().join(name);
        fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let (certificate, key) = (
        write("good.crt", &good.certificate),
        write("good.key", &good.key),
    );
    let expired = authority.sign_until(&SERVER, (2020, 2021));
    let early = authority.sign_until(&SERVER, (2090, 2091));
    let other = write("other.key", &authority.sign(&SERVER).key);
    let text = write("text", "no PEM");
    let long = write("long", &"x".repeat(1_048_577));
    let missing = files.path().join("missing").display().to_string();
    let expired = (
        write("expired.crt", &expired.certificate),
        write("expired.key", &expired.key),
    );
    let early = (
        write("early.crt", &early.certificate),
        write("early.key", &early.key),
    );
    for (certificate, key, sentence) in [
        (&missing, &key, "can't be read"),
        (&certificate, &missing, "can't be read"),
        (&text, &key, "has no certificate"),
        (&certificate, &text, "has no private key"),
        (&long, &key, "is longer than 1048576 bytes"),
        (&certificate, &other, "is not the key of the certificate in"),
        (&expired.0, &expired.1, "days ago: renew it"),
        (&early.0, &early.1, "correct this machine's clock"),
    ] {
        let serve = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--grpc-listen",
            "127.0.0.1:0",
        ];
        let tls = ["--tls-certificate", certificate, "--tls-key", key];
        let ended = run_on(data.path(), &[&serve[..], &tls].concat()).await;
        drop(ended.with_code(3).with_error(sentence));
    }
    assert!(!data.path().join("pg").exists(), "a database was made");
}

/// Plain text is served to this machine alone, unless `insecure` is written out.
#[tokio::test]
async fn plain_text_is_for_this_machine() {
    let data = folder();
    for arguments in [
        &[
            "serve",
            "--listen",
            "0.0.0.0:0",
            "--grpc-listen",
            "127.0.0.1:0",
        ] as &[&str],
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--grpc-listen",
            "[::]:0",
        ],
    ] {
        let ended = run_on(data.path(), arguments).await.with_code(2);
        drop(ended.with_error("or write tls.insecure = true"));
    }
    let ended = run_on(
        data.path(),
        &["demo", "--rounds", "1", "--listen", "0.0.0.0:0"],
    )
    .await;
    drop(
        ended
            .with_code(3)
            .with_error("other machines reach this address"),
    );
    let insecure = ["serve", "--insecure", "--listen", "0.0.0.0:0"];
    let mut running = Running::spawn({
        let mut program = command(crate::program::PROGRAM);
        program
            .args(insecure)
            .args(["--grpc-listen", "127.0.0.1:0"]);
        program.arg("--data-dir").arg(data.path());
        program
    });
    drop(running.line_after("listening on http://0.0.0.0:").await);
    let (code, _) = running.stop(Signal::SIGTERM).await;
    assert_eq!(code, Some(0));
}

/// A load plays over both transports, and only if it trusts the signer.
#[tokio::test]
async fn a_load_plays_over_tls() {
    let server = Secured::start(&[]).await;
    let (url, ca) = (format!("https://{}", server.http), server.path("ca.crt"));
    let ca = ca.to_str().expect("a text");
    let load = ["load", "--commands", "200", "--warm-up", "0", "--url", &url];
    let streams = ["--grpc-url", &server.grpc];
    let http = ["--http", "--in-flight", "4", "--cut-every", "20"];
    for transport in [&streams[..], &http[..]] {
        let trusted = [&load[..], transport, &["--ca", ca]].concat();
        let played = run_on(server.data.path(), &trusted).await.with_code(0);
        assert!(
            played.stdout.contains("agrees   load-1 rounds: "),
            "{}",
            played.stdout
        );
        let blind = [&load[..], transport].concat();
        let refused = run_on(server.data.path(), &blind).await.with_code(2);
        drop(refused.with_error("with the certificates of its signers"));
    }
    let other = Authority::new();
    fs::write(server.path("other.crt"), &other.pem).expect("a file");
    let other = server.path("other.crt");
    let other = other.to_str().expect("a text");
    let strange = [&load[..], &streams, &["--ca", other]].concat();
    let refused = run_on(server.data.path(), &strange).await.with_code(2);
    drop(refused.with_error("invalid peer certificate"));
    let missing = [&load[..], &streams, &["--ca", "/nowhere.crt"]].concat();
    let refused = run_on(server.data.path(), &missing).await.with_code(2);
    drop(refused.with_error("--ca /nowhere.crt: No such file"));
    let (code, _) = server.running.stop(Signal::SIGTERM).await;
    assert_eq!(code, Some(0));
}
