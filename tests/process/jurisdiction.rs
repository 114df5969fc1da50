//! An operator's file that differs from the printed values of its jurisdiction.

use std::fs;
use std::path::Path;

use meterhouse_tests::Caller;
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::paytables::manager_token;
use crate::program::{Running, folder, run, run_on};

/// Returns Pennsylvania's five-card paytable C with another id and citation.
fn good() -> String {
    include_str!("../../server/catalogue/paytables/pa-657a-five-card-c.toml")
        .replace("pa-657a-five-card-c", "own-c")
        .replace("\"58 Pa. Code § 657a.12(e)\"", "\"none\"")
}

fn terms() -> Value {
    json!({"paytable": "own-c", "wager": "1.00", "decks": 1})
}

/// Every changed value is named with its line, and no link can be opened with the file.
#[tokio::test]
async fn a_changed_file_opens_no_link() {
    let (data, own) = (folder(), folder());
    let file = own.path().join("own-c.toml");
    let changed = good()
        .replace("primary = \"9%\"", "primary = \"1%\"")
        .replace("for_one = 50 }", "for_one = 5 }");
    fs::write(&file, &changed).expect("a file");
    let checked = run(&["paytable", "check", &file.display().to_string()]).await;
    let checked = checked.with_code(3);
    for (line, sentence) in [
        (
            "primary = \"1%\"",
            "`primary` is another in 58 Pa. Code § 657a.12(e): write \"9%\"",
        ),
        ("for_one = 5 }", "`pays` of `full-house` is another"),
    ] {
        let index = changed.lines().position(|text| text.contains(line));
        let named = format!("own-c.toml:{}:", 1 + index.expect("a line"));
        let mut lines = checked.stdout.lines();
        let found = lines.any(|text| text.contains(&named) && text.contains(sentence));
        assert!(found, "{named} {sentence}\n{}", checked.stdout);
    }
    drop(checked.with_error("2 mistakes were found"));
    let (server, ana) = start(data.path(), own.path()).await;
    let refused = ana.put("/v1/links/main", &terms()).await;
    drop(refused.problem(404, "unknown_paytable"));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A link that was opened before its file was changed stays in play. The server starts, and its readiness names the link.
#[tokio::test]
async fn a_link_of_a_changed_file_remains_in_play() {
    let (data, own) = (folder(), folder());
    let file = own.path().join("own-c.toml");
    fs::write(&file, good()).expect("a file");
    let (server, ana) = start(data.path(), own.path()).await;
    drop(ana.put("/v1/links/main", &terms()).await.created());
    drop(ana.accept_values("main").await.created());
    let join = json!({"link": "main", "game": "crazy-4-poker", "seats": 6, "paytable": "own-c", "wager": "1.00",
        "decks": 1});
    drop(ana.put("/v1/tables/T1", &join).await.created());
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    let changed = good().replace("primary = \"9%\"", "primary = \"1%\"");
    fs::write(&file, changed).expect("a file");
    let (server, ana) = start(data.path(), own.path()).await;
    let words = ["token", "create", "--role", "controller", "--name", "T1"];
    let words = [&words[..], &["--table", "T1"]].concat();
    let dealer = run_on(data.path(), &words).await.with_code(0).stdout;
    let dealer = ana.with_token(dealer.trim());
    let ready = ana.get("/readyz").await.is(200);
    assert_eq!(ready["status"], "degraded", "{}", ready.text);
    let checks = ready["checks"].as_array().expect("checks");
    let check = checks.iter().find(|check| check["name"] == "paytables");
    let detail = check.expect("its check")["detail"].as_str();
    let says = "not what its jurisdiction prints, or a seed below its reseed: main (own-c)";
    assert!(
        detail.is_some_and(|detail| detail.starts_with(says)),
        "{}",
        ready.text
    );
    let coin_in =
        json!({"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]});
    let played = dealer.put("/v1/tables/T1/commands/1", &coin_in).await;
    drop(played.created());
    let refused = ana.put("/v1/links/second", &terms()).await;
    drop(refused.problem(404, "unknown_paytable"));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// CONFORMANCE 39: a level may not open with less than its reseed, in any jurisdiction. A link that was opened before stays
/// in play, and the readiness names the link.
#[tokio::test]
async fn a_seed_below_its_reseed_opens_no_link() {
    let (data, own) = (folder(), folder());
    let file = own.path().join("own-c.toml");
    let of_nevada = good().replace("\"PA\"", "\"NV\"");
    fs::write(&file, &of_nevada).expect("a file");
    let (server, ana) = start(data.path(), own.path()).await;
    drop(ana.put("/v1/links/main", &terms()).await.created());
    drop(ana.accept_values("main").await.created());
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    let below = of_nevada.replacen("seed    = 10_000", "seed    = 9_999", 1);
    assert_ne!(below, of_nevada);
    fs::write(&file, below).expect("a file");
    let checked = run(&["paytable", "check", &file.display().to_string()]).await;
    let says = "`seed` is 9_999: write at least 10000: a level opens with no less than its reseed";
    let checked = checked.with_code(3);
    assert!(checked.stdout.contains(says), "{}", checked.stdout);
    let (server, ana) = start(data.path(), own.path()).await;
    let refused = ana.put("/v1/links/second", &terms()).await;
    drop(refused.problem(404, "unknown_paytable"));
    let main = ana.get("/v1/links/main").await.is(200);
    assert_eq!(main["levels"][0]["amount"], "10000.00");
    let ready = ana.get("/readyz").await.is(200);
    assert!(ready.text.contains("main (own-c)"), "{}", ready.text);
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// Starts a server with the operator's folder. Returns a manager as well.
async fn start(data: &Path, own: &Path) -> (Running, Caller) {
    let path = own.display().to_string();
    let mut server = Running::start(data, &["serve", "--paytables", &path]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let ana = anonymous.with_token(&manager_token(data).await);
    (server, ana)
}
